"""Clients that forget nothing, and the games they are witnesses of."""

import json
import random
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from quartermaster.cards.rule_sets import load_rules
from quartermaster.forms.notation import country_index, deck_of
from quartermaster.rules.names import COUNTRIES, RESPONSE
from servers import AXIS, PLAIN, Server

SEATS = [AXIS, ["united-kingdom", "united-states"], ["soviet-union"]]


NONSENSE = ("pass", "play stalingrad", "discard rationing", "use enigma", "battle atlantis", "")


@dataclass
class Heard:
    """Something a client was sent: in answer to what, the text, when, and the number of the
    table, where it tells one."""

    to: str
    text: str
    at: float
    number: int | None = None
    said: str = ""  # by the client itself: an answer may repeat it


class Witness:
    """A client that keeps every byte it is sent."""

    def __init__(self, server: Server, name: str, news: threading.Condition) -> None:
        self.http = httpx.Client(base_url=server.url, timeout=30, verify=PLAIN)
        self.url = server.url
        self.news = news
        self.heard: list[Heard] = []
        self.view: dict[str, Any] = {}  # the newest
        self.streamed: list[str] = []  # versions that came by the stream
        self.thread: threading.Thread | None = None
        session = self.ask("POST", "/api/me", {"name": name}).json()
        self.http.cookies.clear()
        self.id: str = session["me"]["id"]
        self.token: str = session["token"]
        self.http.headers["authorization"] = f"Bearer {self.token}"

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        response = self.http.request(method, path, json=body)
        heard = Heard(f"{method} {path}", f"{heads(response)}\n\n{response.text}", time.time())
        heard.said = json.dumps(body)
        with self.news:
            self.heard.append(heard)
            if response.is_success and response.text.startswith("{"):
                view = response.json()
                if "version" in view:
                    heard.number = view["number"]
                    if "?" not in path:
                        self._take(view)
        return response

    def follow(self, game: str) -> None:
        """Open the stream of a table; it ends with the server."""
        self.thread = threading.Thread(target=self._follow, args=(game,))
        self.thread.start()

    def close(self) -> None:
        if self.thread is not None:
            self.thread.join(10)
        self.http.close()

    def _follow(self, game: str) -> None:
        path = f"/api/games/{game}/stream"
        rest = ""
        try:
            with self.http.stream("GET", path, timeout=60) as response:
                self.heard.append(Heard(path, heads(response), time.time(), 0))
                for text in response.iter_text():
                    *whole, rest = (rest + text).split("\n\n")
                    for event in whole:
                        self._hear(path, event)
        except httpx.HTTPError:
            pass  # the server was killed, as planned
        self.heard.append(Heard(path, rest, time.time()))

    def _hear(self, path: str, event: str) -> None:
        found = re.match(r"id: ((\d+)\.\d+)\.\d+\nevent: (\w+)\ndata: (.*)$", event)
        with self.news:
            number = int(found[2]) if found else None
            self.heard.append(Heard(path, event, time.time(), number))
            if found and found[3] == "table":
                self.streamed.append(found[1])
                self._take(json.loads(found[4]))

    def _take(self, view: dict[str, Any]) -> None:
        if not self.view or version(view) >= version(self.view):
            self.view = view
        self.news.notify_all()


def heads(response: httpx.Response) -> str:
    return "\n".join(f"{name}: {value}" for name, value in response.headers.multi_items())


def version(view: dict[str, Any]) -> list[int]:
    return [int(part) for part in view["version"].split(".")]


class Party:
    """Some people and an onlooker at a table, until its game is over."""

    def __init__(self, server: Server, rng: random.Random, bot: bool, **wish: Any) -> None:
        self.rng = rng
        self.news = threading.Condition()
        names = ["Anna", "Ben"] if bot else ["Anna", "Ben", "Cora"]
        self.people = [Witness(server, name, self.news) for name in names]
        self.onlooker = Witness(server, "Otto", self.news)
        self.everyone = [*self.people, self.onlooker]
        rules = load_rules(wish["rules"], wish.get("options"))
        self.cards = [card.id for n in range(6) for card in deck_of(rules, n).values()]
        self.responses = {card.id for card in rules.cards if card.type == RESPONSE}
        self.reacting = [  # seat -> its cards that react
            [
                card.id
                for name in countries
                for card in deck_of(rules, country_index(name)).values()
                if card.trigger is not None
            ]
            for countries in SEATS
        ]
        self.advice = 1 if "record" in wish else 0  # that may be asked for: it takes seconds
        self.wish = {"pause": 0, "late": "wait", "is_public": True, "has_hints": True, **wish}

    def close(self) -> None:
        for who in self.everyone:
            who.close()

    def sit_down(self) -> None:
        host, guest = self.people[:2]
        third = "bot" if len(self.people) == 2 else "open"
        seats = [
            {"countries": countries, "who": who, "bot": "rookie"}
            for countries, who in zip(SEATS, ("me", "invite", third), strict=True)
        ]
        made = host.ask("POST", "/api/games", {**self.wish, "seats": seats}).json()
        self.path = f"/api/games/{made['id']}"
        self.id: str = made["id"]
        self.invitation: str = made["seats"][1]["invitation"]
        for who in self.everyone:
            who.ask("GET", self.path)
            who.follow(self.id)
        guest.ask("POST", f"{self.path}/seats/1/take", {})  # refused: it needs the code
        guest.ask("POST", f"{self.path}/seats/1/take", {"code": self.invitation})
        if len(self.people) > 2:
            self.people[2].ask("POST", f"{self.path}/seats/2/take", {})
        for who in self.people[1:]:
            who.ask("POST", f"{self.path}/contribution", {"added": f"{abs(hash(who)):064x}"})
            who.ask("POST", f"{self.path}/ready", {"agrees": True})
        assert host.ask("POST", f"{self.path}/start").is_success

    def play(self) -> None:
        give_up_at = time.monotonic() + 300  # on a busy machine
        while (who := self._next()) is not None:
            assert time.monotonic() < give_up_at, "the game does not end"
            if self.rng.random() < 0.15:
                self._ask_aside(self.rng.choice(self.everyone))
            elif who.view["undo"] and self.rng.random() < 0.02:
                who.ask("POST", f"{self.path}/undo", {})
            else:
                self._decide(who)

    def _next(self) -> Witness | None:
        """Who is to decide, once everyone has heard of everything; nobody if it is over."""
        found: list[Witness | None] = []

        def is_ready() -> bool:
            found.clear()
            views = [who.view for who in self.everyone if who.view]
            if len(views) < len(self.everyone) or len({v["number"] for v in views}) > 1:
                return False
            if views[0]["status"] == "over":
                found.append(None)
            found.extend(who for who in self.people if who.view["your_turn"])
            return bool(found)

        with self.news:
            assert self.news.wait_for(is_ready, 30), "nobody is to decide"
        return found[0]

    def _decide(self, who: Witness) -> None:
        view = who.view
        if view["window"] is not None:
            asks = view["window"]["asks"]
            ask = next(ask for ask in asks if ask["answer"] is None)
            text = self._choose(ask["actions"], "react")["text"]
            body = {"number": view["number"], "ask": ask["number"], "text": text}
            who.ask("POST", f"{self.path}/answers", body)
        else:
            action = self._choose(view["actions"], view["decision"]["kind"])
            body = {key: action[key] for key in ("country", "text")}
            who.ask("POST", f"{self.path}/moves", {"number": view["number"], **body})

    def _choose(self, actions: list[Any], kind: str) -> Any:
        """So that much happens: responses are laid, and used."""

        def weight(action: Any) -> int:
            if action["verb"] == "pass":
                return 40 if kind == "discard-step" else 2
            if action["verb"] in ("discard", "remove"):
                return 1
            is_laid = action["verb"] == "play" and action["card"] in self.responses
            return 60 if is_laid else 10

        return self.rng.choices(actions, [weight(action) for action in actions])[0]

    def _ask_aside(self, who: Witness) -> None:
        """Ask for something besides, which may well be refused."""
        rng, path = self.rng, self.path
        number = who.view["number"] - rng.randrange(2)
        step = rng.randrange(who.view["steps"] + 2)
        card, seat = rng.choice(self.cards), rng.randrange(3)
        country, text = rng.choice(COUNTRIES), rng.choice([*NONSENSE, f"play {card}"])
        reacting = rng.choice([*self.reacting[seat], card])
        orders = {"seat": seat, "cards": {reacting: rng.choice(["ask", "every"])}}
        if who.view["your_turn"] and self.advice and rng.random() < 0.2:
            self.advice -= 1
            who.ask("GET", f"{path}/hints")
            return
        choices: list[tuple[str, str, Any]] = [
            ("GET", f"{path}/supply", None),
            ("GET", f"{path}/replay/{step}", None),
            ("GET", f"{path}/replay/{step}?seat={seat}", None),
            ("GET", f"{path}/replay/{step}?as={country}", None),
            ("GET", f"{path}?seat={seat}&since={max(0, number - 9)}", None),
            ("GET", f"{path}/record", None),
            ("GET", f"{path}/estimates", None),
            ("GET", f"/api/games?show={rng.choice(['open', 'mine', 'turn', 'watch'])}", None),
            ("POST", f"{path}/chat", {"text": "Hm!", "room": rng.choice(["all", "allies"])}),
            ("GET", f"{path}/chat", None),
            ("POST", f"{path}/moves", {"number": number, "country": country, "text": text}),
            ("POST", f"{path}/answers", {"number": number, "ask": seat, "text": text}),
            ("POST", f"{path}/go-on", {"number": number}),
            ("POST", f"{path}/hold", {"number": number}),
            ("PUT", f"{path}/orders", orders),
            ("GET", "/api/me", None),
        ]
        if not who.view["your_turn"]:
            choices.append(("GET", f"{path}/hints", None))
        who.ask(*rng.choice(choices))


def differences(one: Any, other: Any, where: str = "") -> Iterator[str]:
    """Where two messages are not the same."""
    if one == other:  # most are, and this is quick
        return
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() | other.keys():
            yield from differences(one.get(key), other.get(key), f"{where}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for n, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, f"{where}.{n}")
    else:
        yield f"{where}: {one!r:.200} or {other!r:.200}"
