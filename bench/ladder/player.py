"""Who plays: our levels, in this process, and Stockfish's, as lines to another.

A player is asked with a position and the moves since, as `position` has them, and
answers with its move.
"""

import subprocess
from types import TracebackType
from typing import Protocol, Self

from bench.child import find

HASH_MB = 1  # a limited search has a table of its own


class Player(Protocol):
    """One who can be asked for a move."""

    name: str

    def new_game(self) -> None:
        """Forget the game before."""
        ...

    def choose(self, fen: str, moves: list[str]) -> str:
        """Return the move to play after `moves` from `fen`."""
        ...


class Rookery:
    """One of our levels, without a pipe between: as in the engine, but quicker."""

    def __init__(self, elo: int, seed: int) -> None:
        from rookery_engine.board import Board
        from rookery_engine.options import Options
        from rookery_engine.searcher import Searcher
        from rookery_engine.uci import Limits

        self.name = str(elo)
        self._options = Options()
        self._options.set("UCI_LimitStrength", "true")
        self._options.set("UCI_Elo", str(elo))
        self._limits = Limits()
        self._searcher = Searcher(HASH_MB, seed)
        self._board = Board

    def new_game(self) -> None:
        """Overlook other moves than before."""
        self._searcher.forget()

    def choose(self, fen: str, moves: list[str]) -> str:
        """Return the move to play."""
        board = self._board(fen)
        for move in moves:
            board.play(move)
        self._searcher.begin(board, self._limits, self._options)
        return self._searcher.run().move


class Stockfish:
    """One of Stockfish's levels, asked through a pipe.

    A level plays what it chose after a depth that follows from its Elo (`Skill` in
    search.cpp of version 15), but what it searches beyond stays in its table, and
    makes it better at the next move.  So `limit` matters: see the README.
    """

    def __init__(self, elo: int, limit: str) -> None:
        self.name = f"sf{elo}"
        self._limit = limit
        self._process = subprocess.Popen(
            [find("stockfish")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._say("uci", "setoption name UCI_LimitStrength value true")
        self._say(f"setoption name UCI_Elo value {elo}", "isready")
        self._hear("readyok")

    def new_game(self) -> None:
        """Forget the game before."""
        self._say("ucinewgame", "isready")
        self._hear("readyok")

    def choose(self, fen: str, moves: list[str]) -> str:
        """Return the move to play."""
        self._say(f"position fen {fen} moves {' '.join(moves)}", f"go {self._limit}")
        return self._hear("bestmove").split()[1]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()

    def _say(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def _hear(self, word: str) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(word):
                return line
        raise EOFError(f"{self.name} has ended")
