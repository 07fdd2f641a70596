"""Games on file: JSON lines or Parquet, written as they are played, gone on with when cut off.

The rows of a file are in the order of their numbers, whoever played them when. So a file that was
cut off is a beginning of the whole one, and when it has been gone on with nobody can tell.
A Parquet file can only be written whole: until all games are there, they lie beside it as JSON
lines.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from quartermaster.errors import BrokenFile, QuartermasterError, show, why_unreadable
from quartermaster.lab.games import Row, check_row, row_of_record

ENDINGS = (".jsonl", ".parquet")
_BATCH = 500  # games that are in memory at once, and in a group of a Parquet file
_START = b'{"game": '


def line_of(row: Row) -> bytes:
    """A row as a line of a file."""
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def check_games_path(path: Path) -> None:
    """Refuse now what would fail after hours of games."""
    if path.suffix not in ENDINGS:
        raise QuartermasterError(f"--out {path}: expected a file that ends in .jsonl or .parquet")
    if not path.parent.is_dir():
        raise QuartermasterError(f"--out {path}: there is no folder {path.parent}")
    if path.suffix == ".parquet":
        _arrow()


class GamesFile:
    """The file of a series of games: `rows` were there, `add` adds the next ones.

    `alike` is what all of its rows must say: a file of other games is refused, and stays.
    """

    def __init__(self, path: Path, alike: Mapping[str, Any], seed: int) -> None:
        self._path = path
        self._alike = dict(alike)
        self._seed = seed
        self._lines = path if path.suffix == ".jsonl" else path.with_name(path.name + ".jsonl")
        self.count = 0
        if path.suffix == ".parquet" and path.exists() and not self._lines.exists():
            self._unpack()
        end = self._check() if self._lines.exists() else 0
        self._file = self._lines.open("ab")
        self._file.truncate(end)

    @property
    def rows(self) -> Iterator[Row]:
        """The games that are in the file."""
        self._file.flush()
        yield from _read_lines(self._lines)

    def add(self, lines: Iterable[bytes]) -> None:
        """Write the next games, given as lines."""
        for line in lines:
            self._file.write(line)
            self.count += 1
        self._file.flush()

    def close(self, is_whole: bool) -> None:
        """End; where all games are there, a Parquet file is made of them."""
        self._file.close()
        if is_whole and self._path.suffix == ".parquet":
            write_parquet(self._path, _read_lines(self._lines))
            self._lines.unlink()

    def _unpack(self) -> None:
        """Lay the games of a Parquet file beside it, to go on with them."""
        aside = self._lines.with_name(self._lines.name + ".new")
        with aside.open("wb") as file:
            for row in read_parquet(self._path):
                file.write(line_of(row))
        aside.replace(self._lines)

    def _check(self) -> int:
        """Where the last whole game of the file ends; every one is the next of this series."""
        end = 0
        with self._lines.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    if not line.startswith(_START[: len(line)]):
                        raise BrokenFile(str(self._lines), number, "no game begins like this")
                    break  # it was cut off here
                row = _row(line, self._lines, number)
                self._compare(row, number)
                end += len(line)
                self.count += 1
        return end

    def _compare(self, row: Row, line: int) -> None:
        wanted = {**self._alike, "game": self.count, "seed": self._seed + self.count}
        for key, value in wanted.items():
            found = row[key]  # type: ignore[literal-required]
            if found != value:
                raise BrokenFile(
                    str(self._lines), line,
                    f"it holds other games: {key} is {show(found)}, not {show(value)};"
                    " go on as it was begun, or name another file",
                )  # fmt: skip


# -- reading -------------------------------------------------------------------------------


def read_games(paths: Iterable[Path]) -> Iterator[Row]:
    """The games of files and of all files in folders: those of `simulate`, and records of games
    that are over (`.txt`). Those that are not over are left out."""
    for number, path in enumerate(_files(paths)):
        if path.suffix == ".jsonl":
            yield from _read_lines(path)
        elif path.suffix == ".parquet":
            yield from read_parquet(path)
        else:
            try:
                text = path.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                raise BrokenFile(str(path), None, why_unreadable(error)) from None
            row = row_of_record(text, str(path), number)
            if row is not None:
                yield row


def _files(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for end in (*ENDINGS, ".txt") for p in path.rglob(f"*{end}"))
            if not inside:
                raise BrokenFile(str(path), None, "no .jsonl, .parquet or .txt files in it")
            found += inside
        elif not path.exists():
            raise BrokenFile(str(path), None, "there is no such file or folder")
        elif path.suffix not in (*ENDINGS, ".txt"):
            raise BrokenFile(str(path), None, "expected a .jsonl, .parquet or .txt file")
        else:
            found.append(path)
    return found


def _read_lines(path: Path) -> Iterator[Row]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n") and line.startswith(_START[: len(line)]):
                return  # cut off: whoever writes it may be at it now
            yield _row(line, path, number)


def _row(line: bytes, path: Path, number: int) -> Row:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BrokenFile(str(path), number, f"no JSON: {error}") from None
    return check_row(data, str(path), number)


# -- Parquet -------------------------------------------------------------------------------


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise QuartermasterError(
            "Parquet needs pyarrow: pip install 'quartermaster-game[data]'"
        ) from None
    return pyarrow, pyarrow.parquet


def _schema(arrow: Any) -> Any:
    text, number, flag = arrow.string(), arrow.int32(), arrow.bool_()
    numbers = arrow.list_(number)
    teams = arrow.struct([("axis", number), ("allies", number)])
    card = arrow.struct([("country", text), ("verb", text), ("card", text)])
    turn = arrow.struct(
        [
            ("round", number), ("turn", text), ("vp", teams), ("armies", numbers),
            ("navies", numbers), ("hand", numbers), ("deck", numbers), ("cards", arrow.list_(card)),
        ]
    )  # fmt: skip
    return arrow.schema(
        [
            ("game", arrow.int64()), ("seed", text), ("rules", text),
            ("options", arrow.map_(text, flag)), ("sets", arrow.list_(text)),
            ("seats", arrow.list_(arrow.list_(text))), ("bots", arrow.list_(text)),
            ("winner", text), ("score", teams), ("rounds", number), ("decisions", number),
            ("faults", number), ("turns", arrow.list_(turn)), ("record", text),
        ]
    )  # fmt: skip


def write_parquet(path: Path, rows: Iterable[Row]) -> None:
    """All of a file at once: it is there whole, or not at all."""
    arrow, parquet = _arrow()
    schema = _schema(arrow)
    aside = path.with_name(path.name + ".new")
    try:
        with parquet.ParquetWriter(aside, schema, compression="zstd") as writer:
            batch: list[dict[str, Any]] = []
            for row in rows:
                # A seed may be a number of any size, or 64 hexadecimal digits: text holds both.
                options = list(row["options"].items())
                batch.append({**row, "seed": str(row["seed"]), "options": options})
                if len(batch) == _BATCH:
                    writer.write_table(arrow.Table.from_pylist(batch, schema))
                    batch = []
            if batch:
                writer.write_table(arrow.Table.from_pylist(batch, schema))
        aside.replace(path)
    finally:
        with suppress(OSError):
            aside.unlink()


def read_parquet(path: Path) -> Iterator[Row]:
    arrow, parquet = _arrow()
    try:
        file = parquet.ParquetFile(path)
        if not file.schema_arrow.equals(_schema(arrow)):
            raise BrokenFile(str(path), None, "its columns are not those of simulate")
        batches = file.iter_batches(_BATCH)
        for batch in batches:
            for data in batch.to_pylist():
                seed = data["seed"]
                data["seed"] = int(seed) if len(seed) < 64 else seed
                data["options"] = dict(data["options"])
                yield check_row(data, str(path), None)
    except arrow.ArrowInvalid as error:
        raise BrokenFile(str(path), None, f"no Parquet: {error}") from None
