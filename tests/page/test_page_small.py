"""Small screens: what one decides about is in sight, and so is what one decides with."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browsers import needs_chromium
from pages import PHONE, Visitors, hot_seats, record_of, start
from servers import ALLIES, AXIS, Client, two_seats

pytestmark = needs_chromium

LYING = {"width": 844, "height": 390}
BATTLE: dict[str, Any] = {
    "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["moscow", "ukraine"]},
    "hand": {"germany": ["land-battle", "build-army", "build-navy"]},
    "set": {"soviet-union": ["stalingrad"]},
}
# Whether a point of the map can be seen: nothing lies over it but the map's own layers.
IS_SEEN = """(piece) => {
  const box = piece.getBoundingClientRect();
  const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return there?.closest(".map") !== null && there !== null;
}"""


@pytest.mark.parametrize("viewport", [PHONE, LYING])
def test_the_card_of_a_reaction_does_not_hide_what_it_is_about(
    visitors: Visitors, anna: Client, viewport: dict[str, int]
) -> None:
    wish = {"seats": hot_seats([AXIS, ALLIES]), "record": record_of(BATTLE, "play land-battle")}
    table = anna.post("/api/games", {**wish, "window": 3600, "start": True})
    [battle] = [a for a in table["actions"] if a["text"] == "battle ukraine soviet-union"]
    anna.move(table, battle)
    page = visitors.come(f"/games/{table['id']}", anna, viewport=viewport, has_touch=True)
    page.evaluate("ours('js/state/settings.js').then(({ set }) => set({ notes: false }))")
    page.locator(".hand.covered button").tap()
    card = page.locator(".answer-cards .card")
    expect(card).to_contain_text("it is not removed this turn")
    piece = page.locator(".piece[data-space=ukraine]")
    expect(piece).to_be_visible()
    page.wait_for_function(IS_SEEN, arg=piece.element_handle())
    for button in page.locator(".prompt .acts button").all():
        expect(button).to_be_in_viewport(ratio=1)
    expect(card).to_be_in_viewport(ratio=0.95)


def test_of_twelve_cards_a_phone_shows_most_at_once(visitors: Visitors, anna: Client) -> None:
    basic = ["build-army", "build-navy", "land-battle", "sea-battle"]
    hand = [*basic, *basic, "plunder", "blitzkrieg", "wolf-packs", "guns-and-butter"]
    position = {"pieces": {"germany": ["germany"]}, "hand": {"germany": hand}}
    wish = {"seats": two_seats(), "record": record_of(position), "start": True}
    address = f"/games/{anna.post('/api/games', wish)['id']}"
    page = visitors.come(address, anna, viewport=PHONE, has_touch=True)
    cards = page.locator(".fan .card")
    expect(cards).to_have_count(12)
    edges = cards.evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect()).map((r) => [r.left, r.right])"
    )
    assert sum(left >= 0 and right <= PHONE["width"] for left, right in edges) >= 6
    for title in page.locator(".fan .card .title").all():
        box = title.evaluate("(one) => [one.scrollWidth, one.clientWidth]")
        assert box[0] <= box[1], title.inner_text()
    sentence = page.locator(".prompt .sentence")
    page.locator(".fan .card", has_text="Blitzkrieg").locator(".face").tap()
    expect(sentence).to_contain_text("It stays on the table and counts from now on")
    cards.nth(0).locator(".face").tap()
    expect(page.locator(".fan .card.up")).to_have_count(1)


@pytest.mark.parametrize("locale", ["es", "fr"])
def test_the_bar_of_the_smallest_phone_keeps_one_row(visitors: Visitors, locale: str) -> None:
    page = visitors.come("/", viewport={"width": 360, "height": 740}, locale=locale)
    tops = [page.locator(one).bounding_box() for one in (".nav .language", ".nav .gear")]
    assert tops[0] is not None
    assert tops[1] is not None
    assert tops[1]["y"] < tops[0]["y"] + tops[0]["height"]


def fan(page: Page) -> list[dict[str, Any]]:
    """The cards of the hand: where they are, and whether words of theirs are cut."""
    found: list[dict[str, Any]] = page.locator(
        ".fan .card"
    ).evaluate_all("""(all) => all.map((one) => {
      const [body, title] = [".body", ".title"].map((part) => one.querySelector(part));
      const [card, name] = [one, title].map((part) => part.getBoundingClientRect());
      const isOut = name.top < card.top || name.bottom > card.bottom;
      const isOver = body.scrollHeight > body.clientHeight + 1;
      const isWide = title.scrollWidth > title.clientWidth;
      return { name: title.textContent, left: card.left, isCut: isOut || isOver || isWide };
    })""")
    return found


LONG_NAMES = [
    "build-army",
    "build-navy",
    "land-battle",
    "mackenzie-king-drafts-the-national-resources-mobilization-act",
    "lord-linlithgow-declares-india-to-be-at-war",
    "australia-forms-the-directorate-of-manpower",
    "general-smuts-strengthens-ties-to-uk",
]


@pytest.mark.parametrize("viewport", [PHONE, LYING])
@pytest.mark.parametrize("locale", ["en", "es", "fr"])
def test_a_phone_cuts_no_words_of_the_hand(
    visitors: Visitors, anna: Client, viewport: dict[str, int], locale: str
) -> None:
    position = {
        "turn": "united-kingdom",
        "pieces": {"united-kingdom": ["united-kingdom"]},
        "hand": {"united-kingdom": LONG_NAMES},
    }
    seats = [{"countries": ALLIES, "who": "me"}, {"countries": AXIS, "who": "bot"}]
    wish = {"seats": seats, "record": record_of(position), "start": True}
    address = f"/games/{anna.post('/api/games', wish)['id']}"
    page = visitors.come(address, anna, viewport=viewport, has_touch=True, locale=locale)
    expect(page.locator(".fan .card")).to_have_count(7)
    page.wait_for_timeout(300)
    cards = fan(page)
    assert not [one["name"] for one in cards if one["isCut"]]
    # Of the fourth so much is in sight that one knows it.
    assert cards[3]["left"] + 60 < viewport["width"]


def test_the_small_map_of_a_phone_is_there_while_the_view_moves(
    visitors: Visitors, anna: Client
) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna, viewport=PHONE)
    small = page.locator(".locator")
    expect(small).to_be_hidden()  # some time after the view came to where it is
    box = page.locator(".map").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y, steps=3)
    expect(small).to_be_visible()
    page.mouse.up()
    expect(small).to_be_hidden()


def test_what_a_lesson_is_about_lies_beside_the_guide(visitors: Visitors) -> None:
    page = visitors.come("/learn", viewport=LYING)
    page.locator("main button").first.click()
    page.locator(".guide").wait_for()
    army = page.locator(".piece[data-space=germany]")
    page.wait_for_function(IS_SEEN, arg=army.element_handle())
