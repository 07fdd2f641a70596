"""People before the page for tests: what they play, how they look at it, and what they do there."""

import random
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    ViewportSize,
    expect,
)

from quartermaster import Game
from quartermaster.rules.names import COUNTRIES
from quartermaster.server.api.pages import page_words
from quartermaster.server.identity.tokens import COOKIE
from servers import ALLIES, AXIS, Client, Server, two_seats

Table = dict[str, Any]


DESKTOP = ViewportSize(width=1440, height=900)


PHONE = ViewportSize(width=390, height=844)


# A busy machine may need longer than the moment after which turns end by themselves.
OPEN_TURNS = """try {
  const key = "quartermaster.settings";
  const kept = JSON.parse(localStorage.getItem(key) ?? "{}");
  localStorage.setItem(key, JSON.stringify({ ends: "asked", ...kept }));
} catch { /* a page without storage */ }"""


# A module of the page by its path: `await ours("js/state/table.js")`, the very one that the page
# uses. Its address holds the version of the page's files.
OURS = """window.ours = (path) =>
  import(document.querySelector("script[type=module]").src.replace("js/main.js", path));"""


# Stands before the number of equal cards.
TIMES = "\N{MULTIPLICATION SIGN}"


PATIENCE = 15_000  # milliseconds: other work goes on beside


# A late moment with something to do for everyone, and something to react with.
LATE: dict[str, Any] = {
    "round": 20,
    "turn": "germany",
    "score": [101, 99],
    "seed": 5,
    "pieces": {
        "germany": ["germany", "western-europe", "eastern-europe", "baltic-sea"],
        "united-kingdom": ["united-kingdom", "canada", "north-sea", "north-atlantic"],
        "japan": ["japan", "china", "sea-of-japan", "north-pacific"],
        "soviet-union": ["moscow", "ukraine", "russia", "black-sea"],
        "italy": ["italy", "balkans", "mediterranean-sea"],
        "united-states": ["eastern-united-states", "western-united-states", "east-pacific"],
    },
    "hand": {
        "germany": ["land-battle", "build-army", "plunder", "blitzkrieg"],
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


def record_of(position: dict[str, Any], *actions: str) -> str:
    game = Game.from_position(position, seats=[AXIS, ALLIES])
    for action in actions:
        game.apply(action)
    return game.record


def finished() -> tuple[str, int]:
    """The record of a game that is over, and its number of actions."""
    game = Game.from_position(LATE, seats=[AXIS, ALLIES])
    chance = random.Random(2)
    while not game.is_over:
        actions = game.legal_actions()
        game.apply(chance.choice([a for a in actions if a.verb != "discard"] or actions))
    return game.record, len(game.history)


def hot_seats(seats: list[list[str]]) -> list[dict[str, Any]]:
    names = ["Anna", "Ben", "Cora", "Dan", "Eve", "Finn"]
    return [
        {"countries": seat, "who": "hot-seat", "name": name}
        for seat, name in zip(seats, names, strict=False)
    ]


def start(client: Client, *actions: str, **wish: Any) -> Table:
    """A table at the late moment, or some actions after it; the Axis against bots."""
    record = record_of(LATE, "pass", *actions)
    usual = {"seats": two_seats(), "record": record, "start": True}
    table: Table = client.post("/api/games", usual | wish)
    return table


def end(client: Client) -> Table:
    """A table whose game has just come to its end."""
    record, count = finished()
    wish = {"record": record, "at": count - 1, "seats": two_seats("me", "me"), "pause": 0}
    table: Table = client.post("/api/games", wish | {"start": True})
    [*_, last] = Game.from_record(record).history
    [action] = [action for action in table["actions"] if action["text"] == last.text]
    table = client.move(table, action)
    assert table["status"] == "over"
    return table


class Visitors:
    """People with browsers. What goes wrong in any of their pages is kept."""

    def __init__(self, browser: Browser, server: Server, kept: dict[str, Page]) -> None:
        self.browser = browser
        self.server = server
        self.pages: list[Page] = []
        self.errors: list[str] = []
        self.expected: list[str] = []  # patterns of errors that belong to the test
        self._kept = kept  # for whoever comes again: a new browser takes its time

    def come(self, path: str = "/", client: Client | None = None, **options: Any) -> Page:
        """Someone opens an address; `client` is who they are. Strangers, and who wants a
        special browser, get a new one."""
        if client is None or options:
            page = self._new_page(client, options)
        else:
            if client.id not in self._kept:
                self._kept[client.id] = self._new_page(client, {})
            page = self._kept[client.id]
            page.set_viewport_size(DESKTOP)
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.on("console", self._hear)
        page.on("pageerror", self._hear_error)
        self.pages.append(page)
        page.goto(path)
        expect(page.locator("#main")).to_be_visible()
        return page

    def _new_page(self, client: Client | None, options: dict[str, Any]) -> Page:
        url = self.server.url
        options = {"viewport": DESKTOP, "reduced_motion": "reduce"} | options
        context = self.browser.new_context(base_url=url, **options)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(OPEN_TURNS)
        context.add_init_script(OURS)
        if client is not None:
            token = client.http.headers["authorization"].removeprefix("Bearer ")
            cookies = {COOKIE: token, "known": "1"}
            context.add_cookies(
                [{"name": name, "value": value, "url": url} for name, value in cookies.items()]
            )
        return context.new_page()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            where = message.location.get("url", "")
            self.errors.append(f"console: {message.text} ({where})")

    def _hear_error(self, error: Error) -> None:
        self.errors.append(f"page error: {error}")

    def unexpected(self) -> list[str]:
        return [
            error
            for error in self.errors
            if not any(re.search(pattern, error) for pattern in self.expected)
        ]

    def leave(self) -> None:
        for page in self.pages:
            page.remove_listener("console", self._hear)
            page.remove_listener("pageerror", self._hear_error)
            if page in self._kept.values():
                page.goto("about:blank")
            else:
                page.context.close()


def ids_without_words(page: Page) -> list[str]:
    """Ids of the catalogue of words that stand on the page instead of their texts."""
    kinds = {id.partition(".")[0] for id in page_words("en") if "." in id}
    pattern = rf"(?<![\w./-])(?:{'|'.join(sorted(kinds))})\.[a-z][a-z-]*(?![\w/])"
    return re.findall(pattern, page.inner_text("body"))


LOOK = """async () => {
  const { table } = await ours("js/state/table.js");
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const all = (what) => [...document.querySelectorAll(what)];
  const count = (what) => all(what).length;
  return {
    version: table.value?.version ?? "",
    over: count(".result"),
    covered: count(".hand.covered"),
    dialog: count("dialog[open]"),
    narrowed: count(".space-info .choices .main"),
    cards: count(".fan .card.lit"),
    held: count(".fan .card.up"),
    ticked: all(".fan .card").map((one) => one.matches(".ticked")).join(),
    confirm: count(".prompt .confirm"),
    ready: count(".prompt .confirm:not(:disabled)"),
    spaces: count(".space.legal"),
    acts: count(".prompt .acts button:not(.quiet):not(:disabled)"),
    choices: count(".prompt .question .choices button"),
    window: count(".prompt .window"),
    busy: count(".prompt.busy"), // several choices are sent one after the other
  };
}"""


# A point of the page at which a click meets this space and nothing else.
SPOT = """(space) => {
  const { left, top, width, height } = space.getBoundingClientRect();
  for (const part of [2, 3, 5, 9, 17]) {
    for (let i = 1; i < part; i++) for (let j = 1; j < part; j++) {
      const [x, y] = [left + (width * i) / part, top + (height * j) / part];
      if (document.elementFromPoint(x, y) === space) return [x, y];
    }
  }
  return null;
}"""


def look(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(LOOK)
    return found


def seen(page: Page) -> Table:
    """The table as the page knows it."""
    script = 'ours("js/state/table.js").then(({ table }) => table.value)'
    table: Table = page.evaluate(script)
    return table


def click_space(page: Page, space: Locator) -> None:
    spot = space.evaluate(SPOT)
    assert spot is not None, f"{space.get_attribute('aria-label')} cannot be clicked"
    page.mouse.click(*spot)


def do(page: Page, act: Callable[[], None]) -> None:
    """Do something that changes the table, or asks back."""
    before = look(page)
    act()
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until:
        now = look(page)
        if now["busy"]:
            page.wait_for_timeout(25)
            continue
        if now["version"] != before["version"]:
            return
        if now["dialog"] > before["dialog"] or now["narrowed"] > before["narrowed"]:
            return
        if now["held"] != before["held"] or now["ticked"] != before["ticked"]:
            return
        page.wait_for_timeout(25)
    raise AssertionError("nothing came of it")


def open_list(page: Page) -> None:
    """Show all choices as a list, as keys and screen readers have it."""
    button = page.locator(".prompt .list-button")
    if button.get_attribute("aria-pressed") == "false":
        button.click()


def decide(page: Page) -> None:
    """Decide something, once asked: tick the first cards, play the first card, take the first
    space, or the first choice of the list."""
    page.locator(".prompt.yours").wait_for()
    page.locator(".prompt .question .choices button").first.wait_for(state="attached")
    now = look(page)
    if now["confirm"]:
        confirm = page.locator(".prompt .confirm")
        while confirm.is_disabled():
            card = page.locator(".fan .card:not(.ticked) .face").first
            do(page, lambda: card.dispatch_event("click"))  # noqa: B023
        do(page, confirm.click)
    elif now["cards"] and not now["held"]:
        do(page, lambda: page.locator(".fan .card.lit .face").first.dispatch_event("click"))
        do(page, page.locator(".prompt .acts :is(.play, .discard)").first.click)
    else:
        open_list(page)
        do(page, page.locator(".prompt .question .choices button").first.click)
    if page.locator("dialog[open]").count():
        do(page, page.locator("dialog[open] .main").click)


def narrow(page: Page) -> bool:
    """Whether nothing lies beside the window, as it was asked for."""
    width = (page.viewport_size or DESKTOP)["width"]
    script = "[document.documentElement, document.body].map((one) => one.scrollWidth)"
    widths: list[int] = page.evaluate(script)
    return max(widths) <= width


LISTEN = """{
  const fetchOnly = window.fetch;
  window.fetch = async (...wish) => {
    const answer = await fetchOnly(...wish);
    if (answer.url.includes("/api/games")) answer.clone().text().then(window.hearAnswer);
    return answer;
  };
}"""


class Wire:
    """All that a page is sent about games, from its next loading on."""

    def __init__(self, page: Page) -> None:
        self.texts: list[str] = []
        page.expose_function("hearAnswer", lambda text: self.texts.append(text))
        page.add_init_script(LISTEN)
        session = page.context.new_cdp_session(page)
        session.on("Network.eventSourceMessageReceived", lambda e: self.texts.append(e["data"]))
        session.send("Network.enable")


def open_first_cards(visitors: Visitors, anna: Client, ben: Client) -> Page:
    table = anna.post("/api/games", {"seats": two_seats(second="open")})
    ben.post(f"/api/games/{table['id']}/seats/1/take")
    ben.post(f"/api/games/{table['id']}/ready")
    anna.post(f"/api/games/{table['id']}/start")
    page = visitors.come(f"/games/{table['id']}", ben)
    page.locator(".fan .card .face").nth(2).dispatch_event("click")
    return page


# The United Kingdom moves after Germany's last step.
LAST_STEP: dict[str, Any] = {**LATE, "round": 8, "step": "discard"}


def alone(
    anna: Client,
    position: dict[str, Any] = LAST_STEP,
    own: tuple[str, ...] = ("germany",),
) -> str:
    """Germany, or more countries, against bots that do not dawdle."""
    others = [country for country in COUNTRIES if country not in own]
    seats: list[dict[str, Any]] = [{"countries": list(own), "who": "me"}]
    seats += [{"countries": [country], "who": "bot", "bot": "rookie"} for country in others]
    wish = {"seats": seats, "record": record_of(position), "pause": 0, "start": True}
    id: str = anna.post("/api/games", wish)["id"]
    return id


STANDS = """async (sheet) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const where = () => sheet.getAttribute("style") + JSON.stringify(sheet.getBoundingClientRect());
  for (let still = 0, last = ""; still < 10; last = where()) {
    await frame();
    still = where() === last ? still + 1 : 0;
  }
  return sheet.getAttribute("style");
}"""


def stands(page: Page) -> str:
    """How the map lies, once it stands still: at first it grows to its place, and glides to what
    one should look at."""
    style: str = page.locator(".sheet").evaluate(STANDS)
    return style
