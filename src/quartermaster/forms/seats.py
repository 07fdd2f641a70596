"""The seats of a game: which countries each player has."""

from collections.abc import Sequence

from quartermaster.cards.rule_sets import RULE_SETS
from quartermaster.errors import QuartermasterError, show
from quartermaster.forms.notation import country_index
from quartermaster.rules.names import COUNTRIES, team_of

Seats = tuple[tuple[str, ...], ...]


def make_seats(rules: str, seats: int | Sequence[Sequence[str]]) -> Seats:
    """The countries of each player, checked: every country once, nobody on both teams."""
    rule_set = RULE_SETS[rules]
    if type(seats) is int:
        if seats not in rule_set.seats:
            raise QuartermasterError(f"seats: expected 2 to 6 players, got {show(seats)}")
        return tuple(
            tuple(COUNTRIES[country] for country in seat) for seat in rule_set.seats[seats]
        )
    if not isinstance(seats, list | tuple) or not all(isinstance(s, list | tuple) for s in seats):
        raise QuartermasterError(
            f"seats: expected 2 to 6, or a list of countries for each player, got {show(seats)}"
        )
    taken: list[int] = []
    for seat in seats:
        countries = [country_index(name) for name in seat]
        if not countries:
            raise QuartermasterError("seats: a seat without a country")
        if len({team_of(country) for country in countries}) > 1:
            raise QuartermasterError(f"seats: {', '.join(seat)} are on both teams")
        taken += countries
    if sorted(taken) != list(range(6)):
        raise QuartermasterError("seats: every country must be in exactly one seat")
    return tuple(tuple(seat) for seat in seats)
