"""One player against bots: by Gymnasium's own check, and by ours."""

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from quartermaster import IllegalAction, QuartermasterError, UnknownName
from quartermaster.lab.env import observation_of
from quartermaster.lab.env.solo import SoloEnv

ID = "quartermaster.lab.env.solo:Quartermaster-v0"


def play(env: Any, seed: int) -> tuple[list[float], dict[str, Any]]:
    """A random game; its rewards, and what was told at its end."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    rewards: list[float] = []
    is_over = False
    while not is_over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, is_over, is_truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        assert not is_truncated
        rewards.append(reward)
    return rewards, info


def play_on(env: SoloEnv, info: dict[str, Any]) -> list[dict[str, Any]]:
    """What some steps of a game bring."""
    told = []
    for _ in range(20):
        info = env.step(int(info["action_mask"].argmax()))[4]
        told.append({**info, "action_mask": info["action_mask"].tobytes()})
    return told


@pytest.mark.parametrize("settings", [{}, {"plays": ["italy"], "rewards": "points"}])
def test_gymnasium_finds_no_fault(settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It takes a look at whether the environment was made by `make`, and how it renders.
        warnings.filterwarnings("ignore", ".*not having a spec.*|.*no render fps.*")
        check_env(SoloEnv(bots="random", **settings), skip_render_check=False)


def test_it_is_made_by_its_name_also_many_at_a_time() -> None:
    env = gymnasium.make(ID, plays="allies", bots="random", render_mode="ansi")
    assert env.spec is not None
    assert env.spec.id == "Quartermaster-v0"
    env.reset(seed=1)
    assert str(env.render()).startswith("round 1")
    env.close()
    many = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="sync", bots="random")
    observation, info = many.reset(seed=3)
    assert observation.shape == (2, observation_of("second").size)
    assert info["action_mask"].shape[0] == 2
    many.close()


@pytest.mark.parametrize("plays", ["axis", "allies", ["japan"]])
def test_rewards_are_who_won_or_by_how_much(plays: str | list[str]) -> None:
    rewards, info = play(SoloEnv(plays=plays, bots="random"), 3)
    own = "allies" if plays == "allies" else "axis"
    assert rewards[-1] == (1 if info["winner"] == own else -1)
    assert not any(rewards[:-1])
    by_points = SoloEnv(plays=plays, bots="random", rewards="points")
    rewards, info = play(by_points, 3)
    lead = info["score"]["axis"] - info["score"]["allies"]
    # What the bots gained before the player was first asked is nobody's doing.
    assert sum(rewards) == (lead if own == "axis" else -lead)


def test_a_seed_repeats_the_game_with_its_bots() -> None:
    first, second = (play(SoloEnv(bots="rookie"), 4) for _ in range(2))
    assert first[0] == second[0]
    assert first[1]["score"] == second[1]["score"]


def test_the_player_knows_what_its_countries_know() -> None:
    env = SoloEnv(plays=["japan", "italy"], bots="random")
    observation, info = env.reset(seed=5)
    known = observation_of("second")
    seat = known.split(observation)["seat"].tolist()
    assert seat == [0, 0, 1, 0, 1, 0]
    assert info["country"] == "japan"


def test_an_illegal_action_loses_or_raises() -> None:
    env = SoloEnv(bots="random")
    env.reset(seed=5)
    _, reward, is_over, _, info = env.step(0)
    assert (reward, is_over, info["is_illegal"]) == (-1.0, True, True)
    assert not info["action_mask"].any()
    with pytest.raises(QuartermasterError, match="the game is over, or was not begun"):
        env.step(0)
    env = SoloEnv(bots="random", illegal="raise")
    env.reset(seed=5)
    before = env.game.copy()
    for action in (-1, 10**6, 1.5, "pass", None, True):
        with pytest.raises(QuartermasterError, match="action: expected a whole number from 0 to"):
            env.step(action)
    with pytest.raises(IllegalAction, match=r"0 \(pass\) is not legal now"):
        env.step(0)
    assert env.game == before


def test_copies_go_their_own_way() -> None:
    env = SoloEnv(bots="random")
    _, info = env.reset(seed=5)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        action = int(info["action_mask"].argmax())
        observation = other.step(action)[0]
        assert other.observation_space.contains(observation)
        assert other.game != env.game
        assert (other.game.rules, other._rules is env._rules) == (env.game.rules, True)
    ends = [play_on(copy.deepcopy(env), info) for _ in range(2)]
    assert ends[0] == ends[1], "each copy has dice of its own"


def test_what_is_wrong_is_said() -> None:
    for settings, message in (
        ({"rules": "third"}, "unknown rule set 'third'"),
        ({"plays": "poland"}, "unknown country 'poland'"),
        ({"plays": ["japan", "united-states"]}, "expected countries of one team"),
        ({"plays": []}, "expected countries of one team"),
        ({"bots": "nobody"}, "unknown bot 'nobody'"),
        ({"bots": {"japan": "random"}}, "bots: none for united-kingdom"),
        ({"rewards": "gold"}, "unknown kind of rewards 'gold'"),
        ({"illegal": "shrug"}, "unknown way with illegal actions 'shrug'"),
    ):
        with pytest.raises(QuartermasterError, match=message):
            SoloEnv(**settings)
    with pytest.raises(UnknownName, match="unknown render mode"):
        SoloEnv(render_mode="film")
    env = SoloEnv(bots="random")
    with pytest.raises(QuartermasterError, match="the game is over, or was not begun"):
        env.step(0)


def test_seeds_are_whole_numbers_of_pythons_or_of_numpys() -> None:
    env = SoloEnv(bots="random")
    known, _ = env.reset(seed=3)
    seed: Any = np.int64(3)
    again, _ = env.reset(seed=seed)
    assert (known == again).all()
    for wrong in (True, np.bool_(True), -1, 1.5, "3"):
        given: Any = wrong
        with pytest.raises(QuartermasterError, match="seed: expected a whole number from 0"):
            env.reset(seed=given)


@pytest.mark.parametrize("plays", [None, 5, []])
def test_what_no_player_can_play_is_refused_in_words(plays: Any) -> None:
    with pytest.raises(QuartermasterError, match="plays: expected"):
        SoloEnv(plays=plays)
