"""Intervals and ratings against known values."""

import math
import random

import pytest

from quartermaster.lab.ratings import as_rating, mean, rate, rating_difference, ratings, wilson


def test_wilson_against_known_values() -> None:
    assert wilson(8, 10)[1:] == pytest.approx((0.490, 0.943), abs=5e-4)
    assert wilson(0, 10)[1:] == pytest.approx((0.0, 0.2775), abs=5e-4)
    assert wilson(50, 100)[1:] == pytest.approx((0.4038, 0.5962), abs=5e-4)
    assert math.isnan(wilson(0, 0).value)


def test_rating_points_against_known_values() -> None:
    assert rating_difference(0.75) == pytest.approx(190.85, abs=0.01)
    assert rating_difference(0.5) == 0
    assert rating_difference(0.25) == pytest.approx(-rating_difference(0.75))
    assert as_rating(wilson(20, 20))[::2] == (math.inf, math.inf)


def test_pairs_that_cancel_make_surer_and_pairs_that_agree_less_sure() -> None:
    """40 games, 21 won: what one knows of the rate depends on how pairs went."""
    alone = wilson(21, 40)
    cancel = rate([[1, 0]] * 19 + [[1, 1]])
    agree = rate([[1, 1]] * 10 + [[0, 0]] * 9 + [[1, 0]])
    assert cancel.value == agree.value == alone.value
    assert cancel.high - cancel.low < 0.5 * (alone.high - alone.low)
    assert agree.high - agree.low > 1.3 * (alone.high - alone.low)


def test_the_interval_over_pairs_is_the_plain_one_of_their_means() -> None:
    pairs = [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]
    means = [sum(pair) / 2 for pair in pairs]
    middle = sum(means) / 4
    deviation = math.sqrt(sum((m - middle) ** 2 for m in means) / 3)
    half = 1.959964 * deviation / 2
    assert mean(pairs) == pytest.approx((middle, middle - half, middle + half))
    # Too few seeds for their spread, or none: Wilson's over games.
    assert rate(pairs) == wilson(5, 8)
    assert rate([[1, 0]] * 50) == wilson(50, 100)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Seeds favour a side, as cards do; the truth must be inside about 95 of 100 times."""
    generator = random.Random(1)
    held = 0
    for _ in range(400):
        seeds = []
        for _ in range(50):
            favour = generator.choice((-0.3, 0.3))
            seeds.append([float(generator.random() < 0.6 + sign * favour) for sign in (1, -1)])
        estimate = rate(seeds)
        held += estimate.low <= 0.6 <= estimate.high
    assert 0.92 <= held / 400 <= 0.98


def test_bradley_terry_recovers_a_known_order() -> None:
    true = {"random": 0, "rookie": 200, "veteran": 350, "general": 600}
    generator = random.Random(3)
    seeds = []
    for _ in range(150):
        wins: dict[tuple[str, str], float] = {}
        for a in true:
            for b in true:
                if a != b:
                    chance = 1 / (1 + 10 ** ((true[b] - true[a]) / 400))
                    pair = (a, b) if generator.random() < chance else (b, a)
                    wins[pair] = wins.get(pair, 0) + 1
        seeds.append(wins)
    found = ratings(list(true), seeds, "random")
    assert sorted(found, key=lambda bot: found[bot].value) == list(true)
    assert found["random"] == (0, 0, 0)
    for bot in list(true)[1:]:
        assert found[bot].low < true[bot] < found[bot].high
        assert found[bot].value == pytest.approx(true[bot], abs=60)
        assert 30 < found[bot].high - found[bot].low < 200
    assert ratings(list(true), seeds, "random") == found


def test_who_never_lost_has_a_finite_rating_and_a_wide_interval() -> None:
    """About what 20 wins in 20 games can tell: [+357, +1900] by Jeffreys."""
    best = ratings(["a", "b"], [{("a", "b"): 1.0}] * 20, "b", resamples=2000)["a"]
    assert best.value == pytest.approx(rating_difference(20.5 / 21))
    assert best.low == pytest.approx(357, abs=25)
    assert best.high > 1200
