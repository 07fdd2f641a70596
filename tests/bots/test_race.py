"""How options race each other: who drops out, who stays, and that all run on the same cards."""

import random
from typing import Any

import pytest

from quartermaster import Game
from quartermaster.bots.mind.race import Runner, best, without_worse
from quartermaster.bots.search import search
from quartermaster.sight.look import Look

DEALS = 40


def runner(code: int, values: list[float]) -> Runner:
    made = Runner(code)
    for value in values:
        made.add(value)
    return made


def codes(racing: list[Runner]) -> list[int]:
    return [one.code for one in racing]


@pytest.fixture
def luck() -> list[float]:
    """What the deals make of any option: much more than options differ."""
    rng = random.Random(1)
    return [0.5 + rng.uniform(-0.4, 0.4) for _ in range(DEALS)]


def test_the_best_come_first() -> None:
    racing = [runner(1, [0.2, 0.4]), runner(2, [0.5, 0.7]), runner(3, [0.4, 0.4])]
    assert codes(best(racing, 2)) == [2, 3]
    assert codes(best([runner(1, [0.5]), runner(2, [0.5])], 1)) == [1]  # as it was before


def test_what_is_a_little_worse_in_every_deal_drops_out(luck: list[float]) -> None:
    rng = random.Random(2)
    worse = [value - 0.02 + rng.uniform(-0.02, 0.02) for value in luck]
    assert codes(without_worse([runner(1, worse), runner(2, luck)], 1)) == [2]


def test_what_is_worse_by_chance_alone_stays(luck: list[float]) -> None:
    rng = random.Random(3)
    other = [value - 0.005 + rng.uniform(-0.2, 0.2) for value in luck]
    assert sorted(codes(without_worse([runner(1, other), runner(2, luck)], 1))) == [1, 2]


def test_of_options_that_come_to_the_same_one_stays(luck: list[float]) -> None:
    racing = [runner(1, luck), runner(2, luck), runner(3, [value - 0.3 for value in luck])]
    assert codes(without_worse(racing, 1)) == [1]


def test_a_thorough_race_keeps_two(luck: list[float]) -> None:
    racing = [runner(code, [value - 0.1 * code for value in luck]) for code in (3, 1, 2)]
    assert codes(without_worse(racing, 2)) == [1, 2]


def at_play(country: str, position: dict[str, Any]) -> Look:
    game = Game.from_position({"turn": country} | position, options={"reallocate": False})
    assert game.decision.kind == "play"
    return game.look(country)


def test_a_race_goes_on_among_the_better_half() -> None:
    """Eight options are halved after each third of the budget: eight run, then four, then two."""
    hand = ["build-army", "build-navy", "land-battle", "blitzkrieg"]
    look = at_play("germany", {"hand": {"germany": hand}})
    assert len(look.seen.options) == 8  # each can be played or discarded
    found = search(look, 1, 0.0, nodes=96)  # too few deals for any to be surely worse
    assert found.simulations == sum(found.visits) == 96
    assert sorted(found.visits) == [4, 4, 4, 4, 12, 12, 28, 28]
    assert found.chances[found.best] == max(
        chance for chance, visits in zip(found.chances, found.visits, strict=True) if visits == 28
    )


def test_a_settled_race_ends_early() -> None:
    """In the last turn of the game little can happen, and points decide."""
    position = {"round": 20, "score": [100, 99], "hand": {"united-states": ["build-army"]}}
    found = search(at_play("united-states", position), 1, 0.0, nodes=5000)
    assert found.simulations < 500
