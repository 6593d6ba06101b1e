"""Games for the trainer, and the files that are made of them."""

from pathlib import Path
from random import Random

import chess
import pytest

from train.game_file import KIND
from train.generate import START
from train.pack import pack
from train.recorded_game import NO_SCORE, RecordedGame

VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 310, chess.ROOK: 500, chess.QUEEN: 900}
GAMES = 192  # three of them for validation
PLIES = 90
MATE = 31990  # a score


def material(board: chess.Board) -> int:
    """Return the lead of the side to move, in centipawns."""
    return sum(
        value * (len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)))
        for kind, value in VALUES.items()
    )


def play(seed: int, fen: str = START) -> bytes:
    """A game of random moves, judged by material; some scores are mates, and some are missing."""
    chance = Random(seed)
    board = chess.Board(fen)
    game = RecordedGame(fen)
    while game.count < PLIES and game.result() is None:
        move = chance.choice(sorted(board.legal_moves, key=chess.Move.uci))
        score = MATE if chance.random() < 0.02 else material(board)
        score = NO_SCORE if chance.random() < 0.05 else score
        assert game.play(move.uci().encode(), score)
        board.push(move)
    ahead = material(board) * (1 if board.turn else -1)
    return game.to_bytes(0 if ahead < -200 else 2 if ahead > 200 else 1)


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of games of random moves."""
    path = tmp_path_factory.mktemp("games") / "random.0"
    path.write_bytes(KIND + b"".join(play(seed) for seed in range(GAMES)))
    return path


@pytest.fixture(scope="session")
def samples(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples of those games."""
    path = tmp_path_factory.mktemp("samples") / "random"
    pack([games], path, bound=0, seed=1, tell=lambda line: None)
    return path
