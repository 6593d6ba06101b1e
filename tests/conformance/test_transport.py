"""Transport and general rules: rows 1 to 29."""

import time

import chess
import pytest
from conformance.gui import SilenceError, measured
from conformance.rows import rows

pytestmark = pytest.mark.also_tcp

QUIET = 0.3  # s in which nothing may come
BOOT = 1.0  # s to the first byte
BOOTS = 6  # of which one must be as fast: others may be delayed by what else is at work


@rows(2)
def test_sends_nothing_before_the_first_command(start):
    gui = start()
    with pytest.raises(SilenceError):
        print(gui.hear(timeout=QUIET))


@rows(3)
def test_uciok_comes_before_a_gui_loses_patience(start):
    assert start().meet()[-1] == "uciok"


@rows(4)
def test_first_byte_within_a_second_of_start(start):
    def first_byte():
        gui = start()
        gui.say("uci")
        return gui.hear().at - gui.begun

    assert any(first_byte() < BOOT for _ in range(BOOTS))


@rows(5)
def test_input_is_read_while_thinking(gui):
    gui.say("position startpos", "go infinite")
    assert gui.sync() is not None
    assert gui.stop().move


@rows(7)
def test_lines_may_end_with_cr_lf(start):
    gui = start()
    gui.write(b"uci\r\nisready\r\n", "uci", "isready")
    assert "uciok" in gui.hear_until("readyok")
    gui.write(b"position startpos\r\ngo depth 2\r\n", "position startpos", "go depth 2")
    assert gui.hear_until("bestmove")


@rows(8)
@pytest.mark.parametrize("end", [b"\r", b"\n\r", b"\r\r\n", b"\n\n\r"])
def test_lines_may_end_with_any_combination(start, end):
    gui = start()
    gui.write(b"isready" + end + b"isready" + end, "isready", "isready")
    assert gui.hear_until("readyok")[-1] == "readyok"
    assert gui.hear_until("readyok")[-1] == "readyok"


@rows(9)
def test_white_space_is_arbitrary(gui):
    gui.write(b" \t isready\t \n", "isready")
    gui.hear_until("readyok")
    gui.write(
        b"\t position \t startpos   moves\te2e4  \t c7c5\t\n  go\t \tdepth   3 \t\n",
        "position startpos moves e2e4 c7c5",
        "go depth 3",
    )
    gui.hear_until("bestmove")


@rows(10)
def test_nothing_is_calculated_without_go(gui):
    gui.say("position startpos moves e2e4")
    assert gui.quiet(QUIET) == []


@rows(11)
def test_go_without_a_position_is_answered(fresh):
    assert fresh.search("go depth 2").move


@rows(12)
def test_own_book_is_off_by_default(gui):
    if "ownbook" in gui.options:
        assert gui.options["ownbook"]["default"] == "false"


@rows(13)
def test_unknown_commands_leave_the_engine_in_step(gui):
    gui.say("foo", "joho 1 2 3", "position_ startpos", "GO", "?", "xboard", "startpos", "infinite")
    gui.sync()
    assert gui.search("go depth 2", "position startpos").move


@rows(14)
@pytest.mark.parametrize("line", ["foo", "xboard", "?", "protover 2", "quiet please"])
def test_unknown_command_is_ignored_in_silence(gui, line):
    gui.say(line)
    assert [heard for heard in gui.sync() if not heard.startswith("info string ")] == []


@rows(15)
def test_unknown_leading_word_is_skipped(gui):
    assert gui.ask("joho isready", until="readyok", timeout=2)


@rows(16)
def test_unknown_word_before_debug_and_go_is_skipped(gui):
    gui.say("joho debug on", "joho debug off", "position startpos")
    assert gui.ask("joho go depth 1", timeout=2)


@rows(17)
def test_unknown_word_after_debug_is_survived(gui):
    gui.say("debug joho on")
    gui.sync()
    assert gui.search("go depth 2", "position startpos").move


@rows(18)
def test_stop_when_idle_is_ignored(gui):
    gui.say("position startpos", "stop")
    gui.assert_no_bestmove(QUIET)


@rows(19)
def test_ponderhit_when_idle_is_ignored(gui):
    gui.say("position startpos", "ponderhit")
    gui.assert_no_bestmove(QUIET)


@rows(20)
def test_go_during_a_search_is_survived(fresh):
    fresh.say("position startpos", "go infinite", "go depth 1", "stop")
    fresh.hear_until("bestmove")
    further = [line for line in fresh.quiet(QUIET) if line.startswith("bestmove")]
    assert len(further) <= 1


@rows(21)
def test_position_during_a_search_leaves_it_alone(gui):
    gui.say("position startpos", "go infinite", "position startpos moves e2e4")
    gui.assert_no_bestmove(0.1)
    assert chess.Move.from_uci(gui.stop().move) in chess.Board().legal_moves


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("ucinewgame", marks=rows(22)),
        pytest.param("setoption name Hash value 8", marks=rows(23)),
        pytest.param("setoption name Clear Hash", marks=rows(23)),
        pytest.param("setoption name MultiPV value 2", marks=rows(23)),
    ],
)
def test_command_of_an_idle_time_during_a_search_is_survived(fresh, line):
    fresh.say("position startpos", "go infinite")
    fresh.say(line, "stop")
    fresh.hear_until("bestmove")
    fresh.assert_no_bestmove(0.1)
    assert fresh.search("go depth 2").move


@rows(24)
def test_blank_lines_are_ignored(gui):
    gui.write(b"\n \n\t\n\r\n\n  \t \nisready\n", "isready")
    assert gui.hear_until("readyok") == ["readyok"]


@rows(25)
def test_unknown_words_in_go_are_skipped(gui):
    search = gui.search("go joho depth 3 foo", "position startpos")
    assert search.depth == 3


@rows(26)
@pytest.mark.parametrize(
    "line", ["position joho startpos moves e2e4", "position startpos joho moves e2e4"]
)
def test_unknown_words_in_position_are_skipped(gui, line):
    assert "e7e5" in gui.moves(line)


@rows(27)
def test_commands_are_done_in_their_order(start):
    gui = start()
    gui.say(
        "uci", "setoption name MultiPV value 2", "isready", "position startpos moves e2e4",
        "position startpos", "go depth 2",
    )  # fmt: skip
    lines = gui.hear_until("bestmove")
    assert lines.index("uciok") < lines.index("readyok")
    assert any(" multipv 2 " in line for line in lines)


@rows(28)
def test_command_may_come_in_pieces(gui):
    for byte in b"isready":
        gui.write(bytes([byte]))
    gui.write(b"\n", "isready")
    gui.hear_until("readyok")
    gui.write(b"position startp")
    gui.write(b"os\ngo dep", "position startpos")
    gui.write(b"th 2\n", "go depth 2")
    gui.hear_until("bestmove")


@rows(29)
def test_isready_is_answered_quickly(gui):
    def answer():
        begun = time.monotonic()
        gui.say("isready")
        return gui.hear_until("readyok")[-1].at - begun

    def measure():
        times = sorted(answer() for _ in range(200))
        assert times[100] < 0.010
        assert times[197] < 0.100

    measured(measure)
