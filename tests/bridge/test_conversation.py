"""The answers for a GUI and the lines for a server, with plain lines and no clock but a number."""

import pytest
from helpers.talking import Talk

from rookery_bridge.session.bridge_options import BridgeOptions
from rookery_bridge.session.conversation import Conversation

LOST = "info string rookery-bridge: the connection was lost; connecting again"


def test_lines_wait_for_the_first_connection() -> None:
    talk = Talk()
    assert talk.say("uci", "isready", "position startpos", "go depth 1") == []
    assert talk.link() == ["uci", "isready", "position startpos", "go depth 1"]


def test_lines_go_and_come_as_they_are(talk: Talk) -> None:
    lines = ["  isready", "position  startpos moves e2e4", "go  depth 3", "joho"]
    assert talk.say(*lines) == lines
    lines = ["readyok", "info depth 1  pv e2e4", "bestmove e2e4", "whatever else"]
    assert talk.answer(*lines) == lines


@pytest.mark.parametrize("line", [b"go depth 1\x00", b"go depth 1 \xff", "go\u2028".encode()])
def test_line_that_the_server_refuses_asks_for_nothing(talk: Talk, line: bytes) -> None:
    """Row 146: no move is owed, and none is given."""
    talk.collect(talk.core.receive_from_gui(line, talk.now))
    assert talk.told_all() == [line]
    assert not talk.core.has_pending


def test_begun_without_a_server_it_is_told_when_it_is_there() -> None:
    talk = Talk(fall_back=True)
    talk.say("uci", "isready")
    assert talk.wait(1.5) == []
    talk.begin_without()
    assert talk.heard()[-2:] == ["uciok", "readyok"]
    talk.say("position startpos", "go wtime 60000 btime 60000")
    assert talk.fallback_hears()[-1].startswith("go wtime 59950 ")
    talk.wait(1)
    talk.hello()
    heard = talk.answer("rookery session a.b heard 0 grace 60")
    assert heard == ["info string rookery-bridge: connected after 2.5 s"]
    talk.lose()
    talk.wait(2)
    talk.hello()
    heard = talk.answer("rookery session a.b heard 2 grace 60")
    assert heard[-1] == "info string rookery-bridge: connected again after 2.0 s"


def test_engine_of_this_machine_cannot_speak_for_the_server() -> None:
    talk = Talk(fall_back=True)
    talk.say("uci", "isready")
    talk.begin_without()
    talk.say("position startpos", "go depth 5")
    talk.local_says("uciok")
    talk.wait(4)
    talk.fallback_hears()
    heard = talk.local_says("info string rookery ended: by the operator", "bestmove e2e4")
    assert heard[-2:] == ["info string engine: ended: by the operator", "bestmove e2e4"]


def test_gui_cannot_speak_for_the_bridge(talk: Talk) -> None:
    assert talk.say("rookery heard 100", "rookery session new", "   ") == []


def test_options_of_the_bridge_are_shown_and_kept(talk: Talk) -> None:
    """Rows 40, 61, 214."""
    talk.say("uci")
    heard = talk.answer("id name X", "option name Hash type spin default 1 min 1 max 9", "uciok")
    assert heard[2:] == [
        "option name Bridge Clock Correction type check default true",
        "option name Bridge Log File type string default <empty>",
        "uciok",
    ]
    assert talk.say("setoption name BRIDGE clock  correction value false") == []
    assert not talk.core.options.correct_clocks


@pytest.mark.parametrize("last", [0xDCE9, 0xD83D])
def test_log_whose_name_is_no_text_is_shown_and_stays(last: int) -> None:
    """Such are names of files in Latin-1, and broken ones of Windows."""
    name = f"caf{chr(last)}"
    options = BridgeOptions(log_file=name)
    (shown,) = [line for line in options.lines() if b"Log File" in line]
    assert shown.startswith(b"option name Bridge Log File type string default caf")
    value = shown.partition(b" default ")[2]
    core = Conversation(options, 0.0)
    core.receive_from_gui(b"setoption name Bridge Log File value " + value, 0.0)
    assert options.log_file == name


def test_what_was_not_heard_is_said_again(talk: Talk) -> None:
    talk.say("isready", "position startpos", "go infinite")
    talk.lose()
    assert talk.say("stop", "isready") == []
    assert talk.link(heard=2) == ["go infinite", "stop", "isready"]
    assert talk.link(heard=5) == []


def test_what_was_heard_is_counted(talk: Talk) -> None:
    """All that is neither `info` nor the server's own."""
    talk.say("uci", "isready")
    talk.answer("id name X", "uciok", "info string hello", "rookery heard 2", "readyok")
    talk.lose()
    hello = talk.hello()
    assert (hello.session, hello.heard) == ("a.b", 3)


def test_outage_is_told_of_once(talk: Talk) -> None:
    assert talk.lose() == [LOST]
    assert talk.lose() == []
    talk.hello()
    talk.now += 3
    assert talk.answer("rookery session a.c heard 0 grace 60") == [
        "info string rookery-bridge: connected again after 3.0 s"
    ]


def test_time_that_an_outage_took_is_off_the_clock(talk: Talk) -> None:
    talk.lose()
    talk.say("position startpos moves e2e4", "go wtime 60000 btime 50000 winc 100 binc 100")
    talk.wait(2.0)
    assert talk.link() == [
        "position startpos moves e2e4",
        "go wtime 60000 btime 48000 winc 100 binc 100",
    ]


def test_round_trip_is_off_the_clock_of_who_moves() -> None:
    """Rows 111, 112."""
    talk = Talk()
    talk.link(trip=0.1)
    assert talk.say("position startpos", "go wtime 5000 btime 6000 winc 9 binc 9") == [
        "position startpos",
        "go wtime 4900 btime 6000 winc 9 binc 9",
    ]
    talk.answer("bestmove e2e4")
    fen = "position fen 4k3/8/8/8/8/8/8/4K3 b - - 0 1"
    assert talk.say(fen, "go movetime 1000 btime 6000")[1] == "go btime 5900 movetime 900"


def test_round_trip_is_not_hidden_if_that_is_not_wanted() -> None:
    talk = Talk(correct=False)
    talk.link(trip=0.1)
    assert talk.say("go wtime 5000 btime 6000") == ["go wtime 5000 btime 6000"]


def test_move_comes_before_the_flag_falls(talk: Talk) -> None:
    """Rows 113, 146: even if the server seems to be there; what it says later is not heard."""
    talk.say("position startpos", "go wtime 1000 btime 1000")
    talk.answer("info depth 3 pv d2d4 d7d5", "info depth 3 multipv 2 pv c2c4")
    heard: list[str] = []
    began = talk.now
    while not heard:
        talk.answer("rookery heard 2")
        heard = talk.wait(0.01)
    assert talk.now - began < 1.0
    assert heard[-1] == "bestmove d2d4"
    assert talk.told() == ["stop"]
    assert talk.answer("info depth 4 pv e2e4", "bestmove e2e4") == []
    talk.say("position startpos moves d2d4 d7d5", "go depth 1")
    assert talk.answer("bestmove c2c4") == ["bestmove c2c4"]


@pytest.mark.parametrize("time", [-7, 0, 1, 100])
def test_engine_that_is_there_may_search_however_late_it_is(talk: Talk, time: int) -> None:
    """Row 129."""
    talk.say("position startpos", f"go wtime {time} btime {time}")
    talk.collect(talk.core.receive_from_server(b"rookery heard 2\n", talk.now))
    assert talk.wait(0.1) == []
    talk.answer("info depth 1 pv d2d4")
    assert talk.wait(0.1)[-1] == "bestmove d2d4"


def test_lost_server_is_waited_for_as_the_clock_allows(talk: Talk) -> None:
    talk.say("position startpos", "go wtime 30000 btime 30000")
    talk.lose()
    assert talk.wait(5.9) == []
    assert talk.wait(0.2)[-1].startswith("bestmove ")


def test_search_that_was_answered_is_not_begun_again(talk: Talk) -> None:
    talk.lose()
    talk.say("position startpos", "go movetime 100")
    assert talk.wait(3)[-1].startswith("bestmove ")
    talk.say("position startpos moves e2e4 e7e5", "go depth 1", "isready")
    assert talk.link() == [
        "position startpos",
        "position startpos moves e2e4 e7e5",
        "go depth 1",
        "isready",
    ]
    assert talk.answer("bestmove g1f3", "readyok")[-2:] == ["bestmove g1f3", "readyok"]


def test_search_that_was_answered_is_stopped_if_the_server_has_begun_it(talk: Talk) -> None:
    talk.say("position startpos", "go wtime 1000 btime 1000")
    talk.lose()
    talk.wait(3)
    talk.say("position startpos moves e2e4 e7e5", "go depth 1")
    assert talk.link(heard=2) == ["stop", "position startpos moves e2e4 e7e5", "go depth 1"]
    heard = talk.answer("info depth 9 pv a2a3", "bestmove a2a3", "info depth 1 pv g1f3")
    assert [line for line in heard if "rookery-bridge" not in line] == ["info depth 1 pv g1f3"]
    assert talk.answer("bestmove g1f3") == ["bestmove g1f3"]


def test_notice_is_heard_though_the_search_is_not(talk: Talk) -> None:
    talk.say("position startpos", "go wtime 1000 btime 1000")
    talk.lose()
    talk.wait(3)
    talk.link(heard=2)
    talk.say("setoption name Hash value many", "go depth 1")
    notices = [
        "info string rookery bad-value: Hash needs a number, not 'many'",
        "info string rookery cached: 1 line follows, of a search of 2026-11-20",
    ]
    heard = talk.answer(notices[1], "info depth 9 pv a2a3", notices[0], "info depth 2 pv a2a3")
    assert heard[-1] == notices[0]
    assert not {notices[1], "info depth 9 pv a2a3"} & set(heard)
    heard = talk.answer("bestmove a2a3", notices[1], "info depth 9 pv e2e4", "bestmove e2e4")
    assert heard == [notices[1], "info depth 9 pv e2e4", "bestmove e2e4"]


def test_stop_is_answered_without_server(talk: Talk) -> None:
    """Row 133."""
    talk.say("position startpos", "go infinite")
    talk.answer("info depth 3 pv d2d4")
    talk.lose()
    assert talk.wait(1000) == []
    talk.say("stop")
    assert talk.wait(2.1)[-1] == "bestmove d2d4"


def test_no_move_comes_before_its_time(talk: Talk) -> None:
    """Rows 107, 125."""
    for go in ("go infinite", "go ponder wtime 100 btime 100"):
        talk.say(go)
        talk.lose()
        assert talk.wait(100) == []
        talk.say("stop")
        assert talk.wait(5)[-1].startswith("bestmove")
        talk.link()


def test_clock_of_a_pondered_search_runs_from_ponderhit(talk: Talk) -> None:
    """Row 138."""
    talk.say("position startpos moves e2e4", "go ponder wtime 1000 btime 1000")
    talk.lose()
    assert talk.wait(50) == []
    talk.say("ponderhit")
    assert talk.wait(0.1) == []
    assert talk.wait(2)[-1].startswith("bestmove ")


def test_move_is_legal_whatever_was_said(talk: Talk) -> None:
    """Row 147: a line of another position is no answer."""
    talk.say("position startpos", "go wtime 1000 btime 1000")
    talk.answer("info depth 3 pv e7e5")
    talk.lose()
    move = talk.wait(1)[-1].split()[1]
    assert move in ("a2a3", "a2a4", "b1a3")
    talk.say("position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 moves e1g1", "go wtime 99 btime 99")
    assert talk.wait(1)[-1].split()[1] in ("e8d7", "e8d8", "e8e7")
    talk.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go wtime 99 btime 99")
    assert talk.wait(1)[-1] == "bestmove 0000"


@pytest.mark.parametrize(
    "later",
    [
        ["info depth 21 currmove a2a3 currmovenumber 1", "info depth 21 currmove a2a4"],
        ["info depth 20 multipv 2 pv c2c4", "info depth 20 multipv 3 pv g1f3"],
        ["info string NNUE pv a2a3 multipv 1", "info depth 21 nodes 99"],
    ],
)
def test_best_line_is_known_whatever_else_is_heard(talk: Talk, later: list[str]) -> None:
    """As Stockfish says from its third second on, or with several variations, piece by piece."""
    talk.say("position startpos", "go wtime 9000 btime 9000")
    best = "info depth 20 multipv 1 pv d2d4 d7d5"
    talk.answer(best)
    for line in later:
        talk.answer(line)
    talk.lose()
    assert talk.wait(9)[-2:] == [best, "bestmove d2d4"]


def test_expected_reply_has_its_answer_ready(talk: Talk) -> None:
    talk.say("position startpos", "go wtime 9000 btime 9000")
    talk.answer("info depth 3 pv d2d4 d7d5 b1c3", "bestmove d2d4")
    talk.lose()
    talk.say("position startpos moves d2d4 d7d5", "go wtime 9000 btime 9000")
    assert talk.wait(9)[-1] == "bestmove b1c3"
    # That of another game is none.
    fen = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2"
    talk.say(f"position fen {fen} moves d2d4 d7d5", "go wtime 9000 btime 9000")
    assert talk.wait(9)[-1] == "bestmove d4e5"


def test_isready_is_answered_without_server(talk: Talk) -> None:
    """Rows 52, 53, 60: in bounded time, and once."""
    talk.lose()
    talk.say("isready")
    assert talk.wait(4.1) == ["readyok"]
    talk.say("isready")
    assert talk.heard() == ["readyok"]
    assert talk.link() == []
    talk.heard()
    talk.say("isready")
    assert talk.answer("readyok") == ["readyok"]


def test_answer_to_isready_that_is_late_is_not_heard(talk: Talk) -> None:
    talk.say("isready")
    talk.lose()
    assert talk.wait(4.1) == ["readyok"]
    talk.link(heard=1)
    talk.heard()
    talk.say("isready")
    assert talk.answer("readyok") == []
    assert talk.answer("readyok") == ["readyok"]


def test_paths_of_this_machine_are_not_sent(talk: Talk) -> None:
    """Row 74."""
    talk.say("uci")
    talk.answer(
        "option name Aim type string default <empty>",
        "option name Tables type combo default <empty> var <empty> var six",
        "uciok",
    )
    told = talk.say(
        r"setoption name SyzygyPath value C:\tb",
        "setoption name Tables value /tb",
        "setoption name Tables value six",
        "setoption name Aim value /tb",
        "setoption name SyzygyPath value <empty>",
    )
    assert told == [
        "setoption name Tables value six",
        "setoption name Aim value /tb",
        "setoption name SyzygyPath value <empty>",
    ]
    assert talk.heard() == [
        r"info string rookery-bridge: SyzygyPath is not sent: 'C:\\tb' is a path of this machine,"
        " and the server does not let clients set it",
        "info string rookery-bridge: Tables is not sent: '/tb' is a path of this machine;"
        " the server has six",
    ]


def test_server_cannot_control_a_terminal(talk: Talk) -> None:
    assert talk.answer("info string \x1b]0;gotcha\x07", "best\x01move e2e4") == [
        "info string ]0;gotcha"
    ]


def test_search_without_a_clock_ends_though_the_server_comes_and_goes(talk: Talk) -> None:
    """A connection that is back for moments, and brings nothing, is no reason to wait longer."""
    talk.say("position startpos", "go depth 9")
    heard: list[str] = []
    began = talk.now
    while not any(line.startswith("bestmove") for line in heard):
        talk.lose()
        heard = talk.wait(6)
        talk.link(heard=2)
        talk.wait(0.1)
    assert 30 <= talk.now - began < 40


def test_search_that_has_just_been_heard_of_is_waited_for(talk: Talk) -> None:
    talk.say("position startpos", "go depth 9")
    for _ in range(100):
        talk.wait(1)
        talk.answer("rookery heard 2", "info depth 8 pv e2e4")
    talk.lose()
    assert talk.wait(29) == []
    assert talk.wait(2)[-1] == "bestmove e2e4"


@pytest.mark.parametrize(
    ("go", "ends"),
    [
        ("go depth 9", True),
        ("go mate 2 movetime 900", True),
        ("go mate 2", False),
        ("go infinite depth 9", False),
        ("go", False),
    ],
)
def test_searches_that_end_by_themselves_are_known(talk: Talk, go: str, *, ends: bool) -> None:
    """At the end of its input the bridge waits for no others: a mate need not be there."""
    talk.say(go)
    assert talk.core.has_pending_moves is ends
    talk.say("stop")
    assert talk.core.has_pending_moves


def test_what_is_owed_is_known(talk: Talk) -> None:
    """The bridge does not wait for another line when the server has put it out."""
    assert not talk.core.has_pending
    talk.say("go infinite", "stop")
    assert talk.core.has_pending
    talk.answer("bestmove e2e4")
    assert not talk.core.has_pending


def test_position_that_only_a_lost_engine_knew_is_not_made_up(talk: Talk) -> None:
    """After `flip` the engine of another session must not search what was before it."""
    talk.say("position startpos moves e2e4", "flip", "d", "go infinite")
    talk.collect(
        talk.core.receive_from_server(b"info string rookery unknown-session: gone\n", talk.now)
    )
    talk.lose()
    lines = talk.link()
    assert lines[-2:] == ["go infinite", "position fen "]
    assert lines[-3] == "position fen "
    talk.say("position startpos")
    talk.collect(
        talk.core.receive_from_server(b"info string rookery unknown-session: gone\n", talk.now)
    )
    talk.lose()
    assert talk.link()[-1] == "position startpos"
