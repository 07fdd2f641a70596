"""What the server tells its keeper: a log in JSON, and numbers for Prometheus.

    configure_logging(settings.log_level)    # and uvicorn with log_config=None
    telemetry = Telemetry(settings, count_games)
    telemetry.watch(app)                     # after guard_app: what it refuses is counted too

Neither holds bodies, cookies, tokens or query strings; users appear as a short hash.
"""

import hmac
import json
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from traceback import walk_tb
from typing import Any

import msgspec
from litestar import Litestar, Request, Response
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from quartermaster.server.identity.tokens import Caller, caller_of, hostname, is_loopback
from quartermaster.server.refusals import Refused
from quartermaster.server.settings import Settings

requests_log = logging.getLogger("quartermaster.server.requests")

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
GONE = 499  # the client left before there was an answer
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
THINKING = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60)

_ENCODER = json.JSONEncoder(default=str)  # `json.dumps` would make one each time
CountGames = Callable[[], Awaitable[Mapping[str, int]]]


class JsonFormatter(logging.Formatter):
    """One JSON object per line, so that no text in it can pass for another line."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        entry.update(getattr(record, "fields", {}))
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return _line(entry)


def _line(entry: dict[str, object]) -> str:
    """An entry of the log in signs of ASCII: others may pass for the end of a line. Nearly all
    entries have no others, and those are encoded by the faster of two encoders."""
    with suppress(ValueError, OverflowError):  # half a sign, a number too large
        line = msgspec.json.encode(entry, enc_hook=str)
        if line.isascii():
            return line.decode()
    return _ENCODER.encode(entry)


class Sparing(logging.Filter):
    """Lets the same warning or error through a few times a minute, and says with the first of
    the next minute how many were left out: what goes wrong for a thousand clients, or in a loop,
    must not fill the disk. What tells of single requests is no warning and always let through."""

    MOST = 5
    SECONDS = 60.0
    KINDS = 1000  # that are counted at once

    def __init__(self) -> None:
        super().__init__()
        self._began: dict[tuple[object, ...], float] = {}
        self._counts: dict[tuple[object, ...], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        # The message before its parts are filled in, and the place of the error.
        kind: tuple[object, ...] = (record.name, record.levelno, str(record.msg)[:200])
        if record.exc_info and record.exc_info[0] is not None:
            places = [
                (frame.f_code.co_filename, line) for frame, line in walk_tb(record.exc_info[2])
            ]
            kind = (*kind, record.exc_info[0].__name__, *places[-1:])
        count = self._counts.get(kind, 0)
        if record.created - self._began.get(kind, 0.0) >= self.SECONDS:
            if kind not in self._began and len(self._began) >= self.KINDS:
                oldest = next(iter(self._began))
                del self._began[oldest], self._counts[oldest]
            if count > self.MOST:
                fields = {**getattr(record, "fields", {}), "left_out": count - self.MOST}
                record.fields = fields
            self._began[kind], count = record.created, 0
        self._counts[kind] = count + 1
        return count < self.MOST


def configure_logging(level: str = "info") -> None:
    """Log all there is to stderr in JSON, but for what others log of URLs."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(Sparing())
    root = logging.getLogger()
    for old in list(root.handlers):
        if isinstance(old.formatter, JsonFormatter):  # called twice
            root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    # Which process and which thread writes a line is looked up for each, and no line tells it.
    logging.logProcesses = logging.logMultiprocessing = logging.logThreads = False
    # These write whole URLs, with query strings and the secrets in webhooks.
    for name in ("httpx", "httpcore", "uvicorn.access"):
        logging.getLogger(name).setLevel(logging.WARNING)


class Telemetry:
    """The numbers of one app. Each has a registry of its own, so that several can live."""

    def __init__(self, settings: Settings, count_games: CountGames | None = None) -> None:
        self.settings = settings
        self.count_games = count_games  # asked whenever the numbers are fetched
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        own: dict[str, Any] = {"registry": self.registry, "namespace": "quartermaster"}
        self.requests = Counter(
            "requests", "Requests answered", ["method", "route", "status"], **own
        )
        self.request_seconds = Histogram(
            "request_seconds",
            "Seconds until an answer began",  # a stream ends hours later, which tells nothing
            ["method", "route"],
            buckets=SECONDS,
            **own,
        )
        self._counts: dict[tuple[str, str, int], tuple[Any, Any]] = {}
        self.open_streams = Gauge("open_streams", "Event streams open now", **own)
        self.moves_accepted = Counter("moves_accepted", "Moves made by people", **own)
        self.moves_refused = Counter("moves_refused", "Moves that were not legal", **own)
        self.bot_seconds = Histogram(
            "bot_decision_seconds", "Seconds bots thought", ["bot"], buckets=THINKING, **own
        )
        self.games = Gauge("games", "Games by status", ["status"], **own)

    def bot_decided(self, bot: str, seconds: float) -> None:
        """Count a bot's decision and its time."""
        self.bot_seconds.labels(bot).observe(seconds)

    def watch(self, app: Litestar) -> None:
        """Count and log whatever an app is asked."""
        app.asgi_handler = self.around(app.asgi_handler)

    def around(self, inner: ASGIApp) -> ASGIApp:
        """The ASGI layer that counts and logs."""

        async def handle(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != ScopeType.HTTP:
                await inner(scope, receive, send)
                return
            path = scope["path"]  # routing changes it
            start = time.perf_counter()
            status, began, is_stream = GONE, start, False

            async def note(message: Message) -> None:
                nonlocal status, began, is_stream
                if message["type"] == "http.response.start":
                    status, began = message["status"], time.perf_counter()
                    if is_event_stream(message["headers"]):
                        is_stream = True
                        self.open_streams.inc()
                await send(message)

            try:
                await inner(scope, receive, note)
            except Exception:
                status = 500 if status == GONE else status
                raise
            finally:
                if is_stream:
                    self.open_streams.dec()
                method = scope["method"] if scope["method"] in METHODS else "other"
                route = str(scope.get("path_template") or "unknown")
                count, seconds = self.counts_of(method, route, status)
                count.inc()
                seconds.observe(began - start)
                if requests_log.isEnabledFor(logging.INFO):
                    log_request(
                        method=scope["method"],
                        path=path,
                        status=status,
                        ms=round((time.perf_counter() - start) * 1000, 1),
                        user=self.short_user(caller_of(scope)),
                    )

        return handle

    def counts_of(self, method: str, route: str, status: int) -> tuple[Any, Any]:
        """Where a request of a kind is counted, looked up once: there are few kinds."""
        found = self._counts.get((method, route, status))
        if found is None:
            found = self._counts[method, route, status] = (
                self.requests.labels(method, route, str(status)),
                self.request_seconds.labels(method, route),
            )
        return found

    def short_user(self, caller: Caller) -> str | None:
        """Enough to follow one user through the log, too little to tell who it is."""
        user = caller.user(self.settings.secret)
        return None if user is None else _short(self.settings.secret, user)

    async def metrics_response(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """The numbers, for whoever may see them."""
        self.check_access(request)
        if self.count_games is not None:
            counts = await self.count_games()
            self.games.clear()  # a status without games would keep its last number
            for status, number in counts.items():
                self.games.labels(status).set(number)
        return Response(
            generate_latest(self.registry), headers={"content-type": CONTENT_TYPE_LATEST}
        )

    def check_access(self, request: Request[Any, Any, Any]) -> None:
        """The keeper's token opens them; without one set, this machine alone.

        What a proxy on this machine passes on comes from here too, but shows by its headers
        or its host. One that hides both can be told by nothing: it needs a token.
        """
        caller = caller_of(request.scope)
        token = self.settings.metrics_token
        if token is not None:
            given = caller.token if caller.has_bearer else None
            if not hmac.compare_digest((given or "").encode(), token.encode()):
                raise Refused(401, "metrics-token", headers={"www-authenticate": "Bearer"})
            return
        is_passed_on = any(name.startswith("x-forwarded-") for name in caller.headers)
        is_passed_on = is_passed_on or "forwarded" in caller.headers
        is_here = is_loopback(caller.peer) and is_loopback(hostname(caller.host))
        if is_passed_on or not is_here:
            raise Refused(403, "metrics-elsewhere")


@lru_cache(maxsize=5_000)
def _short(secret: bytes, user: str) -> str:
    return hmac.new(secret, user.encode(), sha256).hexdigest()[:8]


def log_request(**fields: object) -> None:
    """A line of the log, made without looking for the place in the code that it comes from,
    which takes longer than all else."""
    record = requests_log.makeRecord(
        requests_log.name, logging.INFO, "", 0, "request", (), None, extra={"fields": fields}
    )
    requests_log.handle(record)


def is_event_stream(headers: Any) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(b"text/event-stream")
        for name, value in headers
    )
