"""Sitting down, getting up, and handing a seat over."""

import secrets

import msgspec

from quartermaster.server.names import new_id
from quartermaster.server.refusals import Refused
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands.checks import not_over, own_seat, seat_at
from quartermaster.server.table.commands.wishes import level
from quartermaster.server.table.events import Event, Seat
from quartermaster.server.table.queries import (
    is_out_of_time,
    knows_other_side,
    must_agree,
)
from quartermaster.server.table.table import Table


def take_seat(
    table: Table,
    user: str,
    name: str,
    number: int,
    code: str | None,
    agrees: bool = False,
    moves: bool = False,
) -> list[Event]:
    """Sit down, with the invitation if the seat has one; or come back to one's own seat. Who sits
    down in a game that has begun with hidden cards as recorded agrees to that, like the others.
    Before the game, one who moves gives up the seats held until then, and who takes their own
    seat again has it under the name that they have now."""
    seat = seat_at(table, number)
    not_over(table)
    if seat.holder == user:
        if seat.bot is None:  # sits there already
            if table.has_begun or seat.name == name:
                return []
            return [ev.SeatChanged(number, msgspec.structs.replace(seat, name=name))]
    elif knows_other_side(table, user, seat):
        raise Refused(409, "other-side-seen")
    elif seat.invitation is not None and code is not None:
        if not secrets.compare_digest(seat.invitation.encode(), code.encode()):
            raise Refused(403, "wrong-invitation")
    elif not seat.is_open:
        if seat.invitation is not None:
            raise Refused(409, "invitation-needed", number=number)
        raise Refused(409, "seat-taken", number=number)
    if is_out_of_time(table, number):
        raise Refused(409, "out-of-time", headers={"retry-after": "2"})
    events: list[Event] = []
    if moves and table.status == "lobby":
        events += [
            ev.SeatChanged(n, Seat(table.seats[n].countries, is_open=True))
            for n in table.seats_of(user)
            if n != number
        ]
    events.append(ev.SeatChanged(number, Seat(seat.countries, holder=user, name=name)))
    if table.has_begun and must_agree(table, user) and user not in table.lobby.agreed:
        if not agrees:
            raise Refused(409, "agreement-needed")
        events.append(ev.ReadySaid(user, True, agrees))
    return events


def leave_seat(table: Table, user: str, number: int) -> list[Event]:
    """Get up. In a game that has begun a bot plays on until someone takes the seat."""
    seat = own_seat(table, user, number)
    bot = table.settings.stand_in if table.has_begun else None
    return [ev.SeatChanged(number, Seat(seat.countries, bot=bot, is_open=True))]


def hand_over(table: Table, user: str, number: int, to: str, bot: str) -> list[Event]:
    """Let a bot play the own seat, or invite someone else to it; the cards stay in sight until
    the other has come."""
    seat = own_seat(table, user, number)
    if to == "bot":
        changed = msgspec.structs.replace(seat, bot=level(bot), is_away=False)
    else:
        changed = msgspec.structs.replace(seat, invitation=new_id())
    return [ev.SeatChanged(number, changed)]
