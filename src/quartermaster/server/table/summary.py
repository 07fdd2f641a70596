"""A table as it stands in lists."""

import msgspec

from quartermaster.server.table.events import GameSettings, Seat
from quartermaster.server.table.seating import Seating
from quartermaster.server.table.table import Table


class SeatItem(msgspec.Struct, frozen=True):
    countries: tuple[str, ...]
    who: str
    name: str


class Summary(msgspec.Struct, frozen=True):
    """What anybody may know of a table, and no turn of the game changes."""

    host: str
    settings: GameSettings
    seats: tuple[SeatItem, ...]


def summary_of(table: Table) -> Summary:
    parts = table.host, table.settings, table.seating
    return table.keep("summary", parts, lambda: summarize(*parts))


def summarize(host: str, settings: GameSettings, seating: Seating) -> Summary:
    seats = tuple(
        SeatItem(seat.countries, who_sits(seat), seat.name or seat.bot or "")
        for seat in seating.seats
    )
    return Summary(seating.names.get(host, ""), settings, seats)


def who_sits(seat: Seat) -> str:
    """The kind of who sits there: a bot, a person, or nobody yet."""
    if seat.bot is not None:
        return "bot"
    if seat.holder is not None:
        return "person"
    return "open" if seat.is_open else "invited"
