"""What a country sees when it decides: all that a bot gets of a game.

A look holds a concealed state (`rules.conceal`): hidden cards are not in it, so it can be sent
anywhere. `view` tells it in words, `deal` gives states that agree with it.
"""

from functools import cache, cached_property
from typing import Any

from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import QuartermasterError, show
from quartermaster.rules.conceal import Dealer, conceal
from quartermaster.rules.engine import empty_state
from quartermaster.rules.names import COUNTRIES
from quartermaster.rules.state import State
from quartermaster.sight.view import View, make_view


class Look:
    """What some countries know at one moment.

    >>> from quartermaster import Game
    >>> look = Game.new(seed=7).look("germany")
    >>> look.view.countries["japan"].hand is None
    True
    >>> look.deal(1).zones == look.deal(1).zones != look.deal(2).zones
    True
    """

    def __init__(self, seen: State, viewers: int) -> None:
        self.seen = seen  # what is hidden is not in it
        self.viewers = viewers  # a mask of countries

    @classmethod
    def at(cls, s: State, countries: frozenset[int]) -> "Look":
        """What some countries, given by their numbers, know of a state.

        >>> from quartermaster import Game
        >>> Look.at(Game.new(seed=7).state, frozenset({0}))
        <Look of germany: round 1>
        """
        viewers = sum(1 << country for country in countries)
        return cls(conceal(s, viewers), viewers)

    @cached_property
    def view(self) -> View:
        """What is known, in words and ids: as people see it.

        >>> from quartermaster import Game
        >>> Game.new(seed=7).look("germany").view.seat
        ('germany',)
        """
        return make_view(self.seen, self.countries)

    @property
    def countries(self) -> frozenset[int]:
        """The numbers of the countries that look.

        >>> from quartermaster import Game
        >>> sorted(Game.new(seats=2).look(0).countries)
        [0, 2, 4]
        """
        return frozenset(country for country in range(6) if self.viewers >> country & 1)

    @cached_property
    def dealer(self) -> Dealer:
        """What deals the cards that are not seen; made once for a look.

        >>> from quartermaster import Game
        >>> Game.new(seed=7).look("germany").dealer.viewers
        1
        """
        return Dealer(self.seen, self.viewers)

    def deal(self, seed: int) -> State:
        """A state that agrees with the look, the hidden cards dealt by chance.

        >>> from quartermaster import Game
        >>> Game.new(seed=7).look("germany").deal(1).winner
        -1
        """
        if type(seed) is not int:
            raise QuartermasterError(f"seed: expected a whole number, got {show(seed)}")
        return self.dealer.deal(seed)

    def __reduce__(self) -> tuple[Any, ...]:
        """Compiled classes are in it, for which Python finds no way by itself."""
        return Look, (self.seen, self.viewers)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Look):
            return NotImplemented
        return (
            self.seen.rules is other.seen.rules
            and self.viewers == other.viewers
            and self.seen.options == other.seen.options
            and self.seen.key() == other.seen.key()
        )

    def __hash__(self) -> int:
        return hash(self.seen.key())

    def __repr__(self) -> str:
        who = ", ".join(COUNTRIES[country] for country in sorted(self.countries)) or "nobody"
        return f"<Look of {who}: round {self.seen.round}>"


@cache
def empty_look() -> Look:
    """An empty board seen by nobody, for bots that do not look."""
    return Look(empty_state(load_rules("second")), 0)
