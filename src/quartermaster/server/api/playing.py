"""`/api/games/...`: playing, reacting, taking back, talking, and the live stream."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, get, post, put
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from quartermaster.bots import Hint
from quartermaster.errors import IllegalAction
from quartermaster.forms.notation import country_index
from quartermaster.rules.names import COUNTRIES
from quartermaster.server.hub import Entry, Watcher
from quartermaster.server.identity.tokens import Caller
from quartermaster.server.names import clean_text
from quartermaster.server.refusals import Refused, either
from quartermaster.server.services import Player, Services, Visitor, as_response, may_watch
from quartermaster.server.store.rows import Message
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.choices import Choice, choice
from quartermaster.server.table.projection import Seen, see, seen_number, version_of
from quartermaster.server.table.queries import asks_of
from quartermaster.server.table.table import Table
from quartermaster.server.table.views import TableView
from quartermaster.server.table.wire import to_json
from quartermaster.sight.decision import decision_of
from quartermaster.sight.explain import Supply
from quartermaster.sight.look import Look
from quartermaster.sight.reactions import play_step_after

HEARTBEAT = 15.0  # seconds: proxies close streams that are silent
MOST_STREAMS = 12  # of one person at one table
_MOST_HINTS = 3

_PIECE = "^[a-z-]{1,30}:[a-z-]{1,30}$"

Number = Annotated[int, msgspec.Meta(ge=0, le=10**8)]
Text = Annotated[str, msgspec.Meta(max_length=200)]


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action, against the table as it was at a number (`TableView.number`)."""

    number: Number
    country: Text
    text: Text


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to one of the viewer's questions of a window, by the question's `number`."""

    number: Number
    text: Text
    ask: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0


class At(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: Number


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Standing orders of a seat. For each card: `ask` when it matters, ask at `every` chance,
    use it `always`, or `never`; and whether to pass until the own next turn."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=5)]
    cards: Annotated[dict[str, ev.Order], msgspec.Meta(max_length=200)] = {}
    passes: bool = False


class FirstCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards a country discards before the game; none: not decided yet."""

    country: Text
    discards: Annotated[tuple[Text, ...], msgspec.Meta(max_length=10)]


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`to`: the number of the table at which the decision was taken; else the own last."""

    to: Number | None = None


class Motion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: Annotated[str, msgspec.Meta(pattern="^(pause|end)$")]


class Vote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    is_for: bool


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(max_length=2000)]
    room: Annotated[str, msgspec.Meta(pattern="^(all|axis|allies|spectators)$")] = "all"


class HintView(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action worth thinking of. Where several cards are discarded together (`count` of the
    decision), `cards` has the ids of those that best go with this one, itself among them: those
    of the first hint are the best there are."""

    action: Choice
    chance: float
    reason: str
    cards: tuple[str, ...] = ()


class Said(msgspec.Struct, frozen=True):
    """Something said at a table."""

    id: int
    room: str
    name: str
    text: str
    at: float
    is_yours: bool


async def carry_out(player: Player, move: Move) -> Seen:
    """Make a move; what its player sees then."""
    return await player.do(
        lambda t: commands.move(t, player.id, move.number, move.country, move.text, player.now),
        move.number,
    )


class Playing(Controller):
    """A game in progress."""

    path = "/api/games/{game:str}"
    tags = ("Playing",)

    @post("/moves", summary="Do something", status_code=200)
    async def move(self, player: Given[Player], data: JSONBody[Move]) -> Response[TableView]:
        """Accepted means on disk. The same move sent again is recognised and changes nothing;
        one against a table that has moved on is refused with 409."""
        try:
            return as_response(await carry_out(player, data))
        except (Refused, IllegalAction):
            player.services.telemetry.moves_refused.inc()
            raise

    @post("/answers", summary="Answer in a reaction window", status_code=200)
    async def answer(self, player: Given[Player], data: JSONBody[Answer]) -> Response[TableView]:
        return await player.act(
            lambda t: commands.answer(t, player.id, data.number, data.ask, data.text),
            data.number,
        )

    @post("/go-on", summary="Need a window no longer", status_code=200)
    async def go_on(self, player: Given[Player], data: JSONBody[At]) -> Response[TableView]:
        return await player.act(lambda t: commands.go_on(t, player.id, data.number), data.number)

    @post("/hold", summary="Want more time in a window", status_code=200)
    async def hold(self, player: Given[Player], data: JSONBody[At]) -> Response[TableView]:
        return await player.act(
            lambda t: commands.hold(t, player.id, data.number, player.now), data.number
        )

    @put("/orders", summary="Give standing orders")
    async def order(self, player: Given[Player], data: JSONBody[Orders]) -> Response[TableView]:
        return await player.act(
            lambda t: commands.order(t, player.id, data.seat, data.cards, data.passes)
        )

    @put("/first-cards", summary="Choose first cards while others do")
    async def prepare(
        self, player: Given[Player], data: JSONBody[FirstCards]
    ) -> Response[TableView]:
        """Which of its first cards a country will discard when it is asked, so that nobody has
        to wait for the others. Nobody else learns of it."""
        return await player.act(
            lambda t: commands.prepare(t, player.id, data.country, data.discards)
        )

    @post("/undo", summary="Take back a decision, or propose it", status_code=200)
    async def undo(self, player: Given[Player], data: JSONBody[Undo]) -> Response[TableView]:
        """At once while nothing hidden was seen and nobody else decided; else all must agree."""
        return await player.act(lambda t: commands.undo(t, player.id, data.to))

    @post("/proposals", summary="Propose a pause or the end", status_code=200)
    async def propose(self, player: Given[Player], data: JSONBody[Motion]) -> Response[TableView]:
        what: ev.Motion = "pause" if data.what == "pause" else "end"
        return await player.act(lambda t: commands.propose(t, player.id, what))

    @post("/votes", summary="Agree to what is proposed, or not", status_code=200)
    async def vote(self, player: Given[Player], data: JSONBody[Vote]) -> Response[TableView]:
        return await player.act(lambda t: commands.vote(t, player.id, data.is_for))

    @post("/resume", summary="End a pause", status_code=200)
    async def resume(self, player: Given[Player]) -> Response[TableView]:
        return await player.act(lambda t: commands.resume(t, player.id))

    @get("/supply", summary="Whose pieces are in supply, and why")
    async def supply(
        self,
        onlooker: Given[Visitor],
        without: Annotated[str | None, QueryParameter(pattern=_PIECE)] = None,
        having: Annotated[str | None, QueryParameter(pattern=_PIECE)] = None,
    ) -> dict[str, dict[str, Supply]]:
        """Now, or if a piece fell (`without=germany:ukraine`) or came (`having=...`)."""
        table = await onlooker.table()
        if not table.has_begun:
            return {}
        game = table.shown.copy()
        for piece, is_there in ((without, False), (having, True)):
            if piece is not None:
                country, _, space = piece.partition(":")
                game.imagine(country, space, is_there)
        return {country: game.supply(country) for country in COUNTRIES}

    @get("/hints", summary="Ask a good bot what it would do")
    async def hints(
        self, player: Given[Player], ahead: Annotated[bool, QueryParameter()] = False
    ) -> list[HintView]:
        """For the decision, or the question of a window, that waits for you. With `ahead`, where
        the table has the play step after a question before it (`ahead`), for both together: so
        nobody is advised to pass what they are not asked. Where several cards are to be
        discarded there are at least as many hints."""
        table = await player.table()
        if not table.settings.has_hints:
            raise Refused(403, "no-hints")
        look = _look_to_decide(table, player.id)
        after = play_step_after(look.deal(table.number)) if ahead else None
        count = max(_MOST_HINTS, decision_of(look.seen).count)
        hints = await player.services.bots.advise(look, count)
        if after is not None:
            later = Look.at(after, look.countries)
            hints = _both(hints, await player.services.bots.advise(later, count))
        return [
            HintView(choice(hint.action), hint.chance, hint.reason, hint.cards) for hint in hints
        ]

    @get("/chat", summary="What was said")
    async def said(
        self,
        onlooker: Given[Visitor],
        after: Annotated[int, QueryParameter(ge=0, le=2**31 - 1)] = 0,
    ) -> list[Said]:
        table = await onlooker.table()
        rooms = rooms_of(table, onlooker.id)
        found = await onlooker.services.store.messages(table.id, rooms, after)
        return [_said(message, onlooker.id) for message in found]

    @post("/chat", summary="Say something")
    async def say(self, player: Given[Player], data: JSONBody[Words]) -> Said:
        """To all, to your team, or among spectators."""
        table = await player.table()
        rooms = rooms_of(table, player.id)
        if not table.seats_of(player.id):
            rooms.remove("all")
        if data.room not in rooms:
            raise Refused(403, "wrong-room", room=data.room, expected=either(rooms))
        await player.check_name()
        text = clean_text(data.text)
        player.services.rates.charge(player.id, 100 + len(text.encode()))
        message = await player.services.store.add_message(
            table.id, data.room, player.id, player.name, text, player.services.clock.day()
        )
        player.services.hub.wake(table.id)
        return _said(message, player.id)

    @get("/stream", summary="Live updates as server-sent events", media_type="text/event-stream")
    async def stream(
        self,
        request: Request[Any, Any, Any],
        onlooker: Given[Visitor],
        seat: Annotated[int | None, QueryParameter(ge=0, le=5)] = None,
    ) -> Stream:
        """`table` events hold a TableView, `chat` events what was said, `unsaid` ones the id of
        a message that was taken away; `beat` comes when nothing
        has for a while, so that who hears nothing knows the line is dead. Reconnect with
        `Last-Event-ID` (browsers do) and nothing is missed: each event brings the whole view and
        the log since the last."""
        entry = await onlooker.entry()
        id = onlooker.id
        if id is not None and sum(w.user == id for w in entry.watchers) >= MOST_STREAMS:
            raise Refused(429, "too-many-streams", most=MOST_STREAMS)
        last = request.headers.get("last-event-id")
        token = Caller(request.scope).token if id is not None else None
        watcher = Watcher(id, onlooker.services.sessions.id_of(token))
        return Stream(
            _stream(onlooker.services, entry, watcher, token, seat, last),
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )


async def _stream(
    services: Services,
    entry: Entry,
    watcher: Watcher,
    token: str | None,
    seat: int | None,
    last: str | None,
) -> AsyncIterator[bytes]:
    """Events for one watcher. Several changes in quick succession are sent as one."""
    user = watcher.user
    services.hub.watch(entry, watcher)
    said = _last_said(last)
    seen = (last or "").rpartition(".")[0] if said is not None else ""
    number = seen_number(seen)
    # Beats come at their times whatever else happens: one that was put off would tell others
    # of a change that is not theirs to know.
    loop = asyncio.get_running_loop()
    beat_at = loop.time() + HEARTBEAT
    timer = loop.call_at(beat_at, watcher.beat)
    try:
        if token is not None and await services.user(token) is None:
            return  # signed out just before this watcher could be told to end
        while not (services.hub.is_closed or watcher.is_ended):
            watcher.changed.clear()
            table = entry.table
            version = version_of(table, user)
            if version != seen or watcher.is_stale:
                watcher.is_stale = False
                may_watch(table, user)
                shown = see(table, user, services.now(), number, seat)
                number, seen = table.number, version
                yield _event("table", f"{seen}.{said or 0}", shown.json)
            if watcher.has_talk:
                watcher.has_talk = False
                for message in await services.store.messages(
                    table.id, rooms_of(table, user), said or 0
                ):
                    said = message.id
                    yield _event("chat", f"{seen}.{said}", to_json(_said(message, user)))
            while watcher.unsaid:
                gone = {"id": watcher.unsaid.pop(0)}
                yield _event("unsaid", f"{seen}.{said or 0}", to_json(gone))
            if not watcher.is_beat_due:
                await watcher.changed.wait()
            if watcher.is_beat_due:
                watcher.is_beat_due = False
                beat_at += HEARTBEAT
                timer = loop.call_at(beat_at, watcher.beat)
                await services.hub.catch_up(table.id)  # a notice may have been lost
                yield b"event: beat\ndata: {}\n\n"
    except Refused:
        return  # no longer open to this person
    finally:
        timer.cancel()
        entry.watchers.discard(watcher)


def _event(kind: str, id: str, data: bytes) -> bytes:
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (id.encode(), kind.encode(), data)


def _last_said(last: str | None) -> int | None:
    """The last message in an event's id: number, own changes, message."""
    parts = (last or "").split(".")
    if len(parts) == 3 and all(part.isascii() and part.isdigit() for part in parts):
        return min(int(parts[2][:15]), 2**31 - 1)
    return None


def rooms_of(table: Table, user: str | None) -> list[str]:
    """Where a person may listen. Spectators talk apart, so that they cannot help anyone. Teams
    have rooms once the game goes: before, anyone may still change sides."""
    seats = table.seats_of(user)
    if not seats:
        return ["all", "spectators"]
    if not table.has_begun:
        return ["all"]
    teams = {country_index(table.seats[n].countries[0]) & 1 for n in seats}
    rooms = ["all", *(("axis", "allies")[team] for team in sorted(teams))]
    return [*rooms, "spectators"] if table.status == "over" else rooms


def _said(message: Message, user: str | None) -> Said:
    return Said(
        message.id, message.room, message.name, message.text, message.at, message.user_id == user
    )


def _both(hints: list[Hint], later: list[Hint]) -> list[Hint]:
    """The best of a question and of the play step that passing it leads to, which stand in the
    place of the pass: chances of two searches are alike at best, and in a game that is as good
    as won they are the same."""
    verbs = [hint.action.verb for hint in hints]
    place = verbs.index("pass") if "pass" in verbs else _MOST_HINTS - 1
    found = [*hints[:place], *later, *hints[place + 1 :]][:_MOST_HINTS]
    # No action is shown behind one that comes after it.
    chances = [max(hint.chance for hint in found[place:]) for place in range(len(found))]
    return [replace(hint, chance=chance) for hint, chance in zip(found, chances, strict=True)]


def _look_to_decide(table: Table, user: str) -> Look:
    if table.window is not None:
        mine = asks_of(table, user)
        if mine:
            ask = table.window.asks[mine[0]]
            return Look.at(ask.state, frozenset({country_index(ask.country)}))
    elif table.awaited is not None:
        if table.seats[table.seat_of(table.awaited)].person == user:
            return table.game.look(table.awaited)
    raise Refused(409, "nothing-waits")
