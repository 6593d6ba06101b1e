"""A bare king: the evaluation says where it has to go, and the search mates it without tables."""

import random
from collections.abc import Iterator

import chess
import pytest
from helpers.searches import Search

from rookery_engine.core.board import Board
from rookery_engine.nnue import network
from rookery_engine.nnue.evaluate import evaluate_board
from rookery_engine.search.searcher import Searcher

NODES = 2000  # of a move: too few to see a mate from afar


@pytest.fixture
def silent_network() -> Iterator[None]:
    """A network whose scores are all 0."""
    shape = network.payload()[:8]
    network.load(shape.ljust(network.SIZE, b"\0"))
    yield
    network.use_network("")


def score(board: chess.Board) -> int:
    """The score from White's side, who is to move or not."""
    value = evaluate_board(Board(board.fen())).score
    return value if board.turn else -value


@pytest.mark.usefixtures("silent_network")
@pytest.mark.parametrize(("better", "worse"), [
    ("k7/8/8/8/4K3/8/8/6R1 w - - 0 1", "8/8/3k4/8/4K3/8/8/6R1 w - - 0 1"),
    ("k7/2K5/8/8/8/8/8/6R1 w - - 0 1", "k7/8/8/8/8/8/4K3/6R1 w - - 0 1"),
    ("k7/2K5/8/8/8/8/8/6R1 b - - 0 1", "k7/8/8/8/8/8/4K3/6R1 b - - 0 1"),
    ("k7/8/2K5/8/8/8/6BN/8 w - - 0 1", "7k/8/5K2/8/8/8/6BN/8 w - - 0 1"),  # light squares
    ("7k/8/5K2/8/8/8/5B1N/8 b - - 0 1", "k7/8/2K5/8/8/8/5B1N/8 b - - 0 1"),  # dark squares
    ("7k/8/5K2/8/8/8/5BB1/8 w - - 0 1", "8/8/3k1K2/8/8/8/5BB1/8 w - - 0 1"),
])  # fmt: skip
def test_it_is_better_for_the_winner_where_it_is_mated(better: str, worse: str) -> None:
    boards = chess.Board(better), chess.Board(worse)
    one, other = map(score, boards)
    assert one > other
    assert [-score(board.mirror()) for board in boards] == [one, other]  # for Black, too


@pytest.mark.usefixtures("silent_network")
@pytest.mark.parametrize("fen", [
    "8/8/8/2k5/8/8/1B1K4/2B5 w - - 0 1",  # no mate can be forced
    "8/8/8/2k5/8/8/1N1K4/1N6 w - - 0 1",
    "8/8/8/2k5/8/4P3/1R1K4/8 w - - 0 1",  # the pawn has more urgent things to do
    "8/8/2r5/2k5/8/8/1Q1K4/8 w - - 0 1",  # no bare king
])  # fmt: skip
def test_otherwise_nothing_is_added(fen: str) -> None:
    assert score(chess.Board(fen)) == 0


@pytest.mark.parametrize("fen", [
    "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
    "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
    "8/8/8/4k3/8/8/8/KBB5 w - - 0 1",
    "8/8/8/1k6/8/8/3RN3/3K4 b - - 0 1",
])  # fmt: skip
def test_it_is_mated_with_few_nodes(fen: str) -> None:
    board = chess.Board(fen)
    searcher = Searcher(4)
    chance = random.Random(1)
    winner = chess.WHITE
    while not board.is_game_over() and board.halfmove_clock < 100:
        if board.turn == winner:
            played = " ".join(move.uci() for move in board.move_stack)
            best = Search(fen, f"nodes {NODES}", moves=played, searcher=searcher).best.move
            board.push_uci(best)
        else:
            board.push(chance.choice(list(board.legal_moves)))
    assert board.is_checkmate()
    assert board.turn != winner
