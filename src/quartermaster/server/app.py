"""The application: its parts put together."""

import asyncio
import gc
import signal
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from types import FrameType
from typing import Any

from litestar import Litestar, Request, Response, get
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import (
    OpenAPIMediaType,
    OpenAPIResponse,
    OpenAPIType,
    Schema,
)

from quartermaster.server.api.accounts import Accounts
from quartermaster.server.api.clients import Client
from quartermaster.server.api.express import add_express
from quartermaster.server.api.library import Library
from quartermaster.server.api.lobby import GameId, Tables
from quartermaster.server.api.mail_pages import mail_routes
from quartermaster.server.api.pages import page_routes
from quartermaster.server.api.playing import Playing
from quartermaster.server.api.privacy import Privacy
from quartermaster.server.api.replays import Records, Replays
from quartermaster.server.api.reports import Reports
from quartermaster.server.edge.defence import EXCEPTION_HANDLERS, guard_app
from quartermaster.server.edge.files import add_files
from quartermaster.server.edge.telemetry import configure_logging
from quartermaster.server.identity.tokens import caller_of
from quartermaster.server.services import Player, Services, Visitor
from quartermaster.server.settings import Settings
from quartermaster.server.store.migrate import upgrade
from quartermaster.server.store.rows import User
from quartermaster.version import VERSION

AnyRequest = Request[Any, Any, Any]


def create_app(settings: Settings | None = None) -> Litestar:
    """The server as an ASGI application; its settings come from the environment."""
    settings = settings or Settings.from_environment()
    configure_logging(settings.log_level)
    services = Services(settings)

    async def get_services() -> Services:
        return services

    async def get_user(request: AnyRequest) -> User:
        return await services.signed_in(caller_of(request.scope).token)

    async def get_visitor(request: AnyRequest) -> User | None:
        return await services.user(caller_of(request.scope).token)

    async def get_onlooker(request: AnyRequest, game: GameId) -> Visitor:
        return Visitor(services, await get_visitor(request), game)

    async def get_player(request: AnyRequest, game: GameId) -> Player:
        return Player(services, await get_user(request), game)

    async def get_client(request: AnyRequest) -> Client:
        return Client.of(request.scope, settings)

    @get("/healthz", tags=["Server"], summary="Is the server well?")
    async def healthz() -> dict[str, str]:
        """200 if the database can be read and written, 503 if not."""
        await services.check_health()
        return {"status": "ok", "version": VERSION}

    @get("/metrics", tags=["Server"], summary="Numbers for Prometheus", media_type="text/plain")
    async def metrics(request: AnyRequest) -> Response[bytes]:
        return await services.telemetry.metrics_response(request)

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        _on_signals(services.hub.end_streams)
        # Tables are many small objects that live long: looking through them all for cycles, as
        # Python does by default every few seconds, would hold up every move for a while. Only
        # what is new is looked through, and often: Python counts what is made less what goes, and
        # a move makes about as much as it lets go, so that behind a count of a thousand there are
        # already many thousands to look through (some milliseconds).
        gc.collect()
        gc.freeze()
        gc.set_threshold(1_000, 5_000, 100)
        await asyncio.to_thread(upgrade, settings.database_url)
        async with AsyncExitStack() as stack:
            await services.start()
            stack.push_async_callback(services.close)
            if services.store.is_postgres:
                await stack.enter_async_context(services.store.listen(services.hear))
            yield

    app = Litestar(
        route_handlers=[
            *(Accounts, Privacy, Reports, Tables, Playing, Replays, Records, Library),
            *(healthz, metrics, mail_routes(), *page_routes()),
        ],
        # Not what is live or personal: a stream must not wait in a compressor's buffer.
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1000, exclude=["^/api/games", "^/api/me", "^/api/sign"]
        ),
        dependencies={
            "services": Provide(get_services),
            "user": Provide(get_user),
            "visitor": Provide(get_visitor),
            "onlooker": Provide(get_onlooker),
            "player": Provide(get_player),
            "client": Provide(get_client),
        },
        lifespan=[lifespan],
        exception_handlers=EXCEPTION_HANDLERS,
        openapi_config=OpenAPIConfig(
            title="Quartermaster",
            version=VERSION,
            description="The game server of Quartermaster. Come as a guest (POST /api/me), make a"
            " table (POST /api/games), follow its stream, send moves.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        logging_config=None,
    )
    add_files(app)
    add_express(app, services)
    guard_app(app, settings, rates=services.rates)
    services.telemetry.watch(app)
    _tell_refusals(app)
    return app


def _on_signals(act: Callable[[], None]) -> None:
    """Act when the server is told to end: it waits for open streams before it ends its lifespan."""
    if threading.current_thread() is not threading.main_thread():
        return  # in tests; signals are the main thread's
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)

        def handle(got: int, frame: FrameType | None, before: Any = before) -> None:
            loop.call_soon_threadsafe(act)
            if callable(before):
                before(got, frame)

        signal.signal(number, handle)


def _tell_refusals(app: Litestar) -> None:
    """Say in the API's description how it refuses; Litestar knows only its own way."""
    text = Schema(type=OpenAPIType.STRING)
    body = Schema(
        type=OpenAPIType.OBJECT,
        properties={"code": text, "error": text, "expected": Schema()},
        required=["code", "error"], title="Refusal",
    )  # fmt: skip
    for item in (app.openapi_schema.paths or {}).values():
        for operation in (item.get, item.post, item.put, item.patch, item.delete):
            if operation is not None and operation.responses is not None:
                for status in (400, 401, 403, 404, 409, 413, 422, 429, 503):
                    operation.responses[str(status)] = OpenAPIResponse(
                        description=HTTPStatus(status).phrase,
                        content={"application/json": OpenAPIMediaType(schema=body)},
                    )
