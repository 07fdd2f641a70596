"""Quick work is done on the event loop, committed by the thread, and as safe as other work."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from quartermaster.server.store.databases import make_sqlite_engine
from quartermaster.server.store.writer import Writer

Work = Callable[[Connection], int]


class Desk:
    """A database with one table, and where the work on it was done."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "games.db"
        self.engine = make_sqlite_engine(f"sqlite:///{self.file}", 3)
        self.writer = Writer(self.engine)
        self.threads: list[threading.Thread] = []

    def add(self, n: int) -> Work:
        def work(connection: Connection) -> int:
            self.threads.append(threading.current_thread())
            driver = connection.connection.driver_connection
            assert driver is not None
            driver.execute("INSERT INTO seen VALUES (?)", [n])
            return n

        return work

    async def open(self) -> None:
        def make(connection: Connection) -> None:
            connection.exec_driver_sql("CREATE TABLE seen (n INTEGER PRIMARY KEY)")

        await self.writer.write(make)

    def kept(self) -> list[int]:
        """What somebody else finds on the disk."""
        with sqlite3.connect(self.file) as other:
            return [n for (n,) in other.execute("SELECT n FROM seen ORDER BY n")]

    async def close(self) -> None:
        await self.writer.close()
        self.engine.dispose()


def test_quick_work_needs_no_thread_and_is_on_disk_when_it_is_done(tmp_path: Path) -> None:
    async def run() -> None:
        desk = Desk(tmp_path)
        await desk.open()
        for n in range(5):
            assert await desk.writer.write(desk.add(n), is_quick=True) == n
            assert desk.kept() == list(range(n + 1))
        assert set(desk.threads) == {threading.main_thread()}
        await desk.writer.write(desk.add(5))
        assert desk.threads[-1] is not threading.main_thread()
        await desk.close()

    asyncio.run(run())


def test_what_comes_together_is_one_transaction_and_only_the_wrong_one_fails(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        desk = Desk(tmp_path)
        await desk.open()
        await desk.writer.write(desk.add(3), is_quick=True)
        desk.threads.clear()
        results = await asyncio.gather(
            *(desk.writer.write(desk.add(n), is_quick=True) for n in range(6)),
            return_exceptions=True,
        )
        assert [one for one in results if not isinstance(one, Exception)] == [0, 1, 2, 4, 5]
        assert isinstance(results[3], DBAPIError), "as any other failure of the database"
        assert desk.kept() == list(range(6))
        desk.threads.clear()
        await asyncio.gather(
            *(desk.writer.write(desk.add(n), is_quick=n != 8) for n in range(7, 10))
        )
        assert threading.main_thread() not in desk.threads, (
            "work that takes long is not on the loop"
        )
        assert await desk.writer.write(desk.add(10), is_quick=True) == 10
        assert desk.threads[-1] is threading.main_thread(), "it goes on as before"
        await desk.close()

    asyncio.run(run())


def test_the_loop_does_not_wait_for_others_who_hold_the_database(tmp_path: Path) -> None:
    async def run() -> None:
        desk = Desk(tmp_path)
        await desk.open()
        other = sqlite3.connect(desk.file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        writing = asyncio.create_task(desk.writer.write(desk.add(1), is_quick=True))
        longest = 0.0
        for _ in range(30):
            before = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - before)
        assert not writing.done()
        assert longest < 3, "the thread waits, for five seconds at most"
        other.execute("COMMIT")
        other.close()
        assert await writing == 1
        assert desk.kept() == [1]
        await desk.close()
        with pytest.raises(RuntimeError, match="closed"):
            await desk.writer.write(desk.add(2), is_quick=True)

    asyncio.run(run())


def test_what_cannot_be_committed_is_not_kept(tmp_path: Path) -> None:
    """A commit that fails, as on a full disk, takes everything back and says so."""

    async def run() -> None:
        desk = Desk(tmp_path)
        await desk.open()
        await desk.writer.write(desk.add(0), is_quick=True)

        def too_much(connection: Connection) -> int:
            driver = connection.connection.driver_connection
            assert driver is not None
            driver.execute("PRAGMA defer_foreign_keys=ON")
            driver.execute("INSERT INTO child VALUES (1, 99)")  # of no parent: seen at the commit
            return 1

        def relate(connection: Connection) -> None:
            connection.exec_driver_sql(
                "CREATE TABLE child (n INTEGER, of INTEGER REFERENCES seen(n))"
            )

        await desk.writer.write(relate)
        results = await asyncio.gather(
            desk.writer.write(desk.add(1), is_quick=True),
            desk.writer.write(too_much, is_quick=True),
            desk.writer.write(desk.add(2), is_quick=True),
            return_exceptions=True,
        )
        assert [results[0], results[2]] == [1, 2]
        assert isinstance(results[1], DBAPIError)
        assert desk.kept() == [0, 1, 2]
        await desk.close()

    asyncio.run(run())
