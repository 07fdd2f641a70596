"""Takes pictures of every screen of the page at every size, to be looked at.

    python tools/screens.py [--out build/screens] [--only play,recap] [--sizes 390,1440] [--lang fr]

Opens each screen on a server of its own at the sizes of phones, of a phone on its side and of
desks, in light and dark, and puts the pictures of a size together on contact sheets.
"""

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsers import CHROMIUM  # noqa: E402
from pages import OURS  # noqa: E402
from quartermaster import Game  # noqa: E402
from servers import ALLIES, AXIS, Client, Server, two_seats  # noqa: E402

SIZES = {
    "360": (360, 740),
    "390": (390, 844),
    "844": (844, 390),
    "1440": (1440, 900),
    "1920": (1920, 1080),
    "3840": (3840, 2160),
}
# Pages that differ only in their size are opened once.
ALIKE = [("360", "390"), ("844",), ("1440",), ("1920", "3840")]
WIDTH = {"360": 270, "390": 270, "844": 560, "1440": 800, "1920": 800, "3840": 800}  # on a sheet
SHEET = (1640, 1240)

MIDDLE: dict[str, Any] = {
    "round": 8,
    "turn": "germany",
    "score": [61, 74],
    "seed": 5,
    "pieces": {
        "germany": ["germany", "western-europe", "eastern-europe", "baltic-sea", "north-africa"],
        "united-kingdom": ["united-kingdom", "india", "australia", "north-atlantic"],
        "japan": ["japan", "china", "southeast-asia", "sea-of-japan", "south-china-sea"],
        "soviet-union": ["moscow", "ukraine", "russia", "szechuan"],
        "italy": ["italy", "balkans", "mediterranean-sea"],
        "united-states": ["eastern-united-states", "western-united-states", "east-pacific"],
    },
    "hand": {
        "germany": [
            "land-battle",
            "build-army",
            "plunder",
            "blitzkrieg",
            "build-navy",
            "wolf-packs",
            "guns-and-butter",
        ],
        "united-kingdom": ["sea-battle", "build-navy", "free-france", "bomber-command"],
        "japan": ["build-army", "sea-battle", "truk", "forward-bases"],
        "soviet-union": ["land-battle", "build-army", "guards", "general-winter"],
        "italy": ["build-navy", "land-battle", "bravado", "afrika-korps"],
        "united-states": ["build-navy", "build-army", "radar", "lend-lease"],
    },
    "set": {
        "united-kingdom": ["defensive-posture"],
        "japan": ["kamikaze"],
        "soviet-union": ["stalingrad", "rasputitsa"],
        "italy": ["monte-cassino"],
    },
}
TWELVE = [*MIDDLE["hand"]["germany"], "land-battle", "build-army", "build-navy", "sea-battle"]
BATTLE = {
    "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["moscow", "ukraine"]},
    "hand": {"germany": ["land-battle", "build-army", "build-navy"]},
    "set": {"soviet-union": ["stalingrad"]},
}


def record_of(position: dict[str, Any], *actions: str) -> str:
    game = Game.from_position(position, seats=[AXIS, ALLIES])
    for action in actions:
        game.apply(action)
    return game.record


def once(make: Callable[..., str]) -> Callable[..., str]:
    """A table is made when a screen first wants it."""

    @wraps(make)
    def kept(self: "World", *args: str) -> str:
        key = (make.__name__, *args)
        if key not in self.made:
            self.made[key] = make(self, *args)
        return self.made[key]

    return kept


class World:
    """A server with two people, and the tables that screens show."""

    def __init__(self, server: Server, browser: Browser, language: str) -> None:
        self.server = server
        self.browser = browser
        self.language = language
        self.made: dict[tuple[str, ...], str] = {}  # addresses
        self.anna = server.client("Anna")
        self.ben = server.client("Ben")
        for one in (self.anna, self.ben):
            one.http.patch("/api/me", json={"language": language}).raise_for_status()

    def page(self, client: Client | None, size: tuple[int, int], **settings: Any) -> Page:
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            base_url=self.server.url,
            locale=self.language,
            reduced_motion="reduce",
            has_touch=size[0] < 1000,
        )
        cookies = {"language": self.language}
        if client is not None:
            token = client.http.headers["authorization"].split()[1]
            cookies |= {"quartermaster": token, "known": "1"}
        url = self.server.url
        context.add_cookies([{"name": k, "value": v, "url": url} for k, v in cookies.items()])
        kept = {"notes": False, "ends": "asked", **settings}
        script = "localStorage.setItem('quartermaster.settings', JSON.stringify({}))"
        context.add_init_script(script.replace("{}", json.dumps(kept)))
        context.add_init_script(OURS)
        return context.new_page()

    @once
    def table(self, *actions: str) -> str:
        wish = {"seats": two_seats(), "pause": 0, "start": True}
        return self.make({**wish, "record": record_of(MIDDLE, *actions)})

    def make(self, wish: dict[str, Any]) -> str:
        id: str = self.anna.post("/api/games", wish)["id"]
        return f"/games/{id}"

    @once
    def one_country(self) -> str:
        """Germany alone against five bots: others' turns come after its last step."""
        seats: list[dict[str, Any]] = [{"countries": ["germany"], "who": "me"}]
        seats += [
            {"countries": [country], "who": "bot", "bot": "rookie"}
            for country in [*AXIS[1:], *ALLIES]
        ]
        record = record_of({**MIDDLE, "step": "discard"})
        return self.make({"seats": seats, "record": record, "pause": 0, "start": True})

    @once
    def twelve(self) -> str:
        position = {**MIDDLE, "hand": {**MIDDLE["hand"], "germany": [*TWELVE, "build-army"]}}
        return self.make({"seats": two_seats(), "record": record_of(position), "start": True})

    @once
    def first_cards(self) -> str:
        table = self.anna.post("/api/games", {"seats": two_seats(second="open")})
        self.ben.post(f"/api/games/{table['id']}/seats/1/take")
        self.ben.post(f"/api/games/{table['id']}/ready")
        self.anna.post(f"/api/games/{table['id']}/start")
        return f"/games/{table['id']}"

    @once
    def window(self) -> str:
        wish = {"record": record_of(BATTLE, "play land-battle"), "window": 3600}
        wish |= {"deal": "as-recorded", "seats": two_seats("me", "open")}
        table = self.ben.post("/api/games", wish)
        self.anna.post(f"/api/games/{table['id']}/seats/1/take")
        self.anna.post(f"/api/games/{table['id']}/ready", {"agrees": True})
        table = self.ben.post(f"/api/games/{table['id']}/start")
        [battle] = [a for a in table["actions"] if a["text"] == "battle ukraine soviet-union"]
        self.ben.move(table, battle)
        return f"/games/{table['id']}"

    @once
    def lobby(self) -> str:
        seats = [
            {"countries": AXIS, "who": "me"},
            {"countries": ALLIES[:1], "who": "open"},
            {"countries": ALLIES[1:2], "who": "invite"},
            {"countries": ALLIES[2:], "who": "bot"},
        ]
        table = self.anna.post("/api/games", {"seats": seats, "title": "Friday"})
        self.ben.post(f"/api/games/{table['id']}/seats/1/take")
        return f"/games/{table['id']}"

    @once
    def online(self) -> str:
        """The other's turn, who takes time; something was said."""
        table = self.ben.post(
            "/api/games",
            {"seats": two_seats("me", "open"), "record": record_of(MIDDLE), "deal": "as-recorded"},
        )
        self.anna.post(f"/api/games/{table['id']}/seats/1/take")
        self.anna.post(f"/api/games/{table['id']}/ready", {"agrees": True})
        self.ben.post(f"/api/games/{table['id']}/start")
        self.ben.post(f"/api/games/{table['id']}/chat", {"text": "Good evening!"})
        return f"/games/{table['id']}"

    @once
    def over(self) -> str:
        start = {**MIDDLE, "round": 17, "score": [101, 99]}
        game = Game.from_position(start, seats=[AXIS, ALLIES])
        chance = random.Random(2)
        while not game.is_over:
            actions = game.legal_actions()
            game.apply(chance.choice([a for a in actions if a.verb != "discard"] or actions))
        count = len(game.history)
        wish = {"record": game.record, "at": count - 1, "seats": two_seats("me", "me"), "pause": 0}
        table = self.anna.post("/api/games", wish | {"start": True})
        [*_, last] = game.history
        [action] = [action for action in table["actions"] if action["text"] == last.text]
        self.anna.move(table, action)
        return f"/games/{table['id']}"

    @once
    def covered(self) -> str:
        seats = [
            {"countries": seat, "who": "hot-seat", "name": name}
            for seat, name in [(AXIS, "Anna"), (ALLIES, "Ben")]
        ]
        return self.make({"seats": seats, "record": record_of(MIDDLE), "start": True})


Open = Callable[[World, Page], None]


def at(path: str, wait: str = "h1", *then: str) -> Open:
    """Open an address; then click what is named."""

    def open_path(world: World, page: Page) -> None:
        page.goto(path)
        page.locator(wait).first.wait_for(state="attached")
        click(page, *then)

    return open_path


def click(page: Page, *what: str) -> None:
    for selector in what:
        if selector.startswith("key:"):
            page.keyboard.press(selector[4:])
        else:
            page.locator(selector).first.dispatch_event("click")
        page.wait_for_timeout(150)


def at_table(*then: str, made: Callable[[World], str] | None = None, wait: str = ".prompt") -> Open:
    def open_table(world: World, page: Page) -> None:
        page.goto(made(world) if made else world.table())
        page.locator(wait).first.wait_for()
        click(page, *then)

    return open_table


CARD = ".fan .card:nth-child({}) .face"
TOOL = ".tools.r button:nth-child({})"


def open_beats(world: World, page: Page) -> None:
    """Another's turn, at a battle."""
    page.emulate_media(reduced_motion="no-preference")
    page.goto(world.table())
    page.locator(".prompt").wait_for()
    page.evaluate("""async () => {
      const { replayTurns } = await ours("js/state/beats.js");
      const { begun } = await ours("js/state/table.js");
      const { set, SPEEDS } = await ours("js/state/settings.js");
      SPEEDS.slow = 100;
      set({ speed: "slow" });
      const of = { country: "united-kingdom", card: "", target: null, space: null, n: 0 };
      const play = { ...of, what: "play", card: "sea-battle", text: "" };
      replayTurns([play, { ...of, what: "battle", space: "sea-of-japan", text: "" }], begun().view);
    }""")
    page.locator(".beat").wait_for()
    page.evaluate("""async () => {
      const { stage } = await ours("js/state/beats.js");
      const now = stage.value;
      const entry = { ...now.beat.entry, what: "battle", space: "north-sea", card: "",
        text: "The United Kingdom battles the German navy in the North Sea." };
      const beat = { kind: "battle", entry, country: "united-kingdom" };
      stage.value = { ...now, beat, at: "north-sea" };
    }""")
    page.wait_for_timeout(600)


def open_recap(world: World, page: Page) -> None:
    page.goto(world.one_country())
    page.locator(".prompt .confirm, .recap").first.wait_for()
    if page.locator(".prompt .confirm").count():
        page.locator(".prompt .confirm").click()
    page.locator(".recap").wait_for(timeout=60_000)


def open_hints(world: World, page: Page) -> None:
    page.goto(world.table())
    page.locator(".hint-button").click()
    page.locator(".hints li").first.wait_for()


def open_note(world: World, page: Page) -> None:
    page.goto(world.one_country())
    page.evaluate("""async () => {
      const { set } = await ours("js/state/settings.js");
      set({ notes: true, seen: [] });
    }""")
    page.wait_for_timeout(300)


def open_lesson(world: World, page: Page) -> None:
    page.goto("/learn")
    page.locator("main button").first.click()
    page.locator(".guide").wait_for()


SCREENS: dict[str, Open] = {
    "home": at("/", ".pick"),
    "new": at("/new"),
    "tables": at("/games"),
    "cards": at("/cards", ".card"),
    "rules": at("/rules"),
    "learn": at("/learn"),
    "me": at("/me"),
    "missing": at("/nowhere"),
    "no-game": at("/games/nope"),
    "settings": at("/learn", "h1", ".gear"),
    "lobby": at_table(made=World.lobby, wait="h1"),
    "first-cards": at_table(CARD.format(2), CARD.format(3), made=World.first_cards),
    "play": at_table(),
    "card-up": at_table(CARD.format(1)),
    "card-idle": at_table(CARD.format(3)),
    "space": at_table(
        made=lambda world: world.table("pass", "play build-army"), wait=".space.legal"
    ),
    "space-info": at_table("[data-space=ukraine].space"),
    "list": at_table(".list-button"),
    "hints": open_hints,
    "discard": at_table(CARD.format(2), made=World.one_country),
    "tray": at_table(made=lambda world: world.table("use reallocate-resources")),
    "doubt": at_table(CARD.format(3), ".prompt .discard"),
    "twelve": at_table(made=World.twelve, wait=".fan .card"),
    "window": at_table(made=World.window, wait=".prompt .window"),
    "waiting": at_table(made=World.online),
    "chat": at_table(TOOL.format(2), made=World.online),
    "beats": open_beats,
    "recap": open_recap,
    "note": open_note,
    "log": at_table(
        ".result-more button:last-of-type", TOOL.format(1), made=World.over, wait=".result"
    ),
    "countries": at_table(TOOL.format(3)),
    "country": at_table(".plaque"),
    "menu": at_table(TOOL.format(6)),
    "keys": at_table("key:?"),
    "supply": at_table("key:s"),
    "card": at_table(".card-read"),
    "covered": at_table(made=World.covered, wait=".hand.covered"),
    "uncovered": at_table(".hand.covered button", made=World.covered),
    "result": at_table(made=World.over, wait=".result .chart:nth-of-type(2), .result"),
    "replay": at_table(made=lambda world: f"{world.over()}?step=12", wait=".told li"),
    "lesson": open_lesson,
}
BY_BEN = {"first-cards"}
NEW_HERE = {"new-home": at("/", ".pick"), "new-me": at("/me"), "new-tables": at("/games")}


def take(world: World, names: list[str], sizes: list[str], out: Path) -> Iterator[str]:
    for alike in ALIKE:
        wanted = [size for size in alike if size in sizes]
        if not wanted:
            continue
        for name in names:
            client = None if name in NEW_HERE else world.ben if name in BY_BEN else world.anna
            page = world.page(client, SIZES[wanted[-1]])
            try:
                (NEW_HERE | SCREENS)[name](world, page)
                for size in wanted:
                    page.set_viewport_size({"width": SIZES[size][0], "height": SIZES[size][1]})
                    for theme in ("light", "dark"):
                        page.emulate_media(color_scheme=theme)
                        page.wait_for_timeout(700 if size == wanted[0] else 300)
                        page.screenshot(path=out / f"{name}-{size}-{theme}.png")
            except Exception as error:
                yield f"{name} at {alike}: {error}"
                page.screenshot(path=out / f"{name}-{wanted[0]}-failed.png")
            page.context.close()


def contact_sheets(names: list[str], size: str, theme: str, out: Path) -> None:
    """All pictures of a size and a theme, some to a sheet."""
    width = WIDTH[size]
    height = width * SIZES[size][1] // SIZES[size][0]
    columns, rows = SHEET[0] // (width + 8), max(1, SHEET[1] // (height + 22))
    found = [name for name in names if (out / f"{name}-{size}-{theme}.png").exists()]
    for number in range(0, len(found), columns * rows):
        part = found[number : number + columns * rows]
        lines = -(-len(part) // columns)
        sheet = Image.new("RGB", (columns * (width + 8), lines * (height + 22)), "#777")
        draw = ImageDraw.Draw(sheet)
        for i, name in enumerate(part):
            x, y = (i % columns) * (width + 8) + 4, (i // columns) * (height + 22)
            draw.text((x, y + 4), f"{name} {size} {theme}", fill="white")
            with Image.open(out / f"{name}-{size}-{theme}.png") as picture:
                sheet.paste(picture.resize((width, height), Image.Resampling.LANCZOS), (x, y + 18))
        sheet.save(out / f"sheet-{size}-{theme}-{number // (columns * rows) + 1}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "screens")
    parser.add_argument("--only", help="screens, with commas between them")
    parser.add_argument("--sizes", default=",".join(SIZES), help="of those, with commas")
    parser.add_argument("--lang", default="en")
    wish = parser.parse_args()
    names = wish.only.split(",") if wish.only else [*NEW_HERE, *SCREENS]
    sizes = wish.sizes.split(",")
    wish.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder)
        with Server(f"sqlite:///{path / 'screens.db'}", path) as server:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
            )
            for problem in take(World(server, browser, wish.lang), names, sizes, wish.out):
                print(problem, flush=True)
            browser.close()
    for size in sizes:
        for theme in ("light", "dark"):
            contact_sheets(names, size, theme, wish.out)


if __name__ == "__main__":
    main()
