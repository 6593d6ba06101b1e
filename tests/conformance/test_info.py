"""`info`: rows 158, 163 to 166, 171 to 173, 178, 179, 251 and 252.

The other rows about `info` are watched in everything that is said.
"""

import itertools
import random
import statistics
import time

import chess
import pytest
from conformance.gui import Search
from conformance.rows import rows

START = "position startpos"
QUEEN_UP = "4k3/8/8/8/8/8/8/3QK3 {} - - 0 1"
MATING = "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1"  # 1 Rb8#
MATE_IN_2 = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1"  # 1 Kc7 Ka7 2 Ra1#
MATED_SOON = "k7/8/1K6/8/8/8/8/7R b - - 0 1"  # 1... Kb8 2 Rh8#

TRICKY = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2",  # the pawns hide the king: no en passant
    "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
    "r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1",  # in check: no castling
    "r3k2r/8/8/8/8/5r2/8/R3K2R w KQkq - 0 1",  # through check: one castling
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/3k4/8/1b6/8/3N4/4K3 w - - 0 1",  # pinned
]


@rows(158)
def test_nodes_are_sent_regularly(gui):
    begun = time.monotonic()
    gui.say(START, "go movetime 5000")
    times = [begun]
    lines = gui.hear_until("bestmove", timeout=8)
    times += [line.at for line in lines if " nodes " in line]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert max(gaps) <= 2
    assert lines[-1].at - times[-1] <= 2


def random_positions(count, seed):
    choose = random.Random(seed)
    while count:
        board = chess.Board()
        for _ in range(choose.randrange(4, 120)):
            board.push(choose.choice(list(board.legal_moves)))
            if not any(board.legal_moves):
                break
        if any(board.legal_moves):
            count -= 1
            yield board


@rows(163)
def test_pv_and_bestmove_are_legal_in_200_positions(gui):
    for board in random_positions(200, seed=163):
        search = gui.search("go depth 4", f"position fen {board.fen()}")
        for info in search.pvs:
            line = board.copy()
            for move in info["pv"]:
                line.push(line.parse_uci(move))
        assert chess.Move.from_uci(search.move) in board.legal_moves


@rows(164)
def test_score_is_that_of_the_side_to_move(gui):
    white = gui.search("go depth 4", f"position fen {QUEEN_UP.format('w')}").last["score"]
    black = gui.search("go depth 4", f"position fen {QUEEN_UP.format('b')}").last["score"]
    assert white.get("cp", 10_000) > 300
    assert white.get("mate", 1) > 0
    assert black.get("cp", -10_000) < -300
    assert black.get("mate", -1) < 0


@rows(165)
def test_mate_is_counted_in_moves(gui):
    assert gui.search("go depth 4", f"position fen {MATING}").last["score"]["mate"] == 1
    assert gui.search("go depth 8", f"position fen {MATE_IN_2}").last["score"]["mate"] == 2


@rows(166)
def test_mate_against_is_negative(gui):
    assert gui.search("go depth 6", f"position fen {MATED_SOON}").last["score"]["mate"] == -1


def last_block(search):
    """Return the infos of the last set of variations, by their numbers."""
    return {info["multipv"]: info for info in search.pvs}


@rows(171)
@pytest.mark.parametrize("count", [2, 3, 5])
def test_all_variations_come_together_and_numbered(gui, count):
    gui.set_option("MultiPV", count)
    search = gui.search("go depth 5", START)
    numbers = [info["multipv"] for info in search.pvs]
    assert set(numbers) == set(range(1, count + 1))
    assert numbers[-count:] == list(range(1, count + 1))
    assert len({info["depth"] for info in search.pvs[-count:]}) == 1


def value(score):
    """Return a score as one number: nearer mates are better."""
    if "mate" in score:
        return (100_000 - abs(score["mate"])) * (1 if score["mate"] > 0 else -1)
    return score["cp"]


@rows(172)
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, *TRICKY[:2]])
def test_first_variation_is_the_best_and_all_differ(gui, fen):
    gui.set_option("MultiPV", 4)
    block = last_block(gui.search("go depth 6", f"position fen {fen}"))
    scores = [value(block[number]["score"]) for number in sorted(block)]
    assert scores == sorted(scores, reverse=True)
    assert len({info["pv"][0] for info in block.values()}) == 4


def assert_all_moves_are_listed(gui, fen):
    gui.set_option("MultiPV", 256)
    block = last_block(gui.search("go depth 1", f"position fen {fen}"))
    moves = [info["pv"][0] for info in block.values()]
    assert sorted(moves) == sorted(move.uci() for move in chess.Board(fen).legal_moves)


@rows(173)
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1"])
def test_more_variations_than_moves_are_the_moves(gui, fen):
    assert_all_moves_are_listed(gui, fen)


@rows(252)
@pytest.mark.parametrize("fen", TRICKY)
def test_variations_list_exactly_the_legal_moves(gui, fen):
    assert_all_moves_are_listed(gui, fen)


@rows(178)
def test_wdl_sums_to_1000(gui):
    gui.option("UCI_ShowWDL")
    gui.set_option("UCI_ShowWDL", "true")
    level = gui.search("go depth 6", START)
    assert level.pvs
    for info in level.pvs:
        assert sum(info["wdl"]) == 1000
    won = gui.search("go depth 6", f"position fen {QUEEN_UP.format('w')}").last["wdl"]
    lost = gui.search("go depth 6", f"position fen {QUEEN_UP.format('b')}").last["wdl"]
    assert won[0] > 800
    assert lost[2] > 800


@rows(179)
def test_time_agrees_with_the_clock_on_the_wall(gui):
    def difference():
        begun = time.monotonic()
        search = Search(gui.ask(START, "go movetime 300"), begun)
        timed = [line for line in search.lines if " time " in line][-1]
        return abs((timed.at - begun) * 1000 - search.infos[-1]["time"])

    assert statistics.median(difference() for _ in range(3)) < 60


@rows(251)
def test_first_info_comes_while_the_search_runs(gui):
    gui.say(START, "go infinite")
    first = gui.hear_until("info depth", timeout=1)
    assert first
    gui.assert_no_bestmove(0.1)
    gui.stop()
