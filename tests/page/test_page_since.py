"""Since your last turn: what the others' turns mean for oneself, and seeing them again."""

import random
from dataclasses import asdict
from typing import Any

from playwright.sync_api import Page, expect

from browsers import needs_chromium
from pages import PHONE, Visitors, end, hot_seats, stands
from quartermaster import Game
from quartermaster.sight.log import log_entry
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


NAMED: dict[str, Any] = {
    **BEFORE,
    "pieces": {
        **BEFORE["pieces"],
        "united-kingdom": ["united-kingdom", "north-sea"],
        "germany": [],
    },
    "hand": {**BEFORE["hand"], "united-kingdom": ["build-navy", "build-army"]},
}


def after_the_british(*wanted: str, position: dict[str, Any] = BEFORE) -> str:
    """The record of a game in which the United Kingdom has done something, at Japan's turn."""
    game = Game.from_position(position, seats=[AXIS, ALLIES])
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
    page.evaluate("ours('js/state/settings.js').then(({ set }) => set({ notes: false }))")
    page.locator(".recap").wait_for()
    return page


def test_the_recap_says_what_a_turn_means_for_oneself(visitors: Visitors, anna: Client) -> None:
    page = sit(visitors, anna, after_the_british("play sea-battle", "battle north-sea germany"))
    means = page.locator(".strip-told .means")
    expect(means).to_have_class("means harm")
    expect(means).to_contain_text("You lost a navy in the North Sea")
    # Found out by looking back: the army had its supply before that turn, and has it no more.
    expect(means).to_contain_text("Your army in Scandinavia is out of supply")
    expect(page.locator(".recap-sum")).to_contain_text("One turn · Allies +2")


def test_at_one_screen_the_next_is_told_what_the_other_did(
    visitors: Visitors, anna: Client
) -> None:
    """While another has the screen one looks away."""
    record = after_the_british("play sea-battle", "battle north-sea germany")
    wish = {"seats": hot_seats([AXIS, ALLIES]), "record": record, "start": True}
    page = visitors.come(f"/games/{anna.post('/api/games', wish)['id']}", anna)
    page.evaluate("ours('js/state/settings.js').then(({ set }) => set({ notes: false }))")
    page.locator(".hand.covered").wait_for()
    expect(page.locator(".recap")).to_have_count(0)
    page.locator(".hand.covered button").click()
    told = page.locator(".strip-told")
    expect(told).to_contain_text("The German navy in the North Sea is removed")
    expect(told.locator(".means")).to_contain_text("You lost a navy in the North Sea")


def test_a_home_that_fell_is_told_as_harm(visitors: Visitors, anna: Client) -> None:
    british = ["united-kingdom", "north-sea", "western-europe"]
    pieces = {"germany": ["scandinavia"], "united-kingdom": british}
    homeless = {**BEFORE, "pieces": {**BEFORE["pieces"], **pieces}}
    record = after_the_british("play build-army", "build army germany", position=homeless)
    page = sit(visitors, anna, record)
    expect(page.locator(".means.harm")).to_contain_text("An enemy army holds the home of Germany")


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


def test_the_log_beside_the_board_does_not_hide_the_card_of_a_beat(
    visitors: Visitors, anna: Client
) -> None:
    record = after_the_british("play sea-battle", "battle north-sea germany")
    wide = {"width": 1920, "height": 1080}
    page = sit(visitors, anna, record, viewport=wide, reduced_motion="no-preference")
    expect(page.locator(".drawer-log")).to_be_visible()  # where there is room it lies open
    page.get_by_role("button", name="Play them again").click()
    expect(page.locator(".beat-place.at-right .beat .card.shown").first).to_be_visible()
    panel = page.locator(".beat").bounding_box()
    log = page.locator(".drawer-log").bounding_box()
    assert panel is not None
    assert log is not None
    assert panel["x"] + panel["width"] <= log["x"]


def test_the_log_opens_by_itself_only_where_it_has_something_to_tell(
    visitors: Visitors, anna: Client
) -> None:
    """Not at a beginning, not in a lesson, not over the result."""
    wide = {"width": 1920, "height": 1080}
    fresh = anna.post("/api/games", {"seats": two_seats(), "start": True})
    drawer = visitors.come(f"/games/{fresh['id']}", anna, viewport=wide).locator(".drawer")
    drawer.page.locator(".prompt .sentence").wait_for()
    expect(drawer).to_have_count(0)
    page = visitors.come("/learn", anna, viewport=wide)
    page.locator(".lessons button").first.click()
    page.locator(".guide").wait_for()
    expect(page.locator(".drawer")).to_have_count(0)
    page = visitors.come(f"/games/{end(anna)['id']}", anna, viewport=wide)
    page.locator(".result").wait_for()
    expect(page.locator(".drawer")).to_have_count(0)
    page.get_by_role("button", name="Show the board").click()
    page.get_by_role("button", name="Log").click()
    expect(page.locator(".drawer-log")).to_be_visible()


def test_on_a_phone_the_recap_tells_what_was_done(visitors: Visitors, anna: Client) -> None:
    record = after_the_british("play sea-battle", "battle north-sea germany")
    page = sit(visitors, anna, record, viewport=PHONE)
    strip = page.locator(".recap")
    told = strip.locator(".strip-told")
    expect(told).to_contain_text("United Kingdom · Sea Battle")
    expect(told).to_contain_text("The German navy in the North Sea is removed")
    expect(told).to_contain_text("You lost a navy in the North Sea")
    board = page.locator(".map").bounding_box()
    box = strip.bounding_box()
    assert board is not None
    assert box is not None
    assert box["height"] < board["height"] / 2  # most of the map stays in sight
    assert box["height"] < 160
    expect(told.locator(".vp")).to_have_text("+2")
    expect(strip.locator(".recap-chip")).to_have_count(0)  # there is nothing to choose from
    for button in strip.locator("button").all():
        size = button.bounding_box()
        assert size is not None
        assert min(size["width"], size["height"]) >= 40
    strip.get_by_role("button", name="To my turn").click()
    expect(strip).to_have_count(0)


def five_turns(anna: Client) -> str:
    """The address of a table at which five bots have had their turns since Germany's."""
    seats: list[dict[str, Any]] = [{"countries": ["germany"], "who": "me"}]
    seats += [{"countries": [one], "who": "bot"} for one in [*AXIS[1:], *ALLIES]]
    game = Game.from_position(BEFORE, seats=[AXIS, ALLIES])
    wishes = ["play sea-battle", "battle north-sea germany", "play build-army"]
    while not (game.turn == "germany" and game.state.round == 6):
        texts = [action.text for action in game.legal_actions()]
        wish = next((text for text in wishes if text in texts), None)
        game.apply(wish or ("pass" if "pass" in texts else texts[0]))
    table = {"seats": seats, "record": game.record, "pause": 0, "start": True}
    return f"/games/{anna.post('/api/games', table)['id']}"


QUIET = "ours('js/state/settings.js').then(({ set }) => set({ notes: false }))"


def test_on_a_phone_each_turn_is_told_by_its_chip(visitors: Visitors, anna: Client) -> None:
    """At first the turn that did most harm is told; a tap on a chip tells another."""
    page = visitors.come(five_turns(anna), anna, viewport=PHONE, has_touch=True)
    page.evaluate(QUIET)
    expect(page.locator(".recap-chip")).to_have_count(5)
    told = page.locator(".strip-told")
    expect(told).to_contain_text("United Kingdom · Sea Battle")
    page.locator(".recap-chip.japan").tap()
    expect(told).to_contain_text("Japan · Build Army")
    expect(told).to_contain_text("No piece was built")
    expect(page.locator(".recap-chip.japan")).to_have_attribute("aria-pressed", "true")


# Which spaces lie under the recap, by the places of their pieces.
UNDER = """async () => {
  const { world } = await ours("js/state/table.js");
  const recap = document.querySelector(".recap").getBoundingClientRect();
  const map = document.querySelector(".layer.hits").getBoundingClientRect();
  const [w, h] = world().map.box;
  const isUnder = ([x, y]) => {
    const [left, top] = [map.left + (x / w) * map.width, map.top + (y / h) * map.height];
    return left > recap.left && left < recap.right && top > recap.top && top < recap.bottom;
  };
  const spaces = Object.entries(world().map.spaces);
  return spaces.filter(([, space]) => space.slots.some(isUnder)).map(([id]) => id);
}"""


def test_at_a_desk_the_recap_leaves_europe_in_sight(visitors: Visitors, anna: Client) -> None:
    """It lies in the north-east, where the fewest pieces stand; the turn under the pointer is told,
    and where it was is ringed on the map."""
    page = visitors.come(five_turns(anna), anna)
    page.evaluate(QUIET)
    page.locator(".recap").wait_for()
    for width, height in ((1440, 900), (1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        stands(page)
        assert set(page.evaluate(UNDER)) <= {"siberia", "vladivostok", "pacific-northwest"}, width
    expect(page.locator(".pulse")).to_have_count(0)
    page.locator(".recap-chip.united-kingdom").hover()
    expect(page.locator(".strip-told")).to_contain_text("The German navy in the North Sea")
    expect(page.locator(".pulse")).to_have_count(1)
    page.locator(".recap-chip.japan").hover()
    expect(page.locator(".strip-told")).to_contain_text("Japan · Build Army")


TOLD = """async (logs) => {
  const { storyOf, turnsOf } = await ours("js/state/turns.js");
  const turns = logs.flatMap(turnsOf).filter((turn) => turn.country);
  const whats = (turn) => turn.entries.map((entry) => entry.what);
  return turns.map((turn) => ({ whats: whats(turn), story: storyOf(turn) }));
}"""


def random_logs(games: int) -> list[list[dict[str, Any]]]:
    """Logs of games by chance, as strangers may read them: whoever plays by chance also plays
    cards that do nothing."""
    logs = []
    for seed in range(games):
        game = Game.new(["first", "second"][seed % 2], seed=seed, seats=[AXIS, ALLIES])
        chance = random.Random(seed)
        while not game.is_over and game.state.round < 12:
            actions = game.legal_actions()
            plays = [action for action in actions if action.verb not in ("discard", "pass")]
            game.apply(chance.choice(plays if plays and chance.random() < 0.8 else actions))
        rules = game.state.rules
        logs.append([asdict(log_entry(rules, entry, frozenset())) for entry in game.raw_log])
    return logs


def test_every_turn_is_told_in_a_sentence(visitors: Visitors, anna: Client) -> None:
    page = sit(visitors, anna, after_the_british())
    turns = page.evaluate(TOLD, random_logs(8))
    assert len(turns) > 450
    for turn in turns:
        assert 1 <= len(turn["story"]) <= 2, turn
        for text in turn["story"]:
            assert " " in text, turn  # a sentence, not the id of a missing one
            assert "undefined" not in text, turn
    told = {text for turn in turns for text in turn["story"]}
    # Cards by which nothing happened have a sentence of their own.
    for text in (
        "It struck no piece",
        "No piece was built",
        "It stays on the table and counts from now on",
        "Nobody knows which card it is until it is used",
    ):
        assert text in told


FEATS = """async (logs) => {
  const { earningsOf, featOf, turnsOf } = await ours("js/state/turns.js");
  const turns = logs.flatMap(turnsOf).filter((turn) => turn.country);
  return turns.map((turn) => ({ turn, feat: featOf(turn) ?? "", earned: earningsOf(turn) }));
}"""


def test_what_decided_a_game_is_told_by_deeds_and_points(visitors: Visitors, anna: Client) -> None:
    """A piece that was only named is no deed, nor is a card by which nothing happened."""
    page = sit(visitors, anna, after_the_british())
    found = page.evaluate(FEATS, random_logs(4))
    assert any(entry["what"] == "name" for one in found for entry in one["turn"]["entries"])
    assert not any("counts as built" in one["feat"] for one in found)
    assert not any("struck no piece" in one["feat"] for one in found)
    assert "Supply spaces held: +2" in {text for one in found for text in one["earned"]}
    for one in found:
        own = [
            entry
            for entry in one["turn"]["entries"]
            if entry["what"] == "score" and entry["country"] == one["turn"]["country"]
        ]
        assert len(one["earned"]) == len(own), one
        assert all(
            text.endswith(f"{entry['n']:+d}".replace("-", "\N{MINUS SIGN}"))
            for text, entry in zip(one["earned"], own, strict=True)
        ), one


def test_a_line_of_the_log_is_no_name_on_the_map(visitors: Visitors, anna: Client) -> None:
    """What happened is no class of another part of the page: all lines but the scores,
    which are bold, have the same letters."""
    record = after_the_british("play build-navy", "build navy north-sea", position=NAMED)
    page = sit(visitors, anna, record, viewport={"width": 1920, "height": 1080})
    lines = page.locator(".log li:not(.said-score)")
    expect(lines.filter(has_text="counts as built")).to_have_count(1)
    letters = "(all) => [...new Set(all.map((one) => getComputedStyle(one).fontFamily))].length"
    assert lines.evaluate_all(letters) == 1
