"""A toy app, served as the real one is: for tests of what stands around the API."""

import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import msgspec
import uvicorn
from litestar import Litestar, Request, Response, get, post
from litestar.params import FromPath, JSONBody
from litestar.response import ServerSentEvent

from quartermaster.errors import IllegalAction, UnknownName
from quartermaster.server.edge.defence import EXCEPTION_HANDLERS, guard_app
from quartermaster.server.edge.telemetry import Telemetry
from quartermaster.server.identity import tokens
from quartermaster.server.settings import Settings

SECRET = b"a secret for the tests"


def make_settings(**others: Any) -> Settings:
    return Settings(**({"database_url": "sqlite://", "secret": SECRET} | others))


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


def own(client: httpx.Client) -> str:
    return str(client.base_url).rstrip("/")


ORDER = {"country": "germany", "armies": 2}


COOKIE = {"cookie": f"theme=dark; {tokens.COOKIE}=abc"}
