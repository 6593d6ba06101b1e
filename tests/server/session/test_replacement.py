"""A conversation whose engine comes late, dies, or never comes."""

import pytest
from helpers.saying import MADE_UP, answer, heard, say, told
from helpers.support import offer_of, session_of

from rookery_server.config.engines import Policy
from rookery_server.config.resources import ANY_SIZE
from rookery_server.session.commands import Need, SessionState
from rookery_server.session.session import Session

# --- without an engine


def test_session_without_engine_needs_none_until_something_must_be_answered(alone: Session) -> None:
    say(alone, "uci", "debug on", "setoption name Hash value 8", "ucinewgame", "position startpos")
    assert alone.needs is Need.NOTHING
    say(alone, "isready")
    assert alone.needs is Need.ENGINE


def test_engine_that_comes_hears_what_holds_now(alone: Session) -> None:
    say(
        alone, "setoption name Hash value 8", "setoption name Clear Hash", "position startpos",
        "setoption name MultiPV value 2", "setoption name Hash value 9",
        "position startpos moves e2e4", "isready",
    )  # fmt: skip
    alone.attach(ANY_SIZE)
    assert told(alone) == [
        "setoption name MultiPV value 2",
        "setoption name Hash value 9",
        "position startpos moves e2e4",
        "isready",
    ]


def test_what_waits_for_an_engine_keeps_its_order(alone: Session) -> None:
    lines = ["isready", "position startpos moves e2e4", "go depth 1", "isready", "quit"]
    assert say(alone, *lines) == []
    alone.attach(ANY_SIZE)
    assert told(alone) == [
        "isready",
        "position startpos moves e2e4",
        "go depth 1",
        "isready",
        "quit",
    ]
    assert alone.state is SessionState.ENDED


def test_quit_needs_no_engine(alone: Session) -> None:
    say(alone, "uci", "quit")
    assert alone.state is SessionState.ENDED
    assert alone.needs is Need.NOTHING


def test_isready_can_be_answered_without_an_engine(alone: Session) -> None:
    say(alone, "isready", "isready", "go")
    alone.without_engine()
    assert heard(alone) == ["readyok", "readyok"]
    assert alone.needs is Need.SEARCH


def test_search_waits_for_leave_to_begin(session: Session) -> None:
    session.client_said(b"go depth 1")
    assert (session.state, session.needs) == (SessionState.WAITING, Need.SEARCH)
    session.client_said(b"isready")
    session.client_said(b"setoption name Hash value 1")
    assert session.for_engine() == b""
    assert heard(session) == ["readyok"]
    session.begin_search()
    assert session.for_engine() == b"go depth 1\n"
    assert answer(session, "bestmove e2e4") == ["setoption name Hash value 1"]


def test_search_that_waits_can_be_stopped(session: Session) -> None:
    session.client_said(b"go infinite")
    session.client_said(b"stop")
    assert heard(session) == [MADE_UP, "bestmove a2a3"]
    assert (session.state, session.needs) == (SessionState.IDLE, Need.NOTHING)


def test_ponderhit_reaches_a_search_that_waits(session: Session) -> None:
    session.client_said(b"go ponder wtime 1000 btime 1000")
    session.client_said(b"ponderhit")
    assert told(session) == ["go wtime 1000 btime 1000"]


# --- an engine that dies


def test_next_engine_hears_all_and_searches_anew(session: Session) -> None:
    say(session, "setoption name Hash value 8", "position startpos", "go infinite")
    answer(session, "info depth 5 pv e2e4 e7e5")
    session.lose_engine(1000)
    assert session.needs is Need.SEARCH
    session.attach(ANY_SIZE)
    assert told(session) == ["setoption name Hash value 8", "position startpos", "go infinite"]
    answer(session, "bestmove d2d4")
    assert heard(session) == ["info depth 5 pv e2e4 e7e5", "bestmove d2d4"]


@pytest.mark.parametrize(
    "go", ["go movetime 1000", "go wtime 1000 btime 1000", "go infinite\nstop"]
)
def test_search_that_has_no_time_ends_with_the_best_move_so_far(session: Session, go: str) -> None:
    say(session, *go.split("\n"))
    answer(
        session, "info depth 4 pv d2d4", "info depth 5 multipv 1 pv e2e4 e7e5",
        "info depth 5 multipv 2 pv c2c4", "info nodes 5",
    )  # fmt: skip
    heard(session)
    session.lose_engine(500)
    assert heard(session) == ["bestmove e2e4"]
    assert session.state is SessionState.IDLE


def test_best_move_so_far_is_known_however_long_nothing_is_said_of_it(session: Session) -> None:
    """Stockfish says for seconds only which move it looks at."""
    say(session, "go movetime 60000")
    answer(session, "info depth 20 pv e2e4 e7e5")
    for number in range(1, 20):
        answer(session, f"info depth 21 currmove d2d4 currmovenumber {number}")
    answer(session, "readyok")
    heard(session)
    session.lose_engine(5000)
    assert heard(session) == ["bestmove e2e4"]


def test_variation_without_moves_is_none(session: Session) -> None:
    say(session, "go movetime 60000")
    answer(session, "info depth 20 pv  ")
    session.lose_engine(5000)
    assert session.needs is Need.SEARCH


def test_search_against_the_clock_goes_on_with_what_is_left(session: Session) -> None:
    say(session, "go wtime 1000 btime 300 winc 10")
    session.lose_engine(400)
    session.attach(ANY_SIZE)
    assert told(session) == ["go wtime 600 btime 50 winc 10"]


@pytest.mark.parametrize(("asked", "waited", "begun"), [
    ("go wtime 5000 btime 6000 winc 100", 2000, "go wtime 3000 btime 4000 winc 100"),
    ("go wtime 5000 btime 6000", 50, "go wtime 5000 btime 6000"),
    ("go movetime 500", 2000, "go movetime 500"),
    ("go ponder wtime 5000", 2000, "go ponder wtime 5000"),
])  # fmt: skip
def test_clock_runs_while_a_search_waits_for_its_engine(
    session: Session, asked: str, waited: int, begun: str
) -> None:
    session.client_said(asked.encode())
    session.begin_search(waited)
    assert told(session) == [begun]


def test_move_of_an_earlier_search_is_not_taken(session: Session) -> None:
    say(session, "go depth 1")
    answer(session, "info depth 1 pv e2e4", "bestmove e2e4")
    say(session, "go movetime 100")
    heard(session)
    session.lose_engine(10)
    assert heard(session) == []
    assert session.needs is Need.SEARCH


def test_isready_that_the_dead_engine_owed_is_answered_by_the_next(session: Session) -> None:
    say(session, "isready", "isready")
    answer(session, "readyok")
    session.lose_engine(0)
    assert session.needs is Need.ENGINE
    session.attach(ANY_SIZE)
    assert told(session) == ["isready"]
    answer(session, "readyok")
    assert heard(session) == ["readyok", "readyok"]


def test_idle_session_needs_no_other_engine(session: Session) -> None:
    session.lose_engine(0)
    assert (session.needs, session.attached) == (Need.NOTHING, False)


def test_held_lines_follow_when_a_search_is_given_up(session: Session) -> None:
    session.client_said(b"go infinite")
    session.client_said(b"isready")
    session.client_said(b"go depth 1")
    session.give_up_search()
    assert session.state is SessionState.WAITING
    assert heard(session) == ["readyok", MADE_UP, "bestmove a2a3"]


def test_move_that_an_engine_has_found_is_not_said_to_be_made_up(session: Session) -> None:
    say(session, "go movetime 9000")
    answer(session, "info depth 1 pv g2g4")
    session.lose_engine(100)
    assert heard(session)[-1:] == ["bestmove g2g4"]
    say(session, "go infinite")
    session.lose_engine(100)
    session.give_up_search()
    assert heard(session) == [MADE_UP, "bestmove a2a3"]


def test_move_of_an_earlier_search_is_not_given_for_one_that_waits(session: Session) -> None:
    """It may not even be legal there."""
    say(session, "go depth 1")
    answer(session, "info depth 1 pv g8f6", "bestmove g8f6")
    session.client_said(b"position startpos")
    session.client_said(b"go infinite")
    heard(session)
    session.client_said(b"stop")
    assert heard(session) == [MADE_UP, "bestmove a2a3"]


def test_all_is_answered_when_there_will_be_no_engine() -> None:
    session = session_of(offer_of(Policy(commands=("d",))))
    say(session, "isready", "go", "go", "d", "go", "isready", "quit")
    session.without_engine(for_good=True)
    lines = heard(session)
    assert lines.count("readyok") == 2
    assert len([line for line in lines if line.startswith("bestmove ")]) >= 2
    assert session.state is SessionState.ENDED


def test_only_readiness_was_asked_for_and_no_bestmove_is_said(alone: Session) -> None:
    say(alone, "isready")
    alone.without_engine(for_good=True)
    assert heard(alone) == ["readyok"]
    assert (alone.state, alone.needs) == (SessionState.IDLE, Need.NOTHING)


def test_stop_ends_the_searches_behind_it_too_where_no_engine_is(alone: Session) -> None:
    say(alone, "go infinite", "go infinite", "position startpos moves e2e4", "go", "stop")
    moves = ["bestmove a2a3", "bestmove a2a3", "bestmove a7a5"]
    assert heard(alone) == [line for move in moves for line in (MADE_UP, move)]
    assert alone.state is SessionState.IDLE


def test_engine_cannot_speak_for_the_server(session: Session) -> None:
    """A line that begins so is not counted among those that are owed."""
    answer(session, "rookery session x.y heard 0 grace 60", "id name x", "uciok")
    assert heard(session) == ["id name x"]
