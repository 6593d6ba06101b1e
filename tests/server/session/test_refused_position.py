"""Positions that are refused or mended: what a session says, and what it searches after them."""

import pytest
from helpers.saying import answer, codes, heard, say, told
from helpers.support import code_of, offer_of, session_of

from rookery_protocol.notices import Code
from rookery_server.config.engines import Policy
from rookery_server.config.resources import ANY_SIZE
from rookery_server.session.pending_commands import MAX_SIZE
from rookery_server.session.session import Session


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"position fen 4k3/8/8/8/8/8/8/8 w - - 0 1", Code.ILLEGAL_POSITION),
        (b"position startpos moves e2e5", Code.ILLEGAL_POSITION),
        (b"position startpos moves" + b" e2e4" * 10_000, Code.POSITION_TOO_LONG),
        (b"position nowhere", Code.BAD_COMMAND),
        (b" position startpos \xff", Code.NOT_A_LINE),
        (b"joho position fen", Code.BAD_COMMAND),
        (b"joho position startpos \xff", Code.NOT_A_LINE),
    ],
)
def test_after_a_position_that_is_refused_no_other_one_is_searched(
    session: Session, line: bytes, code: Code
) -> None:
    """Else a GUI would take the engine's move of an earlier position, or be shown its lines."""
    say(session, "position startpos moves e2e4")
    session.client_said(line)
    assert codes(session) == [code]
    for _ in range(2):
        assert say(session, "go depth 5") == []
        notice, move = heard(session)
        assert code_of(notice) is code
        assert move == "bestmove 0000"
    lines = ["position startpos moves d2d4", "go depth 1"]
    assert say(session, *lines) == lines


@pytest.mark.parametrize(("go", "ending"), [
    ("go infinite", "stop"), ("go ponder wtime 1000 btime 1000", "ponderhit"),
    ("go ponder depth 4", "stop"), ("go infinite", "quit"), ("go infinite", "position startpos"),
    ("go infinite", "go infinite"), ("go ponder infinite", "ucinewgame"),
])  # fmt: skip
def test_move_of_a_refused_position_comes_when_it_is_expected(
    session: Session, go: str, ending: str
) -> None:
    say(session, "position nowhere", "isready", go, "debug on", "isready")
    if "infinite" in go:
        say(session, "ponderhit")
    assert [code_of(line) for line in heard(session)] == [Code.BAD_COMMAND] * 2
    say(session, ending)
    assert heard(session)[0] == "bestmove 0000"
    say(session, "stop", "stop", "ponderhit")
    moves = [line for line in heard(session) if line.startswith("bestmove")]
    assert len(moves) == (ending == "go infinite")


def test_move_of_a_refused_position_comes_when_the_client_ends_its_input(session: Session) -> None:
    say(session, "position nowhere", "go infinite")
    heard(session)
    session.end()
    assert heard(session) == ["bestmove 0000"]


def test_refusal_outlives_the_engine(session: Session) -> None:
    say(session, "position startpos moves e2e4", "position nowhere")
    session.lose_engine(0)
    session.attach(ANY_SIZE)
    told(session)
    heard(session)
    assert say(session, "go depth 1") == []
    assert heard(session)[-1] == "bestmove 0000"


def test_new_game_is_no_position(session: Session) -> None:
    say(session, "position nowhere", "ucinewgame", "setoption name UCI_Chess960 value true")
    heard(session)
    assert say(session, "go depth 1") == []
    assert heard(session)[-1] == "bestmove 0000"


def test_what_is_shown_or_counted_is_not_of_another_position() -> None:
    session = session_of(offer_of(Policy(commands=("perft", "d", "eval", "flip", "bench"))))
    session.attach(ANY_SIZE)
    say(session, "position nowhere")
    heard(session)
    for line in ("d", "eval", "flip", "bench 16 1 1 current"):
        assert say(session, line) == []
        assert codes(session) == [Code.BAD_COMMAND]
    assert say(session, "go perft 1") == []
    notice, count = heard(session)
    assert code_of(notice) is Code.BAD_COMMAND
    assert count == "Nodes searched: 0"
    assert say(session, "bench 16 1 1") == ["bench 16 1 1"]


def test_what_was_mended_is_said_to_a_client_that_debugs(session: Session) -> None:
    fen = "4k3/P7/8/8/8/8/8/4K3 W KQ - - -"
    told = "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q"
    assert say(session, f"position fen {fen} moves a7a8Q") == [told]
    assert heard(session) == []
    assert say(session, "debug on", f"position fen {fen} moves a7a8Q")[-1] == told
    (line,) = heard(session)
    assert code_of(line) is Code.POSITION_MENDED
    assert "side to move 'W' is read as w; castling 'KQ' is read as -" in line
    assert "move 1 'a7a8Q' is read as a7a8q" in line
    assert say(session, "go depth 1") == ["go depth 1"]
    say(session, "debug off")


def test_position_that_is_refused_is_not_that_of_a_search_before_it(searching: Session) -> None:
    lines = ["position startpos moves d2d4", "go depth 1"]
    say(searching, *lines, "position startpos moves e2e5", "go depth 2", "go depth 3", "isready")
    assert codes(searching) == [Code.ILLEGAL_POSITION]
    assert answer(searching, "bestmove e2e4") == lines
    heard(searching)
    say(searching, "position startpos", "go depth 4")
    assert answer(searching, "bestmove d7d5") == ["position startpos", "go depth 4"]
    moves = [line for line in heard(searching) if "info" not in line]
    assert moves == ["bestmove d7d5", "bestmove 0000", "bestmove 0000"]


def test_position_that_finds_no_room_is_not_searched_for(searching: Session) -> None:
    line = "setoption name Hash value 32"
    say(searching, *[line] * (MAX_SIZE // len(line)), "position startpos moves d2d4")
    answer(searching, "bestmove e2e4")
    heard(searching)
    assert say(searching, "go") == []
    assert heard(searching)[-1] == "bestmove 0000"


def test_client_that_watches_hears_of_a_search_that_is_none(session: Session) -> None:
    session.start_sharing()
    say(session, "position nowhere", "go depth 1")
    said, notice, move = heard(session)[1:]
    assert said == "rookery room said go depth 1"
    assert code_of(notice) is Code.BAD_COMMAND
    assert move == "bestmove 0000"
