"""Opening books of Polyglot."""

import struct

import chess
from chess.polyglot import zobrist_hash


def book_of(*entries: tuple[chess.Board, str, int]) -> bytes:
    """Return a book of Polyglot: positions, moves in UCI, and weights."""
    found = []
    for board, uci, weight in entries:
        move = chess.Move.from_uci(uci)
        bits = move.to_square | move.from_square << 6
        found.append(struct.pack(">QHHI", zobrist_hash(board), bits, weight, 0))
    return b"".join(sorted(found))
