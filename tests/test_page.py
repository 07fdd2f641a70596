"""The page as people meet it: a real browser against a real server.

Screenshots of every screen go into the folder that QUARTERMASTER_SHOTS names.
"""

import json
import os
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from browsers import CHROMIUM, needs_chromium
from quartermaster import Game
from quartermaster.cards.as_data import card_data
from quartermaster.cards.rule_sets import RULE_SETS, load_rules
from quartermaster.rules.names import COUNTRIES
from quartermaster.server.api.pages import page_words
from quartermaster.server.identity.tokens import COOKIE
from servers import ALLIES, AXIS, Client, Server, two_seats

Table = dict[str, Any]

pytestmark = needs_chromium

DESKTOP = ViewportSize(width=1440, height=900)
PHONE = ViewportSize(width=390, height=844)
AXE = Path(__file__).parent / "page" / "axe.min.js"
# A busy machine may need longer than the moment after which turns end by themselves.
OPEN_TURNS = """try {
  const key = "quartermaster.settings";
  const kept = JSON.parse(localStorage.getItem(key) ?? "{}");
  localStorage.setItem(key, JSON.stringify({ ends: "asked", ...kept }));
} catch { /* a page without storage */ }"""
MOST_BYTES = 300_000  # of the first load, as transferred
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
# Germany has played its land battle and may choose Ukraine, for which a card lies ready.
BATTLE = {
    "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["moscow", "ukraine"]},
    "hand": {"germany": ["land-battle", "build-army", "build-navy"]},
    "set": {"soviet-union": ["stalingrad"]},
}

# Japan's battle at sea, to which both teams may react.
FLEETS = {
    "turn": "japan",
    "pieces": {
        "japan": ["japan", "sea-of-japan"],
        "united-kingdom": ["united-kingdom", "australia", "south-china-sea"],
    },
    "hand": {"japan": ["sea-battle", "build-army"]},
    "set": {"united-kingdom": ["destroyers"], "japan": ["surprise-attack"]},
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


# Browsers.


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    options = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"]
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("page")
    with Server(f"sqlite:///{folder}/games.db", folder) as one:
        yield one


@pytest.fixture(scope="module")
def anna(server: Server) -> Iterator[Client]:
    with server.client("Anna") as client:
        yield client


@pytest.fixture(scope="module")
def ben(server: Server) -> Iterator[Client]:
    with server.client("Ben") as client:
        yield client


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


@pytest.fixture(scope="module")
def kept() -> dict[str, Page]:
    return {}


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Where screenshots go."""
    folder = Path(os.environ.get("QUARTERMASTER_SHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def visitors(chromium: Browser, server: Server, kept: dict[str, Page]) -> Iterator[Visitors]:
    those = Visitors(chromium, server, kept)
    yield those
    unspoken = [text for page in those.pages for text in ids_without_words(page)]
    those.leave()
    assert those.unexpected() == []
    assert unspoken == []


def ids_without_words(page: Page) -> list[str]:
    """Ids of the catalogue of words that stand on the page instead of their texts."""
    kinds = {id.partition(".")[0] for id in page_words("en") if "." in id}
    pattern = rf"(?<![\w./-])(?:{'|'.join(sorted(kinds))})\.[a-z][a-z-]*(?![\w/])"
    return re.findall(pattern, page.inner_text("body"))


# What people do again and again.

LOOK = """async () => {
  const { table } = await import("/static/js/state/table.js");
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
    script = 'import("/static/js/state/table.js").then(({ table }) => table.value)'
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


class Driver:
    """Plays for whoever is asked, by mouse: on the map and on cards where that is possible."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page = page
        self.chance = random.Random(seed)
        self.done = dict.fromkeys(
            [
                "uncovered",
                "cards",
                "spaces",
                "acts",
                "choices",
                "ticks",
                "narrowed",
                "confirmed",
                "window",
            ],
            0,
        )

    def step(self) -> bool:
        """One click; false when the game is over."""
        page, now = self.page, look(self.page)
        if now["over"]:
            return False
        if now["dialog"]:
            self._click("dialog[open] .main", "confirmed")
        elif now["covered"]:
            assert page.locator(".hand .card").count() == 0
            uncover(page)
            self.done["uncovered"] += 1
        elif now["narrowed"]:
            self._click(".space-info .choices .main", "narrowed")
        elif now["confirm"]:
            self._tick(now)
        elif now["choices"]:
            self.done["window"] += now["window"]
            self._choose(now)
        else:
            page.wait_for_timeout(50)
        return True

    def _tick(self, now: dict[str, Any]) -> None:
        if now["ready"] and self.chance.random() < 0.7:
            self._click(".prompt .confirm", "ticks")
        else:
            self._card()

    def _choose(self, now: dict[str, Any]) -> None:
        """The map and the cards have all, but what stands in the bar; the list has everything."""
        ways = [
            way for way in ("spaces", "cards") if now[way] and not (way == "cards" and now["held"])
        ]
        way = self.chance.choice([*ways, *ways, "acts" if now["acts"] else "choices", "choices"])
        if way == "spaces":
            space = self.page.locator(".space.legal").nth(self.chance.randrange(now[way]))
            do(self.page, lambda: click_space(self.page, space))
            self.done[way] += 1
        elif way == "cards":
            self._card()
        elif way == "acts":
            self._click(".prompt .acts button:not(.quiet):not(:disabled)", way)
        else:
            open_list(self.page)
            self._click(".prompt .question .choices button", way)

    def _card(self) -> None:
        faces = self.page.locator(".fan .card.lit .face")
        face = faces.nth(self.chance.randrange(faces.count()))
        do(self.page, lambda: face.dispatch_event("click"))
        self.done["cards"] += 1

    def _click(self, selector: str, way: str) -> None:
        found = self.page.locator(f"{selector}:not(.discard, .pass)")  # rather do something
        if found.count() == 0 or self.chance.random() < 0.1:
            found = self.page.locator(selector)
        button = found.nth(self.chance.randrange(found.count()))
        do(self.page, button.click)
        self.done[way] += 1


def open_list(page: Page) -> None:
    """Show all choices as a list, as keys and screen readers have it."""
    button = page.locator(".prompt .list-button")
    if button.get_attribute("aria-pressed") == "false":
        button.click()


def uncover(page: Page) -> None:
    page.locator(".hand.covered button").click()
    expect(page.locator(".hand.covered")).to_have_count(0)


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


# The start.


def test_one_click_leads_into_a_game(visitors: Visitors) -> None:
    page = visitors.come("/")
    page.get_by_role("button", name="Play the Axis").click()
    expect(page.locator(".prompt .sentence").first).to_be_visible()
    expect(page.locator(".map svg .space").first).to_be_visible()
    expect(page.locator(".hand .card").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"/games/\w+$"))
    script = """["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
      .map((entry) => [entry.name, entry.encodedBodySize])"""
    sizes: list[tuple[str, int]] = page.evaluate(script)
    total = sum(size for _, size in sizes)
    largest = sorted(((size, name) for name, size in sizes), reverse=True)[:3]
    print(f"\nfirst load: {total} bytes in {len(sizes)} answers, the largest {largest}")
    assert len(sizes) > 20
    assert 20_000 < total < MOST_BYTES


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("air", [False, True], ids=["plain", "air-marshal"])
def test_every_rule_set_is_played(visitors: Visitors, anna: Client, rules: str, air: bool) -> None:
    others = [country for country in COUNTRIES if country != "italy"]
    seats = [{"countries": ["italy"], "who": "me"}]
    seats += [{"countries": [country], "who": "bot", "bot": "random"} for country in others]
    options = {"air-marshal": air}
    wish = {"rules": rules, "options": options, "seats": seats, "pause": 0, "start": True}
    table = anna.post("/api/games", wish)
    page = visitors.come(f"/games/{table['id']}", anna)
    expect(page.locator(".steps li", has_text="Air")).to_have_count(int(air))
    expect(page.locator(".steps li", has_text="Play")).to_have_count(1)
    for _ in range(2):  # bots have decided before, and do so between
        decide(page)
    page.get_by_role("button", name="Log", exact=True).click()
    expect(page.locator(".log li").nth(1)).to_be_attached()


# A whole game at one screen.


def test_a_game_is_played_to_its_end_by_mouse(visitors: Visitors, anna: Client) -> None:
    seats = hot_seats([[country] for country in COUNTRIES])
    table = start(anna, seats=seats, record=record_of(LATE), pause=0)
    page = visitors.come(f"/games/{table['id']}", anna)
    driver = Driver(page)
    for _ in range(300):
        if not driver.step():
            break
        assert page.locator(".notice.error").count() == 0
    print(f"\n{driver.done}")
    expect(page.get_by_role("heading", name="have won")).to_be_visible()
    assert anna.get(f"/api/games/{table['id']}")["status"] == "over"
    for way in ("cards", "spaces", "acts", "choices", "ticks", "window"):
        assert driver.done[way] > 0, way
    assert driver.done["uncovered"] >= 6


def test_covered_cards_are_nowhere_on_the_page(visitors: Visitors, anna: Client) -> None:
    table = start(anna, seats=hot_seats([AXIS, ALLIES]))
    page = visitors.come(f"/games/{table['id']}", anna)
    expect(page.locator(".hand.covered")).to_be_visible()
    text = page.inner_text("body")
    for name in ("Plunder", "Blitzkrieg", "Kamikaze", "Monte Cassino", "Forward Bases"):
        assert name not in text
    page.keyboard.press("1")  # nobody can choose among what is not shown
    page.wait_for_timeout(200)
    assert seen(page)["version"] == table["version"]
    uncover(page)
    expect(page.locator(".hand")).to_contain_text("Blitzkrieg")


def test_what_one_did_in_secret_is_not_told_to_the_next(visitors: Visitors, anna: Client) -> None:
    record = record_of({**LATE, "step": "discard"})
    table = start(anna, seats=hot_seats([AXIS, ALLIES]), record=record)
    page = visitors.come(f"/games/{table['id']}", anna)
    page.get_by_role("button", name="Log", exact=True).click()
    uncover(page)
    plunder = page.locator(".fan .card", has_text="Plunder").locator(".face")
    do(page, lambda: plunder.dispatch_event("click"))
    do(page, page.get_by_role("button", name="Discard 1 and end the turn").click)
    expect(page.get_by_role("listitem", name="Turn of United Kingdom")).to_be_visible()
    assert "Plunder" not in page.inner_text("body")
    uncover(page)
    expect(page.locator(".log")).to_contain_text("Germany discards a card")
    assert "Plunder" not in page.inner_text("body")


def test_a_window_asks_one_after_the_other_at_one_screen(visitors: Visitors, anna: Client) -> None:
    record = record_of(FLEETS, "play sea-battle")
    table = start(anna, seats=hot_seats([AXIS, ALLIES]), record=record)
    [battle] = [a for a in table["actions"] if a["text"] == "battle south-china-sea united-kingdom"]
    anna.move(table, battle)
    page = visitors.come(f"/games/{table['id']}", anna)
    for name, own, others in [
        ("Ben", "Use Destroyers", "Surprise Attack"),
        ("Anna", "Use Surprise Attack", "Destroyers"),
    ]:
        expect(page.locator(".hand.covered")).to_contain_text(name)
        uncover(page)
        assert others not in page.inner_text("body")
        expect(page.locator(".prompt .acts").get_by_role("button", name=own)).to_be_visible()
        do(page, page.locator(".prompt").get_by_role("button", name="Let it stand").click)
    expect(page.locator(".prompt .window")).to_have_count(0)


# Two people, each with a browser.


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


def hidden(table: Table) -> list[tuple[str, str]]:
    """Ids and names of all cards that only the viewer knows of, and no other deck has."""
    rules = load_rules("second", {})
    cards = [card_data(rules, card) for card in rules.cards]
    seat: list[str] = table["view"]["seat"]
    others = {card["id"] for card in cards if card["country"] not in seat}
    names = {card["id"]: card["name"] for card in cards}
    own = {
        id
        for country in seat
        for zone in ("hand", "face_down", "set")
        for id in table["view"]["countries"][country][zone]
    }
    return [(id, names[id]) for id in sorted(own - others)]


def test_two_people_play_online(visitors: Visitors, server: Server) -> None:
    host = visitors.come("/")
    host.get_by_role("link", name="Friends, editions, clocks").click()
    host.get_by_label("Name of the table").fill("Friday")
    host.get_by_role("button", name="Open the table").click()
    link = host.locator(".invite input").input_value()
    guest = visitors.come("/cards")
    wire = Wire(guest)
    guest.goto(link)
    guest.get_by_label("Name", exact=True).fill("Berta")
    guest.get_by_role("button", name="Sit here").click()
    start = host.get_by_role("button", name="Start the game")
    expect(host.locator(".seat-row .who", has_text="Berta")).to_be_visible()
    expect(start).to_be_disabled()
    guest.get_by_role("button", name="I am ready").click()
    start.click()
    decide(host)  # Germany's cards to keep
    guest.locator(".fan .card .face").first.dispatch_event("click")
    guest.reload()
    decide(guest)

    # One loses the connection, while the other goes on.
    visitors.expected.append(r"net::ERR_")
    for page in (host, guest):
        page.evaluate("window.isTheSame = true")
    lost = "Connection lost"
    guest.context.set_offline(True)
    expect(guest.get_by_text(lost)).to_be_visible()
    decide(host)
    expect(guest.locator(".prompt")).not_to_contain_text("Choose the cards")
    guest.context.set_offline(False)
    expect(guest.locator(".prompt")).to_contain_text("Choose the cards")
    expect(guest.get_by_text(lost)).to_have_count(0)

    # The server is started anew.
    server.stop()
    for page in (host, guest):
        expect(page.get_by_text(lost)).to_be_visible()
    for place in range(3):
        guest.locator(".fan .card .face").nth(place).dispatch_event("click")
    guest.locator(".prompt .confirm").click()
    expect(guest.locator(".notice.error")).to_contain_text("cannot be reached")
    server.start()
    for page in (host, guest):
        expect(page.get_by_text(lost)).to_have_count(0)
    guest.locator(".prompt .confirm").wait_for()
    for _ in range(3 - guest.locator(".fan .card.ticked").count()):
        guest.locator(".fan .card:not(.ticked) .face").first.dispatch_event("click")
    do(guest, guest.locator(".prompt .confirm").click)
    expect(host.locator(".prompt")).to_contain_text("Italy:")
    decide(host)
    for page in (host, guest):
        assert page.evaluate("window.isTheSame")

    secrets = hidden(seen(host))
    assert len(secrets) > 5
    assert len(wire.texts) > 10
    told = "\n".join([guest.content(), *wire.texts])
    assert [name for id, name in secrets if name in told or f'"{id}"' in told] == []
    assert f'"{hidden(seen(guest))[0][0]}"' in told  # it is there where one may know it


def test_first_cards_are_chosen_while_the_other_chooses(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    page = open_first_cards(visitors, anna, ben)
    path = f"/api{page.evaluate('location.pathname')}"
    page.reload()
    prompt = page.locator(".prompt")
    expect(prompt).to_contain_text("United Kingdom:")
    expect(prompt).to_contain_text("discard 3 of your first cards")
    done = prompt.get_by_role("button", name="Discard these")
    faces = page.locator(".fan .card .face")
    for place in (0, 4, 7):
        expect(done).to_be_disabled()
        faces.nth(place).dispatch_event("click")
    names = page.locator(".fan .card.ticked .title").all_text_contents()
    assert len(names) == 3
    done.click()
    decided = prompt.locator(".aside", has_text="United Kingdom will discard")
    for name in names:
        expect(decided).to_contain_text(name)
    decided.get_by_role("button", name="Think again").click()
    expect(decided).to_have_count(0)
    page.get_by_role("group", name="Whose").get_by_role("button", name="United Kingdom").click()
    for place in (1, 4, 7):
        faces.nth(place).dispatch_event("click")
    done.click()
    expect(decided).to_be_visible()
    for _ in range(3):
        now = anna.get(path)
        anna.move(now, now["actions"][0])
    expect(prompt).to_contain_text("Waiting for Japan")
    expect(decided).to_have_count(0)


# Without a mouse.

FOCUS = """() => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  const outline = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
  const stroke = one.matches(".space") ? parseFloat(style.strokeWidth) : 0;
  return {
    what: `${one.tagName} ${one.className?.baseVal ?? one.className}`,
    text: (one.getAttribute("aria-label") ?? one.innerText ?? "").trim(),
    isChoice: one.closest(".prompt .choices") !== null,
    isLost: one === document.body,
    isVisible: (outline >= 2 || stroke >= 3) && box.width > 0 && box.right > 0
      && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight,
  };
}"""


def tab_to(page: Page, found: Callable[[dict[str, Any]], bool]) -> None:
    """Press Tab until something has the focus, which can always be seen."""
    for _ in range(120):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if focus["isLost"]:
            continue  # once round, by the browser's own bar
        assert focus["isVisible"], f"the focus on {focus['what']} ({focus['text']}) is not seen"
        if found(focus):
            return
    raise AssertionError("Tab does not lead there")


def test_keys_are_enough(visitors: Visitors) -> None:
    page = visitors.come("/")
    tab_to(page, lambda focus: focus["text"] == "Play the Axis")
    page.keyboard.press("Enter")
    page.locator(".prompt.yours").wait_for()
    for key in "135":  # the first cards: ticked by number, confirmed with one key
        do(page, lambda: page.keyboard.press(key))  # noqa: B023
    do(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".fan .card.ticked")).to_have_count(0)
    page.locator(".prompt.yours").wait_for()
    tab_to(page, lambda focus: focus["isChoice"])
    do(page, lambda: page.keyboard.press("Enter"))


def test_spaces_are_chosen_by_keys(visitors: Visitors, anna: Client) -> None:
    table = start(anna, "play build-army")
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".space.legal").first.wait_for()
    tab_to(page, lambda focus: "space" in focus["what"].split())
    do(page, lambda: page.keyboard.press("Enter"))


def test_every_legal_space_is_lit(visitors: Visitors, anna: Client) -> None:
    table = start(anna, "play build-army")
    page = visitors.come(f"/games/{table['id']}", anna)
    spaces = page.locator(".space.legal")
    spaces.first.wait_for()
    assert spaces.count() == len({a["space"] for a in table["actions"] if "space" in a})
    colours = spaces.evaluate_all("all => all.map((one) => getComputedStyle(one).fill)")
    assert len(set(colours)) == 1


def test_straits_show_to_whom_they_are_open(visitors: Visitors, anna: Client) -> None:
    """To the Axis while its army holds the land, else to the Allies; an Allied army or a navy
    there changes nothing."""
    position = {
        "pieces": {
            "germany": ["germany", "scandinavia"],
            "united-kingdom": ["united-kingdom", "north-africa"],
        },
        "hand": {"germany": ["build-army"]},
    }
    record = record_of(position)
    table = anna.post("/api/games", {"seats": two_seats(), "record": record, "start": True})
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".strait").first.wait_for()
    shown = page.locator(".strait").evaluate_all(
        "all => all.map((one) => [one.dataset.land, one.classList.contains('axis')])"
    )
    assert {land for land, is_axis in shown if is_axis} == {"scandinavia"}
    assert len(shown) == 5


def test_a_choice_that_starves_own_pieces_says_so_first(visitors: Visitors, anna: Client) -> None:
    position = {
        "turn": "united-kingdom",
        "pieces": {"united-kingdom": ["united-kingdom"]},
        "hand": {"united-kingdom": ["king-peter-enthroned-in-yugoslavia", "build-navy"]},
    }
    record = record_of(position, "play king-peter-enthroned-in-yugoslavia")
    wish = {"seats": two_seats("bot", "me"), "record": record, "start": True}
    table = anna.post("/api/games", wish)
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".space.legal[data-space=balkans]").wait_for()
    click_space(page, page.locator(".space.legal[data-space=balkans]"))
    dialog = page.locator("dialog[open]")
    dialog.wait_for()
    assert "Balkans" in dialog.inner_text()
    dialog.get_by_role("button", name="Cancel").click()
    assert anna.get(f"/api/games/{table['id']}")["number"] == table["number"]


def test_what_every_choice_loses_is_not_asked_about(visitors: Visitors, anna: Client) -> None:
    position = {
        "pieces": {"germany": ["germany", "eastern-europe", "latin-america"]},
        "hand": {"germany": ["build-army", "land-battle"]},
    }
    record = record_of(position, "play build-army")
    table = anna.post("/api/games", {"seats": two_seats(), "record": record, "start": True})
    [build] = [a for a in table["actions"] if a["text"] == "build army western-europe"]
    assert build["loses"] == ["latin-america"]
    page = visitors.come(f"/games/{table['id']}", anna)
    # Every choice loses it: that is nobody's fault, and nothing is asked.
    space = page.locator(".space.legal[data-space=western-europe]")
    space.wait_for()
    do(page, lambda: click_space(page, space))
    assert page.locator("dialog[open]").count() == 0


# Small screens.


@pytest.mark.parametrize("way", ["upright", "landscape"])
def test_a_phone_is_enough(visitors: Visitors, anna: Client, shots: Path, way: str) -> None:
    width, height = {"upright": (360, 740), "landscape": (844, 390)}[way]
    viewport = {"width": width, "height": height}
    table = start(anna)
    page = visitors.come(
        f"/games/{table['id']}", anna, viewport=viewport, is_mobile=True, has_touch=True
    )
    sentence = page.locator(".prompt .sentence").first
    sentence.wait_for()
    page.screenshot(path=shots / f"game-{way}.png")
    expect(sentence).to_be_in_viewport(ratio=1)
    assert narrow(page)
    for tool in page.locator(".map-tools > button:visible").all():
        expect(tool).to_be_in_viewport(ratio=0.99)
    card = page.locator(".hand .card").first
    expect(card).to_be_in_viewport(ratio=0.3)
    expect(page.locator(".prompt")).to_be_in_viewport()  # who reads cards sees what is asked
    do(page, card.locator(".face").tap)
    expect(card).to_have_class(re.compile(r"\bup\b"))
    do(page, page.locator(".prompt .acts .play").tap)
    assert narrow(page)


# Looking back.


def test_a_game_is_looked_back_at_and_gone_on_from(visitors: Visitors, anna: Client) -> None:
    table = end(anna)
    allowed = ["clipboard-read", "clipboard-write"]
    page = visitors.come(f"/games/{table['id']}", anna, permissions=allowed)
    page.get_by_role("button", name="Watch it again").click()
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("0")
    last = int(slider.get_attribute("max") or 0)
    assert last > 10
    for key, step in [("ArrowRight", 1), ("PageDown", 11), ("ArrowLeft", 10), ("End", last)]:
        page.keyboard.press(key)
        expect(slider).to_have_value(str(step))
        expect(page.get_by_text(f"Step {step} of {last}")).to_be_visible()
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    slider.fill("7")
    expect(page.get_by_text(f"Step 7 of {last}")).to_be_visible()
    page.get_by_label("Through the eyes of").select_option("japan")
    expect(page.locator(".replay-hands p")).to_have_count(1)
    page.get_by_role("button", name="Copy a link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    link: str = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"/games/{table['id']}?step=7")

    page.get_by_label("Through the eyes of").select_option("everyone")
    expect(page.locator(".replay-hands p")).to_have_count(6)
    other = visitors.come(link)
    expect(other.get_by_role("slider")).to_have_value("7")
    told = page.locator(".told").inner_text()
    assert told
    assert other.locator(".told").inner_text() == told
    other.get_by_role("button", name="Play on from here as the Axis").click()
    expect(other).not_to_have_url(link)
    expect(other.locator(".prompt")).to_be_visible()
    expect(other.get_by_role("slider")).to_have_count(0)
    decide(other)

    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="have won")).to_be_visible()


def test_a_record_that_was_brought_can_be_looked_at(visitors: Visitors, anna: Client) -> None:
    table = start(anna, record=finished()[0])
    page = visitors.come(f"/games/{table['id']}", anna)
    page.get_by_role("button", name="Watch it again").click()
    expect(page.get_by_role("slider")).to_have_value("0")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("slider")).to_have_value("1")


def test_who_looks_back_at_one_game_sees_another_as_it_is(visitors: Visitors, anna: Client) -> None:
    over, table = end(anna), start(anna, title="The other")
    page = visitors.come(f"/games/{over['id']}?step=3", anna)
    expect(page.get_by_role("slider")).to_have_value("3")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Home").click()
    page.locator(f"a[href='/games/{table['id']}']").first.click()
    expect(page.locator(".prompt.yours")).to_be_visible()


# Every screen: open to everyone, by day and by night, and how it looks.


def open_start(visitors: Visitors, anna: Client, ben: Client) -> Page:
    start(anna)
    page = visitors.come("/", anna)
    page.locator(".games li").first.wait_for()
    return page


def open_new(visitors: Visitors, anna: Client, ben: Client) -> Page:
    page = visitors.come("/new", anna)
    page.get_by_role("radio", name="First edition").first.check()
    page.get_by_text("What is different").click()
    page.locator(".seat-row select").last.select_option("bot")
    page.get_by_label("Live clock").check()
    return page


def open_lobby(visitors: Visitors, anna: Client, ben: Client) -> Page:
    seats = [
        {"countries": AXIS, "who": "me"},
        {"countries": ALLIES[:1], "who": "open"},
        {"countries": ALLIES[1:2], "who": "invite"},
        {"countries": ALLIES[2:], "who": "bot"},
    ]
    table = anna.post("/api/games", {"seats": seats, "title": "Friday"})
    ben.post(f"/api/games/{table['id']}/seats/1/take")
    page = visitors.come(f"/games/{table['id']}", anna)
    page.get_by_role("heading", name="Friday").wait_for()
    return page


def open_first_cards(visitors: Visitors, anna: Client, ben: Client) -> Page:
    table = anna.post("/api/games", {"seats": two_seats(second="open")})
    ben.post(f"/api/games/{table['id']}/seats/1/take")
    ben.post(f"/api/games/{table['id']}/ready")
    anna.post(f"/api/games/{table['id']}/start")
    page = visitors.come(f"/games/{table['id']}", ben)
    page.locator(".fan .card .face").nth(2).dispatch_event("click")
    return page


def open_game(visitors: Visitors, anna: Client, ben: Client) -> Page:
    table = start(anna, "play build-army")
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".space.legal").first.wait_for()
    return page


def open_window(visitors: Visitors, anna: Client, ben: Client) -> Page:
    wish = {"record": record_of(BATTLE, "play land-battle"), "window": 600, "deal": "as-recorded"}
    table = ben.post("/api/games", wish | {"seats": two_seats("me", "open")})
    anna.post(f"/api/games/{table['id']}/seats/1/take")
    anna.post(f"/api/games/{table['id']}/ready", {"agrees": True})
    table = ben.post(f"/api/games/{table['id']}/start")
    [battle] = [a for a in table["actions"] if a["text"] == "battle ukraine soviet-union"]
    ben.move(table, battle)
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".prompt .window").wait_for()
    expect(page.locator(".prompt")).to_contain_text("Stalingrad")
    return page


def open_card(visitors: Visitors, anna: Client, ben: Client) -> Page:
    page = open_game(visitors, anna, ben)
    page.locator(".fan .card", has_text="Blitzkrieg").locator(".card-read").dispatch_event("click")
    page.locator("dialog[open]").wait_for()
    return page


def open_result(visitors: Visitors, anna: Client, ben: Client) -> Page:
    page = visitors.come(f"/games/{end(anna)['id']}", anna)
    page.locator(".result .chart").nth(1).wait_for()
    return page


def open_replay(visitors: Visitors, anna: Client, ben: Client) -> Page:
    page = visitors.come(f"/games/{end(anna)['id']}?step=7", anna)
    page.locator(".told li").first.wait_for()
    return page


def open_covered(visitors: Visitors, anna: Client, ben: Client) -> Page:
    table = start(anna, seats=hot_seats([AXIS, ALLIES]))
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".hand.covered").wait_for()
    return page


def open_cards(visitors: Visitors, anna: Client, ben: Client) -> Page:
    page = visitors.come("/cards", anna)
    page.locator(".card").first.wait_for()
    return page


def opens(path: str) -> Callable[[Visitors, Client, Client], Page]:
    def open_path(visitors: Visitors, anna: Client, ben: Client) -> Page:
        page = visitors.come(path, anna)
        page.locator("h1").wait_for()
        return page

    return open_path


def open_settings(visitors: Visitors, anna: Client, ben: Client) -> Page:
    page = visitors.come("/learn", anna)
    page.get_by_role("button", name="Settings").click()
    page.locator("dialog[open]").wait_for()
    return page


def open_checked_deal(visitors: Visitors, anna: Client, ben: Client) -> Page:
    table = anna.post("/api/games", {"seats": two_seats(), "start": True})
    anna.post(f"/api/games/{table['id']}/proposals", {"what": "end"})
    page = visitors.come(f"/games/{table['id']}", anna)
    page.get_by_role("button", name="Check the deal").click()
    page.get_by_text("What was checked").click()
    return page


def open_missing(visitors: Visitors, anna: Client, ben: Client) -> Page:
    visitors.expected.append("status of 404")
    page = visitors.come("/nowhere", anna)
    page.locator("h1").wait_for()
    return page


SCREENS: dict[str, Callable[[Visitors, Client, Client], Page]] = {
    "start": open_start,
    "new": open_new,
    "lobby": open_lobby,
    "first-cards": open_first_cards,
    "game": open_game,
    "window": open_window,
    "covered": open_covered,
    "card": open_card,
    "result": open_result,
    "replay": open_replay,
    "cards": open_cards,
    "rules": opens("/rules"),
    "learn": opens("/learn"),
    "me": opens("/me"),
    "tables": opens("/games"),
    "settings": open_settings,
    "deal": open_checked_deal,
    "missing": open_missing,
}
LONG = ("cards", "rules")
# Only what is wrong, and only as much of it as helps.
CHECK = """async (rules) => {
  const options = rules ? { runOnly: { type: "rule", values: rules } } : {};
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...options });
  return violations.filter(({ impact }) => impact !== "minor").map(({ id, impact, nodes }) =>
    `${impact} ${id}: ${nodes.slice(0, 4).map((node) => node.target.join(" ")).join(" | ")}`
    + (id === "color-contrast" ? ` ${nodes[0].any[0].message}` : ""));
}"""


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_is_open_to_everyone(
    visitors: Visitors, anna: Client, ben: Client, shots: Path, screen: str
) -> None:
    page = SCREENS[screen](visitors, anna, ben)
    page.evaluate(AXE.read_text())
    found = []
    page.screenshot(path=shots / f"{screen}-desktop.png")
    found += [f"light: {one}" for one in page.evaluate(CHECK)]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.screenshot(path=shots / f"{screen}-dark.png")
    found += [f"dark: {one}" for one in page.evaluate(CHECK, ["color-contrast"])]
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size(PHONE)
    page.screenshot(path=shots / f"{screen}-phone.png", full_page=screen not in LONG)
    assert found == [], "\n".join(found)
    page.set_viewport_size({"width": 360, "height": 740})
    assert narrow(page)
    for part in page.locator(".bar, .board, .hand").all():
        box = part.bounding_box()
        assert box is not None
        assert box["width"] > 330, part  # one below the other, each as wide as the screen


def test_what_the_wire_says_can_be_read(visitors: Visitors, anna: Client) -> None:
    """That the test for hidden cards would notice one."""
    table = start(anna)
    page = visitors.come("/cards", anna, color_scheme="light")
    wire = Wire(page)
    with page.expect_response("**/supply"):
        page.goto(f"/games/{table['id']}")
        page.locator(".hand .card").first.wait_for()
    page.wait_for_timeout(200)
    views = [text for text in wire.texts if json.loads(text).keys() >= {"view", "log"}]
    assert len(views) >= 2  # asked for, and by the stream
    assert all('"blitzkrieg"' in text for text in views)
