"""Sends a server of its own thousands of requests that fit its description, that do not, and that
no description foresees; tells what it answered. An answer of 500 is a finding.

.venv/bin/python tools/fuzz_api.py --requests 10000
.venv/bin/python tools/fuzz_api.py --requests 2000 --database postgres --seed 7
"""

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import httpx
import schemathesis
import typer
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException
from rich.console import Console
from rich.table import Table
from schemathesis import GenerationMode
from schemathesis.core.result import Ok

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from quartermaster import Game
from servers import Server, two_seats
from storm import own_postgres

VOIDING = ("/api/me/password", "/api/sign-out", "/api/me")  # a token may end here
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE")
ODD = (
    *(
        "%00",
        "%0a",
        "%ff",
        "..",
        "%2e%2e%2f",
        "a" * 300,
        "%F0%9F%98%80" * 70,
        "'",
        '"',
        "%25",
        "\\",
    ),
    *("-1", "0", "nan", "1e999", "9" * 400, "0x1F", "1:30", "null", "true", "[]", "{}", "%3Cb%3E"),
)


class Fuzz:
    """What was sent and answered."""

    def __init__(self, server: Server, most: int, rng: random.Random) -> None:
        self.server = server
        self.most = most
        self.rng = rng
        self.statuses: Counter[int] = Counter()
        self.findings: list[str] = []
        self.http = httpx.Client(base_url=server.url, timeout=60)
        self.anna = server.client("Anna")
        self.games = self.tables()

    def tables(self) -> list[str]:
        """Before, in, and after a game."""
        quick = {"pause": 0, "window": 0}
        lobby = self.anna.post("/api/games", quick)
        playing = self.anna.post("/api/games", quick | {"seats": two_seats(), "start": True})
        over = self.anna.post("/api/games", quick | {"seats": two_seats(), "start": True})
        self.anna.post(f"/api/games/{over['id']}/proposals", {"what": "end"})
        return [lobby["id"], playing["id"], over["id"]]

    @property
    def is_done(self) -> bool:
        return self.statuses.total() >= self.most

    def note(self, response: Any, what: str) -> None:
        self.statuses[response.status_code] += 1
        if response.status_code == 500:
            self.findings.append(f"{what}: {response.text[:200]}")

    def token(self, path: str) -> dict[str, str]:
        """Anna's, mostly; sometimes none or a broken one; a guest's where it may be voided."""
        if path in VOIDING:
            answer = httpx.post(f"{self.server.url}/api/me", json={"name": "Guest"}, timeout=60)
            token = answer.json().get("token")  # none once there are too many guests
            return {"authorization": f"Bearer {token}"} if token else {}
        chance = self.rng.random()
        if chance < 0.05:
            return {}
        if chance < 0.1:
            return {"authorization": self.rng.choice(("Bearer x", "Basic eA==", "Bearer"))}
        return {"authorization": self.anna.http.headers["authorization"]}

    # -- by the description ------------------------------------------------------------

    def described(self, operation: Any, mode: GenerationMode, count: int) -> None:
        @seed(self.rng.getrandbits(32))
        @settings(
            max_examples=count, deadline=None, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(data=st.data())
        def send(data: Any) -> None:
            if self.is_done:
                return
            case = data.draw(operation.as_strategy(generation_mode=mode))
            if "game" in (case.path_parameters or {}) and self.rng.random() < 0.8:
                case.path_parameters["game"] = self.rng.choice(self.games)
            response = case.call(headers=self.token(operation.path))
            self.note(response, f"{mode.value} {operation.label} {case.body!r:.200}")

        with suppress(HypothesisException):  # what cannot be sent: a header with a line break
            send()

    # -- beyond it ---------------------------------------------------------------------

    def odd(self, paths: list[str]) -> None:
        """A request as nobody describes it."""
        rng = self.rng
        path = rng.choice(paths)
        while "{" in path:
            head, _, rest = path.partition("{")
            path = head + self.word() + rest.partition("}")[2]
        if rng.random() < 0.3:
            path += rng.choice(("/", "//", "/" + rng.choice(ODD), "?" + rng.choice(ODD)))
        if rng.random() < 0.3:
            path += f"?{rng.choice(('seat', 'since', 'rules', 'after', 'x'))}={rng.choice(ODD)}"
        method = rng.choice(METHODS)
        headers = self.token("")
        if rng.random() < 0.8:
            headers["content-type"] = rng.choice(
                ("application/json", "text/plain", "application/x-www-form-urlencoded", "x/y;z")
            )
        if path.partition("?")[0].rstrip("/").endswith("/stream"):
            return  # it never ends
        body = self.body()
        try:
            request = self.http.build_request(method, path, headers=headers, content=body)
            self.note(self.http.send(request), f"{method} {path[:100]} {body[:100]!r}")
        except (httpx.InvalidURL, UnicodeEncodeError):
            return  # cannot be sent at all

    def word(self) -> str:
        return self.rng.choice(self.games) if self.rng.random() < 0.6 else self.rng.choice(ODD)

    def body(self) -> bytes:
        """Something like JSON."""
        rng = self.rng
        depth = rng.choice((1, 10, 400, 1200, 20_000))
        record = Game.new("second", seed=rng.randrange(99), seats=2).record
        makers: list[Callable[[], bytes]] = [
            lambda: b"",
            lambda: rng.randbytes(rng.randrange(200)),
            lambda: b"[" * depth + b"]" * depth,
            lambda: b'{"a":' * depth + b"1" + b"}" * depth,
            lambda: (
                b'{"number": %d, "country": "germany", "text": "pass"}' % 10 ** rng.choice((1, 30))
            ),
            lambda: b'{"number": NaN, "ask": 1e400, "text": "\\ud800"}',
            lambda: b'{"text": "%b", "room": "all"}' % rng.choice(ODD).encode(),
            lambda: b'{"name": "\\u0000\\u202e%b"}' % rng.choice(ODD).encode(),
            lambda: httpx.Request("POST", "http://x", json={"record": self.broken(record)}).content,
        ]
        return rng.choice(makers)()

    def broken(self, record: str) -> str:
        """A record with something odd in it."""
        rng = self.rng
        lines = record.splitlines()
        at = rng.randrange(len(lines))
        key = lines[at].partition(":")[0]
        odd = (
            "0x" + "f" * 5000,
            "!!int ''",
            "!!bool x",
            "1:" * 200 + "1",
            "[" * 60,
            "*a",
            "&a [*a]",
        )
        lines[at] = f"{key}: {rng.choice((*ODD, *odd))}"
        return "\n".join(lines)


@contextmanager
def database(name: str, folder: Path) -> Iterator[str]:
    if name == "postgres":
        with own_postgres() as url:
            yield url
    else:
        yield f"sqlite:///{folder}/games.db"


def main(
    requests: Annotated[int, typer.Option(min=100, help="How many to send.")] = 10_000,
    kind: Annotated[str, typer.Option("--database", help="sqlite or postgres.")] = "sqlite",
    number: Annotated[int, typer.Option("--seed", help="For the same requests again.")] = 1,
) -> None:
    console = Console()
    rng = random.Random(number)
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        database(kind, Path(folder)) as url,
        Server(url, Path(folder), QUARTERMASTER_LOG="warning") as server,
    ):
        fuzz = Fuzz(server, requests * 7 // 10, rng)
        schema = schemathesis.openapi.from_url(f"{server.url}/api/schema/openapi.json")
        found = schema.exclude(path_regex="/stream$|/hints$|/estimates$").get_all_operations()
        operations = [one.ok() for one in found if isinstance(one, Ok)]
        each = 1 + fuzz.most // (2 * len(operations))
        while not fuzz.is_done:
            for operation in operations:
                for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                    fuzz.described(operation, mode, each)
        paths = [one.path for one in operations] + ["/", "/static/js/app.js", "/static/{x}", "/{x}"]
        fuzz.most = requests
        while not fuzz.is_done:
            fuzz.odd(paths)
        tracebacks = server.log.read_text().count('"traceback"')
        fuzz.http.close()
        fuzz.anna.http.close()
    table = Table("status", "answers", title=f"{fuzz.statuses.total()} requests")
    for status, count in sorted(fuzz.statuses.items()):
        table.add_row(str(status), str(count))
    console.print(table)
    console.print(f"{time.monotonic() - began:.0f} s; {tracebacks} tracebacks in the server's log")
    for finding in fuzz.findings[:20]:
        console.print(finding, markup=False)
    if fuzz.findings or tracebacks:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
