"""Iterative deepening: one search from `go` to its best move.

`begin` says what to search and returns at once, so that a `stop` right behind it
finds something to stop; `run` searches, in a thread of its own and without the
GIL, and returns the best move.  Only `stop`, `ponderhit` and `begin` may be called
by another thread.
"""

import time
from _thread import allocate_lock  # `threading` would cost 5 ms at every start
from collections.abc import Callable

import cython
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memset
from cython.cimports.rookery_engine.board import Board, move_text
from cython.cimports.rookery_engine.evaluate import evaluate
from cython.cimports.rookery_engine.history import AFTER_NONE
from cython.cimports.rookery_engine.movegen import is_legal
from cython.cimports.rookery_engine.position import Position, make
from cython.cimports.rookery_engine.search import search_root
from cython.cimports.rookery_engine.table import (
    Found,
    empty,
    next_age,
    permill_full,
    probe,
    release,
    resize,
)
from cython.cimports.rookery_engine.thread import BEFORE, CHECK_EVERY, RootMove, Thread
from cython.cimports.rookery_engine.types import (
    INFINITE,
    MATE,
    MATE_BOUND,
    MAX_PLY,
    NO_MOVE,
    NO_SCORE,
)

from rookery_engine.clock import budget, urgency
from rookery_engine.options import Options
from rookery_engine.uci import BestMove, Info, Limits, Score

WINDOW = 12  # centipawns around the last score; half of what it usually changes
WINDOW_DEPTH = 5  # before, scores change too much for a window to pay
BOUNDS_AFTER = 1.5  # s; from then on a search is slow enough to tell of failed windows
FOREVER = 1 << 62
NS = 1_000_000  # in a millisecond


def ignore(info: Info) -> None:
    """Report to no one."""


class Searcher:
    """A table, a search thread's memory, and the search that is under way.

    `report` is called with each `Info`.

    Raises:
        MemoryError: there is no room for the table.

    """

    def __cinit__(self):
        self.thread = cython.cast(cython.pointer[Thread], calloc(1, cython.sizeof(Thread)))
        if self.thread == cython.NULL:
            raise MemoryError
        self.thread.table = cython.address(self.table)
        self.thread.signals = cython.address(self.signals)

    def __init__(self, hash_mb: int = 16) -> None:
        self.gate = Gate()
        if not self.resize(hash_mb):
            raise MemoryError

    def __dealloc__(self):
        release(cython.address(self.table))
        free(self.thread)

    def resize(self, hash_mb: cython.longlong) -> bool:
        """Give the table a new size; False, and the old size, if there is no such memory."""
        old = self.table.count * 64 >> 20
        if resize(cython.address(self.table), hash_mb):
            return True
        if old and not resize(cython.address(self.table), old):
            raise MemoryError
        return False

    def forget(self) -> None:
        """Forget all that was learnt, for a new game."""
        empty(cython.address(self.table))
        memset(cython.address(self.thread.history), 0, cython.sizeof(self.thread.history))

    def begin(
        self,
        board: Board,
        limits: Limits,
        options: Options | None = None,
        *,
        started: int | None = None,
        report: Callable[[Info], None] = ignore,
    ) -> None:
        """Take a position (a copy is made), limits and the options in force.

        `started` is when the `go` came, in ns of the monotonic clock.
        """
        options = options or Options()
        self.board = board.copy()
        self.limits = limits
        self.report = report
        self.started = self.clock_from = time.monotonic_ns() if started is None else started
        overhead = options.number("Move Overhead")
        self.budget = budget(limits, white=board.white_to_move, overhead=overhead)
        self.pondering = limits.ponder
        self.max_depth = MAX_PLY - 1
        if limits.depth is not None:
            self.max_depth = max(1, min(limits.depth, MAX_PLY - 1))
        if limits.mate is not None and limits.mate <= 0:
            self.max_depth = 1
        self.lines = options.number("MultiPV")
        nodes = limits.nodes
        self.signals.max_nodes = FOREVER if nodes is None else max(1, min(nodes, FOREVER))
        self.signals.stop = False
        self.set_deadline()
        self.gate.close()

    def stop(self) -> None:
        """End the search as soon as possible."""
        self.signals.stop = True
        self.gate.open()

    def ponderhit(self) -> None:
        """Go on as in a normal search, whose time begins now."""
        if not self.pondering:
            return
        self.clock_from = time.monotonic_ns()
        self.pondering = False
        self.set_deadline()
        if not self.limits.infinite:
            self.gate.open()

    @property
    def nodes(self) -> int:
        """Nodes of the last search."""
        return self.thread.nodes

    def run(self) -> BestMove:
        """Search until a limit is reached, or told to stop; return the best move."""
        self.set_roots()
        if not self.thread.root_count:
            in_check = self.board.position.checkers != 0
            self.report(Info(depth=0, score=Score(mate=0) if in_check else Score(cp=0)))
            self.wait()
            return BestMove("0000")
        if not self.deepen():
            self.tell()
        if self.wait():
            self.tell()
        root = cython.address(self.thread.roots[0])
        return BestMove(move_text(root.move, self.board.chess960), self.ponder_move(root))

    def wait(self) -> bool:
        """Hold the best move back as long as UCI asks; say whether it asked."""
        held = self.limits.infinite or self.pondering
        if held:
            self.gate.wait()
        return held

    def set_deadline(self):
        """Tell the search thread when it must end."""
        if self.pondering or self.limits.infinite or self.budget.hard is None:
            self.signals.deadline = FOREVER
        else:
            self.signals.deadline = self.clock_from + int(self.budget.hard * NS)

    def set_roots(self):
        """Put the position, its past and its moves into the thread's memory."""
        thread = self.thread
        board = self.board
        thread.stopped = False
        thread.nodes = 0
        thread.null_from = 0
        thread.countdown = min(CHECK_EVERY, self.signals.max_nodes)
        thread.positions[0] = board.position
        for index in range(board.past_count):
            thread.keys[index] = board.past[index]
        thread.root_key = board.past_count
        thread.keys[thread.root_key] = board.position.key
        static = NO_SCORE
        if not board.position.checkers:
            static = evaluate(cython.address(board.position))
        memset(cython.address(thread.frames), 0, cython.sizeof(thread.frames))
        for index in range(BEFORE):
            thread.frames[index].after = thread.history.after[AFTER_NONE]
            thread.frames[index].evaluation = NO_SCORE
        thread.frames[BEFORE].evaluation = static
        next_age(cython.address(self.table))

        legal = board.moves()
        wanted = {board.find(text) for text in self.limits.searchmoves} - {NO_MOVE}
        thread.root_count = 0
        thread.root_first = 0
        for move in legal:
            if wanted and move not in wanted:
                continue
            root = cython.address(thread.roots[thread.root_count])
            memset(root, 0, cython.sizeof(RootMove))
            root.move = root.pv[0] = move
            root.length = 1
            root.score = -INFINITE
            root.previous = 0 if static == NO_SCORE else static
            thread.root_count += 1
        self.lines = min(self.lines, thread.root_count)

    def deepen(self):
        """Search deeper and deeper; say whether the last result has been told already."""
        self.reached = 0
        self.stable = 0
        thread = self.thread
        while self.reached < self.max_depth:
            best = thread.roots[0].move
            before = thread.roots[0].previous
            self.search_lines(self.reached + 1)
            if thread.stopped:
                return False
            self.reached += 1
            self.tell()
            self.stable = self.stable + 1 if thread.roots[0].move == best else 0
            if self.is_enough(before - thread.roots[0].score):
                break
        return True

    def search_lines(self, depth):
        """Search one iteration: the best move, then the best without it, and so on."""
        thread = self.thread
        for index in range(thread.root_count):
            self.renew_root(cython.address(thread.roots[index]))
        for line in range(self.lines):
            thread.root_first = line
            self.search_window(depth, line)
            if thread.stopped:
                break
            self.sort_roots(0, line + 1)
        thread.root_first = 0
        if thread.stopped:
            # What was not reached in this iteration keeps what it had in the last.
            for line in range(self.lines):
                if thread.roots[line].score == -INFINITE:
                    thread.roots[line].score = thread.roots[line].previous
            self.sort_roots(0, self.lines)
        return 0

    def search_window(self, depth, line):
        """Search with a narrow window around the last score, wider as long as it fails."""
        thread = self.thread
        margin = WINDOW
        alpha: cython.int = -INFINITE
        beta: cython.int = INFINITE
        best: cython.int
        if depth >= WINDOW_DEPTH:
            alpha = max(thread.roots[line].previous - margin, -INFINITE)
            beta = min(thread.roots[line].previous + margin, INFINITE)
        while True:
            with cython.nogil:
                best = search_root(thread, depth, alpha, beta)
            self.sort_roots(line, thread.root_count)
            if thread.stopped or alpha < best < beta:
                return 0
            if time.monotonic_ns() - self.started > BOUNDS_AFTER * 1000 * NS and self.lines == 1:
                self.tell_line(depth, line, "upperbound" if best <= alpha else "lowerbound")
            margin += margin // 2
            if best <= alpha:
                beta = (alpha + beta) // 2
                alpha = max(best - margin, -INFINITE)
            else:
                beta = min(best + margin, INFINITE)
            for index in range(line, thread.root_count):
                self.renew_root(cython.address(thread.roots[index]))

    def renew_root(self, root):
        """Make a root move ready to be searched again."""
        if root.score != -INFINITE:
            root.previous = root.score
        root.score = -INFINITE

    def sort_roots(self, first, end):
        """Sort root moves by score; those without one stay in their order."""
        roots = self.thread.roots
        for index in range(first + 1, end):
            moved = roots[index]
            place: cython.int = index
            while place > first and roots[place - 1].score < moved.score:
                roots[place] = roots[place - 1]
                place -= 1
            roots[place] = moved

    def is_enough(self, drop):
        """Say whether to leave it at the iteration just finished."""
        root = cython.address(self.thread.roots[0])
        mate = self.limits.mate
        if mate is not None and root.score >= MATE_BOUND and MATE - root.score <= 2 * mate:
            return True
        if self.pondering or self.limits.infinite or self.budget.soft is None:
            return False
        if self.thread.root_count == 1:
            return True
        share = root.nodes / max(1, self.thread.nodes)
        soft = self.budget.soft * urgency(stable=self.stable, drop=drop, share=share)
        return time.monotonic_ns() - self.clock_from >= soft * NS

    def tell(self):
        """Report all lines as they stand."""
        for line in range(self.lines):
            self.tell_line(max(1, self.reached), line, None)

    def tell_line(self, depth, line, bound):
        """Report one line."""
        thread = self.thread
        root = cython.address(thread.roots[line])
        score: cython.int = root.previous if root.score == -INFINITE else root.score
        spent = max(1, (time.monotonic_ns() - self.started) // NS)
        pv = [move_text(root.pv[index], self.board.chess960) for index in range(root.length)]
        self.report(
            Info(
                depth=depth,
                seldepth=max(depth, root.seldepth),
                multipv=line + 1,
                score=to_score(score, bound),
                nodes=thread.nodes,
                nps=thread.nodes * 1000 // spent,
                hashfull=permill_full(cython.address(self.table)),
                tbhits=0,
                time=spent,
                pv=tuple(pv),
            )
        )

    def ponder_move(self, root):
        """Return the expected reply: the variation's, or the table's if it ends too early."""
        after: Position
        known: Found
        if root.length > 1:
            return move_text(root.pv[1], self.board.chess960)
        make(cython.address(self.board.position), cython.address(after), root.move)
        if not probe(cython.address(self.table), after.key, 0, cython.address(known)):
            return None
        if known.move == NO_MOVE or not is_legal(cython.address(after), known.move):
            return None
        return move_text(known.move, self.board.chess960)


class Gate:
    """Something one thread waits at until another opens it."""

    def __init__(self) -> None:
        self._lock = allocate_lock()

    def close(self) -> None:
        """Let no one pass from now on."""
        self._lock.acquire(False)

    def open(self) -> None:
        """Let those who wait pass, and those who come later."""
        if self._lock.locked():
            self._lock.release()

    def wait(self) -> None:
        """Return when the gate is open."""
        with self._lock:
            pass


def to_score(score: cython.int, bound: object) -> Score:
    """Return a score as UCI has it: mates in moves, not plies."""
    if abs(score) < MATE_BOUND:
        return Score(cp=score, bound=bound)
    moves = (MATE - abs(score) + 1) // 2
    return Score(mate=moves if score > 0 else -moves, bound=bound)
