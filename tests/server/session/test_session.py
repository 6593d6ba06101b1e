"""The rules of a conversation, with plain lines."""

import pytest
from helpers.saying import MADE_UP, answer, codes, heard, say, told
from helpers.support import offer_of, session_of

from rookery_protocol.notices import Code
from rookery_server.config.engines import Forced, Policy
from rookery_server.config.resources import ANY_SIZE, Size
from rookery_server.session import validator
from rookery_server.session.commands import Need, SessionState
from rookery_server.session.pending_commands import MAX_SIZE
from rookery_server.session.session import Session


def test_idle_engine_hears_every_command(session: Session) -> None:
    lines = [
        "debug on", "isready", "setoption name Hash value 32", "register later",
        "ucinewgame", "position startpos moves e2e4", "go depth 3",
    ]  # fmt: skip
    assert say(session, *lines) == lines


def test_commands_are_told_as_they_are_understood(session: Session) -> None:
    """Rows 9, 15: so that nothing reaches an engine that was not read here first."""
    assert say(session, "  joho\t isready ", "go  depth   3 joho") == ["isready", "go depth 3"]


def test_engine_lines_are_heard_as_they_are(session: Session) -> None:
    lines = ["readyok", "info depth 1  pv e2e4", "bestmove e2e4", "whatever else"]
    say(session, "isready", "go")
    answer(session, *lines)
    assert heard(session) == lines


@pytest.mark.parametrize("line", ["stop", "ponderhit", "isready", "debug on"])
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
    assert searching.state is SessionState.SEARCHING


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
    assert searching.state is SessionState.STOPPING


def test_second_stop_does_no_harm(searching: Session) -> None:
    """Row 136."""
    assert say(searching, "stop", "stop") == ["stop", "stop"]
    answer(searching, "bestmove e2e4")
    assert searching.state is SessionState.IDLE


def test_bestmove_that_nobody_asked_for_is_not_heard(session: Session) -> None:
    """Row 146."""
    answer(session, "bestmove e2e4", "info string x")
    assert heard(session) == ["info string x"]


def test_readyok_that_nobody_asked_for_is_not_heard(session: Session) -> None:
    say(session, "isready")
    answer(session, "readyok", "readyok")
    assert heard(session) == ["readyok"]


@pytest.mark.parametrize("before", [[], ["go infinite"], ["go infinite", "stop"]])
def test_uci_is_answered_without_the_engine(session: Session, before: list[str]) -> None:
    """Rows 45, 54: what is on offer is known, and a search is not disturbed."""
    say(session, *before)
    assert say(session, "uci") == []
    lines = heard(session)
    assert lines[0] == "id name Stockfish 15.1"
    assert lines[-1] == "uciok"
    assert not any("File" in line or "Path" in line for line in lines)


def test_what_is_offered_is_what_the_account_may_have() -> None:
    session = session_of(offer_of(ceiling=Size(1024, 256)))
    say(session, "uci")
    assert "option name Hash type spin default 16 min 1 max 256" in heard(session)


def test_engine_hears_first_what_the_operator_wants() -> None:
    session = session_of(offer_of(ceiling=Size(1024, 8)))
    session.attach(ANY_SIZE)
    assert told(session) == ["setoption name Hash value 8"]


def test_less_than_asked_for_is_set_and_told() -> None:
    session = session_of(offer_of(ceiling=Size(2, 1 << 26)))
    session.attach(ANY_SIZE)
    assert say(session, "setoption name threads value 64") == ["setoption name Threads value 2"]
    assert codes(session) == [Code.OPTION_CLAMPED]


def test_blank_line_of_an_engine_is_not_heard(session: Session) -> None:
    """Row 46."""
    say(session, "isready")
    answer(session, "", "readyok", "", "info depth 1 pv e2e4")
    assert heard(session) == ["readyok", "info depth 1 pv e2e4"]


def test_answers_count_where_an_engine_indents_them(session: Session) -> None:
    """A GUI takes them, so the search must be over here, too."""
    say(session, "isready", "go depth 1")
    answer(session, " readyok", "\tinfo depth 1 pv e2e4", "  bestmove e2e4")
    assert heard(session) == ["readyok", "info depth 1 pv e2e4", "bestmove e2e4"]
    assert session.state is SessionState.IDLE
    answer(session, " readyok", " bestmove e2e4")
    assert heard(session) == []


def test_engine_steers_no_terminal(searching: Session) -> None:
    """Row 1."""
    answer(searching, "info depth 1 pv e2e4")
    answer(searching, "info string \x1b]0;pwn\x07 caf\xe9 \x9b31m", "bestmove e2e4")
    assert heard(searching) == [
        "info depth 1 pv e2e4", "info string ]0;pwn caf\xe9 31m", "bestmove e2e4",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("info string rookery unauthorized: say your token", "unauthorized: say your token"),
        ("info string rookery cached: 2 lines follow", "cached: 2 lines follow"),
        (" \tinfo  string\trookery  gap: x", "gap: x"),
        ("info string \x07rookery gap: x", "gap: x"),
        ("info string rookery-bridge: x", "-bridge: x"),
    ],
)
def test_no_engine_passes_for_the_server(searching: Session, line: str, told: str) -> None:
    piece = f"{line}\n".encode()
    assert not searching.passes(piece)
    searching.start_sharing()
    answer(searching, "info depth 1 pv e2e4", line, "bestmove e2e4")
    assert heard(searching)[1] == f"info string engine: {told}"


def test_perft_owes_no_bestmove() -> None:
    """Row 234."""
    session = session_of(offer_of(Policy(commands=("perft",))))
    session.attach(ANY_SIZE)
    say(session, "go perft 3")
    assert say(session, "go depth 1", "go perft 3") == ["isready", "go depth 1"]
    assert answer(session, "readyok", "bestmove e2e4") == ["go perft 3"]


def test_quit_ends_even_a_search(searching: Session) -> None:
    """Row 142."""
    assert say(searching, "go depth 1", "quit") == ["quit"]
    assert searching.state is SessionState.ENDED
    assert say(searching, "isready", "uci") == []


def test_quit_waits_for_what_the_engine_is_at(session: Session) -> None:
    """An engine that is told to quit has little time: what it still owes comes first."""
    assert say(session, "setoption name Hash value 1", "isready", "quit") == [
        "setoption name Hash value 1", "isready",
    ]  # fmt: skip
    assert answer(session, "readyok") == ["quit"]
    assert heard(session) == ["readyok"]
    assert session.state is SessionState.ENDED


def test_end_of_input_cuts_a_search(searching: Session) -> None:
    """Row 241."""
    searching.end()
    assert told(searching) == ["stop"]
    assert answer(searching, "bestmove e2e4") == ["quit"]
    assert heard(searching) == ["bestmove e2e4"]


def test_each_go_before_the_end_of_input_gets_its_bestmove(searching: Session) -> None:
    """Row 146, for a client that ends its input and listens."""
    assert say(searching, "position startpos moves e2e4", "go infinite", "go infinite") == []
    searching.end()
    assert told(searching) == ["stop"]
    assert answer(searching, "bestmove e2e4") == [
        "position startpos moves e2e4", "go infinite", "stop",
    ]  # fmt: skip
    assert answer(searching, "bestmove c7c5") == ["go infinite", "stop"]
    assert answer(searching, "bestmove c7c5") == ["quit"]
    assert heard(searching) == ["bestmove e2e4", "bestmove c7c5", "bestmove c7c5"]


def test_end_of_input_waits_for_an_engine_that_has_yet_to_come(alone: Session) -> None:
    say(alone, "go infinite", "isready", "go infinite")
    alone.end()
    assert alone.state is SessionState.WAITING
    alone.attach(ANY_SIZE)
    alone.begin_search()
    assert told(alone) == ["go infinite", "stop"]
    assert answer(alone, "bestmove e2e4") == ["go infinite", "stop"]
    assert answer(alone, "bestmove d2d4") == ["quit"]
    assert heard(alone) == ["readyok", "bestmove e2e4", "bestmove d2d4"]


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
    offered.attach(ANY_SIZE)
    line = "setoption name EvalFile value " + "x" * 60_000
    say(offered, "go infinite", *[line] * (MAX_SIZE // len(line)))
    assert codes(offered) == []
    say(offered, line, line)
    assert codes(offered) == [Code.TOO_MANY_LINES]
    answer(offered, "bestmove e2e4")
    say(offered, "go infinite", line)
    assert codes(offered) == []


def test_what_is_waited_for_has_room_however_much_waits(searching: Session) -> None:
    """Or a client would wait for its `bestmove` and `readyok` for ever."""
    line = "setoption name Hash value 32"
    say(searching, *[line] * (MAX_SIZE // len(line)), "go depth 4", "stop", "isready")
    assert set(codes(searching)) == {Code.TOO_MANY_LINES}
    assert answer(searching, "bestmove e2e4")[-3:] == ["go depth 4", "stop", "isready"]


def test_line_that_is_not_kept_has_changed_nothing() -> None:
    """Or the next castling would be judged by a setting that the engine has not heard."""
    session = session_of(offer_of(Policy(files=True)))
    session.attach(ANY_SIZE)
    filling = "setoption name EvalFile value " + "x" * 60_000
    say(session, "go infinite", *[filling] * (MAX_SIZE // len(filling) + 1))
    say(session, "setoption name UCI_Chess960 value true")
    answer(session, "bestmove e2e4")
    castling = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves "
    assert say(session, castling + "e1h1") == [castling + "e1g1"]


def test_stop_of_the_server_ends_a_search_once(searching: Session) -> None:
    searching.stop()
    searching.stop()
    assert searching.for_engine() == b"stop\n"
    assert searching.state is SessionState.STOPPING


# --- as large as there is room for


def test_engine_is_as_large_as_its_options_say(alone: Session) -> None:
    assert alone.setup.size == Size(1, 16)
    say(alone, "setoption name Threads value 4", "setoption name hash value 64")
    assert alone.setup.size == Size(4, 64)


def test_size_that_the_operator_sets_counts() -> None:
    session = session_of(offer_of(Policy(options=(Forced("Hash", "512"),))))
    assert session.setup.size == Size(1, 512)


def test_engine_that_comes_hears_what_is_granted(alone: Session) -> None:
    say(alone, "setoption name Threads value 4", "setoption name Hash value 64")
    alone.attach(alone.setup.size.within(Size(2, 1000)))
    assert told(alone) == ["setoption name Hash value 64", "setoption name Threads value 2"]
    assert codes(alone) == [Code.OPTION_CLAMPED]


def test_option_is_set_as_far_as_there_is_room(session: Session) -> None:
    room = Size(1, 100)
    heard = say(session, "setoption name Hash value 4096", room=room)
    assert heard == ["setoption name Hash value 100"]
    assert codes(session) == [Code.OPTION_CLAMPED]
    assert session.setup.size == Size(1, 100)
    assert say(session, "setoption name Hash value 64") == ["setoption name Hash value 64"]
    assert codes(session) == []


def test_defaults_are_clamped_too_where_there_is_no_room(alone: Session) -> None:
    alone.attach(Size(1, 4))
    assert told(alone) == ["setoption name Hash value 4"]


def test_what_follows_a_size_waits_until_it_is_granted(session: Session) -> None:
    for line in (b"setoption name Hash value 64", b"isready", b"position startpos", b"go depth 1"):
        session.client_said(line)
    assert (session.needs, session.for_engine()) == (Need.SIZE, b"")
    session.client_said(b"uci")
    assert heard(session)[-1] == "uciok"  # It needs no engine.
    assert told(session, Size(1, 32)) == [
        "setoption name Hash value 32", "isready", "position startpos", "go depth 1",
    ]  # fmt: skip


def test_sizes_behind_a_search_are_granted_one_by_one(searching: Session) -> None:
    say(searching, "setoption name Hash value 64", "setoption name Threads value 2", "go depth 1")
    searching.engine_said(b"bestmove e2e4\n")
    sizes = []
    while searching.needs is Need.SIZE:
        sizes.append(searching.setup.size)
        searching.resize(searching.setup.size)
    assert sizes == [Size(1, 64), Size(2, 64)]
    assert told(searching) == [
        "setoption name Hash value 64", "setoption name Threads value 2", "go depth 1",
    ]  # fmt: skip


def test_size_that_was_not_granted_before_the_engine_died_is_the_next_ones(
    session: Session,
) -> None:
    session.client_said(b"setoption name Hash value 64")
    session.client_said(b"isready")
    session.lose_engine(0)
    assert session.needs is Need.ENGINE
    session.attach(Size(1, 64))
    assert told(session) == ["setoption name Hash value 64", "isready"]


def test_engine_is_neither_parked_nor_handed_on_before_its_size_is_granted(
    session: Session,
) -> None:
    session.client_said(b"setoption name Hash value 64")
    assert not session.can_park
    assert session.undo() is None


# --- what is held


def test_many_held_searches_take_one_look_at_their_position(
    alone: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of them, one `stop` and a long game once kept everybody waiting for 13 s."""
    looks = []

    def look(*position: object, **how: object) -> str:
        looks.append(position)
        return "e2e4"

    monkeypatch.setattr(validator, "choose_move", look)
    say(alone, "position startpos moves g1f3", *["go infinite"] * 4000, "stop")
    assert heard(alone) == [MADE_UP, "bestmove e2e4"] * 4000
    assert len(looks) == 1


def test_search_behind_what_only_an_engine_could_do_ends_too(alone: Session) -> None:
    say(alone, "register later", "go infinite", "isready", "go depth 1")
    alone.without_engine(for_good=True)
    said = [line.split()[0] for line in heard(alone) if line != MADE_UP]
    assert said == ["bestmove", "readyok", "bestmove"]
    assert alone.state is SessionState.IDLE


# --- ends without an engine

CASTLED = "position fen nrbkqr2/pppppppp/8/8/8/8/PPPPPPPP/1RBK1R2 w FBfb - 0 1 moves d1f1"


@pytest.mark.parametrize("end", ["stop", "lose", "drain"])
def test_move_in_an_engines_stead_is_by_the_rules_of_its_position(alone: Session, end: str) -> None:
    """Rules that were set during the search are those of the next position."""
    if end == "lose":
        alone.attach(ANY_SIZE)
    say(alone, "setoption name UCI_Chess960 value true", CASTLED, "go infinite")
    say(alone, "setoption name UCI_Chess960 value false")
    if end == "lose":
        say(alone, "stop")
        alone.lose_engine(0)
    elif end == "stop":
        say(alone, "stop")
    else:
        alone.give_up_search()
    assert [line for line in heard(alone) if line.startswith("bestmove")] == ["bestmove a7a5"]


def test_client_that_ends_its_input_is_let_go_however_much_waits(searching: Session) -> None:
    line = "position startpos moves e2e4"
    say(searching, *[line] * (MAX_SIZE // len(line)))
    searching.end()
    assert answer(searching, "bestmove e2e4")[-1] == "quit"


def test_client_that_quits_while_it_waits_is_let_go_however_much_waits(alone: Session) -> None:
    line = "position startpos moves e2e4"
    say(alone, "go infinite", *[line] * (MAX_SIZE // len(line)), "quit", "quit")
    alone.without_engine()
    assert alone.state is SessionState.ENDED


def test_of_a_flood_of_searches_only_the_first_have_a_move_when_it_ends(alone: Session) -> None:
    moves = [f"position startpos moves e2e4 {move}" for move in ("e7e5", "c7c5")] * 500
    say(alone, *[line for move in moves for line in (move, "go infinite")])
    alone.without_engine(for_good=True)
    said = [line for line in heard(alone) if line != MADE_UP]
    assert len(said) == 1000
    assert said[validator.MAX_LOOKS - 1] != "bestmove 0000"
    assert set(said[validator.MAX_LOOKS :]) == {"bestmove 0000"}
