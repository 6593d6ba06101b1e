"""Players of the ladder: our levels, in this process, and Stockfish's, as a UCI engine."""

import time

from bench.child import find
from bench.match.player import MatchPlayer, MoveRequest, PlayedMove, PlayerSpec
from bench.match.uci import UciPlayer

HASH_MB = 1  # a limited search has a table of its own


class Rookery(MatchPlayer):
    """One of our levels, without a pipe between: as in the engine, but quicker.

    The level has its own limit of a search.
    """

    def __init__(self, elo: int, seed: int) -> None:
        from rookery_engine.core.board import Board
        from rookery_engine.search.searcher import Searcher
        from rookery_engine.shell.options import Options
        from rookery_uci import Limits

        self.name = str(elo)
        self._options = Options()
        self._options.set_value("UCI_LimitStrength", "true")
        self._options.set_value("UCI_Elo", str(elo))
        self._limits = Limits()
        self._searcher = Searcher(HASH_MB, seed)
        self._board = Board

    def new_game(self) -> None:
        """Overlook other moves than before."""
        self._searcher.clear()

    def choose(self, question: MoveRequest) -> PlayedMove:
        """Return the move to play."""
        started = time.perf_counter()
        board = self._board(question.fen)
        for move in question.moves:
            board.play(move)
        self._searcher.prepare_search(board, self._limits, self._options)
        move = self._searcher.run().move
        return PlayedMove(move, time.perf_counter() - started)

    def end(self) -> None:
        """Do nothing: it has no process of its own."""


def stockfish(elo: int) -> UciPlayer:
    """Start one of Stockfish's levels.

    A level plays what it chose after a depth that follows from its Elo (`Skill` in
    search.cpp of version 15), but what it searches beyond stays in its table, and
    makes it better at the next move.  So its limit matters: see the README.
    """
    options = (("UCI_LimitStrength", "true"), ("UCI_Elo", str(elo)))
    return UciPlayer(PlayerSpec(f"sf{elo}", (find("stockfish"),), options))
