"""The quota of an account, and its usage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery_protocol.errors import ConfigError, in_words
from rookery_protocol.notices import Code
from rookery_server.config.resources import LOCAL, LOCAL_ACCOUNT, Quota, Quotas, Size
from rookery_server.scheduling.quota import HOUR, Spending, Usage


def test_account_is_over_its_role_is_over_everybody() -> None:
    quotas = Quotas(
        {"sessions": 3, "threads": 2, "hash_mb": 64},
        {"member": {"sessions": 5, "threads": 8}, "anna": {"sessions": 9}},
    )
    assert quotas.of("guest", "carl") == Quota(sessions=3, threads=2, hash_mb=64)
    assert quotas.of("member", "bert") == Quota(sessions=5, threads=8, hash_mb=64)
    assert quotas.of("member", "anna") == Quota(sessions=9, threads=8, hash_mb=64)


def test_local_account_is_bounded_by_what_the_operator_says_only() -> None:
    assert Quotas().of("admin", "local") == LOCAL
    assert Quotas({"threads": 2}).of("admin", "local").threads == 2


def test_false_is_no_bound() -> None:
    quotas = Quotas.parse({"longest_search": 60}, {"trainer": {"longest_search": False}})
    assert quotas.of("trainer", "x").longest_search is None
    assert quotas.of("member", "x").longest_search == 60.0


@pytest.mark.parametrize(("everybody", "named", "error"), [
    ({"thread": 1}, {}, "unknown key quota.thread: did you mean 'threads'?"),
    ({"sessions": 0}, {}, "quota.sessions needs a whole number from 1 to 1000000, not 0"),
    ({}, {"anna": {"threads": True}}, "quotas.anna.threads needs a whole number from 1 to 65536"),
    ({}, {"anna": 1}, "quotas.anna needs a table, not 1"),
    ({"lines_per_second": 0}, {}, "quota.lines_per_second needs a number above 0 and below"),
])  # fmt: skip
def test_bad_quota_is_an_error_at_once(
    everybody: dict[str, object], named: dict[str, object], error: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        Quotas.parse(everybody, named)
    assert error in str(caught.value)


def test_one_session_may_have_no_more_than_all_together() -> None:
    quota = Quota(threads=8, hash_mb=None, total_threads=4, total_hash_mb=512)
    assert quota.each == Size(4, 512)
    assert Quota(threads=2, total_threads=4).each.threads == 2


def code(refusal: tuple[Code, str] | None) -> Code | None:
    return refusal[0] if refusal else None


def test_sessions_are_bounded_and_a_closed_one_counts_no_more() -> None:
    usage = Usage(Quota(sessions=2), 0.0)
    usage.sessions |= {"one", "two"}
    assert usage.objection_to_session(0.0) == (
        Code.QUOTA_SESSIONS,
        "you have 2 sessions, and may have 2: end one, then connect again",
    )
    usage.sessions.discard("one")
    assert usage.objection_to_session(0.0) is None


def test_cpu_time_comes_back_after_an_hour() -> None:
    usage = Usage(Quota(cpu_seconds=100), 0.0)
    usage.spend(60.0, 0.0)
    assert usage.objection_to_search(0.0) is None
    usage.spend(60.0, 600.0)
    assert usage.objection_to_search(600.0) == (
        Code.QUOTA_CPU,
        "your engines have used 120 s of CPU time in an hour, and may use 100: try again in"
        " 50 minutes",
    )
    assert code(usage.objection_to_session(600.0)) is Code.QUOTA_CPU
    assert usage.objection_to_search(HOUR) is None


def test_without_a_bound_cpu_time_is_free() -> None:
    usage = Usage(Quota(cpu_seconds=None), 0.0)
    usage.spend(1e9, 0.0)
    assert usage.objection_to_search(0.0) is None


def test_lines_of_a_gui_that_starts_are_free_and_a_flood_is_slowed() -> None:
    usage = Usage(Quota(lines_per_second=100.0, lines_burst=500), 0.0)
    assert {usage.take_line(0.0) for _ in range(500)} == {0.0}
    assert usage.take_line(0.0) == pytest.approx(0.01)
    assert usage.take_line(10.0) == 0.0
    unbounded = Usage(Quota(lines_per_second=None), 0.0)
    assert {unbounded.take_line(0.0) for _ in range(5000)} == {0.0}


def test_long_games_that_are_new_count_as_several_lines() -> None:
    usage = Usage(Quota(lines_per_second=100.0, lines_burst=100), 0.0)
    assert {usage.take_line(0.0, moves) for moves in (0, 2, 1200)} == {0.0}
    assert usage.take_line(0.0, 2000) == pytest.approx((3 + 3202 / 25 + 1 - 100) / 100)


def test_another_quota_does_not_forgive_lines_where_as_many_may_be_said() -> None:
    """Else who comes in one role after the other has the burst each time."""
    usage = Usage(Quota(lines_per_second=100.0, lines_burst=1), 0.0)
    assert usage.take_line(0.0) == 0.0
    usage.adjust(Quota(lines_per_second=100.0, lines_burst=1, sessions=2), 0.0)
    assert usage.quota.sessions == 2
    assert usage.take_line(0.0) == pytest.approx(0.01)
    usage.adjust(Quota(lines_per_second=10.0, lines_burst=1), 0.0)
    assert usage.take_line(0.0) == 0.0
    usage.adjust(Quota(lines_per_second=None), 0.0)
    assert usage.take_line(0.0) == 0.0


def test_account_is_forgotten_when_nothing_counts_against_it() -> None:
    usage = Usage(Quota(), 0.0)
    assert usage.is_forgettable(0.0)
    usage.sessions.add("one")
    assert not usage.is_forgettable(0.0)
    usage.sessions.clear()
    usage.spend(1.0, 0.0)
    assert not usage.is_forgettable(1.0)
    usage.take_line(HOUR)
    assert not usage.is_forgettable(HOUR)
    assert usage.is_forgettable(HOUR + 1.0)


@given(st.lists(st.tuples(st.floats(0.0, 900.0), st.integers(0, 50))), st.integers(1, 100))
def test_spending_is_that_of_an_hour_within_a_minute(
    spent: list[tuple[float, int]], bound: int
) -> None:
    spending, now = Spending(), 0.0
    log: list[tuple[float, int]] = []
    for gap, amount in spent:
        now += gap
        spending.add(amount, now)
        log.append((now, amount))
    least = sum(amount for when, amount in log if now - when < HOUR - 60)
    most = sum(amount for when, amount in log if now - when < HOUR)
    assert least <= spending.total(now) <= most
    wait = spending.until_below(bound, now)
    assert (wait == 0.0) is (spending.total(now) < bound)
    assert spending.total(now + wait + 0.001) < bound


def test_spending_takes_no_memory_for_each_search() -> None:
    spending = Spending()
    for number in range(20_000):
        spending.add(1.0, number * 0.5)
    assert len(spending._slices) <= 61
    assert spending.total(10_000.0) == pytest.approx(HOUR * 2, rel=0.02)


@pytest.mark.parametrize(("seconds", "words"), [
    (0.0, "1 s"), (0.3, "1 s"), (40.0, "40 s"), (99.5, "100 s"), (100.0, "2 minutes"),
    (3600.0, "60 minutes"),
])  # fmt: skip
def test_time_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


@pytest.mark.parametrize(("cpus", "threads"), [(1, 1), (3, 3), (64, 4)])
def test_search_has_no_more_threads_than_there_are_cpus(cpus: int, threads: int) -> None:
    assert Quotas().of("member", "anna", cpus).threads == threads


def test_operator_may_give_more_threads_than_cpus() -> None:
    assert Quotas({"threads": 8}).of("member", "anna", 1).threads == 8
    assert Quotas().of("admin", LOCAL_ACCOUNT, 1).threads is None


def test_wait_is_known_of_cpu_time_alone() -> None:
    quota = Quotas({"cpu_seconds": 10}).of("member", "anna", 4)
    usage = Usage(quota, 0.0)
    usage.spend(10.0, 0.0)
    assert usage.objection_to_session(60.0)
    wait = usage.wait(Code.QUOTA_CPU, 60.0)
    assert wait is not None
    assert HOUR - 120.0 <= wait <= HOUR
    assert usage.wait(Code.QUOTA_SESSIONS, 60.0) is None
