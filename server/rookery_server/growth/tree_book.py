"""The moves of a tree as entries of a Polyglot book.

http://hgm.nubati.net/book_format.html
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import exp2

import chess
from chess.polyglot import zobrist_hash

from rookery_server.growth.cost import PLY, loss_cost
from rookery_server.growth.node import OTHERS, Node
from rookery_server.growth.rules import ChessRules
from rookery_server.growth.settings import GrowthSettings

MOST_WEIGHT = 65_535
LEAST_WEIGHT = 64  # of a move that is in the book: one that loses ten widths is in none
_ENTRY = struct.Struct(">QHHI")


@dataclass(frozen=True, slots=True)
class BookBounds:
    """The part of a tree that is in a book: moves whose positions have so large subtrees.

    `plies` are counted from the root.
    """

    plies: int = 400
    visits: int = 1


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A move of a position; the weight of the best one is `MOST_WEIGHT`."""

    key: int
    move: int
    weight: int

    def pack(self) -> bytes:
        """Return the 16 bytes of the entry."""
        return _ENTRY.pack(self.key, self.move, self.weight, 0)


def book_entries(
    node: Node,
    sizes: Mapping[int, int],
    rules: ChessRules,
    settings: GrowthSettings,
    bounds: BookBounds,
) -> Iterator[BookEntry]:
    """Yield the entries of a node.

    A weight is halved by each loss of a `width` of the side to move, so that it says of a move what
    the growth of the tree says.

    Args:
        node: the node.
        sizes: of the subtrees to which its moves lead, by the numbers of their nodes.
        rules: of chess.
        settings: of the growth.
        bounds: the part of the tree that is in the book.

    """
    if node.rank >= bounds.plies or node.size < bounds.visits:
        return
    best = node.best_value()
    width = settings.side(is_white=node.is_white).width
    board, key = None, 0
    for each in node.counting():
        size = None if each.child is None else sizes.get(each.child)
        if each.move == OTHERS or each.value is None or size is None:
            continue
        weight = round(MOST_WEIGHT * exp2(-loss_cost(best, each.value, width) / PLY))
        if weight < LEAST_WEIGHT or size < bounds.visits:
            continue
        if board is None:
            board = rules.board(node.key)
            key = zobrist_hash(board)
        yield BookEntry(key, _move_bits(board, chess.Move.from_uci(each.move)), weight)


def _move_bits(board: chess.Board, move: chess.Move) -> int:
    """Return a move as the book has it: castling is the king that takes its rook."""
    target = move.to_square
    if board.is_castling(move) and not board.chess960:
        is_short = chess.square_file(target) > chess.square_file(move.from_square)
        target = chess.square(7 if is_short else 0, chess.square_rank(target))
    promotion = (move.promotion or chess.PAWN) - chess.PAWN
    return target | move.from_square << 6 | promotion << 12
