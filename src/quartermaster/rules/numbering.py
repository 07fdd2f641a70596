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
    ON_SPACE,
    VERBS,
    on_space,
)
from quartermaster.rules.board import N_SPACES

_COUNTRIES: Final = 6
_COUNTRY_BITS: Final = 6  # of a code
_REST_BITS: Final = 9  # a card or a space
_REST_MASK: Final = 511


class Numbering:
    """From codes to numbers and back."""

    def __init__(self, n_cards: int, has_air_forces: bool) -> None:
        self.codes: list[int] = []  # by number
        # The number of the first code that begins with a verb and a country; what follows is added.
        self._first: list[int] = [0] * (len(VERBS) << _COUNTRY_BITS)
        for row in VERBS:
            if row.is_air and not has_air_forces:
                continue
            if row.on == ON_SPACE:
                countries, room = list(range(_COUNTRIES)), N_SPACES
                if row.number == BATTLE:  # an empty space, after the countries' pieces
                    countries.append(NO_COUNTRY)
            elif row.on == ON_COUNTRY:
                countries, room = list(range(_COUNTRIES)), 1
            else:
                countries, room = [0], n_cards if row.on == ON_CARD else 1
            for country in countries:
                first = on_space(row.number, country, 0)
                self._first[first >> _REST_BITS] = len(self.codes)
                for rest in range(room):
                    self.codes.append(first | rest)
        self.size: int = len(self.codes)

    def number(self, code: i64) -> i64:
        """The number of a code, which must be the code of an action."""
        return self._first[code >> _REST_BITS] + (code & _REST_MASK)

    def code(self, number: i64) -> int:
        """The code of a number, 0 to `size` - 1."""
        return self.codes[number]
