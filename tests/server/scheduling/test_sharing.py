"""The lines of a session that spectators are shown."""

import pytest
from helpers.saying import answer, heard, say

from rookery_server.config.resources import Size
from rookery_server.session.session import Session
from rookery_uci import MAX_LINE


def test_none_is_shown_what_the_engine_is_told_unless_that_is_wanted(session: Session) -> None:
    say(session, "position startpos", "go infinite", "stop")
    assert heard(session) == []


def test_what_takes_effect_is_shown_in_its_place(session: Session) -> None:
    assert session.start_sharing() == b""
    say(session, "isready", "position startpos", "go depth 1", "setoption name Hash value 32")
    say(session, "position startpos moves e2e5")
    answer(session, "readyok", "info depth 1 pv e2e4", "bestmove e2e4")
    assert [line for line in heard(session) if "illegal-position" not in line] == [
        "rookery room said position startpos",
        "rookery room said go depth 1",
        "readyok",
        "info depth 1 pv e2e4",
        "bestmove e2e4",
        "rookery room said setoption name Hash value 32",
    ]


def test_session_that_begins_to_share_says_what_holds_now(session: Session) -> None:
    say(session, "setoption name Hash value 32", "position startpos moves e2e4")
    setting = (
        b"rookery room said setoption name Hash value 32\n"
        b"rookery room said position startpos moves e2e4\n"
    )
    assert session.start_sharing() == setting
    say(session, "go infinite")
    answer(session, "info depth 1 pv e7e5")
    assert session.start_sharing() == (
        setting + b"rookery room said go infinite\ninfo depth 1 pv e7e5\n"
    )


def test_option_is_shown_as_there_is_room_for_it(session: Session) -> None:
    session.start_sharing()
    say(session, "setoption name Hash value 32", room=Size(1, 16))
    assert "rookery room said setoption name Hash value 16" in heard(session)


@pytest.mark.parametrize(("moves", "is_shown"), [(13_100, True), (13_104, False)])
def test_what_no_line_has_room_for_is_not_shown(
    session: Session, moves: int, is_shown: bool
) -> None:
    session.start_sharing()
    line = "go searchmoves" + " e2e4" * moves
    assert len(line) <= MAX_LINE
    assert say(session, line) == [line]
    assert heard(session) == ([f"rookery room said {line}"] if is_shown else [])


def test_answers_that_are_to_come_are_counted(session: Session) -> None:
    say(session, "isready", "go infinite", "isready", "stop", "position startpos", "isready")
    assert session.unanswered == 3
    answer(session, "readyok")
    assert session.unanswered == 2


def test_stop_that_stops_nothing_is_not_shown(session: Session) -> None:
    session.start_sharing()
    say(session, "stop", "ponderhit")
    assert heard(session) == []
