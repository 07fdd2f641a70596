"""How fast the core is: games, decisions, and the operations a search bot repeats."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

from quartermaster.bots import make_bot, take_decision
from quartermaster.bots.mind.planner import is_about_hand
from quartermaster.bots.search import search
from quartermaster.cards.rule_sets import load_rules
from quartermaster.forms.notation import Action
from quartermaster.game import Game
from quartermaster.lab.simulate import simulate
from quartermaster.rules import engine
from quartermaster.rules.batch import Batch
from quartermaster.rules.names import COUNTRIES
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State
from quartermaster.rules.supply import supplied_mask
from quartermaster.sight.look import Look

_BATCH = 256  # games that step together


def is_compiled() -> bool:
    """Whether the rules core that was imported is the compiled one."""
    return not str(engine.__file__).endswith(".py")


def best_of(repeat: int, run: Callable[[], int]) -> float:
    """Seconds of processor time for one of what `run` counts, in its fastest run: a machine that
    is busy otherwise tells nearly the same as an idle one."""
    return best_of_each(repeat, [run])[0]


def best_of_each(repeat: int, runs: list[Callable[[], int]]) -> list[float]:
    """Seconds of processor time as `best_of` takes them, for several that are compared: they run
    in turns, so that a machine that is busy now and then slows all alike."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(repeat):
        for run, spent in zip(runs, times, strict=True):
            start = process_time()
            count = run()
            spent.append((process_time() - start) / count)
    return [min(spent) for spent in times]


def measure(rules: str, options: dict[str, bool], games: int, repeat: int = 3) -> dict[str, float]:
    """Rates per second, and microseconds for one clone, list of actions, supply."""
    loaded = load_rules(rules, options)
    next_chance = engine.next_chance
    decisions = 0

    def play() -> int:
        nonlocal decisions
        decisions = 0
        for seed in range(games):
            decisions += engine.playout(engine.new_state(loaded, seed), seed)
        return games

    def play_by_loop() -> int:
        """The same games by a loop in Python over the engine itself: what no loop in Python can
        be quicker than, whatever it goes through."""
        for seed in range(games):
            s = engine.new_state(loaded, seed)
            chance = seed * 2 + 1 & engine.CHANCE_MASK
            while s.winner < 0:
                options = s.options
                chance = next_chance(chance)
                engine.apply(s, options[(chance >> 12) % len(options)])
        return games

    def play_by_game() -> int:
        """The same games through `Game`: the same choices, by the same generator."""
        for seed in range(games):
            game = Game.new(rules, seed=seed, options=options)
            chance = seed * 2 + 1 & engine.CHANCE_MASK
            while actions := game.legal_actions():
                chance = next_chance(chance)
                game.apply(actions[(chance >> 12) % len(actions)])
        return games

    def play_in_batch() -> int:
        """So many decisions in all, each chosen here, with masks of what is legal."""
        batch = Batch(loaded, _BATCH)
        draws = [(i * 7919 + 13) % 10007 for i in range(_BATCH)]
        for _ in range(games):
            chosen = [draw % n for draw, n in zip(draws, batch.choices(), strict=True)]
            batch.step_choices(chosen)
        return games * _BATCH

    per_game, per_loop_game, per_library_game = best_of_each(
        repeat, [play, play_by_loop, play_by_game]
    )
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
        "games_per_second_by_game": round(1 / per_library_game, 1),
        "by_loop_percent": round(per_game / per_loop_game * 100),
        "by_game_percent": round(per_game / per_library_game * 100),
        "batch_decisions_per_second": round(1 / best_of(repeat, play_in_batch)),
        "us_per_clone": round(best_of(repeat, clone) * 1e6, 3),
        "us_per_action_list": round(best_of(repeat, list_actions) * 1e6, 3),
        "us_per_supply": round(best_of(repeat, supply) * 1e6, 3),
    }


def measure_simulate(rules: str, options: dict[str, bool], games: int) -> dict[str, float]:
    """What `simulate` with random bots makes of the engine: the games of its own loop and those
    of `simulate` a second of processor time, and the second in percent of the first. Taken in
    turns, so that a busy machine slows both alike."""
    loaded = load_rules(rules, options)
    core, whole = [], []
    part = max(1, games // 10)
    for first in range(0, 10 * part, part):
        start = process_time()
        for seed in range(first, first + part):
            engine.playout(engine.new_state(loaded, seed), seed)
        middle = process_time()
        simulate(rules, options, 2, ["random"], 0, first, part)
        core.append(middle - start)
        whole.append(process_time() - middle)
    shares = sorted(a / b for a, b in zip(core, whole, strict=True))
    return {
        "simulate_games_per_second": round(10 * part / sum(whole), 1),
        "simulate_share_percent": round(100 * shares[len(shares) // 2], 1),
    }


def measure_env(
    rules: str, options: dict[str, bool], steps: int = 100, repeat: int = 3
) -> dict[str, float]:
    """What programs that learn get in a second on one core: observations with masks, and steps of
    many games with both. Nothing, where the extra `lab` is not installed."""
    try:
        from quartermaster.lab.env import VectorEnv
    except ImportError:
        return {}
    env = VectorEnv(rules, _BATCH, options=options)
    observing: list[float] = []
    stepping: list[float] = []
    for _ in range(repeat):
        env.reset()
        seen = stepped = 0.0
        for number in range(steps):
            moves = env.batch.options
            chosen = [(own := moves(i))[(number * 7 + i) % len(own)] for i in range(_BATCH)]
            start = perf_counter()
            env.step(chosen)
            middle = perf_counter()
            env.look_again()
            seen += perf_counter() - middle
            stepped += middle - start
        observing.append(seen / (steps * _BATCH))
        stepping.append(stepped / (steps * _BATCH))
    return {
        "observations_per_second": round(1 / min(observing)),
        "vector_steps_per_second": round(1 / min(stepping)),
    }


def measure_bots(rules: str, options: dict[str, bool], count: int) -> dict[str, float]:
    """What a decision costs the bots, over decisions of games between veterans: milliseconds
    of the veteran, simulations per second of the general on one core and two, and how far
    it strays from its budget."""
    looks: list[tuple[Look, list[Action]]] = []
    seed = 0
    while len(looks) < count:
        game = Game.new(rules, seed=seed, options=options)
        bots = {country: make_bot("veteran", seed) for country in COUNTRIES}
        step = 0
        while not game.is_over and len(looks) < count:
            if step % 23 == 22 and not is_about_hand(game.state):
                looks.append((game.look(game.decision.country), game.legal_actions()))
            take_decision(game, bots)
            step += 1
        seed += 1
    times = []
    bot = make_bot("veteran", 1)
    for look, actions in looks:
        start = perf_counter()
        bot.decide(look, actions)
        times.append(perf_counter() - start)
    figures = {
        "veteran_ms": round(sum(times) / count * 1e3, 3),
        "veteran_ms_most": round(max(times) * 1e3, 3),
    }
    budget = 0.25
    search(looks[0][0], 1, 0.01, cores=2)  # starts the other process
    rates = {}
    strays = [0.0]
    for cores in (1, 2):
        simulations = 0
        spent = 0.0
        for look, _ in looks:
            start = perf_counter()
            found = search(look, 1, budget, cores=cores, is_thorough=True)
            seconds = perf_counter() - start
            simulations += found.simulations
            spent += seconds
            strays.append(abs(seconds - budget) / budget)
        rates[cores] = simulations / spent
    figures["simulations_per_second"] = round(rates[1])
    figures["simulations_per_second_2_cores"] = round(rates[2])
    figures["cores_ratio"] = round(rates[2] / rates[1], 2)
    figures["budget_stray_percent"] = round(max(strays) * 100, 1)
    return figures


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
