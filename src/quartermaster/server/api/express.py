"""The short way of a move that is accepted.

Nearly all that a busy server is sent are moves, and the web framework takes longer to bring one to
its handler and the answer back than the table takes to carry it out. So a layer between the
guard and the framework looks out for them, and answers what the table accepts.

Whatever else comes of a move goes the long way, as if nobody had looked at it: one that is not well
formed, of nobody we know, or refused. A move that is refused has changed nothing, and one that was
done is recognised, so it can be put again; and there is one place that says what was wrong.
"""

import re
from typing import Any, Final

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from quartermaster.server.api.playing import Move, carry_out
from quartermaster.server.identity.tokens import caller_of
from quartermaster.server.services import Player, Services

_PATH: Final = re.compile(r"/api/games/([A-Za-z0-9]{8,40})/moves")
_ROUTE: Final = "/api/games/{game}/moves"  # as the framework calls it, for the metrics
_HOST: Final = re.compile(r"[A-Za-z0-9.:\[\]-]*")  # others the framework may refuse
_DECODER: Final = msgspec.json.Decoder(Move)


def add_express(app: Litestar, services: Services) -> None:
    """Put the short way before all that an app answers; `guard_app` then guards both."""
    app.asgi_handler = Express(app.asgi_handler, services)


class Express:
    """The ASGI layer that `add_express` puts round an app."""

    def __init__(self, inner: ASGIApp, services: Services) -> None:
        self.inner = inner
        self.services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        game = None
        if scope["type"] == ScopeType.HTTP and scope["method"] == "POST":
            game = _PATH.fullmatch(scope["path"])
        if game is None or scope.get("root_path"):
            await self.inner(scope, receive, send)
            return
        message: Any = await receive()
        body = await self._accepted(scope, game[1], message)
        if body is None:
            await self.inner(scope, _again(message, receive), send)
            return
        scope["path_template"] = _ROUTE
        length = b"%d" % len(body)
        headers = [(b"content-type", b"application/json"), (b"content-length", length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _accepted(self, scope: Any, game: str, message: Any) -> bytes | None:
        """The answer to a move that was accepted; nothing if it was not, whyever."""
        caller = caller_of(scope)
        if message["type"] != "http.request" or message.get("more_body"):
            return None
        if not _HOST.fullmatch(caller.host):
            return None
        try:
            move = _DECODER.decode(message["body"])
            user = await self.services.signed_in(caller.token)
            return (await carry_out(Player(self.services, user, game), move)).json
        except Exception:  # the long way says which, or logs it
            return None


def _again(message: object, receive: Receive) -> Receive:
    """Let a message that was received be received once more, before those that follow."""
    first = [message]

    async def receive_again() -> Any:
        return first.pop() if first else await receive()

    return receive_again
