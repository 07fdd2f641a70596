"""What people send that nobody expects, and what fails under the server: 4xx and 503 with a
plain word, never 500, and no tracebacks in the log."""

import asyncio
import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from databases import execute
from quartermaster import Game
from quartermaster.errors import BrokenFile
from quartermaster.forms.record import parse_record
from quartermaster.server.refusals import Refused
from quartermaster.server.store.migrate import upgrade
from quartermaster.server.store.store import Store
from servers import Client, Server, two_seats

RECORD = Game.new("second", seed=7, seats=2).record
QUICK = {"pause": 0, "window": 0}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("failures")
    with Server(f"sqlite:///{folder}/games.db", folder) as one:
        yield one
    assert "Traceback" not in one.log.read_text()


@pytest.fixture(scope="module")
def anna(server: Server) -> Iterator[Client]:
    with server.client("Anna") as one:
        yield one


@pytest.mark.parametrize("depth", [900, 1100, 30_000])
@pytest.mark.parametrize("body", ["{}", '{"seats": {}}', '{"what": 1, "x": {}}'])
def test_deep_json(anna: Client, body: str, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    for path in ("/api/games", "/api/me", "/api/games/abc/moves"):
        answer = anna.http.post(
            path, content=body.replace("{}", nested), headers={"content-type": "application/json"}
        )
        assert answer.status_code in (400, 404), answer.text
        assert answer.json()["code"] in ("too-deep", "malformed", "no-such-game")


@pytest.mark.parametrize("name", ["%00", "a%00b", "%00.js", "a" * 3000, "%F0%9F%98%80" * 100])
@pytest.mark.parametrize("folder", ["/", "/static/", "/static/js/", "/api/games/", "/api/words/"])
def test_names_that_nothing_has(anna: Client, folder: str, name: str) -> None:
    answer = anna.http.get(folder + name)
    assert answer.status_code == 404, answer.text
    assert answer.json()["code"] == "not-found"


@pytest.mark.parametrize(
    ("seed", "reason"),
    [
        ("0x" + "f" * 5000, "more than 100 digits"),
        (":".join(["59"] * 3000), "more than 100 digits"),
        ("9" * 300, "more than 100 digits"),
        ("!!int ''", "'' cannot be read"),
        ("!!bool perhaps", "'perhaps' cannot be read"),
        ("!!timestamp soon", "'soon' cannot be read"),
        ("2026-13-01", "'2026-13-01' cannot be read"),
        ("!!float x", "'x' cannot be read"),
    ],
)
def test_seeds_that_are_no_numbers(anna: Client, seed: str, reason: str) -> None:
    record = RECORD.replace("seed: 7", f"seed: {seed}")
    with pytest.raises(BrokenFile, match=reason) as refused:
        parse_record(record)
    assert refused.value.line == 5
    answer = anna.http.post("/api/games", json={"record": record, "seats": two_seats()})
    assert answer.status_code == 422
    assert answer.json()["code"] == "broken-file"
    assert reason in answer.json()["error"]


@pytest.mark.parametrize(("seed", "number"), [("0x1F", 31), ("1:30", 90), ("1_000", 1000)])
def test_seeds_in_other_forms(anna: Client, seed: str, number: int) -> None:
    record = RECORD.replace("seed: 7", f"seed: {seed}")
    assert parse_record(record).seed == number
    assert Game.from_record(record).seed == number


# What fails under a server.


class Failing:
    """A table in play, and what becomes of it while its database fails."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.anna = server.client("Anna")
        self.game = self.make()

    def make(self) -> str:
        made = self.anna.post("/api/games", QUICK | {"seats": two_seats(), "start": True})
        return str(made["id"])

    def post(self) -> httpx.Response:
        return self.anna.http.post(f"/api/games/{self.game}/chat", json={"text": "x" * 400})

    def health(self) -> httpx.Response:
        return httpx.get(f"{self.server.url}/healthz", timeout=30)

    def fails(self, code: str) -> None:
        answer = self.post()
        assert (answer.status_code, answer.json()["code"]) == (503, code)
        assert answer.headers["retry-after"] == "5"
        time.sleep(2.1)  # for which it is taken to be well
        answer = self.health()
        assert (answer.status_code, answer.json()["code"]) == (503, code)

    def works(self) -> None:
        for _ in range(100):
            if self.health().status_code == 200:
                break
            time.sleep(0.1)
        assert self.post().status_code == 201
        assert self.health().json()["status"] == "ok"
        self.make()
        log = self.server.log.read_text()
        assert "Traceback" not in log
        assert "traceback" not in log
        assert len(log) < 100_000


@pytest.fixture
def failing(tmp_path: Path) -> Iterator[Failing]:
    with Server(f"sqlite:///{tmp_path}/games.db", tmp_path, QUARTERMASTER_LOG="warning") as one:
        found = Failing(one)
        with found.anna:
            yield found


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process need Linux")
def test_a_full_disk(failing: Failing, tmp_path: Path) -> None:
    import resource

    process = failing.server.process
    assert process is not None
    failing.works()
    before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (32 * 1024, before[1]))
    for _ in range(300):  # there may be room at the beginning of the log
        if failing.post().status_code != 201:
            break
    failing.fails("disk-full")
    assert failing.anna.get(f"/api/games/{failing.game}")["id"] == failing.game  # reading goes on
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)
    failing.works()


def test_a_locked_database(failing: Failing, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "games.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        failing.fails("no-database")
    failing.works()


@pytest.mark.skipif(os.name != "posix", reason="an open file can be moved on POSIX")
def test_a_lost_database(failing: Failing, tmp_path: Path) -> None:
    """What is written to a deleted file is gone when the server ends: it is not acknowledged."""
    (tmp_path / "games.db").rename(tmp_path / "elsewhere")
    failing.fails("no-database")
    (tmp_path / "games.db").touch()
    failing.fails("no-database")
    (tmp_path / "elsewhere").rename(tmp_path / "games.db")
    failing.works()


@pytest.mark.skipif(os.name != "posix", reason="an open file can be moved on POSIX")
@pytest.mark.parametrize("is_replaced", [False, True])
def test_no_other_file_is_opened_in_place_of_a_lost_one(tmp_path: Path, is_replaced: bool) -> None:
    """Many who read at once need more connections than are open: made to another file they would
    find nothing in it later, and SQLite deletes the log that it finds beside an empty file."""
    file, elsewhere = tmp_path / "games.db", tmp_path / "elsewhere"
    url = f"sqlite:///{file}"
    upgrade(url)

    async def read_at_once(store: Store) -> list[object]:
        return await asyncio.gather(*(store.counts() for _ in range(20)), return_exceptions=True)

    async def work() -> None:
        store = Store(url)
        try:
            assert await store.counts() == {}
            await store.note_running(5.0, 0.0)  # only in the log
            file.rename(elsewhere)
            if is_replaced:
                file.touch()
            for found in await read_at_once(store):
                assert found == {} or (isinstance(found, Refused) and found.code == "no-database")
            assert file.exists() == is_replaced
            elsewhere.rename(file)
            assert await read_at_once(store) == [{}] * 20
            assert await store.running() == (5.0, 0.0)
        finally:
            await store.close()

    asyncio.run(work())


def test_a_lost_postgres(
    postgres_url: str, postgres_server: Callable[[str], str], tmp_path: Path
) -> None:
    with Server(postgres_url, tmp_path, QUARTERMASTER_LOG="warning") as server:
        failing = Failing(server)
        with failing.anna:
            lose(failing, postgres_url, postgres_server("postgres"))


def lose(failing: Failing, url: str, others: str) -> None:
    failing.works()
    name = url.partition("?")[0].rpartition("/")[2]
    execute(
        others,
        f"ALTER DATABASE {name} ALLOW_CONNECTIONS false",
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'",
    )
    failing.fails("no-database")
    execute(others, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    failing.works()


def test_the_log_says_what_failed(failing: Failing, tmp_path: Path) -> None:
    (tmp_path / "games.db").rename(tmp_path / "elsewhere")
    failing.post()
    (tmp_path / "elsewhere").rename(tmp_path / "games.db")
    lines = [json.loads(line) for line in failing.server.log.read_text().splitlines()
             if line.startswith("{")]  # fmt: skip
    assert any("was deleted or replaced while the server runs" in one["message"] for one in lines)
