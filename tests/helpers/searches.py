"""One search of the engine, as tests ask for it."""

from collections.abc import Callable

import chess

from rookery_engine.core.board import Board
from rookery_engine.core.fen_codec import START
from rookery_engine.search.searcher import Searcher
from rookery_engine.shell.options import Options
from rookery_uci import BestMove, Info, Limits, parse_reply


class Search:
    """One search and what it reported; `options` by their names, `_` for a blank."""

    def __init__(
        self,
        fen: str = START,
        words: str = "depth 6",
        *,
        moves: str = "",
        lines: int = 1,
        chess960: bool = False,
        searcher: Searcher | None = None,
        on_info: Callable[["Search", Info], None] | None = None,
        **options: str,
    ) -> None:
        self.searcher = searcher or Searcher(4)
        self.board = chess.Board(fen, chess960=chess960)
        board = Board(fen, chess960)
        for move in moves.split():
            assert board.play(move)
            self.board.push_uci(move)
        self.infos: list[Info] = []
        self.on_info = on_info
        chosen = Options()
        chosen.set_value("MultiPV", str(lines))
        for name, value in options.items():
            assert chosen.set_value(name.replace("_", " ") if "UCI_" not in name else name, value)
        self.searcher.prepare_search(board, Limits.parse(words), chosen, report=self._report)
        self.best: BestMove = self.searcher.run()
        self.nodes = self.searcher.nodes

    def _report(self, lines: list[str]) -> None:
        for info in map(parse_reply, lines):
            if isinstance(info, Info):
                self.infos.append(info)
                if self.on_info:
                    self.on_info(self, info)

    @property
    def results(self) -> list[Info]:
        """Lines that had a score."""
        return [info for info in self.infos if info.score]

    @property
    def last(self) -> Info:
        return self.infos[-1]

    def assert_legal(self, moves: tuple[str, ...]) -> None:
        board = self.board.copy()
        for move in moves:
            board.push(board.parse_uci(move))  # raises if it is not legal
