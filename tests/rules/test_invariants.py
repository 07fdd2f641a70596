"""What must hold at every decision holds, in random and hostile play of every rule set."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quartermaster import Game
from quartermaster.lab.checks.fuzz import crowded_game, lively_action, variants
from quartermaster.lab.checks.invariants import Ledger, assert_invariants, check_invariants
from quartermaster.lab.checks.slow_supply import SlowBoard, names_of
from quartermaster.rules.board import SPACE_INDEX
from quartermaster.rules.names import COUNTRIES, EVENT, HAND, STEPS, TABLE
from quartermaster.rules.state import State
from quartermaster.rules.supply import build_mask, supplied_mask

Variant = tuple[str, dict[str, bool]]

VARIANTS: list[Variant] = variants()
SEEDS = range(2)  # `make fuzz` plays as many as there is time for
# More than any game can have: 120 turns, each with a handful of decisions.
TOO_MANY_ACTIONS = 5000


def variant_id(variant: Variant) -> str:
    name, options = variant
    return "-".join([name, *(option for option, on in options.items() if on)])


every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)


@every_variant
def test_random_play(variant: Variant) -> None:
    """Every offered action applies, every state is sound, and every game ends."""
    name, options = variant
    for seed in SEEDS:
        game = Game.new(name, seed=seed, options=options)
        ledger = Ledger(game)
        rng = random.Random(seed)
        while not game.is_over:
            assert_invariants(game)
            game.apply(lively_action(game, rng))
            assert ledger.check(game) == [], (seed, len(game.history))
            assert len(game.history) < TOO_MANY_ACTIONS
        assert_invariants(game)
        assert game.winner in ("axis", "allies")


@every_variant
def test_idle_play(variant: Variant) -> None:
    """Choosing evenly runs decks and hands dry, where the fallbacks are."""
    name, options = variant
    for seed in (0,):
        game = Game.new(name, seed=seed, options=options)
        ledger = Ledger(game)
        rng = random.Random(seed)
        while not game.is_over:
            assert_invariants(game)
            game.apply(rng.choice(game.legal_actions()))
            assert ledger.check(game) == [], (seed, len(game.history))


@every_variant
def test_hostile_play(variant: Variant) -> None:
    """Between any two decisions any country may take its own pieces off the board, the
    piece that the decision at hand is about too."""
    name, options = variant
    for seed in SEEDS:
        game = Game.new(name, seed=seed, options=options)
        ledger = Ledger(game)
        rng = random.Random(seed)
        while not game.is_over:
            assert_invariants(game)
            take_off_something(game, rng)
            assert ledger.check(game) == [], (seed, len(game.history), game.history[-1])
            if not game.is_over:
                assert_invariants(game)
                game.apply(lively_action(game, rng))
                assert ledger.check(game) == [], (seed, len(game.history), game.history[-1])
            assert len(game.history) < TOO_MANY_ACTIONS


def take_off_something(game: Game, rng: random.Random) -> None:
    """Seldom, so that there is something to take off, but more often in the midst of
    something than between two steps."""
    is_amidst = len(game.state.stack) > 1 or game.decision.kind in ("marshal", "reposition")
    if rng.random() > (0.15 if is_amidst else 0.03):
        return
    country = game.decision.country if rng.random() < 0.5 else rng.choice(COUNTRIES)
    removals = game.removals(country)
    if removals:
        told = len(game.raw_log)
        game.apply(f"{country}: {rng.choice(removals)}")
        assert next(game.log(start=told)).what in ("remove", "remove-air")


@every_variant
def test_crowded_positions(variant: Variant) -> None:
    """From full boards with many cards on the table, where random games seldom come."""
    name, options = variant
    for seed in range(6):
        rng = random.Random(seed)
        game = crowded_game(name, options, rng)
        ledger = Ledger(game)
        for _ in range(60):
            if game.is_over:
                break
            assert_invariants(game)
            game.apply(lively_action(game, rng))
            assert ledger.check(game) == [], (seed, len(game.history), game.history[-1])


@every_variant
def test_building_agrees_with_the_book(variant: Variant) -> None:
    """Where a country may build, as the slow checker reads the rulebook. Cards that waive
    adjacency only ever add spaces."""
    name, options = variant
    waivers = {"united-kingdom": {"australia", "india"}, "united-states": {"szechuan"}}
    for seed in range(3):
        game = Game.new(name, seed=seed, options=options)
        rng = random.Random(seed)
        while not game.is_over:
            board = SlowBoard(game.state)
            for country in range(6):
                fast = names_of(build_mask(game.state, country))
                slow = board.buildable(COUNTRIES[country])
                waived = waivers.get(COUNTRIES[country], set())
                assert slow <= fast, (seed, len(game.history), COUNTRIES[country], slow - fast)
                assert fast - slow <= waived, (seed, len(game.history), COUNTRIES[country])
            for _ in range(5):
                if not game.is_over:
                    game.apply(lively_action(game, rng))


@given(
    variant=st.sampled_from(VARIANTS),
    seed=st.integers(0, 2**32 - 1),
    picks=st.lists(st.integers(0, 255), max_size=120),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_play(variant: Variant, seed: int, picks: list[int]) -> None:
    """Any line of play is sound, and can be taken back to any of its decisions."""
    name, options = variant
    game = Game.new(name, seed=seed, options=options)
    seen = [game.copy()]
    for pick in picks:
        actions = game.legal_actions()
        if not actions:
            break
        game.apply(actions[pick % len(actions)])
        assert check_invariants(game) == []
        seen.append(game.copy())
    if len(seen) > 1:
        game.undo()
        assert game == seen[-2]
        assert game.legal_actions() == seen[-2].legal_actions()
        assert check_invariants(game) == []
    middle = len(seen) // 2
    if middle < len(seen) - 1:
        game.undo(to=middle)
        assert game == seen[middle]
        assert list(game.events) == list(seen[middle].events)
    game.undo(to=0)
    assert game == seen[0]


# -- found by the tests above ---------------------------------------------------------------


def air_game(position: dict[str, Any]) -> tuple[Game, Ledger]:
    game = Game.from_position(position, options={"air-marshal": True})
    return game, Ledger(game)


def test_an_air_force_taken_off_is_not_marshaled() -> None:
    """It was picked up, then taken off while its cost was being paid: it came back."""
    game, ledger = air_game(
        {
            "step": "air",
            "pieces": {"germany": ["germany", "western-europe"]},
            "air": {"germany": ["western-europe"]},
            "hand": {"germany": ["build-army", "land-battle"]},
        }
    )
    game.apply("marshal western-europe")
    game.apply("germany: remove air-force western-europe")
    while game.state.step == STEPS.index("air"):
        game.apply(game.legal_actions()[0])
    assert ledger.check(game) == []
    assert check_invariants(game) == []
    assert game.view().countries["germany"].air_forces == ()


def test_an_air_force_taken_off_does_not_reposition() -> None:
    """Its owner would rather have it in reserve: the question is then no more."""
    game, ledger = air_game(
        {
            "turn": "united-kingdom",
            "pieces": {
                "germany": ["germany", "western-europe"],
                "united-kingdom": ["united-kingdom", "north-sea"],
            },
            "air": {"germany": ["western-europe"]},
            "hand": {"united-kingdom": ["land-battle"]},
        }
    )
    game.apply("play land-battle")
    game.apply("battle western-europe")
    game.apply("germany: pass")
    assert game.decision.kind == "reposition"
    game.apply("germany: remove air-force western-europe")
    assert game.is_over or game.decision.kind != "reposition"
    assert ledger.check(game) == []
    assert check_invariants(game) == []


def test_a_piece_that_two_parts_could_take_off_is_offered_once() -> None:
    """Free French Allies, all British armies on the board: building in Western Europe or in
    North Africa needs one taken off, the same one. Offered twice, it could not be named."""
    armies = ["united-kingdom", "india", "australia", "canada", "china"]
    game = Game.from_position(
        {
            "turn": "united-states",
            "pieces": {"united-kingdom": [*armies, "north-sea"]},
            "hand": {"united-states": ["free-french-allies"]},
        },
        rules="first",
    )
    game.apply("play free-french-allies")
    assert check_invariants(game) == []
    game.apply("united-kingdom: remove army china")
    assert "build army north-africa" in [str(action) for action in game.legal_actions()]


def test_a_piece_taken_off_cannot_be_protected() -> None:
    """The army leaves in the window that asks whether to save it. An army built there later
    in the turn would have been safe for nothing."""
    game = Game.from_position(
        {
            "turn": "germany",
            "pieces": {
                "germany": ["germany", "eastern-europe"],
                "soviet-union": ["moscow", "ukraine"],
            },
            "hand": {"germany": ["land-battle"]},
            "set": {"soviet-union": ["stalingrad"]},
        }
    )
    game.apply("play land-battle")
    game.apply("battle ukraine")
    assert [str(action) for action in game.legal_actions()] == ["pass", "use stalingrad"]
    game.apply("soviet-union: remove army ukraine")
    assert "use stalingrad" not in [str(action) for action in game.legal_actions()]
    assert check_invariants(game) == []


# -- the checks themselves ------------------------------------------------------------------


def arm_a_card_in_hand(s: State) -> None:
    s.arm(next(c.index for c in s.rules.cards if c.id == "stalingrad"))


def take_a_card_away(s: State) -> None:
    s.zones[HAND] = s.zones[HAND][1:]


def unsort_a_hand(s: State) -> None:
    s.zones[HAND] = tuple(reversed(s.zones[HAND]))


def lay_an_event(s: State) -> None:
    event = next(card for card in s.zones[HAND] if s.rules.types[card] == EVENT)
    s.take_from(HAND, event)
    s.add_to(TABLE, event)


def let_enemies_meet(s: State) -> None:
    s.place(0, SPACE_INDEX["moscow"])


def place_too_many(s: State) -> None:
    for space in ("balkans", "ukraine", "russia", "italy", "africa"):
        s.place(4, SPACE_INDEX[space])


def let_an_air_force_stray(s: State) -> None:
    s.set_air(0, 1 << SPACE_INDEX["africa"])


def protect_nothing(s: State) -> None:
    s.set_protected(0, 1 << SPACE_INDEX["africa"])


def offer_nothing(s: State) -> None:
    s.options = []


def offer_twice(s: State) -> None:
    s.options = [*s.options, s.options[0]]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (arm_a_card_in_hand, "armed, but out of play: ['stalingrad']"),
        (take_a_card_away, "cards instead of"),
        (unsort_a_hand, "germany's hand is not sorted"),
        (lay_an_event, "lies in germany's table"),
        (let_enemies_meet, "germany and soviet-union share moscow"),
        (place_too_many, "italy has 5 of 4 army pieces on board"),
        (let_an_air_force_stray, "germany has air forces without a piece: ['africa']"),
        (protect_nothing, "germany has protected pieces that are not there: ['africa']"),
        (offer_nothing, "a decision with the choices"),
        (offer_twice, "the same option twice"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_spoiled_state_is_found(spoil: Callable[[State], None], told: str) -> None:
    """A check that finds nothing proves something only if it would have found it."""
    game = Game.from_position(
        {"hand": {"germany": ["build-army", "land-battle", "plunder"]}},
        options={"air-marshal": True},
    )
    assert check_invariants(game) == []
    spoil(game.state)
    assert told in "; ".join(check_invariants(game))


def test_stale_supply_is_found() -> None:
    """The engine keeps what it worked out about supply; a piece moved behind its back shows."""
    game = Game.from_position({"pieces": {"germany": ["germany", "italy"]}})
    supplied_mask(game.state, 0)
    germany, *others = game.state.pieces
    game.state.pieces = (germany | 1 << SPACE_INDEX["balkans"], *others)
    assert "germany is in supply by the book, not so: ['balkans']" in check_invariants(game)


@pytest.mark.parametrize(
    ("rules", "country", "position", "supplied"),
    [
        ("second", "germany", {"pieces": {"germany": ["germany", "baltic-sea", "africa"]}},
         {"germany", "baltic-sea"}),
        # a fleet without a port passes supply on, but has none
        ("second", "japan",
         {"pieces": {"japan": ["japan", "sea-of-japan", "central-pacific", "hawaii"]}},
         {"japan", "sea-of-japan", "central-pacific", "hawaii"}),
        ("second", "japan",
         {"pieces": {"japan": ["japan", "sea-of-japan", "central-pacific", "east-pacific"]}},
         {"japan", "sea-of-japan"}),
        # the strait at North Africa is open to the Axis while an Axis army is there
        ("second", "italy",
         {"pieces": {"italy": ["italy", "mediterranean-sea", "north-sea", "north-africa"]}},
         {"italy", "mediterranean-sea", "north-sea", "north-africa"}),
        ("second", "italy",
         {"pieces": {"italy": ["italy", "mediterranean-sea", "north-sea"],
                     "germany": ["germany", "western-europe"]}},
         {"italy", "mediterranean-sea"}),
        # Scorched Earth: first against Germany and Italy, second against the Axis
        ("first", "japan", {"pieces": {"japan": ["ukraine"]},
                            "table": {"soviet-union": ["scorched-earth"]}}, {"ukraine"}),
        ("second", "japan", {"pieces": {"japan": ["ukraine"]},
                             "table": {"soviet-union": ["scorched-earth"]}}, set()),
        ("first", "germany", {"pieces": {"germany": ["ukraine"]},
                              "table": {"soviet-union": ["scorched-earth"]}}, set()),
        # the volunteers' marker is a source for the US; in second the army there just lives
        ("first", "united-states",
         {"pieces": {"united-states": ["szechuan", "china", "mongolia"]},
          "table": {"united-states": ["american-volunteer-group-expands"]}},
         {"szechuan", "china", "mongolia"}),
        ("second", "united-states",
         {"pieces": {"united-states": ["szechuan", "mongolia"]},
          "table": {"united-states": ["american-volunteer-group-expands"]}}, {"szechuan"}),
        ("second", "soviet-union",
         {"pieces": {"soviet-union": ["siberia", "mongolia", "black-sea"]},
          "table": {"soviet-union": ["shverniks-evacuation-council"]}},
         {"siberia", "mongolia"}),
    ],
)  # fmt: skip
def test_supply_by_the_book(
    rules: str, country: str, position: dict[str, Any], supplied: set[str]
) -> None:
    """The slow checker itself, on cases worked out by hand."""
    game = Game.from_position(position, rules=rules)
    assert SlowBoard(game.state).supplied(country) == supplied
    assert check_invariants(game) == []
