"""The compiled core as the engine uses it: a searcher, and the position to search."""

from rookery_uci import FenError, Position, UciError

DEFAULT_HASH = 16  # MiB


class LoadedCore:
    """A searcher and a board.

    Their modules are imported here, with the first command that needs them, so that `uciok`
    need not wait for them.
    """

    def __init__(self) -> None:
        from rookery_engine.core.board import Board
        from rookery_engine.search.searcher import Searcher

        self.searcher = Searcher(DEFAULT_HASH)
        self.board = Board()

    def set_position(self, command: Position, *, chess960: bool) -> str:
        """Set up a position; return its FEN before the moves, as it was understood.

        Raises:
            UciError: it is refused; the one before stays.

        """
        from rookery_engine.core.board import Board
        from rookery_engine.core.fen_codec import START

        try:
            board = Board(command.fen or START, chess960)
        except FenError as error:
            raise UciError(f"position not understood: {error}") from error
        start = board.fen
        for number, move in enumerate(command.moves, 1):
            if not board.play(move):
                raise UciError(f"move {number} is not legal: {move[:80]!r}")
        self.board = board
        return start
