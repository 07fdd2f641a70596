"""Taking names out of games, and people out of the database.

Events are only ever added, with one exception, and this is the one place for it: the name in a
seat, and a table's title, may be blanked or replaced. Nothing in a game depends on them, so it
replays as before. Who deletes their account is gone from the database but for their id, which
then stands for nobody; games in which other people took part keep a nameless seat.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from sqlalchemy import Connection, select

from quartermaster.server.store.people import drop_sessions, signal
from quartermaster.server.store.schema import (
    events,
    games,
    mails,
    messages,
    notices,
    players,
    reports,
    sessions,
    users,
)
from quartermaster.server.table import events as ev
from quartermaster.server.table.events import Event, Seat
from quartermaster.server.table.seating import Seating
from quartermaster.server.table.summary import summarize
from quartermaster.server.table.wire import to_json

NAMING: Final = ("created", "seat", "settings")  # kinds of events with names in them
_HOLDER: Final = re.compile(r'"holder":"([^"]+)"')

Rename = Callable[[Seat], str]


def games_of(connection: Connection, user_ids: Iterable[str]) -> dict[str, dict[str, set[str]]]:
    """Of people, the games they ever sat at, each with all who ever did. Who has left a seat is
    found only in the events, so this reads through those of all games."""
    wanted = set(user_ids)
    naming = select(events.c.game_id, events.c.data).where(events.c.kind.in_(NAMING))
    if len(wanted) == 1:  # let the database look
        [id] = wanted
        told = naming.where(events.c.data.contains(f'"holder":"{id}"', autoescape=True))
        own = {game_id for game_id, _ in connection.execute(told)}
        naming = naming.where(events.c.game_id.in_(own))
    seated: dict[str, set[str]] = {}
    for game_id, data in connection.execute(naming):
        holders = _HOLDER.findall(data)
        if holders:
            seated.setdefault(game_id, set()).update(holders)
    found: dict[str, dict[str, set[str]]] = {id: {} for id in wanted}
    for game_id, people in seated.items():
        for id in people & wanted:
            found[id][game_id] = people
    return found


def rename_in_game(
    connection: Connection, game_id: str, rename: Rename, title: str | None = None
) -> None:
    """Give seats other names in all events of a game and in lists, and it another title."""
    rows = connection.execute(
        select(events.c.seq, events.c.data)
        .where(events.c.game_id == game_id, events.c.kind.in_(NAMING))
        .order_by(events.c.seq)
    ).all()
    if not rows:
        return  # it has gone meanwhile
    for seq, data in rows:
        before = ev.decode(data)
        event = _renamed(before, rename, title)
        if event != before:
            connection.execute(
                events.update()
                .where(events.c.game_id == game_id, events.c.seq == seq)
                .values(data=ev.encode(event))
            )
        match event:
            case ev.Created():
                host, settings, seating = event.host, event.settings, Seating(event.seats)
            case ev.SettingsChanged():
                settings, seating = event.settings, Seating(event.seats)
            case ev.SeatChanged(number, to):
                seating = seating.with_seat(number, to)
    connection.execute(
        games.update()
        .where(games.c.id == game_id)
        .values(summary=to_json(summarize(host, settings, seating)).decode())
    )
    signal(connection, f"names:{game_id}")


def _renamed(event: Event, rename: Rename, title: str | None) -> Event:
    def seat(one: Seat) -> Seat:
        return one if one.holder is None else msgspec.structs.replace(one, name=rename(one))

    match event:
        case ev.Created() | ev.SettingsChanged():
            settings = event.settings
            if title is not None:
                settings = msgspec.structs.replace(settings, title=title)
            seats = tuple(seat(one) for one in event.seats)
            return msgspec.structs.replace(event, seats=seats, settings=settings)
        case ev.SeatChanged():
            return msgspec.structs.replace(event, to=seat(event.to))
    return event


def delete_game(connection: Connection, game_id: str) -> None:
    """Delete a game with all that belongs to it."""
    for table in (events, players, messages, notices):
        connection.execute(table.delete().where(table.c.game_id == game_id))
    connection.execute(games.delete().where(games.c.id == game_id))
    signal(connection, f"gone:{game_id}")


def leave_game(connection: Connection, game_id: str, user_id: str, people: set[str]) -> None:
    """Take a person who is to be deleted out of a game; the game goes if nobody else played."""
    if people <= {user_id}:
        delete_game(connection, game_id)
        return
    rename_in_game(connection, game_id, lambda seat: "" if seat.holder == user_id else seat.name)
    own = select(messages.c.id).where(messages.c.game_id == game_id, messages.c.user_id == user_id)
    for id in connection.execute(own).scalars().all():
        unsay(connection, game_id, id)


def unsay(connection: Connection, game_id: str, message_id: int) -> None:
    """Delete a message."""
    connection.execute(messages.delete().where(messages.c.id == message_id))
    signal(connection, f"unsaid:{game_id}:{message_id}")


def delete_person(connection: Connection, user_id: str) -> None:
    """Delete what is kept of a person beside games. Open reports stay until they are closed."""
    found = connection.execute(select(sessions.c.id).where(sessions.c.user_id == user_id))
    drop_sessions(connection, found.scalars().all())
    own = select(messages.c.game_id, messages.c.id).where(messages.c.user_id == user_id)
    for game_id, id in connection.execute(own).all():  # of onlookers too
        unsay(connection, game_id, id)
    for table in (players, notices, mails):
        connection.execute(table.delete().where(table.c.user_id == user_id))
    connection.execute(reports.update().where(reports.c.reporter == user_id).values(reporter=""))
    connection.execute(
        reports.update()
        .where(reports.c.user_id == user_id, reports.c.closed_at.is_not(None))
        .values(user_id="", name="", quote="")
    )
    connection.execute(users.delete().where(users.c.id == user_id))
    signal(connection, f"ban:{user_id}")  # ends streams and forgets, like a ban
