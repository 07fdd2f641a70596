"""`scenario`, `replay` and `verify`: files that people write and send."""

from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from quartermaster.cli import completion
from quartermaster.cli.common import (
    JsonOption,
    SetOption,
    chosen_sets,
    console,
    friendly,
    print_json,
)
from quartermaster.errors import BrokenFile, QuartermasterError, why_unreadable
from quartermaster.fairness import Verdict
from quartermaster.fairness import verify as check_deal
from quartermaster.forms.deals import is_hex
from quartermaster.game import Game
from quartermaster.lab.scenario import Result, load_scenarios


@friendly
def scenario(
    files: Annotated[list[Path], typer.Argument(help="Scenario files, or folders of them.")],
    card_set: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run scenarios; say what was expected and what came."""
    chosen_sets(card_set)
    results = []
    for path in _files(files):
        results += _run_file(path)
    failed = [result for result in results if not result.is_passed]
    if as_json:
        print_json(
            [
                {
                    "file": result.source,
                    "line": result.line,
                    "name": result.name,
                    "passed": result.is_passed,
                    "broken": result.broken,
                    "failures": [vars(failure) for failure in result.failures],
                }
                for result in results
            ]
        )
    else:
        for result in results:
            mark = "[green]ok  [/]" if result.is_passed else "[red]FAIL[/]"
            _tell(f"{mark} {escape(result.name)}")
            if result.broken is not None:
                _tell(f"     {escape(result.broken)}")
            for failure, after in zip_longest(result.failures, result.failures[1:]):
                _tell(escape(f"     {result.source}, line {failure.line}"))
                _tell(f"       expected {escape(failure.expected)}")
                _tell(f"       found    {escape(failure.found)}")
                if failure.since and (after is None or after.since != failure.since):
                    _tell("       what happened since the last action of the script:")
                    for entry in failure.since:
                        _tell(f"         {escape(entry)}")
        console.print(f"{len(results) - len(failed)} of {len(results)} scenarios passed")
    if failed:
        raise typer.Exit(2 if any(result.broken for result in failed) else 1)


def _tell(line: str) -> None:
    """Print a line that may hold a path: whole, for people and editors to click on."""
    console.print(line, highlight=False, soft_wrap=True)


def _files(paths: list[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted({*path.rglob("*.yaml"), *path.rglob("*.yml")})
            if not inside:
                raise BrokenFile(str(path), None, "no scenario files in this folder")
            found += inside
        else:
            found.append(path)
    return found


def _run_file(path: Path) -> list[Result]:
    """The results of a file; what is broken in it counts as failed, the rest still runs."""
    results = []
    try:
        for item in load_scenarios(path):
            try:
                results.append(item.run())
            except BrokenFile as error:
                results.append(_broken(item.name, error))
    except BrokenFile as error:
        results.append(_broken(str(path), error))
    return results


def _broken(name: str, error: BrokenFile) -> Result:
    return Result(name, error.source, error.line or 0, broken=str(error))


@friendly
def replay(
    record: Annotated[Path, typer.Argument(help="A game record.")],
    viewer: Annotated[
        str | None,
        typer.Option(
            "--as",
            help="A country whose knowledge the log keeps to; else all is told.",
            autocompletion=completion.country,
        ),
    ] = None,
    to: Annotated[int | None, typer.Option(min=0, help="Stop after so many actions.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Replay a record and print what happened."""
    game = load_record(record, to)
    entries = game.events if viewer is None else list(game.log(viewer))
    if as_json:
        print_json(_summary(game, [entry.text for entry in entries], viewer))
        return
    for entry in entries:
        is_head = entry.what in ("turn", "round")
        console.print(f"\n{escape(entry.text)}" if is_head else f"  {escape(entry.text)}",
                      highlight=False)  # fmt: skip
    console.print(f"\n{len(game.history)} actions; {_standing(game, viewer)}")


@friendly
def verify(
    record: Annotated[Path, typer.Argument(help="The record of a game that is over.")],
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help="What the table showed before the deal.")
    ] = None,
    contribution: Annotated[
        str | None, typer.Option(metavar="HEX", help="What your own client added.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check that nobody chose the cards of a game. Exit code 0: fair; 1: not; 2: it cannot be
    checked."""
    for name, given in (("commitment", commitment), ("contribution", contribution)):
        if given is not None and not is_hex(given.lower()):
            raise QuartermasterError(f"--{name}: expected 64 hexadecimal digits, got {given!r}")
    verdict = check_deal(_text(record), str(record), commitment, contribution)
    if as_json:
        print_json(_verdict(verdict))
    else:
        for check in verdict.checks:
            mark = "[green]ok  [/]" if check.is_right else "[red]FAIL[/]"
            console.print(f"{mark} {escape(check.text)}", highlight=False)
        if verdict.deal is not None:
            seats = [str(seat) for seat, _ in verdict.deal.contributions]
            added = f"by the seats {', '.join(seats)}" if seats else "by nobody"
            console.print(f"commitment {verdict.deal.commitment}; added to {added}")
            if verdict.goes_on:
                console.print(f"goes on from a record: checked from action {verdict.since} on")
        if verdict.result == "fair" and commitment is None:
            console.print("checked against itself alone: give the --commitment you noted before")
        console.print(str(verdict), highlight=False)
    raise typer.Exit({"fair": 0, "unfair": 1, "unknown": 2}[verdict.result])


def _verdict(verdict: Verdict) -> dict[str, Any]:
    deal = verdict.deal
    return {
        "result": verdict.result,
        "reason": verdict.reason,
        "checks": [vars(check) for check in verdict.checks],
        "since": verdict.since,
        "goes_on": verdict.goes_on,
        "commitment": None if deal is None else deal.commitment,
        "contributions": [] if deal is None else [list(item) for item in deal.contributions],
    }


def load_record(path: Path, to: int | None = None) -> Game:
    """The game of a record file, up to an action."""
    return Game.from_record(_text(path), str(path), to)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BrokenFile(str(path), None, why_unreadable(error)) from None


def _decision(game: Game, viewer: str | None) -> str | None:
    """What the game waits for, as far as the viewer may know."""
    if game.is_over:
        return None
    view = game.view(viewer)
    if viewer is None or view.decision is not None:
        return str(game.decision)
    return view.waiting_for or "a reaction"


def _standing(game: Game, viewer: str | None) -> str:
    score = game.view(None).score_text
    if game.is_over:
        return f"{score}; the {game.winner} won in round {game.round}"
    return f"{score}; round {game.round}, waiting for {_decision(game, viewer)}"


def _summary(game: Game, log: list[str], viewer: str | None) -> dict[str, Any]:
    return {
        "rules": game.rules,
        "options": game.options,
        "seats": game.seats,
        "actions": len(game.history),
        "round": game.round,
        "score": game.score,
        "winner": game.winner,
        "decision": _decision(game, viewer),
        "view": game.view(viewer).to_dict(),
        "log": log,
    }
