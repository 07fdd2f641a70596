"""Writes that come together are committed together, and each is done or refused by itself."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, text

from quartermaster.server.store.databases import make_sqlite_engine
from quartermaster.server.store.writer import Writer


def test_writes_share_commits_and_only_the_wrong_one_fails(tmp_path: Path) -> None:
    engine = make_sqlite_engine(f"sqlite:///{tmp_path}/games.db", 3)
    writing = engine.execution_options(writes=True)
    commits = 0

    @event.listens_for(engine, "commit")
    def count(_connection: Connection) -> None:
        nonlocal commits
        commits += 1

    def add(n: int) -> Callable[[Connection], int]:
        def work(connection: Connection) -> int:
            connection.execute(text("INSERT INTO seen VALUES (:n)"), {"n": n})
            return n

        return work

    async def run() -> list[object]:
        writer = Writer(writing)
        await writer.write(
            lambda connection: connection.execute(text("CREATE TABLE seen (n INTEGER PRIMARY KEY)"))
        )
        good = await asyncio.gather(*(writer.write(add(n)) for n in range(200)))
        assert good == list(range(200))
        shared = commits
        assert shared < 100, "several writes are one commit"
        mixed = await asyncio.gather(
            *(writer.write(add(n)) for n in range(195, 205)),
            return_exceptions=True,
        )
        gone = asyncio.create_task(writer.write(add(300)))
        await asyncio.sleep(0)
        gone.cancel()
        await writer.write(add(301))
        await writer.close()
        return list(mixed)

    results = asyncio.run(run())
    assert [type(one).__name__ for one in results[:5]] == ["IntegrityError"] * 5
    assert results[5:] == [200, 201, 202, 203, 204]
    with engine.connect() as connection:
        kept = [n for (n,) in connection.execute(text("SELECT n FROM seen ORDER BY n"))]
    assert kept[:205] == list(range(205))
    assert 301 in kept
    engine.dispose()


def test_what_waits_is_finished_before_the_end(tmp_path: Path) -> None:
    engine = make_sqlite_engine(f"sqlite:///{tmp_path}/games.db", 3)

    async def run() -> None:
        writer = Writer(engine.execution_options(writes=True))
        work = asyncio.create_task(writer.write(lambda connection: connection.execute(text("x"))))
        await asyncio.sleep(0)
        await writer.close()
        with pytest.raises(Exception, match="syntax error"):
            await work

    asyncio.run(run())
    engine.dispose()
