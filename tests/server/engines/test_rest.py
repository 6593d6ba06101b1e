"""How long an engine that could not be started is left alone."""

import pytest

from rookery_server.engines.start_backoff import LONGEST, SHORTEST, Rest


def test_without_a_failure_there_is_no_rest() -> None:
    rest = Rest()
    assert rest.left(5.0, urgent=False) == 0.0
    rest.failed(5.0)
    rest.over()
    assert rest.left(5.0, urgent=True) == 0.0


def test_each_rest_is_twice_as_long_until_it_is_the_longest() -> None:
    rest, rests, now = Rest(), [], 7.0
    for _ in range(100):
        rest.failed(now)
        rests.append(rest.left(now, urgent=True))
        now += 2 * LONGEST
    assert rests[:3] == pytest.approx([SHORTEST, 2 * SHORTEST, 4 * SHORTEST])
    assert rests == sorted(rests)
    assert rests[-1] == LONGEST


def test_those_that_fail_together_are_one_failure() -> None:
    rest = Rest()
    for _ in range(64):
        rest.failed(7.0)
    assert rest.left(7.0, urgent=True) == pytest.approx(SHORTEST)


def test_where_nobody_waits_it_is_the_longest_at_once() -> None:
    rest = Rest()
    rest.failed(7.0)
    assert rest.left(8.0, urgent=False) == pytest.approx(LONGEST - 1)
    assert rest.left(8.0, urgent=True) == 0.0
