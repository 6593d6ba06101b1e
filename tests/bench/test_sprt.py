"""The sequential test, against numbers of fishtest's `LLRcalc.LLR_logistic`."""

from math import log
from random import Random

import pytest
from bench.match.sprt import Sprt, Verdict, likelihood_ratio, most_likely
from bench.match.tally import Pairs, distribution, expected, moments

# The first two are the samples with which fishtest tests itself.
FISHTEST = (
    ((10789, 19328, 33806, 19402, 10543), -3.0, 1.0, 2.1310678118),
    ((39, 2226, 31451, 2412, 40), 0.2, 0.9, 2.1625425800),
    ((0, 10, 20, 50, 20), 0.0, 5.0, 1.4286861065),
)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "ratio"), FISHTEST)
def test_ratio_is_that_of_fishtest(
    counts: tuple[int, int, int, int, int], elo0: float, elo1: float, ratio: float
) -> None:
    # With an empty class fishtest adds its prior to the number of pairs, too: 1e-5 of it.
    assert Sprt(elo0, elo1).ratio(Pairs(counts)) == pytest.approx(ratio, rel=2e-5)


@pytest.mark.parametrize(("numbers", "wrong"), [
    ((5.0, 5.0), "elo0 must be less than elo1"),
    ((0.0, -5.0), "elo0 must be less than elo1"),
    ((0.0, 5.0, 5.0), "alpha must be between"),
    ((0.0, 5.0, 0.05, 0.0), "beta must be between"),
])  # fmt: skip
def test_hypotheses_that_are_none_are_refused(numbers: tuple[float, ...], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        Sprt(*numbers)


def test_ratio_is_near_the_normal_approximation() -> None:
    """Of Van den Bergh's paper: N (s1 - s0) (2 s - s0 - s1) / (2 variance)."""
    counts = (50, 400, 1000, 450, 60)
    mean, variance = moments(distribution(counts))
    low, high = expected(0), expected(5)
    normal = sum(counts) * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert likelihood_ratio(counts, low, high) == pytest.approx(normal, rel=0.02)


def test_most_likely_distribution_has_the_mean_that_is_asked_for() -> None:
    chances = distribution((3, 20, 45, 25, 7))
    probabilities = most_likely(chances, 0.45)
    assert sum(probabilities) == pytest.approx(1)
    values = [value for value, _ in chances]
    assert moments(list(zip(values, probabilities, strict=True)))[0] == pytest.approx(0.45)


def test_bounds_follow_from_the_chances_of_error() -> None:
    assert Sprt().upper == pytest.approx(log(19))
    assert Sprt().lower == pytest.approx(-log(19))


def test_a_clear_case_is_decided() -> None:
    assert Sprt(0, 5).verdict(Pairs((50, 400, 1000, 900, 200))) is Verdict.PASSED
    assert Sprt(0, 5).verdict(Pairs((200, 900, 1000, 400, 50))) is Verdict.FAILED
    assert Sprt(0, 5).verdict(Pairs((1, 4, 10, 4, 1))) is Verdict.GOES_ON
    assert Sprt(0, 5).verdict(Pairs()) is Verdict.GOES_ON


def test_an_engine_that_is_no_better_passes_seldom() -> None:
    """Alpha is 0.05, so of 60 tests more than 8 would pass less than once in 100 runs."""
    chance = Random(2)
    test = Sprt(0, 30)
    passed = 0
    for _ in range(60):
        pairs = Pairs()
        while test.verdict(pairs) is Verdict.GOES_ON:
            for points in chance.choices((0.0, 0.5, 1.0, 1.5, 2.0), (5, 20, 50, 20, 5), k=10):
                pairs = pairs.add(points)
        passed += test.verdict(pairs) is Verdict.PASSED
    assert passed <= 8
