"""What stands between the network and the handlers.

    app = Litestar(..., exception_handlers=EXCEPTION_HANDLERS, logging_config=None)
    guard_app(app, settings)

`guard_app` wraps all of the app, so that unknown paths and static files are covered too, which
Litestar's own middleware does not see. It answers or limits by host, origin, rate and size, and
puts security headers on every response. It knows HTTP alone; a websocket would need more.

Every error is JSON {"code": id, "error": text}, with "expected" where we can say it. The text is
in the language of the request, the code is for programs:
400 the request is malformed or has the wrong types, 403 it comes from another site, 408 it came
too slowly, 413 it is too large, 421 it is for another host, 422 a QuartermasterError (well
formed, but refused: nothing has changed), 429 there were too many, 500 our fault (only the log
says which).
"""

import asyncio
import collections
import logging
import re
import secrets
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

import msgspec
import msgspec.inspect
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

from quartermaster.errors import BrokenFile, QuartermasterError, UnknownName
from quartermaster.server.addresses import calling, client_address
from quartermaster.server.edge.connections import most_connections
from quartermaster.server.edge.languages import language_of
from quartermaster.server.edge.rates import Rates
from quartermaster.server.edge.shell import index
from quartermaster.server.identity.tokens import Caller, caller_of, hostname, is_loopback, origin_of
from quartermaster.server.refusals import Refused, either
from quartermaster.server.settings import Settings
from quartermaster.speech.say import ENGLISH, say, speaking, spoken

log = logging.getLogger(__name__)

SAFE = ("GET", "HEAD", "OPTIONS")
LARGEST_BODY = 64 * 1024  # five times the record of a long game
# What costs little and is fetched much. A path that ends in / stands for all below it too.
UNLIMITED = ("/healthz", "/favicon.ico", "/static/")
LONGEST_NAME = 255  # bytes between slashes
MALFORMED = "malformed"  # the code of what the web framework finds wrong, in its own words

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


def guard_app(
    app: Litestar,
    settings: Settings,
    unlimited: Collection[str] = UNLIMITED,
    rates: Rates | None = None,
) -> None:
    """Put a guard before everything an app answers."""
    app.asgi_handler = Defence(app.asgi_handler, settings, unlimited, rates or Rates(settings))


class Defence:
    """The ASGI layer that `guard_app` puts round an app."""

    def __init__(
        self, inner: ASGIApp, settings: Settings, unlimited: Collection[str], rates: Rates
    ) -> None:
        self.inner = inner
        self.settings = settings
        self.unlimited = unlimited
        self.rates = rates
        self.streams = Streams(settings)
        self.public = origin_of(settings.public_url or "")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.inner(scope, receive, send)
            return
        caller = caller_of(scope)
        with speaking(language_of(caller, scope["query_string"])):
            await self.answer(caller, scope, receive, send)

    async def answer(self, caller: Caller, scope: HTTPScope, receive: Receive, send: Send) -> None:
        path = normalize_path(scope["path"])  # as the router will read it
        send = with_headers(send, path, caller.scheme == "https")
        try:
            check_path(path)
            self.check_host(caller, path)
            self.check_origin(caller, scope["method"])
            address, user = self.address(caller), caller.user(self.settings.secret)
            self.check_rate(scope["method"], path, user, address)
            announced = caller.header("content-length")
            if announced.isdecimal() and int(announced[:18]) > LARGEST_BODY:
                raise too_large(LARGEST_BODY)
            taking = limited(receive, LARGEST_BODY, self.settings.patience)
            with ExitStack() as stack:
                stack.enter_context(calling(address))
                if path.startswith("/api/games/") and path.endswith("/stream"):
                    stack.enter_context(self.streams.one(address, user is None))
                await self.inner(scope, taking, send)
        except Refused as refusal:
            await send_error(send, refusal)

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

    def check_rate(self, method: str, path: str, user: str | None, address: str) -> None:
        """Refuse what is too much for one person, or for all at one address."""
        if is_among(path, self.unlimited):
            return
        wait = self.rates.count("requests", user, address)
        if wait:
            raise Refused(429, "too-many-requests", headers=in_seconds(wait), seconds=wait)
        if method == "POST" and path == "/api/me":
            wait = self.rates.count("guests", None, address)
            if wait:
                raise Refused(429, "too-many-guests", headers=in_seconds(wait), seconds=wait)
        if method == "POST" and (
            path in ("/api/games", "/api/records") or path.endswith("/rematch")
        ):
            wait = self.rates.count("tables", user, address)
            if wait:
                raise Refused(429, "too-many-tables", headers=in_seconds(wait), seconds=wait)

    def address(self, caller: Caller) -> str:
        return address_of(caller, self.settings)


def address_of(caller: Caller, settings: Settings) -> str:
    """Where the client is, as far as our own proxies tell."""
    return client_address(caller.peer, caller.header("x-forwarded-for"), settings.proxies)


class Streams:
    """The live streams that are open now: so many of one address, and those of strangers never
    more than half of all connections, so that they cannot shut players out."""

    def __init__(self, settings: Settings) -> None:
        self.most = settings.address_streams
        self.most_strangers = most_connections(settings) // 2
        self.of_address: collections.Counter[str] = collections.Counter()
        self.strangers = 0

    @contextmanager
    def one(self, address: str, is_stranger: bool) -> Iterator[None]:
        later = in_seconds(30)
        if self.most and self.of_address[address] >= self.most:
            raise Refused(429, "too-many-streams-there", headers=later, most=self.most)
        if is_stranger and self.strangers >= self.most_strangers:
            raise Refused(503, "too-many-onlookers", headers=later)
        self.of_address[address] += 1
        self.strangers += is_stranger
        try:
            yield
        finally:
            self.strangers -= is_stranger
            self.of_address[address] -= 1
            if not self.of_address[address]:
                del self.of_address[address]


def check_path(path: str) -> None:
    """No file and no table has a name with a NUL in it, or one that no file system takes."""
    if "\0" in path or any(len(part.encode()) > LONGEST_NAME for part in path.split("/")):
        raise Refused(404, "not-found")


def is_among(path: str, paths: Collection[str]) -> bool:
    return any(
        path == one.rstrip("/") or (one[-1] == "/" and path.startswith(one)) for one in paths
    )


def in_seconds(seconds: int) -> dict[str, str]:
    """The header that says when to come again."""
    return {"retry-after": str(seconds)}


def too_large(most: int) -> Refused:
    return Refused(413, "too-large", most=most // 1024)


def limited(receive: Receive, most: int, seconds: float) -> Receive:
    """Stop reading a body that grows too large, for not every one says beforehand how large it
    is, or that has not come after some time."""
    taken, is_whole = 0, False
    until = asyncio.get_running_loop().time() + seconds

    async def receive_some() -> Any:
        nonlocal taken, is_whole
        if is_whole:  # what comes then is the end of the connection, whenever that is
            return await receive()
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            # Raised where the body is read, so it is answered as others are.
            raise Refused(408, "too-slow", headers={"connection": "close"}) from None
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > most:
                raise too_large(most)
            is_whole = not message.get("more_body", False)
        return message

    return receive_some


def with_headers(send: Send, path: str, is_secure: bool) -> Send:
    """Add the security headers that a handler has not set itself, and the language of words."""
    is_api = is_among(path, ("/api/",))
    wanted = _wanted_headers(is_api, is_secure)
    language = spoken()

    async def send_more(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message["headers"])
            present = {name.lower() for name, _ in headers}
            if is_api or message["status"] >= 400:
                headers.append((b"vary", b"accept-language, cookie"))
            headers += [one for one in wanted if one[0] not in present]
            if (is_api or message["status"] >= 400) and b"content-language" not in present:
                headers.append((b"content-language", language.encode()))
            message["headers"] = headers
        await send(message)

    return send_more


@cache
def _wanted_headers(is_api: bool, is_secure: bool) -> tuple[tuple[bytes, bytes], ...]:
    """The same for all answers of a kind, as they are sent."""
    wanted = dict(SECURITY_HEADERS)
    if is_api:
        wanted["cache-control"] = "no-store"
    if is_secure:
        wanted["strict-transport-security"] = "max-age=31536000"
    return tuple((name.encode(), value.encode()) for name, value in wanted.items())


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
        fields = {
            str(one.get("key", "body")): with_allowed(request, one.get("key", ""), one["message"])
            for one in error.extra
        }
        text = "; ".join(f"{field}: {message}" for field, message in fields.items())
        return as_json(error.status_code, MALFORMED, text, fields)
    if isinstance(error, NotFoundException):
        if is_for_people(request):
            return missing_page()
        return on_refused(request, Refused(404, "not-found"))
    if isinstance(error, MethodNotAllowedException):
        return on_refused(request, Refused(405, "wrong-method", headers=error.headers))
    return as_json(error.status_code, MALFORMED, error.detail, headers=error.headers)


def is_for_people(request: Request[Any, Any, Any]) -> bool:
    """Whether someone has followed a link, so that an answer for programs would not help."""
    accepts = request.headers.get("accept", "")
    path = request.scope["path"]
    return "text/html" in accepts and not path.startswith(("/api/", "/static/"))


def missing_page() -> Response[bytes]:
    """The page, which says that there is nothing at this address."""
    return Response(index(), media_type="text/html", status_code=404)


def with_allowed(request: Request[Any, Any, Any], path: str, message: str) -> str:
    """What is wrong with a field; of a word that is none of a few, also what those are."""
    body = getattr(request.scope.get("route_handler"), "parsed_data_field", None)
    if body is None or not message.startswith("Invalid enum value"):
        return message
    allowed = [str(value) for value in allowed_at(body.annotation, path)]
    return f"{message}; expected {either(allowed)}" if allowed else message


def allowed_at(kind: Any, path: str) -> list[Any]:
    """The values of which a field of a type must be one, if they are few.

    >>> from typing import Literal
    >>> class Seat(msgspec.Struct):
    ...     who: Literal["person", "bot"]
    >>> allowed_at(list[Seat], "[3].who")
    ['bot', 'person']
    """
    found = [msgspec.inspect.type_info(kind)]
    for name in re.findall(r"[^.\[\]]+", path):
        inner: list[msgspec.inspect.Type] = []
        for one in _parts(found):
            if isinstance(one, msgspec.inspect.StructType):
                inner += [field.type for field in one.fields if field.encode_name == name]
            elif isinstance(one, msgspec.inspect.CollectionType):
                inner.append(one.item_type)
            elif isinstance(one, msgspec.inspect.DictType):
                inner.append(one.value_type)
        found = inner
    values: list[Any] = []
    for one in _parts(found):
        if isinstance(one, msgspec.inspect.LiteralType):
            values += one.values
        elif isinstance(one, msgspec.inspect.EnumType):
            values += [member.value for member in one.cls]
    return values


def _parts(types: list[msgspec.inspect.Type]) -> list[msgspec.inspect.Type]:
    """The types, with the members of unions in place of the unions."""
    parts: list[msgspec.inspect.Type] = []
    for one in types:
        parts += one.types if isinstance(one, msgspec.inspect.UnionType) else (one,)
    return parts


def on_invalid(request: Request[Any, Any, Any], error: msgspec.ValidationError) -> Response[Any]:
    return as_json(400, MALFORMED, str(error))


def on_no_text(request: Request[Any, Any, Any], error: UnicodeDecodeError) -> Response[Any]:
    return on_refused(request, Refused(400, "not-utf-8"))


def on_deep(request: Request[Any, Any, Any], error: RecursionError) -> Response[Any]:
    """Answer a request whose JSON is nested deeper than the parser goes. Where there is no body,
    the recursion was a fault of ours."""
    if request.method in SAFE:
        return on_crash(request, error)
    return on_refused(request, Refused(400, "too-deep"))


def on_refused(request: Request[Any, Any, Any], error: Refused) -> Response[Any]:
    return as_json(error.status, error.code, str(error), error.offers, headers=error.headers)


def on_library(request: Request[Any, Any, Any], error: QuartermasterError) -> Response[Any]:
    """What the library refuses is known by its kind: `illegal-action`, `unknown-name`."""
    code = re.sub(r"\B([A-Z])", r"-\1", type(error).__name__).lower()
    expected = error.nearest if isinstance(error, UnknownName) else None
    text = str(error)  # in English, for who writes files and programs
    if spoken() != ENGLISH:
        is_file = isinstance(error, BrokenFile)
        text = say("server.broken-file" if is_file else "server.refused", reason=text)
    return as_json(422, code, text, expected)


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
