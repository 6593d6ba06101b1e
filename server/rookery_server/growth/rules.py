"""The rules of the game as the algorithms of growth need them, and those of chess."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import chess

from rookery_protocol.legality import STANDARD, VARIANTS
from rookery_server.growth.node import Kind
from rookery_server.growth.value import MATE

_CRAZYHOUSE = "crazyhouse"
_STEPS = 4096  # that are remembered; most descents begin with the same moves
_POSITIONS = 128  # whose moves are: each finding is checked against those of its position thrice


class IllegalMoveError(ValueError):
    """A move is not legal where it was to be played; the text says both."""


@dataclass(frozen=True, slots=True)
class Step:
    """The position after a move.

    `is_zeroing`: the move, a capture or a pawn's, begins the count of the fifty-move rule anew.
    """

    key: str
    phase: int
    is_zeroing: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of the game in a position by the rules; the value is for the side to move."""

    kind: Kind
    value: int


class Rules(Protocol):
    """A game whose positions are named by keys.

    No move makes the phase more, and a move that can be undone does not make it less.
    """

    def phase(self, key: str) -> int:
        """Return the phase of a position: see `Node.phase`."""
        ...

    def moves(self, key: str) -> tuple[str, ...]:
        """Return the legal moves of a position."""
        ...

    def step(self, key: str, move: str) -> Step:
        """Play a move; raise IllegalMoveError if it is not legal."""
        ...

    def ending(self, key: str) -> Ending | None:
        """Return the end of the game in a position; None if it goes on."""
        ...


class ChessRules:
    """The rules of chess, Chess960 and the variants of python-chess.

    A key is an EPD without operations, with castling rights by files, and en passant if legal.
    """

    def __init__(self, *, chess960: bool = False, variant: str = STANDARD) -> None:
        self._kind = VARIANTS[variant]
        self._chess960 = chess960
        # In Crazyhouse captured pieces come back: only castling rights are lost for good.
        self._pieces_return = variant == _CRAZYHOUSE
        self.step = lru_cache(_STEPS)(self._step)
        self.moves = lru_cache(_POSITIONS)(self._moves)

    def board(self, key: str) -> chess.Board:
        """Return the board of a position, without a history."""
        return self._kind(f"{key} 0 1", chess960=self._chess960)

    def key(self, board: chess.Board) -> str:
        """Return the key of a board's position."""
        return board.epd(shredder=True, en_passant="legal")

    def phase(self, key: str) -> int:
        """Return the castling rights, pieces, and ranks that pawns have before them."""
        return self._phase(self.board(key))

    def ending(self, key: str) -> Ending | None:
        """Return the end of the game, but for repetition and the fifty-move rule."""
        board = self.board(key)
        outcome = board.outcome()  # The board has no history, and its clock stands at 0.
        if outcome is None:
            return None
        if outcome.winner is not None:
            return Ending(Kind.CHECKMATE, MATE if outcome.winner == board.turn else -MATE)
        is_stalemate = outcome.termination is chess.Termination.STALEMATE
        return Ending(Kind.STALEMATE if is_stalemate else Kind.DEAD_DRAW, 0)

    def _moves(self, key: str) -> tuple[str, ...]:
        board = self.board(key)
        return tuple(board.uci(move) for move in board.legal_moves)

    def _step(self, key: str, move: str) -> Step:
        board = self.board(key)
        try:
            played = board.parse_uci(move)
        except ValueError:
            played = chess.Move.null()
        if not played:
            raise IllegalMoveError(f"{move} is not legal in {key}")
        is_zeroing = board.is_zeroing(played)
        board.push(played)
        return Step(self.key(board), self._phase(board), is_zeroing)

    def _phase(self, board: chess.Board) -> int:
        castling = chess.popcount(board.clean_castling_rights())
        if self._pieces_return:
            return castling
        ways = sum(7 - chess.square_rank(each) for each in board.pieces(chess.PAWN, chess.WHITE))
        ways += sum(chess.square_rank(each) for each in board.pieces(chess.PAWN, chess.BLACK))
        # A pawn at the last step counts as 2, and what it becomes as 1.
        return castling + chess.popcount(board.occupied) + ways
