"""The store does the same on both databases, and keeps what it promised."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import asyncpg  # type: ignore[import-untyped]
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from databases import execute
from quartermaster.server.refusals import Refused
from quartermaster.server.store import migrate
from quartermaster.server.store.databases import Listener, is_postgres
from quartermaster.server.store.migrate import current, upgrade
from quartermaster.server.store.people import People
from quartermaster.server.store.schema import metadata
from quartermaster.server.store.store import (
    Change,
    EventRow,
    GameRow,
    Message,
    Store,
    User,
)
from servers import free_port

T = TypeVar("T")

ANN = User("ann-1", "Ann", "ann", "secret", None, None, 1.5)
GUEST = User("guest-1", "Ann", None, None, None, None, 2.0)
NEWEST = max(migrate.known_revisions())


def with_store(url: str, work: Callable[[Store], Awaitable[T]]) -> T:
    async def run() -> T:
        store = Store(url)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def event(seq: int, data: str = "{}", user_id: str | None = "ann-1") -> EventRow:
    return EventRow(seq, "moved", user_id, data, 10.0 + seq)


def game(id: str = "g", **columns: Any) -> GameRow:
    made = GameRow(id, 1, "lobby", True, "second", "{}", 1.0, 1.0, None, None, None, None)
    return replace(made, **columns)


async def add(store: Store, *games: GameRow, players: dict[str, bool] | None = None) -> None:
    for one in games:
        await store.add_game(one, [event(1)], players or {})


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


# Users


def test_users(database_url: str) -> None:
    async def work(store: Store) -> None:
        assert await store.user("ann-1") is None
        assert await store.user_named("ann") is None
        await store.add_user(ANN)
        await store.add_user(GUEST)
        assert await store.user("ann-1") == ANN
        assert await store.user("guest-1") == GUEST
        assert await store.user_named("ann") == ANN
        await store.change_user(
            "ann-1", reserved="ann", webhook="https://example.org", email="a@b.c"
        )
        changed = replace(ANN, reserved="ann", webhook="https://example.org", email="a@b.c")
        assert await store.user("ann-1") == changed
        await store.change_user("ann-1", webhook=None)
        assert await store.user("ann-1") == replace(changed, webhook=None)
        assert await store.user("guest-1") == GUEST
        await store.change_user("ann-1")
        await store.change_user("nobody", name="Eve")

    with_store(database_url, work)


def test_a_name_is_claimed_once(database_url: str) -> None:
    async def work(store: Store) -> None:
        await store.add_user(ANN)
        await store.add_user(GUEST)
        with pytest.raises(Refused, match="this name is taken"):
            await store.change_user("guest-1", claimed="ann", password="mine")
        assert await store.user("guest-1") == GUEST
        with pytest.raises(Refused, match="this name is taken"):
            await store.add_user(replace(ANN, id="ann-2"))
        with pytest.raises(IntegrityError):  # an id given twice is a bug, not a taken name
            await store.add_user(replace(ANN, claimed="other"))
        with pytest.raises(IntegrityError):
            await store.change_user("guest-1", name=None)
        await store.change_user("ann-1", claimed="ann")  # one's own
        others = [replace(GUEST, id=f"guest-{number}") for number in range(2, 10)]
        for other in others:
            await store.add_user(other)
        claims = (store.change_user(other.id, claimed="bob") for other in others)
        results = await asyncio.gather(*claims, return_exceptions=True)
        assert results.count(None) == 1
        assert sum(isinstance(result, Refused) for result in results) == len(others) - 1

    with_store(database_url, work)


# Games


def test_a_game_as_it_was_added(database_url: str) -> None:
    full = GameRow(
        id="g-1",
        seq=2,
        status="playing",
        is_public=False,
        rules="first",
        settings='{"name": "Straße ☃ \\u0000"}',
        created_at=1700000000.123456,
        updated_at=1700000001.654321,
        wake_at=1700000002.1,
        result="{}",
        winner="axis",
        rematch="g-2",
    )
    events = [event(1, '"☃"'), event(2, user_id=None)]

    async def write(store: Store) -> None:
        assert await store.game("g-1") is None
        assert await store.events("g-1") == []
        await store.add_game(full, events, {"ann-1": True, "bob-1": False})
        with pytest.raises(IntegrityError):
            await store.add_game(full, events, {})

    async def read(store: Store) -> None:
        assert await store.game("g-1") == full
        assert await store.events("g-1") == events
        assert await store.events("g-1", after=1) == events[1:]
        assert await store.events("g-1", after=2) == []
        assert await store.turns_of("ann-1", ["g-1"]) == {"g-1": True}

    with_store(database_url, write)
    with_store(database_url, read)


def test_append(database_url: str) -> None:
    async def write(store: Store) -> None:
        await add(store, game(wake_at=5.0), players={"ann-1": True, "bob-1": False})
        assert await store.append("g", 1, [event(2), event(3)], Change(), 20.5)
        assert await store.game("g") == game(seq=3, updated_at=20.5, wake_at=5.0)
        change = Change(
            status="over",
            is_public=False,
            settings='{"a": 1}',
            wake_at=None,
            result="[]",
            winner="axis",
            rematch="g-2",
            players={"ann-1": False, "cid-1": True},
        )
        assert await store.append("g", 3, [event(4)], change, 30.0)

    changed = game(
        seq=4,
        status="over",
        is_public=False,
        settings='{"a": 1}',
        updated_at=30.0,
        result="[]",
        winner="axis",
        rematch="g-2",
    )

    async def read(store: Store) -> None:
        assert await store.game("g") == changed
        assert await store.events("g") == [event(seq) for seq in (1, 2, 3, 4)]
        assert await store.turns_of("ann-1", ["g"]) == {"g": False}
        assert await store.turns_of("bob-1", ["g"]) == {}
        assert await store.turns_of("cid-1", ["g"]) == {"g": True}
        # What can be emptied is emptied, and no event is needed for it.
        empty = Change(wake_at=7.0, result=None, winner=None, rematch=None, players={})
        assert await store.append("g", 4, [], empty, 40.0)
        assert await store.game("g") == replace(
            changed, updated_at=40.0, wake_at=7.0, result=None, winner=None, rematch=None
        )
        assert await store.turns_of("ann-1", ["g"]) == {}

    with_store(database_url, write)
    with_store(database_url, read)


def test_append_refused_changes_nothing(database_url: str) -> None:
    async def work(store: Store) -> None:
        await add(store, game(), players={"ann-1": True})
        change = Change(status="over", players={"eve-1": True})
        assert not await store.append("g", 0, [event(1)], change, 9.0)
        assert not await store.append("g", 2, [event(3)], change, 9.0)
        assert not await store.append("other", 1, [event(2)], change, 9.0)
        with pytest.raises(ValueError, match="event 3 stands where 2 must"):
            await store.append("g", 1, [event(3)], change, 9.0)
        with pytest.raises(ValueError, match="has 1 events, not 2"):
            await store.add_game(game("h", seq=2), [event(1)], {})
        assert await store.game("g") == game()
        assert await store.events("g") == [event(1)]
        assert await store.turns_of("ann-1", ["g"]) == {"g": True}
        assert await store.turns_of("eve-1", ["g"]) == {}

    with_store(database_url, work)


def test_append_that_fails_midway_changes_nothing(database_url: str) -> None:
    async def work(store: Store) -> None:
        await add(store, game())
        broken = EventRow(3, None, None, "{}", 1.0)  # type: ignore[arg-type]
        with pytest.raises(IntegrityError):
            await store.append("g", 1, [event(2), broken], Change(status="over"), 9.0)
        assert await store.game("g") == game()
        assert await store.events("g") == [event(1)]
        assert await store.append("g", 1, [event(2)], Change(), 9.0)

    with_store(database_url, work)


def test_one_of_many_appends_at_once_wins(database_url: str) -> None:
    async def work(store: Store) -> None:
        other = Store(database_url)  # another worker
        try:
            await add(store, game())
            for seq in range(2, 8):
                results = await asyncio.gather(
                    *(
                        worker.append("g", seq - 1, [event(seq, str(number))], Change(), 1.0)
                        for number, worker in enumerate([store, other] * 4)
                    )
                )
                assert sum(results) == 1
                assert (await store.events("g"))[-1] == event(seq, str(results.index(True)))
        finally:
            await other.close()

    with_store(database_url, work)


def test_many_games_at_once(database_url: str) -> None:
    """Two workers write to the same database, and none is told that it is locked."""

    async def play(store: Store, id: str) -> None:
        await add(store, game(id), players={"ann-1": True})
        for seq in range(2, 6):
            change = Change(players={"ann-1": seq % 2 == 0})
            assert await store.append(id, seq - 1, [event(seq, id)], change, float(seq))
            assert len(await store.events(id)) == seq

    async def work(store: Store) -> None:
        other = Store(database_url)
        try:
            await asyncio.gather(
                *(play([store, other][number % 2], f"g-{number}") for number in range(20))
            )
        finally:
            await other.close()
        assert await store.counts() == {"lobby": 20}
        for number in range(20):
            events = await store.events(f"g-{number}")
            assert events[1:] == [event(seq, f"g-{number}") for seq in range(2, 6)]

    with_store(database_url, work)


def test_writing_after_reading(database_url: str) -> None:
    """Two workers read and then write at once: one waits, and none is told that it is locked."""

    def work(connection: Connection) -> None:
        connection.exec_driver_sql("SELECT * FROM games").all()
        if not is_postgres(database_url):
            time.sleep(0.05)  # the writers of SQLite have a thread each
        connection.exec_driver_sql("UPDATE games SET seq = seq + 1")

    async def run(store: Store) -> None:
        other = Store(database_url)
        try:
            await add(store, game())
            await asyncio.gather(*(worker._write(work) for worker in [store, other] * 2))
        finally:
            await other.close()
        assert await store.game("g") == game(seq=5)

    with_store(database_url, run)


def test_a_cancelled_append_harms_no_other(database_url: str) -> None:
    async def work(store: Store) -> None:
        await add(store, game("g"), game("h"))
        for steps in range(12):
            seq = (await store.events("g"))[-1].seq
            task = asyncio.create_task(store.append("g", seq, [event(seq + 1)], Change(), 1.0))
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
        seq = 1
        for _ in range(12):
            assert await store.append("h", seq, [event(seq + 1)], Change(), 1.0)
            seq += 1
        row, events = await store.game("g"), await store.events("g")
        assert row is not None
        assert [one.seq for one in events] == list(range(1, row.seq + 1))

    with_store(database_url, work)


def test_waking(database_url: str) -> None:
    async def work(store: Store) -> None:
        at = 1700000000.123457
        await add(store, game("late", wake_at=at), game("later", wake_at=at + 1))
        await add(store, game("never"), game("soon", wake_at=at + 100))
        assert await store.due(at - 1) == []
        assert await store.due(at) == [("late", at)]
        assert await store.due(at + 50) == [("late", at), ("later", at + 1)]
        assert await store.due(at + 50, limit=1) == [("late", at)]
        claims = await asyncio.gather(*(store.claim([("late", at)], at + 30) for _ in range(5)))
        assert sorted(claims) == [[], [], [], [], ["late"]]
        assert await store.due(at + 20) == [("later", at + 1)]
        assert await store.due(at + 30) == [("later", at + 1), ("late", at + 30)]
        assert not await store.claim([("never", at), ("nowhere", at)], at + 30)
        both = [("later", at + 1), ("late", at), ("late", at + 30)]
        assert await store.claim(both, at + 60) == ["later", "late"]

    with_store(database_url, work)


def test_lists_of_games(database_url: str) -> None:
    async def work(store: Store) -> None:
        games = [
            game(
                f"g-{number}",
                updated_at=float(number),
                status=("lobby", "playing", "over")[number % 3],
                is_public=number % 2 == 0,
                rules="first" if number < 4 else "second",
            )
            for number in range(8)
        ]
        for number, one in enumerate(games):
            players = {"ann-1": number == 3, "bob-1": True} if number in (1, 3, 6) else {}
            await add(store, one, players=players)

        async def ids(**filters: Any) -> str:
            rows = await store.list_games(**filters)
            assert all(row == games[int(row.id[2:])] for row in rows)
            return "".join(row.id[2:] for row in rows)

        assert await ids() == "76543210"
        assert await ids(limit=3) == "765"
        assert await ids(limit=3, before=5.0) == "432"
        assert await ids(status="lobby") == "630"
        assert await ids(is_public=True) == "6420"
        assert await ids(is_public=False) == "7531"
        assert await ids(rules="first") == "3210"
        assert await ids(user_id="ann-1") == "631"
        assert await ids(user_id="ann-1", is_turn=True) == "3"
        assert await ids(user_id="ann-1", is_turn=False) == "61"
        assert await ids(user_id="nobody") == ""
        assert await ids(user_id="bob-1", status="lobby", is_public=True, before=7.0) == "6"
        with pytest.raises(ValueError, match="whose turn"):
            await ids(is_turn=True)
        asked = ["g-0", "g-1", "g-3", "g-99"]
        assert await store.turns_of("ann-1", asked) == {"g-1": False, "g-3": True}
        assert await store.turns_of("ann-1", []) == {}
        assert await store.counts() == {"lobby": 3, "playing": 3, "over": 2}

    with_store(database_url, work)


# Chat


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


# Notices


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


# The database itself


def test_urls(postgres_url: str, tmp_path: Path) -> None:
    rest = postgres_url.partition("://")[2]
    file = f"{tmp_path}/deep/down/games.db"
    for url in (
        f"postgresql://{rest}",
        f"postgres://{rest}",
        f"postgresql+asyncpg://{rest}",
        f"postgres://{rest}&sslmode=disable",
        f"sqlite:///{file}",
        f"sqlite+aiosqlite:///{file}",
    ):
        upgrade(url)
        assert current(url) == NEWEST
        assert with_store(url, Store.counts) == {}
        with_store(url, Store.ping)
        assert is_postgres(url) == url.startswith("postgres")
    for bad in ("mysql://host/games", "games.db", "sqlite://", "sqlite:///:memory:"):
        with pytest.raises(ValueError, match=r"a database is|needs a file"):
            Store(bad)


def test_ping_raises_when_there_is_no_database() -> None:
    with pytest.raises(Refused, match="cannot reach its database"):
        with_store(f"postgresql://me@127.0.0.1:{free_port()}/games", Store.ping)


def test_sqlite_is_private_and_durable(tmp_path: Path) -> None:
    file = tmp_path / "data" / "games.db"
    url = f"sqlite:///{file}"
    upgrade(url)

    async def work(store: Store) -> dict[str, object]:
        def pragmas(connection: Connection) -> dict[str, object]:
            names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            return {n: connection.exec_driver_sql(f"PRAGMA {n}").scalar() for n in names}

        await add(store, game())
        assert {path.stat().st_mode & 0o777 for path in file.parent.iterdir()} == {0o600}
        assert await store._read(pragmas) == await store._write(pragmas)
        return await store._write(pragmas)

    assert with_store(url, work) == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 5000,
    }


KILLED = """
import asyncio, os, sys
from quartermaster.server.store.store import Change, EventRow, GameRow, Store

async def play():
    store = Store(sys.argv[1])
    row = GameRow("g", 1, "lobby", True, "second", "{}", 1.0, 1.0, None, None, None, None)
    await store.add_game(row, [EventRow(1, "made", None, "{}", 1.0)], {})
    assert await store.append("g", 1, [EventRow(2, "moved", None, "{}", 2.0)], Change(), 2.0)
    os._exit(9)

asyncio.run(play())
"""


def test_what_was_accepted_outlives_the_worker(database_url: str) -> None:
    worker = subprocess.run([sys.executable, "-c", KILLED, database_url], check=False)
    assert worker.returncode == 9

    async def work(store: Store) -> None:
        assert [one.kind for one in await store.events("g")] == ["made", "moved"]
        row = await store.game("g")
        assert row is not None
        assert row.seq == 2

    with_store(database_url, work)


# Migrations


def connected(url: str, work: Callable[[Connection], T]) -> T:
    return migrate.run(url, work, writes=True)


def test_migrations_make_the_declared_tables(database_url: str) -> None:
    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        return list(compare_metadata(context, metadata))

    assert connected(database_url, differences) == []


def test_an_older_database_is_brought_up_to_date(empty_url: str) -> None:
    assert current(empty_url) is None
    upgrade(empty_url, "0001")
    assert current(empty_url) == "0001"

    def fill(connection: Connection) -> None:
        for statement in (
            "INSERT INTO users (id, name, claimed, password, created_at)"
            " VALUES ('ann-1', 'Ann', 'ann', 'secret', 1.5)",
            "INSERT INTO games VALUES"
            " ('g', 1, 'lobby', true, 'second', '{}', 1.0, 1.0, NULL, NULL, NULL)",
            "INSERT INTO events VALUES ('g', 1, 'moved', 'ann-1', '{}', 11.0)",
            "INSERT INTO players VALUES ('g', 'ann-1', true)",
            "INSERT INTO messages (game_id, room, user_id, name, text, at)"
            " VALUES ('g', 'all', 'ann-1', 'Ann', 'hi', 3.0)",
        ):
            connection.exec_driver_sql(statement)

    connected(empty_url, fill)
    upgrade(empty_url)
    upgrade(empty_url)
    assert current(empty_url) == NEWEST

    async def work(store: Store) -> None:
        assert await store.user_named("ann") == replace(ANN, reserved="ann")
        people = People(store)
        found = await people.session("ann-1.0")  # tokens from before hold
        assert found is not None
        assert found[1].id == "ann-1"
        assert await store.game("g") == game()
        assert await store.events("g") == [event(1)]
        assert await store.turns_of("ann-1", ["g"]) == {"g": True}
        assert [message.text for message in await store.messages("g", ["all"])] == ["hi"]
        assert await store.append("g", 1, [event(2)], Change(rematch="h"), 9.0)
        assert await store.game("g") == game(seq=2, updated_at=9.0, rematch="h")
        assert await store.claim_notice("key", "g", "ann-1", "turn", 9.0)

    with_store(empty_url, work)


MIGRATES = """
import sys
from quartermaster.server.store.migrate import upgrade

print("ready", flush=True)
sys.stdin.read()
upgrade(sys.argv[1])
"""


def test_workers_migrate_at_once(empty_url: str) -> None:
    with ExitStack() as stack:
        workers = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", MIGRATES, empty_url],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
            )
            for _ in range(4)
        ]
        for worker in workers:
            assert worker.stdout is not None
            assert worker.stdout.readline() == b"ready\n"
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.close()
        assert [worker.wait() for worker in workers] == [0, 0, 0, 0]
    assert current(empty_url) == NEWEST
    assert with_store(empty_url, Store.counts) == {}


def test_threads_migrate_at_once(empty_url: str) -> None:
    async def run() -> None:
        await asyncio.gather(*(asyncio.to_thread(upgrade, empty_url) for _ in range(3)))

    asyncio.run(run())
    assert current(empty_url) == NEWEST


def test_a_migration_that_fails_leaves_nothing_behind(empty_url: str) -> None:
    upgrade(empty_url, "0001")
    connected(
        empty_url,
        lambda connection: connection.exec_driver_sql("ALTER TABLE games ADD COLUMN rematch TEXT"),
    )
    with pytest.raises(Exception, match="rematch"):
        upgrade(empty_url)  # makes notices first, then fails
    assert current(empty_url) == "0001"
    connected(
        empty_url,
        lambda connection: connection.exec_driver_sql("ALTER TABLE games DROP COLUMN rematch"),
    )
    upgrade(empty_url)
    assert current(empty_url) == NEWEST


def test_looking_at_a_database_makes_none(tmp_path: Path) -> None:
    assert current(f"sqlite:///{tmp_path}/games.db") is None
    assert list(tmp_path.iterdir()) == []
