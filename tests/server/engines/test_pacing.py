"""The pace at which a pool starts engines."""

import pytest

from rookery_server.engines.pacing import (
    LONGEST_WAIT,
    MEMORY,
    SHORTEST_WAIT,
    TOGETHER,
    DemandPeak,
    FailurePause,
)


def test_without_a_failure_there_is_no_pause() -> None:
    pause = FailurePause()
    assert pause.left(7.0, urgent=False) == 0.0
    pause.count_failure(7.0)
    pause.end()
    assert pause.left(7.0, urgent=True) == 0.0


def test_each_pause_is_twice_as_long_until_it_is_the_longest() -> None:
    pause, waits = FailurePause(), []
    for number in range(1, 100):
        now = 2 * LONGEST_WAIT * number
        pause.count_failure(now)
        waits.append(pause.left(now, urgent=True))
    assert waits[:3] == pytest.approx([SHORTEST_WAIT, 2 * SHORTEST_WAIT, 4 * SHORTEST_WAIT])
    assert waits == sorted(waits)
    assert waits[-1] == pytest.approx(LONGEST_WAIT)


def test_failures_that_come_together_are_one() -> None:
    pause = FailurePause()
    for _ in range(64):
        pause.count_failure(7.0)
    assert pause.left(7.0, urgent=True) == pytest.approx(SHORTEST_WAIT)


def test_where_no_session_waits_the_pause_is_the_longest_at_once() -> None:
    pause = FailurePause()
    pause.count_failure(7.0)
    assert pause.left(8.0, urgent=False) == pytest.approx(LONGEST_WAIT - 1)
    assert pause.left(8.0, urgent=True) == 0.0


def test_those_taken_together_are_expected_again() -> None:
    demand = DemandPeak()
    assert demand.expected(0.0) == 0
    for _ in range(5):
        demand.count_taken(10.0)
    assert demand.expected(11.0) == 5
    assert demand.expected(10.0 + MEMORY) == 5


def test_when_it_is_quiet_few_are() -> None:
    demand = DemandPeak()
    for _ in range(5):
        demand.count_taken(10.0)
    demand.count_taken(11.0 + MEMORY)
    assert demand.expected(11.0 + MEMORY) == 1
    assert demand.expected(12.0 + 2 * MEMORY) == 0


def test_those_taken_one_after_the_other_are_few() -> None:
    demand = DemandPeak()
    for number in range(100):
        demand.count_taken(number * TOGETHER * 0.6)
    assert demand.expected(100 * TOGETHER * 0.6) == 2
