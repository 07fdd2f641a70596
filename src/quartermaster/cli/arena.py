"""`arena`: bots against each other, and how sure one may be who is stronger."""

import math
import os
import shlex
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from quartermaster.bots.plugins import need_of_name
from quartermaster.cards.rule_sets import load_rules
from quartermaster.cli import completion
from quartermaster.cli.common import (
    AirMarshalOption,
    JsonOption,
    LimitOption,
    OnOption,
    OptionOption,
    ProgressBar,
    chosen_options,
    console,
    errors,
    friendly,
    print_json,
)
from quartermaster.cli.plots import check_plot, save_plot
from quartermaster.lab.arena import (
    Fixture,
    Played,
    ResultsFile,
    make_fixtures,
    play_all,
)
from quartermaster.lab.faults import told
from quartermaster.lab.ratings import Interval, as_rating
from quartermaster.lab.spread import HERE, check_place
from quartermaster.lab.standings import Report, make_reports

_MOST = 800  # rating points; beyond, games cannot tell how many more


@friendly
def arena(
    bots: Annotated[
        str,
        typer.Option(
            help="Bots, with commas: each plays each; one alone plays itself. Yours too:"
            " MODULE:CLASS, FILE.py:CLASS or program:COMMAND.",
            autocompletion=completion.bots,
        ),
    ],
    rules: Annotated[
        str,
        typer.Option(
            "--rules",
            "-r",
            help="Rule sets, with commas: second, first, french.",
            autocompletion=completion.rule_sets,
        ),
    ] = "second",
    air_marshal: AirMarshalOption = False,
    option: OptionOption = None,
    games: Annotated[
        int,
        typer.Option("--games", "-n", min=1, help="Games of each pair, rounded up to even."),
    ] = 100,
    seed: Annotated[int, typer.Option(help="The first seed; each is played from both sides.")] = 0,
    workers: Annotated[
        int, typer.Option("--workers", "-k", min=0, help="Processes; 0: one a core.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="Keep the games in this file, and go on where it was left."),
    ] = None,
    limit: LimitOption = None,
    on: OnOption = HERE,
    plot: Annotated[Path | None, typer.Option(help="Draw a chart: a .png or .svg file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play each other, the sides swapped; print who is stronger, and how surely."""
    names = list(dict.fromkeys(name.strip() for name in bots.split(",")))
    for name in names:
        need_of_name(name)  # refuses a name that does not do
    rule_sets = []
    for rule_set in dict.fromkeys(name.strip() for name in rules.split(",")):
        options = chosen_options(rule_set, air_marshal, option)
        load_rules(rule_set, options)
        rule_sets.append((rule_set, options))
    check_place(on)
    if plot is not None:
        check_plot(plot)
    fixtures = make_fixtures(names, rule_sets, games, seed)
    played: dict[Fixture, Played] = {}
    is_stopped = False
    with ResultsFile(out) if out is not None else nullcontext() as results:
        if results is not None:
            played = {game: results.games[game] for game in fixtures if game in results.games}
        missing = [game for game in fixtures if game not in played]
        here = min(workers or os.cpu_count() or 1, max(len(missing), 1))
        running = play_all(missing, here if on == HERE else workers, limit, on)
        with (
            closing(running),
            ProgressBar("games", len(fixtures), hidden=as_json) as (progress, task),
        ):
            wins = _RunningWins(names, list(played.values()))
            progress.update(task, completed=len(played), note=str(wins))
            try:
                for game in running:
                    if results is not None:
                        results.add(game)
                    played[game.fixture] = game
                    wins.add(game)
                    progress.update(task, completed=len(played), note=str(wins))
            except KeyboardInterrupt:
                is_stopped = True
    reports = make_reports(names, [played[game] for game in fixtures if game in played])
    if as_json:
        data = {"bots": names, "seed": seed, "games": len(played)}
        data["missing"] = len(fixtures) - len(played)
        print_json({**data, "rule_sets": [report.to_dict() for report in reports]})
    else:
        for report in reports:
            _print_report(report)
    if plot is not None and reports:
        save_plot(plot, reports)
    if is_stopped:
        errors.print(f"Stopped after {len(played)} of {len(fixtures)} games.", highlight=False)
        if out is not None:
            again = _command(
                bots, rules, air_marshal, option, games, seed, workers, out, limit, on, plot
            )
            errors.print(f"To go on: {escape(again)}", highlight=False, soft_wrap=True)
        else:
            errors.print("They are not kept; --out FILE keeps games, to go on later.")
        raise typer.Exit(130)


def _command(
    bots: str,
    rules: str,
    air_marshal: bool,
    option: list[str] | None,
    games: int,
    seed: int,
    workers: int,
    out: Path,
    limit: float | None,
    on: str,
    plot: Path | None,
) -> str:
    """The command line that goes on."""
    words = ["quartermaster", "arena", "--bots", bots, "--rules", rules]
    words += ["--air-marshal"] * air_marshal
    for item in option or []:
        words += ["--option", item]
    words += ["--games", str(games), "--seed", str(seed), "--workers", str(workers)]
    words += ["--out", str(out)]
    if limit is not None:
        words += ["--limit", f"{limit:g}"]
    if on != HERE:
        words += ["--on", on]
    if plot is not None:
        words += ["--plot", str(plot)]
    return shlex.join(words)


class _RunningWins:
    """Who wins how often so far, in a few words."""

    def __init__(self, bots: list[str], games: list[Played]) -> None:
        # Of a bot and itself, how the Axis fares; of two, how the first does.
        self._names = {1: ["Axis"], 2: bots[:1]}.get(len(bots), bots)
        self._is_self_play = len(bots) == 1
        self._won = dict.fromkeys(self._names, 0)
        self._games = dict.fromkeys(self._names, 0)
        for game in games:
            self.add(game)

    def add(self, game: Played) -> None:
        for team, bot in (("axis", game.fixture.axis), ("allies", game.fixture.allies)):
            name = team.capitalize() if self._is_self_play else bot
            if name in self._won:
                self._won[name] += game.winner == team
                self._games[name] += 1

    def __str__(self) -> str:
        return "  ".join(
            f"{name} wins {self._won[name] / self._games[name]:.1%}"
            for name in self._names
            if self._games[name]
        )


# -- tables --------------------------------------------------------------------------------


def _print_report(report: Report) -> None:
    # Numbers stay in one line each; names give way where it is narrow.
    table = _table(f"{report.games} games, {report.title}", "Pairing", "Games", "Win rate % [95%]",
                   "Rating [95%]", "VP ahead")  # fmt: skip
    for pairing in report.pairings:
        table.add_row(
            escape(
                f"{pairing.a}: Axis v Allies"
                if pairing.is_self_play
                else f"{pairing.a} v {pairing.b}"
            ),
            str(pairing.games),
            percent(pairing.win_rate),
            points(pairing.rating_difference),
            _signed(pairing.margin),
        )
        if not pairing.is_self_play:
            for team, won in (("Axis", pairing.as_axis), ("Allies", pairing.as_allies)):
                table.add_row(f"  as {team}", "", percent(won), points(as_rating(won)), "")
    console.print(table)
    table = _table(None, "Bot", *["Rating [95%]"] * bool(report.ratings), "Decisions",
                   "s/decision", "Slowest s", "Faults",
                   *["Simulations/s"] * any(b.simulations for b in report.thinking.values())
                   )  # fmt: skip
    for bot, thinking in report.thinking.items():
        row = [escape(bot)]
        if report.ratings:
            row.append(points(report.ratings[bot], most=math.inf))
        row += [f"{thinking.decisions:,}", f"{thinking.seconds_per_decision:.6f}"]
        row += [f"{thinking.slowest:.3f}", str(thinking.faults)]
        if thinking.simulations:
            row.append(f"{thinking.simulations_per_second:,.0f}")
        table.add_row(*row)
    console.print(table)
    for thinking in report.thinking.values():
        if thinking.faults:
            console.print("[red]Bots failed[/]; lower levels stood in for them:")
            for line in told(thinking.reasons):
                console.print(f"  {escape(line)}", highlight=False)
    low, high = (f"{100 * end:.1f}" for end in report.axis_wins[1:])
    console.print(f"Axis wins {report.axis_wins.value:.1%} [{low}, {high}] of all games\n")


def _table(title: str | None, first: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(first, min_width=11)
    for column in columns:
        table.add_column(escape(column), justify="right", no_wrap=True)
    return table


def percent(estimate: Interval) -> str:
    """
    >>> percent(Interval(0.61, 0.5212, 0.692))
    '61.0 [52.1, 69.2]'
    """
    if math.isnan(estimate.value):
        return "-"
    value, low, high = (f"{100 * number:.1f}" for number in estimate)
    return f"{value} [{low}, {high}]"


def points(estimate: Interval, most: float = _MOST) -> str:
    """
    >>> points(Interval(645, 352, math.inf))
    '+645 [+352, >+800]'
    """

    def word(number: float) -> str:
        if abs(number) > most:
            return f">+{most:.0f}" if number > 0 else f"<-{most:.0f}"
        return f"{number:+.0f}"

    if math.isnan(estimate.value):
        return "-"
    value, low, high = map(word, estimate)
    return f"{value} [{low}, {high}]"


def _signed(estimate: Interval) -> str:
    if math.isinf(estimate.low):
        return f"{estimate.value:+.1f}"
    return f"{estimate.value:+.1f} ± {estimate.high - estimate.value:.1f}"
