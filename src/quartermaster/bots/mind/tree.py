"""Tree search over what a country knows: information-set Monte Carlo.

Every simulation deals out the hidden cards anew, goes down the one tree of all deals, adds
a node, plays on by habit for some turns, and judges the position there. Choices that the
searching country would not see (another's discard, a card set face down) share one branch.
"""

from math import exp, sqrt
from time import perf_counter
from typing import Final

from quartermaster.bots.mind.planner import Planner
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
_GLANCES: Final = 4  # deals in which the options of the decision are looked at first
_STRIDE: Final = 1000003  # between the seeds of deals


class Node:
    """What is known of a line: how often it was tried, the Axis's chances in sum, and how
    promising its continuations looked at first sight."""

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.children: dict[int, Node] = {}
        self.promise: dict[int, float] = {}


class Search:
    """A search for the best action of one country."""

    def __init__(
        self,
        planner: Planner,
        turns: int = 6,
        boldness: float = 0.5,
        heat: float = 0.065,
    ) -> None:
        self.planner = planner
        self.judge = planner.judge
        self.turns = turns  # to look ahead
        self.boldness = boldness  # how much what was tried little is tried
        # Points of lead that count as a small difference at first sight; fewer where a point
        # weighs more.
        self.heat = heat / planner.judge.slope
        self.root = Node()
        self.horizon = 0
        self.simulations = 0
        self.seconds = 0.0

    def run(
        self,
        dealer: Dealer,
        me: int,
        seed: int,
        simulations: int,
        seconds: float,
        is_thorough: bool = False,
    ) -> list[tuple[int, int, float]]:
        """Search until so many simulations are done, or so much time (0: no matter how
        long); of each option its visits and the team's mean chance to win."""
        start = perf_counter()
        seen = dealer.seen
        self.root = Node()
        self.horizon = 6 * seen.round + seen.country + self.turns
        done = 0
        while done < simulations:
            self._simulate(dealer, me, seed)
            done += 1
            if seconds > 0.0 and done % _CHECK == 0:
                spent = perf_counter() - start
                if spent + spent / done * _CHECK > seconds:
                    break
                if not is_thorough and self._is_settled(int(done * (seconds / spent)) - done):
                    break
        self.simulations = done
        self.seconds = perf_counter() - start
        found: list[tuple[int, int, float]] = []
        for code in seen.options:
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

    def _simulate(self, dealer: Dealer, me: int, seed: int) -> None:
        node = self.root
        path = [node]
        options = dealer.seen.options
        if not node.promise:
            for i in range(_GLANCES):
                self._first_sight(dealer.deal(seed + i * _STRIDE), node, options, 1.0 / _GLANCES)
        picked = self._pick(node, options, me & 1 == 0)
        # The first try of every option gets the first deal, the second the second, and so on:
        # they are compared on the same cards.
        child = node.children.get(options[picked])
        s = dealer.deal(seed + (0 if child is None else child.visits) * _STRIDE)
        apply(s, options[picked])
        is_new = child is None
        if child is None:
            child = Node()
            node.children[options[picked]] = child
        node = child
        path.append(node)
        while not is_new and s.winner < 0 and 6 * s.round + s.country < self.horizon:
            f = s.stack[-1]
            country = s.rules.programs[f.program].ops[f.pc].decider(s, f)
            options = s.options
            keys: list[int] = options
            if country != me:
                keys = []
                for code in options:
                    keys.append(edge(s, code))
            if not node.promise:
                self._first_sight(s, node, keys, 1.0)
            picked = self._pick(node, keys, country & 1 == 0)
            key = keys[picked]
            apply(s, options[picked])
            child = node.children.get(key)
            if child is None:
                is_new = True
                child = Node()
                node.children[key] = child
            node = child
            path.append(node)
        self.planner.play_on(s, self.horizon)
        value = self.judge.worth(s)
        for node in path:
            node.visits += 1
            node.total += value

    def _first_sight(self, s: State, node: Node, keys: list[int], weight: float) -> None:
        """The better an option's plan, the more it promises."""
        values = self.planner.values(s)
        most = max(values)
        total = 0.0
        shares: list[float] = []
        for value in values:
            share = exp((value - most) / self.heat)
            shares.append(share)
            total += share
        for i in range(len(keys)):
            node.promise[keys[i]] = node.promise.get(keys[i], 0.0) + weight * shares[i] / total

    def _pick(self, node: Node, keys: list[int], is_axis: bool) -> int:
        """The option that looks best, those tried little getting their chance."""
        hope = 0.5
        if node.visits > 0:
            hope = node.total / node.visits
        if not is_axis:
            hope = 1.0 - hope
        explore = self.boldness * sqrt(node.visits + 1.0)
        best = -1e9
        picked = 0
        for i in range(len(keys)):
            promise = node.promise.get(keys[i])
            share = 0.02 if promise is None else promise
            child = node.children.get(keys[i])
            if child is None or child.visits == 0:
                score = hope - 0.02 + explore * share
            else:
                mean = child.total / child.visits
                if not is_axis:
                    mean = 1.0 - mean
                score = mean + explore * share / (1.0 + child.visits)
            if score > best:
                best = score
                picked = i
        return picked


def edge(s: State, code: int) -> int:
    """A choice of another country as the searching country sees it."""
    verb = verb_of(code)
    if verb == DISCARD or verb == PUT or verb == LAY:
        return on_card(verb, _HIDDEN)
    if verb == PLAY and s.rules.types[card_of(code)] == RESPONSE:
        return on_card(PLAY, _HIDDEN)
    return code
