"""What moves at the table: cards on their way, points, what came of one's own choice."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from browsers import needs_chromium
from pages import Visitors, record_of, start
from servers import Client, two_seats

pytestmark = needs_chromium

# What is shown from now on, with what the bar and the panel show meanwhile.
WATCH = """async () => {
  const { stage } = await ours("js/state/beats.js");
  const { table } = await ours("js/state/table.js");
  const { set } = await ours("js/state/settings.js");
  set({ notes: false, speed: "slow" });
  window.seen = [];
  const count = (what) => document.querySelectorAll(what).length;
  const look = (now) => window.seen.push({
    kind: now.beat.kind, own: now.beat.isOwn, turn: now.turn, now: table.value.view.round,
    round: document.querySelector(".rd").textContent,
    panel: count(".beat"), stars: count(".vp-star"), asks: count(".prompt.yours"),
  });
  const soon = (act) => requestAnimationFrame(() => requestAnimationFrame(act));
  stage.subscribe((now) => now && soon(() => soon(() => look(now))));
}"""


def beats(page: Page, kind: str) -> list[dict[str, Any]]:
    return [one for one in page.evaluate("window.seen") if one["kind"] == kind]


def play(page: Page, card: str) -> None:
    page.locator(".fan .card").filter(has_text=re.compile(card, re.IGNORECASE)).first.click()
    page.locator(".prompt .acts .play").click()


def test_own_points_rise_from_the_stars_while_one_goes_on(visitors: Visitors, anna: Client) -> None:
    table = start(anna, pause=0)
    page = visitors.come(f"/games/{table['id']}", anna, reduced_motion="no-preference")
    page.locator(".fan .card").first.wait_for()
    page.evaluate(WATCH)
    play(page, "Blitzkrieg")
    expect(page.locator(".prompt .confirm")).to_be_visible()
    page.wait_for_function("() => window.seen.some((one) => one.kind === 'points')")
    [own] = beats(page, "points")
    # Germany holds its home and Western Europe. Nobody else is told of: the bar asks on.
    assert own["own"]
    assert (own["stars"], own["panel"], own["asks"]) == (2, 0, 1)


def test_while_others_play_the_header_shows_their_round(visitors: Visitors, anna: Client) -> None:
    position = {"round": 3, "turn": "italy", "hand": {"italy": ["build-army", "build-navy"]}}
    wish = {"seats": two_seats(), "record": record_of(position), "start": True, "pause": 0}
    page = visitors.come(
        f"/games/{anna.post('/api/games', wish)['id']}", anna, reduced_motion="no-preference"
    )
    page.locator(".fan .card").first.wait_for()
    page.evaluate(WATCH)
    page.locator(".fan .card").filter(has_text=re.compile("Build Army", re.IGNORECASE)).click()
    page.locator(".space.legal[data-space=balkans]").dispatch_event("click")
    page.locator(".prompt .confirm").click()
    # The table is a round further while the last turns of this one are shown.
    page.wait_for_function(
        "() => window.seen.some((one) => one.turn === 'united-states' && one.now === 4)"
    )
    shown = page.evaluate("window.seen.filter((one) => one.turn === 'united-states')")
    assert all("Round 3" in one["round"] for one in shown)


def test_cards_come_from_the_deck_and_go_where_they_belong(
    visitors: Visitors, anna: Client
) -> None:
    page = visitors.come(
        f"/games/{start(anna, pause=0)['id']}", anna, reduced_motion="no-preference"
    )
    page.locator(".fan .card").first.wait_for()
    page.evaluate("""() => {
      window.gone = [];
      new MutationObserver((all) => {
        for (const one of all.flatMap(({ addedNodes }) => [...addedNodes]))
          if (one.classList?.contains("ghost"))
            window.gone.push(one.querySelector(".title").textContent);
      }).observe(document.querySelector(".fan"), { childList: true });
    }""")
    play(page, "Blitzkrieg")
    page.wait_for_function("() => window.gone.length")
    assert page.evaluate("window.gone") == ["Blitzkrieg"]
    expect(page.locator(".fan .ghost")).to_have_count(0)  # it is gone once it is there
    expect(page.locator(".fan .card")).to_have_count(3)


def test_cards_do_not_move_where_motion_is_not_wanted(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna, pause=0)['id']}", anna)
    page.locator(".fan .card").first.wait_for()
    play(page, "Blitzkrieg")
    expect(page.locator(".fan .card")).to_have_count(3)
    running = "document.getAnimations().filter((one) => one.constructor === Animation).length"
    assert page.evaluate(running) == 0
    expect(page.locator(".ghost, .vp-star")).to_have_count(0)
