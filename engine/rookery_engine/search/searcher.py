"""One search from `go` to its best move.

`prepare_search` sets the task and returns at once, so that a `stop` right behind it
finds something to stop; `run` searches, in a thread of its own and without the
GIL, and returns the best move.  Only `stop`, `ponderhit` and `prepare_search` may be called
by another thread.
"""

import time
from collections.abc import Callable

import cython
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memset
from cython.cimports.rookery_engine.core.board import Board, move_text
from cython.cimports.rookery_engine.core.position import next_random
from cython.cimports.rookery_engine.core.types import NO_MOVE, NO_SCORE, WIN_BOUND, u64
from cython.cimports.rookery_engine.nnue.accumulator import is_sound
from cython.cimports.rookery_engine.search.forced_scores import (
    clear_scores,
    remove_score,
    set_score,
)
from cython.cimports.rookery_engine.search.iterative_deepening import Iterations
from cython.cimports.rookery_engine.search.report import Report
from cython.cimports.rookery_engine.search.root import add_root, prepare_root
from cython.cimports.rookery_engine.search.stdin_reader import StdinReader, end_search
from cython.cimports.rookery_engine.search.tablebase_search import rank_roots
from cython.cimports.rookery_engine.search.thread import (
    all_nodes,
    set_root_position,
    static_evaluation,
)
from cython.cimports.rookery_engine.search.thread_pool import (
    MAX_POOL_THREADS,
    ThreadPool,
    clear_histories,
    copy_root_to_helpers,
    end_helper_threads,
    free_threads,
    reset_counts,
    set_thread_count,
    start_helper,
)
from cython.cimports.rookery_engine.search.timer import Timer
from cython.cimports.rookery_engine.search.transposition import (
    clear_table,
    next_age,
    release_table,
    resize_table,
)
from cython.cimports.rookery_engine.search.weakness import preference, set_up_weakness
from cython.cimports.rookery_engine.syzygy.probing import Prober

from rookery_engine.shell.latch import Latch
from rookery_engine.shell.options import Options
from rookery_engine.shell.strength import handicap_of
from rookery_uci import BestMove, Limits

REPORT_AFTER = 1_000_000_000  # ns; shorter searches report only their results
WEAK_TABLE_MB = 1  # 65,536 positions; a fixed size, so that strength does not depend on Hash


def ignore(lines: list[str]) -> None:
    """Drop a report."""


class Searcher:
    """A pool of search threads, their table, and the current search.

    `report` is called with lines that belong together: variations, and in the end the
    best move, behind all variations unless they have just been reported.  `seed` is the start of
    the games' seeds, which decide the moves that a weaker player overlooks; without it, each
    start of the engine differs.

    Raises:
        MemoryError: there is no room for the table.

    """

    def __cinit__(self):
        self.pool = cython.cast(cython.pointer[ThreadPool], calloc(1, cython.sizeof(ThreadPool)))
        if self.pool == cython.NULL or not set_thread_count(self.pool, 1):
            raise MemoryError
        self.watch.owner = cython.cast(cython.p_void, self)
        self.watch.tick = on_tick
        self.watch.current = on_current
        self.pool.threads[0].watch = cython.address(self.watch)

    def __init__(self, hash_mb: int = 16, seed: int | None = None) -> None:
        self.stdin_reader = StdinReader()
        self.stdin_reader.signals = cython.address(self.pool.signals)
        self.latch = Latch()
        self.places = []
        self.seed = (time.time_ns() if seed is None else seed) % (1 << 64)
        self.timer = Timer()
        if not self.resize(hash_mb):
            raise MemoryError

    def __dealloc__(self):
        if self.pool != cython.NULL:
            release_table(cython.address(self.pool.table))
            release_table(cython.address(self.weak_table))
            clear_scores(cython.address(self.pool.forced_scores))
            free_threads(self.pool, 0)
            free(self.pool)

    def resize(self, hash_mb: cython.longlong) -> bool:
        """Give the table a new size; False if there is no such memory.

        The table then has its old size, or as much of it as there still is.
        """
        table = cython.address(self.pool.table)
        old = table.count * 64 >> 20
        if resize_table(table, hash_mb):
            return True
        while old and not resize_table(table, old):
            old //= 2
        return False

    def set_threads(self, count: cython.int) -> bool:
        """Set the number of threads, 1 to 512; False, and no change, if memory lacks."""
        return set_thread_count(self.pool, max(1, min(count, MAX_POOL_THREADS)))

    def set_places(self, places: list[frozenset[int]]) -> None:
        """Keep each thread on the processors of its place; [] lets them run anywhere."""
        self.places = places

    def set_tablebases(self, path: str) -> list[str]:
        """Use the Syzygy tablebases in these folders, "" for none; return messages."""
        self.prober = None
        self.faults = set()
        self.clear()
        if not path.strip():
            return []
        prober = Prober()
        messages = prober.add_folders(path)
        if prober.largest:
            self.prober = prober
        return [*messages, str(prober)]

    def clear(self) -> None:
        """Clear the table and the histories."""
        next_random(cython.address(self.seed))
        clear_table(cython.address(self.pool.table))
        clear_histories(self.pool)

    def new_game(self) -> None:
        """Clear the table and the histories, and reset the game's clock of nodes."""
        self.clear()
        self.timer.new_game()

    def force_score(self, key: u64, score: int | None) -> bool:
        """Force the score of the position with this key, from White's side; None removes it.

        The table is cleared, since its scores were computed otherwise.  False if
        there is no memory.
        """
        scores = cython.address(self.pool.forced_scores)
        clear_table(cython.address(self.pool.table))
        if score is None:
            remove_score(scores, key)
            return True
        return set_score(scores, key, max(1 - WIN_BOUND, min(score, WIN_BOUND - 1)))

    def clear_forced_scores(self) -> None:
        """Remove all forced scores."""
        clear_table(cython.address(self.pool.table))
        clear_scores(cython.address(self.pool.forced_scores))

    def prepare_search(
        self,
        board: Board,
        limits: Limits,
        options: Options | None = None,
        *,
        report: Callable[[list[str]], None] = ignore,
    ) -> None:
        """Set the position (a copy is made), limits and options of the next search.

        The clock starts now.
        """
        options = options or Options()
        self.board = board.copy()
        self.limits = limits
        self.timer.start(limits, options, self.board.white_to_move)
        self.report = Report(self.board, options, report, self.timer.started)
        self.report.pool = self.pool
        self.handicap = handicap_of(options)
        self.iterations = Iterations(limits, options, self.handicap)
        self.iterations.pool = self.pool
        self.iterations.report = self.report
        self.iterations.timer = self.timer
        reset_counts(self.pool)  # a `ponderhit` may come before there is a node
        signals = cython.address(self.pool.signals)
        signals.show_lines = options.flag("UCI_ShowCurrLine")
        signals.stop = False
        self.set_weakness()
        self.set_probing(options)
        self.timer.set_deadline(signals)
        self.latch.close()

    def stop(self) -> None:
        """End the search as soon as possible."""
        self.latch.open()
        with cython.nogil:
            end_search(cython.address(self.pool.signals))

    def ponderhit(self) -> None:
        """Continue as a normal search; it may be time to end it."""
        if not self.timer.pondering:
            return
        self.timer.ponderhit(self.nodes)
        self.timer.set_deadline(cython.address(self.pool.signals))
        if self.iterations.is_time():  # an iteration of long pondering has no end
            self.pool.signals.stop = True
        if not self.limits.infinite:
            self.latch.open()

    @property
    def nodes(self) -> int:
        """Nodes of the last search."""
        return all_nodes(self.pool.threads[0])

    @property
    def sound(self) -> bool:
        """True if all known sums of the threads equal those computed from nothing; for tests."""
        thread = self.pool.threads[0]
        while thread != cython.NULL:
            if not is_sound(cython.address(thread.sums), cython.address(thread.positions[0])):
                return False
            thread = thread.next
        return True

    def run(self) -> BestMove:
        """Search until a limit is reached, or until stopped; return the best move."""
        self.pool.signals.busy = True
        self.find_best()
        self.pool.signals.busy = False
        if not self.pool.threads[0].root_count:
            return BestMove("0000")
        return BestMove(self.best_text(), self.report.ponder_move())

    def best_text(self) -> str:
        """Return the best move as UCI text."""
        return move_text(self.pool.threads[0].roots[0].move, self.board.chess960)

    def find_best(self) -> None:
        """Search, and report the results.

        The report after a stop is formatted here and not by the grammar's values:
        each call of a Python function takes 10 us then.
        """
        self.set_roots()
        thread = self.pool.threads[0]
        if not thread.root_count:
            if self.must_wait(self.pool.signals.stop):
                self.report.send(self.report.end())
                self.wait()
            self.report.send([*self.report.end(), "bestmove 0000"])
            return
        self.start_helpers()
        reported = self.iterations.deepen()
        stopped: cython.bint = self.pool.signals.stop  # and not by the end of the helpers
        self.end_helpers()
        self.report_table_faults()
        depth: cython.int = max(1, self.iterations.reached)
        reported = reported and self.report.ended_with_lines
        if self.must_wait(stopped):
            if not reported:
                self.report.report_lines(depth)
            self.wait()
            reported = False
        last = [] if reported else self.report.lines(depth)
        self.timer.charge_nodes(self.nodes)
        ponder = self.report.ponder_move()
        best = f"bestmove {self.best_text()}"
        self.report.send([*last, f"{best} ponder {ponder}" if ponder else best])

    def must_wait(self, stopped: bool) -> bool:
        """Say whether UCI demands that the best move is held back until the latch opens."""
        return self.timer.must_hold() and not stopped and self.latch.is_closed()

    def wait(self) -> None:
        """Wait until the latch opens."""
        self.pool.signals.busy = False
        self.latch.wait()
        self.pool.signals.busy = True

    def set_weakness(self):
        """Set up the search for full strength or for a weaker player.

        The latter starts with an empty memory each time, so that its moves
        depend on nothing but the game, and leaves nothing behind.
        """
        thread = self.pool.threads[0]
        table = cython.address(self.pool.table)
        if self.handicap is not None:
            table = cython.address(self.weak_table)
            if not table.count and not resize_table(table, WEAK_TABLE_MB):
                raise MemoryError
            clear_table(table)
        if self.handicap is not None or thread.table != table:
            memset(cython.address(thread.history), 0, cython.sizeof(thread.history))
        thread.table = table
        thread.weakness.limited = False
        if self.handicap is not None:
            # With the number of the move, or a repeated position would be played alike
            # until it is a draw.
            seed = self.seed ^ self.board.position.key ^ self.board.position.number
            set_up_weakness(
                cython.address(thread.weakness), seed,
                self.handicap.blindness, self.handicap.misjudgement, self.handicap.wavering,
            )  # fmt: skip

    def set_probing(self, options):
        """Set the tablebases that the search threads may probe."""
        probing = cython.address(self.pool.signals.probing)
        probing.men = 0
        if self.prober is not None and self.handicap is None:
            probing.tables = self.prober.tables
            probing.men = min(options.number("SyzygyProbeLimit"), self.prober.largest)
            probing.depth = options.number("SyzygyProbeDepth")
            probing.rule50 = options.flag("Syzygy50MoveRule")

    def set_roots(self):
        """Put the position, its past and its moves into the first thread's memory."""
        thread = self.pool.threads[0]
        board = self.board
        set_root_position(thread, cython.address(board.position))
        for index in range(board.past_count):
            thread.keys[index] = board.past[index]
        thread.root_key = board.past_count
        thread.keys[thread.root_key] = board.position.key
        static = NO_SCORE
        if not board.position.checkers:
            static = static_evaluation(thread, 0)
        prepare_root(thread, static)
        next_age(thread.table)
        legal = board.moves()
        wanted = {board.find_move(text) for text in self.limits.searchmoves} - {NO_MOVE}
        thread.partial = len(wanted) > 0
        for move in legal:
            if not wanted or move in wanted:
                add_root(thread, move, static)
                if thread.weakness.limited:
                    thread.roots[thread.root_count - 1].preference = preference(
                        cython.address(thread.weakness), cython.address(board.position), move,
                        board.last,
                    )  # fmt: skip
        # A mate may be shorter than the way that tables rank best.
        lines = self.iterations.lines
        best_only: cython.bint = lines == 1 and self.limits.mate is None
        with cython.nogil:
            rank_roots(thread, best_only)
        thread.lines = min(lines, thread.root_count)
        self.watch.telling = False
        self.watch.next_current = 0
        self.watch.next_tick = self.timer.started + REPORT_AFTER

    def start_helpers(self):
        """Start the other threads, each on its processors, which are those of its creator."""
        pool = self.pool
        if self.places:
            from rookery_engine.shell.numa import allowed_cpus, bind

            self.free = allowed_cpus()
        copy_root_to_helpers(pool)
        while self.handicap is None and pool.started < pool.count - 1:
            if self.places:
                bind(self.places[pool.started + 1])
            if not start_helper(pool):
                self.report.report_text(
                    f"only {pool.started + 1} of {pool.count} threads started: the system has no"
                    " more, or no memory for them; set Threads lower, or have its limit raised"
                )
                break
        if self.places:
            bind(self.places[0])

    def end_helpers(self):
        """End the other threads, and let this one run anywhere again: commands may follow."""
        if self.pool.started:
            with cython.nogil:
                end_helper_threads(self.pool)
        if self.places:
            from rookery_engine.shell.numa import bind

            bind(self.free)

    def report_table_faults(self):
        """Report files of tablebases that turned out to be unusable, once each."""
        if self.prober is not None:
            for text in self.prober.faults():
                if text not in self.faults:
                    self.faults.add(text)
                    self.report.report_text(text)


def on_tick(owner):
    """Make a searcher report, from within its search."""
    with cython.gil:
        searcher = cython.cast(Searcher, owner)
        searcher.report.tick(searcher.iterations.reached + 1)


def on_current(owner, depth, index):
    """Make a searcher report the current root move, from within its search."""
    with cython.gil:
        searcher = cython.cast(Searcher, owner)
        searcher.report.report_current_move(depth, index)
