"""Brings a database to the newest schema."""

import asyncio
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from quartermaster.web.engines import (
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
        config = Config()
        config.set_main_option("script_location", "quartermaster.web:migrations")
        config.attributes["connection"] = connection
        command.upgrade(config, to)

    with _in_this_process:
        _run(url, migrate, writes=True)


def current(url: str) -> str | None:
    """The revision a database has; none when it is empty or not there."""

    def look(connection: Connection) -> str | None:
        return MigrationContext.configure(connection).get_current_revision()

    if not is_postgres(url) and not sqlite_file(url).exists():
        return None
    return _run(url, look)


def _run(url: str, work: Callable[[Connection], T], writes: bool = False) -> T:
    """Do work in one transaction."""
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
