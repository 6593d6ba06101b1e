"""The needs of a site, by measured costs."""

import random
from xml.etree import ElementTree

import pytest
from bench.capacity import (
    HOURS,
    Costs,
    Habits,
    Peak,
    Server,
    binomial,
    day,
    loads,
    picture,
    poisson,
)


def test_the_hours_are_a_whole_day() -> None:
    assert len(HOURS) == 24
    assert sum(HOURS) == 1000


def test_a_day_is_the_same_again_and_a_peak_is_what_it_must_be() -> None:
    habits = Habits()
    peak = day(1_000_000, habits, random.Random(1))
    assert day(1_000_000, habits, random.Random(1)) == peak
    # In a full house as many are there as come while one stays (Little's law).
    come = 1_000_000 * habits.per_day * max(HOURS) / 1000 / 60
    assert peak.sessions == pytest.approx(come * habits.stay, rel=0.05)
    assert peak.searching == pytest.approx(peak.sessions * habits.searching, rel=0.05)


def test_nobody_comes() -> None:
    assert day(0, Habits(), random.Random(1)) == Peak(0, 0)


def test_each_resource_by_hand() -> None:
    wanted = loads(
        Peak(sessions=1000, searching=100),
        Habits(lines=10.0, threads=2, hash_mb=50),
        Costs(line=1e-4, session_mb=1.0, engine_mb=50.0, descriptors=3),
        Server(cores=10, memory_mb=1000, descriptors=300, connections=500, relay=0.5),
    )
    assert wanted == pytest.approx(
        {
            "cores for engines": 20.0, "memory": 11.0, "relay's core": 0.2, "connections": 2.0,
            "descriptors": 10.0,
        }
    )  # fmt: skip


@pytest.mark.parametrize("mean", [3.0, 300.0])
def test_draws_have_their_means(mean: float) -> None:
    chooser = random.Random(2)
    drawn = [poisson(mean, chooser) for _ in range(4000)]
    assert sum(drawn) / 4000 == pytest.approx(mean, rel=0.05)
    some = [binomial(round(mean), 0.3, chooser) for _ in range(4000)]
    assert sum(some) / 4000 == pytest.approx(0.3 * mean, rel=0.05)


def test_the_picture_is_drawn_with_the_bottleneck_apart() -> None:
    svg = ElementTree.fromstring(picture({100: {"cores": 2.0, "memory": 0.0}}))
    bars = [each for each in svg.iter() if each.tag.endswith("rect")][1:]
    assert [each.get("fill") for each in bars] == ["#b5651d", "#7a9cc6"]
    assert float(bars[0].get("width", "")) > float(bars[1].get("width", "")) == 0
