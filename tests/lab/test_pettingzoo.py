"""The PettingZoo environment, by PettingZoo's own tests and by ours."""

import random
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from quartermaster import Game, IllegalAction, QuartermasterError, UnknownName
from quartermaster.forms.notation import country_index, make_action
from quartermaster.lab.env import quartermaster_v0
from quartermaster.lab.env.pictures import image_of, text_of


def conforms(env: Any, cycles: int) -> None:
    """PettingZoo's api_test, its advice being errors too but for this: that an observation is
    no dict, which PettingZoo's own games with action masks have all the same."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(env, num_cycles=cycles)


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("rewards", ["end", "points"])
def test_pettingzoo_finds_no_fault(seats: int, rewards: str) -> None:
    conforms(quartermaster_v0.env("second", seats=seats, rewards=rewards), 60)


@pytest.mark.parametrize(
    ("rules", "options"), [("first", {}), ("french", {}), ("second", {"air-marshal": True})]
)
def test_pettingzoo_finds_no_fault_with_any_rule_set(rules: str, options: dict[str, bool]) -> None:
    conforms(quartermaster_v0.env(rules, options=options), 60)


def test_the_same_seed_gives_the_same_game() -> None:
    seed_test(lambda: quartermaster_v0.env("second"), num_cycles=30)


def test_every_way_to_render_works(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: quartermaster_v0.env("second", render_mode=render_mode))
    assert "round 1: germany" in capsys.readouterr().out


def play(env: Any, seed: int) -> tuple[dict[str, float], int]:
    """A random game; what each agent got in all, and the number of actions."""
    rng = random.Random(seed)
    env.reset(seed=seed)
    got = dict.fromkeys(env.possible_agents, 0.0)
    actions = 0
    for agent in env.agent_iter():
        observation, reward, is_terminated, _, _ = env.last()
        got[agent] += reward
        if is_terminated:
            env.step(None)
        else:
            env.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            actions += 1
    return got, actions


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_rewards_are_who_won_or_by_how_much(seats: int) -> None:
    env = quartermaster_v0.env("second", seats=seats)
    got, actions = play(env, 3)
    game = env.unwrapped.game
    assert actions == len(game.history)
    for agent in env.possible_agents:
        is_axis = env.unwrapped.countries(agent)[0] in ("germany", "japan", "italy")
        assert got[agent] == (1 if (game.winner == "axis") == is_axis else -1)
    env = quartermaster_v0.env("second", seats=seats, rewards="points")
    got, _ = play(env, 3)
    again = env.unwrapped.game
    assert again.score == game.score
    lead = again.score["axis"] - again.score["allies"]
    for agent in env.possible_agents:
        is_axis = env.unwrapped.countries(agent)[0] in ("germany", "japan", "italy")
        assert got[agent] == (lead if is_axis else -lead)


def test_the_mask_is_what_is_legal() -> None:
    env = quartermaster_v0.raw_env("second", seats=2)
    env.reset(seed=5)
    rng = random.Random(5)
    for _ in range(150):
        if env.game.is_over:
            break
        country = env.game.decides[0]
        info = env.infos[env.agent_selection]
        assert info["country"] == country
        assert country in env.countries(env.agent_selection)
        mask = env.observe(env.agent_selection)["action_mask"]
        assert (info["action_mask"] == mask).all()
        codes = [env.rules.numbering.code(number) for number in np.flatnonzero(mask).tolist()]
        texts = {make_action(env.rules, country_index(country), code).text for code in codes}
        assert texts == {action.text for action in env.game.legal_actions()}
        env.step(rng.choice(np.flatnonzero(mask).tolist()))


def test_games_after_a_reset_differ_and_a_seed_repeats_them() -> None:
    env = quartermaster_v0.raw_env("second")

    def deals() -> list[Any]:
        found = []
        for number in range(3):
            env.reset(seed=9 if number == 0 else None)
            found.append(env.game.state.zones)
        return found

    first, again = deals(), deals()
    assert first == again
    assert first[0] != first[1] != first[2]


def test_what_is_wrong_is_said_and_changes_nothing() -> None:
    env = quartermaster_v0.raw_env("second")
    env.reset(seed=7)
    before = env.game.copy()
    for action, message in (
        (0, "0 .pass. is not legal now; germany may take one of 10"),
        (10**6, "expected a whole number from 0 to"),
        (-1, "expected a whole number from 0 to"),
        ("pass", "expected a whole number from 0 to"),
        (None, "expected a whole number from 0 to"),
    ):
        error = IllegalAction if action == 0 else QuartermasterError
        with pytest.raises(error, match=message):
            env.step(action)  # type: ignore[arg-type]
    assert env.game == before
    with pytest.raises(UnknownName, match="unknown kind of rewards 'gold'; expected end or points"):
        quartermaster_v0.raw_env("second", rewards="gold")
    with pytest.raises(UnknownName, match="unknown render mode 'film'"):
        quartermaster_v0.raw_env("second", render_mode="film")
    with pytest.raises(UnknownName, match="unknown agent 'player_9'"):
        env.observe("player_9")


def test_the_picture_shows_every_piece() -> None:
    empty = image_of(Game.from_position({"turn": "germany"}))
    there = image_of(
        Game.from_position({"pieces": {"germany": ["ukraine"], "japan": ["sea-of-japan"]}})
    )
    assert empty.shape == there.shape
    changed = (empty != there).any(axis=2)
    changed[-16:] = False
    assert 200 < changed.sum() < 900
    text = text_of(Game.from_position({"pieces": {"germany": ["ukraine"]}}))
    assert "army ukraine" in text
