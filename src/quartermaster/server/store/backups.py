"""Backups: all that a server keeps, in one file, taken while it runs, and put back.

A backup is a zip with `backup.json` (what it holds, and a digest of it), the database as one
file (a copy by SQLite itself, or what pg_dump writes), and the secret where it lies beside the
database. Both ends are checked: the copy before it gets its name, and again before it replaces
anything. What is replaced is kept aside.
"""

import errno
import hashlib
import os
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
from sqlalchemy import Connection, func, inspect, make_url, select, text

from quartermaster.errors import QuartermasterError
from quartermaster.server.store.databases import is_postgres, postgres_dsn, sqlite_file
from quartermaster.server.store.migrate import check_ours, current, run, saying_what_is_wrong
from quartermaster.server.store.running import only_server
from quartermaster.server.store.schema import events, games, users
from quartermaster.server.table import events as ev
from quartermaster.server.table.table import Table
from quartermaster.version import VERSION

FORMAT = 1
_LIST, _SECRET, _DATABASE = "backup.json", "secret", "database"
# What reading a damaged zip raises, besides an OSError where it would seek to a place before 0.
_UNREADABLE = (
    zipfile.BadZipFile, zlib.error, struct.error, KeyError, EOFError, ValueError,
    NotImplementedError, RuntimeError, msgspec.MsgspecError,
)  # fmt: skip


class Contents(msgspec.Struct, frozen=True):
    """What a database holds; the same before and after."""

    people: int
    games: int
    in_play: int
    events: int

    def __str__(self) -> str:
        return (
            f"{self.games} games ({self.in_play} in play) with {self.events} events,"
            f" {self.people} people"
        )


class Listed(msgspec.Struct, frozen=True):
    """The head of a backup."""

    format: int
    version: str
    made_at: float
    is_postgres: bool
    revision: str
    digest: str
    contents: Contents


def back_up(url: str, target: Path) -> Listed:
    """Write all that a database holds into a file, while servers may go on writing to it."""
    if target.exists():
        raise QuartermasterError(f"{target} is there already: choose another name")
    if not is_postgres(url) and not sqlite_file(url).exists():
        raise QuartermasterError(f"there is no database {sqlite_file(url)}")
    revision = current(url)
    if revision is None:
        raise QuartermasterError("there is nothing to back up: the database is empty")
    target.parent.mkdir(parents=True, exist_ok=True)
    with _beside(target) as folder:
        copy, draft = folder / _DATABASE, folder / "draft"
        if is_postgres(url):
            contents = run(url, lambda connection: _dump(connection, url, copy))
        else:
            _copy_sqlite(sqlite_file(url), copy)
            contents = check_sqlite(copy)
        listed = Listed(FORMAT, VERSION, time.time(), is_postgres(url), revision, _digest(copy),
                        contents)  # fmt: skip
        with zipfile.ZipFile(draft, "x", zipfile.ZIP_DEFLATED) as file:
            file.writestr(_LIST, msgspec.json.encode(listed))
            file.write(copy, _DATABASE)
            secret = _secret_file(url)
            if secret is not None and secret.exists():
                file.write(secret, _SECRET)
        draft.chmod(0o600)  # passwords and the secret are in it
        _to_disk(draft)
        draft.replace(target)
        _to_disk(target.parent)
    return listed


def restore(url: str, source: Path) -> tuple[Listed, Path | None]:
    """Put a backup in place of a database that no server uses; where that is kept now.

    However this is interrupted, the database is the old or the new one, whole.
    """
    near = source if is_postgres(url) else sqlite_file(url)
    near.parent.mkdir(parents=True, exist_ok=True)
    with _beside(near) as folder:
        listed, has_secret = _unpack(source, folder)
        if listed.is_postgres != is_postgres(url):
            raise QuartermasterError(
                f"{source} is of {_kind(listed.is_postgres)}, and DATABASE_URL names a database"
                f" of {_kind(is_postgres(url))}"
            )
        if is_postgres(url):
            return listed, _restore_postgres(url, folder, source, listed)
        if check_sqlite(folder / _DATABASE) != listed.contents:
            raise QuartermasterError(f"{source} does not hold what it says")
        with only_server(url, "quartermaster restore"):
            return listed, _replace_sqlite(sqlite_file(url), folder, has_secret)


def check(connection: Connection) -> Contents:
    """Count what there is; refuse a database where events are missing or do not replay."""
    counted = (
        select(events.c.game_id, func.count().label("n"), func.max(events.c.seq).label("last"))
        .group_by(events.c.game_id)
        .subquery()
    )
    broken = connection.execute(
        select(games.c.id)
        .join(counted, counted.c.game_id == games.c.id, isouter=True)
        .where(
            (func.coalesce(counted.c.n, 0) != games.c.seq)
            | (func.coalesce(counted.c.last, 0) != games.c.seq)
        )
    ).scalars()
    for id in broken:
        raise QuartermasterError(f"the database is damaged: events of the game {id} are missing")
    playing = connection.execute(select(games.c.id).where(games.c.status == "playing")).scalars()
    going_on = list(playing)
    for id in going_on:
        _replay(connection, id)
    return Contents(
        people=connection.execute(select(func.count()).select_from(users)).scalar_one(),
        games=connection.execute(select(func.count()).select_from(games)).scalar_one(),
        in_play=len(going_on),
        events=connection.execute(select(func.count()).select_from(events)).scalar_one(),
    )


def _replay(connection: Connection, id: str) -> None:
    table = Table(id)
    rows = connection.execute(
        select(events.c.data, events.c.user_id, events.c.at)
        .where(events.c.game_id == id)
        .order_by(events.c.seq)
    )
    try:
        for data, user, at in rows:
            table.add(ev.decode(data), user, at)
    except Exception as error:
        raise QuartermasterError(
            f"the database is damaged: the game {id} does not replay ({error})"
        ) from error


# -- SQLite ----------------------------------------------------------------------------


def check_sqlite(file: Path) -> Contents:
    """What a file holds; refuse one that is damaged."""
    url = f"sqlite:///{file}"
    with saying_what_is_wrong(url):
        with closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
            found = [row[0] for row in database.execute("PRAGMA integrity_check")]
            orphans = database.execute("PRAGMA foreign_key_check").fetchall()
        if found != ["ok"] or orphans:
            raise QuartermasterError(f"{file} is damaged: {(found + orphans)[0]}")

        def look(connection: Connection) -> Contents:
            check_ours(connection, url)
            return check(connection)

        contents = run(url, look)
    with closing(sqlite3.connect(file)) as database:  # opening it has given it a log again
        database.execute("PRAGMA journal_mode=DELETE")
    return contents


def _copy_sqlite(file: Path, copy: Path) -> None:
    """Copy a database as it is at one moment, with what the log of a server that died holds."""
    with (
        saying_what_is_wrong(f"sqlite:///{file}"),
        closing(sqlite3.connect(file, timeout=30)) as database,
        closing(sqlite3.connect(copy)) as other,
    ):
        database.backup(other)
    _to_disk(copy)


def _replace_sqlite(file: Path, folder: Path, has_secret: bool) -> Path | None:
    """Put a file in the place of a database, in steps such that a kill between any two leaves one
    whole database."""
    aside = None
    if file.exists():
        aside = _new_folder(file.with_name(f"before-restore-{time.strftime('%Y%m%d-%H%M%S')}"))
        _fold_log(file)
        _link(file, aside / file.name)
        # A log that belongs to the old database would be taken for the new one's.
        for suffix in ("-wal", "-shm", "-journal"):
            beside = file.with_name(file.name + suffix)
            if beside.exists():
                beside.replace(aside / beside.name)
        _to_disk(aside)
    secret = file.with_name(_SECRET)
    if has_secret:
        if aside is not None and secret.exists():
            _link(secret, aside / _SECRET)
        (folder / _SECRET).chmod(0o600)
        (folder / _SECRET).replace(secret)
    (folder / _DATABASE).chmod(0o600)
    (folder / _DATABASE).replace(file)
    _to_disk(file.parent)
    return aside


def _fold_log(file: Path) -> None:
    """Move what the log of a dead server holds into its database: then the file alone is whole.
    In one that is damaged the log stays as it is, and goes aside with it."""
    try:
        with closing(sqlite3.connect(file, timeout=5)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error:
        pass


def _link(file: Path, other: Path) -> None:
    try:
        os.link(file, other)
    except OSError:  # a file system without links
        shutil.copy2(file, other)
        _to_disk(other)


# -- PostgreSQL ------------------------------------------------------------------------


def _dump(connection: Connection, url: str, copy: Path) -> Contents:
    """Have the database written to a file, and count what is in it. Both look at it as it is at
    one moment, for people play on."""
    connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))
    moment = connection.execute(text("SELECT pg_export_snapshot()")).scalar_one()
    contents = check(connection)
    options = ("--format=custom", "--no-owner", f"--snapshot={moment}", f"--file={copy}")
    _postgres_tool("pg_dump", url, *options)
    return contents


def _restore_postgres(url: str, folder: Path, source: Path, listed: Listed) -> Path | None:
    busy = run(url, _others)
    if busy:
        raise QuartermasterError(
            f"{busy} other connections use the database: stop every server first"
        )
    aside = None
    if current(url) is not None:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        aside = source.with_name(f"before-restore-{stamp}.zip")
        back_up(url, aside)
    # All in one transaction: it is done whole or not at all. What is there goes first, also tables
    # that the backup does not know of: they would be in the way of whatever made them.
    gone, script = folder / "gone.sql", folder / "script.sql"
    gone.write_text(run(url, _drop_all))
    _postgres_tool("pg_restore", None, "--no-owner", "--no-privileges", f"--file={script}",
                   str(folder / _DATABASE))  # fmt: skip
    options = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction")
    _postgres_tool("psql", url, *options, f"--file={gone}", f"--file={script}")
    if run(url, check) != listed.contents:
        raise QuartermasterError(f"{source} does not hold what it says; see {aside}")
    return aside


def _drop_all(connection: Connection) -> str:
    """The statements that take all tables of a database away."""
    quote = connection.dialect.identifier_preparer.quote
    names = inspect(connection).get_table_names()
    return "".join(f"DROP TABLE {quote(name)} CASCADE;\n" for name in names)


def _others(connection: Connection) -> int:
    found: int = connection.execute(
        text(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
    ).scalar_one()
    return found


def _postgres_tool(name: str, url: str | None, *arguments: str) -> None:
    """Run a program of PostgreSQL, on a database if one is named; its password is not for others to
    see in the list of processes."""
    program = shutil.which(name)
    if program is None:
        raise QuartermasterError(
            f"{name} is not here: install PostgreSQL's client programs (on Debian"
            " postgresql-client), of the server's version or later"
        )
    environ = dict(os.environ)
    if url is not None:
        parsed = make_url(postgres_dsn(url))
        if parsed.password is not None:
            environ["PGPASSWORD"] = str(parsed.password)
        bare = parsed.set(password=None).render_as_string(hide_password=False)
        arguments = (f"--dbname={bare}", *arguments)
    done = subprocess.run([program, *arguments], env=environ, capture_output=True, text=True)
    if done.returncode:
        raise QuartermasterError(f"{name} failed: {done.stderr.strip()}")


# -- files -----------------------------------------------------------------------------


def _unpack(source: Path, folder: Path) -> tuple[Listed, bool]:
    """Put what is in a backup into a folder; its head, and whether there is a secret in it."""
    try:
        with zipfile.ZipFile(source) as file:
            listed = msgspec.json.decode(file.read(_LIST), type=Listed)
            if listed.format > FORMAT:
                raise QuartermasterError(
                    f"{source} was made by a newer version of Quartermaster ({listed.version})"
                )
            has_secret = _SECRET in file.namelist()
            for name in (_DATABASE, _SECRET) if has_secret else (_DATABASE,):
                with file.open(name) as inside, open(folder / name, "xb") as outside:
                    shutil.copyfileobj(inside, outside)
                _to_disk(folder / name)
    except QuartermasterError:
        raise
    except (*_UNREADABLE, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            raise
        raise QuartermasterError(f"{source} is no backup, or damaged: {error}") from None
    if _digest(folder / _DATABASE) != listed.digest:
        raise QuartermasterError(f"{source} is damaged: its database is not what was written")
    return listed, has_secret


def _kind(is_postgres: bool) -> str:
    return "PostgreSQL" if is_postgres else "SQLite"


def _secret_file(url: str) -> Path | None:
    return None if is_postgres(url) else sqlite_file(url).with_name(_SECRET)


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """A folder on the same disk, so that what is in it can take a file's place at once."""
    with tempfile.TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as folder:
        yield Path(folder)


def _new_folder(wanted: Path) -> Path:
    number = 1
    folder = wanted
    while folder.exists():
        number += 1
        folder = wanted.with_name(f"{wanted.name}-{number}")
    folder.mkdir(mode=0o700)
    return folder


def _digest(file: Path) -> str:
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    if path.is_dir() and os.name != "posix":
        return
    number = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)
