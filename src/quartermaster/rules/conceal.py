"""What a country may know of a state, and states that agree with what it knows.

`conceal` leaves of a state what some countries may know (rules 8), a `Dealer` deals out anew
what is hidden. A player who was awake has seen every card that was played, so the cards
face up in the discard piles are known; the order in which decks lie is not.
"""

from typing import Final

from quartermaster.rules.engine import advance
from quartermaster.rules.flow import WINDOW
from quartermaster.rules.frames import Frame
from quartermaster.rules.names import (
    BOLSTER,
    DECK,
    FACE_DOWN,
    FACE_UP,
    HAND,
    NOBODY,
    RESPONSE,
    SET,
    TABLE,
    other_team,
    team_of,
)
from quartermaster.rules.state import State, seeded
from quartermaster.rules.window import after_reaction

UNKNOWN: Final = -1  # stands for a card that is not known
_TRIES: Final = 1000  # to deal a hand that can pay for a card; what pays may be gone from the board


def conceal(s: State, viewers: int) -> State:
    """A copy that holds only what the countries of a mask may know: unknown cards where
    theirs are not, no order of decks, no seed, no generator."""
    seen = s.copy()
    seen.rng = 0
    seen.seed = b""
    held = shown_cards(s)
    for country in range(6):
        deck = s.zones[DECK + country]
        if viewers >> country & 1:
            top = looked_at(s, country)
            cut = len(deck) - top
            seen.zones[DECK + country] = tuple(sorted(deck[:cut])) + tuple(sorted(deck[cut:]))
            continue
        for zone in (HAND, DECK, FACE_DOWN, SET):
            cards = s.zones[zone + country]
            if cards:
                hidden = [UNKNOWN] * len(cards)
                if zone == HAND:
                    for card in held:
                        if s.rules.cards[card].country == country:
                            hidden[-1] = card
                seen.zones[zone + country] = tuple(hidden)
                for card in cards:
                    if zone == SET or (zone == HAND and s.rules.types[card] == BOLSTER):
                        seen.disarm(card)
        _cover_pile(seen, country)
    if s.winner < 0:
        f = seen.stack[-1]
        op = s.rules.programs[f.program].ops[f.pc]
        is_asked = viewers >> op.decider(s, f) & 1 == 1
        if not is_asked:
            seen.options = []
        for f in seen.stack:
            if f.program == WINDOW and not (is_asked and f is seen.stack[-1]):
                _forget_who(seen, f)
    for f in seen.stack:
        if _looks_at(seen, f) and viewers >> f.country & 1 == 0:
            f.memory = ()
    return seen


def face_up_as_known(s: State, country: int) -> tuple[int, ...]:
    """The cards of another's discard pile that are known to lie there. Once a card has let a
    country lay a response of its pile face down, nobody else knows which of its responses are
    still in the pile, but for the top card."""
    pile = s.zones[FACE_UP + country]
    left = s.rules.diggers[country]
    while left:
        low = left & -left
        left ^= low
        card = low.bit_length() - 1
        if card in s.zones[FACE_UP + s.rules.cards[card].country]:
            known: list[int] = []
            for card in pile[:-1]:
                if s.rules.types[card] != RESPONSE:
                    known.append(card)
            return tuple(known) + pile[-1:]
    return pile


def _cover_pile(seen: State, country: int) -> None:
    """Put what is not known of another's discard pile among the cards face down."""
    known = face_up_as_known(seen, country)
    hidden = len(seen.zones[FACE_UP + country]) - len(known)
    if hidden:
        seen.zones[FACE_UP + country] = known
        seen.zones[FACE_DOWN + country] += (UNKNOWN,) * hidden


def _forget_who(seen: State, f: Frame) -> None:
    """Whose reaction is awaited is for nobody else to know, nor whose was when another window
    opened: each is as it was at its beginning, or after the last reaction in it."""
    occasion = f.occasion()
    causing = occasion.by if occasion.by >= 0 else seen.country
    f.country = NOBODY
    f.word = other_team(causing)
    for card in f.memory:
        f.word = after_reaction(f.word, team_of(seen.rules.cards[card].country))


def looked_at(s: State, country: int) -> int:
    """How many cards on top of its deck a country is looking at."""
    for f in s.stack:
        if f.country == country:
            n = _looks_at(s, f)
            if n > 0:
                return n
    return 0


def _looks_at(s: State, f: Frame) -> int:
    """How many cards on top of its deck the country of a frame is looking at: now, or once
    the reactions to a piece that someone took off meanwhile are over."""
    ops = s.rules.programs[f.program].ops
    if f.pc >= len(ops) or (not f.memory and f is not s.stack[-1]):
        return 0
    return ops[f.pc].looks_at(s, f)


def shown_cards(s: State) -> list[int]:
    """Cards shown from a hand and not yet laid down."""
    cards = []
    for f in s.stack:
        if f.card >= 0 and f.shown >= 0:
            for op in s.rules.programs[f.program].ops[f.pc :]:
                if op.lays_shown():
                    cards.append(f.shown)
    return cards


class Dealer:
    """Deals out anew what a concealed state does not tell. Made once for a decision, asked
    once for every simulation."""

    def __init__(self, seen: State, viewers: int) -> None:
        self.seen = seen
        self.viewers = viewers
        self.pools: list[list[int]] = []
        for country in range(6):
            pool: list[int] = []
            if viewers >> country & 1 == 0:
                pool = unseen_cards(seen, country)
            self.pools.append(pool)
        # Where cards are used whose cost is yet to be paid: places in the stack.
        self.unpaid: list[int] = []
        for depth in range(len(seen.stack)):
            f = seen.stack[depth]
            if seen.winner < 0 and f.card >= 0 and viewers >> f.country & 1 == 0:
                if f.pc < len(seen.rules.cards[f.card].cost):
                    self.unpaid.append(depth)

    def deal(self, seed: int) -> State:
        """A state that agrees with what is known; its chance is the seed's."""
        s = self._deal(seeded(seed))
        if self.unpaid:
            for _ in range(_TRIES):
                if self._can_pay(s):
                    break
                s = self._deal(s.rng)
        if not s.options:  # another's decision: its choices are those of the cards dealt
            advance(s)
        return s

    def _can_pay(self, s: State) -> bool:
        """Whether those who use a card have been dealt what it costs."""
        for depth in self.unpaid:
            f = s.stack[depth]
            for op in s.rules.cards[f.card].cost[f.pc :]:
                if not op.can_do(s, f):
                    return False
        return True

    def deal_by_seed(self, seed: bytes, is_traced: bool = False) -> State:
        """A state that agrees with what is known, for a game to go on with: its chance cannot
        be foreseen. It is still to be advanced."""
        trace: list[tuple[str, int, tuple[int, ...], tuple[int, ...]]] | None = None
        if is_traced:
            trace = []
        s = self._deal(0, seed, trace)
        if self.unpaid:
            for _ in range(_TRIES):
                if self._can_pay(s):
                    break
                s = self._deal(s.rng, seed, trace)
        return s

    def _deal(
        self,
        rng: int,
        seed: bytes = b"",
        trace: list[tuple[str, int, tuple[int, ...], tuple[int, ...]]] | None = None,
    ) -> State:
        s = self.seen.copy()
        s.rng = rng
        s.seed = seed
        s.trace = trace
        for country in range(6):
            if self.viewers >> country & 1:
                deck = s.zones[DECK + country]
                cut = len(deck) - looked_at(s, country)
                s.zones[DECK + country] = s.shuffle(deck[:cut]) + deck[cut:]
            else:
                self._deal_country(s, country)
        return s

    def _deal_country(self, s: State, country: int) -> None:
        rules = s.rules
        pool = self.pools[country].copy()
        s.mix(pool)
        if s.trace is not None and pool:
            s.trace.append(("deal", country, tuple(pool), tuple(pool)))
        n = len(s.zones[SET + country])
        if n > 0:  # what lies there face down: responses, or bolsters if those are too few
            laid: list[int] = []
            for type in (RESPONSE, BOLSTER):
                for card in pool:
                    if len(laid) < n and rules.types[card] == type:
                        laid.append(card)
            for card in laid:
                pool.remove(card)
                s.arm(card)
            laid.sort()
            s.zones[SET + country] = tuple(laid)
        start = 0
        for zone in (HAND, FACE_DOWN, DECK):
            before = s.zones[zone + country]
            dealt: list[int] = []
            for card in before:
                if card == UNKNOWN:
                    dealt.append(pool[start])
                    start += 1
                else:
                    dealt.append(card)
            if zone != DECK:
                dealt.sort()
            s.zones[zone + country] = tuple(dealt)
            if zone == HAND and rules.has_bolsters:
                for card in dealt:
                    if rules.types[card] == BOLSTER:
                        s.arm(card)


def unseen_cards(seen: State, country: int) -> list[int]:
    """The cards of a country that are not known to lie anywhere, responses too."""
    pool = seen.rules.decks[country].copy()
    for zone in (TABLE, FACE_UP, HAND):
        for index in seen.zones[zone + country]:
            if index != UNKNOWN:
                pool.remove(index)
    return pool
