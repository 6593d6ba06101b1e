"""What python-chess builds a game with: whatever is illegal in it is left out, and noted.

The main line ends before its first illegal move; of a variation the moves before it stay.
python-chess itself would go on behind a broken variation from where that has ended, and so
lose or make up moves of the main line: it hears of no illegal move, for what is broken is
skipped here.
"""

from collections.abc import Callable
from contextlib import suppress

import chess
import chess.pgn

from rookery_engine.uci import Fen


class Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Builds one game; `note` takes what is wrong with it, as it is read."""

    def __init__(self, note: Callable[[Exception], None]) -> None:
        super().__init__()
        self._note = note
        self._broken: int | None = None  # how deep the variation is that is skipped to its end
        self._skips = False  # a variation within that one

    @property
    def _depth(self) -> int:
        """How many variations are open; 0 is the main line."""
        return len(self.variation_stack) - 1

    def handle_error(self, error: Exception) -> None:
        """Take note of what is wrong, and say nothing."""
        self.game.errors.append(error)
        self._note(error)

    def end_headers(self) -> None:
        """Mend a first position that python-chess cannot read, as sessions do."""
        headers = self.game.headers
        with suppress(ValueError):  # It stays as it is, and says why it cannot be set up.
            if headers.variant() is chess.Board and not _is_read(headers):
                fen = Fen.parse(headers.get("FEN", ""), chess960=True)  # rights of either chess
                headers["FEN"] = chess.Board(str(fen), chess960=True).fen(en_passant="fen")

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType:
        """Play a move on the board, unless it is illegal, or behind one that is.

        Whatever it is, python-chess need not read it, too.
        """
        if self._broken is None:
            try:
                move = self._read(board, san)
            except ValueError as error:
                self.handle_error(error)
                self._broken = self._depth
                self.starting_comment = ""
                # On a board without moves python-chess sees no bracket that opens.
                board.push(chess.Move.null())
            else:
                self.visit_move(board, move)
                board.push(move)
        return chess.pgn.SKIP

    def begin_variation(  # type: ignore[override]  # The visitors that it is one of may skip.
        self,
    ) -> chess.pgn.SkipType | None:
        """Go into a variation, or pass over it if what it belongs to is skipped."""
        if self._broken is not None:
            self._skips = True
            return chess.pgn.SKIP
        super().begin_variation()
        return None

    def end_variation(self) -> None:
        """Come back from a variation."""
        if self._skips:
            self._skips = False
            return
        if self._broken == self._depth:
            self._broken = None
            self.in_variation = True  # A comment that follows is one of the last move.
        super().end_variation()

    def visit_nag(self, nag: int) -> None:
        """Take a glyph."""
        if self._broken is None:
            super().visit_nag(nag)

    def visit_comment(self, comment: str) -> None:
        """Take a comment."""
        if self._broken is None:
            super().visit_comment(comment)

    def _read(self, board: chess.Board, san: str) -> chess.Move:
        move = board.parse_san(san)
        if not move and not self._depth:  # An engine that is told of one searches what it likes.
            raise ValueError(f"{san!r} is no move, and only a variation may have one")
        return move


def _is_read(headers: chess.pgn.Headers) -> bool:
    try:
        headers.board()
    except ValueError:
        return False
    return True
