"""Ways in that were left open beside the usual ones: too large heads, exports of closed games, many
proposals, a machine whose clock was set, and a database that was locked once."""

import asyncio
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from typer.testing import CliRunner

from quartermaster.cli.main import app
from quartermaster.server.clock import Timekeeper
from quartermaster.server.ledger import carry_out, event_rows, game_row
from quartermaster.server.store.databases import make_sqlite_engine
from quartermaster.server.store.migrate import upgrade
from quartermaster.server.store.people import People
from quartermaster.server.store.schema import signals
from quartermaster.server.store.store import Store
from quartermaster.server.store.writer import Writer
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish
from quartermaster.server.table.queries import players_of
from quartermaster.server.table.table import Table
from servers import Client, Server
from stores import with_store
from webhooks import receiver, wait_for


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("careless")
    url = f"sqlite:///{folder}/games.db"
    with Server(url, folder, QUARTERMASTER_PRIVATE_WEBHOOKS="1") as one:
        yield one


# Heads.


def answer_to(server: Server, *parts: bytes) -> bytes:
    """What a server says to some bytes until it closes the connection, which it must."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as sock:
        try:
            for part in parts:
                sock.sendall(part)
        except ConnectionError:
            pass  # it has closed: what it said before can be read
        said = b""
        try:
            while more := sock.recv(65536):
                said += more
        except ConnectionError:
            pass
        return said


LARGEST_HEAD = 64 * 1024
FIRST = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n"


@pytest.mark.parametrize(
    "flood",
    [
        [FIRST, *(b"x-%d: %b\r\n" % (n, b"a" * 1000) for n in range(2 * LARGEST_HEAD // 1000))],
        [FIRST, b"x: ", *[b"a" * 1000] * (2 * LARGEST_HEAD // 1000)],
        [b"GET /", *[b"a" * 1000] * (2 * LARGEST_HEAD // 1000)],
    ],
    ids=["many headers", "one header", "the path"],
)
def test_a_head_without_end_is_not_kept(server: Server, flood: list[bytes]) -> None:
    said = answer_to(server, *flood)
    assert not said or said.startswith(b"HTTP/1.1 431 "), said[:100]
    assert answer_to(server, FIRST + b"connection: close\r\n\r\n").startswith(b"HTTP/1.1 200 ")


def test_a_body_is_no_head(server: Server) -> None:
    """Many requests on one connection, each with a body, are more than a head may be."""
    with server.client("Anna") as anna:
        table = anna.post("/api/games", {"seats": 2})
        for _ in range(3):
            answer = anna.http.put(f"/api/games/{table['id']}", json={"title": "x" * 60_000})
            assert (answer.status_code, answer.json()["code"]) == (422, "bad-text")


# Exports.


def closed_game(anna: Client, boris: Client, clara: Client, **wish: bool) -> str:
    """Clara had a seat at a closed table and got up; then Anna and Boris have played there."""
    id: str = anna.post("/api/games", {"seats": 2, "has_spectators": False, **wish})["id"]
    clara.post(f"/api/games/{id}/seats/1/take")
    clara.post(f"/api/games/{id}/seats/1/leave")
    boris.post(f"/api/games/{id}/seats/1/take")
    boris.post(f"/api/games/{id}/ready")
    anna.post(f"/api/games/{id}/start")
    anna.post(f"/api/games/{id}/proposals", {"what": "end"})
    assert boris.post(f"/api/games/{id}/votes", {"is_for": True})["status"] == "over"
    return id


def test_an_export_opens_no_closed_game(server: Server) -> None:
    with server.client("Anna") as anna, server.client("Boris") as boris:
        with server.client("Clara") as clara:
            id = closed_game(anna, boris, clara)
            assert clara.get("/api/me/export")["games"] == [
                {"id": id, "status": "closed", "your_seats": []}
            ]
        [game] = boris.get("/api/me/export")["games"]
        assert game["record"].startswith("quartermaster record")


def test_lists_tell_strangers_nothing_of_a_closed_game(server: Server) -> None:
    with server.client("Anna") as anna, server.client("Boris") as boris:
        with server.client("Clara") as clara:
            id = closed_game(anna, boris, clara, is_public=True)
            [item] = [one for one in clara.get("/api/games", show="over") if one["id"] == id]
            assert (item["result"], item["winner"], item["rematch"]) == (None, None, None)
        [item] = [one for one in boris.get("/api/games", show="over") if one["id"] == id]
        assert item["result"]["abandoned"]


# Notices.


def test_who_proposes_over_and_over_has_others_told_once(server: Server) -> None:
    with server.client("Anna") as anna, server.client("Boris") as boris, receiver() as (url, told):
        boris.http.patch("/api/me", json={"webhook": url}).raise_for_status()
        id = anna.post("/api/games", {"seats": 2})["id"]
        boris.post(f"/api/games/{id}/seats/1/take")
        boris.post(f"/api/games/{id}/ready")
        anna.post(f"/api/games/{id}/start")
        boris.post(f"/api/games/{id}/seats/1/hand-over", {"to": "bot", "bot": "random"})
        for _ in range(4):
            anna.post(f"/api/games/{id}/proposals", {"what": "end"})
            anna.post(f"/api/games/{id}/votes", {"is_for": False})
        wait_for(told, 2)
        assert told[1].startswith("Something is proposed"), "the other: that it was Boris's turn"


# Clocks.


def test_who_keeps_the_place_takes_nobodys_time_though_the_clock_was_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock of the machine was set by an hour since the server began: a seat that is left by
    the admin command is left at the time of the table."""
    url = f"sqlite:///{tmp_path}/games.db"
    upgrade(url)
    clock = ev.Clock("live", minutes=10)

    async def work() -> list[float | None]:
        store = Store(url)
        keeper = Timekeeper()
        await keeper.start(store)
        now = keeper.now()
        table = Table("table123")
        made: list[ev.Event] = []

        def do(user: str, events: list[ev.Event]) -> None:
            for event in events:
                table.add(event, user, now)
            made.extend(events)

        do("anna", commands.create("anna", "Anna", GameWish(seats=2, clock=clock)))
        do("boris", commands.take_seat(table, "boris", "Boris", 1, None))
        do("boris", commands.say_ready(table, "boris", True))
        do("anna", commands.start(table, "anna"))
        rows = event_rows(made, 0, None, now)
        await store.add_game(game_row(table, now), rows, players_of(table))
        hour_later = time.time() + 3600
        monkeypatch.setattr(time, "time", lambda: hour_later)
        await carry_out(store, table.id, "boris", lambda t: commands.leave_seat(t, "boris", 1))
        read = Table("table123")
        for row in await store.events("table123"):
            read.add(ev.decode(row.data), row.user_id, row.at)
        await keeper.close(store)
        await store.close()
        return [read.seconds_left(n, keeper.now()) for n in (0, 1)]

    left = asyncio.run(work())
    assert left == [pytest.approx(600, abs=30), pytest.approx(600, abs=30)]


# Locks.


def test_a_lock_is_waited_for_after_one_that_was_too_long(tmp_path: Path) -> None:
    """A write that failed leaves no connection behind that does not wait for others."""
    file = tmp_path / "games.db"
    engine = make_sqlite_engine(f"sqlite:///{file}", 3, wait=0.3)
    is_locked, may_end = threading.Event(), threading.Event()

    def add(connection: Connection) -> None:
        connection.execute(text("INSERT INTO seen VALUES (1)"))

    def hold(seconds: float) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            is_locked.set()
            may_end.wait(seconds)
            other.execute("ROLLBACK")

    async def work() -> None:
        writer = Writer(engine)
        await writer.write(lambda c: c.execute(text("CREATE TABLE seen (n INTEGER)")))
        await writer.write(add, is_quick=True)
        await writer.write(add, is_quick=True)
        with engine.connect() as reading:  # beside those that write
            assert reading.execute(text("SELECT count(*) FROM seen")).scalar_one() == 2
        for seconds, fails in ((5.0, True), (0.1, False), (0.1, False)):
            is_locked.clear()
            thread = threading.Thread(target=hold, args=(seconds,))
            thread.start()
            await asyncio.to_thread(is_locked.wait)
            with pytest.raises(DBAPIError) if fails else nullcontext():
                await writer.write(add, is_quick=True)
            may_end.set()
            await asyncio.to_thread(thread.join)
            may_end.clear()
        await writer.close()

    asyncio.run(work())
    engine.dispose()


# What is kept.


def test_old_signals_are_let_go(database_url: str) -> None:
    """Whoever changes their name all day long leaves one for each time."""

    async def work(store: Store) -> list[str]:
        people = People(store)
        for at in (time.time() - 3 * 86400, time.time()):
            row = {"what": f"user:{at}", "at": at}
            await store.write(lambda connection, row=row: connection.execute(signals.insert(), row))  # type: ignore[misc]
        await people.drop_old_signals()
        return [what for _, what in await people.signals(0)]

    assert len(with_store(database_url, work)) == 1


# The admin command.


@pytest.mark.parametrize(
    "arguments",
    [
        ["messages", "remove", "99999999999999999999"],
        ["reports", "close", "99999999999999999999"],
        ["people", "ban", "Dora", "--days", "1e400"],
    ],
)
def test_numbers_without_end_are_refused(server: Server, arguments: list[str]) -> None:
    done = CliRunner().invoke(app, ["admin", *arguments], env=server.environment)
    assert done.exit_code == 2, done.output
    assert isinstance(done.exception, SystemExit)


def test_what_was_not_done_is_not_in_the_log(server: Server) -> None:
    def admin(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["admin", *arguments], env=server.environment)
        return done.exit_code, done.output

    with server.client("Dora") as dora:
        before = admin("log", "--json")
        assert admin("people", "rename", dora.id, "Moderator")[0] == 2
        assert admin("reports", "close", "12345")[0] == 2
        assert admin("log", "--json") == before
