"""Takes the pictures of the page that the README shows.

    python tools/draw_page.py

Plays a game of veterans to its eighth round, opens it in Chromium on a server of its own, writes
docs/game.png, docs/phone.png and docs/supply.png, and some of them in Spanish and French.
Needs chromium, and Pillow to shrink them.
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsers import CHROMIUM  # noqa: E402
from quartermaster.bots import make_bot  # noqa: E402
from quartermaster.game import Game  # noqa: E402
from quartermaster.rules.names import COUNTRIES  # noqa: E402
from servers import AXIS, Server, two_seats  # noqa: E402

# name -> language, size, theme, whose supply is shown
Scheme = Literal["dark", "light"]
SHOTS: dict[str, tuple[str, tuple[int, int], Scheme, str | None]] = {
    "game": ("en", (1440, 900), "light", None),
    "supply": ("en", (1440, 900), "dark", "japan"),
    "phone": ("en", (390, 844), "light", None),
    "game.es": ("es", (1440, 900), "light", None),
    "phone.es": ("es", (390, 844), "light", None),
    "game.fr": ("fr", (1440, 900), "light", None),
}


def middle_of_a_game(seed: int = 12) -> str:
    """The record of a game that stands at an Axis decision of round 8."""
    game = Game.new("second", seed=seed, seats=2)
    bots = {country: make_bot("veteran", seed) for country in COUNTRIES}
    while not game.is_over:
        decision = game.decision
        if game.state.round >= 8 and decision.kind == "play" and decision.country == AXIS[0]:
            return game.record
        bot = bots[decision.country]
        game.apply(bot.decide(game.look(decision.country), game.legal_actions()))
    return middle_of_a_game(seed + 1)


def quiet(theme: str) -> str:
    """A script for a page that shows no notes for beginners, and lets no turn end by itself."""
    kept = {"theme": theme, "notes": False, "ends": "asked"}
    return f"localStorage.setItem('quartermaster.settings', JSON.stringify({json.dumps(kept)}))"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder)
        with Server(f"sqlite:///{path / 'shots.db'}", path) as server:
            client = server.client("Ada")
            wish = {"seats": two_seats(bot="veteran"), "record": middle_of_a_game(), "start": True}
            table = client.post("/api/games", wish)
            token = client.http.headers["authorization"].split()[1]
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM,
                args=["--no-sandbox", "--disable-dev-shm-usage"],
            )
            for name, (language, (width, height), scheme, supply) in SHOTS.items():
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    color_scheme=scheme,
                    locale=language,
                )
                context.add_cookies(
                    [
                        {"name": "quartermaster", "value": token, "url": server.url},
                        {"name": "known", "value": "1", "url": server.url},
                    ]
                )
                context.add_init_script(quiet(scheme))
                page = context.new_page()
                page.goto(f"{server.url}/games/{table['id']}?lang={language}")
                page.wait_for_selector(".map svg")
                page.wait_for_selector(".fan .card")
                if supply:
                    page.keyboard.press("s")
                    page.locator(f".supply-of .{supply}").click()
                time.sleep(1.5)
                target = ROOT / "docs" / f"{name}.png"
                page.screenshot(path=target)
                picture = Image.open(target).convert("RGB")
                # Few hues cover little room, and must not be lost: those of the pieces.
                picture.quantize(256, Image.Quantize.MAXCOVERAGE).save(target, optimize=True)
            browser.close()
            client.http.close()


if __name__ == "__main__":
    main()
