"""What the commands share: options, output, errors."""

import json
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from quartermaster.cards.card_sets import load_card_sets
from quartermaster.cards.rule_sets import RULE_SETS
from quartermaster.cli import completion
from quartermaster.errors import QuartermasterError, UnknownName

console = Console()
errors = Console(stderr=True)

RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        "-r",
        help="Rule set: second, first or french.",
        autocompletion=completion.rule_set,
    ),
]
AirMarshalOption = Annotated[
    bool, typer.Option("--air-marshal", help="With the Air Marshal expansion.")
]
OptionOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=on|off",
        help="An option of the rule set; `quartermaster rules` lists them.",
        autocompletion=completion.rule_option,
    ),
]
SetOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--set",
        metavar="FILE.py|NAME",
        help="Add a card set: a Python file, which is run, or the name of an installed one.",
    ),
]
LimitOption = Annotated[
    float | None,
    typer.Option(
        "--limit",
        min=0.001,
        metavar="SECONDS",
        help="How long a decision may take; then a lower level decides. 60 for other programs.",
    ),
]
OnOption = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="here|ray|ray:HOST:PORT|ray://HOST:PORT",
        help="Where the games are played: on this machine, or on a Ray cluster.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]

P = ParamSpec("P")
R = TypeVar("R")


def friendly(command: Callable[P, R]) -> Callable[P, R]:
    """Errors of ours as one line and exit code 2, not as a traceback."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except (QuartermasterError, OSError) as error:
            # One line, however long: a terminal wraps it by itself, and a program can read it.
            told = f"[red]error:[/] {escape(_reason(error))}"
            errors.print(told, highlight=False, soft_wrap=True)
            raise typer.Exit(2) from None

    return run


def _reason(error: QuartermasterError | OSError) -> str:
    """What went wrong; of the system's errors the file and the reason, without their number."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def print_json(data: Any) -> None:
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


def chosen_options(rules: str, air_marshal: bool, given: list[str] | None) -> dict[str, bool]:
    """The options as the command line gives them."""
    if rules not in RULE_SETS:
        raise UnknownName("rule set", rules, RULE_SETS)
    options = {}
    for item in given or []:
        name, _, value = item.partition("=")
        if value not in ("on", "off"):
            raise QuartermasterError(f"--option {item}: expected NAME=on or NAME=off")
        options[name] = value == "on"
    if air_marshal:
        options["air-marshal"] = True
    return options


def chosen_sets(given: list[Path] | None) -> list[str]:
    """The names of the card sets that the command line gives; their code is run."""
    return load_card_sets([str(spec) for spec in given or []])


class ProgressBar:
    """A progress bar on stderr, as a context; `note` is a text behind it that may change."""

    def __init__(self, what: str, total: float, hidden: bool) -> None:
        self._bar = Progress(
            TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            TextColumn("{task.fields[note]}", markup=False),
            console=errors, disable=hidden or not errors.is_terminal, transient=True,
        )  # fmt: skip
        self._task = self._bar.add_task(what, total=total, note="")

    def __enter__(self) -> tuple[Progress, TaskID]:
        self._bar.start()
        return self._bar, self._task

    def __exit__(self, *_: object) -> None:
        self._bar.stop()
