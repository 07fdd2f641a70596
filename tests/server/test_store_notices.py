"""The store keeps talk, and tells of notices, the same on both databases."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from databases import execute
from quartermaster.server.store.databases import Listener
from quartermaster.server.store.migrate import upgrade
from quartermaster.server.store.rows import Change, Message
from quartermaster.server.store.store import Store
from stores import add, event, game, with_store


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


# Chat.


def test_messages(database_url: str) -> None:
    async def write(store: Store) -> list[Message]:
        await add(store, game("g"), game("h"))
        return [
            await store.add_message(*said)
            for said in (
                ("g", "all", "ann-1", "Ann", "hello ☃", 1.0),
                ("g", "axis", "ann-1", "Ann", "psst", 2.0),
                ("h", "all", "bob-1", "Bob", "elsewhere", 3.0),
                ("g", "all", "bob-1", "Bob", "hi", 4.0),
            )
        ]

    async def read(store: Store) -> None:
        assert await store.messages("g", ["all", "axis"]) == [hello, psst, hi]
        assert await store.messages("g", ["all"]) == [hello, hi]
        assert await store.messages("g", ["all"], after=hello.id) == [hi]
        assert await store.messages("g", ["all", "axis"], limit=2) == [psst, hi]
        assert await store.messages("g", ["allies"]) == []
        assert await store.messages("g", []) == []
        assert await store.messages("nowhere", ["all"]) == []
        with pytest.raises(IntegrityError):
            await store.add_message("nowhere", "all", "ann-1", "Ann", "hello?", 5.0)

    hello, psst, _, hi = with_store(database_url, write)
    assert hello == Message(hello.id, "all", "ann-1", "Ann", "hello ☃", 1.0)
    assert hello.id < psst.id < hi.id
    with_store(database_url, read)


def test_no_message_appears_before_an_earlier_one(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone who reads on from the last number they have misses none."""
    upgrade(postgres_url)

    async def work(store: Store) -> None:
        slow = Store(postgres_url)
        has_number = asyncio.Event()

        write = slow._write

        async def dawdle(work: Callable[[Connection], Message]) -> Message:
            def work_slowly(connection: Connection) -> Message:
                message = work(connection)
                has_number.set()
                connection.exec_driver_sql("SELECT pg_sleep(0.3)")
                return message

            return await write(work_slowly)

        monkeypatch.setattr(slow, "_write", dawdle)
        try:
            await add(store, game())
            first = asyncio.create_task(slow.add_message("g", "all", "a", "A", "first", 1.0))
            await has_number.wait()
            await store.add_message("g", "all", "b", "B", "second", 2.0)
            said = [message.text for message in await store.messages("g", ["all"])]
            assert said == ["first", "second"]
            await first
        finally:
            await slow.close()

    with_store(postgres_url, work)


# Notices.


def test_a_notice_is_claimed_once(database_url: str) -> None:
    async def work(store: Store) -> None:
        other = Store(database_url)
        try:
            claims = await asyncio.gather(
                *(
                    worker.claim_notice("g:ann-1:3", "g", "ann-1", "turn", 1.0)
                    for worker in [store, other] * 4
                )
            )
        finally:
            await other.close()
        assert sum(claims) == 1
        await store.finish_notice("g:ann-1:3", "sent")
        assert not await store.claim_notice("g:ann-1:3", "g", "ann-1", "turn", 2.0)
        assert await store.claim_notice("g:ann-1:4", "g", "ann-1", "turn", 2.0)

    async def states(store: Store) -> list[tuple[Any, ...]]:
        def read(connection: Connection) -> list[tuple[Any, ...]]:
            rows = connection.exec_driver_sql("SELECT key, state, at FROM notices ORDER BY key")
            return [tuple(row) for row in rows]

        return await store._read(read)

    with_store(database_url, work)
    assert with_store(database_url, states) == [
        ("g:ann-1:3", "sent", 1.0),
        ("g:ann-1:4", "claimed", 2.0),
    ]


def test_listening(postgres_url: str) -> None:
    upgrade(postgres_url)

    async def work(store: Store) -> None:
        heard: list[str] = []
        other = Store(postgres_url)
        try:
            async with store.listen(heard.append):
                await add(other, game())
                for seq in range(2, 12):
                    assert await other.append("g", seq - 1, [event(seq)], Change(), 1.0)
                    assert not await other.append("g", seq - 1, [event(seq)], Change(), 1.0)
                said = await other.add_message("g", "all", "ann-1", "Ann", "hi", 1.0)
                expected = [*(f"game:g:{seq}" for seq in range(1, 12)), f"chat:g:{said.id}"]
                await until(lambda: len(heard) >= len(expected))
                assert heard == expected
            assert await other.append("g", 11, [event(12)], Change(), 1.0)
            await asyncio.sleep(0.05)
            assert heard == expected
        finally:
            await other.close()

    with_store(postgres_url, work)


HANG_UP = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


def test_listening_goes_on_after_the_connection_broke(postgres_url: str) -> None:
    upgrade(postgres_url)

    async def work(store: Store) -> None:
        heard: list[str] = []
        async with store.listen(heard.append):
            await add(store, game())
            await until(lambda: heard == ["game:g:1"])
            for times in (1, 2):
                # All connections, those of the pool too: the store goes on with new ones.
                await asyncio.to_thread(execute, postgres_url, HANG_UP)
                await until(lambda times=times: heard.count("lost") == times)  # type: ignore[misc]
                heard[:] = ["lost"] * times
                assert await store.append("g", times, [event(times + 1)], Change(), 1.0)
                await until(lambda: len(heard) > heard.count("lost"))
                assert heard == ["lost"] * times + [f"game:g:{times + 1}"]

    with_store(postgres_url, work)


def test_listening_survives_a_server_that_is_away_and_a_caller_that_fails(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(postgres_url)
    connect, attempts = asyncpg.connect, 0

    async def fail_twice(*args: Any, **kwargs: Any) -> Any:
        nonlocal attempts
        attempts += 1
        if attempts in (2, 3):
            raise ConnectionRefusedError
        return await connect(*args, **kwargs)

    monkeypatch.setattr(asyncpg, "connect", fail_twice)
    monkeypatch.setattr(Listener, "CHECK", 0.02)
    heard: list[str] = []
    errors: list[object] = []

    def fail(payload: str) -> None:
        heard.append(payload)
        raise RuntimeError(payload)

    async def work(store: Store) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, what: errors.append(what.get("exception")))
        async with store.listen(fail):
            await asyncio.sleep(0.1)  # the server is asked now and then whether it is there
            async with asyncio.timeout(20):
                listener = await connect(postgres_url)
                await listener.execute(HANG_UP)
                await listener.close()
            await until(lambda: heard == ["lost"])
            await add(store, game())
            await until(lambda: heard == ["lost", "game:g:1"])

    with_store(postgres_url, work)
    assert [str(error) for error in errors] == ["lost", "game:g:1"]
    assert attempts >= 4


def test_nothing_is_heard_on_sqlite(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    upgrade(url)

    async def work(store: Store) -> None:
        heard: list[str] = []
        async with store.listen(heard.append):
            await add(store, game())
        assert heard == []

    with_store(url, work)
