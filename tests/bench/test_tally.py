"""Elo and its error from results, against numbers of fishtest.

The reference values are what fishtest's `stat_util.get_elo` returns for these counts
(elo, elo95, los), and for nElo the definition in `LLRcalc.LLR_normalized_alt`; other
testing frameworks check themselves against the same ones.
"""

from math import inf

import pytest
from bench.match.tally import Pairs, WinDrawLoss, elo, expected

FISHTEST = (
    ((10789, 19328, 33806, 19402, 10543), -0.7735773359, 1.2775798957, 0.1176588580, -0.9516290045),
    ((39, 2226, 31451, 2412, 40), 0.9029810488, 0.6625314860, 0.9962220973, 3.4507996069),
    ((1187, 7410, 13475, 7378, 1164), -0.4426077992, 1.7298590276, 0.3080138791, -0.7041412082),
    ((50, 400, 1000, 450, 60), 6.2048664713, 6.2358423239, 0.9744626992, 10.8256924749),
)


@pytest.mark.parametrize(("counts", "best", "interval", "los", "normalized"), FISHTEST)
def test_elo_interval_los_and_normalized_elo_are_those_of_fishtest(
    counts: tuple[int, int, int, int, int],
    best: float,
    interval: float,
    los: float,
    normalized: float,
) -> None:
    pairs = Pairs(counts)
    assert pairs.elo == pytest.approx(best, rel=1e-8)
    assert pairs.interval == pytest.approx(interval, rel=1e-8)
    assert pairs.superiority == pytest.approx(los, rel=1e-8)
    assert pairs.normalized == pytest.approx(normalized, rel=1e-8)


def test_pairs_worked_out_by_hand() -> None:
    """Scores 1/4, 1/2, 1/2, 3/4: mean 1/2, variance 1/32, error of the mean sqrt(1/128)."""
    pairs = Pairs((0, 1000, 2000, 1000, 0))
    assert pairs.mean == pytest.approx(0.5, abs=1e-9)
    assert pairs.error == pytest.approx((1 / 32 / 4000) ** 0.5, rel=1e-4)


def test_a_pair_is_counted_by_its_points() -> None:
    pairs = Pairs()
    for points in (0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.0):
        pairs = pairs.add(points)
    assert pairs.counts == (1, 1, 2, 1, 2)
    assert pairs.number == 7


def test_nothing_is_known_before_the_first_game() -> None:
    assert Pairs().superiority == 0.5
    assert Pairs().interval == inf
    assert Pairs().normalized == 0.0


@pytest.mark.parametrize("counts", [(0, 0, 0, 0, 100), (100, 0, 0, 0, 0)])
def test_wins_alone_have_no_upper_bound(counts: tuple[int, int, int, int, int]) -> None:
    assert Pairs(counts).interval == inf


def test_tally_counts_wins_draws_and_losses() -> None:
    tally = WinDrawLoss.of([1.0, 1.0, 0.5, 0.0])
    assert (tally.wins, tally.draws, tally.losses) == (2, 1, 1)
    assert tally.score == 2.5
    assert str(tally) == "+2 =1 -1"


def test_elo_and_expected_score_are_inverse() -> None:
    assert elo(0.5) == 0
    assert elo(expected(123.0)) == pytest.approx(123)
    assert expected(400) == pytest.approx(10 / 11)
