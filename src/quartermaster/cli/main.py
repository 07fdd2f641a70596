"""The command line's entry."""

import platform
from typing import Annotated

import typer

from quartermaster.cli import admin, arena, backup, files, listings, play, running, serve
from quartermaster.lab.bench import is_compiled
from quartermaster.version import VERSION

app = typer.Typer(
    no_args_is_help=True,
    help="Quartermaster: play, simulate and inspect the board game Quartermaster General."
    " An unofficial fan work.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        mode = "compiled" if is_compiled() else "interpreted"
        typer.echo(f"quartermaster {VERSION} ({mode}, Python {platform.python_version()})")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


app.command()(play.play)
app.command()(serve.serve)
app.command()(serve.migrate)
app.command()(backup.backup)
app.command()(backup.restore)
app.command()(running.simulate)
app.command()(arena.arena)
app.command()(listings.bots)
app.command()(listings.cards)
app.command()(listings.board)
app.command()(listings.rules)
app.command()(listings.languages)
app.command()(files.scenario)
app.command()(files.replay)
app.command()(files.verify)
app.command()(running.bench)
app.command()(running.fuzz)
app.add_typer(admin.admin, name="admin")
