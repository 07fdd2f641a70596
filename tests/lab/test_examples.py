"""The examples do what they say."""

import importlib.util
import inspect
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from quartermaster import Game, load_bot, play_match
from servers import Server

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_the_monte_carlo_bot_is_short_and_plays_by_what_it_knows() -> None:
    module = example("monte_carlo")
    assert len(inspect.getsource(module.MonteCarlo).splitlines()) <= 25
    bot = module.MonteCarlo(seed=1, deals=1)
    game = Game.from_position(
        {
            "turn": "germany", "round": 20, "score": [20, 21],
            "pieces": {"germany": ["germany", "eastern-europe"]},
            "hand": {"germany": ["build-army", "land-battle"]},
        }
    )  # fmt: skip
    look = game.look("germany")
    first = bot.decide(look, game.legal_actions())
    assert first in game.legal_actions()
    again = module.MonteCarlo(seed=1, deals=1).decide(look, game.legal_actions())
    assert again is first


def test_the_monte_carlo_bot_beats_random_play() -> None:
    """Two games near their ends, from both sides, would tell little: one whole game does, for
    chance alone is never so far ahead."""
    module = example("monte_carlo")
    match = play_match([module.MonteCarlo(seed=2, deals=1), "random"], seed=4)
    assert match.winner == "axis"
    assert match.score["axis"] - match.score["allies"] >= 30
    assert not match.faults


def test_the_online_bot_plays_a_game_to_its_end(tmp_path: Path) -> None:
    module = example("http_bot")
    with Server(f"sqlite:///{tmp_path}/games.db", tmp_path) as server:
        bot = module.OnlineBot(server.url, "Robbie", seed=3)
        near_the_end = Game.from_position(
            {
                "round": 20, "turn": "soviet-union", "score": [40, 12],
                "pieces": {"soviet-union": ["moscow"], "italy": ["italy"]},
                "hand": {"soviet-union": ["build-army", "land-battle"]},
            }
        )  # fmt: skip
        bot.make_table(record=near_the_end.record, pause=0, window=0)
        assert bot.play(pause=0.05) == "axis"
        assert bot.moves > 0
        with pytest.raises(RuntimeError, match="nowhere"):
            bot.sit_down("nowhere", 0)
        bot.close()


def test_the_notebook_runs() -> None:
    """Every cell, as a notebook would run them, with fewer games."""
    book = json.loads((EXAMPLES / "statistics.ipynb").read_text(encoding="utf-8"))
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    names: dict[str, Any] = {}
    cells = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    assert cells[0] == "GAMES = 40"
    exec("GAMES = 2", names)
    for source in cells[1:]:
        exec(compile(source, "statistics.ipynb", "exec"), names)
    assert len(names["matches"]) == len(names["curves"]) == 2
    assert len(names["curves"][0]) == names["matches"][0].rounds
    assert names["played"].total() > 50
    assert all(not cell.get("outputs") for cell in book["cells"]), "clear the outputs"


def test_ppo_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="PyTorch is not here: pip install torch")
    import torch

    torch.set_num_threads(1)
    ppo = example("ppo")
    for name, value in (("STEPS", 16), ("EPOCHS", 4), ("MINIBATCH", 32)):
        monkeypatch.setattr(ppo, name, value)
    torch.manual_seed(1)
    agent = ppo.Agent()
    env = ppo.VectorEnv("second", 8, seed=1, rewards="points")
    optimiser = torch.optim.Adam(agent.parameters(), lr=1e-3)
    seen, now = ppo.collect(agent, env, env.reset())
    before = agent(seen.observations[0], seen.legals[0])
    ppo.learn(agent, optimiser, seen)
    policy, value = agent(seen.observations[0], seen.legals[0])
    assert not torch.allclose(policy.logits, before[0].logits)
    assert torch.isfinite(value).all()
    legal = ppo.legal_actions(now.mask)
    assert (policy.probs[seen.legals[0] < 0] == 0).all()
    chosen = ppo.take(legal, torch.zeros(8, dtype=torch.int64))
    assert now.mask[range(8), chosen].all()
    game = Game.new("second", seed=5)
    action = agent.decide(game.look("germany"), game.legal_actions())
    assert action in game.legal_actions()


def test_what_ppo_has_saved_plays_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not here: pip install torch")
    torch.manual_seed(1)
    agent = example("ppo").Agent()
    torch.save(agent.state_dict(), tmp_path / "agent.pt")
    monkeypatch.chdir(tmp_path)
    bot = load_bot(f"{EXAMPLES / 'ppo.py'}:Trained", 1)
    game = Game.new("second", seed=5)
    look, actions = game.look("germany"), game.legal_actions()
    assert bot.decide(look, actions) == agent.decide(look, actions)


def test_ppo_sees_what_turns_the_sign_for_the_other_team() -> None:
    """The value is that of the deciding team: what is good for one is bad for the other."""
    pytest.importorskip("torch", reason="PyTorch is not here: pip install torch")
    import numpy as np

    ppo = example("ppo")
    sides = ppo.side_of(np.array([0, 1, 2, 3, 4, 5], dtype=np.uint8))
    assert sides.tolist() == [1, -1, 1, -1, 1, -1]
