"""One thing at a time at the page's table: what is shown, what is asked, what is told."""

from typing import Any

from playwright.sync_api import expect

from browsers import needs_chromium
from pages import LATE, PHONE, Visitors, alone, record_of, start
from quartermaster import Game
from servers import ALLIES, AXIS, Client, two_seats

pytestmark = needs_chromium

OVERLAPS = """([what, others]) => {
  const boxes = (s) => [...document.querySelectorAll(s)].map((one) => one.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes(what).flatMap((a) => boxes(others).filter((b) => a.x !== b.x && meet(a, b))).length;
}"""


def test_the_bar_asks_when_others_turns_have_been_shown(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{alone(anna)}", anna, reduced_motion="no-preference")
    page.locator(".prompt .confirm").click()
    page.locator(".beat").wait_for()
    bar = page.locator(".prompt")
    expect(bar).to_contain_text("United Kingdom")
    expect(page.locator(".prompt.yours")).to_have_count(0)
    skip = bar.get_by_role("button", name="Skip")
    expect(skip).to_be_visible()
    while page.locator(".prompt.yours .sentence", has_text="Play a card").count() == 0:
        if skip.count():
            skip.dispatch_event("click")
        page.wait_for_timeout(100)
    expect(page.locator(".beat")).to_have_count(0)


def test_a_note_and_the_recap_take_turns_and_cover_nothing_on_a_phone(
    visitors: Visitors, anna: Client
) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna, color_scheme="light")
    page.set_viewport_size(PHONE)
    page.locator(".note").wait_for()
    expect(page.locator(".recap")).to_have_count(0)
    for other in (".map", ".tools button", ".prompt", ".hand"):
        assert page.evaluate(OVERLAPS, [".note", other]) == 0, other
    assert page.evaluate(OVERLAPS, [".prompt", ".map"]) == 0


def test_twelve_cards_lie_side_by_side(visitors: Visitors, anna: Client) -> None:
    hand = [*LATE["hand"]["germany"], *["build-army", "build-navy", "land-battle"] * 2]
    hand += ["sea-battle", "wolf-packs"]
    position = {**LATE, "round": 8, "hand": {**LATE["hand"], "germany": hand}}
    wish = {"seats": two_seats(), "record": record_of(position), "start": True}
    page = visitors.come(f"/games/{anna.post('/api/games', wish)['id']}", anna)
    expect(page.locator(".fan .card")).to_have_count(12)
    page.mouse.move(5, 300)
    page.wait_for_timeout(400)
    assert page.evaluate(OVERLAPS, [".fan .card", ".fan .card"]) == 0
    assert page.evaluate(OVERLAPS, [".fan .card", ".piles, .seats"]) == 0


def test_where_no_lead_wins_none_is_asked_for(visitors: Visitors, anna: Client) -> None:
    goals: dict[str, Any] = {"second": (2, "28 to sudden victory"), "first": (0, "")}
    for rules, (count, text) in goals.items():
        position = {**LATE, "round": 8, "hand": {"germany": ["build-army"]}, "set": {}}
        game = Game.from_position(position, rules=rules, seats=[AXIS, ALLIES])
        wish = {"rules": rules, "seats": two_seats(), "record": game.record, "start": True}
        page = visitors.come(f"/games/{anna.post('/api/games', wish)['id']}", anna)
        expect(page.locator(".rope .goal")).to_have_count(count)
        expect(page.locator(".track .need")).to_have_text(text)


def test_another_language_is_read_where_one_is(visitors: Visitors, anna: Client) -> None:
    """Without loading the page anew: what was ticked stays so."""
    page = visitors.come(f"/games/{alone(anna)}", anna, color_scheme="light")
    page.locator(".fan .card.lit .face").nth(1).dispatch_event("click")
    expect(page.locator(".fan .card.ticked")).to_have_count(1)
    page.evaluate("window.stayed = true")
    page.evaluate("ours('js/state/language.js').then(({ choose }) => choose('es'))")
    expect(page.locator(".prompt .sentence")).to_contain_text("Alemania")
    expect(page.locator(".fan .title").first).not_to_have_text("Build Army")
    expect(page.locator(".map .name").first).to_be_attached()
    assert page.evaluate("window.stayed")
    expect(page.locator(".fan .card.ticked")).to_have_count(1)
    page.evaluate("ours('js/state/language.js').then(({ choose }) => choose('en'))")
    expect(page.locator(".prompt .sentence")).to_contain_text("Germany")


def test_the_recap_is_gone_once_a_card_is_played(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{alone(anna)}", anna)
    page.evaluate("ours('js/state/settings.js').then(({ set }) => set({ notes: false }))")
    page.locator(".prompt .confirm").click()
    page.locator(".recap").wait_for(timeout=60_000)
    page.locator(".fan .card", has_text="Build Army").locator(".face").first.dispatch_event("click")
    page.locator(".prompt .acts .play").click()
    page.locator(".space.legal").first.wait_for()
    expect(page.locator(".fan .card.up")).to_have_count(0)
    expect(page.locator(".recap")).to_have_count(0)
