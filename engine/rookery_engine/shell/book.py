"""The opening book, in the Polyglot format.

Reading it is python-chess's work.  That library takes 200 ms to load and half a
minute of nothing else in an engine's life, so only who switches `OwnBook` on pays
for it.
"""

import random
from typing import TYPE_CHECKING

from rookery_uci import UciError

if TYPE_CHECKING:
    from chess.polyglot import MemoryMappedReader


class Book:
    """A book that is open.

    Raises:
        UciError: the file cannot be read, or is no Polyglot book.

    """

    def __init__(self, path: str) -> None:
        from chess.polyglot import open_reader

        try:
            self._reader: MemoryMappedReader = open_reader(path)
        except (OSError, ValueError) as error:  # the latter for what can be no path
            reason = getattr(error, "strerror", None) or error
            raise UciError(f"BookFile {path!r} cannot be read: {reason}") from error
        size = len(self._reader)
        if not size:
            raise UciError(f"BookFile {path!r} has no moves: a Polyglot .bin book is needed")
        self.size = size

    def close(self) -> None:
        """Close the file."""
        self._reader.close()

    def move(self, fen: str, *, chess960: bool) -> str | None:
        """Return a move for the position as UCI text, by the weights in the book."""
        import chess

        board = chess.Board(fen, chess960=chess960)
        try:
            entry = self._reader.weighted_choice(board, random=random.Random())  # noqa: S311  # a game
        except IndexError:
            return None
        return board.uci(entry.move, chess960=chess960)
