"""How much one must click to play: whole games against bots, by the page's own questions.

    python tools/clicks.py [--games 20] [--haste]

Plays on a server of its own, with tests/page/player.js in place of a person, and prints how many
clicks a turn took and how many decisions were a bare pass. With --haste every turn is ended by a
click; without, whoever has nothing to discard waits until it ends by itself.
"""

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsers import CHROMIUM  # noqa: E402
from servers import Server  # noqa: E402

PLAYER = ROOT / "tests" / "page" / "player.js"
COUNTED = ("clicks", "decisions", "passes", "moves", "movePasses")


@dataclass(frozen=True)
class Figures:
    games: int
    turns: list[int]  # clicks of each turn in which nothing special happened
    clicks: int
    decisions: int
    passes: int  # decisions that were nothing but a pass
    moves: int  # what the server was sent
    move_passes: int

    def __str__(self) -> str:
        share = 100 * self.passes / self.decisions
        sent = 100 * self.move_passes / self.moves
        return (
            f"{self.games} games: {self.clicks} clicks, {self.decisions} decisions,"
            f" {self.passes} of them a bare pass ({share:.1f} %)\n"
            f"{len(self.turns)} turns with nothing special: {mean(self.turns):.2f} clicks each,"
            f" median {median(self.turns)}\n"
            f"{self.moves} moves were sent, {self.move_passes} of them a pass ({sent:.1f} %)"
        )


def measure(browser: Browser, server: Server, games: int, hastens: bool = False) -> Figures:
    """Play games of the Axis against rookies; every one comes to its end."""
    page = browser.new_page()
    page.route("**/player.js", lambda route: route.fulfill(path=PLAYER))
    page.goto(server.url)
    page.set_default_timeout(1_800_000)
    found: list[dict[str, Any]] = page.evaluate(
        "async ([seeds, how]) => (await import('/player.js')).playAll(seeds, how)",
        [list(range(1, games + 1)), {"hastens": hastens}],
    )
    page.close()
    unfinished = [game["status"] for game in found if game["status"] != "over"]
    if unfinished:
        raise RuntimeError(f"games that did not end: {unfinished}")
    turns = [turn["clicks"] for game in found for turn in game["turns"] if turn["isNormal"]]
    return Figures(games, turns, *(sum(game[key] for game in found) for key in COUNTED))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--haste", action="store_true", help="end every turn by a click")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder)
        with Server(f"sqlite:///{path / 'games.db'}", path) as server:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
            )
            print(measure(browser, server, wish.games, wish.haste))
            browser.close()


if __name__ == "__main__":
    main()
