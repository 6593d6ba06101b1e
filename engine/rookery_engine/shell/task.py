"""The commands that take time, as tasks that the loop can run and end.

A task begins when it is made: a `stop` right behind it finds something to stop.
"""

from _thread import allocate_lock  # `threading` costs 5 ms at every start
from collections.abc import Callable
from typing import Protocol

from rookery_engine.shell import engine_output
from rookery_engine.shell.loaded_core import LoadedCore
from rookery_engine.shell.options import Options
from rookery_uci import BestMove, Info, Limits, Score, UciError

MAX_PERFT = 20  # plies; a count so deep ends only where there is hardly a move


class EngineTask(Protocol):
    """A command that takes time, in a thread of its own."""

    survives_quit: bool  # its answer is wanted even after `quit`
    # It is a search that has not begun to write its answer: `isready` is then answered at once.
    is_searching: bool

    @property
    def waits_for_gui(self) -> bool:
        """True if the answer needs another command of the GUI's: `stop` or `ponderhit`."""

    @property
    def ends_by_itself(self) -> bool:
        """True if the answer comes without another command of the GUI's."""

    def run(self) -> None:
        """Run to the end, and write the answer."""

    def stop(self) -> None:
        """End as soon as possible."""

    def ponderhit(self) -> None:
        """Continue after the expected move was played."""


class SearchTask:
    """The task of a `go`.  `on_report` is called at each report but the last."""

    survives_quit = False

    def __init__(self, core: LoadedCore, limits: Limits, options: Options) -> None:
        self.is_searching = True
        self._searcher = core.searcher
        self._lines: list[str] = []  # the newest variations
        self._number = 0  # of the write that had them
        self._is_endless = limits.infinite
        self._is_limited = limits.has_limit
        self.waits_for_gui = limits.infinite or limits.ponder
        self.on_report: Callable[[], None] | None = None
        self._searcher.prepare_search(core.board, limits, options, report=self._report)

    @property
    def ends_by_itself(self) -> bool:
        """True if a limit ends the search, or it has been stopped."""
        return self._is_limited and not self.waits_for_gui

    def run(self) -> None:
        """Search, and write what is found."""
        self._searcher.run()

    def _report(self, lines: list[str]) -> None:
        """Write a report of the searcher; a lone best move has its variations before it."""
        self.is_searching = not lines[-1].startswith("bestmove")
        if lines[0].startswith("bestmove"):
            engine_output.write_after(lines[0], number=self._number, before=self._lines)
            return
        number = engine_output.write("\n".join(lines))
        if " score " in lines[0]:
            self._lines = lines
            self._number = number
        if self.on_report is not None:
            self.on_report()

    def stop(self) -> None:
        """End the search."""
        self.waits_for_gui = False
        self._is_limited = True
        self._searcher.stop()

    def ponderhit(self) -> None:
        """Start the clock."""
        self.waits_for_gui = self._is_endless
        self._searcher.ponderhit()


class PerftTask:
    """The task of a `go perft`: it ends when all is counted, or at a `stop`.

    Raises:
        UciError: that is too deep.

    """

    survives_quit = True
    is_searching = False
    waits_for_gui = False
    ends_by_itself = True

    def __init__(self, core: LoadedCore, depth: int) -> None:
        self._depth = check_perft_depth(depth)
        self._board = core.board.copy()  # which is halted for good

    def run(self) -> None:
        """Count, and write how many moves there are."""
        counts = self._board.divide(self._depth)
        engine_output.write("\n".join(perft_lines(counts, self._depth, self._board.legal_moves())))

    def stop(self) -> None:
        """End with what is counted so far."""
        self._board.halt()

    def ponderhit(self) -> None:
        """Do nothing."""


class BookMoveTask:
    """The task of a `go` whose answer is in the book."""

    survives_quit = False
    is_searching = False
    waits_for_gui = False
    ends_by_itself = True

    def __init__(self, move: str) -> None:
        self._move = move

    def run(self) -> None:
        """Write the move."""
        info = Info(
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
        replies = (Info(string="book move"), info, BestMove(self._move))
        engine_output.write("\n".join(map(str, replies)))

    def stop(self) -> None:
        """Do nothing: the answer is on its way."""

    def ponderhit(self) -> None:
        """Do nothing."""


class RefusedSearch:
    """The task of a `go` whose position was refused: its answer is the reason.

    The `bestmove 0000` comes when that of a search would be expected.
    """

    survives_quit = False

    def __init__(self, limits: Limits, refusal: str) -> None:
        # Programs wait for the blank line behind a count.
        count = "Nodes searched: 0\n"
        self._last = count if limits.perft is not None else str(BestMove("0000"))
        self._is_endless = limits.infinite
        self.is_searching = limits.perft is None
        self.waits_for_gui = self.is_searching and (limits.infinite or limits.ponder)
        self._holding = allocate_lock()
        if self.waits_for_gui:
            self._holding.acquire()
        engine_output.write_info(f"nothing is searched without its position: {refusal}")

    @property
    def ends_by_itself(self) -> bool:
        """True if the answer comes without another command."""
        return not self.waits_for_gui

    def run(self) -> None:
        """Wait until an answer is expected, and write it."""
        with self._holding:
            self.is_searching = False
            engine_output.write(self._last)

    def stop(self) -> None:
        """Release the answer."""
        if self.waits_for_gui:
            self.waits_for_gui = False
            self._holding.release()

    def ponderhit(self) -> None:
        """Release the answer, unless the search has no end."""
        if not self._is_endless:
            self.stop()


def check_perft_depth(depth: int) -> int:
    """Return the depth of a perft.

    Raises:
        UciError: it is too deep.

    """
    if depth > MAX_PERFT:
        raise UciError(f"perft needs a depth of at most {MAX_PERFT}, not {depth}")
    return depth


def perft_lines(counts: dict[str, int], depth: int, legal: list[str]) -> list[str]:
    """Return the answer to `go perft`: the count for each move, and the sum if all are counted.

    `counts` are those of the first moves, which are fewer than the legal moves if the count was
    stopped.
    """
    if depth <= 0:
        return ["Nodes searched: 1", ""]
    lines = [f"{move}: {count}" for move, count in counts.items()]
    if len(counts) < len(legal):
        stopped = Info(string=f"perft was stopped: {len(counts)} of {len(legal)} moves are counted")
        return [*lines, str(stopped)]
    return [
        *lines,
        f"Nodes searched: {sum(counts.values())}",
        "",
    ]  # programs wait for the blank line
