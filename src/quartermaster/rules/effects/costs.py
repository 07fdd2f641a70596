"""What using a card costs, each paid before its effect (rules 5)."""

from typing import Final

from quartermaster.rules.actions import DISCARD, LAY, card_of
from quartermaster.rules.card import Op
from quartermaster.rules.flow import discard_from_hand, discard_off_deck, distinct, of_types
from quartermaster.rules.frames import Frame
from quartermaster.rules.names import DECK, HAND, STATUS, TABLE, types
from quartermaster.rules.state import State

_STATUSES: Final = types(STATUS)


class DeckCost(Op):
    """Discard so many off the own deck."""

    def __init__(self, n: int) -> None:
        self.n = n

    def run(self, s: State, f: Frame) -> bool:
        f.next()
        discard_off_deck(s, f.country, self.n)
        return False

    def discards_from(self, s: State, f: Frame) -> tuple[int, ...]:
        if s.rules.is_hand_behind_deck and len(s.zones[DECK + f.country]) < self.n:
            return (DECK, HAND)
        return (DECK,)


class HandCost(Op):
    """Discard so many cards from hand. A strict cost has no fallbacks."""

    def __init__(self, n: int, is_strict: bool = False) -> None:
        self.n = n
        self.is_strict = is_strict

    def run(self, s: State, f: Frame) -> bool:
        f.next()
        discard_from_hand(s, f.country, self.n)
        return False

    def can_do(self, s: State, f: Frame) -> bool:
        return not self.is_strict or len(s.zones[HAND + f.country]) >= self.n

    def discards_from(self, s: State, f: Frame) -> tuple[int, ...]:
        return (HAND, DECK) if len(s.zones[HAND + f.country]) < self.n else (HAND,)


class TypeCost(Op):
    """Discard a card of a type from hand; the others see its type alone."""

    kind = "discard"

    def __init__(self, type: int) -> None:
        self.type = type

    def run(self, s: State, f: Frame) -> bool:
        s.options = of_types(s, s.zones[HAND + f.country], types(self.type), DISCARD)
        return True

    def choose(self, s: State, f: Frame, code: int) -> None:
        f.next()
        card = card_of(code)
        s.discard_from_hand(f.country, card)
        s.note("show-type", f.country, n=self.type)

    def is_asked(self, s: State, f: Frame) -> bool:
        return True

    def can_do(self, s: State, f: Frame) -> bool:
        for card in s.zones[HAND + f.country]:
            if s.rules.types[card] == self.type and card != f.card:
                return True
        return False


class StatusCost(Op):
    """Discard an own status card on the table."""

    kind = "discard"

    def run(self, s: State, f: Frame) -> bool:
        s.options = distinct(s.zones[TABLE + f.country], DISCARD)
        return True

    def choose(self, s: State, f: Frame, code: int) -> None:
        f.next()
        s.discard_from_table(f.country, card_of(code))

    def can_do(self, s: State, f: Frame) -> bool:
        return len(s.zones[TABLE + f.country]) > 0


class ShowStatus(Op):
    """Show a status card from hand, to be put on the table unless that is negated."""

    kind = "lay"

    def run(self, s: State, f: Frame) -> bool:
        s.options = of_types(s, s.zones[HAND + f.country], _STATUSES, LAY)
        return True

    def choose(self, s: State, f: Frame, code: int) -> None:
        f.next()
        f.shown = card_of(code)
        s.note("show", f.country, f.shown)

    def is_asked(self, s: State, f: Frame) -> bool:
        return True

    def can_do(self, s: State, f: Frame) -> bool:
        return len(of_types(s, s.zones[HAND + f.country], _STATUSES, LAY)) > 0


class LayShown(Op):
    def lays_shown(self) -> bool:
        return True

    def run(self, s: State, f: Frame) -> bool:
        f.next()
        s.take_from_hand(f.country, f.shown)
        s.put_on_table(f.country, f.shown)
        s.note("play", f.country, f.shown)
        return False
