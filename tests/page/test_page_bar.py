"""The bar under the map: the map keeps its size whoever plays, and stays in sight in a window."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from browsers import needs_chromium
from pages import DESKTOP, LATE, PHONE, Visitors, hot_seats, record_of, stands, start
from servers import ALLIES, AXIS, Client, two_seats

pytestmark = needs_chromium

LYING = ViewportSize(width=844, height=390)
QUIET = "ours('js/state/settings.js').then(({ set }) => set({ notes: false }))"
# How high the bar is, and how large the map.
SIZES = """() => [".prompt", ".map"]
  .map((one) => document.querySelector(one).getBoundingClientRect())
  .map(({ width, height }, i) => (i ? [width, height] : height))"""
# A beat that stays.
SHOW = """async (text) => {
  const { replayTurns } = await ours("js/state/beats.js");
  const { begun } = await ours("js/state/table.js");
  const { set, SPEEDS } = await ours("js/state/settings.js");
  SPEEDS.slow = 100;
  set({ speed: "slow" });
  const entry = { what: "play", country: "japan", card: "sea-battle", target: null, space: null };
  replayTurns([{ ...entry, n: 0, text }], begun().view);
}"""
LONG = "Japan scores 9 VP for Japan, China, the Philippines, Indonesia, Iwo Jima and New Guinea"


def sizes(page: Page) -> dict[int, Any]:
    found = {}
    for size in (DESKTOP, PHONE, LYING):
        page.set_viewport_size(size)
        page.wait_for_timeout(100)
        found[size["width"]] = page.evaluate(SIZES)
    return found


def test_the_map_keeps_its_size_whoever_plays(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    """Asked, waiting and shown what others do: else the map would be drawn anew at each change.

    The bar keeps its height, too; on a phone it is as low as what is told, and with buttons
    it lies over the edge of the map.
    """
    page = visitors.come(f"/games/{start(anna)['id']}", anna, reduced_motion="no-preference")
    page.evaluate(QUIET)
    page.locator(".prompt.yours").wait_for()
    asked = sizes(page)
    page.evaluate(SHOW, LONG)
    expect(page.locator(".prompt .sentence")).to_have_text(LONG)
    shown = sizes(page)
    assert shown[PHONE["width"]][0] < asked[PHONE["width"]][0] - 30
    asked[PHONE["width"]][0] = shown[PHONE["width"]][0]
    assert shown == asked
    wish = {"seats": two_seats("me", "open"), "record": record_of(LATE), "deal": "as-recorded"}
    table = ben.post("/api/games", wish)
    anna.post(f"/api/games/{table['id']}/seats/1/take")
    anna.post(f"/api/games/{table['id']}/ready", {"agrees": True})
    ben.post(f"/api/games/{table['id']}/start")
    page.goto(f"/games/{table['id']}")
    expect(page.locator(".prompt .sentence")).to_have_text("Waiting for Germany.")
    assert sizes(page) == asked


def test_a_phone_that_is_handed_over_keeps_its_map(visitors: Visitors, anna: Client) -> None:
    table = start(anna, seats=hot_seats([AXIS, ALLIES]))
    page = visitors.come(f"/games/{table['id']}", anna, viewport=PHONE)
    page.evaluate(QUIET)
    page.locator(".hand.covered").wait_for()
    covered = page.evaluate(SIZES)
    page.locator(".hand.covered button").click()
    page.locator(".fan .card").first.wait_for()
    assert page.evaluate(SIZES)[1] == covered[1]


# A navy that two responses can save.
FLEET: dict[str, Any] = {
    "pieces": {
        "germany": ["germany", "western-europe"],
        "united-kingdom": ["united-kingdom", "north-sea"],
    },
    "hand": {"germany": ["sea-battle", "build-army"], "united-kingdom": ["build-navy"] * 3},
    "set": {"united-kingdom": ["destroyers", "raf"]},
}
# What lies over the middle of something.
OVER = """(one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const found = document.elementFromPoint(x + width / 2, y + height / 2);
  return found && !one.contains(found) && !found.closest(".map") ? found.className : "";
}"""


def attacked(visitors: Visitors, anna: Client, viewport: ViewportSize) -> Page:
    """The fleet in the North Sea is attacked, and may be saved by two cards: in a first game, with
    the note that explains reactions."""
    wish = {"seats": hot_seats([AXIS, ALLIES]), "record": record_of(FLEET, "play sea-battle")}
    table = anna.post("/api/games", {**wish, "window": 3600, "start": True})
    [battle] = [a for a in table["actions"] if a["text"] == "battle north-sea united-kingdom"]
    anna.move(table, battle)
    return visitors.come(f"/games/{table['id']}", anna, viewport=viewport)


def uncovered(page: Page) -> Page:
    page.locator(".hand.covered button").click()
    return page


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE, LYING])
def test_several_reactions_leave_the_map_and_each_other_in_sight(
    visitors: Visitors, anna: Client, viewport: ViewportSize
) -> None:
    page = uncovered(attacked(visitors, anna, viewport))
    expect(page.locator(".note")).to_contain_text("You may respond")
    cards = page.locator(".answer-cards .card")
    expect(cards).to_have_count(2)
    page.wait_for_timeout(400)  # until the map has come to where it happens
    navy = page.locator(".piece[data-space=north-sea]")
    for one in [navy, *cards.all(), *page.locator(".prompt .acts button").all()]:
        expect(one).to_be_in_viewport(ratio=0.95)
        assert one.evaluate(OVER) == ""
    for button in page.locator(".prompt .acts button").all():
        assert button.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    map_box, window = page.locator(".map").bounding_box(), viewport["height"]
    assert map_box is not None
    assert map_box["height"] > window * 0.35


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
def test_the_card_that_one_answers_lies_beside_the_map(
    visitors: Visitors, anna: Client, viewport: ViewportSize
) -> None:
    page = uncovered(attacked(visitors, anna, viewport))
    stands(page)
    panel = page.locator(".beat-panel")
    expect(panel).to_contain_text("Germany")
    expect(panel.locator(".beat-card.now .title")).to_have_text("Sea Battle")
    expect(panel).to_be_in_viewport(ratio=1)
    # It hides neither the space at hand nor the cards to answer with.
    for one in page.locator(".piece[data-space=north-sea], .answer-cards .card").all():
        assert one.evaluate(OVER) == ""

    page.locator(".prompt .acts .pass").click()
    expect(page.locator(".beat-place.away")).to_have_count(1)


def test_a_hint_is_followed_by_a_click(visitors: Visitors, anna: Client) -> None:
    """Its card is picked up, with the spaces it leads to; the wait for it is seen."""
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    held: list[Route] = []
    page.route("**/hints*", lambda route: held.append(route))
    page.get_by_role("button", name="What would a good bot do?").click()
    hints = page.get_by_role("group", name="What a good bot would do")
    expect(hints).to_contain_text("Thinking")
    held.pop().continue_()
    first = hints.locator("li button").first
    expect(first).to_contain_text("% to win")
    hints.get_by_role("button", name="Close").click()
    expect(hints).to_have_count(0)
    page.get_by_role("button", name="What would a good bot do?").click()
    held.pop().continue_()
    play = hints.locator("li button", has_text="Play ").first
    card = play.locator("strong").inner_text().removeprefix("Play ")
    play.click()
    expect(hints).to_have_count(0)
    expect(page.locator(".fan .card.up")).to_contain_text(card)


def test_before_a_covered_screen_nobody_decides_for_the_next(
    visitors: Visitors, anna: Client
) -> None:
    page = attacked(visitors, anna, DESKTOP)
    expect(page.locator(".prompt")).to_contain_text("might react")
    before = anna.get(f"/api{page.evaluate('location.pathname')}")["version"]
    for name in ("Go on", "More time"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.locator(".prompt .undo")).to_have_count(0)
    page.keyboard.press("u")
    page.wait_for_timeout(300)
    assert anna.get(f"/api{page.evaluate('location.pathname')}")["version"] == before
    uncovered(page)
    expect(page.locator(".answer-cards .card")).to_have_count(2)
