"""The log is written once somebody asks for it: then it says what it would have said all along."""

import pickle
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from quartermaster import Game
from quartermaster.rules.names import COUNTRIES
from quartermaster.rules.state import RawEntry

RULE_SETS = [
    ("second", {}),
    ("second", {"air-marshal": True}),
    ("first", {"air-marshal": True}),
    ("french", {}),
]


def told_all_along(rules: str, options: dict[str, bool], seed: int) -> Game:
    """A game whose state writes the log from its beginning."""
    game = Game.new(rules, seed=seed, options=options)
    game.state.log = []
    return game


def step(games: list[Game], rng: Random) -> None:
    """The same in each game: mostly an action, at times something rarer."""
    chance = rng.random()
    first = games[0]
    removals = first.removals(rng.choice(COUNTRIES)) if chance < 0.05 else []
    if removals:
        action = rng.choice(removals)
        for game in games:
            game.apply(action)
    elif chance < 0.07:
        for game in games:
            game.note_fault(first.decides[0], "veteran", "took too long", "rookie")
    elif chance < 0.075:
        seed = rng.randbytes(32).hex()
        for game in games:
            game.deal_anew(seed)
    elif chance < 0.085 and first.history:
        to = rng.randrange(max(0, len(first.history) - 20), len(first.history))
        for game in games:
            game.undo(to)
    else:
        place = rng.randrange(len(first.legal_actions()))
        for game in games:
            game.apply(game.legal_actions()[place])


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(RULE_SETS), st.integers(0, 10**6), st.sampled_from([0.0, 0.002, 0.05]))
def test_a_log_asked_for_later_is_the_same(
    chosen: tuple[str, dict[str, bool]], seed: int, asked: float
) -> None:
    rules, options = chosen
    rng = Random(seed)
    eager, later = told_all_along(rules, options, seed), Game.new(rules, seed=seed, options=options)
    for _ in range(rng.randrange(400)):
        if eager.is_over:
            break
        if rng.random() < asked:
            assert later.copy().raw_log == eager.raw_log  # a copy is asked: it knows as much
            assert later.raw_log == eager.raw_log
        step([eager, later], rng)
    assert later == eager
    assert later.codes == eager.codes
    assert later.cards_dealt() == eager.cards_dealt()
    assert later.raw_log == eager.raw_log
    assert later.events == eager.events
    assert later.save() == eager.save()
    assert Game.load(later.save()) == later


def test_nothing_is_written_that_nobody_asks_for() -> None:
    game = Game.new(seed=3)
    while actions := game.legal_actions():
        game.apply(actions[len(game.codes) % len(actions)])
    assert game.state.log is None
    assert game.copy().state.log is None
    told: list[RawEntry] = game.raw_log
    assert told[-1][0] == "win"
    assert game.raw_log is told, "it is gone through once"


def test_what_was_told_goes_on_being_told() -> None:
    game = Game.new(seed=3)
    assert list(game.log()) == []
    game.apply(game.legal_actions()[0])
    assert [entry.what for entry in game.log()] == ["discard"]
    other = game.copy()
    other.apply(other.legal_actions()[0])
    assert [len(game.raw_log), len(other.raw_log)] == [1, 2]
    assert pickle.loads(pickle.dumps(other)).raw_log == other.raw_log


def test_a_save_keeps_the_order_of_faults_and_deals() -> None:
    game = Game.new(seed=3)
    game.apply(game.legal_actions()[0])
    country = game.decides[0]
    game.note_fault(country, "veteran", "took too long", "rookie")
    game.deal_anew("5e" * 32)
    game.note_fault(country, "general", "raised", "veteran")
    assert [entry.what for entry in game.events][-3:] == ["fault", "deal-anew", "fault"]
    for again in (Game.load(game.save()), pickle.loads(pickle.dumps(game))):
        assert again == game
        assert again.events == game.events
        assert again.cards_dealt() == game.cards_dealt()
    game.apply(game.legal_actions()[0])
    game.undo()
    assert game.events[-1].what == "deal-anew", "faults are undone with their decision"
