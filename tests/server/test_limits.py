"""Clients that take more than their share: connections, streams, requests, disk.

A real server with small limits, and real sockets. Whatever they do, others are served, and what
was taken is free again once they are gone.
"""

import asyncio
import json
import logging
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quartermaster.server.addresses import called_from, calling
from quartermaster.server.edge.connections import FEWEST, RESERVE, Limits, most_connections
from quartermaster.server.edge.rates import Counter, Rates
from quartermaster.server.edge.telemetry import JsonFormatter, Sparing
from quartermaster.server.refusals import Refused
from quartermaster.server.settings import Settings
from servers import ApiError, Client, Server, two_seats

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="descriptors are limited on POSIX")


@contextmanager
def server(folder: Path, **variables: Any) -> Iterator[Server]:
    with Server(f"sqlite:///{folder}/games.db", folder, **variables) as one:
        yield one


def connect(to: Server, address: str = "127.0.0.1") -> socket.socket:
    sock = socket.socket()
    sock.settimeout(20)
    sock.bind((address, 0))
    sock.connect(("127.0.0.1", to.port))
    return sock


def request(path: str, *heads: str, method: str = "GET", body: str = "") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "host: localhost", *heads, "", body]).encode()


def head_of(sock: socket.socket) -> bytes:
    """What the server says first; nothing if it closes the connection."""
    try:
        return sock.recv(65536)
    except ConnectionError:
        return b""


def ends_within(sock: socket.socket, seconds: float) -> bool:
    """Whether the server closes a connection, whatever it says before."""
    sock.settimeout(seconds)
    try:
        while sock.recv(65536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def watched_game(by: Client) -> str:
    made = by.post("/api/games", {"seats": two_seats("me", "open"), "is_public": True})
    return str(made["id"])


def stream(to: Server, game: str, address: str = "127.0.0.1") -> socket.socket:
    sock = connect(to, address)
    sock.sendall(request(f"/api/games/{game}/stream", "accept: text/event-stream"))
    return sock


# -- connections -----------------------------------------------------------------------


def test_connections_of_one_address_are_limited_and_others_are_served(tmp_path: Path) -> None:
    with server(tmp_path, QUARTERMASTER_CONNECTIONS="8") as one, ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(connect(one, "127.0.0.2"))
        with connect(one, "127.0.0.2") as too_many:
            head = head_of(too_many)
        assert head.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: " in head
        assert json.loads(head.partition(b"\r\n\r\n")[2])["code"] == "too-many-connections"
        with connect(one, "127.0.0.3") as other:
            other.sendall(request("/healthz"))
            assert head_of(other).startswith(b"HTTP/1.1 200 ")
        stack.close()
        time.sleep(0.3)
        with connect(one, "127.0.0.2") as again:
            again.sendall(request("/healthz"))
            assert head_of(again).startswith(b"HTTP/1.1 200 ")


@POSIX
def test_a_flood_beyond_the_descriptors_is_refused_and_leaves_no_flood_in_the_log(
    tmp_path: Path,
) -> None:
    """With 200 descriptors there are 72 for connections. All are taken, and hundreds more tried."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    one = Server(f"sqlite:///{tmp_path}/games.db", tmp_path)
    one.is_forked = False

    def have_few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", partial(subprocess.Popen, preexec_fn=have_few))
        one.start()
    with one.client("Anna") as anna, ExitStack() as stack:
        game = watched_game(anna)
        taken = [stack.enter_context(stream(one, game)) for _ in range(300)]
        answers = [head_of(sock) for sock in taken]
        let_in = [answer for answer in answers if answer.startswith(b"HTTP/1.1 200 ")]
        refused = [answer for answer in answers if b"503" in answer.partition(b"\r\n")[0]]
        assert len(let_in) == (200 - RESERVE) // 2, "onlookers get half of the connections"
        assert len(refused) >= 200
        assert anna.get("/api/me")["name"] == "Anna", "who is there already goes on"
        assert anna.post(f"/api/games/{game}/chat", {"text": "still here"})["text"]
    time.sleep(0.5)
    with one.client("Boris") as boris:
        assert boris.get("/healthz")["status"] == "ok"
    one.stop()
    assert one.log.stat().st_size < 200_000
    assert b"Traceback" not in one.log.read_bytes()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == limits


@POSIX
def test_the_soft_limit_of_open_files_is_raised_to_the_hard_one() -> None:
    code = (
        "import resource; from quartermaster.server.edge.connections import raise_descriptor_limit;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (100, 500)); print(raise_descriptor_limit());"
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["500", "500", "500"]


def test_who_sends_no_whole_head_or_body_in_time_is_let_go(tmp_path: Path) -> None:
    with server(tmp_path, QUARTERMASTER_PATIENCE="1") as one, ExitStack() as stack:
        silent = stack.enter_context(connect(one))
        slow = stack.enter_context(connect(one))
        slow.sendall(b"GET /healthz HTTP/1.1\r\nhost: local")
        second = stack.enter_context(connect(one))  # good at first, slow then
        second.sendall(request("/healthz"))
        assert head_of(second).startswith(b"HTTP/1.1 200 ")
        second.sendall(b"GET /healthz HTTP/1.1\r\n")
        body = stack.enter_context(connect(one))
        heads = ["content-type: application/json", "content-length: 100"]
        body.sendall(request("/api/me", *heads, method="POST", body='{"name":'))
        answer = b"".join(iter(lambda: head_of(body), b""))
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b'"code":"too-slow"' in answer
        for sock in (silent, slow, second):
            assert ends_within(sock, 5)


def test_a_stream_outlives_the_time_for_requests(tmp_path: Path) -> None:
    with server(tmp_path, QUARTERMASTER_PATIENCE="1") as one, ExitStack() as stack:
        anna = stack.enter_context(one.client("Anna"))
        sock = stack.enter_context(stream(one, watched_game(anna)))
        assert head_of(sock).startswith(b"HTTP/1.1 200 ")
        assert not ends_within(sock, 2.5)


# -- streams ---------------------------------------------------------------------------


def test_streams_of_one_address_are_limited_and_free_again(tmp_path: Path) -> None:
    with server(tmp_path, QUARTERMASTER_STREAMS="3") as one, one.client("Anna") as anna:
        game = watched_game(anna)
        with ExitStack() as stack:
            for _ in range(3):
                sock = stack.enter_context(stream(one, game, "127.0.0.2"))
                assert head_of(sock).startswith(b"HTTP/1.1 200 ")
            refused = head_of(stack.enter_context(stream(one, game, "127.0.0.2")))
            assert refused.startswith(b"HTTP/1.1 429 ")
            assert b"retry-after: " in refused
            other = stack.enter_context(stream(one, game, "127.0.0.3"))
            assert head_of(other).startswith(b"HTTP/1.1 200 ")
        time.sleep(0.5)
        with stream(one, game, "127.0.0.2") as sock:
            assert head_of(sock).startswith(b"HTTP/1.1 200 ")


# -- requests and disk -----------------------------------------------------------------


def test_many_guests_of_one_address_share_its_limit(tmp_path: Path) -> None:
    """Names are free: five guests get no more than four times what one gets."""
    with server(tmp_path, QUARTERMASTER_RATE="10") as one, ExitStack() as stack:
        people: list[Client] = []
        for n in range(5):
            people.append(stack.enter_context(Client(one, f"Guest {n}")))
        codes: list[str] = []
        for person in people * 20:
            try:
                person.get("/api/me")
            except ApiError as error:
                codes.append(error.code)
        assert len(codes) >= 100 - 40
        assert set(codes) == {"too-many-requests"}


def test_new_guests_and_tables_are_limited(tmp_path: Path) -> None:
    limits = {"QUARTERMASTER_GUESTS": "3", "QUARTERMASTER_TABLES": "2"}
    with server(tmp_path, **limits) as one, ExitStack() as stack:
        anna, *_ = [stack.enter_context(Client(one, f"Guest {n}")) for n in range(3)]
        with pytest.raises(ApiError) as refused:
            anna.post("/api/me", {"name": "one too many"})
        assert (refused.value.status, refused.value.code) == (429, "too-many-guests")
        for _ in range(2):
            game = watched_game(anna)
        with pytest.raises(ApiError) as refused:
            watched_game(anna)
        assert refused.value.code == "too-many-tables"
        assert anna.get(f"/api/games/{game}")["status"] == "lobby"


def test_a_day_of_one_person_takes_no_more_disk_than_its_quota(tmp_path: Path) -> None:
    with server(tmp_path, QUARTERMASTER_QUOTA="1") as one, ExitStack() as stack:
        anna = stack.enter_context(one.client("Anna"))
        boris = stack.enter_context(one.client("Boris"))
        game = watched_game(anna)
        text = "\u4e00" * 500
        said = 0
        with suppress(ApiError):
            while said < 700:
                anna.post(f"/api/games/{game}/chat", {"text": text})
                said += 1
        assert 500 < said < 700
        with pytest.raises(ApiError) as refused:
            anna.post(f"/api/games/{game}/chat", {"text": text})
        assert (refused.value.status, refused.value.code) == (429, "quota")
        assert watched_game(boris), "it is each person's own"


def settings(**values: Any) -> Settings:
    return Settings(database_url="sqlite:///games.db", secret=b"x" * 32, **values)


def test_an_address_fills_its_quota_with_however_many_names() -> None:
    rates = Rates(settings(quota=1))
    with calling("203.0.113.7"):
        assert called_from() == "203.0.113.7"
        for n in range(40):
            rates.charge(f"guest {n}", 100_000)
        with pytest.raises(Refused):
            rates.charge("guest 41", 100_000)
    with calling("203.0.113.8"):
        rates.charge("guest 41", 100_000)
    rates.charge(None, 10**9)  # what the server writes by itself


def test_workers_count_together() -> None:
    one, other = Rates(settings(rate_limit=100)), Rates(settings(rate_limit=100))
    for _ in range(90):
        assert one.count("requests", "anna", "192.0.2.1") == 0
    for news in one.news():
        assert len(news) < 7000
        other.hear(news)
    assert one.news() == [], "told once"
    waits = [other.count("requests", "anna", "192.0.2.1") for _ in range(20)]
    assert waits[:10] == [0] * 10
    assert all(waits[10:])


def test_news_of_many_clients_fit_into_messages() -> None:
    counter = Counter(1)
    for n in range(1000):
        counter.count(f"{n:064x}")
    assert len(json.dumps(counter.news())) < 7900


def test_the_connections_of_a_proxy_are_many_peoples() -> None:
    from quartermaster.server.addresses import parse_proxies

    limits = Limits(settings(address_connections=2, proxies=parse_proxies("10.0.0.1")))
    assert [limits.take("10.0.0.1") for _ in range(5)] == ["10.0.0.1"] * 5
    assert [limits.take("2001:db8::1"), limits.take("2001:db8::2")] == ["2001:db8::/64"] * 2
    assert limits.take("2001:db8::3") is None
    limits.give("2001:db8::/64")
    assert limits.take("2001:db8::3") == "2001:db8::/64"


def test_there_are_never_more_connections_than_descriptors_allow() -> None:
    assert most_connections(settings(most_connections=20)) == 20
    if sys.platform != "win32":
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert FEWEST <= most_connections(settings()) <= max(FEWEST, soft - RESERVE)


# -- the log ---------------------------------------------------------------------------


def test_the_same_error_is_logged_a_few_times_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.Logger("busy")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(sparing := Sparing())
    logger.addHandler(handler)
    for n in range(1000):
        logger.warning("out of %s", n)
        logger.info("request")
    logger.error("another")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["message"] for line in lines if line["level"] == "warning"] == [
        f"out of {n}" for n in range(Sparing.MOST)
    ]
    assert sum(line["message"] == "request" for line in lines) == 1000
    assert lines[-1]["message"] == "another"
    for kind in sparing._began:
        sparing._began[kind] -= 61
    logger.warning("out of %s", "time")
    assert json.loads(capsys.readouterr().err)["left_out"] == 995


def test_errors_of_one_place_are_one_kind(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.Logger("busy")
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(Sparing())
    logger.addHandler(handler)

    def fail(where: int) -> None:
        if where:
            raise OSError("too many open files")
        raise OSError("no route")

    for where in (0, 1):
        for _ in range(20):
            try:
                fail(where)
            except OSError:
                logger.exception("work failed")
    told = capsys.readouterr().err
    assert told.count("too many open files\n") == told.count("no route\n") == Sparing.MOST


async def _own_address() -> str | None:
    return called_from()


def test_the_address_goes_with_the_task_that_answers() -> None:
    async def main() -> tuple[str | None, str | None]:
        with calling("192.0.2.1"):
            task = asyncio.create_task(_own_address())
        return await task, called_from()

    assert asyncio.run(main()) == ("192.0.2.1", None)
