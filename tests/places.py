"""A place where people meet: servers, a mail server, clients from different addresses."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest

from databases import execute, numbers
from postoffice import Office, office
from servers import PLAIN, ApiError, Client, Server

PASSWORD = {"password": "swordfish"}


class Place:
    """Two servers of one database on PostgreSQL, one on SQLite, and a mail server."""

    def __init__(self, servers: list[Server], mail: Office) -> None:
        self.servers = servers
        self.mail = mail
        self.open: list[httpx.Client] = []

    def client(self, name: str, which: int = 0, address: str = "198.51.100.1") -> Client:
        server = self.servers[which % len(self.servers)]
        one = Client.__new__(Client)
        one.name, one.http = name, httpx.Client(base_url=server.url, timeout=30, verify=PLAIN)
        self.open.append(one.http)
        one.http.headers["x-forwarded-for"] = address
        use(one, one.post("/api/me", {"name": name}))
        return one

    def sign_in(
        self, name: str, password: str, address: str = "198.51.100.1", **headers: str
    ) -> httpx.Response:
        return httpx.post(
            f"{self.servers[-1].url}/api/sign-in",
            json={"name": name, "password": password},
            headers={"x-forwarded-for": address, **headers},
            timeout=30,
            verify=PLAIN,
        )


def use(client: Client, session: Any) -> None:
    """Go on with a session."""
    client.id = session["me"]["id"]
    client.http.cookies.clear()
    client.http.headers["authorization"] = f"Bearer {session['token']}"


def claim(client: Client) -> Client:
    use(client, client.post("/api/me/password", PASSWORD))
    return client


def change_address(client: Client, email: str) -> None:
    """Someone with a password wants mail elsewhere."""
    body = {"email": email, "password": "swordfish"}
    client.http.patch("/api/me", json=body).raise_for_status()


def refused(status: int, code: str) -> Any:
    return pytest.raises(ApiError, match=f"^{status}: ", check=lambda error: error.code == code)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("people")
    count = 1
    url = f"sqlite:///{folder}/games.db"
    if request.param == "postgres":
        server_url = request.getfixturevalue("postgres_server")
        name = f"people_{next(numbers)}"
        execute(server_url("postgres"), f"CREATE DATABASE {name}")
        count, url = 2, server_url(name)
    with office() as mail:
        servers = [
            Server(
                url,
                folder,
                QUARTERMASTER_SMTP=mail.url,
                QUARTERMASTER_MAIL_FROM="games@example.org",
            )
            for _ in range(count)
        ]
        try:
            for server in servers:
                server.environment["QUARTERMASTER_URL"] = servers[0].url
                server.start()
            one = Place(servers, mail)
            yield one
            while streams:
                streams.pop().close()
            for http in one.open:
                http.close()
        finally:
            for server in servers:
                server.stop()


class Stream:
    """A stream that is followed until it ends."""

    def __init__(self, client: Client, game: str) -> None:
        self.begun, self.over = threading.Event(), threading.Event()
        self.events: list[dict[str, Any]] = []
        self.sockets: list[socket.socket] = []
        self.thread = threading.Thread(target=self._follow, args=(client, game))
        self.thread.start()
        assert self.begun.wait(20)
        streams.append(self)

    def _follow(self, client: Client, game: str) -> None:
        with (
            httpx.Client(base_url=client.http.base_url, timeout=60, verify=PLAIN) as http,
            http.stream(
                "GET",
                f"/api/games/{game}/stream",
                headers={**client.http.headers, "accept": "text/event-stream"},
            ) as response,
        ):
            self.sockets.append(response.extensions["network_stream"].get_extra_info("socket"))
            response.raise_for_status()
            event: dict[str, Any] = {}
            with suppress(httpx.HTTPError):
                for line in response.iter_lines():
                    if not line and event:
                        self.events.append(event)
                        self.begun.set()
                        event = {}
                    elif line and not line.startswith(":"):
                        key, _, value = line.partition(": ")
                        event[key] = json.loads(value) if key == "data" else value
        self.over.set()

    def close(self) -> None:
        for one in self.sockets:
            with suppress(OSError):  # the server hung up first
                one.shutdown(socket.SHUT_RDWR)
        self.thread.join(10)


streams: list[Stream] = []
