"""`go`: rows 102 to 132.

Times are the row's own where it has one; each is the middle of several, because the
machine has other things to do.
"""

import statistics
from pathlib import Path

import chess
import pytest
from conformance.gui import fields_of, measured
from conformance.rows import rows

START = "position startpos"
KIWI = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PONDERED = "position startpos moves e2e4 e7e5"
MATE_IN_1 = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
MATED = "position fen R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"
STALEMATED = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
ONE_MOVE = "position fen 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1"
DEAD_DRAW = "position fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1"
CLEAR = [MATE_IN_1, MATED, STALEMATED, ONE_MOVE, DEAD_DRAW]
FOREVER = 0.4  # s; what does not end by then is taken to be without end

DATA = Path(__file__).parents[1] / "data" / "mates.epd"
MATES = [line.rstrip(";").rpartition(" bm #") for line in DATA.read_text().splitlines()]


def mates(length, count):
    return [fen for fen, _, moves in MATES if moves.rstrip("; ") == str(length)][:count]


def first_moves(search):
    return {info["pv"][0] for info in search.pvs}


def took(gui, go, position=START, times=5):
    """Return the least of the times, in seconds: what else is at work makes others longer."""
    return min(gui.search(go, position).took for _ in range(times))


@rows(102)
def test_go_alone_ends_by_itself_or_on_stop(gui):
    gui.say(START, "go")
    gui.sync()
    lines = [line for line in gui.quiet(0.2) if line.startswith("bestmove")]
    assert lines or gui.stop().move


@rows(103)
def test_searchmoves_restricts(gui):
    search = gui.search("go depth 5 searchmoves a2a3 h2h3", START)
    assert search.move in ("a2a3", "h2h3")
    assert first_moves(search) <= {"a2a3", "h2h3"}


@rows(104)
def test_infinite_with_searchmoves(gui):
    gui.say(START, "go infinite searchmoves e2e4 d2d4")
    gui.assert_no_bestmove()
    search = gui.stop()
    assert search.move in ("e2e4", "d2d4")
    assert first_moves(search) <= {"e2e4", "d2d4"}


@rows(105)
def test_parameters_after_searchmoves_are_read(gui):
    search = gui.search("go searchmoves a2a3 h2h3 depth 3", START, timeout=4)
    assert search.depth == 3
    assert search.move in ("a2a3", "h2h3")


@rows(106)
def test_illegal_searchmoves_are_survived_and_legal_ones_restrict(gui):
    search = gui.search("go depth 4 searchmoves e2e5 a2a3 joho e7e5", START, timeout=4)
    assert search.move == "a2a3"


@rows(106)
def test_illegal_searchmoves_alone_are_survived(gui):
    gui.say(START, "go depth 3 searchmoves e2e5")
    gui.hear_until("bestmove", timeout=4)
    assert gui.search("go depth 2", START).move


@rows(107)
def test_ponder_waits_for_stop(gui):
    gui.say(PONDERED, "go ponder wtime 200 btime 200")
    gui.assert_no_bestmove(FOREVER)
    assert gui.stop().move


@rows(108)
@pytest.mark.parametrize("position", CLEAR)
def test_ponder_waits_even_if_all_is_clear(gui, position):
    gui.say(position, "go ponder wtime 1000 btime 1000")
    gui.assert_no_bestmove(0.2)
    assert gui.stop().said


@rows(109)
@pytest.mark.parametrize("limit", ["depth 2", "nodes 100", "movetime 50", "mate 1"])
def test_ponder_waits_when_limits_are_reached(gui, limit):
    gui.say(PONDERED, f"go ponder {limit}")
    gui.assert_no_bestmove(0.2)
    gui.say("ponderhit")
    if limit == "mate 1":
        gui.say("stop")
    gui.hear_until("bestmove")


@rows(110)
def test_pondering_is_on_the_position_after_the_ponder_move(gui):
    board = chess.Board()
    board.push_uci("e2e4")
    gui.say("position startpos moves e2e4", "go ponder wtime 1000 btime 1000")
    lines = gui.quiet(0.1)
    assert chess.Move.from_uci(gui.stop().move) in board.legal_moves
    for info in map(fields_of, lines):
        if "pv" in info:
            assert chess.Move.from_uci(info["pv"][0]) in board.legal_moves


@rows(111)
def test_whites_clock_counts_for_white(gui):
    assert took(gui, "go wtime 100 btime 60000") < 0.1
    assert gui.search("go wtime 20000 btime 100", START).took > 0.1


@rows(112)
def test_blacks_clock_counts_for_black(gui):
    black = "position startpos moves e2e4"
    assert took(gui, "go wtime 60000 btime 100", black) < 0.1
    assert gui.search("go wtime 100 btime 20000", black).took > 0.1


@rows(113)
@pytest.mark.parametrize("position", [START, KIWI])
def test_move_comes_with_50_ms_left(gui, position):
    assert took(gui, "go wtime 50 btime 50", position, times=5) < 0.050


@rows(114)
def test_increment_does_not_overstep_the_clock(gui):
    assert took(gui, "go wtime 150 btime 150 winc 5000 binc 5000") < 0.150


@rows(115)
def test_last_move_of_a_control_uses_at_most_the_clock(gui):
    assert took(gui, "go wtime 500 btime 500 movestogo 1") < 0.500


@rows(115)
def test_40_moves_to_go_use_a_share(gui):
    assert took(gui, "go wtime 4000 btime 4000 movestogo 40", times=1) < 1.0


@rows(116)
def test_sudden_death_does_not_burn_the_clock(gui):
    assert took(gui, "go wtime 4000 btime 4000", times=1) < 2.0


@rows(117)
@pytest.mark.parametrize("depth", [1, 2, 5, 8])
def test_depth(gui, depth):
    assert gui.search(f"go depth {depth}", START).depth == depth


@rows(118)
@pytest.mark.parametrize("nodes", [1000, 20_000, 100_000])
def test_nodes(gui, nodes):
    gui.say("ucinewgame")
    heard = gui.search(f"go nodes {nodes}", KIWI).nodes
    assert nodes / 2 <= heard <= nodes + max(nodes / 10, 2048)


@rows(119)
def test_one_node_is_answered_at_once(gui):
    assert took(gui, "go nodes 1", KIWI) < 0.2


def assert_mates(gui, fen, length):
    """Check that a mate is found, and that its line is one when it is whole."""
    search = gui.search(f"go mate {length}", f"position fen {fen} 0 1", timeout=30)
    mating = search.last
    assert 1 <= mating["score"].get("mate", 0) <= length
    if len(mating["pv"]) == 2 * mating["score"]["mate"] - 1:
        board = chess.Board(f"{fen} 0 1")
        for move in mating["pv"]:
            board.push_uci(move)
        assert board.is_checkmate()


@rows(120)
def test_mate_in_1(gui):
    assert_mates(gui, MATE_IN_1.removeprefix("position fen ").removesuffix(" 0 1"), 1)
    assert gui.search("go mate 1", MATE_IN_1).move == "a1a8"


@rows(121)
@pytest.mark.parametrize("fen", mates(2, 6))
def test_mate_in_2(gui, fen):
    assert_mates(gui, fen, 2)


@rows(122)
@pytest.mark.parametrize("fen", mates(3, 6))
def test_mate_in_3(gui, fen):
    assert_mates(gui, fen, 3)


@rows(123)
@pytest.mark.parametrize("limit", [100, 300])
def test_movetime_is_kept_within_150_ms(gui, limit):
    def measure():
        searches = [gui.search(f"go movetime {limit}", START).took * 1000 for _ in range(3)]
        assert statistics.median(searches) < limit + 150
        return searches

    assert min(measured(measure)) > limit * 0.75


@rows(124)
def test_movetime_is_kept_within_30_ms_at_the_median(gui):
    def measure():
        late = [abs(gui.search("go movetime 150", START).took * 1000 - 150) for _ in range(9)]
        assert statistics.median(late) <= 30

    measured(measure)


@rows(125)
def test_infinite_waits_for_stop(gui):
    gui.say(START, "go infinite")
    gui.assert_no_bestmove(FOREVER)
    assert gui.stop().move


@rows(126)
@pytest.mark.parametrize("position", CLEAR)
def test_infinite_waits_even_if_all_is_clear(gui, position):
    gui.say(position, "go infinite")
    gui.assert_no_bestmove(FOREVER)
    assert gui.stop().said


@rows(127)
def test_first_limit_that_is_reached_stops(gui):
    assert gui.search("go depth 3 nodes 100000000 movetime 100000", START).depth == 3
    assert gui.search("go depth 200 nodes 3000 movetime 100000", START).nodes < 6000
    assert gui.search("go depth 200 nodes 1000000000 movetime 100", START).took < 0.4


@rows(128)
def test_order_of_parameters_does_not_matter(gui):
    def nodes(go):
        gui.say("ucinewgame")
        return gui.search(go, START, timeout=4).nodes

    first = nodes("go wtime 900000 btime 900000 winc 0 depth 6")
    assert nodes("go depth 6 winc 0 btime 900000 wtime 900000") == first
    assert nodes("go btime 900000 depth 6 wtime 900000 winc 0") == first


ODD_LIMITS = [
    "depth 0", "depth -1", "depth 999999999", "depth 99999999999999999999", "nodes 0", "nodes -1",
    "nodes 99999999999999999999", "movetime 0", "movetime -1", "movetime 99999999999999999999",
    "wtime 0 btime 0", "wtime -1000 btime -1000", "wtime 99999999999999999999",
    "wtime 1000 winc -5", "wtime 1000 movestogo 0", "wtime 1000 movestogo -3", "mate 0", "mate -1",
    "wtime 100 movestogo 999999999", "depth", "wtime", "wtime x", "movetime 1.5", "searchmoves",
]  # fmt: skip


@rows(129)
@pytest.mark.parametrize("limit", ODD_LIMITS)
def test_odd_limit_is_survived_with_one_bestmove(gui, limit):
    gui.say(START, f"go {limit}")
    lines = gui.quiet(0.1)
    if not any(line.startswith("bestmove") for line in lines):
        gui.say("stop")
        gui.hear_until("bestmove")
    gui.assert_no_bestmove(0)
    assert gui.search("go depth 2", START).move


@rows(130)
@pytest.mark.parametrize(("clock", "side"), [("wtime", "w"), ("btime", "b")])
def test_one_clock_is_enough(gui, clock, side):
    position = START if side == "w" else f"{START} moves e2e4"
    assert gui.search(f"go {clock} 500", position).took < 0.5


@rows(130)
def test_clock_of_the_other_side_alone_is_survived(gui):
    gui.say(START, "go btime 500")
    gui.quiet(0.2)
    gui.say("stop")
    gui.sync()
    assert gui.search("go depth 2", START).move


@rows(131)
@pytest.mark.parametrize("before", ["depth 1", "nodes 10", "movetime 10", "wtime 50 btime 50"])
def test_limits_do_not_leak_into_the_next_search(gui, before):
    gui.search(f"go {before}", START)
    gui.say("go infinite")
    gui.assert_no_bestmove(0.2)
    gui.stop()


@rows(131)
def test_searchmoves_do_not_leak_into_the_next_search(gui):
    assert gui.search("go depth 1 searchmoves a1b1", MATE_IN_1).move == "a1b1"
    assert gui.search("go depth 4", MATE_IN_1).move == "a1a8"


CROWDED = [
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",  # 218 moves
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    "qqqqk3/qqqq4/8/8/8/8/QQQQ4/QQQQK3 w - - 0 1",
    "4k3/8/8/8/4r3/8/3n4/4K3 w - - 0 1",  # in check
    "4k3/8/8/8/1b2r3/8/8/4K3 w - - 0 1",  # in check from two
    "k7/8/8/8/7b/8/4r3/4K3 w - - 0 1",
]


@rows(132)
@pytest.mark.parametrize("fen", CROWDED)
@pytest.mark.parametrize("go", ["go depth 3", "go nodes 500", "go movetime 50"])
def test_crowded_boards_and_checks_have_legal_answers(gui, fen, go):
    board = chess.Board(fen)
    assert chess.Move.from_uci(gui.search(go, f"position fen {fen}").move) in board.legal_moves
