"""`/api/me/export` and `/api/me/delete`: all that is kept of you, and no more of it."""

import asyncio
import io
import time
import zipfile
from typing import Any, Final

import msgspec
from litestar import Controller, Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody
from sqlalchemy import Connection, select

from quartermaster.server.api.accounts import check_own_password
from quartermaster.server.api.clients import Client, session_cookie
from quartermaster.server.hub import Hub
from quartermaster.server.keeper import delete_account
from quartermaster.server.refusals import Refused
from quartermaster.server.services import Services, may_watch
from quartermaster.server.store import erase
from quartermaster.server.store.people import SessionRow
from quartermaster.server.store.rows import User
from quartermaster.server.store.schema import messages, notices, reports
from quartermaster.server.table.projection import project
from quartermaster.server.table.wire import to_json

EVERY: Final = 60.0  # seconds between exports of one person
LARGE: Final = 1_000_000  # bytes that are sent as a zip


class Farewell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password; of a guest, who has none, the own name."""

    password: str | None = None
    name: str | None = None


class Everything(msgspec.Struct, frozen=True):
    """All that is kept of a person."""

    exported_at: float
    profile: dict[str, Any]
    devices: list[SessionRow]
    games: list[dict[str, Any]]
    messages: list[dict[str, Any]]
    notices: list[dict[str, Any]]
    reports: list[dict[str, Any]]


class Privacy(Controller):
    """What is kept of you."""

    path = "/api/me"
    tags = ("People",)

    @get("/export", summary="Download all that is kept of you", media_type="application/json")
    async def export(self, services: Given[Services], user: Given[User]) -> Response[Everything]:
        """Profile, devices, games with their records (of games in play what you may see),
        messages, notices, reports. As JSON; as a zip with that in it if it is large."""
        if not services.may_export(user.id, EVERY):
            raise Refused(429, "export-again", headers={"retry-after": f"{EVERY:.0f}"})
        content: Any = msgspec.json.format(to_json(await everything(services, user)), indent=1)
        kind, name = "application/json", "quartermaster.json"
        if len(content) > LARGE:
            content = await asyncio.to_thread(_zipped, name, content)
            kind, name = "application/zip", "quartermaster.zip"
        headers = {"content-disposition": f'attachment; filename="{name}"', "content-type": kind}
        return Response(content, headers=headers)

    @post("/delete", summary="Delete your account", status_code=200)
    async def delete(
        self,
        services: Given[Services],
        user: Given[User],
        client: Given[Client],
        data: JSONBody[Farewell],
    ) -> Response[dict[str, bool]]:
        """At once and for good. Bots play on in your seats; games in which others took part keep
        a seat without a name, all others are deleted, and so is what you have said."""
        if user.password is not None:
            await check_own_password(services, user, client, data.password)
        elif data.name != user.name:
            raise Refused(422, "name-to-delete", name=user.name)
        await delete_account(services.store, user.id)
        await services.signals.heed()
        return Response({"deleted": True}, cookies=[session_cookie("", client)], status_code=200)


async def everything(services: Services, user: User) -> Everything:
    def work(connection: Connection) -> tuple[Any, ...]:
        def rows(table: Any, column: Any) -> list[dict[str, Any]]:
            found = connection.execute(select(table).where(column == user.id))
            return [dict(row) for row in found.mappings()]

        return (
            sorted(erase.games_of(connection, [user.id])[user.id]),
            rows(messages, messages.c.user_id),
            rows(notices, notices.c.user_id),
            rows(reports, reports.c.reporter),
        )

    games, said, told, reported = await services.store.read(work)
    profile = msgspec.structs.asdict(user)
    profile["password"] = "kept as a hash" if user.password is not None else None
    return Everything(
        exported_at=time.time(),
        profile=profile,
        devices=await services.people.sessions_of(user.id),
        games=[await _game(services.hub, id, user.id) for id in games],
        messages=said,
        notices=told,
        reports=[{k: v for k, v in one.items() if k != "note"} for one in reported],
    )


async def _game(hub: Hub, id: str, user_id: str) -> dict[str, Any]:
    """A game as a person may know it: all of it once it is over."""
    try:
        table = (await hub.entry(id)).table
    except Refused:
        return {"id": id, "status": "deleted"}
    try:
        may_watch(table, user_id)
    except Refused:  # they had a seat once, and got up
        return {"id": id, "status": "closed", "your_seats": []}
    seats = [table.seats[n].countries for n in table.seats_of(user_id)]
    found: dict[str, Any] = {"id": id, "status": table.status, "your_seats": seats}
    if table.status == "over" and table.has_begun:
        found["record"] = table.game.record
    elif seats:
        found["table"] = project(table, user_id, hub.now())
    await asyncio.sleep(0)  # others' turn
    return found


def _zipped(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()
