"""The distance of scores from the truth."""

import sys
from pathlib import Path
from random import Random

import pytest

import rookery_engine
from train.scale import expected_result
from train.score_probe import Distance, probe_engine, probe_network
from train.truth import KEPT, Truth, read_truth

OWN = f"{sys.executable} -m rookery_engine"
NETWORK = next((Path(rookery_engine.__file__).parent / "net").glob("*.network"))


def truths_of(scores: list[int]) -> list[Truth]:
    return [Truth("4k3/8/8/8/8/8/8/4K2R w K -", score) for score in scores]


def test_scores_that_differ_by_a_factor_only_are_no_distance_away() -> None:
    scores = [10 * number for number in range(-40, 41)]
    for factor in (1, 3):
        found = Distance.of([factor * score for score in scores], truths_of(scores))
        assert found.error < 1e-9
        assert found.scale == pytest.approx(111 * factor, rel=0.001)


def test_the_distance_is_the_mean_square() -> None:
    chance = Random(1)
    truths = truths_of([chance.randrange(-300, 300) for _ in range(400)])
    scores = [truth.score + chance.randrange(-100, 100) for truth in truths]
    found = Distance.of(scores, truths)
    squares = [
        (expected_result(score, found.scale) - expected_result(truth.score, 111)) ** 2
        for score, truth in zip(scores, truths, strict=True)
    ]
    assert found.error == pytest.approx(sum(squares) / 400)
    assert 0.03 * found.error < found.doubt < 0.1 * found.error


def test_an_engine_is_nearer_the_more_it_searches() -> None:
    truths = read_truth(KEPT)[:60]
    errors = []
    for nodes in (10, 2000):
        said = list(probe_engine(OWN, nodes, truths))
        assert said[0].endswith(f"{nodes} nodes")
        errors.append(float(said[0].split()[0]))
    assert errors[1] < errors[0]


def test_the_static_scores_of_an_engine_are_its_network_s() -> None:
    truths = [truth for truth in read_truth(KEPT) if len(truth.epd.split()[0]) > 40][:60]
    engine = next(probe_engine(OWN, 0, truths)).split("  ")
    network = probe_network(NETWORK, truths).split("  ")
    assert float(engine[0].split()[0]) == pytest.approx(float(network[0].split()[0]), abs=0.002)
    assert network[-1] == NETWORK.name


def test_exact_scores_are_also_counted_alone() -> None:
    scripted = f"{sys.executable} {Path(__file__).with_name('scripted.py')}"
    truths = read_truth(KEPT)[:40]
    said = list(probe_engine(f"{scripted} 'cp 20 lowerbound' 'cp 30'", 1, truths))
    black = sum(" b " in truth.epd for truth in truths)
    assert "40 positions" in said[0]
    assert f"{black} positions  the same, exact scores only" in said[1]
