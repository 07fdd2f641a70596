"""The database itself: private, durable, and brought up to date by migrations."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from msgspec.structs import replace
from sqlalchemy import Connection

from quartermaster.server.refusals import Refused
from quartermaster.server.store import migrate
from quartermaster.server.store.databases import is_postgres
from quartermaster.server.store.migrate import current, upgrade
from quartermaster.server.store.people import People
from quartermaster.server.store.rows import Change
from quartermaster.server.store.schema import metadata
from quartermaster.server.store.store import Store
from servers import free_port
from stores import ANN, T, add, event, game, with_store

NEWEST = max(migrate.known_revisions())


# The database itself.


def test_urls(postgres_url: str, tmp_path: Path) -> None:
    rest = postgres_url.partition("://")[2]
    file = f"{tmp_path}/deep/down/games.db"
    for url in (
        f"postgresql://{rest}",
        f"postgres://{rest}",
        f"postgresql+asyncpg://{rest}",
        f"postgres://{rest}&sslmode=disable",
        f"sqlite:///{file}",
        f"sqlite+pysqlite:///{file}",
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
from quartermaster.server.store.rows import Change, EventRow, GameRow
from quartermaster.server.store.store import Store

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


def connected(url: str, work: Callable[[Connection], T]) -> T:
    return migrate.run(url, work, writes=True)


# Migrations.


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
