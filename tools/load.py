"""Plays many games at once on a server of its own, and tells how it bears up.

.venv/bin/python tools/load.py
.venv/bin/python tools/load.py --games 50 --seconds 20 --postgres
.venv/bin/python tools/load.py --knee

Each game has six people, each with an open stream, and a move is made every two seconds. The
people are all in this process, so it does as little as it can: of a view it reads the number, and
only who is to move reads the rest.

The server runs the compiled copy in build/compiled where there is one (`make load` makes it), as
an installed server does.
"""

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import psutil  # type: ignore[import-untyped]
import typer
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from quartermaster.server.edge.connections import raise_descriptor_limit
from servers import Server
from storm import decision, own_postgres, some_record

COMPILED = Path(__file__).parent.parent / "build" / "compiled"
SEATS = ["germany", "united-kingdom", "japan", "soviet-union", "italy", "united-states"]
NUMBER = re.compile(rb'"number":(\d+)')
EVENT = re.compile(rb"(\d+)\.\d+\.\d+\nevent: table\ndata: ")
RECORDS = 25  # different games to begin with
AT_ONCE = 8  # tables that are set up side by side
PATIENCE = 60.0  # seconds for what must come
TOO_LATE = 0.1  # seconds until all see a move
LOOK_EVERY = 0.01  # seconds between looks at how late this program is


@dataclass
class Figures:
    """What was measured, in seconds."""

    answers: list[float] = field(default_factory=list)
    views: list[float] = field(default_factory=list)  # until all six had the new number
    lateness: list[float] = field(default_factory=list)  # of moves, since others took long
    own_delays: list[float] = field(default_factory=list)  # of this program itself
    stolen: list[float] = field(
        default_factory=list
    )  # by other machines of the same host: a share of each second
    refused: list[str] = field(default_factory=list)


class Line:
    """A connection that is kept, for one request at a time, and made anew once the server has
    closed it for being idle."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(
        self, method: str, path: str, token: str = "", body: Any = None
    ) -> tuple[int, bytes]:
        data = b"" if body is None else json.dumps(body).encode()
        for is_last in (False, True):
            if self.reader is None or self.writer is None or self.reader.at_eof():
                self.close()
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
            self.writer.write(request(method, path, token, data))
            try:
                head = await self.reader.readuntil(b"\r\n\r\n")
                break
            except (asyncio.IncompleteReadError, ConnectionError):
                self.reader = None  # a move that was done all the same is recognised
                if is_last:
                    raise
        length = re.search(rb"content-length: (\d+)", head)
        assert length is not None, head
        assert self.reader is not None
        return int(head[9:12]), await self.reader.readexactly(int(length[1]))

    async def must(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        status, data = await self.ask(method, path, token, body)
        assert status in (200, 201), f"{method} {path}: {status} {data[:300]!r}"
        return json.loads(data)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


def request(method: str, path: str, token: str, data: bytes, accept: str = "*/*") -> bytes:
    heads = [f"{method} {path} HTTP/1.1", "host: localhost", f"accept: {accept}"]
    if token:
        heads.append(f"authorization: Bearer {token}")
    if data:
        heads += ["content-type: application/json", f"content-length: {len(data)}"]
    return "\r\n".join([*heads, "", ""]).encode() + data


class Person(asyncio.Protocol):
    """Someone at a table, with a stream."""

    def __init__(self, game: "Game", token: str) -> None:
        self.game = game
        self.token = token
        self.number = 0
        self.view = b""  # of that number
        self.parts: list[bytes] = []
        self.transport: asyncio.Transport | None = None

    def itself(self) -> "Person":
        return self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        path = f"{self.game.path}/stream"
        transport.write(request("GET", path, self.token, b"", "text/event-stream"))

    def data_received(self, data: bytes) -> None:
        self.parts.append(data)
        if not data.endswith(b"\n\n\r\n"):  # an event ends with \n\n, and its chunk with \r\n
            return
        text = b"".join(self.parts)
        self.parts.clear()
        start = text.rfind(b"\nid: ") + 5
        found = EVENT.match(text, start)
        if found is not None:
            self.number = int(found[1])
            self.view = text[found.end() : text.index(b"\n\n", found.end())]  # a beat may follow
            self.game.note_view()

    @property
    def is_to_decide(self) -> bool:
        return b'"your_turn":true' in self.view

    @property
    def is_over(self) -> bool:
        return b'"status":"over"' in self.view


class Game:
    """One table with six people."""

    def __init__(self, line: Line, rng: random.Random, figures: Figures) -> None:
        self.line = line
        self.rng = rng
        self.figures = figures
        self.path = ""
        self.people: list[Person] = []
        self.news = asyncio.Event()
        self.number = 0  # that everyone is to have
        self.all_had_it_at = 0.0
        self.moves = 0

    async def set_up(self, record: str) -> None:
        tokens = []
        for name in SEATS:
            session = await self.line.must("POST", "/api/me", body={"name": name})
            tokens.append(session["token"])
        seats = [{"countries": [name], "who": "open"} for name in SEATS]
        seats[0]["who"] = "me"
        wish = {"record": record, "seats": seats, "window": 0, "late": "wait"}
        made = await self.line.must("POST", "/api/games", tokens[0], wish)
        self.path = f"/api/games/{made['id']}"
        for seat, token in enumerate(tokens[1:], 1):
            await self.line.must("POST", f"{self.path}/seats/{seat}/take", token, {})
            await self.line.must("POST", f"{self.path}/ready", token, {})
        begun = await self.line.must("POST", f"{self.path}/start", tokens[0])
        self.people = [Person(self, token) for token in tokens]
        loop = asyncio.get_running_loop()
        for person in self.people:
            await loop.create_connection(person.itself, "127.0.0.1", self.line.port)
        await self._until_all_have(begun["number"])

    def note_view(self) -> None:
        if all(person.number >= self.number for person in self.people):
            self.all_had_it_at = time.perf_counter()
            self.news.set()

    async def _until_all_have(self, number: int) -> None:
        self.number = number
        async with asyncio.timeout(PATIENCE):
            while any(person.number < number for person in self.people):
                self.news.clear()
                await self.news.wait()

    async def play(self, start: float, end: float, interval: float) -> None:
        """A move at each interval, or as soon as there is someone to make it."""
        due = start
        while due < end:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            person = await self._mover()
            if person is None:
                return  # the game is over
            if time.perf_counter() < end:
                self.figures.lateness.append(time.perf_counter() - due)
                await self._move(person)
            due += interval

    async def _mover(self) -> Person | None:
        """Who is to decide, once someone is; nobody when the game is over."""
        async with asyncio.timeout(PATIENCE):
            while True:
                newest = max(person.number for person in self.people)
                for person in self.people:
                    if person.number == newest and person.is_to_decide:
                        return person
                if any(person.is_over for person in self.people):
                    return None
                self.number = newest
                self.news.clear()
                await self.news.wait()

    async def _move(self, person: Person) -> None:
        path, _, body = decision(self.rng, json.loads(person.view))
        number = body["number"]
        if path == "answers":
            person.view = b""  # the next, which may come before the answer, shows what is left
        sent = time.perf_counter()
        self.number = number + 1  # an answer may not bring it: others may be asked too
        status, data = await self.line.ask("POST", f"{self.path}/{path}", person.token, body)
        self.figures.answers.append(time.perf_counter() - sent)
        if status != 200:
            self.figures.refused.append(f"{body}: {status} {data[:200]!r}")
            return
        self.moves += 1
        if path == "moves":
            await self._until_all_have(number + 1)
            self.figures.views.append(self.all_had_it_at - sent)

    def close(self) -> None:
        self.line.close()
        for person in self.people:
            if person.transport is not None:
                person.transport.close()


class Watch:
    """Processor time and memory of some processes."""

    def __init__(self, *processes: psutil.Process) -> None:
        self.processes = processes
        self.began = time.perf_counter()
        self.before = self._seconds()

    def _seconds(self) -> float:
        times = [process.cpu_times() for process in self.processes if process.is_running()]
        return sum(float(one.user + one.system) for one in times)

    @property
    def spent(self) -> float:
        """Seconds of processor time."""
        return self._seconds() - self.before

    @property
    def load(self) -> float:
        """Processors kept busy."""
        return self.spent / (time.perf_counter() - self.began)

    @property
    def memory(self) -> float:
        """Megabytes."""
        running = [process for process in self.processes if process.is_running()]
        return sum(float(process.memory_info().rss) for process in running) / 1e6


@dataclass
class Outcome:
    figures: Figures
    asked: float  # moves a second
    done: float
    server_load: float
    cost: float  # processor time of the server for a move, in seconds
    own_load: float
    memory: float
    set_up: float  # seconds


async def play(server: Server, games: int, seconds: float, interval: float) -> Outcome:
    figures = Figures()
    rng = random.Random(1)
    records = [
        some_record(2 * n, [[name] for name in SEATS], rng.randrange(20, 200))
        for n in range(RECORDS)
    ]
    tables = [Game(Line(server.port), random.Random(n), figures) for n in range(games)]
    began = time.perf_counter()
    turns = asyncio.Semaphore(AT_ONCE)

    async def set_up(n: int) -> None:
        async with turns:
            await tables[n].set_up(records[n % RECORDS])

    await asyncio.gather(*(set_up(n) for n in range(games)))
    ready = time.perf_counter() - began
    assert server.process is not None
    root = psutil.Process(server.process.pid)
    watch, own = Watch(root, *root.children(recursive=True)), Watch(psutil.Process())
    start = time.perf_counter() + 0.5
    end = start + seconds
    offsets = [start + n * interval / games for n in range(games)]
    watching = asyncio.create_task(watch_itself(figures))
    await asyncio.gather(
        *(table.play(at, end, interval) for table, at in zip(tables, offsets, strict=True))
    )
    watching.cancel()
    outcome = Outcome(
        figures,
        games / interval,
        sum(table.moves for table in tables) / seconds,
        watch.load,
        watch.spent / max(1, sum(table.moves for table in tables)),
        own.load,
        watch.memory,
        ready,
    )
    for table in tables:
        table.close()
    return outcome


async def watch_itself(figures: Figures) -> None:
    """Note by how much this program is late with what it has to do, and what the host gives to
    others: what people seem to wait for may be the program that plays them, or its machine."""
    second, stolen = time.perf_counter(), stolen_time()
    while True:
        due = time.perf_counter() + LOOK_EVERY
        await asyncio.sleep(LOOK_EVERY)
        now = time.perf_counter()
        figures.own_delays.append(now - due)
        if now - second >= 1:
            figures.stolen.append((stolen_time() - stolen) / (now - second))
            second, stolen = now, stolen_time()


def stolen_time() -> float:
    """Seconds for which a processor had work and its host did not let it run, if that is told."""
    return float(getattr(psutil.cpu_times(), "steal", 0.0)) / (psutil.cpu_count() or 1)


def spread(values: list[float]) -> str:
    """p50, p99 and the largest, in milliseconds."""
    ordered = sorted(values) or [0.0]
    points = [ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in (0.5, 0.99, 1)]
    return " / ".join(f"{1000 * point:,.0f}" for point in points)


def report(outcome: Outcome, title: str) -> Table:
    figures = outcome.figures
    table = Table("", "", title=title, title_justify="left", show_header=False)
    table.add_row("moves a second, done of asked", f"{outcome.done:.1f} of {outcome.asked:.1f}")
    table.add_row("ms from a move to its answer, p50 / p99 / max", spread(figures.answers))
    table.add_row("ms until all six see it", spread(figures.views))
    table.add_row("ms behind the schedule", spread(figures.lateness))
    table.add_row("moves refused", f"{len(figures.refused)}")
    table.add_row("server: processors busy", f"{outcome.server_load:.2f}")
    table.add_row("server: ms of processor time a move", f"{1000 * outcome.cost:.2f}")
    table.add_row("server: memory, MB", f"{outcome.memory:,.0f}")
    table.add_row("this program: processors busy", f"{outcome.own_load:.2f}")
    table.add_row("this program: ms it was late itself", spread(figures.own_delays))
    stolen = [100 * share for share in figures.stolen or [0.0]]
    told = f"{sum(stolen) / len(stolen):.0f} / {max(stolen):.0f}"
    table.add_row("% of the machine that its host gave to others, mean / most", told)
    table.add_row("seconds to set it all up", f"{outcome.set_up:.0f}")
    return table


def measure(games: int, seconds: float, interval: float, postgres: bool, workers: int) -> Outcome:
    """Let people play on a server of its own."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = f"sqlite:///{folder}/games.db"
        if postgres:
            url = stack.enter_context(own_postgres())
        server = stack.enter_context(
            Server(url, folder, workers if postgres else 1, **server_variables())
        )
        return asyncio.run(play(server, games, seconds, interval))


def server_variables() -> dict[str, str]:
    """What lets a new process import the compiled copy, where there is one."""
    return {"PYTHONPATH": str(COMPILED)} if (COMPILED / ".done").exists() else {}


def server_version() -> str:
    """What the server says of itself: its version, and whether it is compiled."""
    command = [sys.executable, "-m", "quartermaster", "--version"]
    environment = {**os.environ, **server_variables()}
    return subprocess.run(command, env=environment, capture_output=True, text=True).stdout.strip()


def bears(outcome: Outcome) -> bool:
    """Whether nobody had to wait: 99 of 100 moves are seen by all within a tenth of a second."""
    views = sorted(outcome.figures.views)
    late = views[int(0.99 * len(views))] if views else 0.0
    return late < TOO_LATE and outcome.done > 0.97 * outcome.asked


def main(
    games: Annotated[int, typer.Option(min=1, help="Live games of six people.")] = 200,
    seconds: Annotated[float, typer.Option(min=1, help="How long they play.")] = 60,
    interval: Annotated[float, typer.Option(help="Seconds between moves in a game.")] = 2,
    postgres: Annotated[bool, typer.Option(help="A PostgreSQL of its own, not SQLite.")] = False,
    workers: Annotated[int, typer.Option(min=1, help="Only with PostgreSQL.")] = 2,
    knee: Annotated[
        bool, typer.Option(help="A hundred games more each time, until people have to wait.")
    ] = False,
) -> None:
    """Start a server, let people play on it, and print what they had to wait for."""
    raise_descriptor_limit()  # a stream takes one here too
    kind = f"PostgreSQL, {workers} workers" if postgres else "SQLite"
    console = Console()
    console.print(server_version(), highlight=False)
    while True:
        outcome = measure(games, seconds, interval, postgres, workers)
        console.print(report(outcome, f"{games} games, {6 * games} streams, {seconds:g} s, {kind}"))
        for refused in outcome.figures.refused[:10]:
            console.print(refused, highlight=False)
        if outcome.figures.refused:
            raise typer.Exit(1)
        if not knee or not bears(outcome):
            break
        games += 100


if __name__ == "__main__":
    typer.run(main)
