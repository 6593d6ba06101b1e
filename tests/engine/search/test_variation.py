"""Reported lines: legal, whole if they mate, and never longer than the game."""

from pathlib import Path
from time import process_time

import chess
import pytest
from helpers.searches import Search

from rookery_engine.search.searcher import Searcher
from rookery_uci import Info

MATES = Path(__file__).parents[2] / "data" / "mates.epd"
# From these the search may know mates by its table alone, and cut the line short.
CUT_SHORT = (
    "8/8/4B3/1p2Q2b/7k/1K6/8/8 b - - 0 1",
    "8/8/8/2Bp4/3p4/1K1p4/p1pp4/kbrn4 b - - 0 1",
    "5bBk/4p1p1/4P1P1/1K6/4P1N1/8/8/8 b - - 0 1",
    "8/p7/p7/P7/6BK/8/2N3k1/8 b - - 0 1",
)


def assert_ends_with_the_game(board: chess.Board, info: Info) -> None:
    """Play a line; it must not go on when the game is over, and mate as it says."""
    board = board.copy()
    for number, move in enumerate(info.pv):
        over = board.is_repetition(3) or board.halfmove_clock >= 100
        assert number == 0 or not (over or board.is_insufficient_material()), info
        board.push(board.parse_uci(move))  # raises if it is not legal
    score = info.score
    if score.mate is not None and not score.bound:
        assert len(info.pv) == (2 * score.mate - 1 if score.mate > 0 else -2 * score.mate), info
        assert board.is_checkmate(), info


@pytest.mark.parametrize("lines", [1, 3])
@pytest.mark.parametrize("fen", CUT_SHORT)
def test_mate_is_reported_with_all_its_moves(fen: str, lines: int) -> None:
    search = Search(fen, "nodes 120000", lines=lines)
    told = [info for info in search.results if info.score.mate is not None]
    assert any(info.score.bound is None for info in told)
    for info in told:
        assert_ends_with_the_game(search.board, info)


@pytest.mark.parametrize("fen", CUT_SHORT)
def test_the_only_line_that_is_reported_has_an_exact_score(fen: str) -> None:
    for nodes in range(20_000, 100_000, 10_000):
        (info,) = Search(fen, f"nodes {nodes}", Minimal="true").infos
        assert info.score.bound is None


def test_mates_of_a_small_table_are_reported_with_all_their_moves() -> None:
    """It forgets most of what it has found."""
    searcher = Searcher(1)
    for line in MATES.read_text().splitlines()[:40]:
        fen = " ".join(line.split()[:4]) + " 0 1"
        search = Search(fen, "nodes 20000", searcher=searcher)
        for info in search.results:
            assert_ends_with_the_game(search.board, info)


def test_the_moves_of_many_mates_cost_little_of_the_search() -> None:
    """With each of 23 moves the queen mates, and a small table forgets how."""
    spent = []
    for minimal in ("true", "false"):  # With `Minimal` the lines are looked for only once.
        searcher, began = Searcher(1), process_time()
        fen, nodes = "8/8/8/8/4k3/8/8/K2Q4 w - - 0 1", "nodes 3000000"
        Search(fen, nodes, searcher=searcher, lines=50, Minimal=minimal)
        spent.append(process_time() - began)
    assert spent[1] < 1.5 * spent[0]


@pytest.mark.parametrize(("fen", "moves"), [
    ("7k/8/8/8/8/8/1q6/7K w - - 0 1", "h1g1 b2b7 g1f1 b7b2 f1g1 b2b7 g1f1 b7b2 f1g1"),
    ("8/8/8/8/4k3/8/4r3/K7 b - - 93 90", ""),
    ("6k1/5ppp/8/8/8/8/q7/6QK b - - 96 90", ""),
    ("7k/5Q2/8/8/8/8/5q2/7K w - - 0 1", "f7e8 h8h7 e8e4 h7h8 e4e8 h8h7 e8e4 h7h8"),
])  # fmt: skip
def test_lines_stop_where_the_game_is_drawn(fen: str, moves: str) -> None:
    search = Search(fen, "depth 12", moves=moves, lines=4)
    for info in search.results:
        assert_ends_with_the_game(search.board, info)
