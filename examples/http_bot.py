"""A bot that plays online: it comes as a guest, sits down at a table and decides when asked.

    python examples/http_bot.py https://games.example.org --game ID --seat 1

Without a game it makes a table of its own against the server's bots. It uses nothing but the
server's API (docs/api.md), so it could be in any language; here it takes random actions.
"""

import argparse
import random
import time
from typing import Any

import httpx

Choice = dict[str, Any]


class OnlineBot:
    """A guest at one table. Override `choose` to play better."""

    def __init__(self, url: str, name: str = "Robot", seed: int = 0) -> None:
        self.random = random.Random(seed)
        self.http = httpx.Client(base_url=url, timeout=30)
        token = self.ask("POST", "/api/me", {"name": name})["token"]
        self.http.cookies.clear()  # those are for browsers; a program shows its token
        self.http.headers["authorization"] = f"Bearer {token}"
        self.game = ""
        self.moves = 0

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.http.request(method, path, json=body)
        if answer.status_code == 409:  # the table has moved on: look again
            return None
        if answer.is_error:
            raise RuntimeError(f"{method} {path}: {answer.json()['error']}")
        return answer.json()

    def close(self) -> None:
        self.http.close()

    def make_table(self, **wish: Any) -> None:
        """A table at which the bot plays the Allies and the server's rookies the Axis."""
        axis, allies = ["germany", "japan", "italy"], ["united-kingdom", "soviet-union"]
        seats = [
            {"countries": axis, "who": "bot", "bot": "rookie"},
            {"countries": [*allies, "united-states"], "who": "me"},
        ]
        self.game = self.ask("POST", "/api/games", {"seats": seats, "start": True, **wish})["id"]

    def sit_down(self, game: str, seat: int) -> None:
        self.game = game
        self.ask("POST", f"/api/games/{game}/seats/{seat}/take", {})
        self.ask("POST", f"/api/games/{game}/ready", {"agrees": True})

    def choose(self, table: dict[str, Any], actions: list[Choice]) -> Choice:
        """One of the actions; `table["view"]` is all that the bot's seat may know."""
        return self.random.choice(actions)

    def play(self, pause: float = 0.5) -> str | None:
        """Play until the game is over; who has won."""
        while True:
            table = self.ask("GET", f"/api/games/{self.game}")
            if table["status"] == "over":
                winner: str | None = table["winner"]
                return winner
            if not table["your_turn"]:
                time.sleep(pause)
                continue
            if table["window"] is None:
                action = self.choose(table, table["actions"])
                path, more = "moves", {"country": action["country"]}
            else:  # a chance to react, of which the others do not know
                ask = next(one for one in table["window"]["asks"] if one["answer"] is None)
                action = self.choose(table, ask["actions"])
                path, more = "answers", {"ask": ask["number"]}
            body = {"number": table["number"], "text": action["text"], **more}
            self.moves += self.ask("POST", f"/api/games/{self.game}/{path}", body) is not None


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--name", default="Robot")
    parser.add_argument("--game")
    parser.add_argument("--seat", type=int, default=0)
    given = parser.parse_args()
    try:
        bot = OnlineBot(given.url, given.name)
        if given.game:
            bot.sit_down(given.game, given.seat)
        else:
            bot.make_table()
        print(f"at {given.url}/games/{bot.game}", flush=True)
        print(f"won by the {bot.play()}")
        bot.close()
    except (httpx.HTTPError, RuntimeError) as error:
        raise SystemExit(f"{given.url}: {error}") from None
