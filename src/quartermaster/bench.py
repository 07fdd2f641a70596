"""How fast the core is: games, decisions, and the operations a search bot repeats."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from quartermaster.cards.rulesets import load_rules
from quartermaster.rules import engine
from quartermaster.rules.state import Rules, State
from quartermaster.rules.supply import supplied_mask


def is_compiled() -> bool:
    """Whether the rules core that was imported is the compiled one."""
    return not str(engine.__file__).endswith(".py")


def best_of(repeat: int, run: Callable[[], int]) -> float:
    """Seconds for one of what `run` counts, in its fastest run."""
    times = []
    for _ in range(repeat):
        start = perf_counter()
        count = run()
        times.append((perf_counter() - start) / count)
    return min(times)


def measure(rules: str, options: dict[str, bool], games: int, repeat: int = 3) -> dict[str, float]:
    """Rates per second, and microseconds for one clone, list of actions, supply."""
    loaded = load_rules(rules, options)
    decisions = 0

    def play() -> int:
        nonlocal decisions
        decisions = 0
        for seed in range(games):
            decisions += engine.playout(engine.new_state(loaded, seed), seed)
        return games

    per_game = best_of(repeat, play)
    samples = _samples(loaded, 200)

    def clone() -> int:
        for _ in range(10):
            for s in samples:
                s.copy()
        return 10 * len(samples)

    def list_actions() -> int:
        for _ in range(10):
            for s in samples:
                engine.current_op(s).run(s, s.stack[-1])
        return 10 * len(samples)

    def supply() -> int:
        for s in samples:
            for country in range(6):
                s.board_changed()
                supplied_mask(s, country)
        return 6 * len(samples)

    return {
        "games_per_second": round(1 / per_game, 1),
        "decisions_per_game": round(decisions / games, 1),
        "decisions_per_second": round(decisions / games / per_game),
        "us_per_decision": round(per_game / (decisions / games) * 1e6, 3),
        "us_per_clone": round(best_of(repeat, clone) * 1e6, 3),
        "us_per_action_list": round(best_of(repeat, list_actions) * 1e6, 3),
        "us_per_supply": round(best_of(repeat, supply) * 1e6, 3),
    }


def _samples(rules: Rules, count: int) -> list[State]:
    """States from all over random games."""
    samples: list[State] = []
    seed = 0
    while len(samples) < count:
        s = engine.new_state(rules, seed)
        step = 0
        while s.winner < 0 and len(samples) < count:
            if step % 37 == 36:
                samples.append(s.copy())
            engine.apply(s, s.options[(step * 7 + seed) % len(s.options)])
            step += 1
        seed += 1
    return samples


def measure_beside(folder: Path, arguments: list[str]) -> dict[str, object]:
    """What `quartermaster bench --json` says in a process that imports from a folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "quartermaster", "bench", "--json", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    result: dict[str, object] = json.loads(done.stdout)
    return result
