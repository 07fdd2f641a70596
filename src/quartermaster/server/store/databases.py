"""How SQLite and PostgreSQL are reached: urls, engines, and hearing what other workers tell."""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

CHANNEL = "quartermaster"  # on which PostgreSQL tells other workers what happened
MOST_PAGES = 20_000  # in SQLite's log, if nobody tidies


def is_postgres(url: str) -> bool:
    """Whether a url is of PostgreSQL; it is of SQLite else.

    >>> is_postgres("postgres://me@host/games"), is_postgres("sqlite:///games.db")
    (True, False)
    """
    scheme = url.partition("://")[0].partition("+")[0]
    if scheme not in ("postgres", "postgresql", "sqlite"):
        raise ValueError(f"a database is sqlite:///... or postgresql://..., not {scheme!r}")
    return scheme != "sqlite"


def sqlite_file(url: str) -> Path:
    """The file of a SQLite url.

    >>> sqlite_file("sqlite:////var/games.db").as_posix()
    '/var/games.db'
    """
    name = make_url(url).database
    if not name or name == ":memory:":
        raise ValueError("SQLite needs a file: connections do not share what is in memory")
    return Path(name)


def make_sqlite_engine(
    url: str,
    pool_size: int,
    wait: float = 5.0,
    foreign_keys: bool = True,
    check: Callable[[], None] = lambda: None,
) -> Engine:
    """An engine that begins a transaction only where its option `writes` is set.

    Such a transaction takes the lock for writing at once: one that read first could not get it
    any more if another had written meanwhile. Reads are single statements and need none.

    `check` raises where no connection must be made: to a file that was moved away SQLite would
    make a new one, and the log of one that was replaced it would delete.
    """
    file = sqlite_file(url)
    file.parent.mkdir(parents=True, exist_ok=True)
    # Passwords are in it: made before SQLite makes it, for nobody else to read.
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    engine = create_engine(
        f"sqlite:///{file}", pool_size=pool_size, max_overflow=0, connect_args={"timeout": wait}
    )

    @event.listens_for(engine, "do_connect")
    def check_place(*_: object) -> None:
        check()

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        check()  # again: nothing has been read of the file yet
        connection.isolation_level = None  # the driver begins nothing by itself
        _use_wal(connection, wait)
        connection.execute("PRAGMA synchronous=FULL")  # on disk before anyone is told
        connection.execute(f"PRAGMA wal_autocheckpoint={MOST_PAGES}")
        connection.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        if connection.get_execution_options().get("writes"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _use_wal(connection: sqlite3.Connection, wait: float) -> None:
    """Let reads go on beside a write.

    Workers that open a new file at once all change it so, and for this alone SQLite does not
    wait until the others are done.
    """
    give_up_at = time.monotonic() + wait
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > give_up_at:
                raise
            time.sleep(0.01)
        else:
            return


def postgres_dsn(url: str) -> str:
    """A url as asyncpg reads it; it knows what other tools write, such as ?sslmode=require.

    >>> postgres_dsn("postgres://me@host/games")
    'postgresql://me@host/games'
    """
    return "postgresql://" + url.partition("://")[2]


def make_postgres_engine(url: str, pool_size: int, timeout: float | None = 30.0) -> AsyncEngine:
    async def connect() -> asyncpg.Connection:
        return await asyncpg.connect(postgres_dsn(url), timeout=10, command_timeout=timeout)

    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=connect, pool_size=pool_size, max_overflow=0
    )

    @event.listens_for(engine.sync_engine, "checkout")
    def check(connection: Any, _record: object, _proxy: object) -> None:
        # asyncpg knows at once when the server hung up: no need to ask before each use.
        if connection.driver_connection.is_closed():
            raise DisconnectionError

    return engine


class Listener:
    """A connection to PostgreSQL that hears notices, made anew when it breaks."""

    CHECK = 20.0  # seconds between questions that show whether the server is still there
    BACKOFF = (0.1, 5.0)  # seconds between attempts, at first and at most

    def __init__(self, dsn: str, on_notice: Callable[[str], None]) -> None:
        self._dsn = dsn
        self._on_notice = on_notice
        self._connection: asyncpg.Connection | None = None
        self._broken = asyncio.Event()

    async def connect(self) -> None:
        connection = await asyncpg.connect(self._dsn, timeout=10, command_timeout=10)
        self._connection = connection
        self._broken = broken = asyncio.Event()  # its own: the last one may still be set late
        connection.add_termination_listener(lambda _: broken.set())
        await connection.add_listener(CHANNEL, self._hear)

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                await connection.close(timeout=2)
            except Exception:  # it is broken somehow: drop it without saying goodbye
                connection.terminate()

    def _hear(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        self._on_notice(str(payload))

    async def keep(self) -> None:
        """Connect again whenever the connection breaks, until cancelled."""
        while True:
            await self._until_broken()
            await self._connect_again()
            # Called by the loop: an error in there is logged and does not end the listening.
            asyncio.get_running_loop().call_soon(self._on_notice, "lost")

    async def _until_broken(self) -> None:
        while not self._broken.is_set():
            try:
                async with asyncio.timeout(self.CHECK):
                    await self._broken.wait()
            except TimeoutError:
                assert self._connection is not None
                try:
                    await self._connection.execute("SELECT 1")
                except Exception:  # a server that is gone does not always say so
                    return

    async def _connect_again(self) -> None:
        wait, longest = self.BACKOFF
        while True:
            await self.close()
            try:
                await self.connect()
            except Exception:  # whatever it is: a worker that stops listening is worse
                await asyncio.sleep(wait)
                wait = min(2 * wait, longest)
            else:
                return
