"""One search from `go` to its best move.

`begin` says what to search and returns at once, so that a `stop` right behind it
finds something to stop; `run` searches, in a thread of its own and without the
GIL, and returns the best move.  Only `stop`, `ponderhit` and `begin` may be called
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
from cython.cimports.rookery_engine.search.forced_scores import clear, drop, put
from cython.cimports.rookery_engine.search.iterative_deepening import Iterations
from cython.cimports.rookery_engine.search.report import Report
from cython.cimports.rookery_engine.search.root import add_root, prepare
from cython.cimports.rookery_engine.search.stdin_reader import Input, end_search
from cython.cimports.rookery_engine.search.tablebase_search import rank_roots
from cython.cimports.rookery_engine.search.thread import all_nodes, judge, place
from cython.cimports.rookery_engine.search.thread_pool import (
    MOST,
    Team,
    brief,
    count_anew,
    dismiss,
    forget,
    join,
    recruit,
    start_next,
)
from cython.cimports.rookery_engine.search.timer import Timer
from cython.cimports.rookery_engine.search.transposition import empty, next_age, release, resize
from cython.cimports.rookery_engine.search.weakness import dim, liking
from cython.cimports.rookery_engine.syzygy.probing import Prober

from rookery_engine.shell.latch import Gate
from rookery_engine.shell.options import Options
from rookery_engine.shell.strength import in_force
from rookery_uci import BestMove, Limits

TELL_AFTER = 1_000_000_000  # ns; nobody sees more of a shorter search than its results
SKETCH_MB = 1  # 65,536 positions; a fixed size, so that strength does not depend on Hash


def ignore(lines: list[str]) -> None:
    """Report to no one."""


class Searcher:
    """A team of search threads, their table, and the search that is under way.

    `report` is called with lines that belong together: variations, and in the end the
    best move, behind all variations unless they have just been told.  `seed` is where the
    games' seeds start, which decide what a weaker player overlooks; left out, each start
    of the engine differs.

    Raises:
        MemoryError: there is no room for the table.

    """

    def __cinit__(self):
        self.team = cython.cast(cython.pointer[Team], calloc(1, cython.sizeof(Team)))
        if self.team == cython.NULL or not recruit(self.team, 1):
            raise MemoryError
        self.watch.owner = cython.cast(cython.p_void, self)
        self.watch.tick = on_tick
        self.watch.current = on_current
        self.team.threads[0].watch = cython.address(self.watch)

    def __init__(self, hash_mb: int = 16, seed: int | None = None) -> None:
        self.input = Input()
        self.input.signals = cython.address(self.team.signals)
        self.gate = Gate()
        self.places = []
        self.seed = (time.time_ns() if seed is None else seed) % (1 << 64)
        self.timer = Timer()
        if not self.resize(hash_mb):
            raise MemoryError

    def __dealloc__(self):
        if self.team != cython.NULL:
            release(cython.address(self.team.table))
            release(cython.address(self.sketch))
            clear(cython.address(self.team.values))
            dismiss(self.team, 0)
            free(self.team)

    def resize(self, hash_mb: cython.longlong) -> bool:
        """Give the table a new size; False if there is no such memory.

        The table then has its old size, or as much of it as can be had again.
        """
        table = cython.address(self.team.table)
        old = table.count * 64 >> 20
        if resize(table, hash_mb):
            return True
        while old and not resize(table, old):
            old //= 2
        return False

    def set_threads(self, count: cython.int) -> bool:
        """Search with so many threads, 1 to 512; False, and no change, if memory lacks."""
        return recruit(self.team, max(1, min(count, MOST)))

    def set_places(self, places: list[frozenset[int]]) -> None:
        """Keep each thread on the processors of its place; [] lets them run anywhere."""
        self.places = places

    def set_tablebases(self, path: str) -> list[str]:
        """Use the Syzygy tablebases in these folders, "" for none; return what to tell."""
        self.prober = None
        self.faults = set()
        self.forget()
        if not path.strip():
            return []
        prober = Prober()
        messages = prober.add_folders(path)
        if prober.largest:
            self.prober = prober
        return [*messages, str(prober)]

    def forget(self) -> None:
        """Forget all that was learnt."""
        next_random(cython.address(self.seed))
        empty(cython.address(self.team.table))
        forget(self.team)

    def new_game(self) -> None:
        """Forget all that was learnt, and what the game's clock of nodes had left."""
        self.forget()
        self.timer.new_game()

    def set_value(self, key: u64, score: int | None) -> bool:
        """Score the position with this key so, from White's side; None: as if never set.

        The table is emptied, since it holds scores that came about otherwise.  False if
        there is no memory.
        """
        values = cython.address(self.team.values)
        empty(cython.address(self.team.table))
        if score is None:
            drop(values, key)
            return True
        return put(values, key, max(1 - WIN_BOUND, min(score, WIN_BOUND - 1)))

    def clear_values(self) -> None:
        """Take back what `set_value` set."""
        empty(cython.address(self.team.table))
        clear(cython.address(self.team.values))

    def begin(
        self,
        board: Board,
        limits: Limits,
        options: Options | None = None,
        *,
        report: Callable[[list[str]], None] = ignore,
    ) -> None:
        """Take a position (a copy is made), limits and the options in force.

        The clock runs from now on.
        """
        options = options or Options()
        self.board = board.copy()
        self.limits = limits
        self.timer.start(limits, options, self.board.white_to_move)
        self.report = Report(self.board, options, report, self.timer.started)
        self.report.team = self.team
        self.strength = in_force(options)
        self.iterations = Iterations(limits, options, self.strength)
        self.iterations.team = self.team
        self.iterations.report = self.report
        self.iterations.timer = self.timer
        count_anew(self.team)  # a `ponderhit` may come before there is a node
        signals = cython.address(self.team.signals)
        signals.show_lines = options.flag("UCI_ShowCurrLine")
        signals.stop = False
        self.set_sight()
        self.set_probing(options)
        self.timer.set_deadline(signals)
        self.gate.close()

    def stop(self) -> None:
        """End the search as soon as possible."""
        self.gate.open()
        with cython.nogil:
            end_search(cython.address(self.team.signals))

    def ponderhit(self) -> None:
        """Go on as in a normal search; it may be time to end it."""
        if not self.timer.pondering:
            return
        self.timer.ponderhit(self.nodes)
        self.timer.set_deadline(cython.address(self.team.signals))
        if self.iterations.is_time():  # an iteration of long pondering has no end
            self.team.signals.stop = True
        if not self.limits.infinite:
            self.gate.open()

    @property
    def nodes(self) -> int:
        """Nodes of the last search."""
        return all_nodes(self.team.threads[0])

    @property
    def sound(self) -> bool:
        """Whether what the threads know of the network's sums is true; for tests."""
        thread = self.team.threads[0]
        while thread != cython.NULL:
            if not is_sound(cython.address(thread.sums), cython.address(thread.positions[0])):
                return False
            thread = thread.next
        return True

    def run(self) -> BestMove:
        """Search until a limit is reached, or told to stop; return the best move."""
        self.team.signals.busy = True
        self.find_best()
        self.team.signals.busy = False
        if not self.team.threads[0].root_count:
            return BestMove("0000")
        return BestMove(self.best_text(), self.report.ponder_move())

    def best_text(self) -> str:
        """Return the best move as UCI text."""
        return move_text(self.team.threads[0].roots[0].move, self.board.chess960)

    def find_best(self) -> None:
        """Search, and tell what is found.

        What is told after a stop is put together here and not by the grammar's values:
        each function of Python that is called then takes 10 us.
        """
        self.set_roots()
        thread = self.team.threads[0]
        if not thread.root_count:
            if self.must_wait(self.team.signals.stop):
                self.report.send(self.report.end())
                self.wait()
            self.report.send([*self.report.end(), "bestmove 0000"])
            return
        self.start_helpers()
        told = self.iterations.deepen()
        stopped: cython.bint = self.team.signals.stop  # and not by the end of the helpers
        self.end_helpers()
        self.tell_faults()
        depth: cython.int = max(1, self.iterations.reached)
        told = told and self.report.ended_with_lines
        if self.must_wait(stopped):
            if not told:
                self.report.tell_lines(depth)
            self.wait()
            told = False
        last = [] if told else self.report.lines(depth)
        self.timer.spend(self.nodes)
        ponder = self.report.ponder_move()
        best = f"bestmove {self.best_text()}"
        self.report.send([*last, f"{best} ponder {ponder}" if ponder else best])

    def must_wait(self, stopped: bool) -> bool:
        """Say whether the best move must be held back until the gate opens, as UCI asks."""
        return self.timer.must_hold() and not stopped and self.gate.closed()

    def wait(self) -> None:
        """Wait until the gate opens."""
        self.team.signals.busy = False
        self.gate.wait()
        self.team.signals.busy = True

    def set_sight(self):
        """Let the search see all, or what a weaker player sees.

        The latter starts with an empty memory each time, so that what it finds
        depends on nothing but the game, and leaves nothing behind.
        """
        thread = self.team.threads[0]
        table = cython.address(self.team.table)
        if self.strength is not None:
            table = cython.address(self.sketch)
            if not table.count and not resize(table, SKETCH_MB):
                raise MemoryError
            empty(table)
        if self.strength is not None or thread.table != table:
            memset(cython.address(thread.history), 0, cython.sizeof(thread.history))
        thread.table = table
        thread.sight.limited = False
        if self.strength is not None:
            # With the number of the move, or a repeated position would be played alike
            # until it is a draw.
            seed = self.seed ^ self.board.position.key ^ self.board.position.number
            dim(
                cython.address(thread.sight), seed,
                self.strength.blindness, self.strength.misjudgement, self.strength.wavering,
            )  # fmt: skip

    def set_probing(self, options):
        """Tell the search threads what they may ask of tablebases."""
        probing = cython.address(self.team.signals.probing)
        probing.men = 0
        if self.prober is not None and self.strength is None:
            probing.tables = self.prober.tables
            probing.men = min(options.number("SyzygyProbeLimit"), self.prober.largest)
            probing.depth = options.number("SyzygyProbeDepth")
            probing.rule50 = options.flag("Syzygy50MoveRule")

    def set_roots(self):
        """Put the position, its past and its moves into the first thread's memory."""
        thread = self.team.threads[0]
        board = self.board
        place(thread, cython.address(board.position))
        for index in range(board.past_count):
            thread.keys[index] = board.past[index]
        thread.root_key = board.past_count
        thread.keys[thread.root_key] = board.position.key
        static = NO_SCORE
        if not board.position.checkers:
            static = judge(thread, 0)
        prepare(thread, static)
        next_age(thread.table)
        legal = board.moves()
        wanted = {board.find(text) for text in self.limits.searchmoves} - {NO_MOVE}
        for move in legal:
            if not wanted or move in wanted:
                add_root(thread, move, static)
                if thread.sight.limited:
                    thread.roots[thread.root_count - 1].liking = liking(
                        cython.address(thread.sight), cython.address(board.position), move,
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
        self.watch.next_tick = self.timer.started + TELL_AFTER

    def start_helpers(self):
        """Start the other threads, each where it may run: a thread begins where its maker is."""
        team = self.team
        if self.places:
            from rookery_engine.shell.numa import allowed_cpus, bind

            self.free = allowed_cpus()
        brief(team)
        while self.strength is None and team.started < team.count - 1:
            if self.places:
                bind(self.places[team.started + 1])
            if not start_next(team):
                self.report.tell_text(
                    f"only {team.started + 1} of {team.count} threads started: the system has no"
                    " more, or no memory for them; set Threads lower, or have its limit raised"
                )
                break
        if self.places:
            bind(self.places[0])

    def end_helpers(self):
        """End the other threads, and let this one run anywhere again: commands may follow."""
        if self.team.started:
            with cython.nogil:
                join(self.team)
        if self.places:
            from rookery_engine.shell.numa import bind

            bind(self.free)

    def tell_faults(self):
        """Tell of files of tablebases that turned out to be unusable, once each."""
        if self.prober is not None:
            for text in self.prober.faults():
                if text not in self.faults:
                    self.faults.add(text)
                    self.report.tell_text(text)


def on_tick(owner):
    """Let a searcher report, from within its search."""
    with cython.gil:
        searcher = cython.cast(Searcher, owner)
        searcher.report.tick(searcher.iterations.reached + 1)


def on_current(owner, depth, index):
    """Let a searcher report which root move is looked at, from within its search."""
    with cython.gil:
        searcher = cython.cast(Searcher, owner)
        searcher.report.tell_current(depth, index)
