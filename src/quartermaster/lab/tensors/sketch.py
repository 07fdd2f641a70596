"""What countries know of states, gathered as flat lists of small numbers.

A `Sketch` takes in one state after the other; `lab.env.observation` makes arrays of what it has
gathered, for all of them at once. Only what the viewers may know is read (`rules.conceal` is the
measure, a test compares the two), and only what is there is written: a state has some hundred
things to tell, its tensor some thousand places.

A row of the tensor has these parts, in this order:

    planes   one value for each space, from a mask of spaces
    cards    how many of each card, from lists of cards
    marks    things that are so or not, from a list of those that are
    counts   small numbers, never below 0
    scores   points, which may be below 0
"""

from typing import Final

from quartermaster.rules.board import SUPPLY_MASK
from quartermaster.rules.conceal import face_up_as_known, looked_at, shown_cards
from quartermaster.rules.flow import PAYMENT
from quartermaster.rules.masks import bit_of
from quartermaster.rules.names import DECK, FACE_DOWN, FACE_UP, HAND, SET, TABLE
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State
from quartermaster.rules.supply import supplied_mask
from quartermaster.rules.turn import HAND_SIZE

# Parts of the marks, by where they begin; the kinds of decisions come last, for their number
# differs between rule sets.
_SEAT: Final = 0
_ASKED: Final = 6
_TURN: Final = 12
_STEP: Final = 18
_WINNER: Final = 25
_OCCASION: Final = 27
_BY: Final = 45
_WHOSE: Final = 51
_KIND: Final = 57

CARD_PLANES: Final = (
    "hand", "deck", "top", "discarded", "set", "face-up", "table", "resting", "fresh", "used",
    "shown", "occasion-card", "source",
)  # fmt: skip


def kinds_of(rules: Rules) -> list[str]:
    """The kinds of decisions that a rule set can ask for."""
    kinds: set[str] = set()
    for program in rules.programs:
        for op in program.ops:
            if op.kind:
                kinds.add(op.kind)
    return sorted(kinds)


class Sketch:
    """What was gathered of some states, all of one rule set."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.kinds: list[str] = kinds_of(rules)
        self.kind_index: dict[str, int] = {}
        for i in range(len(self.kinds)):
            self.kind_index[self.kinds[i]] = i
        # Statuses that make supply spaces, or end them: card, for whom, which, and whether.
        self.sources: list[tuple[int, int, int, bool]] = []
        for card in rules.cards:
            always = card.always
            if always is not None:
                if always.no_source_mask:
                    self.sources.append((card.index, always.against, always.no_source_mask, False))
                if always.source_mask:
                    self.sources.append(
                        (card.index, bit_of(card.country), always.source_mask, True)
                    )
        self.stars: list[int] = [SUPPLY_MASK] * 6
        self.masks: list[int] = []
        self.cards: list[int] = []
        self.lengths: list[int] = []  # of each part of `cards` and of the marks, row by row
        self.counts: list[int] = []
        self.scores: list[int] = []

    def clear(self) -> None:
        self.masks = []
        self.cards = []
        self.lengths = []
        self.counts = []
        self.scores = []

    def add(self, s: State, viewers: int) -> None:
        """Take in what the countries of a mask know of a state."""
        f = s.stack[-1]
        occasion = f.because
        asked = -1
        kind = ""
        if s.winner < 0:
            op = s.rules.programs[f.program].ops[f.pc]
            asked = op.decider(s, f)
            if asked >= 0 and viewers >> asked & 1:
                kind = op.kind
            else:
                asked = -1
        if asked < 0:
            occasion = None
        self._add_masks(s, -1 if occasion is None else occasion.space)
        self._add_cards(s, viewers, asked)
        marks = self.cards
        before = len(marks)
        for country in range(6):
            if viewers >> country & 1:
                marks.append(_SEAT + country)
        marks.append(_TURN + s.country)
        marks.append(_STEP + s.step)
        if s.winner >= 0:
            marks.append(_WINNER + s.winner)
        if asked >= 0:
            marks.append(_ASKED + asked)
            marks.append(_KIND + self.kind_index[kind])
        if occasion is not None:
            marks.append(_OCCASION + occasion.kind)
            if occasion.by >= 0:
                marks.append(_BY + occasion.by)
            if occasion.whose >= 0:
                marks.append(_WHOSE + occasion.whose)
        self.lengths.append(len(marks) - before)
        count = 0
        if asked >= 0:
            if kind == "setup":
                count = len(s.zones[HAND + asked]) - HAND_SIZE
            elif f.program == PAYMENT:
                count = f.owed
            else:
                count = 1
        self._add_counts(s, count)
        self.scores.append(s.axis_score)
        self.scores.append(s.allies_score)

    def _add_masks(self, s: State, occasion_space: int) -> None:
        masks = self.masks
        masks.extend(s.pieces)
        for country in range(6):
            masks.append(supplied_mask(s, country))
        stars = self.stars
        if s.holding:
            stars = stars.copy()
            for card, whom, spaces, is_made in self.sources:
                if s.is_armed(card):
                    for country in range(6):
                        if whom >> country & 1:
                            if is_made:
                                stars[country] |= spaces
                            else:
                                stars[country] &= ~spaces
        masks.extend(stars)
        masks.extend(s.protected)
        masks.append(1 << occasion_space if occasion_space >= 0 else 0)
        if s.rules.has_air_forces:
            masks.extend(s.air)

    def _add_own(self, s: State, viewers: int, zone: int) -> None:
        """The cards that the viewers have in a zone; those of others are not theirs to see."""
        size = len(self.cards)
        for country in range(6):
            if viewers >> country & 1:
                self.cards.extend(s.zones[zone + country])
        self.lengths.append(len(self.cards) - size)

    def _add_cards(self, s: State, viewers: int, asked: int) -> None:
        """The planes of `CARD_PLANES`, in their order."""
        cards = self.cards
        lengths = self.lengths
        zones = s.zones
        is_busy = len(s.stack) > 1  # with more than the turn itself: a card, a window
        self._add_own(s, viewers, HAND)
        self._add_own(s, viewers, DECK)
        size = len(cards)
        if is_busy:
            for country in range(6):
                if viewers >> country & 1:
                    n = looked_at(s, country)
                    if n > 0:
                        deck = zones[DECK + country]
                        cards.extend(deck[len(deck) - n :])
        lengths.append(len(cards) - size)
        self._add_own(s, viewers, FACE_DOWN)
        self._add_own(s, viewers, SET)
        size = len(cards)
        diggers = s.rules.diggers
        for country in range(6):
            if viewers >> country & 1 or not diggers[country]:
                cards.extend(zones[FACE_UP + country])
            else:
                cards.extend(face_up_as_known(s, country))
        lengths.append(len(cards) - size)
        size = len(cards)
        for country in range(6):
            cards.extend(zones[TABLE + country])
        last = len(cards)
        lengths.append(last - size)
        if s.stopped or s.rules.is_status_delayed:
            for i in range(size, last):
                card = cards[i]
                if not s.is_armed(card):
                    cards.append(card)
        lengths.append(len(cards) - last)
        cards.extend(s.fresh)
        lengths.append(len(s.fresh))
        cards.extend(s.used)
        lengths.append(len(s.used))
        size = len(cards)
        if is_busy:
            cards.extend(shown_cards(s))
        lengths.append(len(cards) - size)
        f = s.stack[-1]
        occasion = f.because
        size = len(cards)
        if asked >= 0 and occasion is not None and occasion.card >= 0:
            cards.append(occasion.card)
        lengths.append(len(cards) - size)
        size = len(cards)
        if asked >= 0 and f.card >= 0:
            cards.append(f.card)
        lengths.append(len(cards) - size)

    def _add_counts(self, s: State, count: int) -> None:
        counts = self.counts
        zones = s.zones
        counts.append(s.round)
        counts.append(count)
        for country in range(6):
            counts.append(len(zones[HAND + country]))
        for country in range(6):
            counts.append(len(zones[DECK + country]))
        for country in range(6):
            counts.append(len(zones[FACE_UP + country]) + len(zones[FACE_DOWN + country]))
        for country in range(6):
            counts.append(len(zones[SET + country]))

    def add_all(self, states: list[State], viewers: bytes) -> None:
        """Take in many states, each as the countries of its mask know it."""
        for i in range(len(states)):
            self.add(states[i], viewers[i])


def last_scores(states: list[State], ended: list[State | None]) -> list[int]:
    """The points of the Axis and the Allies in each game of a batch; of one that ended in the
    last step, those it ended with."""
    scores: list[int] = []
    for i in range(len(states)):
        end = ended[i]
        s = states[i] if end is None else end
        scores.append(s.axis_score)
        scores.append(s.allies_score)
    return scores
