"""An opening book of Polyglot: the moves of positions with their weights, and no games.

http://hgm.nubati.net/book_format.html
"""

import struct
from itertools import pairwise
from pathlib import Path

import chess
from chess.polyglot import open_reader

from rookery_protocol.errors import ServerError

SUFFIX = ".bin"
_ENTRY = struct.Struct(">Q8x")  # its key


class PolyglotBook:
    """A book that is open for reading."""

    def __init__(self, path: Path) -> None:
        """Open a book.

        Raises:
            ServerError: it cannot be read, or is no such book.

        """
        try:
            trouble = _trouble_with(path.read_bytes())
            if not trouble:
                self._reader = open_reader(path)
        except OSError as error:
            raise ServerError(f"explorer.file: cannot read {path}: {error}") from error
        if trouble:
            raise ServerError(f"explorer.file: {path} is no Polyglot book: {trouble}")

    def moves(self, board: chess.Board) -> list[tuple[chess.Move, int]]:
        """Return the legal moves of a position with their weights, the heaviest first."""
        weights: dict[chess.Move, int] = {}
        for entry in self._reader.find_all(board):
            weights[entry.move] = weights.get(entry.move, 0) + entry.weight
        return sorted(weights.items(), key=lambda item: -item[1])

    def close(self) -> None:
        """Close the book."""
        self._reader.close()


def _trouble_with(content: bytes) -> str:
    """Return the reason why a file is no book; "" if it may be one."""
    if not content or len(content) % _ENTRY.size:
        return f"it has {len(content)} bytes; entries of {_ENTRY.size} bytes were expected"
    if any(before > after for (before,), (after,) in pairwise(_ENTRY.iter_unpack(content))):
        return "entries sorted by their keys were expected"
    return ""
