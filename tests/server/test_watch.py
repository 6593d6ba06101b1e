"""What takes too long of one session, and what does not."""

from dataclasses import replace

from rookery_server.sessions.session import State
from rookery_server.sessions.watch import DEATHS_WITHIN, MAX_DEATHS, Late, Watch
from rookery_server.shares.quota import LOCAL

STRICT = replace(LOCAL, idle_timeout=10.0, longest_search=5.0)


def engine_is_late(
    watch: Watch, state: State, now: float, owed: int = 0, answered: int = 0
) -> Late | None:
    return watch.engine_is_late(state, owed, answered, now, stop=1.0, ready=2.0)


def test_engine_that_does_not_stop_is_late() -> None:
    watch = Watch(0.0)
    watch.changed(State.STOPPING, 3.0)
    assert engine_is_late(watch, State.STOPPING, 4.0) is None
    assert engine_is_late(watch, State.STOPPING, 4.1) is Late.STOP
    assert engine_is_late(watch, State.SEARCHING, 4.1) is None


def test_engine_that_does_not_answer_isready_is_late() -> None:
    watch = Watch(0.0)
    assert engine_is_late(watch, State.IDLE, 10.0, owed=0) is None
    assert engine_is_late(watch, State.IDLE, 12.0, owed=1) is None
    assert engine_is_late(watch, State.IDLE, 12.1, owed=1) is Late.READY


def test_engine_that_answers_one_isready_has_as_long_for_the_next() -> None:
    watch = Watch(0.0)
    engine_is_late(watch, State.IDLE, 10.0, owed=2, answered=0)
    assert engine_is_late(watch, State.IDLE, 11.9, owed=1, answered=1) is None
    assert engine_is_late(watch, State.IDLE, 13.8, owed=1, answered=1) is None
    assert engine_is_late(watch, State.IDLE, 14.0, owed=1, answered=1) is Late.READY


def test_first_isready_has_as_long_as_any_other() -> None:
    watch = Watch(1000.0)
    assert engine_is_late(watch, State.IDLE, 1000.5, owed=1) is None
    assert engine_is_late(watch, State.IDLE, 1002.1, owed=1) is Late.READY


def test_search_may_leave_isready_unanswered() -> None:
    """Engines answer it while they search, but those that load a network do not."""
    watch = Watch(0.0)
    for now in (1.0, 10.0, 20.0):
        assert engine_is_late(watch, State.SEARCHING, now, owed=1) is None


def test_silence_of_an_engine_that_nobody_hears_does_not_count() -> None:
    watch = Watch(0.0)
    watch.changed(State.STOPPING, 1.0)
    watch.paused(0, 9.0)
    assert engine_is_late(watch, State.STOPPING, 10.0, owed=1) is None
    assert engine_is_late(watch, State.STOPPING, 10.1, owed=1) is Late.STOP


def test_client_that_asks_for_nothing_is_late() -> None:
    watch = Watch(0.0)
    assert watch.is_over_quota(State.IDLE, STRICT, 10.0) is None
    watch.heard(5.0)
    assert watch.is_over_quota(State.IDLE, STRICT, 15.0) is None
    assert watch.is_over_quota(State.IDLE, STRICT, 15.1) is Late.CLIENT


def test_search_is_not_idleness() -> None:
    watch = Watch(0.0)
    watch.began_search(20.0)
    assert watch.is_over_quota(State.SEARCHING, STRICT, 21.0) is None
    assert watch.is_over_quota(State.IDLE, STRICT, 30.0) is None


def test_search_that_goes_on_for_too_long_is_late() -> None:
    watch = Watch(0.0)
    watch.began_search(20.0)
    assert watch.is_over_quota(State.SEARCHING, STRICT, 25.0) is None
    assert watch.is_over_quota(State.SEARCHING, STRICT, 25.1) is Late.SEARCH
    assert watch.is_over_quota(State.STOPPING, STRICT, 99.0) is None


def test_who_has_no_such_quota_is_never_late() -> None:
    free = replace(LOCAL, idle_timeout=None, longest_search=None)
    watch = Watch(0.0)
    assert watch.is_over_quota(State.IDLE, free, 1e9) is None
    assert watch.is_over_quota(State.SEARCHING, free, 2e9) is None


def test_deaths_count_together_only_if_they_come_together() -> None:
    watch = Watch(0.0)
    assert not any(watch.has_seen_death(float(now)) for now in range(MAX_DEATHS))
    assert watch.has_seen_death(float(MAX_DEATHS))
    apart = Watch(0.0)
    assert not any(apart.has_seen_death(n * DEATHS_WITHIN) for n in range(1, 2 * MAX_DEATHS))
