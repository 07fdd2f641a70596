"""`bench`: how fast the core, the bots and the environments are."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from quartermaster.cli.common import (
    AirMarshalOption,
    JsonOption,
    OptionOption,
    RulesOption,
    chosen_options,
    console,
    friendly,
    print_json,
)
from quartermaster.errors import QuartermasterError
from quartermaster.lab.bench import (
    is_compiled,
    measure,
    measure_beside,
    measure_bots,
    measure_env,
    measure_simulate,
)

_UNITS = {
    "games_per_second": "random games per second",
    "decisions_per_game": "decisions per game",
    "decisions_per_second": "decisions per second",
    "us_per_decision": "us per decision",
    "games_per_second_by_game": "random games per second through Game",
    "by_loop_percent": "a loop in Python over the engine, % of its own loop",
    "by_game_percent": "Game, % of the engine's own loop",
    "batch_decisions_per_second": "decisions per second in a batch",
    "us_per_clone": "us per clone",
    "us_per_action_list": "us per list of actions",
    "us_per_supply": "us per supply computation",
    "simulate_games_per_second": "random games per second of processor time in simulate",
    "simulate_share_percent": "simulate with random bots, % of the engine's own loop",
    "observations_per_second": "observations with masks per second",
    "vector_steps_per_second": "steps per second of many games, with observations and masks",
    "veteran_ms": "ms per decision of the veteran",
    "veteran_ms_most": "ms, the veteran's slowest decision",
    "simulations_per_second": "general: simulations per second, one core",
    "simulations_per_second_2_cores": "general: simulations per second, two cores",
    "cores_ratio": "general: two cores to one",
    "budget_stray_percent": "general: most off its time budget, %",
}


@friendly
def bench(
    rules: RulesOption = "second",
    air_marshal: AirMarshalOption = False,
    option: OptionOption = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games a run.")] = 300,
    beside: Annotated[
        Path | None,
        typer.Option(help="A folder with another build, measured too (`make bench`)."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure the core on one core of this machine: the best of 3 runs."""
    if beside is not None and not (beside / "quartermaster").is_dir():
        raise QuartermasterError(f"--beside {beside}: no quartermaster package in it")
    options = chosen_options(rules, air_marshal, option)
    figures = {
        **measure(rules, options, games),
        **measure_simulate(rules, options, games),
        **measure_env(rules, options, min(games, 100)),
        **measure_bots(rules, options, min(games, 40)),
    }
    mode = "compiled" if is_compiled() else "interpreted"
    if as_json and beside is None:
        print_json({"mode": mode, **figures})
        return
    columns: dict[str, dict[str, object]] = {mode: dict(figures)}
    if beside is not None:
        arguments = ["--rules", rules, "--games", str(games)]
        arguments += ["--air-marshal"] if air_marshal else []
        for item in option or []:
            arguments += ["--option", item]
        other = measure_beside(beside, arguments)
        columns[str(other.pop("mode"))] = other
    if as_json:
        print_json(columns)
        return
    table = Table(title=f"Rules {rules}{' with Air Marshal' * air_marshal}", title_justify="left")
    table.add_column("")
    for name in columns:
        table.add_column(name, justify="right")
    if len(columns) == 2:
        table.add_column("ratio", justify="right")
    for key, words in _UNITS.items():
        if not all(key in column for column in columns.values()):
            continue  # what an extra measures that is not installed
        values = [float(str(column[key])) for column in columns.values()]
        row = [words, *(f"{value:,.10g}" for value in values)]
        if len(values) == 2:
            row.append(f"{max(values) / min(values):.1f}x" if min(values) > 0 else "")
        table.add_row(*row)
    console.print(table)
