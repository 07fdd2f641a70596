"""Many games as arrays: each as it would be alone."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from quartermaster import Game, IllegalAction, QuartermasterError, UnknownName
from quartermaster.forms.deals import read_seed
from quartermaster.forms.notation import make_action
from quartermaster.lab.env import VectorEnv, observation_of, quartermaster_v0
from quartermaster.rules.engine import apply, decider, new_state
from variants import every_variant


def random_actions(mask: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    chosen: NDArray[np.int64] = (mask * rng.random(mask.shape)).argmax(axis=1)
    return chosen


@every_variant
@pytest.mark.parametrize("seats", [2, 6])
def test_each_game_is_played_as_it_would_be_alone(
    rules: str, options: dict[str, bool], seats: int
) -> None:
    env = VectorEnv(rules, games=3, seed=11, options=options, seats=seats)
    known = observation_of(rules, options)
    rng = np.random.default_rng(1)
    now = env.reset()
    alone = [Game.new(rules, seed=11 + place, options=options, seats=seats) for place in range(3)]
    numbers = [0, 0, 0]
    ends = 0
    while ends < 4:
        for place, game in enumerate(alone):
            country = decider(game.state)
            seat = next(i for i, names in enumerate(game.seats) if game.decides[0] in names)
            assert now.country[place] == country
            assert (now.observation[place] == known.of(game, seat)).all()
            legal = [env.rules.numbering.number(code) for code in game.state.options]
            assert sorted(legal) == np.flatnonzero(now.mask[place]).tolist()
        actions = random_actions(now.mask, rng)
        for place, game in enumerate(alone):
            code = env.rules.numbering.code(int(actions[place]))
            game.apply(make_action(env.rules, decider(game.state), code))
        now = env.step(actions)
        for place, game in enumerate(alone):
            assert now.done[place] == game.is_over
            if game.is_over:
                ends += 1
                assert env.winner[place] == ("axis", "allies").index(game.winner or "")
                sign = 1 if game.winner == "axis" else -1
                assert now.reward[place].tolist() == [sign, -sign] * 3
                numbers[place] += 1
                seed = 11 + place + 3 * numbers[place]
                alone[place] = Game.new(rules, seed=seed, options=options, seats=seats)
            else:
                assert env.winner[place] == -1
                assert not now.reward[place].any()
    assert env.finished == ends


def test_points_add_up_to_the_lead() -> None:
    env = VectorEnv("second", games=2, seed=4, rewards="points")
    rng = np.random.default_rng(2)
    now = env.reset()
    total = np.zeros((2, 6))
    ends = 0
    while ends < 3:
        now = env.step(random_actions(now.mask, rng))
        total += now.reward
        for place in np.flatnonzero(now.done):
            end = env.batch.ended[place]
            assert end is not None
            lead = end.axis_score - end.allies_score
            assert total[place].tolist() == [lead, -lead] * 3
            total[place] = 0
            ends += 1


def test_a_seed_repeats_everything() -> None:
    def run(seed: int) -> list[int]:
        env = VectorEnv("second", games=5, seed=seed)
        now = env.reset()
        rng = np.random.default_rng(3)
        told = []
        for _ in range(150):
            now = env.step(random_actions(now.mask, rng))
            told.append(hash((now.observation.tobytes(), now.mask.tobytes())))
        return told

    assert run(1) == run(1) != run(2)


def test_what_is_wrong_is_said_and_changes_nothing() -> None:
    env = VectorEnv("second", games=2, seed=1)
    now = env.reset()
    before = now.observation.copy()
    keys = [s.key() for s in env.batch.states]
    legal = int(now.mask[0].argmax())
    for actions, message in (
        ([legal, 0], "game 1: action 0 is not legal now"),
        ([legal], "expected 2 actions, got 1"),
        ([legal, -1], "game 1: action -1 is not legal now"),
        ([legal, 10**9], "game 1: action 1000000000 is not legal now"),
        ([0.5, 1.5], "expected one whole number for each game"),
        ([[legal, legal]], "expected one whole number for each game"),
        (["pass", "pass"], "expected one whole number for each game"),
    ):
        with pytest.raises(QuartermasterError, match=message):
            env.step(actions)  # type: ignore[arg-type]
    with pytest.raises(IllegalAction):
        env.step([0, 0])
    assert [s.key() for s in env.batch.states] == keys
    assert (env.reset().observation == before).all()
    with pytest.raises(QuartermasterError, match="games: expected a whole number from 1, got 0"):
        VectorEnv("second", games=0)
    with pytest.raises(UnknownName, match="unknown kind of rewards 'gold'"):
        VectorEnv("second", rewards="gold")


def test_one_game_is_what_pettingzoo_gives() -> None:
    rng = random.Random(6)
    single = quartermaster_v0.raw_env("second", seats=2)
    single.reset(seed=6)
    env = VectorEnv("second", games=1, seed=0, seats=2)
    env.batch.states[0] = new_state(env.rules, read_seed(single.game.seed))
    s = env.batch.states[0]
    for _ in range(200):
        if single.game.is_over:
            break
        seen = single.observe(single.agent_selection)
        viewers = bytes([0b010101 if decider(s) % 2 == 0 else 0b101010])
        assert (env.known.write([s], viewers)[0] == seen["observation"]).all()
        number = rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
        single.step(number)
        apply(s, env.rules.numbering.code(number))
