"""The command line's entry."""

import os
import platform
import re
from typing import Annotated

import typer

from quartermaster.cli import (
    admin,
    arena,
    backup,
    bench,
    completion,
    data,
    files,
    fuzz,
    listings,
    play,
    serve,
    simulate,
)
from quartermaster.cli.common import friendly
from quartermaster.errors import UnknownName
from quartermaster.lab.bench import is_compiled
from quartermaster.speech.say import ENGLISH, known_language, languages, speaking
from quartermaster.version import VERSION

# Where systems say which language their user reads; the first that is set counts.
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

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
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    lang: Annotated[
        str | None,
        typer.Option(
            help="The language of games, cards and rules; that of the system if left out.",
            autocompletion=completion.language,
        ),
    ] = None,
) -> None:
    context.with_resource(speaking(_language(lang)))


@friendly
def _language(asked: str | None) -> str:
    """The language that is asked for; else the system's, if there is a catalogue in it."""
    if asked is None:
        # Such as es_ES.UTF-8, or several: es:fr.
        wish = next(filter(None, map(os.environ.get, _VARIABLES)), "")
        return known_language(re.split(r"[.@]", one)[0] for one in wish.split(":")) or ENGLISH
    found = known_language([asked])
    if found is None:
        raise UnknownName("language", asked, languages())
    return found


app.command()(play.play)
app.command()(serve.serve)
app.command()(serve.migrate)
app.command()(backup.backup)
app.command()(backup.restore)
app.command()(simulate.simulate)
app.command()(arena.arena)
app.command()(data.stats)
app.command()(data.arrays)
app.command()(listings.bots)
app.command()(listings.cards)
app.command()(listings.board)
app.command()(listings.rules)
app.command()(listings.languages)
app.command()(files.scenario)
app.command()(files.replay)
app.command()(files.verify)
app.command()(bench.bench)
app.command()(fuzz.fuzz)
app.add_typer(admin.admin, name="admin")
