"""Questions about a table as it stands: who is asked, who has to decide, who may see or know what.

Commands ask them to check what people do, the projection to tell people what they may do, and the
hub to tell whom the table waits for.
"""

from quartermaster.rules.names import COUNTRIES
from quartermaster.server.table.events import Seat
from quartermaster.server.table.seating import team_of
from quartermaster.server.table.table import Table


def asks_of(table: Table, user: str) -> list[int]:
    """The questions of the open window that a person may answer. They are numbered anew for
    each person: the whole list would tell who else is asked."""
    if table.window is None:
        return []
    return [
        i
        for i, ask in enumerate(table.window.asks)
        if table.seating.seat_for(ask.country).person == user
    ]


def open_asks_of(table: Table, user: str) -> list[int]:
    """Those of them that nobody has answered, nor an order."""
    return [i for i in asks_of(table, user) if table.answer_to(i) is None]


def might_react_seats(table: Table, user: str) -> list[int]:
    """The seats of a person that might react in the open window."""
    if table.window is None:
        return []
    seats = {table.seat_of(country) for country in table.window.spec.countries}
    return sorted(seat for seat in seats if table.seats[seat].person == user)


def deciding(table: Table) -> frozenset[str | None]:
    """All people who have something to decide now."""
    found: frozenset[str | None] | None = table.derived.get("deciding")
    if found is None:
        found = table.derived["deciding"] = frozenset(_deciding(table))
    return found


def _deciding(table: Table) -> list[str | None]:
    if table.status != "playing" or table.is_paused:
        return []
    if table.window is not None:
        asks = enumerate(table.window.asks)
        people = ((i, table.seating.seat_for(ask.country).person) for i, ask in asks)
        return [user for i, user in people if user and table.answer_to(i) is None]
    person = table.seating.seat_for(table.decides[0]).person
    return [] if person is None else [person]


def is_to_decide(table: Table, user: str | None) -> bool:
    """Whether a person has something to decide now."""
    return user in deciding(table)


def is_setup(table: Table) -> bool:
    """Whether countries choose their first cards."""
    return table.awaited is not None and table.decides[1] == "setup"


def to_prepare(table: Table, user: str) -> list[str]:
    """The countries whose first cards a person may choose before they are asked: while another
    person does, and, at a screen that several share, while it is theirs."""
    awaited = table.awaited
    if awaited is None or not is_setup(table):
        return []
    person = table.seating.seat_for(awaited).person
    if person is None or (person == user and not table.is_shared(user)):
        return []  # bots need no time, and who is asked goes on with the next country anyway
    ahead = COUNTRIES[COUNTRIES.index(awaited) + 1 :]
    if table.is_shared(user):
        seat = _choosing_seat(table, user)
        return [] if seat is None else [c for c in ahead if c in table.seats[seat].countries]
    return [country for country in ahead if table.seating.seat_for(country).person == user]


def _choosing_seat(table: Table, user: str) -> int | None:
    """Whose first cards are chosen at a screen that several people share: theirs who decide, else
    of one after the other. Who chooses for all their countries at once lets the screen go round
    once."""
    awaited = table.awaited
    if awaited is None:
        return None
    prepared = table.orders.prepared
    if table.seating.seat_for(awaited).person == user and not prepared.get(awaited):
        return table.seat_of(awaited)
    for country in COUNTRIES:
        number = table.seat_of(country)
        seat = table.seats[number]
        if seat.person == user and any(
            not prepared.get(one)
            for one in COUNTRIES[COUNTRIES.index(awaited) :]
            if one in seat.countries
        ):
            return number
    return None


def has_to_do(table: Table, user: str) -> bool:
    """Whether a person has something to decide, now or ahead of time."""
    if is_to_decide(table, user):
        return True
    ahead = [] if table.is_paused else to_prepare(table, user)
    return any(not table.orders.prepared.get(one) for one in ahead)


def players_of(table: Table) -> dict[str, bool]:
    """Who sits at a table, and whether it is their turn."""
    found: dict[str, bool] | None = table.derived.get("players")
    if found is None:
        if is_setup(table):
            found = {user: has_to_do(table, user) for user in table.seating.holders}
        else:
            found = {user: user in deciding(table) for user in table.seating.holders}
        table.derived["players"] = found
    return found


def viewed_seats(table: Table, user: str | None, seat: int | None = None) -> list[int]:
    """The seats whose cards are shown. Of several people at one screen only the one who has
    something to decide is shown theirs, unless they say which."""
    seats = table.seats_of(user)
    if seat is not None:
        return [n for n in seats if n == seat]
    if user is None or not table.is_shared(user):
        return seats
    if table.window is not None:
        asked = [table.seat_of(table.window.asks[i].country) for i in asks_of(table, user)]
        still = {table.seat_of(table.window.asks[i].country) for i in open_asks_of(table, user)}
        if still:  # one answers all that they are asked before the next does
            return [next(n for n in asked if n in still)]
    if is_setup(table):
        choosing = _choosing_seat(table, user)
        return [] if choosing is None else [choosing]
    return [n for n in seats if table.awaited in table.seats[n].countries]


def is_onlooker(table: Table, user: str | None) -> bool:
    """Whether someone has and had no part in the table, so that they see what all such see."""
    return user is None or not (
        table.seating.place_of(user).seats
        or user == table.host
        or user in table.seen_by
        or user in table.lobby.added
        or user in table.lobby.agreed
    )


def knows_other_side(table: Table, user: str, seat: Seat) -> bool:
    """Whether a person has seen the cards of a seat's enemies, and others would mind: any
    who have ever held a seat in this game, for they may come back."""
    others = [person for person in table.seen_by if person != user]
    return bool(others) and 1 - team_of(seat) in table.seen_by.get(user, frozenset())


def is_out_of_time(table: Table, number: int) -> bool:
    """Whether a bot is about to decide for a seat whose time has run out, and others wait for it:
    who could come back to the same decision would have as much time as they like."""
    return (
        bool(table.people)
        and table.clocks.expired == table.settled
        and table.awaited is not None
        and table.seat_of(table.awaited) == number
        and table.seats[number].bot is not None
    )


def must_agree(table: Table, user: str) -> bool:
    """Whether someone may play only who has agreed to hidden cards as they were recorded."""
    return (
        table.origin.is_record
        and not table.origin.is_dealt_anew(table.settings)
        and user != table.host
    )


def needs_agreement(table: Table) -> bool:
    """Whether people other than the host, who knows the record, must agree to its cards."""
    return any(must_agree(table, person) for person in table.people)
