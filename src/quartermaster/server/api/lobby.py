"""`/api/games`: making tables, finding them, sitting down."""

from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Response, get, post, put
from litestar.di import NamedDependency as Given
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter
from sqlalchemy.exc import IntegrityError

from quartermaster.server.names import clean_name
from quartermaster.server.refusals import Refused
from quartermaster.server.services import Player, Services, Visitor
from quartermaster.server.store.rows import GameRow, User
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish, Who, out_of_range
from quartermaster.server.table.projection import project
from quartermaster.server.table.summary import Summary
from quartermaster.server.table.table import Table
from quartermaster.server.table.views import TableView

Show = Literal["open", "mine", "turn", "watch", "over"]
GameId = Annotated[str, PathParameter(pattern="^[A-Za-z0-9]{8,40}$", description="The game's id")]
SeatNumber = Annotated[int, PathParameter(ge=0, le=5, description="The seat, from 0")]


class GameItem(msgspec.Struct, frozen=True):
    """A game in a list."""

    id: str
    status: str
    table: Summary
    created_at: float
    updated_at: float
    your_turn: bool
    winner: str | None
    result: dict[str, Any] | None
    rematch: str | None


class SeatWho(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    who: Who
    bot: str = "veteran"


class Invitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: str | None = None
    agrees: bool = False  # in a game that has begun with hidden cards as recorded
    moves: bool = False  # before the game: away from the seats that one has


class HandOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    to: Literal["bot", "person"]
    bot: str = "veteran"


class Ready(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    is_ready: bool = True
    agrees: bool = False  # where hidden cards are as recorded (`TableView.brought`)


class Contribution(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """32 random bytes of the client's own, as 64 hexadecimal digits."""

    added: Annotated[str, msgspec.Meta(max_length=200)]


class Rematch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    swap: bool = False  # each plays the other side
    start: bool = True  # at once, who plays alone


class PlayOn(GameWish, frozen=True):
    """A new table, perhaps one that goes on from a finished game (`game`, at a moment of its
    replay, `step`)."""

    game: str | None = None
    step: int | None = None


class Tables(Controller):
    """Tables before, between and after games."""

    path = "/api/games"
    tags = ("Tables",)

    @get("/", summary="Find games")
    async def find(
        self,
        services: Given[Services],
        visitor: Given[User | None],
        show: FromQuery[Show] = "open",
        rules: Annotated[str | None, QueryParameter(pattern="^[a-z]{1,20}$")] = None,
        before: Annotated[
            float | None, QueryParameter(ge=0, le=1e11, description="For paging: updated before")
        ] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=100)] = 30,
    ) -> list[GameItem]:
        """Public tables that are open or can be watched, or your own; the newest first."""
        user_id = None
        if show in ("mine", "turn"):
            if visitor is None:
                return []
            user_id = visitor.id
        status = {"open": "lobby", "watch": "playing", "over": "over"}.get(show)
        rows = await services.store.list_games(
            user_id=user_id,
            status=status,
            is_public=True if user_id is None else None,
            is_turn=True if show == "turn" else None,
            rules=rules,
            before=before,
            limit=limit,
        )
        turns: dict[str, bool] = {}
        if visitor is not None and rows:
            turns = await services.store.turns_of(visitor.id, [row.id for row in rows])
        return [_item(row, turns.get(row.id)) for row in rows]

    @post("/", summary="Make a table")
    async def create(
        self, services: Given[Services], user: Given[User], data: JSONBody[PlayOn]
    ) -> TableView:
        """With `start` the game begins at once, if nobody else is to come."""
        await Player(services, user, "").check_name(*_called(data))
        fields = {name: getattr(data, name) for name in GameWish.__struct_fields__}
        if data.game is not None:
            finished = await Player(services, user, _checked(data.game)).table()
            fields["record"], fields["at"] = _played(finished, data.step)
        wish = GameWish(**fields)
        events = commands.create(user.id, user.name, wish)
        await _check_quota(services, user.id, events)
        table = await services.hub.create(user.id, events)
        return project(table, user.id, services.now())

    @get("/{game:str}", summary="Look at a table")
    async def look(
        self,
        onlooker: Given[Visitor],
        seat: Annotated[int | None, QueryParameter(ge=0, le=5)] = None,
        since: Annotated[
            int | None, QueryParameter(ge=0, le=10**8, description="Only the log since this number")
        ] = None,
    ) -> Response[TableView]:
        """What you may know of it. `seat` picks one of several seats at one screen."""
        return await onlooker.view(since, seat)

    @put("/{game:str}", summary="Set a table up anew")
    async def set_up(self, player: Given[Player], data: JSONBody[GameWish]) -> Response[TableView]:
        await player.check_name(*_called(data))
        return await player.act(lambda t: commands.set_up(t, player.id, player.name, data))

    @put("/{game:str}/seats/{seat:int}", summary="Say who gets a seat")
    async def set_seat(
        self, player: Given[Player], seat: SeatNumber, data: JSONBody[SeatWho]
    ) -> Response[TableView]:
        return await player.act(
            lambda t: commands.set_seat(t, player.id, player.name, seat, data.who, data.bot)
        )

    @post("/{game:str}/seats/{seat:int}/take", summary="Sit down, or come back", status_code=200)
    async def take(
        self, player: Given[Player], seat: SeatNumber, data: JSONBody[Invitation]
    ) -> Response[TableView]:
        await player.check_name()
        return await player.act(
            lambda t: commands.take_seat(
                t, player.id, player.name, seat, data.code, data.agrees, data.moves
            ),
            is_joining=True,
        )

    @post("/{game:str}/seats/{seat:int}/leave", summary="Get up", status_code=200)
    async def leave(self, player: Given[Player], seat: SeatNumber) -> Response[TableView]:
        """In a game that has begun a bot plays on until someone takes the seat."""
        return await player.act(lambda t: commands.leave_seat(t, player.id, seat))

    @post(
        "/{game:str}/seats/{seat:int}/hand-over",
        summary="Let a bot play your seat, or invite someone to it",
        status_code=200,
    )
    async def hand_over(
        self, player: Given[Player], seat: SeatNumber, data: JSONBody[HandOver]
    ) -> Response[TableView]:
        return await player.act(lambda t: commands.hand_over(t, player.id, seat, data.to, data.bot))

    @post("/{game:str}/ready", summary="Say that you are ready", status_code=200)
    async def ready(self, player: Given[Player], data: JSONBody[Ready]) -> Response[TableView]:
        return await player.act(
            lambda t: commands.say_ready(t, player.id, data.is_ready, data.agrees)
        )

    @post("/{game:str}/contribution", summary="Add chance to the deal", status_code=200)
    async def contribute(
        self, player: Given[Player], data: JSONBody[Contribution]
    ) -> Response[TableView]:
        """Random bytes of your own, once, before the game begins; the cards come from them, from
        what others add and from the server's secret, whose hash is shown (`deal.commitment`)."""
        return await player.act(lambda t: commands.contribute(t, player.id, data.added))

    @post("/{game:str}/start", summary="Begin the game", status_code=200)
    async def start(self, player: Given[Player]) -> Response[TableView]:
        await player.services.may_begin(player.id, (await player.table()).seats)
        return await player.act(lambda t: commands.start(t, player.id))

    @post("/{game:str}/rematch", summary="Play again", status_code=200)
    async def rematch(self, player: Given[Player], data: JSONBody[Rematch]) -> Response[TableView]:
        """The same people at a new table; who asks second gets the same one."""
        hub, table = player.services.hub, await player.table()
        id = table.rematch or player.services.rematch_id(table.id)
        if table.rematch is None:
            events = commands.rematch(table, player.id, data.swap, data.start)
            await _check_quota(player.services, player.id, events)
            with suppress(IntegrityError):  # someone was faster
                await hub.create(player.id, events, id)
            again = await player.at(id).table()
            await hub.act(table.id, player.id, lambda t: commands.note_rematch(t, again))
        return await player.at(id).view()


def _called(wish: GameWish) -> list[str]:
    """The names given to people at one screen."""
    seats = [] if isinstance(wish.seats, int) else wish.seats
    return [clean_name(seat.name) for seat in seats if seat.who == "hot-seat" and seat.name]


async def _check_quota(services: Services, user: str, events: list[ev.Event]) -> None:
    """Refuse a table that would begin at once, where a person has begun enough."""
    created = events[0]
    if isinstance(created, ev.Created) and any(isinstance(one, ev.Started) for one in events):
        await services.may_begin(user, created.seats)


def _checked(id: str) -> str:
    if not (id.isascii() and id.isalnum() and len(id) <= 40):
        raise Refused(422, "bad-game-id", game=id[:40])
    return id


def _played(table: Table, step: int | None) -> tuple[str, int]:
    """The record of a finished game, and the action to go on from."""
    if table.status != "over" or not table.has_begun:
        raise Refused(409, "not-over-to-go-on")
    moments = table.moments()
    if step is None:
        step = len(moments) - 1
    if not 0 <= step < len(moments):
        raise out_of_range("step", 0, len(moments) - 1, step)
    return table.game.record, moments[step]


def _item(row: GameRow, your_turn: bool | None) -> GameItem:
    """A game in a list, for someone who sits there (whether it is their turn) or does not. How a
    game stands that is closed to onlookers is for those who sit there."""
    table = msgspec.json.decode(row.summary, type=Summary)
    is_told = your_turn is not None or table.settings.has_spectators
    return GameItem(
        id=row.id,
        status=row.status,
        table=table,
        created_at=row.created_at,
        updated_at=row.updated_at,
        your_turn=bool(your_turn),
        winner=row.winner if is_told else None,
        result=msgspec.json.decode(row.result) if is_told and row.result is not None else None,
        rematch=row.rematch if is_told else None,
    )
