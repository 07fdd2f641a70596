"""Effects that choose pieces and spaces: build, recruit, battle, eliminate, protect.

A *part* is an effect with a choice. Parts of a played card are optional ("a country may
play a card and use less of it"); a reaction that is one part is carried out once used,
for its use was the choice.
"""

from typing import Final

from mypy_extensions import mypyc_attr

from quartermaster.rules.actions import (
    BATTLE,
    BUILD,
    ELIMINATE,
    ELIMINATE_AIR,
    NO_COUNTRY,
    PASS,
    PROTECT,
    REBUILD,
    RECRUIT,
    REMOVE,
    REMOVE_AIR,
    country_of,
    on_space,
    space_of,
    verb_of,
)
from quartermaster.rules.board import LAND_MASK, SEA_MASK, spaces_in
from quartermaster.rules.card import Num, Op
from quartermaster.rules.flow import (
    battle,
    build,
    eliminate,
    let_react,
    recruit,
    remove_air,
    remove_in_battle,
    take_off,
)
from quartermaster.rules.frames import Frame
from quartermaster.rules.masks import bit_of
from quartermaster.rules.names import (
    AIR_FORCE,
    ARMY,
    BATTLED,
    NAVY,
    other_team,
)
from quartermaster.rules.state import State
from quartermaster.rules.supply import (
    battle_mask,
    build_mask,
    piece_kind,
    recruit_instead_mask,
    supplied_mask,
)
from quartermaster.rules.where import ANYWHERE, OWN, Where, Which, terrain_of

OWNER: Final = -1  # the country whose card it is


@mypyc_attr(allow_interpreted_subclasses=True)  # card sets of one's own have words of their own
class Part(Op):
    """An effect with a choice. `options` adds to a list; `take` carries one out and says
    whether the part is done."""

    kind = "choose"

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        raise NotImplementedError

    def take(self, s: State, f: Frame, code: int) -> bool:
        raise NotImplementedError

    def run(self, s: State, f: Frame) -> bool:
        out: list[int] = []
        self.options(s, f, out)
        if not out:
            if s.rules.is_version_1 or not self.is_asked(s, f):
                f.next()
                return False
            out.append(PASS)
        else:
            # Nobody can be made to take own pieces off to carry a part out.
            verb = verb_of(out[0])
            if not s.rules.cards[f.card].is_must or verb == REMOVE or verb == REMOVE_AIR:
                out.append(PASS)
        s.options = out
        return True

    def choose(self, s: State, f: Frame, code: int) -> None:
        if code == PASS or self.take(s, f, code):
            f.next()

    def can_do(self, s: State, f: Frame) -> bool:
        out: list[int] = []
        self.options(s, f, out)
        return len(out) > 0

    def is_users(self) -> bool:
        """Whether the choice is the card's owner's, not one that a teammate *may* make."""
        return True


class PiecePart(Part):
    """A part that places pieces of `who`; that country chooses if `is_theirs`, else the
    owner of the card does."""

    def __init__(self, where: Where, who: int, is_theirs: bool) -> None:
        self.where = where
        self.who = who
        self.is_theirs = is_theirs

    def builder(self, f: Frame) -> int:
        return f.country if self.who == OWNER else self.who

    def decider(self, s: State, f: Frame) -> int:
        return self.builder(f) if self.is_theirs else f.country

    def is_users(self) -> bool:
        return not self.is_theirs

    def removals(self, s: State, f: Frame, pieces: int, out: list[int]) -> None:
        """With none in reserve the country is offered to take one off first; nobody else
        can make it do so."""
        country = self.builder(f)
        if s.rules.is_removal_free and self.decider(s, f) == country:
            for space in spaces_in(s.pieces[country] & pieces):
                out.append(on_space(REMOVE, country, space))


class Build(PiecePart):
    """Build an army or a navy (rules 4)."""

    kind = "build"

    def __init__(
        self, piece: int, where: Where = ANYWHERE, who: int = OWNER, is_theirs: bool = False
    ) -> None:
        super().__init__(where, who, is_theirs)
        self.piece = piece
        self.terrain_mask = terrain_of(piece)

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        country = self.builder(f)
        spaces = build_mask(s, country) & self.where.mask(s, f) & self.terrain_mask
        instead = 0
        if self.piece == ARMY and s.holding:
            instead = recruit_instead_mask(s, country)
        has_reserve = s.reserve(country, self.piece) > 0
        own = s.pieces[country]
        named = spaces if has_reserve else spaces & own
        while named:
            low = named & -named
            named ^= low
            out.append(on_space(BUILD, country, low.bit_length() - 1))
        if has_reserve:
            for space in spaces_in(instead):
                out.append(on_space(RECRUIT, country, space))
        elif spaces & ~own or instead:
            self.removals(s, f, self.terrain_mask, out)

    def take(self, s: State, f: Frame, code: int) -> bool:
        space = space_of(code)
        verb = verb_of(code)
        if verb == REMOVE:
            take_off(s, country_of(code), space)
            return False
        if verb == BUILD:
            build(s, country_of(code), space)
        else:
            recruit(s, country_of(code), space)
        return True


class Recruit(PiecePart):
    """Recruit: no matter the adjacency or supply."""

    kind = "recruit"

    def __init__(self, piece: int, where: Where, who: int = OWNER, is_theirs: bool = False) -> None:
        super().__init__(where, who, is_theirs)
        self.piece = piece
        self.terrain_mask = terrain_of(piece)

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        country = self.builder(f)
        enemies = s.team_mask(other_team(country))
        spaces = self.where.mask(s, f) & self.terrain_mask & ~enemies & ~s.pieces[country]
        if s.reserve(country, self.piece) > 0:
            for space in spaces_in(spaces):
                out.append(on_space(RECRUIT, country, space))
        elif spaces:
            self.removals(s, f, self.terrain_mask, out)

    def take(self, s: State, f: Frame, code: int) -> bool:
        if verb_of(code) == REMOVE:
            take_off(s, country_of(code), space_of(code))
            return False
        recruit(s, country_of(code), space_of(code))
        return True


class Battle(Part):
    """Battle a space: one enemy piece in it, or the empty space."""

    kind = "battle"

    def __init__(self, terrain: int, where: Where = ANYWHERE) -> None:
        self.terrain_mask = terrain_of(terrain)
        self.where = where

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        spaces = battle_mask(s, f.country) & self.where.mask(s, f) & self.terrain_mask
        pieces = s.pieces
        first = other_team(f.country)
        a = pieces[first]
        b = pieces[first + 2]
        c = pieces[first + 4]
        while spaces:
            low = spaces & -spaces
            spaces ^= low
            space = low.bit_length() - 1
            if (a | b | c) & low == 0:
                out.append(on_space(BATTLE, NO_COUNTRY, space))
                continue
            if a & low:
                out.append(on_space(BATTLE, first, space))
            if b & low:
                out.append(on_space(BATTLE, first + 2, space))
            if c & low:
                out.append(on_space(BATTLE, first + 4, space))

    def take(self, s: State, f: Frame, code: int) -> bool:
        whose = country_of(code)
        battle(s, f.country, space_of(code), -1 if whose == NO_COUNTRY else whose)
        return True


class BattleArmyOf(Battle):
    """Battle a space, but only an army of one country."""

    def __init__(self, whose: int, where: Where) -> None:
        super().__init__(ARMY, where)
        self.whose = whose

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        spaces = battle_mask(s, f.country) & self.where.mask(s, f) & s.pieces[self.whose]
        for space in spaces_in(spaces & LAND_MASK):
            out.append(on_space(BATTLE, self.whose, space))


_BEGUN: Final = 1  # progress of an op that has looked at the board


class BattleAllThere(Op):
    """Every enemy army in the occasion's space is removed; then each counts as battled. In the
    frame's memory: whose armies are still to be taken on, and whose battles to be told."""

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        if f.progress == 0:
            f.progress = _BEGUN
            there = 0
            for enemy in range(other_team(f.country), 6, 2):
                there |= (s.pieces[enemy] >> occasion.space & 1) << enemy
            f.memory = (there, there)
        armies, battles = f.memory
        if armies:
            low = armies & -armies
            f.memory = (armies ^ low, battles)
            remove_in_battle(s, f.country, occasion.space, low.bit_length() - 1)
        elif battles:
            low = battles & -battles
            f.memory = (0, battles ^ low)
            let_react(s, BATTLED, f.country, occasion.space, low.bit_length() - 1, f.card)
        else:
            f.next()
        return False

    def piece_lost(self, f: Frame, country: int, space: int) -> None:
        occasion = f.occasion()
        if f.progress == _BEGUN and occasion.space == space and f.memory[0] >> country & 1:
            # It left before it was taken on: neither removed by this nor battled.
            f.memory = (f.memory[0] ^ 1 << country, f.memory[1] ^ 1 << country)

    def can_do(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        first = other_team(f.country)
        for enemy in (first, first + 2, first + 4):
            if s.pieces[enemy] & ~s.protected[enemy] & bit_of(occasion.space):
                return True
        return False


class Eliminate(Part):
    """Eliminate a piece, no matter the adjacency. `whose` is a mask of countries."""

    kind = "eliminate"

    def __init__(self, piece: int, where: Where, whose: int) -> None:
        self.which = Which(piece, where, whose)

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        which = self.which
        spaces = which.spaces(s, f)
        countries = which.countries(f.country)
        verb = ELIMINATE_AIR if which.piece == AIR_FORCE else ELIMINATE
        for country in range(6):
            if countries >> country & 1:
                for space in spaces_in(which.pieces_of(s, country) & spaces):
                    out.append(on_space(verb, country, space))

    def take(self, s: State, f: Frame, code: int) -> bool:
        if verb_of(code) == ELIMINATE_AIR:
            remove_air(s, country_of(code), space_of(code))
        else:
            eliminate(s, f.country, space_of(code), country_of(code))
        return True


class EliminateThat(Op):
    """Eliminate the piece the occasion is about."""

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        f.next()
        if self.can_do(s, f):
            eliminate(s, f.country, occasion.space, occasion.whose)
        return False

    def can_do(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        return s.pieces[occasion.whose] >> occasion.space & 1 == 1


class ProtectThat(Op):
    """The piece about to be removed is not removed: this turn, or only this time."""

    def __init__(self, is_for_turn: bool = True) -> None:
        self.is_for_turn = is_for_turn

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        f.next()
        s.stack[occasion.depth].is_saved = True
        if self.is_for_turn:
            s.set_protected(occasion.whose, s.protected[occasion.whose] | bit_of(occasion.space))
        return False


class Protect(Part):
    """Choose a piece that is not removed this turn. `whose` is a mask of countries or OWN."""

    kind = "protect"

    def __init__(
        self,
        piece: int,
        where: Where = ANYWHERE,
        whose: int = OWN,
        is_supplied: bool = False,
        beside_own_army: bool = False,
    ) -> None:
        self.which = Which(piece, where, whose, is_supplied)
        self.beside_own_army = beside_own_army

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        which = self.which
        spaces = which.spaces(s, f)
        if self.beside_own_army:
            beside = 0
            shut = s.rules.board.shut
            for space in spaces_in(supplied_mask(s, f.country) & LAND_MASK):
                beside |= shut[space]
            spaces &= beside
        countries = which.countries(f.country)
        for country in range(6):
            if countries >> country & 1:
                pieces = which.pieces_of(s, country) & ~s.protected[country]
                for space in spaces_in(pieces & spaces):
                    out.append(on_space(PROTECT, country, space))

    def take(self, s: State, f: Frame, code: int) -> bool:
        country = country_of(code)
        space = space_of(code)
        s.set_protected(country, s.protected[country] | bit_of(space))
        s.note("protect", f.country, space=space, whose=country)
        return True


class Sustain(Op):
    """The own pieces somewhere are in supply for the rest of this turn."""

    def __init__(self, where: Where, needs: Num | None = None) -> None:
        self.where = where
        self.needs = needs

    def run(self, s: State, f: Frame) -> bool:
        f.next()
        if self.can_do(s, f):
            s.sustain(f.country, self.where.mask(s, f))
        return False

    def can_do(self, s: State, f: Frame) -> bool:
        needs = self.needs
        return needs is None or needs.value(s, f) > 0


class Rebuild(Part):
    """The owner takes its pieces up one after the other, each that was on the board when the card
    was played at most once, and builds the one in hand anew before it takes up the next."""

    kind = "rebuild"

    def __init__(self, has_navies: bool, is_lifted: bool) -> None:
        self.has_navies = has_navies
        self.is_lifted = is_lifted  # taken off by its owner, not eliminated
        self.army = Build(ARMY)
        self.navy = Build(NAVY)

    # In the frame's memory: pieces not yet lifted; 1 + the space of the one being rebuilt, or 0;
    # whether it has left the board.

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        kinds = LAND_MASK | SEA_MASK if self.has_navies else LAND_MASK
        own = s.pieces[f.country] & kinds
        lifted = 0
        if f.progress == _BEGUN:
            own &= f.memory[0]
            lifted = f.memory[1]
        if lifted:
            self._builder(lifted).options(s, f, out)
        else:
            for space in spaces_in(own):
                out.append(on_space(REBUILD, f.country, space))

    def piece_lost(self, f: Frame, country: int, space: int) -> None:
        if country == f.country and f.progress == _BEGUN:
            left, lifted, is_off = f.memory
            f.memory = (left & ~bit_of(space), lifted, 1 if lifted == 1 + space else is_off)

    def _builder(self, lifted: int) -> Build:
        return self.army if piece_kind(lifted - 1) == ARMY else self.navy

    def run(self, s: State, f: Frame) -> bool:
        if f.progress == 0:
            f.memory = (s.pieces[f.country], 0, 0)
            f.progress = _BEGUN
        left, lifted, is_off = f.memory
        if lifted and not is_off:
            lifted = 0  # it was protected: nothing to build
            f.memory = (left, 0, 0)
        out: list[int] = []
        self.options(s, f, out)
        if not out and lifted:  # it cannot be built: it stays off
            f.memory = (left, 0, 0)
            self.options(s, f, out)
        if not out:
            f.next()
            return False
        out.append(PASS)
        s.options = out
        return True

    def choose(self, s: State, f: Frame, code: int) -> None:
        remaining, lifted, _ = f.memory
        if code == PASS:
            if lifted == 0:
                f.next()
            else:
                f.memory = (remaining, 0, 0)
        elif verb_of(code) == REBUILD:
            f.memory = (remaining & ~bit_of(space_of(code)), 1 + space_of(code), 0)
            if self.is_lifted:
                take_off(s, f.country, space_of(code))
            else:
                eliminate(s, f.country, space_of(code), f.country)
        elif self._builder(lifted).take(s, f, code):
            f.memory = (f.memory[0], 0, 0)


class UpTo(Part):
    """A part that may be done several times, up to a number."""

    def __init__(self, times: int, part: Part) -> None:
        self.times = times
        self.part = part
        self.kind = part.kind

    def decider(self, s: State, f: Frame) -> int:
        return self.part.decider(s, f)

    def is_asked(self, s: State, f: Frame) -> bool:
        return self.part.is_asked(s, f)

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        self.part.options(s, f, out)

    def run(self, s: State, f: Frame) -> bool:
        is_waiting = super().run(s, f)
        if is_waiting and f.progress > 0 and s.options[-1] != PASS:
            s.options.append(PASS)
        return is_waiting

    def take(self, s: State, f: Frame, code: int) -> bool:
        if self.part.take(s, f, code):
            f.progress += 1
        return f.progress == self.times


class OneOf(Part):
    """One of several parts, whichever the choice belongs to. `progress` is a mask of those done."""

    def __init__(self, parts: list[Part]) -> None:
        self.parts = parts

    def decider(self, s: State, f: Frame) -> int:
        return self.parts[0].decider(s, f)

    def is_asked(self, s: State, f: Frame) -> bool:
        for i, part in enumerate(self.parts):
            if f.progress >> i & 1 == 0 and part.is_asked(s, f):
                return True
        return False

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        for i, part in enumerate(self.parts):
            if f.progress >> i & 1 == 0:
                own: list[int] = []
                part.options(s, f, own)
                for code in own:
                    if code not in out:  # two parts may offer to take the same piece off
                        out.append(code)

    def take(self, s: State, f: Frame, code: int) -> bool:
        for i, part in enumerate(self.parts):
            if f.progress >> i & 1 == 0:
                own: list[int] = []
                part.options(s, f, own)
                if code in own:
                    if part.take(s, f, code):
                        f.progress |= 1 << i
                    break
        return self.is_done(f)

    def is_done(self, f: Frame) -> bool:
        return f.progress != 0


class AnyOrder(OneOf):
    """Several parts, each once, in the order the chooser likes."""

    def is_done(self, f: Frame) -> bool:
        return f.progress == (1 << len(self.parts)) - 1
