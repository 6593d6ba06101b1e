"""An engine that is behind is not late as long as it reads on."""

import pytest

from rookery_server.session.deadlines import BUSY_FACTOR, InputPace, StallDetector


@pytest.fixture
def detector() -> StallDetector:
    """Return that of an engine that was last seen to read at 10 s."""
    result = StallDetector()
    assert result.check(100, 50, 10.0, patience=2.0, alive=False) is InputPace.BEHIND
    return result


def test_engine_that_has_taken_all_is_level() -> None:
    detector = StallDetector()
    for now in (0.0, 1000.0):
        assert detector.check(0, 0, now, patience=2.0, alive=False) is InputPace.LEVEL


def test_engine_that_reads_on_is_behind_for_ever(detector: StallDetector) -> None:
    for seconds in range(1000):
        now = 10.5 + seconds
        assert detector.check(101 + seconds, 50, now, patience=2.0, alive=False) is InputPace.BEHIND


def test_engine_that_reads_no_more_is_stuck(detector: StallDetector) -> None:
    assert detector.check(100, 50, 12.0, patience=2.0, alive=False) is InputPace.RESTING
    assert detector.check(100, 90, 12.1, patience=2.0, alive=False) is InputPace.STUCK


def test_engine_that_works_has_longer_but_not_for_ever(detector: StallDetector) -> None:
    longest = 10.0 + 2.0 * BUSY_FACTOR
    assert detector.check(100, 50, longest, patience=2.0, alive=True) is InputPace.BEHIND
    assert detector.check(100, 50, longest + 0.1, patience=2.0, alive=True) is InputPace.STUCK


def test_time_begins_anew_when_all_was_taken(detector: StallDetector) -> None:
    assert detector.check(150, 0, 1000.0, patience=2.0, alive=False) is InputPace.LEVEL
    assert detector.check(150, 1, 1001.0, patience=2.0, alive=False) is InputPace.RESTING
