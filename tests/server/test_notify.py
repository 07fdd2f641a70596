"""Webhooks and mail, over real sockets."""

import asyncio
import base64
import json
import logging
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from postoffice import Post
from quartermaster.errors import QuartermasterError
from quartermaster.server.edge import notify
from quartermaster.server.edge.notify import Notifier, check_webhook
from quartermaster.server.settings import Settings
from toy_app import make_settings


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
