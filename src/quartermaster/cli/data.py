"""`stats` and `arrays`: what is made of games on file."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from quartermaster.cli.common import (
    JsonOption,
    SetOption,
    chosen_sets,
    console,
    errors,
    friendly,
    print_json,
)
from quartermaster.cli.stats_page import stats_page
from quartermaster.errors import QuartermasterError
from quartermaster.lab.games import Row
from quartermaster.lab.games_file import read_games
from quartermaster.lab.stats import make_stats
from quartermaster.speech.say import say

GamesArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="GAMES...",
        help="Files of `simulate --out`, records, or folders of either.",
        show_default=False,
    ),
]


@friendly
def stats(
    games: GamesArgument,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write a page with plots and tables.")
    ] = None,
    card_set: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Statistics of sides, openings and cards over games, with 95% intervals."""
    chosen_sets(card_set)
    if out is None and not as_json:
        raise QuartermasterError("expected --out FILE.html for a page, or --json for the numbers")
    if out is not None:
        if out.suffix not in (".html", ".htm"):
            raise QuartermasterError(f"--out {out}: expected a file that ends in .html")
        if not out.parent.is_dir():
            raise QuartermasterError(f"--out {out}: there is no folder {out.parent}")
    found = make_stats(_counted(read_games(games), as_json))
    if out is not None:
        out.write_text(stats_page(found), encoding="utf-8")
    if as_json:
        print_json([one.to_dict() for one in found])
    else:
        count = sum(one.games for one in found)
        console.print(say("stats.written", n=count, path=out), highlight=False, markup=False)


@friendly
def arrays(
    games: GamesArgument,
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE.npz|FOLDER",
            help="Where to write: one file, or a folder with 200 games in each of its files.",
        ),
    ],
    card_set: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Turn games into arrays to learn from: observations, legal actions, choices, results."""
    chosen_sets(card_set)
    if not out.parent.is_dir():
        raise QuartermasterError(f"--out {out}: there is no folder {out.parent}")
    if out.suffix and out.suffix != ".npz":
        raise QuartermasterError(f"--out {out}: expected a file that ends in .npz, or a folder")
    try:
        from quartermaster.lab.arrays import write_arrays
    except ImportError:
        raise QuartermasterError(
            "arrays needs numpy: pip install 'quartermaster-game[lab]'"
        ) from None
    written = []
    for path, count in write_arrays(out, _counted(read_games(games), as_json)):
        written.append({"file": str(path), "decisions": count})
        if not as_json:
            told = say("arrays.written", path=path, n=count)
            console.print(told, highlight=False, markup=False)
    if as_json:
        print_json(written)


def _counted(rows: Iterable[Row], is_quiet: bool) -> Iterator[Row]:
    """The rows, with their number on a terminal as they are read."""
    if is_quiet or not errors.is_terminal:
        yield from rows
        return
    with errors.status(say("stats.reading", n=0)) as status:
        for number, row in enumerate(rows, 1):
            status.update(say("stats.reading", n=number))
            yield row
