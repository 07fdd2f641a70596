"""Economic warfare: naming a country, making it discard, and what changes the number."""

from typing import Final

from quartermaster.rules.actions import (
    CHOOSE,
    DISCARD_DECK,
    ELIMINATE,
    country_of,
    on_country,
    on_space,
    space_of,
    verb_of,
)
from quartermaster.rules.board import HOMES, SEA_MASK, spaces_in
from quartermaster.rules.card import Num, Op
from quartermaster.rules.effects.pieces import Part
from quartermaster.rules.flow import discard_off_deck, eliminate
from quartermaster.rules.frames import Frame
from quartermaster.rules.names import ARMY
from quartermaster.rules.state import State
from quartermaster.rules.supply import within
from quartermaster.rules.where import Fixed

TARGET: Final = -2  # the country named as the target
ATTACKER: Final = -3  # the country that caused the occasion


class NameTarget(Op):
    """Name an enemy country, of those with an own piece near enough to their home space.
    Done as the card is played."""

    kind = "target"

    def __init__(self, whose: int, piece: int = ARMY, steps: int = -1) -> None:
        self.whose = whose
        self.piece = piece  # ARMY, or ANY_PIECE for armies and navies
        self.steps = steps  # -1: no matter how far; 0: adjacent to the home space

    def targets(self, s: State, f: Frame) -> list[int]:
        own = s.pieces[f.country]
        if self.piece == ARMY:
            own &= ~SEA_MASK
        found = []
        for country in range(6):
            if self.whose >> country & 1:
                home = HOMES[country]
                if self.steps < 0:
                    found.append(country)
                elif self.steps == 0:
                    if s.adjacency(f.country)[home] & own:
                        found.append(country)
                elif within(s, f.country, home, self.steps) & own:
                    found.append(country)
        return found

    def run(self, s: State, f: Frame) -> bool:
        s.options = [on_country(CHOOSE, country) for country in self.targets(s, f)]
        if not s.options:
            f.next()
            return False
        return True

    def choose(self, s: State, f: Frame, code: int) -> None:
        f.next()
        f.target = country_of(code)
        s.note("target", f.country, f.card, whose=f.target)


class HasTarget(Num):
    """Whether a card that names a target could name one."""

    def __init__(self, name_target: NameTarget) -> None:
        self.name_target = name_target

    def value(self, s: State, f: Frame) -> int:
        return len(self.name_target.targets(s, f))


class Drain(Op):
    """A country discards so many off its deck."""

    def __init__(self, target: int, num: Num) -> None:
        self.target = target
        self.num = num

    def target_of(self, f: Frame) -> int:
        if self.target == TARGET:
            return f.target
        if self.target == ATTACKER:
            occasion = f.occasion()
            return occasion.by
        return self.target

    def base(self, s: State, f: Frame) -> int:
        """How many the card itself says."""
        return self.num.value(s, f) if self.target_of(f) >= 0 else 0

    def amount(self, s: State, f: Frame) -> int:
        """How many after all, with what other cards add and take away."""
        base = self.base(s, f)
        if base > 0 and f.memory:
            return max(0, base + f.memory[1 + self.target_of(f)])
        return base

    def run(self, s: State, f: Frame) -> bool:
        f.next()
        n = self.amount(s, f)
        if n > 0:
            discard_off_deck(s, self.target_of(f), n)
        return False

    def can_do(self, s: State, f: Frame) -> bool:
        return self.base(s, f) > 0


class DrainOrNavy(Drain):
    """The country chooses: discard off its deck, or its navy there is eliminated."""

    kind = "warfare"

    def __init__(self, target: int, n: int, sea_mask: int) -> None:
        super().__init__(target, Fixed(n))
        self.sea_mask = sea_mask

    def decider(self, s: State, f: Frame) -> int:
        return self.target

    def run(self, s: State, f: Frame) -> bool:
        options = [on_country(DISCARD_DECK, self.target)]
        for space in spaces_in(s.pieces[self.target] & self.sea_mask):
            options.append(on_space(ELIMINATE, self.target, space))
        s.options = options
        return True

    def choose(self, s: State, f: Frame, code: int) -> None:
        f.next()
        if verb_of(code) == ELIMINATE:
            eliminate(s, f.country, space_of(code), self.target)
        else:
            n = self.amount(s, f)
            if n > 0:
                discard_off_deck(s, self.target, n)


def drained_mask(s: State, depth: int) -> int:
    """The countries that the card played at a place in the stack makes discard; none if
    its text is ignored."""
    f = s.stack[depth]
    if f.pc >= s.rules.programs[f.program].tail:
        return 0
    mask = 0
    for op in s.rules.cards[f.card].effects:
        if isinstance(op, Drain) and op.base(s, f) > 0:
            mask |= 1 << op.target_of(f)
    return mask


NOTHING: Final = -99  # as a change: the country discards nothing, whatever comes after


class ChangeDrain(Op):
    """More or fewer cards for the countries a played card makes discard, or for the
    owner alone. Changes come one after the other, none going below 0."""

    def __init__(self, num: Num, is_own: bool, needs: Num | None = None) -> None:
        self.num = num
        self.is_own = is_own
        self.needs = needs

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        f.next()
        played = s.stack[occasion.depth]
        changes = list(played.memory)
        change = self.num.value(s, f)
        for op in s.rules.cards[played.card].effects:
            if isinstance(op, Drain):
                base = op.base(s, played)
                country = op.target_of(played)
                if base > 0 and (country == f.country or not self.is_own):
                    if change == NOTHING:
                        changes[1 + country] = NOTHING
                    elif changes[1 + country] != NOTHING:
                        changes[1 + country] = max(changes[1 + country] + change, -base)
        played.memory = tuple(changes)
        return False

    def can_do(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        needs = self.needs
        if self.num.value(s, f) == 0 or (needs is not None and needs.value(s, f) == 0):
            return False
        played = s.stack[occasion.depth]
        for op in s.rules.cards[played.card].effects:
            if isinstance(op, Drain) and op.base(s, played) > 0:
                country = op.target_of(played)
                if country == f.country or not self.is_own:
                    return played.memory[1 + country] != NOTHING
        return False


class NearTarget(Num):
    """Own air forces within so many spaces of the home space of the target."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def value(self, s: State, f: Frame) -> int:
        occasion = f.occasion()
        mask = drained_mask(s, occasion.depth)
        count = 0
        for country in range(6):
            if mask >> country & 1:
                near = within(s, f.country, HOMES[country], self.steps)
                count += (s.air[f.country] & near).bit_count()
        return count


class ChooseCountry(Part):
    """Choose the country the rest of the card is about."""

    kind = "target"

    def __init__(self, whose: int) -> None:
        self.whose = whose

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        for country in range(6):
            if self.whose >> country & 1:
                out.append(on_country(CHOOSE, country))

    def take(self, s: State, f: Frame, code: int) -> bool:
        f.target = country_of(code)
        s.note("target", f.country, f.card, whose=f.target)
        return True
