"""`simulate`: many games between bots, and what comes of them."""

import os
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from quartermaster.bots.plugins import need_of_name
from quartermaster.cards.card_sets import where_from
from quartermaster.cards.rule_sets import load_rules
from quartermaster.cli import completion
from quartermaster.cli.common import (
    AirMarshalOption,
    JsonOption,
    LimitOption,
    OnOption,
    OptionOption,
    ProgressBar,
    RulesOption,
    SetOption,
    chosen_options,
    chosen_sets,
    console,
    errors,
    friendly,
    print_json,
)
from quartermaster.forms.deals import read_seed
from quartermaster.forms.seats import make_seats
from quartermaster.lab.faults import told
from quartermaster.lab.games_file import GamesFile, check_games_path
from quartermaster.lab.match import by_country
from quartermaster.lab.ratings import Interval
from quartermaster.lab.simulate import Series, Tally, ends, simulate_many
from quartermaster.lab.spread import HERE, check_place


@friendly
def simulate(
    rules: RulesOption = "second",
    air_marshal: AirMarshalOption = False,
    option: OptionOption = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 100,
    bots: Annotated[
        str,
        typer.Option(
            help="Bots by seat, with commas; repeated if there are more seats. Yours too:"
            " MODULE:CLASS, FILE.py:CLASS or program:COMMAND.",
            autocompletion=completion.bots,
        ),
    ] = "random",
    players: Annotated[int, typer.Option(min=2, max=6, help="Number of seats.")] = 2,
    seed: Annotated[int, typer.Option(help="Game number i has seed SEED + i.")] = 0,
    workers: Annotated[
        int, typer.Option("--workers", "-k", min=0, help="Processes; 0: one a core.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.jsonl|FILE.parquet",
            help="Keep the games in this file, turn by turn and with their records, and go on"
            " where it was left.",
        ),
    ] = None,
    limit: LimitOption = None,
    on: OnOption = HERE,
    card_set: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play many games; print who won and how, with 95% intervals."""
    options = chosen_options(rules, air_marshal, option)
    sets = chosen_sets(card_set)
    load_rules(rules, options, sets)
    names = [name.strip() for name in bots.split(",")]
    by_country(names, make_seats(rules, players))  # refuses bots that would have no seat
    read_seed(seed)
    for name in names:
        need_of_name(name)  # refuses a name that does not do
    check_place(on)
    series = Series(rules, options, players, tuple(names), seed, tuple(where_from(sets)), limit)
    file = None
    if out is not None:
        check_games_path(out)
        file = GamesFile(out, series.alike(), seed)
    here = workers or os.cpu_count() or 1
    running = simulate_many(series, games, here if on == HERE else workers, on, file)
    tally = Tally()
    is_stopped = False
    try:
        with closing(running), ProgressBar("games", games, hidden=as_json) as (progress, task):
            for part in running:
                tally.add(part)
                note = f"Axis wins {percent(tally.win_rate('axis'))}"
                progress.update(task, completed=tally.games, note=note)
    except KeyboardInterrupt:
        is_stopped = True
    finally:
        if file is not None:
            file.close(is_whole=file.count >= games)
    data = {"rules": rules, "options": options, "seed": seed, **tally.to_dict()}
    if as_json:
        print_json(data)
    elif tally.games:
        _print(tally, rules, seed)
    if is_stopped:
        errors.print(f"Stopped after {tally.games} of {games} games.", highlight=False)
        kept = "The same command goes on." if out else "--out FILE keeps games, to go on later."
        errors.print(kept, highlight=False)
        raise typer.Exit(130)


def _print(tally: Tally, rules: str, seed: int) -> None:
    table = Table(title=f"{tally.games} games, rules {rules}, seed {seed}", title_justify="left")
    for column in ("Team", "Wins", "Win rate % [95%]", "Mean VP [95%]"):
        table.add_column(escape(column), justify="left" if column == "Team" else "right")
    for team in ("axis", "allies"):
        table.add_row(
            team,
            str(tally.wins[team]),
            escape(percent(tally.win_rate(team))),
            escape(_with_ends(tally.mean_vp(team), 1)),
        )
    console.print(table)
    rounds, decisions = _with_ends(tally.mean_rounds, 1), _with_ends(tally.mean_decisions, 0)
    means = f"Mean of {rounds} rounds and {decisions} decisions a game"
    console.print(escape(means), highlight=False)
    if tally.faults:
        console.print(f"[red]Bots failed {tally.faults} times[/]; lower levels stood in for them")
        for line in told(tally.reasons):
            console.print(f"  {escape(line)}", highlight=False)


def percent(rate: Interval) -> str:
    """A rate of wins, with its interval, in percent."""
    return _with_ends(Interval(*(100 * value for value in rate)), 1)


def _with_ends(value: Interval, digits: int) -> str:
    """
    >>> _with_ends(Interval(12.34, 11.5, 13.2), 1), _with_ends(Interval(3, -1e99, 1e99), 0)
    ('12.3 [11.5, 13.2]', '3')
    """
    between = ends(value, digits)
    text = f"{value.value:.{digits}f}"
    if between is None:
        return text
    return f"{text} [{between[0]:.{digits}f}, {between[1]:.{digits}f}]"
