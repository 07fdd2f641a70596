"""Who sits where at a table: what its seats tell, worked out once for as long as they stay."""

from collections.abc import Iterable, Sequence

from quartermaster.forms.notation import country_index
from quartermaster.server.table.events import Seat


class Place:
    """All that one person holds at a table."""

    def __init__(self, seats: Sequence[Seat], numbers: Sequence[int]) -> None:
        own = [seats[n] for n in numbers]
        self.seats = tuple(numbers)
        self.countries = countries_of(own)
        # Seats for several people at one screen are of both teams, or under several names.
        self.is_shared = len({team_of(seat) for seat in own}) > 1
        self.is_shared = self.is_shared or len({seat.name for seat in own}) > 1


class Seating:
    """The seats of a table, by person and by country. It never changes: who sits down makes
    another."""

    def __init__(self, seats: tuple[Seat, ...] = ()) -> None:
        self.seats = seats
        self.seat_of = {name: n for n, seat in enumerate(seats) for name in seat.countries}
        self.people = _named(seat.person for seat in seats)  # who decide things
        self.holders = _named(seat.holder for seat in seats)  # also those for whom a bot plays
        self.names: dict[str, str] = {}  # of holders, by their first seat
        numbers: dict[str, list[int]] = {}
        for n, seat in enumerate(seats):
            if seat.holder is not None:
                self.names.setdefault(seat.holder, seat.name)
                numbers.setdefault(seat.holder, []).append(n)
        self._places = {user: Place(seats, own) for user, own in numbers.items()}
        self._nowhere = Place(seats, ())

    def with_seat(self, number: int, seat: Seat) -> "Seating":
        """The seating with another seat at a place."""
        return Seating((*self.seats[:number], seat, *self.seats[number + 1 :]))

    def place_of(self, user: str | None) -> Place:
        return self._nowhere if user is None else self._places.get(user, self._nowhere)

    def seat_for(self, country: str) -> Seat:
        """The seat that a country belongs to."""
        return self.seats[self.seat_of[country]]


def countries_of(seats: Sequence[Seat]) -> frozenset[int]:
    return frozenset(country_index(name) for seat in seats for name in seat.countries)


def team_of(seat: Seat) -> int:
    return country_index(seat.countries[0]) & 1


def _named(users: Iterable[str | None]) -> list[str]:
    return list(dict.fromkeys(user for user in users if user is not None))
