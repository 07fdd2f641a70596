"""Kills a server under load, again and again, and tells what was lost.

.venv/bin/python tools/kill.py --kills 50
.venv/bin/python tools/kill.py --kills 50 --database postgresql://me@localhost/empty
.venv/bin/python tools/kill.py --kills 50 --database postgres      # one of its own
"""

import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from storm import Storm, own_postgres, rage


@contextmanager
def database(name: str, folder: Path) -> Iterator[str]:
    """The url of a database: a file in a folder, a PostgreSQL started for this, or as given."""
    if name == "sqlite":
        yield f"sqlite:///{folder}/games.db"
    elif name == "postgres":
        with own_postgres() as url:
            yield url
    else:
        yield name


def report(storm: Storm, name: str) -> Table:
    table = Table("", name, title="kill -9 under load", title_justify="left")
    table.add_row("kills", f"{storm.kills}")
    table.add_row("moves acknowledged", f"{storm.moves:,}")
    table.add_row("answers in windows acknowledged", f"{storm.answers:,}")
    table.add_row("sent again for want of an answer", f"{storm.retried}")
    table.add_row("lost", f"{len(storm.lost)}")
    table.add_row("doubled", f"{len(storm.doubled)}")
    table.add_row("other problems", f"{len(storm.problems)}")
    waits = f"{statistics.median(storm.waits):.2f} / {max(storm.waits):.2f}"
    table.add_row("seconds from start to first answer, p50 / max", waits)
    table.add_row("seconds until all tables went on at the end", f"{max(storm.stalls):.1f}")
    return table


def main(
    kills: Annotated[int, typer.Option(min=1, help="How often the server is killed.")] = 50,
    tables: Annotated[int, typer.Option(min=1, help="Tables played at once.")] = 4,
    database_name: Annotated[
        str, typer.Option("--database", help="sqlite, postgres, or a url of an empty one.")
    ] = "sqlite",
    seed: int = 0,
) -> None:
    """Play, kill, start again; then hold what is there against what was acknowledged."""
    with tempfile.TemporaryDirectory() as folder, database(database_name, Path(folder)) as url:
        storm = rage(url, Path(folder), kills, tables, seed)
    console = Console()
    console.print(report(storm, database_name.partition(":")[0]))
    for problem in [*storm.lost, *storm.doubled, *storm.problems]:
        console.print(problem, highlight=False)
    if storm.lost or storm.doubled or storm.problems:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
