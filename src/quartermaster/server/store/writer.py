"""All writing to SQLite: one transaction at a time, and what waits at the same time shares one.

A commit waits for the disk, and most of its time is that wait. Under load several writes wait
while one is under way; they then share a transaction, so that the disk is waited for once.

Work is done by a thread. But a thread that runs beside a busy event loop waits for it at every
statement (only one of them can run Python at a time, and each time the other may keep it for five
milliseconds), which under load takes far longer than the statements. So work that is `quick`, a
few statements on rows at hand, is done on the event loop itself, and the thread only commits.
Where that cannot be (others hold the database, or something fails), the thread does it all over.
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

T = TypeVar("T")
Work = Callable[[Connection], Any]

_MOST: Final = 100  # writes in one transaction


@dataclass(frozen=True, slots=True)
class _Write:
    work: Work
    done: asyncio.Future[Any]
    is_quick: bool


class Writer:
    """The one that writes. Work must change nothing but the database: it may be done twice, the
    first time for nothing."""

    def __init__(self, engine: Engine, check: Callable[[], None] = lambda: None) -> None:
        self._engine = engine.execution_options(writes=False)  # each transaction begins here
        self._check = check  # raises where nothing must be written
        self._thread = ThreadPoolExecutor(1, "store-writer")
        self._connection: Connection | None = None  # of the thread, kept from write to write
        self._quick: Connection | None = None  # that quick work is done with
        self._waiting: deque[_Write] = deque()
        self._under_way: list[_Write] = []
        self._is_writing = False
        self._is_closed = False

    async def write(self, work: Callable[[Connection], T], is_quick: bool = False) -> T:
        """Do work in a transaction, which is durable when this returns; all of it or nothing."""
        if self._is_closed:
            raise RuntimeError("the database is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._waiting.append(_Write(work, done, is_quick))
        if not self._is_writing:
            self._is_writing = True
            loop.call_soon(self._next)  # with whatever else comes right now
        return await done

    async def close(self) -> None:
        """Finish what waits."""
        self._is_closed = True
        while self._is_writing:
            await asyncio.gather(*(one.done for one in self._under_way), return_exceptions=True)
            await asyncio.sleep(0)
        await asyncio.to_thread(self._end)

    # On the event loop.

    def _next(self) -> None:
        """Write what waits; called again when that is done."""
        batch = self._under_way = [
            self._waiting.popleft() for _ in range(min(_MOST, len(self._waiting)))
        ]
        self._is_writing = bool(batch)
        if not batch:
            return
        results = self._tried(batch) if all(one.is_quick for one in batch) else None
        if results is None:
            self._thread.submit(self._do, batch)
        else:
            self._thread.submit(self._finish, batch, results)

    def _tried(self, batch: list[_Write]) -> list[Any] | None:
        """The results of work that was done and is yet to be committed; nothing if it was not."""
        if self._quick is None:
            return None
        try:
            self._check()
            return _begin_and_do(self._quick, batch)
        except Exception:  # the thread says which, if it comes again
            self._quick = _gone(self._quick)
            return None

    def _settled(self, batch: list[_Write], results: list[Any]) -> None:
        for one, result in zip(batch, results, strict=True):
            if one.done.done():  # whoever waited has gone
                continue
            if isinstance(result, Exception):
                one.done.set_exception(result)
            else:
                one.done.set_result(result)
        self._next()

    # On the thread.

    def _finish(self, batch: list[_Write], results: list[Any]) -> None:
        try:
            assert self._quick is not None
            _commit(self._quick)
        except Exception:
            self._quick = _gone(self._quick)
            self._do(batch)
        else:
            self._tell(batch, results)

    def _do(self, batch: list[_Write]) -> None:
        try:
            results = self._done(batch)
        except Exception as error:
            # One fails, and nothing of the others is written either. Each gets its own.
            results = [error] if len(batch) == 1 else [self._done_alone(one) for one in batch]
        with suppress(SQLAlchemyError, sqlite3.Error, OSError):
            if self._quick is None:
                self._quick = self._engine.connect()
                _driver(self._quick).execute("PRAGMA busy_timeout=0")  # the event loop cannot wait
        self._tell(batch, results)

    def _done_alone(self, one: _Write) -> Any:
        try:
            return self._done([one])[0]
        except Exception as error:
            return error

    def _done(self, batch: list[_Write]) -> list[Any]:
        try:
            self._check()
            if self._connection is None:
                self._connection = self._engine.connect()
            results = _begin_and_do(self._connection, batch)
            _commit(self._connection)
            return results
        except BaseException as error:
            self._connection = _gone(self._connection)  # the next has another
            if isinstance(error, sqlite3.Error):  # as SQLAlchemy would say it
                raise DBAPIError.instance(None, None, error, sqlite3.Error) from error
            raise

    def _tell(self, batch: list[_Write], results: list[Any]) -> None:
        batch[0].done.get_loop().call_soon_threadsafe(self._settled, batch, results)

    def _end(self) -> None:
        self._thread.shutdown()
        self._connection = _gone(self._connection)
        self._quick = _gone(self._quick)


def _begin_and_do(connection: Connection, batch: list[_Write]) -> list[Any]:
    _driver(connection).execute("BEGIN IMMEDIATE")
    return [one.work(connection) for one in batch]


def _commit(connection: Connection) -> None:
    connection.commit()  # where SQLAlchemy has run something
    driver = _driver(connection)
    if driver.in_transaction:
        driver.execute("COMMIT")


def _gone(connection: Connection | None) -> Connection | None:
    """What is left of a connection that is closed, which takes back what it has not committed. It
    does not go back to the others: it may be broken, or one that does not wait for locks."""
    if connection is not None:
        with suppress(SQLAlchemyError, sqlite3.Error):
            connection.invalidate()
        with suppress(SQLAlchemyError, sqlite3.Error):
            connection.close()
    return None


def _driver(connection: Connection) -> Any:
    return connection.connection.driver_connection
