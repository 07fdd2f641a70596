"""States, batches and rules are copied and pickled as they are, compiled or not."""

import copy
import pickle
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from quartermaster import Game, QuartermasterError, load_rules
from quartermaster.cards.card_sets import load_card_sets
from quartermaster.rules.batch import Batch, playouts
from quartermaster.rules.engine import apply, new_state
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State

RULES = load_rules("second", {"air-marshal": True})
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
OTHER_RULES = [load_rules("french"), load_rules("first", is_version_1=True)]
WAYS: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    *(
        lambda it, n=n: pickle.loads(pickle.dumps(it, n))
        for n in range(pickle.HIGHEST_PROTOCOL + 1)
    ),
]


def play_on(s: State, actions: int) -> None:
    for number in range(actions):
        if s.winner < 0:
            apply(s, s.options[number % len(s.options)])


@pytest.mark.parametrize("way", WAYS)
def test_a_state_comes_back_at_every_decision(way: Callable[[Any], Any]) -> None:
    s = new_state(RULES, 5)
    while s.winner < 0:
        before = s.key()
        again = way(s)
        assert again.rules is RULES
        assert (again.key(), again.options) == (before, s.options)
        play_on(again, 3)
        assert s.key() == before
        one = s.copy()
        play_on(one, 3)
        assert one.key() == again.key()
        play_on(s, 7)
    assert way(s).winner == s.winner


@pytest.mark.parametrize("way", WAYS)
def test_a_batch_comes_back_and_goes_on_alone(way: Callable[[Any], Any]) -> None:
    batch = Batch(RULES, 3, seed=5)
    batch.run(400, 1)
    while not any(batch.ended):
        batch.step_choices([0, 0, 0])
    again = way(batch)
    assert (again.masks, again.countries) == (batch.masks, batch.countries)
    assert (again.winners, again.seeds) == (batch.winners, batch.seeds)
    assert [end and end.key() for end in again.ended] == [end and end.key() for end in batch.ended]
    before = [s.key() for s in batch.states]
    ended = again.run(400, 2)
    assert [s.key() for s in batch.states] == before
    assert batch.run(400, 2) == ended
    assert [s.key() for s in again.states] == [s.key() for s in batch.states]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "rules", [RULES, load_rules("french"), load_rules("first", is_version_1=True)]
)
def test_of_rules_there_is_one(way: Callable[[Any], Any], rules: Rules) -> None:
    assert way(rules) is rules


def test_rules_that_nobody_could_load_again_are_refused() -> None:
    one = RULES
    made = Rules(
        one.name, one.cards, one.programs, one.options, one.sets, "second", one.piece_limits,
        one.setup_draw, one.has_air_forces, one.has_sudden_victory, one.lead_to_win,
        one.is_status_delayed, one.is_removal_free, one.is_hand_behind_deck,
        one.is_empty_hand_costly, one.is_score_difference,
    )  # fmt: skip
    with pytest.raises(QuartermasterError, match="only rules that load_rules gives"):
        pickle.dumps(new_state(made, 1))


def _end_of(s: State) -> State:
    return playouts([s], [3])[0]


def test_other_processes_play_states_and_send_them_back(tmp_path: Path) -> None:
    """They begin afresh, and run the file of a card set themselves."""
    file = tmp_path / "sand.py"
    file.write_text(
        "from quartermaster.cards.vocabulary import *\n"
        'card_set("sand", "Sand.", italy=[event("Dunes", "VP for armies.", Score(Pieces(ARMY)))])\n'
    )
    sets = load_card_sets([str(file)])
    states = [Game.new(seed=1).state, new_state(load_rules("second", sets=sets), 2)]
    with get_context("spawn").Pool(1) as pool:
        ends = pool.map_async(_end_of, states).get(timeout=60)
    assert [end.key() for end in ends] == [_end_of(s).key() for s in states]
