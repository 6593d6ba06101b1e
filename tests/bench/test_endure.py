"""Endurance of a server, in short: of each trouble a little, and nothing may be left of it."""

import math
from itertools import cycle

import pytest
from bench.endure.__main__ import SCENARIOS
from bench.endure.chart import chart
from bench.endure.frame import PING, TEXT, Frames, frame
from bench.endure.scenario import play, table
from bench.endure.server import TRANSPORTS
from bench.endure.soak import Soak, slope
from bench.endure.vitals import Vitals
from bench.endure.witness import quantile

LITTLE = 0.02  # of what the long run does
SHORT = ("hostile", "disconnect", "kill")  # in every run of the tests


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("name", "transport"),
    [
        pytest.param(name, transport, marks=() if name in SHORT else pytest.mark.long)
        for name, transport in zip(SCENARIOS, cycle(TRANSPORTS), strict=False)
    ],
)
async def test_nothing_is_left_of(name: str, transport: str) -> None:
    row = await play(name, SCENARIOS[name], transport, LITTLE)
    assert row.left == []
    assert sum(row.outcome.did.values()) > 0
    assert row.testimony.ready
    assert name in table([row])


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_a_short_soak_leaves_nothing() -> None:
    soak = Soak(4.0, 4)
    _, after = await soak.run()
    assert soak.wrong == []
    assert (after.sessions, after.zombies, after.deaths) == (0, 0, 0)
    assert soak.did["searches"] > 0


def test_slope_is_that_of_the_closest_line() -> None:
    assert slope([(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]) == pytest.approx(2.0)
    assert slope([(0.0, 4.0), (1.0, 4.0)]) == 0.0
    assert slope([(0.0, 4.0)]) == 0.0


def test_quantile_is_one_of_the_values() -> None:
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([3.0, 1.0, 2.0], 1.0) == 3.0
    assert math.isclose(quantile([], 0.5), 0.0)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536])
def test_frames_are_read_in_any_division(size: int) -> None:
    sent = frame(b"x" * size, TEXT, masked=False) + frame(b"p", PING, masked=False)
    frames = Frames()
    found = [each for n in range(0, len(sent), 1000) for each in frames.feed(sent[n : n + 1000])]
    assert found == [(TEXT, b"x" * size), (PING, b"p")]


def test_chart_has_a_curve_for_each_quantity() -> None:
    looks = [(0.0, Vitals(30.0, 20, 1, 2, 0)), (60.0, Vitals(31.0, 25, 1, 9, 0))]
    picture = chart(looks, title="2 sessions")
    assert picture.count('stroke="#25a"') == 3
    assert "1 min" in picture
