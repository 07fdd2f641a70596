"""All writing to SQLite: by one thread, and what waits at the same time is committed together.

A commit waits for the disk, and most of its time is that wait. Under load several writes wait
while one is under way; they then share a transaction, so that the disk is waited for once.
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

T = TypeVar("T")
Work = Callable[[Connection], Any]

_MOST: Final = 100  # writes in one transaction


class Writer:
    """The one that writes. Work must change nothing but the database: it may be done twice, the
    first time for nothing."""

    def __init__(self, engine: Engine, check: Callable[[], None] = lambda: None) -> None:
        self._engine = engine.execution_options(writes=False)  # each transaction begins here
        self._check = check  # raises where nothing must be written
        self._thread = ThreadPoolExecutor(1, "store-writer")
        self._connection: Connection | None = None  # of that thread, kept from write to write
        self._waiting: deque[tuple[Work, asyncio.Future[Any]]] = deque()

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do work in a transaction, which is durable when this returns; all of it or nothing."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        self._thread.submit(self._next)
        return await done

    def close(self) -> None:
        """Finish what waits."""
        self._thread.submit(self._let_go)
        self._thread.shutdown()

    def _next(self) -> None:
        """Do what waits; nothing where an earlier call has done it."""
        batch: list[tuple[Work, asyncio.Future[Any]]] = []
        while self._waiting and len(batch) < _MOST:
            batch.append(self._waiting.popleft())
        try:
            if batch:
                self._settle(batch, self._commit([work for work, _ in batch]))
        except Exception as error:
            if len(batch) == 1:
                self._fail(batch[0][1], error)
                return
            # One fails, and nothing of the others is written either. Each gets its own.
            for one in batch:
                try:
                    self._settle([one], self._commit([one[0]]))
                except Exception as own:
                    self._fail(one[1], own)

    def _commit(self, works: list[Work]) -> list[Any]:
        self._check()
        if self._connection is None:
            self._connection = self._engine.connect()
        connection = self._connection
        driver: Any = connection.connection.driver_connection
        try:
            driver.execute("BEGIN IMMEDIATE")
            results = [work(connection) for work in works]
            connection.commit()  # where SQLAlchemy has run something
            if driver.in_transaction:
                driver.execute("COMMIT")
            return results
        except BaseException as error:
            self._let_go()  # whatever is wrong with it, the next has another
            if isinstance(error, sqlite3.Error):  # as SQLAlchemy would say it
                raise DBAPIError.instance(None, None, error, sqlite3.Error) from error
            raise

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _settle(self, batch: list[tuple[Work, asyncio.Future[Any]]], results: list[Any]) -> None:
        def settle() -> None:
            for (_, done), result in zip(batch, results, strict=True):
                if not done.done():  # else whoever waited has gone
                    done.set_result(result)

        batch[0][1].get_loop().call_soon_threadsafe(settle)

    def _fail(self, done: asyncio.Future[Any], error: Exception) -> None:
        def fail() -> None:
            if not done.done():
                done.set_exception(error)

        done.get_loop().call_soon_threadsafe(fail)
