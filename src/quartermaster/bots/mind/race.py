"""The race: how the general finds the best of its options, by what its country knows.

Every deal is tried with every option still in the race: played on for some turns, each
country by its plan, and judged there. Options are thus compared on the same cards, which
tells them apart in few deals. What is surely worse drops out at once, and of the rest the
worse half whenever a share of the budget is spent.
"""

from math import sqrt
from time import perf_counter
from typing import Final

from quartermaster.bots.mind.planner import Planner
from quartermaster.rules.conceal import Dealer
from quartermaster.rules.engine import apply
from quartermaster.rules.names import AXIS, team_of
from quartermaster.rules.state import State

_GLANCES: Final = 4  # deals in which the options are looked at first
_STRIDE: Final = 1000003  # between the seeds of deals
_FIRST_CHECK: Final = 16  # deals before an option may drop out
_SURE: Final = 3.5  # standard errors that are beyond doubt
_SAME: Final = 0.0008  # chances that differ by less are the same


class Runner:
    """An option, and what came of it in one deal after the other."""

    def __init__(self, code: int) -> None:
        self.code = code
        self.promise = 0.0  # at first sight
        self.values: list[float] = []  # chances of who decides
        self.total = 0.0

    def add(self, value: float) -> None:
        self.values.append(value)
        self.total += value

    def mean(self) -> float:
        return self.total / len(self.values) if self.values else 0.0


class Race:
    """Finds the best action of one country by a race of its options."""

    def __init__(self, planner: Planner, turns: int) -> None:
        self.planner = planner
        self.judge = planner.judge
        self.turns = turns  # to look ahead
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
    ) -> list[Runner]:
        """Race until so many simulations are done, or so much time (0: no matter how
        long); the runners in the order of the options. Unless it shall be thorough, the race
        is over when one runner is left."""
        start = perf_counter()
        seen = dealer.seen
        horizon = 6 * seen.round + seen.country + self.turns
        runners: list[Runner] = []
        for code in seen.options:
            runners.append(Runner(code))
        racing = self._at_first_sight(dealer, seed, runners)
        phases = (len(racing) - 1).bit_length()
        phase = 1
        check = _FIRST_CHECK
        deals = 0
        done = 0
        while True:
            left = simulations - done
            spent = done / simulations
            if seconds > 0.0 and done > 0:
                time = perf_counter() - start
                left = min(left, int((seconds - time) / time * done))
                spent = time / seconds
            if left <= 0:
                break
            if deals >= check:
                check += check // 2
                racing = without_worse(racing, 2 if is_thorough else 1)
                if len(racing) == 1:
                    break
            if spent * phases >= phase:
                phase += 1
                if len(racing) > 2:
                    racing = best(racing, (len(racing) + 1) // 2)
            if left < len(racing):  # the last deal is for the best
                racing = best(racing, left)
            for runner in racing:
                s = dealer.deal(seed + deals * _STRIDE)
                runner.add(self._try(s, runner.code, me, horizon))
            deals += 1
            done += len(racing)
        self.simulations = done
        self.seconds = perf_counter() - start
        return runners

    def _at_first_sight(self, dealer: Dealer, seed: int, runners: list[Runner]) -> list[Runner]:
        """The options, those with the best plans first."""
        for i in range(_GLANCES):
            values = self.planner.values(dealer.deal(seed + i * _STRIDE))
            for j in range(len(values)):
                runners[j].promise += values[j]
        return sorted(runners, key=lambda runner: -runner.promise)

    def _try(self, s: State, code: int, me: int, horizon: int) -> float:
        apply(s, code)
        self.planner.play_on(s, horizon)
        worth = self.judge.worth(s)
        return worth if team_of(me) == AXIS else 1.0 - worth


def best(racing: list[Runner], n: int) -> list[Runner]:
    """The n runners with the best means, the best first."""
    return sorted(racing, key=lambda runner: -runner.mean())[:n]


def without_worse(racing: list[Runner], least: int) -> list[Runner]:
    """Those that may still be the best, and one of those that are the same; at least so many.
    All have been tried in the same deals."""
    if len(racing) <= least:
        return racing
    first = best(racing, 1)[0]
    n = len(first.values)
    kept = [first]
    for runner in racing:
        if runner is not first:
            mean = (first.total - runner.total) / n
            square = 0.0
            for k in range(n):
                off = first.values[k] - runner.values[k] - mean
                square += off * off
            doubt = _SURE * sqrt(square) / n
            if mean <= doubt and mean + doubt > _SAME:
                kept.append(runner)
    return kept if len(kept) >= least else best(racing, least)
