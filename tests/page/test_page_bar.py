"""The bar under the map: the map keeps its size whoever plays, and stays in sight in a window."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from browsers import needs_chromium
from pages import DESKTOP, LATE, PHONE, Visitors, alone, hot_seats, record_of, stands, start
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


# Enough cards to reallocate resources, and a status card on the table.
RICH: dict[str, Any] = {
    "round": 3,
    "turn": "germany",
    "seed": 5,
    "pieces": {
        "germany": ["germany", "western-europe", "ukraine", "eastern-europe"],
        "united-kingdom": ["united-kingdom", "north-sea"],
        "soviet-union": ["moscow"],
    },
    "hand": {
        "germany": [
            "build-army",
            "build-navy",
            "land-battle",
            "land-battle",
            "sea-battle",
            "plunder",
            "volkssturm",
        ],
    },
    "table": {"germany": ["blitzkrieg"]},
}
WHY = "of all that could be done it is what brings the most, for a reason that takes two lines"


def advise(page: Page, *texts: str, cards: tuple[str, ...] = ()) -> None:
    """What the bot will say, and which cards go best with the first of it."""

    def answer(route: Route) -> None:
        table = page.request.get(f"/api{page.evaluate('location.pathname')}").json()
        ahead = table["ahead"] or {"actions": []}
        actions = {action["text"]: action for action in [*table["actions"], *ahead["actions"]]}
        hints = [{"action": actions[text], "chance": 0.5, "reason": WHY} for text in texts]
        if cards:
            hints[0]["cards"] = list(cards)
        route.fulfill(json=hints)

    page.unroute_all()
    page.route("**/hints*", answer)


def whole(page: Page, inside: str) -> bool:
    """Whether something lies between the header and the foot of the window, over all else."""
    found: bool = page.evaluate(
        """(what) => {
          const one = document.querySelector(what);
          const { left, top, right, bottom } = one.getBoundingClientRect();
          const head = document.querySelector(".top").getBoundingClientRect().bottom;
          const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return top >= head && left >= 0 && right <= innerWidth && bottom <= innerHeight
            && one.contains(over);
        }""",
        inside,
    )
    return found


@pytest.mark.parametrize("viewport", [DESKTOP, LYING, PHONE])
def test_hints_and_the_list_fit_over_the_bar_one_at_a_time(
    visitors: Visitors, anna: Client, viewport: ViewportSize
) -> None:
    """Also over the bar at its highest, when it holds cards to take."""
    table = start(anna, record=record_of(RICH, "use reallocate-resources"))
    for _ in range(4):
        [*_, discard] = table["actions"]
        table = anna.move(table, discard)
    page = visitors.come(f"/games/{table['id']}", anna, viewport=viewport)
    page.evaluate(QUIET)
    expect(page.locator(".prompt .tray .card")).not_to_have_count(0)
    for one in page.locator(".prompt .acts > button").all():
        assert one.evaluate(OVER) == ""
        expect(one).to_be_in_viewport(ratio=1)
    sentence = page.locator(".prompt .sentence").bounding_box()
    assert sentence is not None
    assert sentence["height"] < 50
    advise(page, *[action["text"] for action in table["actions"]])
    page.locator(".list-button").click()
    expect(page.locator(".question")).to_be_in_viewport()
    page.locator(".hint-button").click()
    page.locator(".hints li").first.wait_for()
    assert whole(page, ".hints header .quiet")
    assert whole(page, ".hints")
    expect(page.locator(".list-button")).to_have_attribute("aria-pressed", "false")
    page.locator(".list-button").click()
    expect(page.locator(".hints")).to_have_count(0)
    assert whole(page, ".question")


def test_hints_know_what_is_ticked(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna, record=record_of(RICH))['id']}", anna)
    page.evaluate(QUIET)
    use = page.locator(".prompt .extra")
    expect(use).to_have_attribute(
        "title",
        "Once a turn: discard 4 cards from hand, then take a build or battle card from your deck.",
    )
    # What a hint says to use is used; all that is asked is what to pay with, and what for.
    advise(page, "use reallocate-resources")
    page.locator(".hint-button").click()
    page.locator(".hints li button").click()
    sentence = page.locator(".prompt .sentence")
    expect(sentence).to_contain_text(
        "Discard 4 cards to fetch a build or battle card. Tick 4 to discard."
    )
    advise(page, *[f"discard {card}" for card in ("plunder", "land-battle", "sea-battle")])
    page.locator(".hint-button").click()
    lines = page.locator(".hints li button")
    lines.first.click()
    lines.nth(1).click()
    expect(sentence).to_contain_text("2 more to tick.")
    pressed = page.locator(".hints li button[aria-pressed=true]")
    expect(pressed).to_have_count(2)
    expect(page.locator(".hints .tick-all")).to_have_count(0)
    lines.first.click()
    expect(pressed).to_have_count(1)
    page.locator(".hint-button").click()
    four = ("plunder", "land-battle", "land-battle", "sea-battle")
    advise(page, *[f"discard {card}" for card in sorted({*four})], cards=four)
    page.locator(".hint-button").click()
    page.locator(".hints .tick-all").click()
    expect(pressed).to_have_count(3)  # of the two land battles one has a line
    expect(page.locator(".fan .card.ticked")).to_have_count(4)
    expect(page.locator(".prompt .confirm")).to_be_enabled()
    page.get_by_role("button", name="Cancel").click()
    expect(use).to_be_visible()


def test_a_hint_on_a_phone_shows_the_card_it_takes_up(visitors: Visitors, anna: Client) -> None:
    table = start(anna, record=record_of(RICH))
    page = visitors.come(f"/games/{table['id']}", anna, viewport=PHONE)
    page.evaluate(QUIET)
    page.locator(".prompt .acts button").first.wait_for()
    quiet = "(all) => all.map((one) => Math.round(one.getBoundingClientRect().left))"
    places = page.locator(".prompt .acts .quiet").evaluate_all(quiet)
    advise(page, "play volkssturm")
    page.locator(".hint-button").click()
    page.locator(".hints li button").click()
    expect(page.locator(".fan .card.up")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".prompt .sentence")).to_contain_text("Volkssturm")
    # Whatever stands left of it: what helps keeps its place.
    assert page.locator(".prompt .acts .quiet").evaluate_all(quiet)[-2:] == places[-2:]


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
def test_a_status_card_is_asked_about_with_its_face(
    visitors: Visitors, anna: Client, viewport: ViewportSize
) -> None:
    record = record_of(RICH, "pass", "play land-battle", "battle moscow soviet-union")
    page = visitors.come(f"/games/{start(anna, record=record)['id']}", anna, viewport=viewport)
    page.evaluate(QUIET)
    expect(page.locator(".answer-cards .card")).to_contain_text("Blitzkrieg")
    prompt = page.locator(".prompt")
    expect(prompt).to_contain_text("your card stays on the table")
    expect(prompt).not_to_contain_text("face down")
    advise(page, "pass")
    page.locator(".hint-button").click()
    expect(page.locator(".hints li strong")).to_have_text("Not now")
    page.locator(".hint-button").click()
    page.locator(".answer-cards .face").click()
    expect(page.locator(".piece[data-space=moscow]")).to_have_count(1)


def test_a_window_says_what_is_done_and_whether_one_can_answer(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    """The clock is told on demand, not every second; that time has run out is told once."""
    fleet = {**FLEET, "set": {"united-kingdom": ["destroyers"], "soviet-union": ["rasputitsa"]}}
    seats = [*two_seats("me", "open")]
    wish = {"seats": seats, "record": record_of(fleet, "play sea-battle"), "window": 4}
    table = anna.post("/api/games", {**wish, "deal": "as-recorded"})
    path = f"/api/games/{table['id']}"
    ben.post(f"{path}/seats/1/take")
    ben.post(f"{path}/ready", {"agrees": True})
    page = visitors.come(f"/games/{table['id']}", ben)
    table = anna.post(f"{path}/start")
    [battle] = [a for a in table["actions"] if a["text"] == "battle north-sea united-kingdom"]
    anna.move(table, battle)
    prompt = page.locator(".prompt")
    expect(prompt.locator(".sentence [role=status]")).to_have_text(
        "Germany battles your navy in the North Sea. React?"
    )
    expect(prompt).to_contain_text("your card stays face down")
    assert prompt.locator("[role=status] .clock").count() == 0
    expect(prompt.locator(".clock[role=timer]")).to_be_visible()
    expect(page.locator(".notice")).to_contain_text("time to react ran out")


def test_who_cannot_answer_is_told_so(visitors: Visitors, anna: Client, ben: Client) -> None:
    fleet = {**FLEET, "set": {"united-kingdom": ["defensive-posture"]}}
    wish = {"seats": two_seats("me", "open"), "record": record_of(fleet, "play sea-battle")}
    table = anna.post("/api/games", {**wish, "deal": "as-recorded", "window": 60})
    path = f"/api/games/{table['id']}"
    ben.post(f"{path}/seats/1/take")
    ben.post(f"{path}/ready", {"agrees": True})
    table = anna.post(f"{path}/start")
    [battle] = [a for a in table["actions"] if a["text"] == "battle north-sea united-kingdom"]
    anna.move(table, battle)
    page = visitors.come(f"/games/{table['id']}", ben)
    expect(page.locator(".prompt")).to_contain_text("You have nothing to answer")
    # What Anna proposes, Ben refuses: she is told.
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".prompt").wait_for()
    anna.post(f"{path}/proposals", {"what": "pause"})
    expect(page.locator(".proposal")).to_be_visible()
    ben.post(f"{path}/votes", {"is_for": False})
    expect(page.locator(".notices .notice")).to_have_text("Ben refused.")


def test_first_turns_wait_to_be_ended_and_undo_says_whose_turns_go(
    visitors: Visitors, anna: Client
) -> None:
    page = visitors.come(f"/games/{alone(anna)}", anna, color_scheme="dark")
    page.locator(".prompt .confirm").wait_for()
    script = """async () => {
      const { set } = await ours("js/state/settings.js");
      const { ending } = await ours("js/state/ending.js");
      set({ ends: "moment", speed: "off" });
      return ending.value;
    }"""
    assert page.evaluate(script) is None
    expect(page.locator(".prompt")).to_contain_text("Your first turns wait for you.")
    page.get_by_role("button", name="End them by themselves").click()
    expect(page.locator(".prompt")).to_contain_text("ends by itself in a moment")
    page.keyboard.press("1")
    page.keyboard.press("p")
    expect(page.locator(".prompt.yours .sentence")).to_contain_text("Play a card", timeout=60_000)
    page.keyboard.press("u")
    doubt = page.locator("dialog[open]")
    expect(doubt).to_contain_text("also takes back the turns of the United Kingdom, Japan,")
    expect(doubt.locator(".main")).to_have_text("Cancel")
    doubt.get_by_role("button", name="Undo").click()
    expect(page.locator(".prompt .confirm")).to_be_visible()


def test_a_card_shown_large_leaves_the_main_button_in_sight(
    visitors: Visitors, anna: Client
) -> None:
    page = visitors.come(f"/games/{start(anna, record=record_of(RICH))['id']}", anna)
    page.evaluate(QUIET)
    page.locator(".fan .card .face").nth(1).click()
    main = page.locator(".prompt .acts .main")
    for card in page.locator(".fan .card .face").all():
        card.hover(position={"x": 40, "y": 100})
        near = page.locator(".near")
        near.wait_for()
        page.wait_for_timeout(200)
        button, large = main.bounding_box(), near.bounding_box()
        assert button is not None
        assert large is not None
        assert (
            large["x"] >= button["x"] + button["width"]
            or large["x"] + large["width"] <= button["x"]
        )
