"""Results of the search, and the legality of all its lines."""

import random
from itertools import pairwise
from pathlib import Path

import chess
import pytest
from helpers.searches import Search

from rookery_engine.core.board import Board
from rookery_engine.search.searcher import Searcher
from rookery_engine.shell.bench import POSITIONS
from rookery_engine.shell.options import Options
from rookery_uci import BestMove, Info, Limits

DATA = Path(__file__).parents[2] / "data"


@pytest.mark.parametrize("line", (DATA / "mates.epd").read_text().splitlines())
def test_mates(line: str) -> None:
    fen, mate = line.split(" bm #")
    moves = int(mate.strip(";"))
    limit = f"mate {moves} nodes 3000000" if moves > 0 else "depth 14"
    search = Search(fen, limit)
    assert search.last.score.mate == moves


@pytest.mark.parametrize(("fen", "mate"), [
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None),  # stalemate
    ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 0),
])  # fmt: skip
def test_finished_positions(fen: str, mate: int | None) -> None:
    search = Search(fen)
    assert search.best == BestMove("0000")
    assert search.last.depth == 0
    assert search.last.score.mate == mate


def test_mated_scores_are_negative() -> None:
    # Black can only move the king between two squares, and is mated next move.
    search = Search("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1")
    assert search.best.move == "h8h7"
    assert search.last.score.mate == -1


def test_winning_side_avoids_the_third_repetition() -> None:
    fen = "7k/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1"
    again = "a1a2 h8g8 a2a1 g8h8 a1a2 h8g8"
    search = Search(fen, "depth 6 searchmoves a2a1", moves=f"{again} a2a1 g8h8 a1a2 h8g8")
    assert search.last.score.cp == 0
    search = Search(fen, "depth 6", moves=f"{again} a2a1 g8h8 a1a2 h8g8")
    assert search.best.move != "a2a1"
    assert search.last.score.mate or search.last.score.cp > 500


def test_losing_side_takes_the_third_repetition() -> None:
    # White, a rook down and about to be mated, checks for ever: the king has only two squares.
    search = Search("6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1", "depth 8")
    assert search.best.move == "h5e8"
    assert search.last.score.cp == 0


def test_fifty_moves_are_a_draw() -> None:
    search = Search("7k/8/8/8/8/8/R7/K7 w - - 99 80", "depth 5")
    assert search.last.score.cp == 0


def test_mate_comes_before_fifty_moves() -> None:
    search = Search("7k/8/6K1/8/8/8/R7/8 w - - 99 80", "depth 3")
    assert search.best.move == "a2a8"
    assert search.last.score.mate == 1


@pytest.mark.parametrize("fen", [
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/8/3k4/8/2B5/3K4/8/8 w - - 0 1",
    "8/8/4k3/8/2N5/3K4/8/8 b - - 0 1",
    "8/2b5/4k3/4b3/8/3K4/5B2/8 b - - 0 1",
])  # fmt: skip
def test_dead_positions_are_draws(fen: str) -> None:
    assert Search(fen, "depth 6").last.score.cp == 0


def test_searchmoves() -> None:
    assert Search(words="depth 5 searchmoves a2a3 h2h3").best.move in ("a2a3", "h2h3")
    assert Search(words="depth 5 searchmoves e2e5 h2h3").best.move == "h2h3"
    assert Search(words="depth 5 searchmoves e2e5").best.move != "e2e5"


def test_searchmoves_leave_no_score_of_the_position() -> None:
    searcher = Searcher(4)
    Search(moves="e2e4", words="depth 6 searchmoves g7g5", searcher=searcher)
    after = Search(words="depth 1 searchmoves e2e4", searcher=searcher)
    assert after.last.pv[1:2] != ("g7g5",)  # lines are continued from the table
    assert Search(words="depth 8", searcher=searcher).last.score.cp < 100


@pytest.mark.parametrize("nodes", [1, 2, 100, 1023, 1024, 1025, 5000])
def test_nodes_are_exact(nodes: int) -> None:
    search = Search(words=f"nodes {nodes}")
    assert search.nodes == search.last.nodes == nodes
    assert search.last.pv


@pytest.mark.parametrize("words", ["depth 0", "depth -5", "nodes 0", "nodes -1", "mate 0",
                                   "mate -2", "movetime 0", "movetime -7", "wtime 0",
                                   "wtime -100 winc -5 movestogo -1"])  # fmt: skip
def test_limits_without_sense_are_answered(words: str) -> None:
    search = Search(words=words)
    assert search.best.move in Board().legal_moves()
    assert search.last.pv[0] == search.best.move


def test_huge_limits_do_no_harm() -> None:
    huge = 10**19
    search = Search(words=f"nodes 2000 depth {huge} wtime {huge} winc {huge} movestogo {huge}")
    assert search.nodes == 2000


def test_multipv_lists_each_move_once() -> None:
    search = Search(words="depth 4", lines=500)
    final = search.infos[-20:]
    assert [info.multipv for info in final] == list(range(1, 21))
    assert {info.pv[0] for info in final} == set(Board().legal_moves())
    scores = [info.score.cp for info in final]
    assert scores == sorted(scores, reverse=True)
    assert search.best.move == final[0].pv[0]


@pytest.mark.parametrize("fen", [
    "6rb/1pp1p3/r2k4/p3np1N/q1BPp1PP/1PP5/R2KQP1R/1NB5 b - - 0 28",
    "rn2k1n1/1bp2p2/ppq4r/3pp1pP/1PP1PP2/R2P4/1P2N1P1/1NBQK2R w q - 0 18",
    "r1b3nr/3q1k1p/n2p3b/pP2pPp1/6p1/P1PP4/R1Q1P2P/1NB1KBNR b - - 4 23",
])  # fmt: skip
def test_move_that_the_first_line_refuted_is_not_played(fen: str) -> None:
    """The score falls in an iteration, and the search is stopped in its second line.

    What the last iteration said of the other move is refuted by then: it is no better.
    """
    results = Search(fen, "depth 9", lines=2).results
    iterations = list(zip(results[::2], results[1::2], strict=True))[4:]
    for before, after in pairwise(iterations):
        old = [(line.pv[0], line.score) for line in before]
        new = after[0].pv[0], after[0].score
        if new in old or after[0].score.cp >= before[0].score.cp:
            continue
        for part in range(1, 16):
            nodes = before[0].nodes + (after[0].nodes - before[0].nodes) * part // 16
            first, second = Search(fen, f"nodes {nodes}", lines=2).results[-2:]
            if (second.pv[0], second.score) == new:
                assert (first.pv[0], first.score) not in old


def test_same_search_again_after_forgetting() -> None:
    searcher = Searcher(4)
    first = Search(words="depth 9", searcher=searcher).nodes
    assert Search(words="depth 9", searcher=searcher).nodes != first
    searcher.clear()
    assert Search(words="depth 9", searcher=searcher).nodes == first


def test_size_of_the_table() -> None:
    searcher = Searcher(1)
    assert searcher.resize(64)
    assert not searcher.resize(1 << 40)
    assert Search(words="depth 6", searcher=searcher).best.move


def random_positions(count: int, *, chess960: bool) -> list[str]:
    chance = random.Random(20261121)
    fens = []
    while len(fens) < count:
        board = chess.Board()
        if chess960:
            board = chess.Board.from_chess960_pos(chance.randrange(960))
        for _ in range(chance.randrange(4, 90)):
            if board.is_game_over():
                break
            board.push(chance.choice(list(board.legal_moves)))
        if not board.is_game_over():
            fens.append(board.shredder_fen() if chess960 else board.fen())
    return fens


@pytest.mark.parametrize("chess960", [False, True])
def test_every_pv_is_legal(chess960: bool) -> None:
    searcher = Searcher(2)
    for fen in random_positions(60, chess960=chess960):
        search = Search(fen, "depth 7", lines=2, chess960=chess960, searcher=searcher)
        for info in search.infos:
            board = chess.Board(fen, chess960=chess960)
            assert info.pv
            for move in info.pv:
                board.push(board.parse_uci(move))  # raises if it is not legal
        best = chess.Board(fen, chess960=chess960)
        assert search.last.pv[0] == search.best.move or search.infos[-2].pv[0] == search.best.move
        best.push(best.parse_uci(search.best.move))
        if search.best.ponder:
            best.push(best.parse_uci(search.best.ponder))


def test_bench_positions_are_sound_and_give_the_same_nodes() -> None:
    assert len(set(POSITIONS)) == 40
    once, again = Searcher(2), Searcher(2)
    for fen in POSITIONS:
        first, second = (Search(fen, "depth 5", searcher=s).nodes for s in (once, again))
        assert first == second


def test_limits_do_not_leak_into_the_next_search() -> None:
    searcher = Searcher(4)
    for words in ("nodes 10", "depth 2", "movetime 1", "mate 1", "searchmoves a2a3 depth 1"):
        Search(words=words, searcher=searcher)
        searcher.clear()
        assert Search(words="depth 8", searcher=searcher).nodes == Search(words="depth 8").nodes


@pytest.mark.parametrize(("words", "nodes", "depth"), [
    ("nodes 1000 depth 200 movetime 100000 wtime 10000000", 1000, None),
    ("depth 3 nodes 10000000 movetime 100000", None, 3),
    ("movetime 100000 mate 7 depth 2", None, 2),
])  # fmt: skip
def test_first_limit_ends_the_search(words: str, nodes: int | None, depth: int | None) -> None:
    search = Search(words=words)
    assert nodes is None or search.nodes == nodes
    assert depth is None or search.last.depth == depth


def test_deepest_search() -> None:
    """A dead draw lets it get through all depths there are."""
    search = Search("8/8/4k3/8/8/3K4/8/8 w - - 0 1", "")
    assert search.last.depth == 245


def test_clock_may_be_counted_in_nodes() -> None:
    searcher = Searcher(4)
    clock = "wtime 1000 btime 1000 winc 10 binc 10"
    total = 1010 * 100
    spent = 0
    for _ in range(60):
        nodes = Search(words=clock, searcher=searcher, nodestime="100").nodes
        assert nodes <= max(1, total - spent)
        spent += nodes - 1000
    assert spent > 0.7 * total  # and most of it was used
    searcher.new_game()
    assert Search(words=clock, searcher=searcher, nodestime="100").nodes > 1000


def test_clock_of_nodes_has_as_many_in_each_time_control() -> None:
    searcher = Searcher(4)
    for _ in range(3):
        spent = [
            Search(words=f"wtime 1000 btime 1000 movestogo {moves}", searcher=searcher,
                   nodestime="100").nodes
            for moves in (2, 1)
        ]  # fmt: skip
        assert min(spent) > 1000
        assert 50_000 < sum(spent) <= 120_000


def test_ponderhit_before_the_first_node_takes_nothing_from_the_clock_of_nodes() -> None:
    searcher = Searcher(4)
    Search(words="nodes 300000", searcher=searcher)
    options = Options()
    options.set_value("nodestime", "100")
    for _ in range(2):  # the second has what the first has left
        searcher.prepare_search(Board(), Limits.parse("ponder wtime 1000 btime 1000"), options)
        searcher.ponderhit()
        searcher.run()
        assert 1000 < searcher.nodes < 100 * 1000


def test_movetime_may_be_counted_in_nodes() -> None:
    assert Search(words="movetime 50", nodestime="100").nodes == 5000


def test_only_move_is_played_at_once_unless_analysing() -> None:
    fen, clock = "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", "wtime 1000 btime 1000"
    assert Search(fen, clock, nodestime="4000").last.depth == 1
    assert Search(fen, clock, nodestime="4000", UCI_AnalyseMode="true").last.depth > 1


def test_only_move_is_played_at_once_when_the_opponent_did_as_expected() -> None:
    fen = "r2qk1nr/1Bpnb3/6Q1/1p1pp1p1/p3P2p/PPP3PR/R2P1P2/1NB1K1N1 b kq - 1 15"

    def hit(search: Search, info: Info) -> None:
        if not info.score:  # amid an iteration
            depths.append(info.depth)
            search.searcher.ponderhit()

    depths: list[int] = []
    search = Search(fen, "ponder wtime 3600000 btime 3600000", on_info=hit)
    assert search.best.move == "e8f8"
    assert search.last.depth == depths[0] - 1


def test_long_enough_ponder_has_its_move_at_ponderhit() -> None:
    nodes: list[int] = []

    def hit(search: Search, info: Info) -> None:
        if not nodes and info.depth > 1 and search.searcher.nodes > 100_000:
            nodes.append(search.searcher.nodes)
            search.searcher.ponderhit()

    search = Search(words="ponder wtime 100 btime 100", on_info=hit, nodestime="4000")
    assert search.searcher.nodes < nodes[0] + 3000  # it may take 50,000 of this clock's


def test_tiny_table_and_many_positions() -> None:
    searcher = Searcher(1)
    for fen in POSITIONS[:10]:
        search = Search(fen, "depth 9", searcher=searcher)
        search.assert_legal(search.last.pv)


def test_table_of_all_memory_is_refused_and_the_old_one_serves() -> None:
    searcher = Searcher(2)
    assert not searcher.resize(1 << 42)
    assert Search(words="depth 9", searcher=searcher).nodes == Search(words="depth 9").nodes
