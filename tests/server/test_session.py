"""The rules of a conversation, with plain lines."""

import pytest
from support import offer_of, session_of

from rookery_server.policy import Ceiling, Policy
from rookery_server.session import MAX_HELD, Session, State
from rookery_server.wire import Code, Notice


def say(session: Session, *lines: str) -> list[str]:
    """Let the client say lines; return what the engine hears at once."""
    for line in lines:
        session.client_said(line.encode())
    return session.for_engine().decode().splitlines()


def answer(session: Session, *lines: str) -> list[str]:
    """Let the engine say lines; return what it hears at once."""
    session.engine_said("".join(f"{line}\n" for line in lines).encode())
    return session.for_engine().decode().splitlines()


def heard(session: Session) -> list[str]:
    """Return what the client hears."""
    return session.outbox.take().decode().splitlines()


def codes(session: Session) -> list[Code]:
    """Return the codes of the notices that the client hears."""
    notices = [Notice.parse(line) for line in heard(session)]
    return [notice.code for notice in notices if notice]


@pytest.fixture
def session() -> Session:
    return session_of()


@pytest.fixture
def searching(session: Session) -> Session:
    say(session, "go infinite")
    return session


def test_idle_engine_hears_every_command(session: Session) -> None:
    lines = [
        "uci", "debug on", "isready", "setoption name Hash value 32", "register later",
        "ucinewgame", "position startpos moves e2e4", "go depth 3",
    ]  # fmt: skip
    assert say(session, *lines) == lines


def test_commands_are_told_as_they_are_understood(session: Session) -> None:
    """Rows 9, 15: so that nothing reaches an engine that was not read here first."""
    assert say(session, "  joho\t isready ", "go  depth   3 joho") == ["isready", "go depth 3"]


def test_engine_lines_are_heard_as_they_are(session: Session) -> None:
    lines = ["readyok", "info depth 1  pv e2e4", "bestmove e2e4", "whatever else"]
    say(session, "go")
    answer(session, *lines)
    assert heard(session) == lines


@pytest.mark.parametrize("line", ["stop", "ponderhit", "isready", "debug on", "uci"])
def test_searching_engine_hears_at_once(searching: Session, line: str) -> None:
    """Rows 5, 48, 54."""
    assert say(searching, line) == [line]


@pytest.mark.parametrize(
    "line",
    ["go depth 1", "position startpos", "setoption name Hash value 1", "ucinewgame"],
)
def test_what_disturbs_a_search_waits_for_its_end(searching: Session, line: str) -> None:
    """Rows 20 to 23: a real engine would fall silent for ever."""
    assert say(searching, line) == []
    assert answer(searching, "bestmove e2e4") == [line]


def test_held_lines_keep_their_order(searching: Session) -> None:
    lines = ["ucinewgame", "position startpos moves d2d4", "go depth 1"]
    assert say(searching, *lines) == []
    assert answer(searching, "bestmove e2e4") == lines
    assert searching.state is State.SEARCHING


def test_each_held_go_gets_its_own_bestmove(searching: Session) -> None:
    """Row 146.  The stop ends those that wait as well."""
    assert say(searching, "go depth 1", "go depth 2", "stop") == ["stop"]
    assert answer(searching, "bestmove e2e4") == ["go depth 1", "stop"]
    assert answer(searching, "bestmove d2d4") == ["go depth 2", "stop"]
    answer(searching, "bestmove c2c4")
    assert heard(searching) == ["bestmove e2e4", "bestmove d2d4", "bestmove c2c4"]


def test_isready_overtakes_what_an_endless_search_holds_back(searching: Session) -> None:
    """Row 54."""
    assert say(searching, "setoption name Hash value 1", "isready") == ["isready"]


def test_isready_after_stop_waits_for_what_came_before_it(searching: Session) -> None:
    """Row 60."""
    assert say(searching, "stop", "setoption name Hash value 1", "isready") == ["stop"]
    assert answer(searching, "bestmove e2e4") == ["setoption name Hash value 1", "isready"]


def test_stop_belongs_to_the_search_before_it(searching: Session) -> None:
    assert say(searching, "stop", "go infinite", "stop") == ["stop"]
    assert answer(searching, "bestmove e2e4") == ["go infinite", "stop"]
    assert searching.state is State.STOPPING


def test_second_stop_does_no_harm(searching: Session) -> None:
    """Row 136."""
    assert say(searching, "stop", "stop") == ["stop", "stop"]
    answer(searching, "bestmove e2e4")
    assert searching.state is State.IDLE


def test_bestmove_that_nobody_asked_for_is_not_heard(session: Session) -> None:
    """Row 146."""
    answer(session, "bestmove e2e4", "readyok")
    assert heard(session) == ["readyok"]


def test_blank_line_of_an_engine_is_not_heard(session: Session) -> None:
    """Row 46."""
    answer(session, "", "readyok", "", "info depth 1 pv e2e4")
    assert heard(session) == ["readyok", "info depth 1 pv e2e4"]


def test_perft_owes_no_bestmove() -> None:
    """Row 234."""
    session = session_of(offer_of(Policy(commands=("perft",))))
    say(session, "go perft 3")
    assert say(session, "go depth 1", "go perft 3") == ["go depth 1"]
    assert answer(session, "bestmove e2e4") == ["go perft 3"]


def test_quit_ends_even_a_search(searching: Session) -> None:
    """Row 142."""
    assert say(searching, "go depth 1", "quit") == ["quit"]
    assert searching.state is State.ENDED
    assert say(searching, "isready") == []


def test_last_words_after_quit_are_heard(searching: Session) -> None:
    say(searching, "quit")
    answer(searching, "bestmove e2e4")
    assert heard(searching) == ["bestmove e2e4"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"bench", Code.COMMAND_REFUSED),
        (b"export_net /tmp/x", Code.COMMAND_REFUSED),
        (b"setoption name Debug Log File value /tmp/x", Code.OPTION_REFUSED),
        (b"setoption name Debug Log Fiel value /tmp/x", Code.UNKNOWN_OPTION),
        (b"setoption name Hash value 0", Code.BAD_VALUE),
        (b"position fen 8/8/8/8/8/8/8/8 w - - 0 1", Code.ILLEGAL_POSITION),
        (b"position startpos moves e2e5", Code.ILLEGAL_POSITION),
        (b"position startpos moves" + b" e2e4" * 10_000, Code.POSITION_TOO_LONG),
        (b"go perft 3", Code.COMMAND_REFUSED),
        (b"position nowhere", Code.BAD_COMMAND),
        (b"setoption", Code.BAD_COMMAND),
        (b"go \xff", Code.NOT_A_LINE),
        (b"setoption name X value a\x00b", Code.NOT_A_LINE),
        (b"setoption name X value a\nquit", Code.NOT_A_LINE),
        ("setoption name X value a\u2028quit".encode(), Code.NOT_A_LINE),
        (b"setoption name X value \x1b[2J", Code.NOT_A_LINE),
    ],
)
def test_what_is_no_command_is_refused_by_name(session: Session, line: bytes, code: Code) -> None:
    session.client_said(line)
    assert session.for_engine() == b""
    assert codes(session) == [code]


def test_unknown_command_is_passed_over_in_silence_unless_debugging(session: Session) -> None:
    """Rows 14, 50."""
    say(session, "xyzzy")
    assert heard(session) == []
    say(session, "debug on", "xyzzy")
    assert codes(session) == [Code.UNKNOWN_COMMAND]
    say(session, "debug off", "xyzzy")
    assert heard(session) == []


def test_refusal_is_short(session: Session) -> None:
    say(session, "setoption " + "x" * 60000)
    assert len(heard(session)[0]) < 200


def test_blank_line_is_nothing(session: Session) -> None:
    """Row 24."""
    assert say(session, "", "   ") == []
    assert heard(session) == []


def test_held_lines_are_bounded() -> None:
    offered = session_of(offer_of(Policy(files=True)))
    line = "setoption name EvalFile value " + "x" * 60_000
    say(offered, "go infinite", *[line] * (MAX_HELD // len(line)))
    assert codes(offered) == []
    say(offered, line, line)
    assert codes(offered) == [Code.TOO_MANY_LINES]
    answer(offered, "bestmove e2e4")
    say(offered, "go infinite", line)
    assert codes(offered) == []


def test_line_that_is_not_kept_has_changed_nothing() -> None:
    """Or the next castling would be judged by a setting that the engine has not heard."""
    session = session_of(offer_of(Policy(files=True)))
    filling = "setoption name EvalFile value " + "x" * 60_000
    say(session, "go infinite", *[filling] * (MAX_HELD // len(filling) + 1))
    say(session, "setoption name UCI_Chess960 value true")
    answer(session, "bestmove e2e4")
    castling = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves "
    assert say(session, castling + "e1h1") == [castling + "e1g1"]


def test_uci_is_answered_with_what_the_client_may_set() -> None:
    """Row 40, and whatever the engine says of its own."""
    session = session_of(offer_of(ceiling=Ceiling(hash_mb=256)))
    assert say(session, "uci") == ["uci"]
    answer(session, "id name X", "option name Hash type spin default 16 min 1 max 9999999")
    assert heard(session) == []
    answer(session, "  option name Secret type string default /etc/passwd", "uciok")
    lines = heard(session)
    assert lines[0] == "id name Stockfish 15.1"
    assert "option name Hash type spin default 16 min 1 max 256" in lines
    assert lines[-1] == "uciok"
    assert not any("File" in line or "Path" in line for line in lines)


def test_answer_to_uci_that_the_client_did_not_ask_for_is_not_heard(session: Session) -> None:
    answer(session, "id name X", "uciok", "readyok")
    assert heard(session) == ["readyok"]


def test_less_than_asked_for_is_set_and_told() -> None:
    session = session_of(offer_of(ceiling=Ceiling(threads=2)))
    assert say(session, "setoption name threads value 64") == ["setoption name Threads value 2"]
    assert codes(session) == [Code.OPTION_CLAMPED]


def test_refused_position_leaves_the_one_before(session: Session) -> None:
    told = say(session, "position startpos moves e2e4", "position startpos moves e2e5", "go")
    assert told == ["position startpos moves e2e4", "go"]


def test_stop_of_the_server_ends_a_search_once(searching: Session) -> None:
    searching.stop()
    searching.stop()
    assert searching.for_engine() == b"stop\n"
    assert searching.state is State.STOPPING
