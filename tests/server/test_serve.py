"""`quartermaster serve` as people start it: ports, data that is not its own, a second start."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

import httpx
import pytest

from quartermaster.cli.serve import graphical_browser
from quartermaster.server.store.migrate import upgrade
from quartermaster.server.store.running import running_server
from servers import Server, free_port

ADDRESS = re.compile(r"Quartermaster is at (http://localhost:\d+)")


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {
        **os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder), "QUARTERMASTER_BOTS": "1",
        "DATABASE_URL": f"sqlite:///{folder}/games.db", **more,
    }  # fmt: skip


def serve(folder: Path, *arguments: str, code: int = 2, **more: str) -> str:
    """A start that ends by itself."""
    done = subprocess.run(
        [sys.executable, "-m", "quartermaster", "serve", *arguments],
        env=environment(folder, **more), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@contextmanager
def serving(folder: Path, *arguments: str, **more: str) -> Iterator[tuple[str, IO[str]]]:
    """A start that goes on, and the address it tells."""
    process = subprocess.Popen(
        [sys.executable, "-m", "quartermaster", "serve", *arguments],
        env=environment(folder, PYTHONUNBUFFERED="1", **more), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        found = ADDRESS.match(process.stdout.readline())
        assert found is not None
        for _ in range(200):
            try:
                assert httpx.get(f"{found[1]}/healthz").status_code == 200
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield found[1], process.stdout
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        process.stdout.close()


def test_any_port_is_told_as_it_is(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0") as (address, _):
        assert not address.endswith(":0")
        page = httpx.get(address)
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        for path in (
            "/static/styles/base.css",
            "/api/words",
            "/manifest.webmanifest",
            "/favicon.ico",
        ):
            assert httpx.get(address + path).headers["content-type"].count("charset") <= 1, path


@pytest.mark.parametrize("port", ["99999", "-1", "http"])
def test_no_port(tmp_path: Path, port: str) -> None:
    assert "--port" in serve(tmp_path, "--port", port)


def test_a_second_start_finds_the_first(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    browser.chmod(0o755)
    with serving(tmp_path, "--no-browser") as (address, _):
        told = serve(tmp_path, code=0, BROWSER=str(browser))
        assert f"runs already, at {address}" in told
        assert opened.read_text() == f"{address}\n"
        # Who names a port does not want the other server.
        told = serve(tmp_path, "--port", str(free_port()))
        assert f"a server at {address} has {tmp_path}/games.db already" in told
    opened.unlink()
    assert running_server(f"sqlite:///{tmp_path}/games.db") is None
    with serving(tmp_path, "--port", "0") as (again, _):
        assert running_server(f"sqlite:///{tmp_path}/games.db") == again


def test_a_killed_server_is_not_taken_for_a_running_one(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    server = Server(url, tmp_path).start()
    assert running_server(url) is not None
    server.kill()
    assert running_server(url) is None
    with server:
        assert running_server(url) is not None


def make(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "games.db")) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def test_a_newer_database(tmp_path: Path) -> None:
    upgrade(f"sqlite:///{tmp_path}/games.db")
    make(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    for told in (serve(tmp_path), run_migrate(tmp_path)):
        assert "was written by a newer version of Quartermaster (its form is 9999" in told
        assert "install that version, or restore a backup" in told


def run_migrate(folder: Path) -> str:
    command = [sys.executable, "-m", "quartermaster", "migrate"]
    done = subprocess.run(command, env=environment(folder), capture_output=True, text=True)
    assert done.returncode == 2
    return done.stderr


def test_a_database_of_another_program(tmp_path: Path) -> None:
    make(tmp_path, "CREATE TABLE recipes (id INTEGER)")
    before = (tmp_path / "games.db").read_bytes()
    assert "is the database of another program" in serve(tmp_path)
    # Its journal may be another one now, but not what is in it.
    with closing(sqlite3.connect(tmp_path / "games.db")) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    assert len(before) == (tmp_path / "games.db").stat().st_size
    make(tmp_path, "CREATE TABLE alembic_version (version_num TEXT)",
         "INSERT INTO alembic_version VALUES ('ae1027a6acf')")  # fmt: skip
    assert "is the database of another program" in serve(tmp_path)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"Dear diary, " * 1000)
    told = serve(tmp_path)
    assert f"{tmp_path}/games.db is not a database of Quartermaster" in told
    assert (tmp_path / "games.db").read_bytes() == b"Dear diary, " * 1000


def test_a_damaged_database(tmp_path: Path) -> None:
    upgrade(f"sqlite:///{tmp_path}/games.db")
    path = tmp_path / "games.db"
    data = path.read_bytes()
    path.write_bytes(data[:200] + bytes([171]) * (len(data) - 200))
    told = serve(tmp_path)
    assert "is damaged" in told
    assert "quartermaster restore" in told


def test_no_postgres(tmp_path: Path) -> None:
    url = f"postgresql://me:topsecret@127.0.0.1:{free_port()}/games"
    told = serve(tmp_path, DATABASE_URL=url, QUARTERMASTER_SECRET="x" * 20)
    assert "Is PostgreSQL running" in told
    assert "topsecret" not in told


def test_browsers_that_would_take_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform in ("win32", "darwin"):
        pytest.skip("the system opens its own")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.BackgroundBrowser("firefox"))
    assert graphical_browser() is None  # nowhere to show a window
    monkeypatch.setenv("DISPLAY", ":0")
    assert graphical_browser() is not None
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("/usr/bin/w3m"))
    assert graphical_browser() is None

    def none() -> None:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", none)
    assert graphical_browser() is None
