"""The throttle of log-ins: which address waits, and for how long."""

import pytest

from rookery_server.access import login
from rookery_server.access.login import FADES, FREE, LONGEST, MAX_SOURCES, LoginThrottle


def after(failures: int, *, now: float = 0.0) -> LoginThrottle:
    result = LoginThrottle()
    for _ in range(failures):
        result.count_failure("a", now)
    return result


def test_slips_are_free() -> None:
    assert after(0).wait("a", 0) == 0
    assert after(FREE).wait("a", 0) == 0


def test_each_failure_more_doubles_the_wait() -> None:
    waits = [after(FREE + n).wait("a", 0) for n in (1, 2, 3, 4)]
    assert waits == [2, 4, 8, 16]


def test_wait_is_over_when_it_is_over() -> None:
    assert after(FREE + 3).wait("a", 7.5) == 0.5
    assert after(FREE + 3).wait("a", 8) == 0


def test_nobody_waits_for_ever() -> None:
    assert after(5000).wait("a", 0) == LONGEST


def test_others_do_not_wait() -> None:
    assert after(20).wait("b", 0) == 0


def test_failures_fade() -> None:
    tried = after(FREE + 3)
    tried.count_failure("a", 4 * FADES)
    assert tried.wait("a", 4 * FADES) == 0
    tried.count_failure("a", 100 * FADES)
    assert tried.wait("a", 100 * FADES) == 0


def test_those_remembered_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login, "MAX_SOURCES", 100)
    tried = after(20)
    for number in range(99):
        tried.count_failure(f"{number}", 1)
    assert (len(tried), tried.wait("a", 1) > 0) == (100, True)
    tried.count_failure("one more", 1)
    assert (len(tried), tried.wait("a", 1)) == (100, 0)
    assert MAX_SOURCES == 10_000
