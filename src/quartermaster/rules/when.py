"""When a card may be used: the same nouns for reacting to a thing as for doing it."""

from typing import Final

from quartermaster.rules.board import SEA_MASK
from quartermaster.rules.card import Trigger
from quartermaster.rules.effects.warfare import drained_mask
from quartermaster.rules.frames import Frame, Occasion
from quartermaster.rules.masks import bit_of
from quartermaster.rules.names import (
    ABOUT_TO_BE_REMOVED,
    AIR_DEFENDED,
    BATTLED,
    BUILT,
    BY_BATTLE,
    DEPLOYED,
    ECONOMIC_WARFARE,
    NAVY,
    PLAYED,
    RECRUITED,
    REMOVED,
    START_AIR,
    START_DISCARD,
    START_DRAW,
    START_PLAY,
    START_SUPPLY,
    START_TURN,
    START_VICTORY,
    USED,
    USED_DONE,
    VICTORY,
    are_enemies,
)
from quartermaster.rules.state import State
from quartermaster.rules.supply import supplied_mask
from quartermaster.rules.where import ANYWHERE, OWN, Where, Which, terrain_of


def _is_at(s: State, country: int, occasion: Occasion, where: Where) -> bool:
    if where is ANYWHERE:
        return True
    return where.mask(s, Frame(-1, 0, country, -1, occasion)) >> occasion.space & 1 == 1


def _is_kind(piece: int, space: int) -> bool:
    """Whether a piece of a kind (or of any, below 0) stands in such a space."""
    if piece < 0:
        return True
    return terrain_of(piece) >> space & 1 == 1


def _has_country(whose: int, country: int, owner: int) -> bool:
    """Whether a country is among those a card means; OWN means the card's own."""
    return country == owner if whose == OWN else whose >> country & 1 == 1


def _is_saved(s: State, occasion: Occasion) -> bool:
    """Whether the piece about to be removed needs no more saving: it is safe, or gone."""
    bit = bit_of(occasion.space)
    return (
        s.stack[occasion.depth].is_saved
        or s.protected[occasion.whose] & bit != 0
        or s.pieces[occasion.whose] & bit == 0
    )


def _is_about(s: State, country: int, occasion: Occasion, which: Which) -> bool:
    """Whether the piece that an occasion is about is one of those a card means."""
    return (
        _has_country(which.whose, occasion.whose, country)
        and _is_kind(which.piece, occasion.space)
        and (not which.is_supplied or occasion.is_supplied == 1)
        and _is_at(s, country, occasion, which.where)
    )


class StartOf(Trigger):
    """The beginning of a step, in the own turn or in anyone's."""

    def __init__(self, kind: int, in_any_turn: bool = False) -> None:
        self.kind = kind
        self.in_any_turn = in_any_turn

    def listens_to(self) -> list[int]:
        return [self.kind]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        return self.in_any_turn or s.country == country

    def is_own_turn_only(self) -> bool:
        return not self.in_any_turn


class InVictoryStep(Trigger):
    """The own victory step, while points are collected."""

    def listens_to(self) -> list[int]:
        return [VICTORY]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        return s.country == country

    def is_own_turn_only(self) -> bool:
        return True


class Battles(Trigger):
    """The own country battles a space."""

    def __init__(
        self, terrain: int, where: Where = ANYWHERE, beside_own_navy: bool = False
    ) -> None:
        self.terrain = terrain
        self.where = where
        self.beside_own_navy = beside_own_navy  # the space is next to an own supplied navy

    def listens_to(self) -> list[int]:
        return [BATTLED]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        if occasion.by != country or not _is_kind(self.terrain, occasion.space):
            return False
        if self.beside_own_navy:
            beside = s.adjacency(country)[occasion.space]
            if supplied_mask(s, country) & SEA_MASK & beside == 0:
                return False
        return _is_at(s, country, occasion, self.where)


class TeamBattled(Trigger):
    """An army of the own team is battled."""

    def __init__(self, where: Where) -> None:
        self.where = where

    def listens_to(self) -> list[int]:
        return [BATTLED]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        return (
            occasion.whose >= 0
            and not are_enemies(occasion.whose, country)
            and _is_at(s, country, occasion, self.where)
        )


class Builds(Trigger):
    """The own country builds a piece."""

    def __init__(self, piece: int, where: Where = ANYWHERE) -> None:
        self.piece = piece
        self.where = where

    def listens_to(self) -> list[int]:
        return [BUILT]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        return (
            occasion.whose == country
            and _is_kind(self.piece, occasion.space)
            and _is_at(s, country, occasion, self.where)
        )


class EnemyBuilds(Trigger):
    """Right after an enemy piece is built (or recruited)."""

    def __init__(
        self,
        piece: int,
        where: Where = ANYWHERE,
        or_recruits: bool = False,
        beside_own_piece: bool = False,
    ) -> None:
        self.piece = piece
        self.where = where
        self.or_recruits = or_recruits
        self.beside_own_piece = beside_own_piece

    def listens_to(self) -> list[int]:
        return [BUILT, RECRUITED] if self.or_recruits else [BUILT]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        if not are_enemies(occasion.whose, country) or not _is_kind(self.piece, occasion.space):
            return False
        if self.beside_own_piece and (
            s.adjacency(country)[occasion.space] & s.pieces[country] == 0
        ):
            return False
        return _is_at(s, country, occasion, self.where)


class AboutToLose(Trigger):
    """A piece is about to be removed. `whose` is a mask of countries or OWN."""

    def __init__(
        self,
        piece: int,
        where: Where = ANYWHERE,
        whose: int = OWN,
        is_supplied: bool = False,
        in_battle: bool = False,
    ) -> None:
        self.which = Which(piece, where, whose, is_supplied)
        self.in_battle = in_battle

    def listens_to(self) -> list[int]:
        return [ABOUT_TO_BE_REMOVED]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        return (
            _is_about(s, country, occasion, self.which)
            and (not self.in_battle or occasion.cause == BY_BATTLE)
            and not _is_saved(s, occasion)
        )


class Loses(Trigger):
    """Right after a piece was removed."""

    def __init__(
        self, piece: int, whose: int, is_supplied: bool = False, is_last: bool = False
    ) -> None:
        self.which = Which(piece, ANYWHERE, whose, is_supplied)
        self.is_last = is_last  # no other of that country's pieces of the kind is left

    def listens_to(self) -> list[int]:
        return [REMOVED]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        if self.is_last and s.pieces[occasion.whose] & self.which.terrain_mask:
            return False
        return _is_about(s, country, occasion, self.which)


class Plays(Trigger):
    """A card of some types is played. `whose` is a mask of countries or OWN."""

    def __init__(self, types: int, whose: int = OWN, in_play_step: bool = False) -> None:
        self.types = types
        self.whose = whose
        self.in_play_step = in_play_step  # as the card of a play step

    def listens_to(self) -> list[int]:
        return [PLAYED]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        return (
            _has_country(self.whose, occasion.by, country)
            and self.types >> s.rules.types[occasion.card] & 1 == 1
            and (not self.in_play_step or occasion.cause == 1)
        )


class Drains(Trigger):
    """An economic-warfare card makes a country discard: one played by `by` with a word in
    its title, or, if `is_own`, one against the own country."""

    def __init__(self, by: int, word: str = "", is_own: bool = False) -> None:
        self.by = by
        self.word = word
        self.is_own = is_own

    def listens_to(self) -> list[int]:
        return [PLAYED]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        if s.rules.types[occasion.card] != ECONOMIC_WARFARE:
            return False
        if not _has_country(self.by, occasion.by, country):
            return False
        if self.word not in s.rules.cards[occasion.card].name:
            return False
        mask = drained_mask(s, occasion.depth)
        return mask >> country & 1 == 1 if self.is_own else mask != 0


class Uses(Trigger):
    """A country uses a card of some types; `is_done` is after its effect."""

    def __init__(self, whose: int, types: int, is_done: bool = False) -> None:
        self.whose = whose
        self.types = types
        self.is_done = is_done

    def listens_to(self) -> list[int]:
        return [USED_DONE] if self.is_done else [USED]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        return (
            _has_country(self.whose, occasion.by, country)
            and self.types >> s.rules.types[occasion.card] & 1 == 1
        )


class Deploys(Trigger):
    """The own country deploys or marshals an air force."""

    def __init__(self, at_sea: bool = False) -> None:
        self.at_sea = at_sea

    def listens_to(self) -> list[int]:
        return [DEPLOYED]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        return occasion.by == country and (not self.at_sea or _is_kind(NAVY, occasion.space))


_ANY_TIME: Final = [
    START_TURN, START_PLAY, START_AIR, START_SUPPLY, START_VICTORY, START_DISCARD, START_DRAW,
    ABOUT_TO_BE_REMOVED, REMOVED, BATTLED,
]  # fmt: skip


class AnyTime(Trigger):
    """Any time: whenever a piece is about to be removed, was removed or a battle was
    fought, and at the start of every step of the own turn (rules 6)."""

    def __init__(self, in_own_turn: bool = False) -> None:
        self.in_own_turn = in_own_turn

    def listens_to(self) -> list[int]:
        return list(_ANY_TIME)

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        return s.country == country or occasion.kind > START_DRAW

    def is_own_turn_only(self) -> bool:
        return self.in_own_turn


class MayDefend(Trigger):
    """Air defense: an own army or navy would be removed by a battle."""

    def listens_to(self) -> list[int]:
        return [ABOUT_TO_BE_REMOVED]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        return (
            occasion.whose == country
            and occasion.cause == BY_BATTLE
            and s.air[country] >> occasion.space & 1 == 1
            and not _is_saved(s, occasion)
            and not s.stack[occasion.depth].memory
        )


class MayAttack(Trigger):
    """Air attack: an enemy has used air defense next to an own air force."""

    def listens_to(self) -> list[int]:
        return [AIR_DEFENDED]

    def matches(self, s: State, country: int, occasion: Occasion) -> bool:
        # One air attack undoes the defense; the next has nothing to do.
        return (
            are_enemies(occasion.by, country)
            and s.stack[occasion.depth].is_saved
            and s.pieces[occasion.whose] >> occasion.space & 1 == 1
        )
