"""Ratings from results, where they can be known beforehand."""

from random import Random

import pytest
from bench.ladder.chart import chart
from bench.ladder.rating import rate, solve
from bench.match.tally import WinDrawLoss


def expected(difference: float) -> float:
    return 1 / (1 + 10 ** (-difference / 400))


def test_even_results_are_even_ratings() -> None:
    ratings = rate({("a", "b"): WinDrawLoss(30, 40, 30)}, {"a": 1500.0})
    assert ratings.of("a") == pytest.approx(1500)
    assert ratings.of("b") == pytest.approx(1500)


def test_ratings_give_back_the_scores_they_come_from() -> None:
    true = {"a": 1000.0, "b": 1200.0, "c": 1450.0, "d": 1500.0}
    pairs = [("a", "b"), ("b", "c"), ("c", "d"), ("b", "d")]
    results = {}
    for first, second in pairs:
        wins = round(100_000 * expected(true[first] - true[second]))
        results[first, second] = WinDrawLoss(wins, 0, 100_000 - wins)
    ratings = rate(results, {"a": 1000.0, "d": 1500.0})
    for name, elo in true.items():
        assert ratings.of(name) == pytest.approx(elo, abs=1)


def test_who_won_all_has_a_rating_too() -> None:
    ratings = rate({("a", "b"): WinDrawLoss(10, 0, 0)}, {"b": 0.0})
    assert 300 < ratings.of("a") < 800


def test_the_interval_holds_the_truth_about_95_times_of_100() -> None:
    chance = Random(1)
    inside = 0
    for _ in range(200):
        wins = sum(chance.random() < expected(200) for _ in range(300))
        ratings = rate({("a", "b"): WinDrawLoss(wins, 0, 300 - wins)}, {"b": 0.0})
        inside += abs(ratings.of("a") - 200) <= ratings.interval("a", ["b"])
    assert 180 <= inside <= 199


def test_players_without_a_common_opponent_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="not all connected"):
        rate({("a", "b"): WinDrawLoss(1, 0, 1), ("c", "d"): WinDrawLoss(1, 0, 1)}, {})


def test_solve() -> None:
    assert solve([[0.0, 2.0], [3.0, 1.0]], [4.0, 5.0]) == [pytest.approx(1), pytest.approx(2)]


def test_chart_shows_each_level() -> None:
    assert chart([(800, 790.0, 40.0), (1000, 1020.0, 35.0)]).count("<circle") == 2
