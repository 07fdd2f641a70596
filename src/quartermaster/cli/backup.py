"""`backup` and `restore`: all that a server keeps, in one file."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from quartermaster.cli.common import console, friendly
from quartermaster.cli.serve import needs_server


@friendly
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; none may be there yet.")],
) -> None:
    """Back up games, people and the secret into one file, while the server runs.

    The database is the one of DATABASE_URL, as for `serve`.
    """
    with needs_server():
        from quartermaster.server.settings import database_url
        from quartermaster.server.store.backups import back_up
    listed = back_up(database_url(), file)
    _tell(f"Backed up and checked: {listed.contents}, in {file}")
    if listed.is_postgres:
        _tell("QUARTERMASTER_SECRET is not in it: keep that too, or everybody is signed out.")


@friendly
def restore(
    file: Annotated[Path, typer.Argument(help="A file that `quartermaster backup` wrote.")],
) -> None:
    """Put a backup in place of the database; stop the server first.

    The database that was there is kept aside.
    """
    with needs_server():
        from quartermaster.server.settings import database_url
        from quartermaster.server.store import backups
    listed, aside = backups.restore(database_url(), file)
    made = time.strftime("%Y-%m-%d %H:%M", time.localtime(listed.made_at))
    _tell(f"Restored and checked: {listed.contents}, as of {made}")
    if aside is not None:
        _tell(f"What was there before is kept in {aside}")


def _tell(line: str) -> None:
    console.print(escape(line), highlight=False, soft_wrap=True)
