"""What becomes of a search whose server ends, with plain lines."""

import pytest
from talk import Talk

ENDS = "info string rookery draining: the server is shutting down"


@pytest.mark.parametrize("go", ["infinite", "ponder wtime 9000 btime 9000", "depth 9"])
def test_search_goes_on_at_the_next_server(pair: Talk, go: str) -> None:
    """Rows 107, 125, 138: a GUI that has not said `stop` hears no move."""
    pair.say("position startpos", f"go {go}")
    assert pair.answer("info depth 1 pv e2e4", ENDS, "bestmove e2e4", ENDS) == [
        "info depth 1 pv e2e4", ENDS, ENDS,
    ]  # fmt: skip
    pair.lose()
    pair.core.greeting()
    pair.answer("info string rookery unknown-session: there is none")
    assert pair.link() == ["position startpos", f"go {go}", "position startpos"]
    pair.heard()
    assert pair.answer("bestmove d2d4") == ["bestmove d2d4"]


def test_ponderhit_while_no_server_is_there_is_answered_by_the_next(pair: Talk) -> None:
    pair.say("position startpos", "go ponder wtime 20000 btime 20000")
    pair.answer(ENDS, "bestmove e2e4", ENDS)
    pair.lose()
    pair.say("ponderhit")
    pair.core.greeting()
    pair.answer("info string rookery unknown-session: there is none")
    assert "go wtime 20000 btime 20000" in pair.link()
    pair.heard()
    assert pair.answer("bestmove d2d4") == ["bestmove d2d4"]


@pytest.mark.parametrize("lasts", [0.1, 5.0])
def test_clock_that_has_time_left_is_worth_another_server(pair: Talk, lasts: float) -> None:
    pair.say("position startpos", "go wtime 20000 btime 20000")
    pair.answer("info depth 1 pv e2e4")
    pair.now += lasts
    taken = ["bestmove d2d4"] if lasts > 4 else []
    assert pair.answer(ENDS, "bestmove d2d4") == [ENDS, *taken]


def test_search_that_was_to_stop_has_its_move_from_a_server_that_ends(pair: Talk) -> None:
    pair.say("position startpos", "go infinite", "stop")
    assert pair.answer(ENDS, "bestmove e2e4") == [ENDS, "bestmove e2e4"]
    pair.say("go infinite", "quit")
    assert pair.answer("bestmove e2e4") == ["bestmove e2e4"]
