"""What takes its time, each in the form that the loop can run and end.

A task begins when it is made: a `stop` right behind it finds something to stop.
"""

from _thread import allocate_lock  # `threading` costs 5 ms at every start
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from rookery_engine.shell import engine_output
from rookery_engine.shell.options import Options
from rookery_uci import BestMove, Info, Limits, Score, UciError

if TYPE_CHECKING:
    from rookery_engine.core.board import Board
    from rookery_engine.search.searcher import Searcher


MOST_PERFT = 20  # plies; a count so deep ends only where there is hardly a move


class Task(Protocol):
    """Something that takes its time, in a thread of its own."""

    in_full: bool  # its answer is wanted even by who says `quit`

    @property
    def is_held(self) -> bool:
        """Whether its answer needs another word of the GUI's."""

    @property
    def ends(self) -> bool:
        """Whether it comes to its answer without another word of the GUI's."""

    def run(self) -> None:
        """Do it to the end, and say what came of it."""

    def stop(self) -> None:
        """End it as soon as possible."""

    def ponderhit(self) -> None:
        """Take note that the expected move was played."""


class Search:
    """The task of a `go`.  `attend` is called at each report but the last."""

    in_full = False

    def __init__(
        self, searcher: "Searcher", board: "Board", limits: Limits, options: Options
    ) -> None:
        self._searcher = searcher
        self._lines: list[str] = []  # the newest variations
        self._number = 0  # of the writing that had them
        self._is_endless = limits.infinite
        self._is_limited = limits.has_limit
        self.is_held = limits.infinite or limits.ponder
        self.attend: Callable[[], None] | None = None
        searcher.begin(board, limits, options, report=self._report)

    @property
    def ends(self) -> bool:
        """Whether a limit ends it, or it has been stopped."""
        return self._is_limited and not self.is_held

    def run(self) -> None:
        """Search, and say what is found."""
        self._searcher.run()

    def _report(self, lines: list[str]) -> None:
        """Say what the searcher reports; a lone best move has its variations before it."""
        if lines[0].startswith("bestmove"):
            engine_output.conclude(lines[0], number=self._number, before=self._lines)
            return
        number = engine_output.write("\n".join(lines))
        if " score " in lines[0]:
            self._lines = lines
            self._number = number
        if self.attend is not None:
            self.attend()

    def stop(self) -> None:
        """End the search."""
        self.is_held = False
        self._is_limited = True
        self._searcher.stop()

    def ponderhit(self) -> None:
        """Let the clock run."""
        self.is_held = self._is_endless
        self._searcher.ponderhit()


class Count:
    """The task of a `go perft`: it ends when all is counted, or at a `stop`.

    Raises:
        UciError: that is too deep.

    """

    in_full = True
    is_held = False
    ends = True

    def __init__(self, board: "Board", depth: int) -> None:
        self._depth = perft_depth(depth)
        self._board = board.copy()  # which is halted for good

    def run(self) -> None:
        """Count, and say how many moves there are."""
        engine_output.write("\n".join(divide_lines(self._board, self._depth)))

    def stop(self) -> None:
        """End it with what is counted so far."""
        self._board.halt()

    def ponderhit(self) -> None:
        """Do nothing."""


class BookMove:
    """The task of a `go` whose answer is in the book."""

    in_full = False
    is_held = False
    ends = True

    def __init__(self, move: str) -> None:
        self._move = move

    def run(self) -> None:
        """Say the move."""
        told = Info(
            depth=1,
            seldepth=1,
            multipv=1,
            score=Score(cp=0),
            nodes=0,
            nps=0,
            hashfull=0,
            tbhits=0,
            time=0,
            pv=(self._move,),
        )
        replies = (Info(string="book move"), told, BestMove(self._move))
        engine_output.write("\n".join(map(str, replies)))

    def stop(self) -> None:
        """Do nothing: the answer is on its way."""

    def ponderhit(self) -> None:
        """Do nothing."""


class Void:
    """The task of a `go` whose position was refused: it has no answer but why.

    The `bestmove 0000` comes when that of a search would be expected.
    """

    in_full = False

    def __init__(self, limits: Limits, refusal: str) -> None:
        # Programs wait for the blank line behind a count.
        count = "Nodes searched: 0\n"
        self._last = count if limits.perft is not None else str(BestMove("0000"))
        self._is_endless = limits.infinite
        self.is_held = limits.perft is None and (limits.infinite or limits.ponder)
        self._holding = allocate_lock()
        if self.is_held:
            self._holding.acquire()
        engine_output.tell(f"nothing is searched without its position: {refusal}")

    @property
    def ends(self) -> bool:
        """Whether the GUI need not say anything more."""
        return not self.is_held

    def run(self) -> None:
        """Wait until an answer is expected, and say it."""
        with self._holding:
            engine_output.write(self._last)

    def stop(self) -> None:
        """Let the answer come."""
        if self.is_held:
            self.is_held = False
            self._holding.release()

    def ponderhit(self) -> None:
        """Let the answer come, unless the search has no end."""
        if not self._is_endless:
            self.stop()


def perft_depth(depth: int) -> int:
    """Return the depth of a count of moves.

    Raises:
        UciError: it is too deep.

    """
    if depth > MOST_PERFT:
        raise UciError(f"perft needs a depth of at most {MOST_PERFT}, not {depth}")
    return depth


def divide_lines(board: "Board", depth: int) -> list[str]:
    """Return what `go perft` answers: the count for each move, and the sum if all are counted."""
    counts = board.divide(depth) if depth > 0 else {}
    total = sum(counts.values()) if depth > 0 else 1
    lines = [f"{move}: {count}" for move, count in counts.items()]
    legal = len(board.legal_moves())
    if depth > 0 and len(counts) < legal:
        stopped = Info(string=f"perft was stopped: {len(counts)} of {legal} moves are counted")
        return [*lines, str(stopped)]
    return [*lines, f"Nodes searched: {total}", ""]  # programs wait for the blank line
