"""Tree search over what a country knows: information-set Monte Carlo.

Every simulation deals out the hidden cards anew, goes down the one tree of all deals, adds
a node, plays on by habit for some turns, and judges the position there. Choices that the
searching country would not see (another's discard, a card set face down) share one branch.
"""

from math import sqrt
from time import perf_counter
from typing import Final

from quartermaster.bots.mind.habits import Habits
from quartermaster.bots.mind.judge import Judge
from quartermaster.rules.actions import (
    DISCARD,
    LAY,
    PLAY,
    PUT,
    card_of,
    on_card,
    verb_of,
)
from quartermaster.rules.engine import apply
from quartermaster.rules.names import RESPONSE
from quartermaster.rules.sight import Dealer
from quartermaster.rules.state import State

_HIDDEN: Final = 511
_CHECK: Final = 16  # simulations between two looks at the clock


class Node:
    """What is known of a line: how often it was tried, and the Axis's chances in sum."""

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.children: dict[int, Node] = {}


class Search:
    """A search for the best action of one country."""

    def __init__(
        self,
        judge: Judge,
        habits: Habits,
        turns: int = 4,
        boldness: float = 1.0,
    ) -> None:
        self.judge = judge
        self.habits = habits
        self.turns = turns  # played on by habit before judging
        self.boldness = boldness  # how much what was tried little is tried
        self.root = Node()
        self.simulations = 0
        self.seconds = 0.0

    def run(
        self, dealer: Dealer, me: int, seed: int, simulations: int, seconds: float
    ) -> list[tuple[int, int, float]]:
        """Search until so many simulations are done, or so much time (0: no matter how
        long); of each option its visits and the team's mean chance to win."""
        start = perf_counter()
        self.root = Node()
        options = dealer.seen.options
        done = 0
        while done < simulations:
            self._simulate(dealer.deal(seed + done * 1000003), me, seed + done)
            done += 1
            if seconds > 0.0 and done % _CHECK == 0:
                spent = perf_counter() - start
                if spent + spent / done * _CHECK > seconds:
                    break
                if self._is_settled(int(done * (seconds / spent)) - done):
                    break
        self.simulations = done
        self.seconds = perf_counter() - start
        found: list[tuple[int, int, float]] = []
        for code in options:
            child = self.root.children.get(code)
            if child is None or child.visits == 0:
                found.append((code, 0, 0.0))
            else:
                mean = child.total / child.visits
                found.append((code, child.visits, mean if me & 1 == 0 else 1.0 - mean))
        return found

    def _is_settled(self, left: int) -> bool:
        """Whether no other option can be visited more than the first in what is left."""
        first = 0
        second = 0
        for child in self.root.children.values():
            if child.visits > first:
                second = first
                first = child.visits
            elif child.visits > second:
                second = child.visits
        return first - second > left

    def _simulate(self, s: State, me: int, seed: int) -> None:
        node = self.root
        path = [node]
        rules = s.rules
        while s.winner < 0:
            f = s.stack[-1]
            op = rules.programs[f.program].ops[f.pc]
            country = op.decider(s, f)
            shares = self.habits.shares(s)
            options = s.options
            is_axis = country & 1 == 0
            fallback = 0.5
            if node.visits > 0:
                fallback = node.total / node.visits
                if not is_axis:
                    fallback = 1.0 - fallback
            fallback -= 0.05
            explore = self.boldness * sqrt(node.visits + 1.0)
            best = -1e9
            picked = 0
            for i in range(len(options)):
                child = node.children.get(options[i] if country == me else edge(s, options[i]))
                if child is None or child.visits == 0:
                    score = fallback + explore * shares[i]
                else:
                    mean = child.total / child.visits
                    if not is_axis:
                        mean = 1.0 - mean
                    score = mean + explore * shares[i] / (1.0 + child.visits)
                if score > best:
                    best = score
                    picked = i
            code = options[picked]
            key = code if country == me else edge(s, code)
            apply(s, code)
            if key in node.children:
                node = node.children[key]
                path.append(node)
            else:
                node.children[key] = Node()
                node = node.children[key]
                path.append(node)
                break
        if s.winner < 0:
            self.habits.play_on(s, self.turns, seed)
        value = self.judge.worth(s)
        for node in path:
            node.visits += 1
            node.total += value


def edge(s: State, code: int) -> int:
    """A choice of another country as the searching country sees it."""
    verb = verb_of(code)
    if verb == DISCARD or verb == PUT or verb == LAY:
        return on_card(verb, _HIDDEN)
    if verb == PLAY and s.rules.types[card_of(code)] == RESPONSE:
        return on_card(PLAY, _HIDDEN)
    return code
