"""Brings a database to the newest schema."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TypeVar

import asyncpg  # type: ignore[import-untyped]
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from quartermaster.errors import QuartermasterError
from quartermaster.server.settings import hide_password
from quartermaster.server.store.databases import (
    is_postgres,
    make_postgres_engine,
    make_sqlite_engine,
    sqlite_file,
)

T = TypeVar("T")

LOCK = 0x51554152  # any number, as long as nothing else in the database locks it
WAIT = 60.0  # seconds that SQLite waits for another worker to finish migrating

_in_this_process = Lock()  # alembic keeps the migration that runs in a global


def upgrade(url: str, to: str = "head") -> None:
    """Migrate to a revision. Does nothing where the database has it already.

    Several workers may do this at once: one migrates, the others wait for it. All is done in
    one transaction, so that a migration that fails leaves nothing behind. Within a running
    event loop, call it in a thread.
    """

    def migrate(connection: Connection) -> None:
        if is_postgres(url):
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        config = _config()
        check_ours(connection, url)
        config.attributes["connection"] = connection
        command.upgrade(config, to)

    with _in_this_process, saying_what_is_wrong(url):
        run(url, migrate, writes=True)


def current(url: str) -> str | None:
    """The revision a database has; none when it is empty or not there."""

    def look(connection: Connection) -> str | None:
        return MigrationContext.configure(connection).get_current_revision()

    if not is_postgres(url) and not sqlite_file(url).exists():
        return None
    with saying_what_is_wrong(url):
        return run(url, look)


def known_revisions() -> set[str]:
    """The forms of the database that this version knows."""
    return {one.revision for one in ScriptDirectory.from_config(_config()).walk_revisions()}


def check_ours(connection: Connection, url: str) -> None:
    """Refuse a database of a newer version, and one that another program made."""
    tables = set(inspect(connection).get_table_names())
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision in known_revisions() or not tables - {"alembic_version"}:
        return
    if revision is not None and {"users", "games", "events"} <= tables:
        raise QuartermasterError(
            f"{hide_password(url)} was written by a newer version of Quartermaster (its form is"
            f" {revision}; this version knows {max(known_revisions())}): install that version,"
            " or restore a backup that was made before it"
        )
    raise QuartermasterError(
        f"{hide_password(url)} is the database of another program: name one of its own by"
        " DATABASE_URL"
    )


@contextmanager
def saying_what_is_wrong(url: str) -> Iterator[None]:
    """What a database cannot do, in a sentence that says what to do about it."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, asyncpg.PostgresError, OSError) as error:
        raise QuartermasterError(_what_to_do(url, error)) from error


def _what_to_do(url: str, error: Exception) -> str:
    said = str(getattr(error, "orig", None) or error).lower()
    where = hide_password(url) if is_postgres(url) else str(sqlite_file(url))
    restore = "`quartermaster restore BACKUP` puts a backup in its place and keeps it aside"
    if "not a database" in said:
        return (
            f"{where} is not a database of Quartermaster: name another by DATABASE_URL; {restore}"
        )
    if "malformed" in said or "corrupt" in said:
        return f"{where} is damaged ({said}): {restore}"
    if "locked" in said:
        return f"{where} is locked by another program: end that one and start again"
    if "full" in said or "no space" in said:
        return f"there is no room on the disk of {where}: make some and start again"
    if "readonly" in said or "read-only" in said or "unable to open" in said:
        return f"{where} cannot be opened for writing ({said}): check who may write there"
    if is_postgres(url):
        return f"cannot use {where}: {error}. Is PostgreSQL running, and is DATABASE_URL right?"
    return f"cannot use {where}: {error}"


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "quartermaster.server.store:migrations")
    return config


def run(url: str, work: Callable[[Connection], T], writes: bool = False) -> T:
    """Do work on a database in one transaction, by a connection made for it alone."""
    if is_postgres(url):
        return asyncio.run(_in_postgres(url, work))
    engine = make_sqlite_engine(url, pool_size=1, wait=WAIT, foreign_keys=False)
    try:
        # BEGIN IMMEDIATE is the lock here: SQLite allows one writer in all processes.
        with engine.execution_options(writes=writes).begin() as connection:
            return work(connection)
    finally:
        engine.dispose()


async def _in_postgres(url: str, work: Callable[[Connection], T]) -> T:
    engine = make_postgres_engine(url, pool_size=1, timeout=None)  # a lock may take long
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()
