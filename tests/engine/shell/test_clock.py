"""Division of the clock: a table of cases, and rules for all of them."""

import pytest

from rookery_engine.shell.clock import NodeClock, TimeBounds, time_bounds, urgency
from rookery_uci import Limits


def white(words: str, overhead: int = 10) -> TimeBounds:
    return time_bounds(Limits.parse(words), white=True, overhead=overhead)


@pytest.mark.parametrize(("words", "expected"), [
    ("", TimeBounds(None, None)),
    ("infinite", TimeBounds(None, None)),
    ("depth 5", TimeBounds(None, None)),
    ("movetime 500", TimeBounds(None, 500)),
    ("movetime 500 wtime 100000", TimeBounds(None, 500)),
    ("movetime -3", TimeBounds(None, 0)),
    ("winc 1000", TimeBounds(None, None)),
    ("wtime 25160", TimeBounds(1000, 4000)),
    ("wtime 25160 btime 5", TimeBounds(1000, 4000)),
    ("btime 25160", TimeBounds(1000, 4000)),
    ("wtime 25160 winc 410", TimeBounds(1280, 5120)),
    ("wtime 25160 movestogo 10", TimeBounds(2500, 10000)),
    ("wtime 25160 movestogo 0", TimeBounds(1000, 4000)),
    ("wtime 1160 movestogo 1", TimeBounds(850, 850)),
    ("wtime 1160 movestogo 2", TimeBounds(400, 400)),
])  # fmt: skip
def test_budget(words: str, expected: TimeBounds) -> None:
    assert white(words) == pytest.approx(expected)


@pytest.mark.parametrize("clock", [-500, 0, 1, 5, 50, 1000, 10**6, 10**18])
@pytest.mark.parametrize("increment", [0, 100, 10**6])
@pytest.mark.parametrize("moves", [None, 1, 2, 40, 1000])
def test_the_clock_is_never_overstepped(clock: int, increment: int, moves: int | None) -> None:
    limits = Limits(wtime=clock, winc=increment, movestogo=moves)
    soft, hard = time_bounds(limits, white=True, overhead=10)
    assert 0 < soft <= hard <= max(1, min(clock, 10**12) - 10)


def test_own_clock_is_used() -> None:
    limits = Limits.parse("wtime 1000 btime 100000 winc 5 binc 0")
    assert time_bounds(limits, white=True, overhead=0) != time_bounds(
        limits, white=False, overhead=0
    )


def test_overhead_makes_it_move_earlier() -> None:
    assert white("wtime 6000", overhead=5000).hard < white("wtime 6000").hard / 4


def test_urgency() -> None:
    calm = urgency(stable=8, drop=0, share=0.9)
    assert calm < urgency(stable=0, drop=0, share=0.9)
    assert calm < urgency(stable=8, drop=50, share=0.9)
    assert calm < urgency(stable=8, drop=0, share=0.2)


def test_an_engine_that_ponders_thinks_longer() -> None:
    limits = Limits.parse("wtime 60000")
    patient = time_bounds(limits, white=True, overhead=0, ponders=True)
    assert patient.soft > time_bounds(limits, white=True, overhead=0).soft
    for clock in (1, 100, 5000):
        limits = Limits(wtime=clock, movestogo=1)
        assert time_bounds(limits, white=True, overhead=0, ponders=True).hard <= clock


def test_node_clock_is_set_once_and_counted_down() -> None:
    clock = NodeClock()
    limits = Limits.parse("wtime 1000 btime 1 winc 10 binc 10")
    assert clock.convert(limits, white=True, rate=600).wtime == 1010 * 600
    clock.subtract_nodes(limits, white=True, nodes=100_000)
    later = Limits.parse("wtime 5 btime 1 winc 10 binc 10")
    assert clock.convert(later, white=True, rate=600).wtime == 1010 * 600 + 6000 - 100_000
    assert clock.convert(later, white=True, rate=600).winc == 6000


def test_node_clock_never_runs_out() -> None:
    clock = NodeClock()
    limits = Limits(wtime=10)
    clock.convert(limits, white=True, rate=1)
    clock.subtract_nodes(limits, white=True, nodes=10**9)
    assert clock.convert(limits, white=True, rate=1).wtime == 1


def test_node_clock_goes_up_by_each_time_control() -> None:
    """Whatever the GUI's clock says, which has counted milliseconds."""
    clock = NodeClock()
    left = 0
    for moves in (3, 2, 1, 3, 2, 1, 1, None):
        limits = Limits(wtime=1000 - (moves or 0), movestogo=moves)
        left = clock.convert(limits, white=True, rate=100).wtime
        clock.subtract_nodes(limits, white=True, nodes=left - 1)
    assert left == 997 * 100 + 1


def test_first_time_control_of_an_adjourned_game_shows_what_a_control_adds() -> None:
    clock = NodeClock()
    last = Limits(wtime=1000, movestogo=1)
    clock.convert(last, white=True, rate=1)
    clock.subtract_nodes(last, white=True, nodes=1000)
    assert clock.convert(Limits(wtime=60500, movestogo=40), white=True, rate=1).wtime == 59501


def test_node_clock_gains_nothing_while_the_moves_to_go_stay() -> None:
    clock = NodeClock()
    for moves in (40, 40, 39):
        limits = Limits(wtime=1000, movestogo=moves)
        clock.convert(limits, white=True, rate=1)
        clock.subtract_nodes(limits, white=True, nodes=400)
    assert clock.left == 1


def test_movetime_in_nodes_leaves_the_clock_alone() -> None:
    clock = NodeClock()
    limits = Limits(wtime=1000, movetime=50)
    assert clock.convert(limits, white=True, rate=100).movetime == 5000
    clock.subtract_nodes(limits, white=True, nodes=4000)
    assert clock.convert(limits, white=True, rate=100).wtime == 100_000


def test_increment_that_the_way_costs_again_is_not_spent() -> None:
    assert white("wtime 1000 winc 10") == white("wtime 1000")
    assert white("wtime 1000 winc 60").soft > white("wtime 1000").soft


def test_little_time_is_kept_for_stalls() -> None:
    for clock in (20, 50, 100, 200):
        assert white(f"wtime {clock} winc 10").hard < clock / 5
