"""Words for places and numbers: which spaces a card speaks of, and how much it counts.

In("russia", "ukraine")            these spaces
Near("moscow")                     in or adjacent to
Beside("hawaii")                   adjacent to
THERE, BESIDE_THERE, AROUND_THERE  the occasion's space, those adjacent to it, both
Pieces(ARMY, where, AXIS_COUNTRIES)  how many pieces stand there
"""

from typing import Final

from mypy_extensions import mypyc_attr

from quartermaster.rules.board import (
    ALL_SPACES_MASK,
    HOMES,
    LAND_MASK,
    SEA_MASK,
    SPACES,
    mask_of,
    spaces_in,
)
from quartermaster.rules.card import Num
from quartermaster.rules.frames import Frame
from quartermaster.rules.masks import bit_of
from quartermaster.rules.names import AIR_FORCE, ARMY, NAVY
from quartermaster.rules.state import State
from quartermaster.rules.supply import supplied_mask, within


@mypyc_attr(allow_interpreted_subclasses=True)  # card sets of one's own have words of their own
class Where:
    """A set of spaces, asked for while a card is carried out."""

    def __init__(
        self,
        mask: int = 0,
        *,
        beside_mask: int = 0,
        has_there: bool = False,
        has_beside_there: bool = False,
        is_without_there: bool = False,
    ) -> None:
        self.fixed_mask = mask
        self.beside_mask = beside_mask
        self.has_there = has_there
        self.has_beside_there = has_beside_there
        self.is_without_there = is_without_there

    def mask(self, s: State, f: Frame) -> int:
        mask = self.fixed_mask
        if self.beside_mask:
            adjacency = s.adjacency(f.country)
            for space in spaces_in(self.beside_mask):
                mask |= adjacency[space]
        occasion = f.because
        if occasion is not None and occasion.space >= 0:
            if self.has_there:
                mask |= bit_of(occasion.space)
            if self.has_beside_there:
                mask |= s.adjacency(f.country)[occasion.space]
            if self.is_without_there:
                mask &= ~bit_of(occasion.space)
        return mask


def In(*space_ids: str) -> Where:
    return Where(mask_of(*space_ids))


def Beside(*space_ids: str) -> Where:
    return Where(beside_mask=mask_of(*space_ids))


def Near(*space_ids: str) -> Where:
    return Where(mask_of(*space_ids), beside_mask=mask_of(*space_ids))


def Another(*space_ids: str) -> Where:
    """These spaces, but for the one the occasion is about."""
    return Where(mask_of(*space_ids), is_without_there=True)


ANYWHERE: Final = Where(ALL_SPACES_MASK)
AT_SEA: Final = Where(SEA_MASK)
THERE: Final = Where(has_there=True)
BESIDE_THERE: Final = Where(has_beside_there=True)
AROUND_THERE: Final = Where(has_there=True, has_beside_there=True)


def Outside(*space_ids: str) -> Where:
    return Where(ALL_SPACES_MASK & ~mask_of(*space_ids))


def Named(word: str) -> Where:
    """The spaces with a word in their name."""
    return In(*(space_id for space_id, name in SPACES if word in name))


class Within(Where):
    """At most so many steps from a country's home space."""

    def __init__(self, steps: int, home_of: int) -> None:
        super().__init__()
        self.steps = steps
        self.home_of = home_of

    def mask(self, s: State, f: Frame) -> int:
        return within(s, f.country, HOMES[self.home_of], self.steps)


class FrontAtStart(Where):
    """Spaces that held, when this turn began, an army of a country adjacent to an own army."""

    def __init__(self, whose: int) -> None:
        super().__init__()
        self.whose = whose

    def mask(self, s: State, f: Frame) -> int:
        mask = 0
        shut = s.rules.board.shut
        for space in spaces_in(s.at_start[self.whose] & LAND_MASK):
            if shut[space] & s.at_start[f.country] & LAND_MASK:
                mask |= bit_of(space)
        return mask


# Whose pieces, as a mask of countries; OWN stands for the card's country.
OWN: Final = 0
AXIS_COUNTRIES: Final = 0b010101
ALLIED_COUNTRIES: Final = 0b101010
EVERYBODY: Final = 0b111111


def only(*countries: int) -> int:
    mask = 0
    for country in countries:
        mask |= 1 << country
    return mask


class Fixed(Num):
    def __init__(self, n: int) -> None:
        self.n = n

    def value(self, s: State, f: Frame) -> int:
        return self.n


ANY_PIECE: Final = -1  # armies and navies


def terrain_of(piece: int) -> int:
    """The spaces in which a piece of a kind can stand."""
    return LAND_MASK if piece == ARMY else SEA_MASK if piece == NAVY else ALL_SPACES_MASK


class Which:
    """Which pieces a card speaks of: of which kind, where, whose, and whether only those in
    supply. `whose` is a mask of countries or OWN."""

    def __init__(
        self, piece: int, where: Where = ANYWHERE, whose: int = OWN, is_supplied: bool = False
    ) -> None:
        self.piece = piece
        self.terrain_mask = terrain_of(piece)
        self.where = where
        self.whose = whose
        self.is_supplied = is_supplied

    def spaces(self, s: State, f: Frame) -> int:
        """The spaces in which they can stand."""
        return self.where.mask(s, f) & self.terrain_mask

    def countries(self, owner: int) -> int:
        """Whose they can be, as a mask, for the country whose card it is."""
        return bit_of(owner) if self.whose == OWN else self.whose

    def pieces_of(self, s: State, country: int) -> int:
        """The pieces of a country, anywhere, that are of the kind."""
        if self.piece == AIR_FORCE:
            return s.air[country]
        return supplied_mask(s, country) if self.is_supplied else s.pieces[country]


class Pieces(Num):
    """How many pieces of a kind stand somewhere. `whose` is a mask of countries or OWN."""

    def __init__(
        self, piece: int, where: Where = ANYWHERE, whose: int = OWN, is_supplied: bool = False
    ) -> None:
        self.which = Which(piece, where, whose, is_supplied)

    def value(self, s: State, f: Frame) -> int:
        which = self.which
        spaces = which.spaces(s, f)
        countries = which.countries(f.country)
        count = 0
        for country in range(6):
            if countries >> country & 1:
                count += (which.pieces_of(s, country) & spaces).bit_count()
        return count


class Spaces(Num):
    """In how many spaces stands a piece of any of the countries."""

    def __init__(self, where: Where, whose: int) -> None:
        self.where = where
        self.whose = whose

    def value(self, s: State, f: Frame) -> int:
        held = 0
        for country in range(6):
            if self.whose >> country & 1:
                held |= s.pieces[country]
        return (held & self.where.mask(s, f)).bit_count()


class Per(Num):
    """So many for each, at the most `most` in all."""

    def __init__(self, num: Num, each: int = 1, most: int = 99) -> None:
        self.num = num
        self.each = each
        self.most = most

    def value(self, s: State, f: Frame) -> int:
        return min(self.num.value(s, f) * self.each, self.most)


class If(Num):
    """One number while something is there, else another."""

    def __init__(self, condition: Num, then: int = 1, otherwise: int = 0) -> None:
        self.condition = condition
        self.then = then
        self.otherwise = otherwise

    def value(self, s: State, f: Frame) -> int:
        return self.then if self.condition.value(s, f) else self.otherwise


class Sum(Num):
    def __init__(self, first: Num, second: Num) -> None:
        self.first = first
        self.second = second

    def value(self, s: State, f: Frame) -> int:
        return self.first.value(s, f) + self.second.value(s, f)


class Product(Num):
    def __init__(self, first: Num, second: Num) -> None:
        self.first = first
        self.second = second

    def value(self, s: State, f: Frame) -> int:
        return self.first.value(s, f) * self.second.value(s, f)
