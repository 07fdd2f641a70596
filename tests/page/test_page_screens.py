"""Every screen of the page: open to everyone, by day and by night, and how it looks.

`tools/screens.py` takes their pictures.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import (
    Page,
    expect,
)

from browsers import needs_chromium
from pages import PHONE, Visitors, Wire, end, hot_seats, narrow, open_first_cards, record_of, start
from servers import ALLIES, AXIS, Client, two_seats

pytestmark = needs_chromium


AXE = Path(__file__).parent / "axe.min.js"


# Germany has played its land battle and may choose Ukraine, for which a card lies ready.
BATTLE = {
    "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["moscow", "ukraine"]},
    "hand": {"germany": ["land-battle", "build-army", "build-navy"]},
    "set": {"soviet-union": ["stalingrad"]},
}


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
    page.get_by_text("Live clock").click()
    page.get_by_text("More", exact=True).click()
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


def open_drawer(name: str) -> Callable[[Visitors, Client, Client], Page]:
    def open_it(visitors: Visitors, anna: Client, ben: Client) -> Page:
        page = open_game(visitors, anna, ben)
        page.set_viewport_size({"width": 1800, "height": 900})  # with all tools, also who is alone
        page.locator(".tools").get_by_role("button", name=name, exact=True).click()
        page.locator(".drawer").wait_for()
        return page

    return open_it


def open_country(visitors: Visitors, anna: Client, ben: Client) -> Page:
    page = open_game(visitors, anna, ben)
    page.locator(".plaque.japan").click()
    page.locator(".drawer-country").wait_for()
    return page


def open_supply(visitors: Visitors, anna: Client, ben: Client) -> Page:
    page = open_game(visitors, anna, ben)
    page.get_by_role("button", name="Supply").click()
    page.locator(".supply-of").wait_for()
    return page


SCREENS: dict[str, Callable[[Visitors, Client, Client], Page]] = {
    "start": open_start,
    "new": open_new,
    "lobby": open_lobby,
    "first-cards": open_first_cards,
    "game": open_game,
    "window": open_window,
    "log": open_drawer("Log"),
    "chat": open_drawer("Chat"),
    "countries": open_drawer("Countries"),
    "menu": open_drawer("Menu"),
    "country": open_country,
    "supply": open_supply,
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


# Only what is wrong, and only as much of it as helps.
CHECK = """async (rules) => {
  const named = { rules: { "label-content-name-mismatch": { enabled: true } } };
  const options = rules ? { runOnly: { type: "rule", values: rules } } : named;
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...options });
  return violations.map(({ id, impact, nodes }) =>
    `${impact} ${id}: ${nodes.slice(0, 4).map((node) => node.target.join(" ")).join(" | ")}`
    + (id === "color-contrast" ? ` ${nodes[0].any[0].message}` : ""));
}"""


# Letters of which there is no bold font: the browser would smear thin ones.
SMEARED = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const { fontFamily, fontWeight } = getComputedStyle(one);
  return fontFamily.startsWith("Vollkorn") && fontWeight >= 600 && one.checkVisibility()
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
}).map((one) => `smeared: ${one.parentElement.className} ${one.tagName} ${one.textContent}`)"""


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_is_open_to_everyone(
    visitors: Visitors, anna: Client, ben: Client, screen: str
) -> None:
    page = SCREENS[screen](visitors, anna, ben)
    page.evaluate(AXE.read_text())
    found = []
    found += [f"light: {one}" for one in page.evaluate(CHECK)]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found += [f"dark: {one}" for one in page.evaluate(CHECK, ["color-contrast"])]
    found += page.evaluate(SMEARED)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size(PHONE)
    assert found == [], "\n".join(found)
    page.set_viewport_size({"width": 360, "height": 740})
    assert narrow(page)
    # While one is asked for a reaction, the hand gives its room to the map.
    for part in page.locator(".bar, .board, :not(.reacting) > .hand").all():
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


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 900}])
def test_a_table_can_be_opened_from_wherever_one_is_in_its_form(
    visitors: Visitors, anna: Client, viewport: dict[str, int]
) -> None:
    page = visitors.come("/new", anna, viewport=viewport)
    open_it = page.get_by_role("button", name="Open the table")
    expect(open_it).to_be_in_viewport(ratio=1)
    page.get_by_role("group", name="Number of players").get_by_text("6").click()
    seats = page.locator(".seat-row")
    expect(seats).to_have_count(6)
    expect(page.locator(".dossier.allies .seat-row")).to_have_count(3)
    expect(open_it).to_be_in_viewport(ratio=1)
    for seat in seats.all()[1:]:
        seat.get_by_label("Who plays").select_option("bot")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/games/*")
