"""The parts of the web server that are not about games, each over real sockets."""

import asyncio
import base64
import json
import logging
import shutil
import socket
import ssl
import stat
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Literal

import httpx
import msgspec
import pytest
import uvicorn
from litestar import Litestar, Request, Response, get, post
from litestar.params import FromPath, JSONBody
from litestar.response import ServerSentEvent
from litestar.testing import TestClient

from postoffice import Post
from quartermaster.errors import IllegalAction, QuartermasterError, UnknownName
from quartermaster.server import names
from quartermaster.server.addresses import parse_proxies
from quartermaster.server.edge import notify
from quartermaster.server.edge.defence import EXCEPTION_HANDLERS, guard_app
from quartermaster.server.edge.notify import Notifier, check_webhook
from quartermaster.server.edge.rates import Counter
from quartermaster.server.edge.telemetry import JsonFormatter, Telemetry, configure_logging
from quartermaster.server.identity import tokens
from quartermaster.server.identity.passwords import Hashing, Tries
from quartermaster.server.refusals import Refused
from quartermaster.server.settings import VARIABLES, Settings

SECRET = b"a secret for the tests"
MEMORY = {"DATABASE_URL": "sqlite://"}


def make_settings(**others: Any) -> Settings:
    return Settings(**({"database_url": "sqlite+aiosqlite://", "secret": SECRET} | others))


# A toy app, served as the real one is.


class Order(msgspec.Struct):
    country: str
    armies: int


def make_app(settings: Settings) -> Litestar:
    async def count_games() -> dict[str, int]:
        return {"running": 3, "over": 1}

    telemetry = Telemetry(settings, count_games)

    @get("/api/hello")
    async def hello() -> dict[str, str]:
        return {"hello": "world"}

    @post("/api/orders")
    async def order(data: JSONBody[Order]) -> dict[str, int]:
        telemetry.moves_accepted.inc()
        return {"armies": data.armies}

    @post("/api/bytes")
    async def record(request: Request[Any, Any, Any]) -> dict[str, int]:
        return {"bytes": len(await request.body())}

    @get("/api/games/{game_id:str}")
    async def game(game_id: FromPath[str]) -> dict[str, str]:
        return {"id": game_id}

    @get("/api/fail/{how:str}")
    async def fail(how: FromPath[str]) -> None:
        match how:
            case "crash":
                raise RuntimeError("the password is swordfish")
            case "refused":
                raise IllegalAction("it is not your turn")
            case "unknown":
                raise UnknownName("country", "ukrane", ["ukraine", "russia"])
            case "invalid":
                msgspec.convert({"country": 3, "armies": 1}, Order)

    @get("/api/stream")
    async def stream() -> ServerSentEvent:
        async def events() -> AsyncIterator[str]:
            yield "one"
            yield json.dumps({"open": telemetry.registry.get_sample_value(OPEN)})

        return ServerSentEvent(events())

    @get("/healthz")
    async def health() -> str:
        return "well"

    @get("/metrics")
    async def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
        telemetry.bot_decided("general", 0.2)
        return await telemetry.metrics_response(request)

    app = Litestar(
        [hello, order, record, game, fail, stream, health, metrics],
        exception_handlers=EXCEPTION_HANDLERS,
        logging_config=None,
        openapi_config=None,
    )
    guard_app(app, settings)
    telemetry.watch(app)
    return app


OPEN = "quartermaster_open_streams"


@contextmanager
def serve(settings: Settings) -> Iterator[httpx.Client]:
    """A client of a server that runs in a thread."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        config = uvicorn.Config(
            make_app(settings), log_config=None, proxy_headers=False, ws="none", lifespan="on"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
                yield client
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with serve(make_settings(rate_limit=0)) as one:
        yield one


def own(client: httpx.Client) -> str:
    return str(client.base_url).rstrip("/")


ORDER = {"country": "germany", "armies": 2}
COOKIE = {"cookie": f"theme=dark; {tokens.COOKIE}=abc"}


# Settings.


def test_settings_have_defaults(tmp_path: Path) -> None:
    found = Settings.from_environment({"XDG_DATA_HOME": str(tmp_path), "QUARTERMASTER_RATE": " "})
    folder = tmp_path / "quartermaster"
    assert found.database_url == f"sqlite+aiosqlite:///{folder}/quartermaster.db"
    assert (found.rate_limit, found.log_level, found.public_url) == (600, "info", None)
    assert found.bot_processes >= 1
    assert not found.allow_private_webhooks
    kept = folder / "secret"
    assert kept.read_bytes() == found.secret
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [one.name for one in folder.iterdir()] == ["secret"]
    assert Settings.from_environment({"XDG_DATA_HOME": str(tmp_path)}).secret == found.secret


def test_servers_that_start_at_once_share_a_secret(tmp_path: Path) -> None:
    found: list[bytes] = []

    def start() -> None:
        url = f"sqlite:///{tmp_path}/new/games.db"
        found.append(Settings.from_environment({"DATABASE_URL": url}).secret)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_settings_are_read() -> None:
    found = Settings.from_environment(
        {
            "DATABASE_URL": "postgres://me:hunter2@db/games",
            "QUARTERMASTER_SECRET": "0123456789abcdef",
            "QUARTERMASTER_URL": "https://Games.example.org/",
            "QUARTERMASTER_BOTS": "3",
            "QUARTERMASTER_SMTP": "smtps://me:sword@mail.example.org",
            "QUARTERMASTER_MAIL_FROM": "Games <games@example.org>",
            "QUARTERMASTER_PRIVATE_WEBHOOKS": "1",
            "QUARTERMASTER_RATE": "0",
            "QUARTERMASTER_METRICS_TOKEN": "keeper",
            "QUARTERMASTER_LOG": "DEBUG",
        }
    )
    assert found.database_url == "postgresql+asyncpg://me:hunter2@db/games"
    assert found.public_url == "https://games.example.org"
    assert (found.bot_processes, found.rate_limit, found.log_level) == (3, 0, "debug")
    for shown in (repr(found), str(found), str(found.__rich_repr__()), f"{[found]}"):
        assert "games.example.org" in shown
        for secret in ("hunter2", "0123456789abcdef", "sword", "keeper"):
            assert secret not in shown


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://me:hunter2@db/games"),
        ("DATABASE_URL", "games.db"),
        ("QUARTERMASTER_SECRET", "short"),
        ("QUARTERMASTER_URL", "games.example.org"),
        ("QUARTERMASTER_URL", "https://games.example.org/play"),
        ("QUARTERMASTER_URL", "https://me:hunter2@games.example.org"),
        ("QUARTERMASTER_BOTS", "0"),
        ("QUARTERMASTER_BOTS", "many"),
        ("QUARTERMASTER_SMTP", "mail.example.org"),
        ("QUARTERMASTER_SMTP", "smtp://me:hunter2@mail.example.org:x"),
        ("QUARTERMASTER_MAIL_FROM", "games"),
        ("QUARTERMASTER_PRIVATE_WEBHOOKS", "perhaps"),
        ("QUARTERMASTER_RATE", "-1"),
        ("QUARTERMASTER_LOG", "loud"),
    ],
)
def test_wrong_settings_are_named(name: str, value: str) -> None:
    with pytest.raises(QuartermasterError, match=f"^{name}: expected ") as caught:
        Settings.from_environment(MEMORY | {name: value})
    assert "hunter2" not in str(caught.value)


def test_settings_that_need_others(tmp_path: Path) -> None:
    with pytest.raises(QuartermasterError, match="QUARTERMASTER_SECRET"):
        Settings.from_environment({"DATABASE_URL": "postgresql://db/games"})
    with pytest.raises(QuartermasterError, match="QUARTERMASTER_MAIL_FROM"):
        Settings.from_environment(MEMORY | {"QUARTERMASTER_SMTP": "smtp://localhost"})
    mail = {"QUARTERMASTER_SMTP": "smtp://localhost", "QUARTERMASTER_MAIL_FROM": "a@example.org"}
    with pytest.raises(QuartermasterError, match="QUARTERMASTER_URL"):
        Settings.from_environment(MEMORY | mail)
    (tmp_path / "secret").write_text("short")
    with pytest.raises(QuartermasterError, match="16 characters"):
        Settings.from_environment({"DATABASE_URL": f"sqlite:///{tmp_path}/games.db"})
    (tmp_path / "file").write_text("")
    with pytest.raises(QuartermasterError, match="set QUARTERMASTER_SECRET"):
        Settings.from_environment({"DATABASE_URL": f"sqlite:///{tmp_path}/file/games.db"})


def test_all_variables_are_listed() -> None:
    assert len(VARIABLES) == len(Settings.__struct_fields__)
    assert all(len(row) == 3 for row in VARIABLES)


# Identity.


def test_tokens() -> None:
    token = tokens.sign(SECRET, "anna", "laptop")
    assert tokens.read(SECRET, token) == ("anna", "laptop")
    assert tokens.read(b"another secret", token) is None
    before = tokens._serializer(SECRET, "session").dumps(["anna", 3])  # there were sessions
    assert tokens.read(SECRET, str(before)) == ("anna", "anna.3")
    assert tokens.read(SECRET, token[:-1] + ("A" if token[-1] != "A" else "B")) is None


@pytest.mark.parametrize(
    "garbage", ["", ".", "a.b", "..", "é.ü", "\ud800.x", "\x00", "x" * 10**6, "W10.x", "null.null"]
)
def test_garbage_tokens_are_nobody(garbage: str) -> None:
    assert tokens.read(SECRET, garbage) is None


def test_tokens_of_another_kind_are_nobody() -> None:
    for payload in ({"user": "anna"}, ["anna"], ["anna", None], [3, 3], "anna"):
        token = tokens._serializer(SECRET, "session").dumps(payload)
        assert tokens.read(SECRET, str(token)) is None


def test_ids() -> None:
    ids = {names.new_id() for _ in range(200)}
    assert len(ids) == 200
    assert all(one.isascii() and one.isalnum() and len(one) >= 12 for one in ids)


def test_passwords() -> None:
    async def work() -> None:
        hashing = Hashing()
        hashed = await hashing.hash("here", "Schwert\u00e4hre", "Anna")
        assert "Schwert" not in hashed
        assert await hashing.check("here", hashed, "Schwerta\u0308hre")  # composed otherwise
        assert not await hashing.check("here", hashed, "schwert\u00e4hre")
        assert not await hashing.check("here", "no hash", "swordfish")
        for wrong in ("seven77", "x" * 129, "half \ud800 a character"):
            with pytest.raises(QuartermasterError, match="8 to 128"):
                await hashing.hash("here", wrong, "Anna")
            assert not await hashing.check("here", hashed, wrong)
        for guessed in ("PassWord", "12345678", "aaaabbbb", "Annabella"):
            with pytest.raises(QuartermasterError, match="would guess"):
                await hashing.hash("here", guessed, "Anna-Bella")

        async def seconds(one: str | None) -> float:
            start = time.perf_counter()
            assert not await hashing.check("here", one, "swordfish")
            return time.perf_counter() - start

        with_user = min([await seconds(hashed) for _ in range(2)])
        assert min([await seconds(None) for _ in range(2)]) > with_user / 5

    asyncio.run(work())


def test_few_may_wait_for_a_hash_and_fewer_of_one_client() -> None:
    async def work() -> None:
        hashing = Hashing()
        hashed = await hashing.hash("here", "swordfish", "Anna")

        async def ask(client: str) -> bool | int:
            try:
                return await hashing.check(client, hashed, "swordfish")
            except Refused as refusal:
                return refusal.status if "retry-after" in (refusal.headers or {}) else 0

        one = await asyncio.gather(*(ask("one") for _ in range(12)))
        assert one == [True] * 2 + [503] * 10
        many = await asyncio.gather(*(ask(f"client {n}") for n in range(12)))
        assert many == [True] * 8 + [503] * 4
        assert await ask("one") is True  # all is well again

    asyncio.run(work())


def test_guessing_gets_slower_for_who_guesses_and_nobody_else() -> None:
    now = 1000.0
    tries = Tries(lambda: now)
    waits = []
    for _ in range(12):
        now += tries.wait("mallory", "anna")
        tries.note("mallory", "anna", False)
        waits.append(tries.wait("mallory", "anna"))
    assert waits == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128]
    assert tries.wait("anna's phone", "anna") == 0
    assert tries.wait("mallory", "boris") == 0
    for _ in range(20):
        tries.note("mallory", "anna", False)
    assert tries.wait("mallory", "anna") == 900  # at most
    tries.note("anna's phone", "anna", True)
    assert tries.wait("mallory", "anna") == 900
    now += 3600
    tries.note("mallory", "anna", False)
    assert tries.wait("mallory", "anna") == 0  # long ago


def test_a_name_guessed_at_from_everywhere_is_not_locked() -> None:
    async def work() -> None:
        tries = Tries()
        for number in range(50):
            assert not tries.is_under_attack("anna")
            tries.note(f"address {number}", "anna", False)
        assert tries.is_under_attack("anna")
        assert not tries.is_under_attack("boris")
        inside = 0

        async def enter(who: str, is_known: bool) -> str:
            nonlocal inside
            try:
                async with tries.place(who, "anna", is_known, patience=0.05):
                    inside += 1
                    return "in"
            except Refused as refusal:
                return refusal.code

        crowd = await asyncio.gather(*(enter(f"stranger {n}", False) for n in range(20)))
        assert sorted(crowd) == ["in"] * 4 + ["too-many-tries"] * 16
        assert await enter("the owner elsewhere", False) == "in"
        crowd_and_owner = await asyncio.gather(
            *(enter(f"stranger {n}", False) for n in range(20)), enter("the owner", True)
        )
        assert crowd_and_owner[-1] == "in"

    asyncio.run(work())


def test_names() -> None:
    assert names.clean_name("  Anna\t\u00a0 B. ") == "Anna B."
    assert names.clean_name("Jose\u0301") == "Jos\u00e9"
    assert names.clean_name("x" * 24) == "x" * 24
    hidden = ["a\x00b", "a\x1bb", "a\u202eb", "a\u2066b", "a\u200bb", "a\u200db", "a\ufeffb"]
    for wrong in ["", "  ", "x" * 25, "\u3164", "\u0301", "\ud800", "a\ue000", *hidden]:
        with pytest.raises(QuartermasterError, match="1 to 24 characters"):
            names.clean_name(wrong)


def test_texts() -> None:
    assert names.clean_text("one  two\r\n\r\n\r\n\r\nthree\n") == "one two\n\nthree"
    family = "\U0001f468\u200d\U0001f469"
    assert names.clean_text(family) == family
    for wrong in ["", "\n", "x" * 501, "a\x07", "a\u202eb", "\u200d", "\u200b"]:
        with pytest.raises(QuartermasterError, match="1 to 500 characters"):
            names.clean_text(wrong)
    with pytest.raises(QuartermasterError, match="1 to 3 characters"):
        names.clean_text("four", most=3)


# Defence.


def test_security_headers_are_on_every_response(client: httpx.Client) -> None:
    paths = ["/api/hello", "/healthz", "/nowhere", "/api/fail/crash", "/api/fail/refused"]
    answers = [client.get(path) for path in paths]
    answers.append(client.post("/api/orders", headers=COOKIE))  # refused by the guard itself
    assert [one.status_code for one in answers] == [200, 200, 404, 500, 422, 403]
    for one in answers:
        policy = one.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert one.headers["x-content-type-options"] == "nosniff"
        assert one.headers["referrer-policy"] == "same-origin"
        assert one.headers["cross-origin-opener-policy"] == "same-origin"
        assert one.headers["cross-origin-resource-policy"] == "same-origin"
        assert "permissions-policy" in one.headers
        assert "strict-transport-security" not in one.headers
    assert client.get(f"{own(client)}//api/hello").headers["cache-control"] == "no-store"
    assert "cache-control" not in client.get("/healthz").headers
    secure = client.get("/healthz", headers={"x-forwarded-proto": "https"})
    assert "strict-transport-security" in secure.headers


def test_another_site_cannot_change_anything(client: httpx.Client) -> None:
    here, host = own(client), own(client).removeprefix("http://")

    def status(**headers: str) -> int:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.post("/api/orders", json=ORDER, headers=named).status_code

    cookie = COOKIE["cookie"]
    assert status(cookie=cookie, origin=here) == 201
    assert status(cookie=cookie, sec_fetch_site="same-origin") == 201
    assert status(cookie=cookie, origin=f"https://{host}", x_forwarded_proto="https") == 201
    proxied = {"x_forwarded_host": "games.example.org", "x_forwarded_proto": "https"}
    assert status(cookie=cookie, origin="https://games.example.org", **proxied) == 201

    assert status(cookie=cookie) == 403
    assert status(cookie=cookie, sec_fetch_site="cross-site") == 403
    assert status(cookie=cookie, sec_fetch_site="none") == 403
    assert status(cookie=cookie, origin="null") == 403
    assert status(cookie=cookie, origin="https://evil.example", sec_fetch_site="same-origin") == 403
    assert status(cookie=cookie, origin=f"{here}.evil.example") == 403
    assert status(cookie=cookie, origin=f"https://{host}") == 403  # another scheme
    assert status(cookie=cookie, origin=here, authorization="Bearer x") == 201
    assert status(cookie=cookie, authorization="Bearer x") == 403

    assert status() == 201  # a program's first request
    assert status(authorization="Bearer x") == 201
    assert status(authorization="Bearer x", origin="https://evil.example") == 201
    assert status(origin="https://evil.example") == 403  # would sign in as somebody
    assert status(sec_fetch_site="cross-site") == 403


def test_another_site_cannot_read(client: httpx.Client) -> None:
    events = {"accept": "text/event-stream"}
    evil = {"origin": "https://evil.example"}
    assert client.get("/api/stream", headers=events).status_code == 200
    assert client.get("/api/stream", headers=events | {"origin": own(client)}).status_code == 200
    refused = client.get("/api/stream", headers=events | evil)
    assert refused.status_code == 403
    assert refused.json()["code"] == "other-site"
    crossed = events | {"sec-fetch-site": "cross-site"}
    assert client.get("/api/stream", headers=crossed).status_code == 403
    assert client.get("/api/hello", headers=COOKIE | evil).status_code == 403
    link = COOKIE | {"sec-fetch-site": "cross-site"}
    assert client.get("/api/hello", headers=link).status_code == 200


def test_only_the_public_host_is_served() -> None:
    proxies = parse_proxies("127.0.0.1")
    settings = make_settings(public_url="https://games.example.org", rate_limit=3, proxies=proxies)
    with serve(settings) as client:

        def get_as(host: str, **headers: str) -> httpx.Response:
            return client.get("/api/hello", headers={"host": host} | headers)

        assert client.get("/healthz", headers={"host": "10.0.0.7"}).status_code == 200
        misdirected = get_as("evil.example", **{"x-forwarded-host": "games.example.org"})
        assert (misdirected.status_code, misdirected.json()["code"]) == (421, "other-host")
        assert "https://games.example.org" in misdirected.json()["error"]
        here = own(client)
        public = {"host": "games.example.org:8000", **COOKIE}
        for headers, expected in [
            (public | {"origin": "https://games.example.org", "x-forwarded-for": "1.1.1.1"}, 201),
            (public | {"origin": "http://games.example.org", "x-forwarded-for": "1.1.1.2"}, 403),
            (COOKIE | {"origin": here}, 201),
            (COOKIE | {"origin": "https://games.example.org"}, 201),
        ]:
            answer = client.post("/api/orders", json=ORDER, headers=headers)
            assert answer.status_code == expected
        # Behind a proxy, the last address counts; those before it are made up.
        forwarded = [{"x-forwarded-for": f"{n}.0.0.1, 9.9.9.9"} for n in range(4)]
        answers = [get_as("games.example.org", **one).status_code for one in forwarded]
        assert answers == [200, 200, 200, 429]
        other = {"x-forwarded-for": "9.9.9.9, 8.8.8.8"}
        assert get_as("games.example.org", **other).status_code == 200


def test_bodies_are_limited(client: httpx.Client) -> None:
    def pieces(size: int) -> Iterator[bytes]:
        for _ in range(size // 1024):
            yield b"x" * 1024

    fits = client.post("/api/bytes", content=b"x" * 64 * 1024)
    assert fits.json() == {"bytes": 64 * 1024}
    assert client.post("/api/bytes", content=pieces(60 * 1024)).json() == {"bytes": 60 * 1024}
    for answer in (
        client.post("/api/orders", content=b"x" * (64 * 1024 + 1)),
        client.post("/api/orders", content=pieces(70 * 1024)),
    ):
        assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
        assert "too large" in answer.json()["error"]
        assert "content-security-policy" in answer.headers


def test_requests_are_counted() -> None:
    with serve(make_settings(rate_limit=3)) as client:
        spoofed = [{"x-forwarded-for": f"1.1.1.{n}"} for n in range(4)]
        answers = [client.get("/api/hello", headers=one) for one in spoofed]
        assert [one.status_code for one in answers] == [200, 200, 200, 429]
        assert answers[-1].json()["code"] == "too-many-requests"
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
        assert client.get("/healthz").status_code == 200
        assert client.get("/static/no.js").status_code == 404
        assert client.get("/nowhere").status_code == 429
        garbage = {"authorization": "Bearer made.up"}
        assert client.get("/api/hello", headers=garbage).status_code == 429
        anna = {"authorization": f"Bearer {tokens.sign(SECRET, 'anna', 'x')}"}
        boris = {"cookie": f"{tokens.COOKIE}={tokens.sign(SECRET, 'boris', 'x')}"}
        for headers in (anna, boris):
            answers = [client.get("/api/hello", headers=headers) for _ in range(4)]
            assert [one.status_code for one in answers] == [200, 200, 200, 429]


def test_the_counter_starts_anew_and_stays_small() -> None:
    counter = Counter(2, most_clients=10)
    assert [counter.count("a", now=61 + n) for n in range(3)] == [0, 0, 58]
    assert counter.count("a", now=121) == 0
    for n in range(100):
        counter.count(str(n), now=121)
    assert len(counter.counts) == 10


def test_errors_have_one_form(client: httpx.Client) -> None:
    def answer_to(path: str) -> tuple[int, Any]:
        answer = client.get(path)
        return answer.status_code, answer.json()

    assert answer_to("/nowhere") == (404, {"code": "not-found", "error": "Not Found"})
    refused = {"code": "illegal-action", "error": "it is not your turn"}
    assert answer_to("/api/fail/refused") == (422, refused)
    status, unknown = answer_to("/api/fail/unknown")
    assert (status, unknown["code"], unknown["expected"]) == (422, "unknown-name", ["ukraine"])
    status, invalid = answer_to("/api/fail/invalid")
    assert status == 400
    assert invalid == {"code": "malformed", "error": "Expected `str`, got `int` - at `$.country`"}
    wrong = client.delete("/api/hello")
    assert wrong.status_code == 405
    assert "GET" in wrong.headers["allow"]
    assert wrong.json() == {"code": "wrong-method", "error": "Method Not Allowed"}


@pytest.mark.parametrize(
    ("body", "field", "expected"),
    [
        (b'{"country": "germany", "armies": "two"}', "armies", "Expected `int`, got `str`"),
        (b'{"country": "germany"}', "", "armies"),
        (b"[]", "", "Expected `object`, got `array`"),
        (b"{", "", "truncated"),
        (b"{x", "", "malformed"),
        (b"", "", ""),
    ],
)
def test_what_is_wrong_in_a_body_is_said(
    client: httpx.Client, body: bytes, field: str, expected: str
) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/api/orders?secret=swordfish", content=body, headers=headers)
    assert answer.status_code == 400
    found = answer.json()
    assert expected in found["error"]
    assert field in found["error"]
    assert found["code"] == "malformed"
    assert "swordfish" not in answer.text
    if field:
        assert found["expected"] == {field: expected}


def test_crashes_tell_nothing(client: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    answer = client.get("/api/fail/crash")
    assert answer.status_code == 500
    assert "swordfish" not in answer.text
    assert answer.json()["code"] == "crash"
    text = answer.json()["error"]
    assert text.startswith("something went wrong; it was logged as ")
    crash = next(one for one in caplog.records if one.message == f"crash {text.split()[-1]}")
    entry = json.loads(JsonFormatter().format(crash))
    assert "the password is swordfish" in entry["traceback"]
    assert entry["id"] == text.split()[-1]


# Telemetry.


@pytest.fixture
def quiet_again() -> Iterator[None]:
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield
    root.setLevel(level)
    root.handlers[:] = handlers


@pytest.mark.usefixtures("quiet_again")
def test_the_log_is_json_without_secrets(
    client: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging("warning")
    configure_logging("info")  # the last call counts
    token = tokens.sign(SECRET, "anna", "x")
    headers = {"cookie": f"{tokens.COOKIE}={token}", "origin": own(client)}
    client.post("/api/orders?key=swordfish", json=ORDER, headers=headers)
    client.get("/api/hello", headers={"authorization": "Bearer swordfish"})
    lines: list[str] = []
    while not any("/api/hello" in line for line in lines):  # written after the answer
        lines += capsys.readouterr().err.splitlines()
    entries = [json.loads(line) for line in lines]
    requests = [one for one in entries if one["logger"] == "quartermaster.server.requests"]
    assert [(one["method"], one["path"], one["status"]) for one in requests] == [
        ("POST", "/api/orders", 201),
        ("GET", "/api/hello", 200),
    ]
    assert requests[0]["level"] == "info"
    assert requests[0]["ms"] >= 0
    assert len(requests[0]["user"]) == 8
    assert requests[1]["user"] is None
    everything = "\n".join(lines)
    for secret in ("swordfish", token, "anna", "germany"):
        assert secret not in everything


class Chair(msgspec.Struct):
    who: Literal["me", "bot"] | None = None


class Room(msgspec.Struct):
    clock: Literal["none", "live"] = "none"
    seats: list[Chair] = []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"clock": "fast"}, "clock: Invalid enum value 'fast'; expected live or none"),
        ({"seats": [{}, {"who": "x"}]}, "seats[1].who: Invalid enum value 'x'; expected bot or me"),
    ],
)
def test_a_word_that_is_none_of_a_few_is_refused_with_those(body: Any, told: str) -> None:
    @post("/rooms")
    async def make(data: JSONBody[Room]) -> None: ...

    with TestClient(Litestar([make], exception_handlers=EXCEPTION_HANDLERS)) as client:
        answer = client.post("/rooms", json=body)
    assert (answer.status_code, answer.json()["error"]) == (400, told)


def test_metrics_of_one_app() -> None:
    with serve(make_settings(rate_limit=0)) as client:
        for game in ("a", "b"):
            client.get(f"/api/games/{game}")
        client.get("/api/nothing")
        client.request("PROPFIND", "/api/hello")
        client.post("/api/orders", json=ORDER)
        client.post("/api/orders", headers=COOKIE)
        assert '{"open": 1.0}' in client.get("/api/stream").text
        asked, lines = 0, [""]
        while "quartermaster_open_streams 0.0" not in lines and asked < 100:
            time.sleep(0.02)  # the server counts a stream off a moment after its last byte
            answer = client.get("/metrics")
            asked, lines = asked + 1, answer.text.splitlines()
        assert answer.headers["content-type"].startswith("text/plain")
        name = "quartermaster_requests_total"
        route = "/api/games/{game_id}"
        assert f'{name}{{method="GET",route="{route}",status="200"}} 2.0' in lines
        assert f'{name}{{method="GET",route="unknown",status="404"}} 1.0' in lines
        assert f'{name}{{method="POST",route="unknown",status="403"}} 1.0' in lines
        assert any(line.startswith(f'{name}{{method="other",route="unknown"') for line in lines)
        assert "quartermaster_open_streams 0.0" in lines
        assert "quartermaster_moves_accepted_total 1.0" in lines
        assert "quartermaster_moves_refused_total 0.0" in lines
        assert f'quartermaster_bot_decision_seconds_count{{bot="general"}} {asked}.0' in lines
        assert 'quartermaster_games{status="running"} 3.0' in lines
        assert f'quartermaster_request_seconds_count{{method="GET",route="{route}"}} 2.0' in lines


def test_who_may_see_metrics(client: httpx.Client) -> None:
    assert client.get("/metrics").status_code == 200
    for headers in (
        {"x-forwarded-for": "127.0.0.1"},
        {"forwarded": "for=127.0.0.1"},
        {"host": "games.example.org"},
    ):
        answer = client.get("/metrics", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "metrics-elsewhere")
    with serve(make_settings(metrics_token="keeper")) as guarded:
        answer = guarded.get("/metrics")
        assert (answer.status_code, answer.json()["code"]) == (401, "metrics-token")
        assert "QUARTERMASTER_METRICS_TOKEN" in answer.json()["error"]
        assert answer.headers["www-authenticate"] == "Bearer"
        for token, status in (("wrong", 401), ("kéeper", 401), ("keeper", 200)):
            bearer = [(b"authorization", f"Bearer {token}".encode())]
            assert guarded.get("/metrics", headers=bearer).status_code == status
        cookie = {"cookie": f"{tokens.COOKIE}=keeper"}
        assert guarded.get("/metrics", headers=cookie).status_code == 401


# Notifications.


class Webhook:
    """Takes webhooks, and answers as told."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.requests: list[tuple[str, dict[str, str], Any]] = []

    @asynccontextmanager
    async def listen(self, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
        server = await asyncio.start_server(self.take, "127.0.0.1", 0, ssl=tls)
        async with server:
            yield server.sockets[0].getsockname()[1]

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers["content-length"]))
        self.requests.append((head[0], headers, json.loads(body)))
        answer = self.answers.pop(0) if self.answers else "204 No Content"
        if answer == "silence":
            await reader.read()  # until the other side has had enough
        else:
            writer.write(f"HTTP/1.1 {answer}\r\ncontent-length: 0\r\n\r\n".encode())
            await writer.drain()
        writer.close()
        await writer.wait_closed()


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A certificate for localhost: the server's side, and a client that trusts it."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command.split(), *names, *files], check=True, capture_output=True)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    return server, ssl.create_default_context(cafile=str(certificate))


def private(**others: Any) -> Settings:
    return make_settings(allow_private_webhooks=True, mail_from="games@example.org", **others)


@asynccontextmanager
async def notifier(
    settings: Settings, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Notifier]:
    one = Notifier(settings, tls, pause=0.01)
    try:
        yield one
    finally:
        await one.close()


async def ring(one: Notifier, webhook: str | None = None, email: str | None = None) -> bool:
    return await one.send(webhook, email, "Your turn", "It is your turn.", "https://x.org/g/1")


def test_a_webhook_is_called() -> None:
    async def work() -> None:
        hook = Webhook()
        async with hook.listen() as port, notifier(private()) as one:
            assert await ring(one, f"http://localhost:{port}/hooks/1?wait=true")
        [(line, headers, content)] = hook.requests
        assert line == "POST /hooks/1?wait=true HTTP/1.1"
        assert headers["host"] == f"localhost:{port}"
        assert content == {"content": "It is your turn.\nhttps://x.org/g/1"}
        assert not await ring(one, f"http://localhost:{port}/hooks/1")  # closed

    asyncio.run(work())


def test_nothing_set_up_is_nothing_failed() -> None:
    async def work() -> None:
        async with notifier(make_settings()) as one:
            assert await ring(one)
            assert await ring(one, email="anna@example.org")  # no mail server

    asyncio.run(work())


@pytest.mark.parametrize(
    ("answers", "is_delivered", "calls"),
    [
        (["503 Busy"], True, 2),
        (["429 Slow\r\nretry-after: 0"], True, 2),
        (["silence"], True, 2),
        (["500 No", "500 No"], False, 2),
        (["404 Gone"], False, 1),
        (["302 Found\r\nlocation: /elsewhere"], False, 1),
    ],
)
def test_a_webhook_is_tried_twice(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    answers: list[str],
    is_delivered: bool,
    calls: int,
) -> None:
    # Silence is waited out; an answer may take its time where the machine is busy.
    monkeypatch.setattr(notify, "TIMEOUT", 1.5 if answers == ["silence"] else 60.0)

    async def work() -> None:
        hook = Webhook(*answers)
        async with hook.listen() as port, notifier(private()) as one:
            one.http()  # reads the certificates, which is not to count
            assert await ring(one, f"http://127.0.0.1:{port}/hooks/swordfish") == is_delivered
        assert len(hook.requests) == calls

    with caplog.at_level(logging.WARNING):
        asyncio.run(work())
    assert "webhook not delivered: 127.0.0.1" in caplog.text
    assert "swordfish" not in caplog.text


def test_a_webhook_by_tls_goes_to_the_address_looked_up(
    tls: tuple[ssl.SSLContext, ssl.SSLContext], caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        hook = Webhook()
        async with hook.listen(tls[0]) as port, notifier(private(), tls[1]) as one:
            assert await ring(one, f"https://localhost:{port}/")  # the certificate's name
            assert not await ring(one, f"https://127.0.0.1:{port}/")
        assert [headers["host"] for _, headers, _ in hook.requests] == [f"localhost:{port}"]

    asyncio.run(work())


def test_private_addresses_are_not_called(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not even where a public name leads there, or where but one of its addresses is private."""
    looked_up: list[str] = []

    async def work() -> None:
        hook = Webhook()
        async with hook.listen() as port, notifier(make_settings()) as one:

            async def look_up(host: str, *_: Any, **__: Any) -> list[Any]:
                looked_up.append(host)
                return [(0, 0, 0, "", ("1.1.1.1", port)), (0, 0, 0, "", ("127.0.0.1", port))]

            monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", look_up)
            assert not await ring(one, f"https://rebound.example.org:{port}/swordfish")
            assert not await ring(one, f"https://127.0.0.1:{port}/swordfish")
            assert not await ring(one, f"http://localhost:{port}/swordfish")
        assert hook.requests == []

    asyncio.run(work())
    assert looked_up == ["rebound.example.org"]
    assert "rebound.example.org: not a public address" in caplog.text
    assert "swordfish" not in caplog.text


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://discord.com/api",
        "ftp://discord.com/",
        "https://",
        "https://localhost/",
        "https://box.local/",
        "https://intranet/",
        "https://127.0.0.1/",
        "https://10.1.2.3:8443/",
        "https://169.254.169.254/latest",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::a00:1]/",
        "https://224.0.0.1/",
        "https://me:hunter2@discord.com/",
        "https://discord.com:x/",
        "https://discord.com/a b",
        "https://discord.com/\r\nhost: x",
        "https://discord.com/#x",
        "https://discord.com/" + "x" * 500,
    ],
)
def test_wrong_webhooks_are_refused(url: str) -> None:
    with pytest.raises(QuartermasterError, match=r"^expected "):
        check_webhook(url)


def test_mail_is_sent() -> None:
    async def work() -> None:
        office = Post()
        async with office.listen() as port:
            url = f"smtp://me%40x:sword@127.0.0.1:{port}"
            async with notifier(private(smtp_url=url)) as one:
                assert await ring(one, email="anna@example.org")
                assert not await ring(one, email="anna@example.org, boris@example.org")
        [mail] = office.mails
        assert "From: games@example.org" in mail
        assert "To: anna@example.org" in mail
        assert "Subject: Your turn" in mail
        assert "It is your turn." in mail
        assert "https://x.org/g/1" in mail
        login = base64.b64encode(b"\0me@x\0sword").decode()
        assert f"AUTH PLAIN {login}" in office.said  # in the clear: this machine alone

    asyncio.run(work())


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_mail_is_hidden_where_it_can_be(
    tls: tuple[ssl.SSLContext, ssl.SSLContext], scheme: str
) -> None:
    async def work() -> None:
        office = Post(tls[0])
        async with office.listen(is_tls=scheme == "smtps") as port:
            settings = private(smtp_url=f"{scheme}://me:sword@localhost:{port}")
            async with notifier(settings, tls[1]) as one:
                assert await ring(one, email="anna@example.org")
            async with notifier(settings) as distrustful:
                assert not await ring(distrustful, email="anna@example.org")
        assert len(office.mails) == 1
        secret = [line for line in office.said if line.split()[0] in ("AUTH", "rcpt")]
        assert all(line.endswith("(hidden)") for line in secret)

    asyncio.run(work())


def test_no_password_goes_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notify, "is_loopback", lambda host: False)

    async def work() -> None:
        office = Post()
        async with office.listen() as port:
            settings = private(smtp_url=f"smtp://me:sword@127.0.0.1:{port}")
            async with notifier(settings) as one:
                assert not await ring(one, email="anna@example.org")
        assert not any(line.startswith("AUTH") for line in office.said)

    asyncio.run(work())


@pytest.mark.parametrize(
    ("refusal", "is_delivered", "tries"), [("451 later", True, 2), ("550 nobody", False, 1)]
)
def test_mail_is_tried_twice_where_that_may_help(
    refusal: str, is_delivered: bool, tries: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        office = Post(refuse=refusal)
        async with office.listen() as port:
            settings = private(smtp_url=f"smtp://127.0.0.1:{port}")
            async with notifier(settings) as one:
                assert await ring(one, email="anna@example.org") == is_delivered
        assert len([line for line in office.said if line.startswith("rcpt")]) == tries

    asyncio.run(work())
    assert "anna" not in caplog.text


def test_no_mail_server_is_no_crash() -> None:
    async def work() -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        async with notifier(private(smtp_url=f"smtp://127.0.0.1:{port}")) as one:
            assert not await ring(one, email="anna@example.org")
            assert not await ring(one, f"http://127.0.0.1:{port}/", "anna@example.org")

    asyncio.run(work())
