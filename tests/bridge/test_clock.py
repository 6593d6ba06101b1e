"""The share of a clock that the network takes."""

import pytest

from rookery_bridge.session.pending_requests import FLOOR, MAX_DELAY, MoveClock, reduce_times
from rookery_bridge.session.server_link import RoundTrip
from rookery_uci import Limits


@pytest.mark.parametrize(
    ("limits", "elapsed", "delay", "white", "told"),
    [
        ("wtime 1000 btime 900 winc 10 binc 20", 0.0, 0.1, True,
         "wtime 900 btime 900 winc 10 binc 20"),
        ("wtime 1000 btime 900", 0.0, 0.1, False, "wtime 1000 btime 800"),
        ("wtime 1000 btime 900", 0.5, 0.1, True, "wtime 400 btime 900"),
        ("wtime 1000 movetime 300", 0.0, 0.05, True, "wtime 950 movetime 250"),
        ("btime 50", 0.0, 0.1, False, f"btime {FLOOR}"),
        ("btime 5", 0.0, 0.1, False, "btime 5"),
        ("btime -5", 0.0, 0.1, False, "btime -5"),
        ("wtime 9000", 0.0, 7.0, True, f"wtime {9000 - round(1000 * MAX_DELAY)}"),
        ("depth 3", 1.0, 0.1, True, "depth 3"),
    ],
)  # fmt: skip
def test_delay_is_taken_off_who_is_to_move(
    limits: str, elapsed: float, delay: float, white: bool, told: str
) -> None:
    """Rows 111, 112, 129."""
    assert str(reduce_times(Limits.parse(limits), elapsed, delay, white=white)) == told


@pytest.mark.parametrize("go", ["", "depth 3", "infinite", "ponder wtime 100", "infinite wtime 5"])
def test_no_clock_runs_in_some_searches(go: str) -> None:
    assert MoveClock.of(Limits.parse(go), white=True) is None


@pytest.mark.parametrize("time", [1, 20, 100, 1000, 10_000, 1_000_000])
def test_last_call_is_before_the_flag_falls_and_after_patience(time: int) -> None:
    clock = MoveClock.of(Limits(wtime=time), white=True)
    assert clock
    assert clock.patience <= clock.last_call <= clock.seconds
    assert clock.last_call < clock.seconds


def test_clock_of_the_other_side_does_not_run() -> None:
    assert MoveClock.of(Limits(wtime=1000), white=False) is None


def test_round_trip_is_that_of_a_bad_line_but_not_of_the_worst() -> None:
    trip = RoundTrip()
    assert trip.seconds == 0.0
    for seconds in (0.1, 0.1, 0.1, 0.1, 0.1, 0.12, 0.13, 5.0):
        trip.add(seconds)
    assert trip.seconds == 0.12
    for _ in range(8):
        trip.add(0.02)
    assert trip.seconds == 0.02


def test_way_is_long_only_if_it_is_so_at_best() -> None:
    trip = RoundTrip()
    assert not trip.is_long
    trip.add(0.1)
    assert trip.is_long
    trip.add(0.005)
    assert not trip.is_long


@pytest.mark.parametrize(
    ("time", "delay", "short"),
    [(1000, 0.1, False), (240, 0.1, True), (0, 0.1, False)],
)
def test_clock_is_too_short_for_a_long_way(time: int, delay: float, short: bool) -> None:
    clock = MoveClock.of(Limits(wtime=time), white=True)
    assert clock
    assert clock.is_too_short(delay) is short
