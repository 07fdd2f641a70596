"""A real server in a process of its own, and real clients of it."""

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from forks import Fork, forks

SECRET = "a secret that is only for tests"
# Servers of tests speak plain HTTP. A client without this would first read the certificates of all
# authorities, which takes longer than most of what it is made for.
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
LIMITS = [
    f"QUARTERMASTER_{what}"
    for what in ("RATE", "GUESTS", "TABLES", "QUOTA", "STREAMS", "CONNECTIONS")
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """`quartermaster serve` on a port of its own; it can be stopped, killed and started again."""

    module = "quartermaster"
    is_forked = False  # from a process with all modules imported: that is quicker, and for tests

    def __init__(self, database_url: str, folder: Path, workers: int = 1, **variables: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"server-{self.port}.log"
        self.workers = workers
        self.environment = {
            **os.environ,
            "DATABASE_URL": database_url,
            "QUARTERMASTER_SECRET": SECRET,
            **dict.fromkeys(LIMITS, "0"),  # all of a test is at one address
            "QUARTERMASTER_BOTS": "1",
            "XDG_DATA_HOME": str(folder),
            **variables,
        }
        self.process: subprocess.Popen[bytes] | Fork | None = None

    def start(self) -> "Server":
        command = ["serve", "--no-browser"]
        command += ["--port", str(self.port), "--workers", str(self.workers)]
        mother = forks() if self.is_forked else None
        if mother is not None:
            self.process = mother.start(command, self.environment, self.log, self.log)
        else:
            with open(self.log, "ab") as log:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", self.module, *command],
                    env=self.environment, stdout=log, stderr=log, start_new_session=True,
                )  # fmt: skip
        with httpx.Client(base_url=self.url, timeout=1, verify=PLAIN) as http:
            for _ in range(300):
                if self.process.poll() is not None:
                    break
                try:
                    http.get("/healthz").raise_for_status()
                    return self
                except httpx.HTTPError:
                    time.sleep(0.05)
        raise RuntimeError(f"the server did not start:\n{self.log.read_text()[-3000:]}")

    def stop(self) -> None:
        """Let it end in peace."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
            self.process = None

    def kill(self) -> None:
        """`kill -9`, with all it has started."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill() if error is not None else self.stop()

    def client(self, name: str) -> "Client":
        return Client(self, name)


class Client:
    """A person with a program: everything by the API."""

    def __init__(self, server: Server, name: str) -> None:
        self.http = httpx.Client(base_url=server.url, timeout=30, verify=PLAIN)
        self.name = name
        session = self.post("/api/me", {"name": name})
        self.http.cookies.clear()
        self.id: str = session["me"]["id"]
        self.http.headers["authorization"] = f"Bearer {session['token']}"

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str, **query: Any) -> Any:
        return self._read(self.http.get(path, params=query))

    def post(self, path: str, body: Any = None) -> Any:
        return self._read(self.http.post(path, json=body if body is not None else {}))

    def put(self, path: str, body: Any) -> Any:
        return self._read(self.http.put(path, json=body))

    def move(self, table: Any, action: Any) -> Any:
        body = {"number": table["number"], "country": action["country"], "text": action["text"]}
        return self.post(f"/api/games/{table['id']}/moves", body)

    def events(self, game: str, last: str | None = None, **query: Any) -> Iterator[dict[str, Any]]:
        """The stream of a table: `id`, `event` and `data` of each event. Close it when done."""
        headers = {"accept": "text/event-stream"}
        if last is not None:
            headers["last-event-id"] = last
        with self.http.stream(
            "GET", f"/api/games/{game}/stream", headers=headers, params=query
        ) as response:
            if response.status_code != 200:
                response.read()
                self._read(response)
            event: dict[str, Any] = {}
            for line in response.iter_lines():
                if not line and event:
                    yield event
                    event = {}
                elif line and not line.startswith(":"):
                    key, _, value = line.partition(": ")
                    event[key] = json.loads(value) if key == "data" else value

    @staticmethod
    def _read(response: httpx.Response) -> Any:
        if response.is_success:
            if response.headers["content-type"].startswith("application/json"):
                return response.json()
            return response.text
        raise ApiError(response)


class ApiError(AssertionError):
    """An answer that is not a success: its status and its reason."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.code: str = response.json()["code"]
        self.reason: str = response.json()["error"]
        super().__init__(f"{self.status}: {self.reason}")


AXIS = ["germany", "japan", "italy"]
ALLIES = ["united-kingdom", "soviet-union", "united-states"]


def two_seats(first: str = "me", second: str = "bot", bot: str = "rookie") -> list[dict[str, Any]]:
    """The Axis and the Allies, and who plays them."""
    return [
        {"countries": AXIS, "who": first, "bot": bot},
        {"countries": ALLIES, "who": second, "bot": bot},
    ]
