"""An engine that is behind is not late as long as it reads on."""

import pytest

from rookery_server.session.stall import PATIENCE, Pace, Progress


@pytest.fixture
def progress() -> Progress:
    """Return that of an engine that was last seen to read at 10 s."""
    result = Progress()
    assert result.look(100, 50, 10.0, patience=2.0, alive=False) is Pace.BEHIND
    return result


def test_engine_that_has_taken_all_is_level() -> None:
    progress = Progress()
    for now in (0.0, 1000.0):
        assert progress.look(0, 0, now, patience=2.0, alive=False) is Pace.LEVEL


def test_engine_that_reads_on_is_behind_for_ever(progress: Progress) -> None:
    for seconds in range(1000):
        now = 10.5 + seconds
        assert progress.look(101 + seconds, 50, now, patience=2.0, alive=False) is Pace.BEHIND


def test_engine_that_reads_no_more_is_stuck(progress: Progress) -> None:
    assert progress.look(100, 50, 12.0, patience=2.0, alive=False) is Pace.RESTING
    assert progress.look(100, 90, 12.1, patience=2.0, alive=False) is Pace.STUCK


def test_engine_that_works_has_longer_but_not_for_ever(progress: Progress) -> None:
    longest = 10.0 + 2.0 * PATIENCE
    assert progress.look(100, 50, longest, patience=2.0, alive=True) is Pace.BEHIND
    assert progress.look(100, 50, longest + 0.1, patience=2.0, alive=True) is Pace.STUCK


def test_time_begins_anew_when_all_was_taken(progress: Progress) -> None:
    assert progress.look(150, 0, 1000.0, patience=2.0, alive=False) is Pace.LEVEL
    assert progress.look(150, 1, 1001.0, patience=2.0, alive=False) is Pace.RESTING
