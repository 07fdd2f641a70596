"""Planning the turn at hand: every line of own choices to the end of the turn, judged there.

The other countries are assumed to act by habit. A plan is made for one deal of the hidden cards.
"""

from typing import Final

from quartermaster.bots.mind.habits import Habits
from quartermaster.bots.mind.judge import Judge
from quartermaster.rules.actions import DISCARD, PASS, card_of, verb_of
from quartermaster.rules.engine import apply
from quartermaster.rules.names import AXIS, DECK, HAND, team_of
from quartermaster.rules.state import State
from quartermaster.rules.victory import LAST_ROUND

_FROM_HAND: Final = ("setup", "discard-step", "discard")


def is_about_hand(s: State) -> bool:
    """Whether the decision is only about which cards in hand to keep."""
    f = s.stack[-1]
    return f.card < 0 and s.rules.programs[f.program].ops[f.pc].kind in _FROM_HAND


class Planner:
    """Values the options of a decision for the country that decides."""

    def __init__(self, judge: Judge, habits: Habits, lines: int, width: int = 99) -> None:
        self.judge = judge
        self.habits = habits
        self.lines = lines  # to look at, about so many for a decision
        self.width = width  # options that are looked at, when playing on

    def values(self, s: State) -> list[float]:
        """Of each option the final lead to expect for the deciding country's team."""
        f = s.stack[-1]
        op = s.rules.programs[f.program].ops[f.pc]
        me = op.decider(s, f)
        if is_about_hand(s):
            return self._from_hand(s, me, op.kind == "discard-step")
        share = self.lines // len(s.options)
        values: list[float] = []
        for code in s.options:
            after = s.copy()
            apply(after, code)
            values.append(self._best(after, me, s.country, s.round, share))
        return values

    def play_on(self, s: State, turn: int) -> None:
        """Play on, every country by its plan, until a turn counted from the game's first."""
        while s.winner < 0 and 6 * s.round + s.country < turn:
            options = s.options
            if len(options) > self.width and not is_about_hand(s):
                s.options = likeliest(options, self.habits.shares(s), self.width)
            values = self.values(s)
            best = 0
            for i in range(len(values)):
                if values[i] > values[best]:
                    best = i
            apply(s, s.options[best])

    def _from_hand(self, s: State, me: int, is_drawn: bool) -> list[float]:
        """Which cards of a hand can be spared, and whether a new one is worth it."""
        judge = self.judge
        time = judge.time(s)
        gain = 0.0
        if is_drawn:
            deck = s.zones[DECK + me]
            if deck:
                for card in deck:
                    gain += self._held(me, card, time)
                gain /= len(deck)
                gain -= self._spent(s, me, time)
            else:
                gain = -0.01
        values: list[float] = []
        for code in s.options:
            if verb_of(code) == DISCARD:
                values.append(gain - self._held(me, card_of(code), time))
            else:
                values.append(0.0)
        return values

    def _held(self, me: int, card: int, time: float) -> float:
        """What it is worth to hold a card."""
        worth = self.judge.held(card, time)
        return worth if team_of(me) == AXIS else -worth

    def _spent(self, s: State, me: int, time: float) -> float:
        """What it costs that a card leaves the deck."""
        cards = len(s.zones[DECK + me]) + len(s.zones[HAND + me])
        worth = self.judge.deck_card(me, cards <= LAST_ROUND - s.round, time)
        return worth if team_of(me) == AXIS else -worth

    def _best(self, s: State, me: int, turn: int, round: int, share: int) -> float:
        """The best a country can reach from here to the end of the turn."""
        while s.winner < 0 and s.country == turn and s.round == round:
            f = s.stack[-1]
            op = s.rules.programs[f.program].ops[f.pc]
            if op.kind == "discard-step":
                apply(s, PASS)
            elif op.decider(s, f) != me or share < 2:
                apply(s, self.habits.best(s))
            elif op.kind == "discard":
                values = self._from_hand(s, me, False)
                best = 0
                for i in range(len(values)):
                    if values[i] > values[best]:
                        best = i
                apply(s, s.options[best])
            else:
                return self._branch(s, me, turn, round, share)
        lead = self.judge.lead(s)
        return lead if team_of(me) == AXIS else -lead

    def _branch(self, s: State, me: int, turn: int, round: int, share: int) -> float:
        options = s.options
        if len(options) > share:  # the likeliest alone
            options = likeliest(options, self.habits.shares(s), share)
        most = -1e9
        part = share // len(options)
        for code in options:
            after = s.copy()
            apply(after, code)
            value = self._best(after, me, turn, round, part)
            if value > most:
                most = value
        return most


def likeliest(options: list[int], shares: list[float], n: int) -> list[int]:
    """The n options with the largest shares."""
    picked: list[int] = []
    left = shares.copy()
    for _ in range(n):
        best = 0
        for i in range(len(left)):
            if left[i] > left[best]:
                best = i
        picked.append(options[best])
        left[best] = -1.0
    return picked
