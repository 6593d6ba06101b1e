"""A bound on how often something may happen."""

from hypothesis import given
from hypothesis import strategies as st

from rookery_server.token_bucket import TokenBucket


def test_burst_is_free_and_what_follows_comes_at_the_rate() -> None:
    bucket = TokenBucket(10.0, 3, 0.0)
    assert [bucket.spend(0.0) for _ in range(5)] == [0.0, 0.0, 0.0, 0.1, 0.2]


def test_debt_is_paid_by_waiting() -> None:
    bucket = TokenBucket(10.0, 1, 0.0)
    bucket.spend(0.0)
    assert bucket.spend(0.0) == 0.1
    assert bucket.spend(0.2) == 0.0


def test_who_asks_first_is_told_how_long_to_wait() -> None:
    bucket = TokenBucket(0.5, 1, 0.0)
    assert bucket.wait(0.0) == 0.0
    bucket.spend(0.0)
    assert bucket.wait(0.0) == 2.0
    assert bucket.wait(1.5) == 0.5
    assert bucket.wait(2.0) == 0.0


def test_no_more_than_the_burst_is_saved_up() -> None:
    bucket = TokenBucket(10.0, 2, 0.0)
    bucket.spend(0.0)
    assert not bucket.is_full(0.0)
    assert bucket.is_full(1000.0)
    assert [bucket.spend(1000.0) for _ in range(3)] == [0.0, 0.0, 0.1]


@given(st.lists(st.floats(0.0, 1.0), max_size=200))
def test_who_waits_as_told_is_never_faster_than_rate_and_burst(gaps: list[float]) -> None:
    bucket = TokenBucket(5.0, 10, 0.0)
    now = 0.0
    for number, gap in enumerate(gaps, 1):
        now += gap
        now += bucket.spend(now)
        assert number <= 10 + 5.0 * now + 1e-6
