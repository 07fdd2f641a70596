"""Films one round for the README: docs/turn.webp, under 1.5 MB.

    python tools/film.py

Opens the game of tools/draw_page.py in Chromium on a server of its own, plays a card by clicks and
takes pictures while the others answer: cards, battles, points. Needs chromium and Pillow.
"""

import io
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image, ImageChops
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from draw_page import middle_of_a_game, quiet  # noqa: E402

from browsers import CHROMIUM  # noqa: E402
from pages import OURS  # noqa: E402
from servers import ALLIES, Server  # noqa: E402

SIZE = (1440, 900)
SHOWN = (800, 500)
SECONDS = 14.0  # of what others do
SLOWER = 8  # a picture takes its time: the page is filmed slowed down
PACE = 0.1  # seconds of the film between two pictures
MOST = 1_500_000  # bytes
SLOW = """(times) => ours("js/state/settings.js")
  .then(({ SPEEDS }) => (SPEEDS.normal = times))"""


class Film:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.times: list[int] = []  # milliseconds that each is shown

    def take(self, seconds: float) -> None:
        """Take pictures for a while; one like the one before only makes that last longer."""
        until = time.monotonic() + seconds * SLOWER
        while time.monotonic() < until:
            begin = time.monotonic()
            shot = self.page.screenshot(type="jpeg", quality=92)
            picture = (
                Image.open(io.BytesIO(shot)).convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS)
            )
            time.sleep(max(0.0, PACE * SLOWER - (time.monotonic() - begin)))
            shown = round(1000 * (time.monotonic() - begin) / SLOWER)
            if self.frames and not ImageChops.difference(picture, self.frames[-1]).getbbox():
                self.times[-1] += shown
            else:
                self.frames.append(picture)
                self.times.append(shown)

    def save(self, target: Path) -> None:
        """As sharp as it may be."""
        for quality in (60, 45, 32, 20, 10):
            self.frames[0].save(
                target,
                save_all=True,
                append_images=self.frames[1:],
                duration=self.times,
                loop=0,
                quality=quality,
                method=4,
            )
            if target.stat().st_size < MOST:
                print(f"{target}: {len(self.frames)} pictures, {target.stat().st_size} bytes")
                return
        raise RuntimeError("the film is too large: make it shorter")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder)
        with Server(f"sqlite:///{path / 'film.db'}", path) as server:
            client = server.client("Ada")
            seats = [{"countries": ["germany"], "who": "me"}]
            others = ["japan", "italy", *ALLIES]
            seats += [{"countries": [one], "who": "bot", "bot": "veteran"} for one in others]
            wish = {"seats": seats, "record": middle_of_a_game(), "pause": 0, "start": True}
            table = client.post("/api/games", wish)
            token = client.http.headers["authorization"].split()[1]
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
            )
            context = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]})
            cookies = {"quartermaster": token, "known": "1"}
            context.add_cookies(
                [{"name": k, "value": v, "url": server.url} for k, v in cookies.items()]
            )
            context.add_init_script(quiet("light"))
            context.add_init_script(OURS)
            page = context.new_page()
            page.goto(f"{server.url}/games/{table['id']}")
            page.locator(".fan .card.lit").first.wait_for()
            page.wait_for_timeout(1500)
            session = context.new_cdp_session(page)
            session.send("Animation.enable")
            session.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWER})
            page.evaluate(SLOW, SLOWER)
            film = Film(page)
            film.take(1.0)
            battle = page.locator(".fan .card.lit:is(.t-land-battle, .t-sea-battle, .t-build-army)")
            battle.first.locator(".face").click()
            page.mouse.move(720, 300)
            film.take(1.5)
            page.locator(".space.legal").first.dispatch_event("click")
            film.take(1.2)
            page.locator(".prompt .confirm").click(timeout=10_000)
            film.take(SECONDS)
            film.save(ROOT / "docs" / "turn.webp")
            browser.close()
            client.http.close()


if __name__ == "__main__":
    main()
