"""How many connections there may be, from one address and in all, and how long each may be silent.

uvicorn is given `Connection` as its protocol. What it adds is done before a request is there:
a connection too many is answered with 503 and closed at once; one that does not send the whole
head of a request in time is closed, and so is one whose head is too large to keep (431). How
long a body may take `defence` says, and how many streams.

Each connection is a file descriptor, and a process without one left can neither answer nor write
its database. So the soft limit is raised to the hard one, and some are kept back.
"""

import asyncio
import logging
import socket
import sys
from collections import Counter
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from quartermaster.server.addresses import UNKNOWN, is_proxy, network_of
from quartermaster.server.settings import Settings

RESERVE: Final = 128  # descriptors for the database, bots, mail and files
FEWEST: Final = 16  # connections that are let in whatever the limit of descriptors
MOST: Final = 20_000  # if nobody says otherwise: each takes memory too
LARGEST_HEAD: Final = 64 * 1024  # bytes of a request before its body
_UNREAD: Final = 60.0  # seconds for which what was sent may stay unread
_RETRY: Final = 10  # seconds

log = logging.getLogger("quartermaster.server.edge.connections")


def raise_descriptor_limit() -> int | None:
    """Let this process have as many open files as it may; how many. Windows knows no such limit."""
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + RESERVE if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):  # some systems have a lower limit than they tell
            log.warning("the limit of open files stays at %d", soft)
    return None if soft == resource.RLIM_INFINITY else soft


def most_connections(settings: Settings) -> int:
    """How many connections one process takes: what was set, or what its descriptors allow."""
    wanted = settings.most_connections or MOST
    if sys.platform == "win32":
        return wanted
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    return max(FEWEST, min(wanted, soft - RESERVE))


class Limits:
    """The connections of one process, by address."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.most = most_connections(settings)
        self.count = 0
        self.of_address: Counter[str] = Counter()

    def take(self, peer: str) -> str | None:
        """Let a connection in and count it: by which address, or nothing if it is one too many.
        A proxy's connections are many people's, so they count only among all."""
        address = network_of(peer)
        most = self.settings.address_connections
        is_counted = address != UNKNOWN and not is_proxy(peer, self.settings.proxies)
        if self.count >= self.most:
            return None
        if is_counted and most and self.of_address[address] >= most:
            return None
        self.count += 1
        self.of_address[address] += 1
        return address

    def give(self, address: str) -> None:
        self.count -= 1
        self.of_address[address] -= 1
        if not self.of_address[address]:
            del self.of_address[address]


_limits: Limits | None = None  # of this process, made with its first connection


def limits() -> Limits:
    global _limits
    if _limits is None:
        _limits = Limits(Settings.from_environment())
    return _limits


_COUNTS_HEADS: Final = hasattr(AutoHTTPProtocol, "on_headers_complete")


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]  # whichever parser there is
    """A connection that keeps within the limits."""

    app: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._app, self.app = self.app, self._answer
        self._address: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._head = 0  # bytes that came since a head or a part of a body was whole

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._address = limits().take(str(peer[0]) if isinstance(peer, tuple) else "")
        if self._address is None:
            log.warning("too many connections")
            transport.write(_TOO_MANY)
            transport.close()
            return
        _give_up_unread(transport.get_extra_info("socket"))
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_there()
        if self._address is not None:
            limits().give(self._address)
            self._address = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._address is None or self.transport.is_closing():
            return  # it is refused already
        self._head += len(data)
        super().data_received(data)
        if self._head > LARGEST_HEAD and _COUNTS_HEADS and not self.transport.is_closing():
            self.transport.write(_TOO_LARGE)
            self.transport.close()

    # The parser in C calls these. It keeps a head of any size; the one in Python has a limit.

    def on_headers_complete(self) -> None:
        self._head = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head = 0
        super().on_body(body)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request: its head has come, and after the answer the next may come."""
        self._head_is_there()
        try:
            await self._app(scope, receive, send)
        finally:
            if self._address is not None:
                self._await_head()

    def _await_head(self) -> None:
        self._head_is_there()
        self._timer = self.loop.call_later(limits().settings.patience, self._give_up)

    def _head_is_there(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self.transport.abort()


def _give_up_unread(sock: Any) -> None:
    """Close a connection whose other end is gone, or takes nothing, after a while (Linux)."""
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None and sock is not None and sock.family != getattr(socket, "AF_UNIX", -1):
        sock.setsockopt(socket.IPPROTO_TCP, option, int(1000 * _UNREAD))


def _refusal(status: str, code: str, error: str, *more: str) -> bytes:
    body = msgspec.json.encode({"code": code, "error": error})
    heads = [
        f"HTTP/1.1 {status}",
        "content-type: application/json",
        f"content-length: {len(body)}",
        *more,
        "connection: close",
    ]
    return "\r\n".join([*heads, "", ""]).encode() + body


_TOO_MANY: Final = _refusal(
    "503 Service Unavailable",
    "too-many-connections",
    "too many connections; try again soon",
    f"retry-after: {_RETRY}",
)
_TOO_LARGE: Final = _refusal(
    "431 Request Header Fields Too Large",
    "head-too-large",
    f"the head of a request has at most {LARGEST_HEAD // 1024} KB",
)
