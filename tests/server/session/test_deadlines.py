"""The deadlines of one session."""

from dataclasses import replace

from rookery_server.config.resources import LOCAL
from rookery_server.session.commands import SessionState
from rookery_server.session.deadlines import (
    DEATHS_WITHIN,
    MAX_DEATHS,
    REST,
    SILENCE,
    Late,
    Patience,
    SessionDeadlines,
)

PATIENCE = Patience(stop=1.0, ready=2.0, start=2.0)
STRICT = replace(LOCAL, idle_timeout=10.0, longest_search=5.0)


def engine_is_late(
    deadlines: SessionDeadlines, state: SessionState, now: float, owed: int = 0, answered: int = 0
) -> Late | None:
    return deadlines.late_answer(state, owed, answered, now, PATIENCE)


def test_engine_that_does_not_stop_is_late() -> None:
    deadlines = SessionDeadlines(0.0)
    deadlines.state_changed(SessionState.STOPPING, 3.0)
    assert engine_is_late(deadlines, SessionState.STOPPING, 4.0) is None
    assert engine_is_late(deadlines, SessionState.STOPPING, 4.1) is Late.STOP
    assert engine_is_late(deadlines, SessionState.SEARCHING, 4.1) is None


def test_engine_that_does_not_answer_isready_is_late() -> None:
    deadlines = SessionDeadlines(0.0)
    assert engine_is_late(deadlines, SessionState.IDLE, 10.0, owed=0) is None
    assert engine_is_late(deadlines, SessionState.IDLE, 12.0, owed=1) is None
    assert engine_is_late(deadlines, SessionState.IDLE, 12.1, owed=1) is Late.READY


def test_engine_that_answers_one_isready_has_as_long_for_the_next() -> None:
    deadlines = SessionDeadlines(0.0)
    engine_is_late(deadlines, SessionState.IDLE, 10.0, owed=2, answered=0)
    assert engine_is_late(deadlines, SessionState.IDLE, 11.9, owed=1, answered=1) is None
    assert engine_is_late(deadlines, SessionState.IDLE, 13.8, owed=1, answered=1) is None
    assert engine_is_late(deadlines, SessionState.IDLE, 14.0, owed=1, answered=1) is Late.READY


def test_first_isready_has_as_long_as_any_other() -> None:
    deadlines = SessionDeadlines(1000.0)
    assert engine_is_late(deadlines, SessionState.IDLE, 1000.5, owed=1) is None
    assert engine_is_late(deadlines, SessionState.IDLE, 1002.1, owed=1) is Late.READY


def test_time_before_an_engine_came_is_not_its_own() -> None:
    """A client that had to wait for an engine has asked it for nothing yet."""
    deadlines = SessionDeadlines(0.0)
    deadlines.engine_came(0, 100.0)
    assert engine_is_late(deadlines, SessionState.IDLE, 101.9, owed=1) is None
    assert engine_is_late(deadlines, SessionState.IDLE, 102.1, owed=1) is Late.READY


def test_fresh_engine_has_the_time_of_a_start_for_its_first_isready() -> None:
    slow = replace(PATIENCE, start=9.0)
    deadlines = SessionDeadlines(0.0)
    deadlines.engine_came(5, 100.0)
    assert deadlines.late_answer(SessionState.IDLE, 1, 5, 108.9, slow) is None
    assert deadlines.late_answer(SessionState.IDLE, 1, 6, 109.0, slow) is None
    assert deadlines.late_answer(SessionState.IDLE, 1, 6, 111.1, slow) is Late.READY


def test_engine_after_one_that_was_late_has_more_time() -> None:
    deadlines, now = SessionDeadlines(0.0), 0.0
    for patience in (2.0, 4.0, 8.0, 8.0):
        deadlines.engine_came(0, now)
        assert engine_is_late(deadlines, SessionState.IDLE, now + patience, owed=1) is None
        now += patience + 0.1
        assert engine_is_late(deadlines, SessionState.IDLE, now, owed=1) is Late.READY
    deadlines.engine_came(0, now)
    assert engine_is_late(deadlines, SessionState.IDLE, now + 1, owed=0, answered=1) is None
    deadlines.engine_came(1, now)
    assert engine_is_late(deadlines, SessionState.IDLE, now + 2.1, owed=1, answered=1) is Late.READY


def test_search_may_leave_isready_unanswered() -> None:
    """Engines answer it while they search, but those that load a network do not."""
    deadlines = SessionDeadlines(0.0)
    for now in (1.0, 10.0, 20.0):
        assert engine_is_late(deadlines, SessionState.SEARCHING, now, owed=1) is None


def test_search_without_a_sign_of_life_must_answer() -> None:
    deadlines = SessionDeadlines(0.0)
    assert not deadlines.is_silent(SILENCE, alive=False)
    assert deadlines.is_silent(SILENCE + 0.1, alive=False)
    assert not deadlines.is_silent(SILENCE + 0.2, alive=True)
    late = [
        deadlines.late_answer(SessionState.SEARCHING, 1, 0, now, PATIENCE, alive=alive)
        for now, alive in [(3.0, True), (5.0, False), (5.1, False)]
    ]
    assert late == [None, None, Late.READY]


def test_silence_of_an_engine_that_nobody_hears_does_not_count() -> None:
    deadlines = SessionDeadlines(0.0)
    deadlines.state_changed(SessionState.STOPPING, 1.0)
    deadlines.pause(0, 9.0)
    assert engine_is_late(deadlines, SessionState.STOPPING, 10.0, owed=1) is None
    assert engine_is_late(deadlines, SessionState.STOPPING, 10.1, owed=1) is Late.STOP


def test_time_before_a_pause_counts() -> None:
    """Else an engine that never stops would only need a client that is slow now and again."""
    deadlines = SessionDeadlines(0.0)
    deadlines.state_changed(SessionState.STOPPING, 1.0)
    assert engine_is_late(deadlines, SessionState.STOPPING, 1.8, owed=1) is None
    deadlines.pause(0, 2.3)
    assert engine_is_late(deadlines, SessionState.STOPPING, 2.4, owed=1) is None
    assert engine_is_late(deadlines, SessionState.STOPPING, 2.6, owed=1) is Late.STOP


def test_engine_that_works_at_what_is_no_search_is_neither_idle_nor_late() -> None:
    deadlines = SessionDeadlines(0.0)
    for now in (1.0, 5.0, 9.0, 13.0):
        assert deadlines.is_at_work(0, now, busy=True)
        assert engine_is_late(deadlines, SessionState.IDLE, now + 1, owed=1) is None
    assert deadlines.over_quota(SessionState.IDLE, STRICT, 14.0) is None
    assert deadlines.is_at_work(0, 13.0 + REST, busy=False)
    assert not deadlines.is_at_work(0, 13.1 + REST, busy=False)
    assert deadlines.idle_since == 13.0 + REST


def test_what_is_no_search_may_not_take_longer_than_one() -> None:
    deadlines = SessionDeadlines(0.0)
    deadlines.is_at_work(0, 10.0, busy=True)
    assert not deadlines.works_too_long(STRICT, 15.0)
    assert deadlines.works_too_long(STRICT, 15.1)
    assert not deadlines.works_too_long(LOCAL, 1e6)
    deadlines.is_at_work(0, 20.0, busy=False)
    deadlines.is_at_work(0, 30.0, busy=True)
    assert not deadlines.works_too_long(STRICT, 31.0)


def test_work_of_an_engine_that_is_gone_is_not_that_of_the_next() -> None:
    deadlines = SessionDeadlines(0.0)
    deadlines.is_at_work(0, 10.0, busy=True)
    deadlines.engine_came(0, 11.0)
    deadlines.is_at_work(0, 60.0, busy=True)
    assert not deadlines.works_too_long(STRICT, 61.0)


def test_clock_of_a_search_that_ponders_runs_from_its_hit() -> None:
    deadlines = SessionDeadlines(0.0)
    deadlines.state_changed(SessionState.WAITING, 1.0)
    deadlines.ponderhit(4.0)
    assert deadlines.search_began(5.0) == 1000
    assert deadlines.spent(7.0) == 2000
    deadlines.ponderhit(8.0)
    assert deadlines.spent(9.0) == 1000
    assert deadlines.over_quota(SessionState.SEARCHING, STRICT, 11.0) is Late.SEARCH  # from 5.0 on


def test_client_that_asks_for_nothing_is_late() -> None:
    deadlines = SessionDeadlines(0.0)
    assert deadlines.over_quota(SessionState.IDLE, STRICT, 10.0) is None
    deadlines.heard_at = 5.0
    assert deadlines.over_quota(SessionState.IDLE, STRICT, 15.0) is None
    assert deadlines.over_quota(SessionState.IDLE, STRICT, 15.1) is Late.CLIENT


def test_search_is_not_idleness() -> None:
    deadlines = SessionDeadlines(0.0)
    deadlines.search_began(20.0)
    assert deadlines.over_quota(SessionState.SEARCHING, STRICT, 21.0) is None
    assert deadlines.over_quota(SessionState.IDLE, STRICT, 30.0) is None


def test_search_that_goes_on_for_too_long_is_late() -> None:
    deadlines = SessionDeadlines(0.0)
    deadlines.search_began(20.0)
    assert deadlines.over_quota(SessionState.SEARCHING, STRICT, 25.0) is None
    assert deadlines.over_quota(SessionState.SEARCHING, STRICT, 25.1) is Late.SEARCH
    assert deadlines.over_quota(SessionState.STOPPING, STRICT, 99.0) is None


def test_account_without_such_a_quota_is_never_late() -> None:
    free = replace(LOCAL, idle_timeout=None, longest_search=None)
    deadlines = SessionDeadlines(0.0)
    assert deadlines.over_quota(SessionState.IDLE, free, 1e9) is None
    assert deadlines.over_quota(SessionState.SEARCHING, free, 2e9) is None


def test_deaths_count_together_only_if_they_come_together() -> None:
    deadlines = SessionDeadlines(0.0)
    assert not any(deadlines.has_seen_death(float(now)) for now in range(MAX_DEATHS))
    assert deadlines.has_seen_death(float(MAX_DEATHS))
    apart = SessionDeadlines(0.0)
    assert not any(apart.has_seen_death(n * DEATHS_WITHIN) for n in range(1, 2 * MAX_DEATHS))


def test_none_can_be_started_for_too_long_by_the_clock_and_not_by_tries() -> None:
    patience = Patience(stop=1.0, ready=1.0, start=10.0)
    deadlines = SessionDeadlines(0.0)
    assert not any(deadlines.has_missed_for_long(5.0 + n / 10, patience) for n in range(100))
    assert deadlines.has_missed_for_long(15.0, patience)
    deadlines.engine_came(0, 16.0)
    assert not deadlines.has_missed_for_long(99.0, patience)


def test_what_takes_long_to_fail_is_tried_more_than_once() -> None:
    patience = Patience(stop=1.0, ready=1.0, start=10.0)
    deadlines = SessionDeadlines(0.0)
    misses = [deadlines.has_missed_for_long(now, patience) for now in (10.0, 30.0, 70.0, 110.0)]
    assert misses == [False, False, False, True]
