"""What stands between the network and the handlers.

    app = Litestar(..., exception_handlers=EXCEPTION_HANDLERS, logging_config=None)
    guard_app(app, settings)

`guard_app` wraps all of the app, so that unknown paths and static files are covered too, which
Litestar's own middleware does not see. It answers or limits by host, origin, rate and size, and
puts security headers on every response. It knows HTTP alone; a websocket would need more.

Every error is JSON {"code": id, "error": text}, with "expected" where we can say it. The text is
in the language of the request, the code is for programs:
400 the request is malformed or has the wrong types, 403 it comes from another site, 413 it is
too large, 421 it is for another host, 422 a QuartermasterError (well formed, but refused:
nothing has changed), 429 there were too many, 500 our fault (only the log says which).
"""

import ipaddress
import logging
import math
import re
import secrets
import time
from collections.abc import Collection
from typing import Any

import msgspec
from litestar import Litestar, MediaType, Request, Response
from litestar.enums import ScopeType
from litestar.exceptions import (
    HTTPException,
    InternalServerException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)
from litestar.types import (
    ASGIApp,
    ExceptionHandlersMap,
    HTTPScope,
    Message,
    Receive,
    Scope,
    Send,
)
from litestar.utils.path import normalize_path

from quartermaster.errors import QuartermasterError, UnknownName
from quartermaster.web.identity import Caller, hostname, is_loopback, origin_of
from quartermaster.web.languages import language_of
from quartermaster.web.refusals import Refused
from quartermaster.web.settings import Settings
from quartermaster.words import say, speaking, spoken

log = logging.getLogger(__name__)

SAFE = ("GET", "HEAD", "OPTIONS")
LARGEST_BODY = 64 * 1024  # five times the record of a long game
# What costs little and is fetched much. A path that ends in / stands for all below it too.
UNLIMITED = ("/healthz", "/favicon.ico", "/static/", "/assets/")
MINUTE = 60
LONGEST_NAME = 255  # bytes between slashes
MALFORMED = "malformed"  # the code of what the web framework finds wrong, in its own words
MOST_CLIENTS = 50_000  # counted at once: a bound on memory

SECURITY_HEADERS = {
    "content-security-policy": "default-src 'self'; script-src 'self'; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none';"
    " form-action 'self'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def guard_app(app: Litestar, settings: Settings, unlimited: Collection[str] = UNLIMITED) -> None:
    """Put a guard before everything an app answers."""
    app.asgi_handler = Guard(app.asgi_handler, settings, unlimited)


class Guard:
    """The ASGI layer that `guard_app` puts round an app."""

    def __init__(self, inner: ASGIApp, settings: Settings, unlimited: Collection[str]) -> None:
        self.inner = inner
        self.settings = settings
        self.unlimited = unlimited
        self.counter = Counter(settings.rate_limit)
        self.public = origin_of(settings.public_url or "")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.inner(scope, receive, send)
            return
        caller = Caller(scope)
        with speaking(language_of(caller, scope["query_string"])):
            await self.answer(caller, scope, receive, send)

    async def answer(self, caller: Caller, scope: HTTPScope, receive: Receive, send: Send) -> None:
        path = normalize_path(scope["path"])  # as the router will read it
        send = with_headers(send, path, caller.scheme == "https")
        try:
            check_path(path)
            self.check_host(caller, path)
            self.check_origin(caller, scope["method"])
            self.check_rate(caller, path)
            announced = caller.header("content-length")
            if announced.isdecimal() and int(announced[:18]) > LARGEST_BODY:
                raise too_large(LARGEST_BODY)
        except Refused as refusal:
            await send_error(send, refusal)
            return
        await self.inner(scope, limited(receive, LARGEST_BODY), send)

    def check_host(self, caller: Caller, path: str) -> None:
        """Refuse a host that is not ours: a name that somebody else points at us (rebinding).

        Only the Host header counts: a page of such a name could set X-Forwarded-Host itself.
        """
        if self.public is None or path == "/healthz":
            return
        host = hostname(caller.host)
        if host != hostname(self.public.partition("://")[2]) and not is_loopback(host):
            raise Refused(421, "other-host", host=self.public)

    def check_origin(self, caller: Caller, method: str) -> None:
        """Refuse what another site made a browser send.

        Browsers send cookies along whoever made the request, so what changes something by
        cookie must prove where it comes from. Without a cookie, as when a guest or a program
        first comes, no proof is asked for, but one that names another site is refused: it could
        sign people in as somebody else. A bearer token no other site can know.
        """
        origin, site = caller.headers.get("origin"), caller.header("sec-fetch-site")
        is_own = self.is_own(caller, origin) if origin is not None else site == "same-origin"
        is_named = origin is not None or site in ("cross-site", "same-site")
        if method not in SAFE:
            is_refused = caller.has_cookie or (is_named and not caller.has_bearer)
        elif "text/event-stream" in caller.header("accept"):
            is_refused = is_named
        else:  # a link from elsewhere may be followed, which names no origin
            is_refused = caller.has_cookie and origin is not None
        if is_refused and not is_own:
            raise Refused(403, "other-site")

    def is_own(self, caller: Caller, origin: str) -> bool:
        found = origin_of(origin)
        own = {self.public}
        if self.public is None or is_loopback(hostname(caller.host)):
            own.add(caller.origin)
        return found is not None and found in own

    def check_rate(self, caller: Caller, path: str) -> None:
        if is_among(path, self.unlimited):
            return
        user = caller.user(self.settings.secret)
        wait = self.counter.count(f"user {user}" if user else self.address(caller))
        if wait:
            headers = {"retry-after": str(wait)}
            raise Refused(429, "too-many-requests", headers=headers, seconds=wait)

    def address(self, caller: Caller) -> str:
        return address_of(caller, self.settings)


def address_of(caller: Caller, settings: Settings) -> str:
    """The client's address; of IPv6 the network, since everyone has many addresses in it.

    Behind a proxy it is the last that the header names: those before it anyone can make
    up. Without a public address we take it that there is no proxy.
    """
    address = caller.peer
    if settings.public_url is not None:
        address = caller.headers.get("x-forwarded-for", address).rpartition(",")[2].strip()
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if parsed.version == 6:
        return str(ipaddress.ip_network((str(parsed), 64), strict=False))
    return str(parsed)


class Counter:
    """Requests per client, a minute at a time.

    Litestar's own limit does not fit: it sees known paths only, keeps clients for good, and
    packs a list of all their times at each request.
    """

    def __init__(self, most: int, most_clients: int = MOST_CLIENTS) -> None:
        self.most = most  # 0: no limit
        self.most_clients = most_clients
        self.ends = 0.0  # when the minute is over that began with the first request
        self.counts: dict[str, int] = {}

    def count(self, client: str, now: float | None = None) -> int:
        """Count a request; the seconds to wait if it is one too many."""
        if not self.most:
            return 0
        now = time.monotonic() if now is None else now
        if now >= self.ends:
            self.ends = now + MINUTE
            self.counts.clear()
        if client not in self.counts and len(self.counts) >= self.most_clients:
            del self.counts[next(iter(self.counts))]
        self.counts[client] = self.counts.get(client, 0) + 1
        return math.ceil(self.ends - now) if self.counts[client] > self.most else 0


def check_path(path: str) -> None:
    """No file and no table has a name with a NUL in it, or one that no file system takes."""
    if "\0" in path or any(len(part.encode()) > LONGEST_NAME for part in path.split("/")):
        raise Refused(404, "not-found")


def is_among(path: str, paths: Collection[str]) -> bool:
    return any(
        path == one.rstrip("/") or (one[-1] == "/" and path.startswith(one)) for one in paths
    )


def too_large(most: int) -> Refused:
    return Refused(413, "too-large", most=most // 1024)


def limited(receive: Receive, most: int) -> Receive:
    """Stop reading a body that grows too large: not every one says beforehand how large it is."""
    taken = 0

    async def receive_some() -> Any:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > most:
                raise too_large(most)  # where the body is read, so it is answered as others are
        return message

    return receive_some


def with_headers(send: Send, path: str, is_secure: bool) -> Send:
    """Add the security headers that a handler has not set itself, and the language of words."""
    wanted = dict(SECURITY_HEADERS)
    is_api = is_among(path, ("/api/",))
    if is_api:
        wanted["cache-control"] = "no-store"
    if is_secure:
        wanted["strict-transport-security"] = "max-age=31536000"
    language = spoken()

    async def send_more(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message["headers"])
            present = {name.lower() for name, _ in headers}
            if is_api or message["status"] >= 400:
                wanted["content-language"] = language
                headers.append((b"vary", b"accept-language, cookie"))
            for name, value in wanted.items():
                if name.encode() not in present:
                    headers.append((name.encode(), value.encode()))
            message["headers"] = headers
        await send(message)

    return send_more


async def send_error(send: Send, error: Refused) -> None:
    body = msgspec.json.encode({"code": error.code, "error": str(error)})
    headers = {"content-type": "application/json", "content-length": str(len(body))}
    pairs = [(k.encode(), v.encode()) for k, v in (headers | (error.headers or {})).items()]
    await send({"type": "http.response.start", "status": error.status, "headers": pairs})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def as_json(
    status: int,
    code: str,
    error: str,
    expected: object = None,
    headers: dict[str, str] | None = None,
) -> Response[dict[str, object]]:
    content: dict[str, object] = {"code": code, "error": error}
    if expected:
        content["expected"] = expected
    return Response(content, status_code=status, headers=headers, media_type=MediaType.JSON)


def on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    if isinstance(error, InternalServerException) and "client disconnected" in error.detail:
        return on_refused(request, Refused(400, "cut-short"))  # nobody will read this
    if error.status_code == 500:
        return on_crash(request, error)
    if isinstance(error, ValidationException) and isinstance(error.extra, list):
        fields = {str(one.get("key", "body")): str(one["message"]) for one in error.extra}
        text = "; ".join(f"{field}: {message}" for field, message in fields.items())
        return as_json(error.status_code, MALFORMED, text, fields)
    if isinstance(error, NotFoundException):
        return on_refused(request, Refused(404, "not-found"))
    if isinstance(error, MethodNotAllowedException):
        return on_refused(request, Refused(405, "wrong-method", headers=error.headers))
    return as_json(error.status_code, MALFORMED, error.detail, headers=error.headers)


def on_invalid(request: Request[Any, Any, Any], error: msgspec.ValidationError) -> Response[Any]:
    return as_json(400, MALFORMED, str(error))


def on_no_text(request: Request[Any, Any, Any], error: UnicodeDecodeError) -> Response[Any]:
    return on_refused(request, Refused(400, "not-utf-8"))


def on_deep(request: Request[Any, Any, Any], error: RecursionError) -> Response[Any]:
    """JSON that is nested as deeply as no parser goes; without a body it is our own fault."""
    if request.method in SAFE:
        return on_crash(request, error)
    return on_refused(request, Refused(400, "too-deep"))


def on_refused(request: Request[Any, Any, Any], error: Refused) -> Response[Any]:
    return as_json(error.status, error.code, str(error), error.offers, headers=error.headers)


def on_library(request: Request[Any, Any, Any], error: QuartermasterError) -> Response[Any]:
    """What the library refuses is known by its kind: `illegal-action`, `unknown-name`."""
    code = re.sub(r"\B([A-Z])", r"-\1", type(error).__name__).lower()
    expected = error.nearest if isinstance(error, UnknownName) else None
    return as_json(422, code, str(error), expected)


def on_crash(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Say nothing of what went wrong: it may hold what the client must not see."""
    found = secrets.token_hex(4)
    log.error("crash %s", found, exc_info=error, extra={"fields": {"id": found}})
    return as_json(500, "crash", say("refuse.crash", number=found))


EXCEPTION_HANDLERS: ExceptionHandlersMap = {
    HTTPException: on_http,
    msgspec.ValidationError: on_invalid,
    UnicodeDecodeError: on_no_text,
    RecursionError: on_deep,
    Refused: on_refused,
    QuartermasterError: on_library,
    Exception: on_crash,
}
