"""What people who train agents expect of every environment: spaces, seeds, copies, threads."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from quartermaster import Game, IllegalAction, QuartermasterError, UnknownName
from quartermaster.lab.env import VectorEnv, observation_of, quartermaster_v0
from variants import every_variant


def stepped(env: VectorEnv, steps: int, seed: int = 1) -> list[Any]:
    """What so many random steps bring."""
    rng = np.random.default_rng(seed)
    now = env.look_again()
    told = []
    for _ in range(steps):
        now = env.step((now.mask * rng.random(now.mask.shape)).argmax(axis=1))
        told.append([array.tobytes() for array in now])
    return told


@pytest.mark.parametrize("rewards", ["end", "points"])
def test_a_copy_of_many_games_goes_on_as_they_do(rewards: str) -> None:
    env = VectorEnv("second", games=3, seed=4, seats=2, rewards=rewards)
    stepped(env, 250)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = stepped(env, 450, seed=2)
    assert env.finished > 3, "games have ended, and begun in their places, since the copy"
    for other in others:
        assert other.rules is env.rules
        assert stepped(other, 450, seed=2) == expected
        assert other.finished == env.finished


def test_a_copy_shares_nothing_that_changes() -> None:
    env = VectorEnv("second", games=2, seed=4)
    before = env.reset().mask.copy()
    other = copy.deepcopy(env)
    stepped(other, 5)
    assert (env.look_again().mask == before).all()


def test_many_games_have_the_names_and_spaces_that_gymnasium_has() -> None:
    env = VectorEnv("second", games=3, seed=1)
    now = env.reset(seed=2, options=None)
    assert env.num_envs == 3
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.observation_space.contains(now.observation)
    assert env.single_observation_space.contains(now.observation[0])
    actions = now.mask.argmax(axis=1)
    assert env.action_space.contains(actions)
    assert env.single_action_space.contains(actions[0])
    for _ in range(400):
        now = env.step(now.mask.argmax(axis=1))
        assert env.observation_space.contains(now.observation)
    env.close()


@every_variant
def test_observations_are_within_their_space(rules: str, options: dict[str, bool]) -> None:
    env = VectorEnv(rules, games=2, seed=5, seats=2, options=options)
    rng = np.random.default_rng(5)
    now = env.reset()
    for _ in range(300):
        now = env.step((now.mask * rng.random(now.mask.shape)).argmax(axis=1))
        assert env.observation_space.contains(now.observation)


def test_how_games_ended_is_told_although_others_have_begun() -> None:
    env = VectorEnv("second", games=3, seed=8, seats=2)
    now = env.reset()
    known = env.known
    assert env.final_observations().shape == (0, 6, known.size)
    rng = np.random.default_rng(5)
    ends = 0
    while ends < 3:
        now = env.step((now.mask * rng.random(now.mask.shape)).argmax(axis=1))
        last = env.final_observations()
        assert len(last) == now.done.sum()
        for row, place in zip(last, np.flatnonzero(now.done), strict=True):
            ends += 1
            winners = known.split(row)["winner"]
            assert (winners == np.eye(2)[env.winner[place]]).all()
            assert known.split(row)["seat"][0].tolist() == [1, 0, 1, 0, 1, 0]
            assert known.split(row)["seat"][5].tolist() == [0, 1, 0, 1, 0, 1]
            end = env.batch.ended[place]
            assert end is not None
            score = known.split(row)["score"].tolist()
            assert score == [[end.axis_score, end.allies_score]] * 6


def test_an_illegal_action_is_told_by_its_name() -> None:
    env = VectorEnv("second", games=2)
    legal = int(env.reset().mask[0].argmax())
    with pytest.raises(IllegalAction) as told:
        env.step([legal, 0])
    expected = "game 1: action 0 is not legal now (pass); the mask has 9"
    assert str(told.value).startswith(expected)
    with pytest.raises(IllegalAction, match="there is no such"):
        env.step([legal, 10**9])


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, [1]])
def test_a_seed_is_a_whole_number_from_0(seed: Any) -> None:
    single = quartermaster_v0.raw_env("second")
    single.reset(seed=3)
    before = single.game.copy()
    for attempt in (
        lambda: single.reset(seed=seed),
        lambda: VectorEnv("second", games=1, seed=seed),
        lambda: VectorEnv("second", games=1).reset(seed=seed),
    ):
        with pytest.raises(QuartermasterError, match="seed: expected a whole number from 0, got"):
            attempt()
    assert single.game == before


def test_a_seed_may_be_numpys() -> None:
    numbers: list[Any] = [np.int64(3), np.uint32(3)]
    for number in numbers:
        env = quartermaster_v0.raw_env("second")
        env.reset(seed=number)
        again = quartermaster_v0.raw_env("second")
        again.reset(seed=3)
        assert env.game == again.game
        assert VectorEnv("second", games=np.int64(1), seed=number).seed == 3  # type: ignore[arg-type]


def test_a_copy_of_a_pettingzoo_environment_goes_its_own_way() -> None:
    env = quartermaster_v0.env("second", seats=2)
    env.reset(seed=3)
    for _ in range(30):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.unwrapped.rules is env.unwrapped.rules
        assert other.agent_selection == env.agent_selection
        known, same = (one.observe(one.agent_selection) for one in (env, other))
        assert all((known[key] == same[key]).all() for key in known)
        other.step(int(other.last()[0]["action_mask"].argmax()))
        assert other.unwrapped.game != env.unwrapped.game


def test_the_state_is_what_all_know_together() -> None:
    env = quartermaster_v0.env("second")
    env.reset(seed=3)
    raw = env.unwrapped
    assert raw.state_space.contains(env.state())
    parts = raw.known.split(env.state())
    for country in range(6):
        own = raw.known.split(raw.observe(f"player_{country}")["observation"])
        assert (own["hand"] <= parts["hand"]).all()
    assert parts["seat"].tolist() == [1] * 6


def test_an_agent_that_is_none_has_no_spaces() -> None:
    env = quartermaster_v0.raw_env("second", seats=2)
    for attempt in (env.observation_space, env.action_space, env.countries):
        with pytest.raises(UnknownName, match="unknown agent 'player_2'"):
            attempt("player_2")


def test_threads_do_not_mix_what_is_known() -> None:
    """The observation of a rule set is shared by all who ask for it."""
    known = observation_of("second")
    games = [Game.new("second", seed=seed) for seed in range(8)]
    expected = [known.of(game, seed % 6) for seed, game in enumerate(games)]

    def look(seed: int) -> bool:
        return all((known.of(games[seed], seed % 6) == expected[seed]).all() for _ in range(60))

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(look, range(8)))


def test_an_observation_is_found_again_and_refuses_other_shapes() -> None:
    known = observation_of("second", {"air-marshal": True})
    assert pickle.loads(pickle.dumps(known)) is known
    for array in (np.zeros(5), np.zeros((3, 5)), np.array(1)):
        with pytest.raises(QuartermasterError, match="array: expected rows of"):
            known.split(array)
