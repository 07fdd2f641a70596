"""`/api/games/.../reports`: telling whoever runs the place that someone misbehaves."""

from typing import Annotated, Final, Literal

import msgspec
from litestar import Controller, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from quartermaster.server.api.playing import rooms_of
from quartermaster.server.names import clean_text
from quartermaster.server.refusals import Refused
from quartermaster.server.services import Player

MOST: Final = 10  # reports of one person in a day


class NewReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of a `person` or a `name`: the seat they have; of a `message`: its id."""

    what: Literal["person", "name", "message"]
    seat: Annotated[int, msgspec.Meta(ge=0, le=5)] | None = None
    message: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] | None = None
    text: Annotated[str, msgspec.Meta(max_length=2000)] = ""


class Reports(Controller):
    """What players report is read by whoever runs the server (`quartermaster admin reports`)."""

    path = "/api/games/{game:str}/reports"
    tags = ("People",)

    @post("/", summary="Report a person, a name or a message")
    async def report(self, player: Given[Player], data: JSONBody[NewReport]) -> dict[str, int]:
        """Nobody at the table learns of it. What you can see you can report."""
        table = await player.table()
        quote = ""
        message_id = None
        if data.what == "message":
            rooms = rooms_of(table, player.id)
            found = await player.services.people.message(table.id, data.message or 0, rooms)
            if found is None:
                raise Refused(404, "no-such-message")
            user_id, name, quote, message_id = found.user_id, found.name, found.text, found.id
        else:
            if data.seat is None or data.seat >= len(table.seats):
                raise Refused(422, "whom-to-report")
            seat = table.seats[data.seat]
            if seat.holder is None:
                raise Refused(422, "whom-to-report")
            user_id, name = seat.holder, seat.name
        if user_id == player.id:
            raise Refused(422, "whom-to-report")
        columns = {
            "game_id": table.id, "reporter": player.id, "what": data.what, "user_id": user_id,
            "name": name, "message_id": message_id, "quote": quote,
            "text": clean_text(data.text) if data.text.strip() else "", "at": player.now,
        }  # fmt: skip
        number = await player.services.people.add_report(columns, MOST)
        if number is None:
            raise Refused(429, "too-many-reports", headers={"retry-after": "3600"}, most=MOST)
        return {"id": number}
