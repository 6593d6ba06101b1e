"""Static evaluation of one position: which side stands better, without looking ahead.

The score is the network's (see network.py), made from nothing, and what is to be said of a bare
king (see bare_king.pxd).  The search does not use this: it keeps what a move does not change (see
accumulator.py), and gets the same.
"""

from typing import NamedTuple

import cython
from cython.cimports.rookery_engine.core.board import Board
from cython.cimports.rookery_engine.core.position import Position, occupied, remove_piece
from cython.cimports.rookery_engine.core.types import KING, NO_PIECE, i16, popcount
from cython.cimports.rookery_engine.nnue.accumulator import fill
from cython.cimports.rookery_engine.nnue.bare_king import with_bare_king
from cython.cimports.rookery_engine.nnue.network import BUCKETS, HIDDEN, Row, bucket_of, output


class PieceValue(NamedTuple):
    """A piece on its square, and its value to the evaluation."""

    square: int
    letter: str
    value: int | None  # by which it changes the score, from White's side; None for a king


class StaticEvaluation(NamedTuple):
    """Static evaluation of a position in the units of `wdl`, from the side to move."""

    outputs: list[int]  # of each of the network's outputs
    bucket: int  # the output that counts, by the number of men
    score: int  # by that output, and by what is to be said of a bare king


def evaluate(pos, bucket):
    """Return an output's score in the units of `wdl`, from the side to move."""
    own: i16[HIDDEN]
    other: i16[HIDDEN]
    fill(pos, pos.side, cython.cast(Row, own))
    fill(pos, pos.side ^ 1, cython.cast(Row, other))
    return output(cython.cast(Row, own), cython.cast(Row, other), bucket)


def full_score(pos):
    """Return the score by the output that counts, and by what is to be said of a bare king."""
    return with_bare_king(pos, evaluate(pos, bucket_of(popcount(occupied(pos)))))


def evaluate_board(board: Board) -> StaticEvaluation:
    """Evaluate a position, also by each of the network's outputs."""
    pos = cython.address(board.position)
    outputs = [evaluate(pos, bucket) for bucket in range(BUCKETS)]
    return StaticEvaluation(outputs, bucket_of(popcount(occupied(pos))), full_score(pos))


def piece_values(board: Board) -> list[PieceValue]:
    """Return the pieces on the board, from a1 on, with their values to the evaluation."""
    pos = cython.address(board.position)
    sign: cython.int = -1 if pos.side else 1
    score: cython.int = full_score(pos)
    found = []
    for square in range(64):
        piece = pos.board[square]
        if piece != NO_PIECE:
            value = None
            if piece >> 1 != KING:
                without: Position = pos[0]
                remove_piece(cython.address(without), square)
                value = sign * (score - full_score(cython.address(without)))
            found.append(PieceValue(square, "PpNnBbRrQqKk"[piece], value))
    return found
