"""The opening book, in the Polyglot format.

python-chess reads it.  That library takes 200 ms to load, and most engines never need it, so it
is loaded only when `OwnBook` is switched on.
"""

from rookery_uci import UciError


class Book:
    """An open book.

    Raises:
        UciError: the file cannot be read, or is no Polyglot book.

    """

    def __init__(self, path: str) -> None:
        from chess.polyglot import open_reader

        try:
            self._reader = open_reader(path)
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

    def choose_move(self, fen: str, *, chess960: bool) -> str | None:
        """Return a move for the position as UCI text, by the weights in the book."""
        import random

        import chess

        board = chess.Board(fen, chess960=chess960)
        try:
            entry = self._reader.weighted_choice(board, random=random.Random())  # noqa: S311  # a game
        except IndexError:
            return None
        return board.uci(entry.move, chess960=chess960)
