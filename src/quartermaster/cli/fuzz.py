"""`fuzz`: random and hostile play, to find what is wrong with the rules."""

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from quartermaster.cards.rule_sets import load_rules
from quartermaster.cli import completion
from quartermaster.cli.common import (
    JsonOption,
    ProgressBar,
    console,
    errors,
    friendly,
    print_json,
)
from quartermaster.errors import QuartermasterError
from quartermaster.lab.checks.fuzz import fuzz_games


@friendly
def fuzz(
    seconds: Annotated[float, typer.Option(min=0, help="How long.")] = 60,
    seed: Annotated[int, typer.Option(help="The first game's seed.")] = 0,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            "-r",
            help="Only this rule set; else all.",
            autocompletion=completion.rule_set,
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="Where findings are written, as records.")] = Path(
        "findings"
    ),
    as_json: JsonOption = False,
) -> None:
    """Random and hostile play with all invariants on; findings are written as records."""
    if rules is not None:
        load_rules(rules)
    _check_folder(out)
    games = 0
    actions = 0
    findings: list[Path] = []
    with ProgressBar("seconds", seconds, hidden=as_json) as (progress, task):
        for step in fuzz_games(seconds, seed, rules, out):
            games = step.games
            actions = step.actions
            if step.finding is not None:
                findings.append(step.finding)
                if not as_json:
                    reason = escape(f"{step.reason}\n  written to {step.finding}")
                    errors.print(f"[red]finding:[/] {reason}")
            progress.update(task, completed=min(seconds, step.seconds))
    if as_json:
        print_json(
            {"games": games, "actions": actions, "findings": [str(path) for path in findings]}
        )
    else:
        console.print(f"{games} games, {actions} actions, {len(findings)} findings")
    if findings:
        raise typer.Exit(1)


def _check_folder(path: Path) -> None:
    """Whether files can be written there later; it is made when there is one to write."""
    there = path
    while not there.exists():
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise QuartermasterError(f"--out {path}: {there} is no folder that can be written to")
