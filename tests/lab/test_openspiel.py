"""The game for OpenSpiel, by OpenSpiel's own tests and algorithms and by ours."""

import random
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not here: pip install 'quartermaster-game[openspiel]'"
)

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from quartermaster import Game, IllegalAction  # noqa: E402
from quartermaster.lab.env import observation_of, openspiel  # noqa: E402
from quartermaster.rules.engine import decider  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # OpenSpiel's own


def load(text: str = "quartermaster(players=2)") -> Any:
    assert openspiel.OUTCOMES == 1024  # its import registers the game
    return pyspiel.load_game(text)


def step(state: Any, rng: random.Random) -> None:
    """One action at random, or one outcome of chance."""
    if state.is_chance_node():
        state.apply_action(rng.randrange(openspiel.OUTCOMES))
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def at_decision(game: Any, seed: int, decisions: int) -> Any:
    """A state after so many random decisions."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while state.is_chance_node() or decisions:
        decisions -= not state.is_chance_node()
        step(state, rng)
        if state.is_terminal():
            break
    return state


@pytest.mark.parametrize(
    "text",
    [
        "quartermaster",
        "quartermaster(players=2,rules=first)",
        "quartermaster(players=3,rules=french)",
        "quartermaster(players=2,air_marshal=true)",
        "quartermaster(players=2,chance=inside,seed=7)",
    ],
)
def test_openspiel_finds_no_fault(text: str) -> None:
    pyspiel.random_sim_test(load(text), num_sims=1, serialize=False, verbose=False)


def test_openspiel_saves_and_goes_on() -> None:
    """By its history, as OpenSpiel does: a state is its actions, chance included."""
    game = load()
    state = at_decision(game, 3, 60)
    text = pyspiel.serialize_game_and_state(game, state)
    _, again = pyspiel.deserialize_game_and_state(text)
    assert str(again) == str(state)
    assert again.information_state_string(0) == state.information_state_string(0)


def test_a_playthrough_can_be_played_again() -> None:
    # Only here: it imports much of SciPy, and every process that looks for tests imports this file.
    from open_spiel.python.algorithms import generate_playthrough

    lines = generate_playthrough.playthrough_lines(
        "quartermaster(players=2,chance=inside,seed=3)", action_sequence=[], seed=5
    )
    assert 'GameType.short_name = "quartermaster"' in lines
    history = next(line for line in reversed(lines) if line.startswith("History() = "))
    actions = [int(action) for action in history.partition("[")[2].rstrip("]").split(",")]
    state = load("quartermaster(players=2,chance=inside,seed=3)").new_initial_state()
    for action in actions:
        state.apply_action(action)
    assert state.is_terminal()
    last = max(i for i, line in enumerate(lines) if line.startswith("# State"))
    assert lines[last] == f"# State {len(actions)}"
    assert lines[last + 1] == f"# {state}"


def test_its_mcts_and_random_rollouts_play() -> None:
    game = load("quartermaster(players=2,chance=inside,seed=1)")
    state = at_decision(game, 1, 700)
    while state.is_terminal():  # near the end, for rollouts in Python take their time
        state = at_decision(game, 1, 200)
    bot = mcts.MCTSBot(
        game, 1.4, 4, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        random_state=np.random.RandomState(2),
    )  # fmt: skip
    assert bot.step(state) in state.legal_actions()


def test_its_search_over_information_sets_plays() -> None:
    game = load()
    state = at_decision(game, 2, 200)
    while len(state.legal_actions()) < 2 or state.is_chance_node():
        step(state, random.Random(0))
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game, evaluator, 1.4, 3, max_world_samples=ismcts.UNLIMITED_NUM_WORLD_SAMPLES,
        random_state=np.random.RandomState(3),
    )  # fmt: skip
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("players", [2, 6])
def test_a_resampled_state_cannot_be_told_from_the_true_one(players: int) -> None:
    game = load(f"quartermaster(players={players})")
    rng = random.Random(4)
    state = game.new_initial_state()
    others = 0
    for _ in range(250):
        step(state, rng)
        if state.is_terminal():
            break
        if state.is_chance_node() or rng.random() < 0.8:
            continue
        player = state.current_player()
        sampled = state.resample_from_infostate(player, rng.random)
        assert sampled.information_state_string(player) == state.information_state_string(player)
        assert sampled.observation_tensor(player) == state.observation_tensor(player)
        assert sampled.legal_actions() == state.legal_actions()
        others += sampled.table.state.zones != state.table.state.zones
        for other in range(players):  # who is another is told of the cards dealt, not of the true
            if other != player:
                text = sampled.information_state_string(other)
                hand = openspiel._own_cards(sampled.table.state, game.setting.seats[other])
                assert text.count(hand) >= 1
        while not sampled.is_terminal() and rng.random() < 0.9:
            step(sampled, rng)
    assert others > 5


def test_an_observation_is_ours() -> None:
    game = load("quartermaster(players=6,chance=inside,seed=7)")
    state = game.new_initial_state()
    own = Game.new("second", seed=7)
    known = observation_of("second")
    observer = make_observation(game)
    for _ in range(40):
        player = decider(own.state)
        assert state.current_player() == player
        observer.set_from(state, player)
        assert (observer.tensor == known.of(own, player)).all()
        assert (observer.dict["piece"] == known.split(known.of(own, player))["piece"]).all()
        assert "round=1" in observer.string_from(state, player)
        action = own.legal_actions()[0]
        own.apply(action)
        state.apply_action(own.state.rules.numbering.number(action.code))


def test_an_information_state_tells_nothing_of_others_cards() -> None:
    """Two deals that differ in what one player cannot know, and the same public actions."""
    game = load("quartermaster(players=6,chance=inside,seed=7)")
    text = game.new_initial_state().information_state_string(0)
    state = game.new_initial_state().table.state
    for country in range(1, 6):
        for card in state.zones[country]:
            name = state.rules.cards[card].id
            assert f"draw united-kingdom {name}" not in text
    assert "own germany" in text
    assert "own japan" not in text


def test_what_is_saved_is_loaded_also_of_a_resampled_state() -> None:
    game = load()
    state = at_decision(game, 5, 90)
    sampled = state.resample_from_infostate(state.current_player(), lambda: 0.25)
    again = sampled.load(sampled.save())
    assert str(again) == str(sampled)
    for player in range(2):
        assert again.information_state_string(player) == sampled.information_state_string(player)
    copy = sampled.clone()
    assert str(copy) == str(sampled)
    step(copy, random.Random(1))
    assert str(copy) != str(sampled)


def test_returns_are_who_won() -> None:
    for players, total in ((2, 0), (3, None), (4, 0), (6, 0)):
        game = load(f"quartermaster(players={players},chance=inside,seed=2)")
        state = at_decision(game, 6, 5000)
        assert state.is_terminal()
        for seat, got in zip(game.setting.seats, state.returns(), strict=True):
            assert got == (1 if seat[0] % 2 == state.table.state.winner else -1)
        if total is not None:
            assert sum(state.returns()) == total


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(Exception, match="chance: expected inside or outside, got 'sideways'"):
        load("quartermaster(chance=sideways)")


@pytest.mark.parametrize("chance", ["inside", "outside"])
def test_an_action_that_is_not_legal_changes_nothing(chance: str) -> None:
    state = pyspiel.load_game(f"quartermaster(players=2,chance={chance})").new_initial_state()
    while state.is_chance_node():
        with pytest.raises(IllegalAction, match="expected an outcome from 0 to 1023"):
            state.clone().apply_action(1024)
        state.apply_action(7)
    before = str(state)
    for action, message in ((0, r"action 0 is not legal now \(pass\)"), (10**6, "no such")):
        with pytest.raises(IllegalAction, match=message):
            state.apply_action(action)
    assert str(state) == before
