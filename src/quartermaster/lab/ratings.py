"""What some games tell of two players' strength, and how surely: rates, intervals, ratings.

All intervals hold the true value in 95 of 100 cases.
"""

import math
import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

Z = 1.959964  # how many standard deviations either side hold 95 of 100
FEW_GROUPS = 10  # with fewer seeds than this their spread tells too little


class Interval(NamedTuple):
    """A value with its interval. Ends may be infinite; the value is `nan` if nothing is known."""

    value: float
    low: float
    high: float


def wilson(wins: float, games: int) -> Interval:
    """A rate of wins with Wilson's interval, which is sound for few games and for rates near
    0 and 1.

    >>> print("{:.3f} [{:.3f}, {:.3f}]".format(*wilson(8, 10)))
    0.800 [0.490, 0.943]
    >>> print("{:.3f} [{:.3f}, {:.3f}]".format(*wilson(20, 20)))
    1.000 [0.839, 1.000]
    """
    if games == 0:
        return Interval(math.nan, 0.0, 1.0)
    rate = wins / games
    spread = Z * Z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * math.sqrt(rate * (1 - rate) / games + spread / (4 * games))
    # At 0 and 1 an end is the rate itself, but for rounding.
    return Interval(rate, max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half)))


def mean(groups: Sequence[Sequence[float]]) -> Interval:
    """The mean of all values, with a normal interval that takes each group as one observation.

    Games with the same seed share their cards, so they are one group. Where all groups are
    of one size, this is the plain interval of their means.

    >>> print("{:.2f} [{:.2f}, {:.2f}]".format(*mean([[1, 0], [1, 1], [0, 0], [1, 0]])))
    0.50 [0.10, 0.90]
    >>> mean([[3.0]])
    Interval(value=3.0, low=-inf, high=inf)
    """
    count = sum(map(len, groups))
    if count == 0:
        return Interval(math.nan, -math.inf, math.inf)
    value = math.fsum(x for group in groups for x in group) / count
    n = len(groups)
    if n < 2:
        return Interval(value, -math.inf, math.inf)
    squares = math.fsum((math.fsum(group) - value * len(group)) ** 2 for group in groups)
    half = Z * math.sqrt(squares * n / (n - 1)) / count
    return Interval(value, value - half, value + half)


def mean_of_sums(count: int, total: float, squares: float) -> Interval:
    """The mean of independent values of which only the number, the sum and the sum of squares
    are known.

    >>> mean_of_sums(4, 6, 10) == mean([[1], [2], [1], [2]])
    True
    """
    if count < 2:
        return mean([[total]] * count)
    value = total / count
    spread = max(0.0, squares - count * value**2) / (count - 1)
    half = Z * math.sqrt(spread / count)
    return Interval(value, value - half, value + half)


def rate(groups: Sequence[Sequence[float]]) -> Interval:
    """A rate of wins (1) among games (1 or 0), grouped by seed.

    The interval is the normal one over seeds; with fewer than 10 seeds, or when all seeds
    went alike, it is Wilson's over games.

    >>> print("{:.3f} [{:.3f}, {:.3f}]".format(*rate([[1, 0]] * 15 + [[1, 1]] * 5)))
    0.625 [0.528, 0.722]
    >>> rate([[1, 1]] * 5) == wilson(10, 10)
    True
    """
    by_seed = mean(groups)
    if len(groups) < FEW_GROUPS or by_seed.high - by_seed.low < 1e-9:
        return wilson(sum(map(sum, groups)), sum(map(len, groups)))
    return Interval(by_seed.value, max(0.0, by_seed.low), min(1.0, by_seed.high))


def rating_difference(win_rate: float) -> float:
    """The difference in rating points (Elo) at which one wins at this rate.

    >>> round(rating_difference(0.75), 1)
    190.8
    >>> rating_difference(1)
    inf
    """
    if win_rate <= 0:
        return -math.inf
    if win_rate >= 1:
        return math.inf
    return -400 * math.log10(1 / win_rate - 1)


def as_rating(win_rate: Interval) -> Interval:
    """A win rate and its interval in rating points."""
    if math.isnan(win_rate.value):
        return Interval(math.nan, -math.inf, math.inf)
    return Interval(*map(rating_difference, win_rate))


Wins = Mapping[tuple[str, str], float]  # how often the first beat the second


def bradley_terry(bots: Sequence[str], wins: Wins, anchor: str) -> dict[str, float]:
    """The ratings that explain all results best; the anchor's is 0.

    `wins` holds a little of both results for every pair, or the ratings may not be finite.

    >>> wins = {("a", "b"): 3, ("b", "a"): 1, ("b", "c"): 3, ("c", "b"): 1}
    >>> {bot: round(x, 1) for bot, x in bradley_terry("abc", wins, "c").items()}
    {'a': 381.7, 'b': 190.8, 'c': 0.0}
    """
    met = {
        a: [(b, n) for b in bots if b != a and (n := wins.get((a, b), 0) + wins.get((b, a), 0))]
        for a in bots
    }
    won = {a: sum(wins.get((a, b), 0) for b in bots if b != a) for a in bots}
    strength = dict.fromkeys(bots, 1.0)
    for _ in range(10_000):
        change = 0.0
        for a in bots:
            # The step that can only make the results likelier (minorise and maximise).
            new = won[a] / sum(n / (strength[a] + strength[b]) for b, n in met[a])
            change = max(change, abs(new / strength[a] - 1))
            strength[a] = new
        if change < 1e-7:
            break
    return {bot: 400 * math.log10(strength[bot] / strength[anchor]) for bot in bots}


def ratings(
    bots: Sequence[str], wins_by_seed: Sequence[Wins], anchor: str, resamples: int = 200
) -> dict[str, Interval]:
    """Ratings of several bots over all their games; the anchor's is 0.

    Each pair gets half a win both ways beforehand, so that who never lost has a finite rating.
    The intervals are of a bootstrap over seeds: each seed, and each half win, is given a random
    weight. (To draw whole seeds would give who never lost an interval of no width.)

    >>> seeds = [{("a", "b"): 2.0}] * 10
    >>> value, low, high = ratings("ab", seeds, "b")["a"]
    >>> round(value), 300 < low < 400, high > 1000
    (645, True, True)
    """
    pairs = [(a, b) for a in bots for b in bots if a != b]
    generator = random.Random(0)

    def fit(weights: Sequence[float], halves: Sequence[float]) -> dict[str, float]:
        wins = dict(zip(pairs, halves, strict=True))
        for weight, seed in zip(weights, wins_by_seed, strict=True):
            for pair, won in seed.items():
                wins[pair] += weight * won
        return bradley_terry(bots, wins, anchor)

    values = fit([1.0] * len(wins_by_seed), [0.5] * len(pairs))
    drawn = [
        fit(
            [generator.expovariate(1) for _ in wins_by_seed],
            [generator.gammavariate(0.5, 1) for _ in pairs],
        )
        for _ in range(resamples)
    ]
    estimates = {}
    for bot in bots:
        spread = sorted(sample[bot] for sample in drawn)
        low, high = (spread[round(part * (resamples - 1))] for part in (0.025, 0.975))
        estimates[bot] = Interval(values[bot], low, high)
    return estimates
