"""What happens at the page's table while one plays: beats, recap, ticks, keys, warnings."""

from playwright.sync_api import Page, expect

from browsers import needs_chromium
from pages import (
    DESKTOP,
    LATE,
    PHONE,
    Visitors,
    alone,
    click_space,
    do,
    record_of,
    seen,
    start,
)
from quartermaster.rules.names import COUNTRIES
from servers import Client, two_seats

pytestmark = needs_chromium

PLACES = "all => all.map((one) => [...one.parentNode.querySelectorAll('.card')].indexOf(one))"


def test_others_turns_are_shown_and_end_at_the_true_state(
    visitors: Visitors,
    anna: Client,
) -> None:
    id = alone(anna, own=("germany", "japan"))
    page = visitors.come(f"/games/{id}", anna, reduced_motion="no-preference")
    page.locator(".prompt .confirm", has_text="End the turn").click()
    panel = page.locator(".beat")
    panel.wait_for()
    expect(panel.locator(".beat-who")).to_have_text("United Kingdom")
    page.locator(".prompt.yours").wait_for(timeout=60_000)
    expect(panel).to_have_count(0, timeout=60_000)
    view = seen(page)["view"]
    shown = page.locator(".piece").evaluate_all(
        "all => all.map((one) => `${one.dataset.space} ${one.dataset.country}`).sort()"
    )
    stand = [
        f"{space} {country}"
        for country, side in view["countries"].items()
        for space in {*side["armies"], *side["navies"]}
    ]
    assert sorted(stand) == shown
    expect(page.locator(".tug .score.axis b")).to_have_text(str(view["score"]["axis"]))


def test_nothing_moves_where_motion_is_not_wanted(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{alone(anna)}", anna)
    page.evaluate("window.beats = 0")
    page.evaluate(
        """ours("js/state/beats.js")
        .then(({ stage }) => { stage.subscribe((now) => { if (now) window.beats += 1; }); })"""
    )
    do(page, page.locator(".prompt .confirm", has_text="End the turn").click)
    page.locator(".prompt.yours").wait_for(timeout=60_000)
    assert page.evaluate("window.beats") == 0


def test_what_came_since_the_last_turn_is_told_and_shown_again(
    visitors: Visitors,
    anna: Client,
) -> None:
    page = visitors.come(f"/games/{alone(anna)}", anna, reduced_motion="no-preference")
    # Notes come first, and which of them is due depends on what the bots have played.
    page.evaluate("ours('js/state/settings.js').then(({ set }) => set({ notes: false }))")
    page.locator(".prompt .confirm", has_text="End the turn").click()
    page.locator(".beat").wait_for()
    page.keyboard.press("Escape")  # whoever has seen enough ends the show
    page.wait_for_function("() => document.querySelector('.prompt.yours .play, .fan .card.lit')")
    recap = page.locator(".recap")
    chips = recap.locator(".recap-chip")
    expect(chips).to_have_count(5, timeout=60_000)
    chips.first.click()
    expect(recap.locator(".strip-told")).to_contain_text("United Kingdom")
    recap.locator(".strip-told").click()
    page.locator(".beat").wait_for()
    page.keyboard.press("Escape")
    expect(recap).to_be_visible()
    # It goes when one begins to play.
    page.locator(".fan .card.lit .face").first.dispatch_event("click")
    expect(recap).to_have_count(0)


def test_cards_are_ticked_and_discarded_in_one_go(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{alone(anna)}", anna)
    page.locator(".prompt.yours").wait_for()
    hand = seen(page)["view"]["countries"]["germany"]["hand"]
    assert len(hand) == 4
    for place in (1, 3):
        page.keyboard.press(str(place))
    expect(page.locator(".fan .card.ticked")).to_have_count(2)
    page.keyboard.press("3")  # not that one
    expect(page.locator(".fan .card.ticked")).to_have_count(1)
    page.get_by_role("button", name="Discard 1 and end the turn").click()
    page.get_by_role("button", name="Log", exact=True).click()
    expect(page.locator(".log")).to_contain_text("Germany discards")
    expect(page.locator(".fan .card")).to_have_count(7)  # not before the turn has ended
    page.locator(".prompt.yours").wait_for(timeout=60_000)
    after = seen(page)["view"]["countries"]["germany"]
    assert hand[0] in after["face_down"]  # more may have gone since, off the deck
    assert after["hand_size"] == 7


def test_of_first_cards_none_goes_out_by_itself(visitors: Visitors) -> None:
    page = visitors.come("/")
    page.get_by_role("button", name="Play the Axis").click()
    page.locator(".prompt.yours").wait_for()
    ticked = page.locator(".fan .card.ticked .title")
    for key in "246":
        page.keyboard.press(key)
    expect(ticked).to_have_count(3)
    expect(page.locator(".prompt .sentence")).to_contain_text("Take one out to choose another")
    expect(page.locator(".fan .card.dimmed")).to_have_count(7)
    before = page.locator(".fan .card.ticked").evaluate_all(PLACES)
    page.keyboard.press("8")
    page.wait_for_timeout(100)
    assert page.locator(".fan .card.ticked").evaluate_all(PLACES) == before == [1, 3, 5]
    page.keyboard.press("4")
    page.keyboard.press("8")
    expect(ticked).to_have_count(3)
    assert page.locator(".fan .card.ticked").evaluate_all(PLACES) == [1, 5, 7]


def test_a_turn_takes_three_clicks(visitors: Visitors, anna: Client) -> None:
    table = anna.post(
        "/api/games",
        {
            "seats": two_seats(),
            "record": record_of({**LATE, "round": 8}),
            "pause": 0,
            "start": True,
        },
    )
    page = visitors.come(f"/games/{table['id']}", anna)
    expect(page.locator(".prompt .extra")).to_have_text("Use Reallocate Resources")
    page.locator(".fan .card", has_text="Build Army").locator(".face").click()
    space = page.locator(".space.legal[data-space=germany]")
    space.wait_for()
    page.mouse.move(5, 300)
    do(page, lambda: click_space(page, page.locator(".space.legal[data-space=italy]")))
    do(page, page.locator(".prompt .confirm", has_text="End the turn").click)
    log = [entry["what"] for entry in anna.get(f"/api/games/{table['id']}")["log"]["entries"]]
    assert "build" in log
    assert log.count("turn") >= 1


def test_a_turn_ends_by_itself_unless_one_keeps_it_open(
    visitors: Visitors,
    anna: Client,
) -> None:
    id = alone(anna)
    page = visitors.come(f"/games/{id}", anna, color_scheme="light")
    expect(page.locator(".prompt .confirm", has_text="End the turn")).to_be_visible()
    about = page.evaluate(
        """async () => {
          const { set } = await ours("js/state/settings.js");
          const { ending } = await ours("js/state/ending.js");
          set({ ends: "moment", notes: false });
          const before = ending.value;
          document.querySelector(".hand").dispatchEvent(new PointerEvent("pointerenter"));
          return [before, ending.value];
        }"""
    )
    assert about == [f"{id} 8 germany", None]
    expect(page.locator(".prompt")).to_contain_text("stays open")
    page.mouse.move(5, 300)
    page.reload()  # nothing was done this time
    expect(page.locator(".prompt.yours .sentence")).to_contain_text("Play a card", timeout=60_000)
    turns = [one for one in anna.get(f"/api/games/{id}")["log"]["entries"] if one["what"] == "turn"]
    assert [turn["country"] for turn in turns[-6:]] == [*COUNTRIES[1:], "germany"]


def test_the_list_stays_under_the_pointer(visitors: Visitors, anna: Client) -> None:
    """What a choice would do is told when one points at it; the choice must not move away."""
    table = start(anna, "play build-army")
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".prompt .list-button").click()
    page.mouse.move(5, 300)
    choice = page.locator(".prompt .choices button").first
    before = choice.bounding_box()
    assert before is not None
    page.mouse.move(before["x"] + before["width"] / 2, before["y"] + 3)
    expect(page.locator(".prompt .ahead")).to_be_visible()
    assert choice.bounding_box() == before
    page.mouse.down()
    page.wait_for_timeout(100)
    assert choice.bounding_box() == before
    do(page, page.mouse.up)


def test_what_was_chosen_as_one_is_taken_back_as_one(visitors: Visitors, anna: Client) -> None:
    table = anna.post(
        "/api/games",
        {
            "seats": two_seats(),
            "record": record_of({**LATE, "round": 8}),
            "pause": 0,
            "start": True,
        },
    )
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".fan .card", has_text="Build Army").locator(".face").dispatch_event("click")
    space = page.locator(".space.legal[data-space=italy]")
    space.wait_for()
    do(page, lambda: click_space(page, space))
    expect(page.locator(".prompt .confirm", has_text="End the turn")).to_be_visible()
    do(page, page.locator(".prompt .undo").click)
    expect(page.locator(".prompt .extra")).to_have_text("Use Reallocate Resources")
    assert seen(page)["view"]["countries"]["germany"]["hand_size"] == 4


def test_keys_are_told_and_escape_closes_what_is_open(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    page.locator(".prompt.yours").wait_for()
    page.keyboard.press("?")
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("lines of supply")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(":focus")).to_have_count(1)
    for key, what in [("s", ".supply-of"), ("1", ".fan .card.up"), ("l", ".choices:visible")]:
        page.keyboard.press(key)
        expect(page.locator(what).first).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(what)).to_have_count(0 if what != ".choices:visible" else 1)
    page.get_by_role("button", name="Log", exact=True).click()
    page.keyboard.press("Escape")
    expect(page.locator(".drawer")).to_have_count(0)


def test_a_card_that_would_do_nothing_says_so(visitors: Visitors, anna: Client) -> None:
    position = {
        "round": 3,
        "pieces": {"italy": ["italy"]},
        "turn": "italy",
        "hand": {"italy": ["italy-attacks-communists", "build-army"]},
    }
    wish = {"seats": two_seats(), "record": record_of(position), "start": True}
    table = anna.post("/api/games", wish)
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".fan .card", has_text="Italy Attacks").locator(".face").dispatch_event("click")
    page.locator(".prompt .acts .play").click()
    expect(page.locator("dialog[open]")).to_contain_text("nothing")
    page.locator("dialog[open]").get_by_role("button", name="Cancel").click()
    assert anna.get(f"/api/games/{table['id']}")["number"] == table["number"]


def test_log_links_the_space_and_not_the_country_of_its_name(
    visitors: Visitors,
    anna: Client,
) -> None:
    position = {"pieces": {"germany": ["western-europe"]}, "hand": {"germany": ["build-army"] * 2}}
    record = record_of(position, "play build-army", "build army germany")
    table = anna.post("/api/games", {"seats": two_seats(), "record": record, "start": True})
    page: Page = visitors.come(f"/games/{table['id']}", anna)
    page.get_by_role("button", name="Log", exact=True).click()
    line = page.locator(".log li", has_text="Germany builds an army in Germany").last
    assert line.locator("button").all_inner_texts() == ["Germany"]
    assert line.inner_text().index("Germany") == 0
    line.locator("button").click()
    expect(page.locator(".space-info h3")).to_have_text("Germany")


SHIFTS = """window.shifts = 0, window.moved = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) {
    window.shifts += one.value;
    const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
    for (const { node, previousRect, currentRect } of one.sources) {
      const what = `${node?.nodeName} ${node?.className ?? node?.textContent}`;
      const way = `${box(previousRect)} -> ${box(currentRect)}`;
      window.moved.push(`${one.value.toFixed(3)} ${what}: ${way}`);
    }
  }
}).observe({ type: "layout-shift", buffered: true });"""


FAR = """async () => {
  const { replayTurns } = await ours("js/state/beats.js");
  const { begun } = await ours("js/state/table.js");
  const { set } = await ours("js/state/settings.js");
  set({ speed: "fast" });
  const of = { country: "japan", card: "", target: null, space: null, n: 0, text: "It happens." };
  replayTurns([
    { ...of, what: "play", card: "build-navy" },
    ...["east-pacific", "china", "east-pacific"].map((space) => ({ ...of, what: "build", space })),
    { ...of, what: "score", n: 2 },
  ], begun().view);
}"""


def test_nothing_jumps(visitors: Visitors, anna: Client) -> None:
    """Neither while the table comes nor while others play."""
    page = visitors.come("/cards", anna, reduced_motion="no-preference")
    page.add_init_script(SHIFTS)
    page.goto(f"/games/{alone(anna)}")
    page.locator(".prompt .confirm", has_text="End the turn").click()
    page.locator(".beat .card").wait_for(timeout=60_000)
    page.keyboard.press("Escape")
    # A turn that goes from one side of the map to the other.
    page.evaluate(FAR)
    panel = page.locator(".beat")
    panel.wait_for()
    expect(panel).to_have_count(0, timeout=60_000)
    assert page.evaluate("window.shifts") < 0.05, "\n".join(page.evaluate("window.moved"))


def test_cards_that_are_offered_are_drawn_as_cards(visitors: Visitors, anna: Client) -> None:
    hand = [*LATE["hand"]["germany"], "build-navy", "wolf-packs", "guns-and-butter"]
    position = {**LATE, "round": 8, "hand": {**LATE["hand"], "germany": hand}}
    wish = {"seats": two_seats(), "record": record_of(position), "start": True}
    page = visitors.come(f"/games/{anna.post('/api/games', wish)['id']}", anna)
    do(page, page.locator(".prompt .extra").click)
    confirm = page.locator(".prompt .confirm")
    confirm.wait_for()
    for place in range(4):
        page.locator(".fan .card .face").nth(place).dispatch_event("click")
    do(page, confirm.click)
    pictures = page.locator(".tray .card .pic svg")
    expect(pictures).to_have_count(4)
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        box = pictures.first.bounding_box()
        assert box is not None
        assert box["width"] > 120
        expect(page.locator(".prompt .sentence")).to_be_in_viewport(ratio=1)


def test_a_card_that_is_read_can_be_played(visitors: Visitors, anna: Client) -> None:
    """One that wants a space is taken up; where it cannot be played now, nothing is offered."""
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    army = page.locator(".fan .card", has_text="Build Army").first
    army.locator(".card-read").dispatch_event("click")
    page.get_by_role("dialog").get_by_role("button", name="Play").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(army).to_contain_class("up")
    page.locator(".plaque", has_text="Japan").click()
    page.locator(".drawer .chip-card").first.click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Close")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_role("button", name="Play")).to_have_count(0)
