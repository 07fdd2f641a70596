"""The actions of a rule set as numbers without gaps, for what needs one place for each.

A code (`rules.actions`) says by its bits what it is, and most numbers are the code of nothing. A
learning program wants the actions of a rule set as 0, 1, 2 ... instead: one entry of a mask, one
output of a network. The order is that of the verbs; of one verb, by card, or by country and space.
It holds for one rule set with its options and card sets: another has other cards.
"""

from typing import Final

from mypy_extensions import i64

from quartermaster.rules.actions import (
    BATTLE,
    NO_COUNTRY,
    ON_CARD,
    ON_COUNTRY,
    ON_NOTHING,
    VERBS,
    country_of,
    on_card,
    on_country,
    on_space,
    verb_of,
)
from quartermaster.rules.board import N_SPACES

_COUNTRIES: Final = 6


class Numbering:
    """From codes to numbers and back."""

    def __init__(self, n_cards: int, has_air_forces: bool) -> None:
        self.codes: list[int] = []  # by number
        self._first: list[int] = []  # by verb: its first number ...
        self._stride: list[int] = []  # ... and how many there are for a country
        for row in VERBS:
            verb = row.number
            self._first.append(len(self.codes))
            stride = 0
            if row.on == ON_NOTHING:
                self.codes.append(on_card(verb, 0))
            elif row.on == ON_CARD:
                for card in range(n_cards):
                    self.codes.append(on_card(verb, card))
            elif row.on == ON_COUNTRY:
                stride = 1
                for country in range(_COUNTRIES):
                    self.codes.append(on_country(verb, country))
            elif has_air_forces or not row.is_air:
                stride = N_SPACES
                for country in range(_COUNTRIES):
                    for space in range(N_SPACES):
                        self.codes.append(on_space(verb, country, space))
                if verb == BATTLE:  # an empty space, after the countries' pieces
                    for space in range(N_SPACES):
                        self.codes.append(on_space(verb, NO_COUNTRY, space))
            self._stride.append(stride)
        self.size: int = len(self.codes)

    def number(self, code: i64) -> i64:
        """The number of a code, which must be the code of an action."""
        verb = verb_of(code)
        whose = country_of(code)
        if whose == NO_COUNTRY:
            whose = _COUNTRIES
        return self._first[verb] + whose * self._stride[verb] + (code & 511)

    def code(self, number: i64) -> int:
        """The code of a number, 0 to `size` - 1."""
        return self.codes[number]
