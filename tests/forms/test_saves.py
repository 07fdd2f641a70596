"""A save that was tampered with is refused in words, or is the game it was; arguments of the
wrong kind are refused in words too; and nothing that a game gives away is its own."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quartermaster import Game, QuartermasterError
from quartermaster.errors import UnknownName
from quartermaster.forms.record import parse_record
from quartermaster.lab.checks.fuzz import lively_action
from quartermaster.lab.checks.invariants import assert_invariants
from quartermaster.lab.scenario import parse_scenarios

HUGE = 10**5000


def lively_game(rules: str, seed: int, actions: int) -> Game:
    game = Game.new(rules, seed=seed, options={"air-marshal": seed % 2 == 0})
    rng = random.Random(seed)
    while not game.is_over and len(game.history) < actions:
        removals = game.removals(game.decision.country)
        if removals and rng.random() < 0.03:
            game.apply(rng.choice(removals))
        else:
            game.apply(lively_action(game, rng))
    if not game.is_over:
        game.note_fault(game.decision.country, "veteran", "took too long", "rookie")
    return game


SAVES = [
    json.dumps(lively_game(rules, seed, actions).save())
    for rules, seed, actions in (
        ("second", 1, 45), ("second", 2, 130), ("first", 3, 200), ("french", 4, 90),
    )
]  # fmt: skip


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value of some plain data."""
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield (*path, key)
        yield from places(data[key], (*path, key))


GARBAGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-10, 300),
    st.sampled_from([-1, 1 << 60, -(1 << 60), 1 << 200, 10**30]),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["-0x1", "0x" + "f" * 80, "germany", "fault", "9" * 5000]),
    st.lists(st.integers(-2, 60), max_size=8),
    st.dictionaries(st.sampled_from(["version", "germany", "seed"]), st.integers(0, 2), max_size=2),
)


@given(text=st.sampled_from(SAVES), chance=st.randoms(use_true_random=False), garbage=GARBAGE)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_save_that_was_changed_is_refused_or_plays_on(
    text: str, chance: random.Random, garbage: Any
) -> None:
    data = json.loads(text)
    *way, last = chance.choice(list(places(data)))
    holder = data
    for key in way:
        holder = holder[key]
    change = chance.randrange(4)
    if change == 0:
        holder[last] = garbage
    elif change == 1 and type(holder[last]) is int:
        holder[last] = -holder[last] - 1
    elif change == 2:
        del holder[last]
    elif isinstance(holder, list):
        holder.insert(last, copy.deepcopy(holder[last]))
    try:
        game = Game.load(data)
    except QuartermasterError:
        return
    for _ in range(30):
        assert_invariants(game)
        if game.is_over:
            break
        game.apply(chance.choice(game.legal_actions()))


@pytest.mark.parametrize("garbage", [None, 5, "save", [], [["state", 1]], {}, {"rules": "second"}])
def test_what_is_no_save_is_refused(garbage: Any) -> None:
    with pytest.raises(QuartermasterError):
        Game.load(garbage)


@pytest.mark.parametrize(
    ("way", "value", "words"),
    [
        (("state", "pieces", 0), -1, "actions do not lead to"),
        (("state", "armed"), "-0x1", "actions do not lead to"),
        (("state", "stack", 0, 1), 99, "actions do not lead to"),
        (("state", "zones", 0), [], "actions do not lead to"),
        (("is_version_1",), "no", "is_version_1: expected true or false"),
        (("state", "version"), 99, "version 99"),
        (("history", 0), [0, 1], "expected [country, code, free]"),
        (("history", 0, 1), 1 << 70, "action 1 of the game is not legal"),
        (("history", 0, 0), 5, "action 1 of the game is not legal"),
        (("log", 0, 5), 7, "a log that is not that of its actions"),
        (("log", -1, 6), "[[]]", "no fault of a bot"),
        (("rules",), "secnd", "did you mean second"),
        (("seed",), HUGE, "at most 64 bits"),
    ],
    ids=lambda part: part[0] if isinstance(part, tuple) else "",
)
def test_a_changed_save_says_what_is_wrong(way: tuple[Any, ...], value: Any, words: str) -> None:
    data = json.loads(SAVES[0])
    *holders, last = way
    holder = data
    for key in holders:
        holder = holder[key]
    holder[last] = value
    with pytest.raises(QuartermasterError) as refused:
        Game.load(data)
    assert words in str(refused.value)


WRONG_ARGUMENTS: list[Callable[[Game], object]] = [
    lambda game: Game.from_record(5),  # type: ignore[arg-type]
    lambda game: Game.from_record(b"quartermaster record 1"),  # type: ignore[arg-type]
    lambda game: Game.from_record(game.record, to="x"),  # type: ignore[arg-type]
    lambda game: parse_record(None),  # type: ignore[arg-type]
    lambda game: parse_scenarios(7),  # type: ignore[arg-type]
    lambda game: game.log(start="x"),  # type: ignore[arg-type]
    lambda game: game.log("atlantis"),
    lambda game: game.log(True),
    lambda game: game.view(2.5),  # type: ignore[arg-type]
    lambda game: game.view([]),  # type: ignore[arg-type]
    lambda game: game.view(HUGE),
    lambda game: game.look("germany").deal([]),  # type: ignore[arg-type]
    lambda game: game.undo(HUGE),
    lambda game: game.undo("1"),  # type: ignore[arg-type]
    lambda game: game.apply(HUGE),  # type: ignore[arg-type]
    lambda game: game.apply("pass", country=HUGE),
    lambda game: game.supply("germany", 3),  # type: ignore[arg-type]
    lambda game: game.removals(None),  # type: ignore[arg-type]
    lambda game: Game.new(seed=HUGE),
    lambda game: Game.new(seed=-HUGE),
    lambda game: Game.new(seed=1 << 64),
    lambda game: Game.new(seats=HUGE),
    lambda game: Game.new(seats=[HUGE]),  # type: ignore[list-item]
    lambda game: Game.new(options={"air-marshal": HUGE}),  # type: ignore[dict-item]
    lambda game: Game.new(options=HUGE),  # type: ignore[arg-type]
    lambda game: Game.new(HUGE),  # type: ignore[arg-type]
    lambda game: Game.from_position({"score": [HUGE, 0]}),
    lambda game: Game.from_position({"score": [10_000, 0]}),
    lambda game: Game.from_position({"round": HUGE}),
    lambda game: Game.from_position({"seed": HUGE}),
    lambda game: Game.from_position({"turn": HUGE}),
    lambda game: Game.from_position({HUGE: 1}),  # type: ignore[dict-item]
    lambda game: Game.from_position({"hand": HUGE}),
    lambda game: Game.from_position({"hand": {"germany": [HUGE]}}),
    lambda game: Game.from_position({"air": {"germany": ["germany"]}}),
    lambda game: Game.from_position(
        {"air": {"germany": ["germany", "germany"]}}, options={"air-marshal": True}
    ),
]


@pytest.mark.parametrize("call", WRONG_ARGUMENTS)
def test_arguments_of_the_wrong_kind_are_refused_in_words(call: Callable[[Game], object]) -> None:
    game = Game.new(seed=1)
    before = game.copy()
    with pytest.raises(QuartermasterError) as refused:
        call(game)
    assert len(str(refused.value)) < 600
    assert game == before


def test_a_seed_of_64_bits_goes_through_record_and_save() -> None:
    for seed in ((1 << 64) - 1, -(1 << 63)):
        game = Game.new(seed=seed)
        assert Game.from_record(game.record) == game == Game.load(game.save())


def test_what_a_game_gives_away_is_not_its_own() -> None:
    game = Game.from_position({"hand": {"germany": ["land-battle", "build-army"]}})
    record = game.record
    saved = game.save()
    saved["position"]["hand"]["germany"].clear()
    assert game.record == record
    game.apply("play build-army")
    codes = game.codes
    assert not hasattr(codes, "append")
    game.undo()
    assert len(codes) == 1


def test_the_same_name_is_refused_twice_and_an_option_is_named() -> None:
    with pytest.raises(QuartermasterError, match="two air forces in germany"):
        Game.from_position(
            {"air": {"germany": ["germany", "germany"]}}, options={"air-marshal": True}
        )
    with pytest.raises(QuartermasterError, match="air-marshal: true"):
        Game.from_position({"air": {"germany": ["germany"]}})
    with pytest.raises(UnknownName):
        Game.from_position({"air": {"germany": ["atlantis"]}}, options={"air-marshal": True})
