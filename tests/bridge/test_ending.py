"""Searches whose server ends, with plain lines."""

import pytest
from helpers.talking import Talk

WAITING = "info string rookery waiting: you are number 1 of 1 to get an engine"
MADE_UP = "info string rookery no-search: no engine has searched this"
ENDS = "info string rookery draining: the server is shutting down"


@pytest.mark.parametrize("go", ["infinite", "ponder wtime 9000 btime 9000", "depth 9"])
def test_search_goes_on_at_the_next_server(pair: Talk, go: str) -> None:
    """Rows 107, 125, 138: a GUI that has not said `stop` hears no move."""
    pair.say("position startpos", f"go {go}")
    assert pair.answer("info depth 1 pv e2e4", ENDS, "bestmove e2e4", ENDS) == [
        "info depth 1 pv e2e4", ENDS, ENDS,
    ]  # fmt: skip
    pair.lose()
    pair.hello()
    pair.answer("info string rookery unknown-session: there is none")
    assert pair.link() == ["position startpos", f"go {go}", "position startpos"]
    pair.say("stop")
    pair.heard()
    assert pair.answer("bestmove d2d4") == ["bestmove d2d4"]


def test_search_that_waits_at_a_server_that_ends_goes_on_at_the_next(pair: Talk) -> None:
    """Of the move that is made up there nothing is heard, nor thought of the next one's."""
    pair.say("position startpos", "go infinite")
    assert pair.answer(WAITING, ENDS, MADE_UP, "bestmove a2a3") == [WAITING, ENDS]
    pair.lose()
    pair.hello()
    pair.answer("info string rookery unknown-session: there is none")
    pair.link()
    pair.say("stop")
    pair.heard()
    assert pair.answer("info depth 9 pv d2d4", "bestmove d2d4")[-1] == "bestmove d2d4"
    assert pair.fallback_hears() == []


def test_search_that_waited_is_given_back_to_the_next_server(pair: Talk) -> None:
    pair.say("position startpos", "go infinite")
    pair.answer(WAITING, ENDS)
    pair.lose()
    pair.wait(3.1)
    assert pair.fallback_hears() == ["position startpos", "go infinite"]
    pair.hello()
    pair.answer("info string rookery unknown-session: there is none")
    pair.link()
    pair.heard()
    assert pair.fallback_hears() == ["stop"]
    assert pair.answer("info depth 9 pv d2d4") == ["info depth 9 pv d2d4"]


def test_next_server_may_have_an_engine_where_the_last_had_none(pair: Talk) -> None:
    pair.say("isready")
    pair.answer(WAITING, "readyok")
    pair.lose()
    pair.hello()
    pair.answer("info string rookery unknown-session: there is none")
    pair.link()
    pair.say("go wtime 60000 btime 60000")
    pair.answer("rookery heard 1")
    pair.wait(1.1)
    assert pair.fallback_hears() == []


@pytest.mark.parametrize(
    ("ends", "moves"),
    [
        ("ponderhit", ["bestmove e2e4"]),
        ("stop", ["bestmove e2e4"]),
        ("isready", []),
    ],
)
def test_move_that_comes_while_the_gui_ponders_is_said_when_it_may_be(
    pair: Talk, ends: str, moves: list[str]
) -> None:
    """Rows 107, 138: who has heard a move before `ponderhit` waits for another after it."""
    pair.say("position startpos", "go ponder wtime 90000 btime 90000")
    stopped = "info string rookery quota-search: the search was stopped after 60 s"
    assert pair.answer("info depth 9 pv e2e4", stopped, "bestmove e2e4")[1:] == [stopped]
    pair.answer("rookery heard 2")
    assert pair.lose()
    assert pair.wait(60) == []
    assert pair.fallback_hears() == []
    pair.link(heard=2)
    pair.heard()
    pair.say(ends)
    assert pair.heard() == moves
    pair.answer("readyok")
    pair.say("go depth 1")
    assert pair.answer("bestmove d2d4")[-1] == "bestmove d2d4"


@pytest.mark.parametrize("fall_back", [False, True])
def test_move_that_comes_before_stop_is_said_after_it(fall_back: bool) -> None:
    """Rows 125, 126: who has heard a move waits for another when it says `stop`."""
    talk = Talk(fall_back=fall_back)
    talk.link()
    talk.heard()
    talk.say("position startpos", "go infinite")
    stopped = "info string rookery quota-search: the search was stopped after 60 s"
    assert talk.answer("info depth 9 pv e2e4", stopped, "bestmove e2e4")[1:] == [stopped]
    talk.answer("rookery heard 2")
    talk.lose()
    assert talk.wait(60) == []
    assert talk.fallback_hears() == []
    talk.link(heard=2)
    talk.heard()
    talk.say("stop")
    assert talk.heard() == ["bestmove e2e4"]
    talk.say("position startpos moves e2e4", "go depth 1")
    assert talk.answer("bestmove e7e5")[-1] == "bestmove e7e5"


def test_move_that_was_kept_is_said_before_that_of_the_next_search(pair: Talk) -> None:
    """Row 20."""
    pair.say("position startpos", "go infinite")
    assert pair.answer("bestmove e2e4") == []
    pair.say("position startpos moves e2e4", "go depth 1")
    assert pair.heard() == ["bestmove e2e4"]
    assert pair.answer("bestmove e7e5") == ["bestmove e7e5"]


def test_program_hears_at_once_that_a_search_is_over() -> None:
    """It waits for no `stop`: an analysis that has ended is to be known as such."""
    talk = Talk(may_guess=False)
    talk.link()
    talk.say("go infinite")
    assert talk.answer("bestmove e2e4") == ["bestmove e2e4"]


REVOKED = "info string rookery unauthorized: the token was revoked"


@pytest.mark.parametrize("go", ["infinite", "ponder"])
@pytest.mark.parametrize("lines", [(REVOKED, "bestmove e2e4"), ("bestmove e2e4", REVOKED)])
def test_engine_of_this_machine_goes_on_with_what_a_refusal_ends(
    pair: Talk, go: str, lines: tuple[str, str]
) -> None:
    """Rows 107, 125: the server's move, which comes first or last, is not the search's."""
    pair.say("position startpos", f"go {go}")
    assert "bestmove e2e4" not in pair.answer("info depth 1 pv e2e4", *lines)
    pair.lose()
    pair.wait(3.1)
    assert pair.fallback_hears() == ["position startpos", f"go {go}"]
    assert pair.local_says("uciok", "info depth 9 pv d2d4") == ["info depth 9 pv d2d4"]
    pair.say("stop")
    assert pair.fallback_hears() == ["stop"]
    assert pair.local_says("bestmove d2d4") == ["bestmove d2d4"]


def test_without_another_engine_a_refusal_leaves_the_servers_move() -> None:
    talk = Talk()
    talk.link()
    talk.heard()
    talk.say("position startpos", "go infinite")
    assert talk.answer("bestmove e2e4", REVOKED) == [REVOKED]
    talk.collect(talk.core.answer_all(talk.now))
    assert talk.heard() == ["bestmove e2e4"]


@pytest.mark.parametrize("is_early", [True, False])
def test_move_of_a_search_that_should_ponder_is_said_before_the_next_search(
    pair: Talk, is_early: bool
) -> None:
    """Rows 41, 162: what is said of the next is not taken for what is said of this one."""
    pair.say("position joho", "go ponder")
    if is_early:
        assert pair.answer("bestmove 0000") == []
    pair.say("position startpos", "go infinite")
    assert (pair.heard() if is_early else pair.answer("bestmove 0000")) == ["bestmove 0000"]
    assert pair.answer("info depth 1 pv e2e4") == ["info depth 1 pv e2e4"]
    pair.say("stop")
    assert pair.answer("bestmove e2e4") == ["bestmove e2e4"]


def test_ponderhit_while_no_server_is_there_is_answered_by_the_next(pair: Talk) -> None:
    pair.say("position startpos", "go ponder wtime 20000 btime 20000")
    pair.answer(ENDS, "bestmove e2e4", ENDS)
    pair.lose()
    pair.say("ponderhit")
    pair.hello()
    pair.answer("info string rookery unknown-session: there is none")
    assert "go wtime 20000 btime 20000" in pair.link()
    pair.heard()
    assert pair.answer("bestmove d2d4") == ["bestmove d2d4"]


@pytest.mark.parametrize(
    ("go", "lasts", "is_taken"),
    [
        ("wtime 20000 btime 20000", 0.1, False),
        ("wtime 20000 btime 20000", 5.0, True),
        ("movetime 20000", 5.0, False),
        ("movetime 20000", 19.0, True),
        ("movetime 1000", 0.1, True),
    ],
)
def test_clock_that_has_time_left_is_worth_another_server(
    pair: Talk, go: str, lasts: float, *, is_taken: bool
) -> None:
    pair.say("position startpos", f"go {go}")
    pair.answer("info depth 1 pv e2e4")
    pair.now += lasts
    assert pair.answer(ENDS, "bestmove d2d4") == [ENDS, *["bestmove d2d4"] * is_taken]


def test_search_that_was_to_stop_has_its_move_from_a_server_that_ends(pair: Talk) -> None:
    pair.say("position startpos", "go infinite", "stop")
    assert pair.answer(ENDS, "bestmove e2e4") == [ENDS, "bestmove e2e4"]
    pair.say("go infinite", "quit")
    assert pair.answer("bestmove e2e4") == ["bestmove e2e4"]
