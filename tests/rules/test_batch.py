"""Many games in one call: the same games as one by one, told in buffers."""

import random
from array import array
from operator import index
from typing import Any

import pytest

from quartermaster import Game
from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import IllegalAction, QuartermasterError
from quartermaster.rules.batch import GOES_ON, Batch, playouts
from quartermaster.rules.engine import apply, decider, new_state, playout
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import seeded

RULES = load_rules("second", {"air-marshal": True})


def legal(batch: Batch, place: int) -> list[int]:
    """What the mask of a game tells."""
    mask = batch.masks[place * batch.width : (place + 1) * batch.width]
    assert set(mask) <= {0, 1}
    return [number for number, is_legal in enumerate(mask) if is_legal]


@pytest.mark.parametrize("rules", [load_rules("first"), RULES], ids=["first", "air-marshal"])
def test_games_in_a_batch_are_those_played_one_by_one(rules: Rules) -> None:
    batch = Batch(rules, 3, seed=5)
    alone = [new_state(rules, 5 + place) for place in range(3)]
    seeds = [8, 9, 10]
    ended = 0
    for step in range(900):
        numbers = []
        for place, s in enumerate(alone):
            assert batch.states[place].key() == s.key()
            assert batch.countries[place] == decider(s)
            options = batch.options(place)
            assert [rules.numbering.code(number) for number in options] == s.options
            assert legal(batch, place) == sorted(options)
            numbers.append(options[step * 7 % len(options)])
        batch.step(numbers)
        for place, s in enumerate(alone):
            apply(s, rules.numbering.code(numbers[place]))
            end = batch.ended[place]
            if s.winner < 0:
                assert end is None
                assert batch.winners[place] == GOES_ON
            else:
                assert end is not None
                assert end.key() == s.key()
                assert batch.winners[place] == s.winner
                alone[place] = new_state(rules, seeds[place])
                seeds[place] += 3
                ended += 1
    assert ended >= 3


def test_choices_are_places_among_what_is_legal() -> None:
    one, other = Batch(RULES, 2, seed=1), Batch(RULES, 2, seed=1)
    for step in range(50):
        choices = [step % n for n in one.choices()]
        numbers = [other.options(place)[choice] for place, choice in enumerate(choices)]
        one.step_choices(choices)
        other.step(numbers)
        assert one.masks == other.masks
        assert [s.key() for s in one.states] == [s.key() for s in other.states]


def test_what_is_not_legal_changes_nothing() -> None:
    batch = Batch(RULES, 2, seed=1)
    before = [s.key() for s in batch.states]
    good = batch.options(0)[0]
    bad = next(n for n in range(batch.width) if n not in batch.options(1))
    for numbers in ([good, bad], [good, -1], [good, batch.width], [good], []):
        with pytest.raises(IllegalAction):
            batch.step(numbers)
    for choices in ([0, -1], [0, batch.choices()[1]], [0, 0, 0]):
        with pytest.raises(IllegalAction):
            batch.step_choices(choices)
    assert [s.key() for s in batch.states] == before
    with pytest.raises(QuartermasterError, match="number of games"):
        Batch(RULES, 0)


def test_random_steps_and_no_masks() -> None:
    batch = Batch(RULES, 4, seed=3, has_masks=False)
    again = Batch(RULES, 4, seed=3)
    ended = batch.run(700, 11)
    assert ended == again.run(700, 11) > 0
    assert [s.key() for s in batch.states] == [s.key() for s in again.states]
    assert len(batch.masks) == 0
    assert legal(again, 3) == sorted(again.options(3))


def test_playouts_leave_their_states_alone() -> None:
    states = [new_state(RULES, seed) for seed in range(3)]
    before = [s.key() for s in states]
    ends = playouts(states, [4, 5, 6])
    assert [s.key() for s in states] == before
    for s, seed, end in zip(states, (4, 5, 6), ends, strict=True):
        playout(s, seed)
        assert s.key() == end.key()
    with pytest.raises(QuartermasterError, match="3 states and 1 seeds"):
        playouts(states, [1])


class Counted:
    """A whole number that is not Python's own, as numpy's are."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


def test_whole_numbers_of_all_kinds_do() -> None:
    one, other = Batch(RULES, 2, seed=1), Batch(RULES, Counted(2), Counted(1))
    for place in range(2):
        assert one.options(place) == other.options(Counted(place))
    numbers = [one.options(place)[0] for place in range(2)]
    one.step(numbers)
    other.step(array("q", numbers))
    choices: Any
    for choices in ((1, 0), [Counted(1), Counted(0)], range(2)):
        one.step_choices([index(choice) for choice in choices])
        other.step_choices(choices)
    assert one.run(20, 4) == other.run(Counted(20), Counted(4))
    assert [s.key() for s in one.states] == [s.key() for s in other.states]
    ends = playouts(one.states, [4, 5])
    again = playouts(tuple(other.states), (Counted(4), Counted(5)))
    assert [s.key() for s in ends] == [s.key() for s in again]


def test_choosers_of_play_unseen_may_give_them_too() -> None:
    one, other = Game.new(seed=7), Game.new(seed=7)
    one.play_unseen([lambda count: count - 1] * 6)
    choosers: list[Any] = [lambda count: Counted(count - 1)] * 6
    other.play_unseen(choosers)
    assert one == other
    choosers[0] = lambda count: 0.5
    with pytest.raises(QuartermasterError, match=r"chooser: expected a whole number, got 0\.5"):
        Game.new(seed=7).play_unseen(choosers)


def test_what_is_no_whole_number_is_refused_in_words() -> None:
    batch: Any = Batch(RULES, 2, seed=1)
    before = [s.key() for s in batch.states]
    for numbers in ([0.5, 1], [True, 1], [None, 1], "ab", 5, None, [[1], [2]]):
        for step in (batch.step, batch.step_choices):
            with pytest.raises(QuartermasterError, match=r"expected (a )?whole number"):
                step(numbers)
    for count in (0, -1, 1.5, True, "2", None):
        with pytest.raises(QuartermasterError, match=r"count: expected a (whole )?number"):
            Batch(RULES, count)  # type: ignore[arg-type]
    assert [s.key() for s in batch.states] == before


def test_seeds_have_at_most_64_bits() -> None:
    s = new_state(RULES, 1)
    for seed in (1 << 64, -(1 << 63) - 1, 0.5, True, "7"):
        wrong: Any = seed
        for ask in (
            lambda wrong=wrong: Batch(RULES, 2, wrong),
            lambda wrong=wrong: Batch(RULES, 2).run(1, wrong),
            lambda wrong=wrong: playouts([s], [wrong]),
            lambda wrong=wrong: playout(s, wrong),
        ):
            with pytest.raises(QuartermasterError, match="seed"):
                ask()
    Batch(RULES, 2, (1 << 64) - 1).run(1, -(1 << 63))


def test_seeds_are_spread_over_all_first_states() -> None:
    """The multiplication is done in parts: the same as with Python's numbers without end."""

    def spread(seed: int) -> int:
        mixed = seed & (1 << 64) - 1
        for _ in range(2):
            mixed = (mixed ^ mixed >> 31) * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019 & (1 << 64) - 1
        mixed ^= mixed >> 29
        return 1 + mixed % 2147483562 << 31 | 1 + (mixed >> 32) % 2147483398

    chance = random.Random(1)
    seeds = [-(1 << 63), -1, 0, 1, 7, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, (1 << 64) - 1]
    for seed in seeds + [chance.getrandbits(64) for _ in range(2000)]:
        assert seeded(seed) == spread(seed)
