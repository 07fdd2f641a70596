"""Since your last turn: what the others' turns mean for oneself, and seeing them again."""

from typing import Any

from playwright.sync_api import Page, expect

from browsers import needs_chromium
from pages import PHONE, Visitors
from quartermaster import Game
from servers import ALLIES, AXIS, Client, two_seats

pytestmark = needs_chromium

# The army in Scandinavia is supplied by the navy that the British are about to sink.
BEFORE: dict[str, Any] = {
    "round": 5,
    "turn": "germany",
    "step": "discard",
    "seed": 3,
    "pieces": {
        "germany": ["germany", "western-europe", "north-sea", "scandinavia"],
        "united-kingdom": ["united-kingdom"],
        "japan": ["japan"],
        "soviet-union": ["moscow"],
        "italy": ["italy"],
        "united-states": ["eastern-united-states"],
    },
    "hand": {"united-kingdom": ["sea-battle", "build-army"], "japan": ["build-navy", "build-army"]},
}


def after_the_british(*wanted: str) -> str:
    """The record of a game in which the United Kingdom has done something, at Japan's turn."""
    game = Game.from_position(BEFORE, seats=[AXIS, ALLIES])
    wishes = list(wanted)
    while game.turn != "japan":
        texts = [action.text for action in game.legal_actions()]
        wish = next((text for text in wishes if text in texts), None)
        if wish:
            wishes.remove(wish)
        game.apply(wish or ("pass" if "pass" in texts else texts[0]))
    assert not wishes
    return game.record


def sit(visitors: Visitors, anna: Client, record: str, **options: Any) -> Page:
    wish = {"seats": two_seats(), "record": record, "pause": 0, "start": True}
    page = visitors.come(f"/games/{anna.post('/api/games', wish)['id']}", anna, **options)
    page.evaluate("import('/static/js/state/settings.js').then(({ set }) => set({ notes: false }))")
    page.locator(".recap").wait_for()
    return page


def test_the_recap_says_what_a_turn_means_for_oneself(visitors: Visitors, anna: Client) -> None:
    page = sit(visitors, anna, after_the_british("play sea-battle", "battle north-sea germany"))
    [post] = page.locator(".post").all()
    means = post.locator(".means")
    expect(means).to_have_class("means harm")
    expect(means).to_contain_text("You lost a navy in the North Sea")
    # Found out by looking back: the army had its supply before that turn, and has it no more.
    expect(means).to_contain_text("Your army in Scandinavia is out of supply")
    expect(page.locator(".recap-sum")).to_contain_text("One turn · Allies +2")


def test_what_did_no_harm_says_so(visitors: Visitors, anna: Client) -> None:
    page = sit(visitors, anna, after_the_british())
    expect(page.locator(".means.none")).to_have_text("Nothing of yours was touched")


def test_the_recap_is_played_again_and_put_away(visitors: Visitors, anna: Client) -> None:
    record = after_the_british("play sea-battle", "battle north-sea germany")
    page = sit(visitors, anna, record, reduced_motion="no-preference")
    page.get_by_role("button", name="Play them again").click()
    panel = page.locator(".beat")
    expect(panel.locator(".beat-who")).to_have_text("United Kingdom")
    # The show begins as it was before: the navy stands there until it is struck.
    expect(page.locator(".piece[data-space=north-sea]")).to_have_count(1)
    expect(page.locator(".mark.falls")).to_have_count(1)
    expect(page.locator(".piece[data-space=north-sea]")).to_have_count(0)
    page.get_by_role("button", name="Skip").click()
    expect(panel).to_have_count(0)
    page.get_by_role("button", name="To my turn").click()
    expect(page.locator(".recap")).to_have_count(0)
    expect(page.locator(".prompt.yours .sentence")).to_contain_text("Play a card")


def test_on_a_phone_it_is_a_strip_with_the_same_buttons(visitors: Visitors, anna: Client) -> None:
    record = after_the_british("play sea-battle", "battle north-sea germany")
    page = sit(visitors, anna, record, viewport=PHONE)
    strip = page.locator(".recap")
    board = page.locator(".map").bounding_box()
    box = strip.bounding_box()
    assert board is not None
    assert box is not None
    assert box["height"] < board["height"] / 4
    expect(strip.locator(".pip.hurt")).to_have_text("UK")
    for button in strip.locator("button:not(.recap-toggle)").all():
        size = button.bounding_box()
        assert size is not None
        assert min(size["width"], size["height"]) >= 40
    strip.get_by_role("button", name="To my turn").click()
    expect(strip).to_have_count(0)
