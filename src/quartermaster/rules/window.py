"""The reaction window: who may react to an occasion, in which order, and when it is over (rules 6).

Where a window stands is one number, the `word` of its frame, so that a state stays plain data:

    bit 0       the team whose chance it is
    bits 1, 2   the Axis, the Allies are out: passed before they used any reaction
    bits 3, 4   the Axis, the Allies have used a reaction
    bits 5, 6   how many teams have passed in a row
    from bit 7  the place of the country asked in its team's order

The cards used on this occasion are the frame's `memory`.
"""

from typing import Final

from mypy_extensions import i64

from quartermaster.rules.actions import CODES_ON_CARDS, PASS, USE, card_of
from quartermaster.rules.card import Card, Op
from quartermaster.rules.flow import can_use, use
from quartermaster.rules.frames import Frame, Occasion
from quartermaster.rules.names import team_of
from quartermaster.rules.state import State

_TEAMS: Final = (0b010101, 0b101010)  # their countries
_LASTING: Final = 0b11110  # who is out, and who has reacted; the rest is of one chance
_OUT: Final = 0b10  # of the Axis; that of the Allies is the next bit
_REACTED: Final = 0b1000  # likewise


def side_of(word: i64) -> i64:
    """The team whose chance it is."""
    return word & 1


def is_out(word: i64, side: i64) -> bool:
    return word >> side & _OUT != 0


def has_reacted(word: i64, side: i64) -> bool:
    return word >> side & _REACTED != 0


def passes_of(word: i64) -> i64:
    return word >> 5 & 3


def place_of(word: i64) -> i64:
    return word >> 7


def at_place(word: i64, place: i64) -> i64:
    return word & 127 | place << 7


def after_pass(word: i64) -> i64:
    """The team has passed: the other's chance. Who has not used any reaction yet is out."""
    side = side_of(word)
    out = 0 if has_reacted(word, side) else _OUT << side
    return word & _LASTING | out | passes_of(word) + 1 << 5 | (1 - side)


def after_reaction(word: i64, side: i64) -> i64:
    """A team has reacted: the other's chance, and nobody has passed since. If the other was at
    its chance, it has passed."""
    if side_of(word) != side:
        word = after_pass(word)
    return word & _LASTING | _REACTED << side | (1 - side)


class Window(Op):
    """Reactions to one occasion."""

    kind = "react"

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        listening = s.listening_countries(occasion.kind)
        while True:
            side = side_of(f.word)
            team = listening & _TEAMS[side]
            if team and not is_out(f.word, side) and self._ask(s, f, occasion, side, team):
                return s.stack[-1] is f  # not so if an automatic card is being used
            f.word = after_pass(f.word)
            if passes_of(f.word) >= 2:
                f.next()
                return False

    def _ask(self, s: State, f: Frame, occasion: Occasion, side: i64, listening: i64) -> bool:
        """Find a country of the team that can react, of those with cards that listen, and ask
        it, or use its automatic card; false if there is none."""
        rules = s.rules
        place = place_of(f.word)
        while place < 3:
            country = _country_in_order(s.country, side, place)
            if listening >> country & 1:
                left = s.listening_cards(occasion.kind, country)
                options = [PASS]
                while left:
                    low = left & -left
                    left ^= low
                    index = rules.placed[country][low.bit_length() - 1]
                    card = rules.cards[index]
                    # Once per trigger, and never to what the card does itself.
                    if (
                        index not in f.memory
                        and index != occasion.card
                        and can_use(s, card, occasion)
                    ):
                        if card.is_auto:
                            self._react(s, f, side, card)
                            return True
                        options.append(CODES_ON_CARDS[USE][index])
                if len(options) > 1:
                    f.word = at_place(f.word, place)
                    f.country = country
                    s.options = options
                    return True
            place += 1
        return False

    def _react(self, s: State, f: Frame, side: i64, card: Card) -> None:
        f.memory += (card.index,)
        f.word = after_reaction(f.word, side)
        use(s, card, f.because)

    def choose(self, s: State, f: Frame, code: int) -> None:
        if code == PASS:
            f.word = at_place(f.word, place_of(f.word) + 1)
        else:
            self._react(s, f, side_of(f.word), s.rules.cards[card_of(code)])


def _country_in_order(on_turn: i64, side: i64, place: i64) -> i64:
    """The countries of a team in turn order, the country on turn before its teammates."""
    if team_of(on_turn) != side:
        return side + 2 * place
    if place == 0:
        return on_turn
    country = side + 2 * (place - 1)
    return country if country < on_turn else country + 2
