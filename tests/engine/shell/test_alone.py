"""The engine where the system has no thread left: it still answers each `go`, once."""

import sys
from collections.abc import Callable

import pytest

# The behaviour of the system at its limit; root, the user of some test runs, has none.
ALONE = """
from rookery_engine.shell import loop
def refuse(*_):
    raise RuntimeError("can't start new thread")
loop.start_new_thread = refuse
loop.main()
"""


@pytest.fixture
def alone(start: Callable):
    return start(sys.executable, "-c", ALONE)


def best_moves(lines: list[str]) -> int:
    return sum(line.startswith("bestmove") for line in lines)


@pytest.mark.parametrize("limit", ["depth 5", "nodes 3000", "movetime 50", "wtime 500 btime 500"])
def test_search_that_ends_by_itself_is_answered(alone, limit: str) -> None:
    lines = [*alone.query(f"go {limit}"), *alone.quiet_lines()]
    assert "no thread left" in lines[0]
    assert "raise" in lines[0]
    assert best_moves(lines) == 1
    assert alone.end() == 0
    assert alone.stderr() == ""


@pytest.mark.parametrize("words", ["go infinite", "go ponder depth 3"])
def test_search_that_must_wait_is_answered_at_stop(alone, words: str) -> None:
    lines = alone.query(words, "isready", until="readyok")
    assert best_moves(lines) == 0
    assert alone.query("stop")[-2].startswith("info depth")
    assert best_moves(alone.quiet_lines()) == 0


def test_pondering_becomes_a_search_at_ponderhit(alone) -> None:
    assert best_moves(alone.query("go ponder depth 4", "isready", until="readyok")) == 0
    assert alone.query("ponderhit")[-2].startswith("info depth 4 ")
    assert best_moves(alone.quiet_lines()) == 0


def test_stop_is_read_within_a_search(alone) -> None:
    alone.send("go depth 200")
    alone.read_until("info depth 1 ")
    lines = alone.query("isready", until="readyok")
    assert best_moves(lines) == 0
    alone.query("stop")
    assert best_moves(alone.quiet_lines()) == 0


def test_what_waits_is_done_in_its_turn(alone) -> None:
    alone.send("go infinite", "go depth 2", "go infinite", "isready")
    assert best_moves(alone.read_until("readyok")) == 0
    alone.send("stop", "go perft 1", "go depth 1")
    lines = [*alone.read_until("Nodes searched: 20"), *alone.read_until("bestmove")]
    assert best_moves([*lines, *alone.quiet_lines()]) == 4


@pytest.mark.parametrize("farewell", ["quit", ""])
def test_quit_and_end_of_input_are_read_within_a_search(alone, farewell: str) -> None:
    alone.send("go")
    alone.read_until("info depth 1 ")
    if farewell:
        alone.send(farewell)
    assert alone.end() == 0
    assert alone.stderr() == ""


def test_search_that_ends_by_itself_is_finished_at_the_end_of_input(alone) -> None:
    alone.send("go depth 9", "go nodes 100")
    assert alone.end() == 0
    assert alone.read_until("bestmove")[-2].startswith("info depth 9 ")
    alone.read_until("bestmove")


def test_answers_in_full_are_given(alone) -> None:
    alone.send("go perft 3", "bench 1 1 1 current")
    assert alone.read_until("Nodes")[-1] == "Nodes searched: 8902"
    alone.read_until("Nodes/second")
    assert alone.end() == 0
