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
from cython.cimports.rookery_engine.accumulator import is_sound
from cython.cimports.rookery_engine.board import Board, move_text
from cython.cimports.rookery_engine.endgame import rank_roots
from cython.cimports.rookery_engine.input import Input, end_search
from cython.cimports.rookery_engine.mate import hold_out, seek
from cython.cimports.rookery_engine.position import next_random
from cython.cimports.rookery_engine.report import Report
from cython.cimports.rookery_engine.root import (
    Window,
    add_root,
    close_lines,
    open_window,
    prepare,
    renew_roots,
    sort_roots,
    try_window,
)
from cython.cimports.rookery_engine.sight import dim, liking
from cython.cimports.rookery_engine.system import now
from cython.cimports.rookery_engine.syzygy import Prober
from cython.cimports.rookery_engine.table import empty, next_age, release, resize
from cython.cimports.rookery_engine.team import (
    MOST,
    Team,
    brief,
    dismiss,
    forget,
    join,
    recruit,
    start_next,
)
from cython.cimports.rookery_engine.thread import all_nodes, judge, place
from cython.cimports.rookery_engine.types import (
    MATE,
    MATE_BOUND,
    MAX_PLY,
    NO_MOVE,
    NO_SCORE,
    WIN_BOUND,
    u64,
)
from cython.cimports.rookery_engine.values import clear, drop, put

from rookery_engine.clock import NodeClock, budget, urgency
from rookery_engine.gate import Gate
from rookery_engine.options import Options
from rookery_engine.strength import in_force
from rookery_engine.uci import BestMove, Limits

BOUNDS_AFTER = 1.5  # s; from then on a search is slow enough to tell of failed windows
TELL_AFTER = 1.0  # s; nobody sees more of a shorter search than its results
FOREVER = 1 << 62
SKETCH_MB = 1  # 65,536 positions; a fixed size, so that strength does not depend on Hash
UNTIL_HARD = 4  # times the nodes of a weaker player, by which a last iteration must end
NS = 1_000_000  # in a millisecond
MATE_NODES = 50_000  # the first that are spent on looking for mate only
LONGEST_MATE = (MAX_PLY - 2) // 2  # moves


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
        self.node_clock = NodeClock()
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
        self.node_clock = NodeClock()

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
        self.started = self.clock_from = now()
        self.report = Report(self.board, options, report, self.started)
        self.report.team = self.team
        self.set_budget(options)
        self.pondering = limits.ponder
        self.analyses = options.flag("UCI_AnalyseMode")
        self.max_depth = MAX_PLY - 1
        if limits.depth is not None:
            self.max_depth = max(1, min(limits.depth, MAX_PLY - 1))
        if limits.mate is not None and limits.mate <= 0:
            self.max_depth = 1
        self.lines = options.number("MultiPV")
        nodes = limits.nodes
        self.node_limit = FOREVER if nodes is None else max(1, min(nodes, FOREVER))
        self.nodes_from = 0
        signals = cython.address(self.team.signals)
        signals.show_lines = options.flag("UCI_ShowCurrLine")
        signals.stop = False
        self.strength = in_force(options)
        self.set_sight()
        self.set_probing(options)
        self.set_deadline()
        self.gate.close()

    def stop(self) -> None:
        """End the search as soon as possible."""
        self.gate.open()
        with cython.nogil:
            end_search(cython.address(self.team.signals))

    def ponderhit(self) -> None:
        """Go on as in a normal search, whose time begins now."""
        if not self.pondering:
            return
        self.clock_from = now()
        self.nodes_from = self.nodes
        self.pondering = False
        self.set_deadline()
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
        told = self.deepen()
        stopped: cython.bint = self.team.signals.stop  # and not by the end of the helpers
        if self.team.started:
            with cython.nogil:
                join(self.team)
        self.tell_faults()
        depth: cython.int = max(1, self.reached)
        told = told and self.report.ended_with_lines
        if self.must_wait(stopped):
            if not told:
                self.report.tell_lines(depth)
            self.wait()
            told = False
        last = [] if told else self.report.lines(depth)
        if self.in_nodes and not self.pondering:
            white = self.board.white_to_move
            self.node_clock.spend(self.limits, white=white, nodes=self.nodes - self.nodes_from)
        ponder = self.report.ponder_move()
        best = f"bestmove {self.best_text()}"
        self.report.send([*last, f"{best} ponder {ponder}" if ponder else best])

    def must_wait(self, stopped: bool) -> bool:
        """Say whether the best move must be held back until the gate opens, as UCI asks."""
        held = self.limits.infinite or self.pondering
        return held and not stopped and self.gate.closed()

    def wait(self) -> None:
        """Wait until the gate opens."""
        self.team.signals.busy = False
        self.gate.wait()
        self.team.signals.busy = True

    def set_budget(self, options: Options) -> None:
        """Divide the clock, or the game's clock of nodes."""
        white = self.board.white_to_move
        overhead = options.number("Move Overhead")
        rate = options.number("nodestime")
        limits = self.limits
        if rate:
            overhead = 0
            limits = self.node_clock.convert(limits, white=white, rate=rate)
        self.in_nodes = rate > 0
        ponders = options.flag("Ponder")
        self.budget = budget(limits, white=white, overhead=overhead, ponders=ponders)

    def set_deadline(self):
        """Tell the search threads when they must end."""
        signals = cython.address(self.team.signals)
        deadline = FOREVER
        nodes = self.node_limit
        if not self.pondering and not self.limits.infinite and self.budget.hard is not None:
            if self.in_nodes:
                nodes = min(nodes, self.nodes_from + max(1, int(self.budget.hard)))
            else:
                deadline = self.clock_from + int(self.budget.hard * NS)
        signals.max_nodes = nodes
        signals.deadline = deadline

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

    def set_nodes(self, depth):
        """Limit the nodes of a weaker player's iteration; all see what is one ply ahead."""
        if self.strength is not None and depth == 2:
            signals = cython.address(self.team.signals)
            most = UNTIL_HARD * self.strength.nodes * self.lines
            signals.max_nodes = min(signals.max_nodes, most)
            self.team.threads[0].countdown = 1

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
        best_only: cython.bint = self.lines == 1 and self.limits.mate is None
        with cython.nogil:
            rank_roots(thread, best_only)
        thread.lines = min(self.lines, thread.root_count)
        self.reached = 0
        self.stable = 0
        self.refuted = 0
        self.watch.telling = False
        self.watch.next_current = 0
        self.watch.next_tick = self.started + int(TELL_AFTER * 1000) * NS

    def deepen(self):
        """Search deeper and deeper; say whether the last result has been told already."""
        thread = self.team.threads[0]
        while self.reached < self.max_depth:
            best = thread.roots[0].move
            before = thread.roots[0].previous
            self.set_nodes(self.reached + 1)
            self.search_lines(self.reached + 1)
            if thread.stopped:
                return False
            self.reached += 1
            self.report.tell_lines(self.reached)
            self.stable = self.stable + 1 if thread.roots[0].move == best else 0
            if self.is_enough(before - thread.roots[0].score):
                break
            if self.limits.mate is not None and self.limits.mate > 0 and self.seek_mate():
                return False
        return True

    def search_lines(self, depth):
        """Search one iteration: the best move, then the best without it, and so on.

        Each line is searched with a window around its last score, wider as long as
        the score is outside.
        """
        thread = self.team.threads[0]
        window: Window
        renew_roots(thread, 0)
        for line in range(thread.lines):
            thread.root_first = line
            open_window(thread, depth, line, cython.address(window))
            while not thread.stopped:
                with cython.nogil:
                    outside = try_window(thread, depth, line, cython.address(window))
                if not outside:
                    break
                slow = now() - self.started > BOUNDS_AFTER * 1000 * NS
                if slow and thread.lines == 1:
                    bound = "upperbound" if outside < 0 else "lowerbound"
                    self.report.tell_bound(depth, bound)
                renew_roots(thread, line)
            if thread.stopped:
                break
            sort_roots(thread, 0, line + 1)
        close_lines(thread)
        return 0

    def is_enough(self, drop):
        """Say whether to leave it at the iteration just finished."""
        thread = self.team.threads[0]
        root = cython.address(thread.roots[0])
        if self.strength is not None and thread.nodes >= self.strength.nodes * self.lines:
            return True
        mate = self.limits.mate
        if mate is not None and abs(root.score) >= MATE_BOUND:
            if MATE - abs(root.score) <= 2 * mate:
                return True
        if self.pondering or self.limits.infinite or self.budget.soft is None:
            return False
        if thread.root_count == 1 and not self.analyses:
            return True
        if abs(root.score) >= MATE_BOUND and self.reached > MATE - abs(root.score):
            return not self.analyses  # looked at to its end: there is nothing to gain
        share = root.nodes / max(1, thread.nodes)
        soft = self.budget.soft
        if not self.analyses:
            soft *= urgency(stable=self.stable, drop=drop, share=share)
        if self.in_nodes:
            return self.nodes - self.nodes_from >= soft
        return now() - self.clock_from >= soft * NS

    def start_helpers(self):
        """Start the other threads, each where it may run: a thread begins where its maker is."""
        team = self.team
        if self.places:
            from rookery_engine.numa import bind
        brief(team)
        while self.strength is None and team.started < team.count - 1:
            if self.places:
                bind(self.places[team.started + 1])
            if not start_next(team):
                self.report.tell_text(f"only {team.started + 1} of {team.count} threads started")
                break
        if self.places:
            bind(self.places[0])

    def tell_faults(self):
        """Tell of files of tablebases that turned out to be unusable, once each."""
        if self.prober is not None:
            for text in self.prober.faults():
                if text not in self.faults:
                    self.faults.add(text)
                    self.report.tell_text(text)

    def seek_mate(self):
        """Look for nothing but mate, with as many nodes as went into all before.

        Says whether it is decided: there is a mate, or there is none.
        """
        thread = self.team.threads[0]
        most: u64 = thread.nodes + max(MATE_NODES, thread.nodes)
        wanted: cython.int = min(self.limits.mate, LONGEST_MATE)
        moves: cython.int
        place: cython.int
        while self.refuted < wanted:
            moves = self.refuted + 1
            with cython.nogil:
                place = seek(thread, moves, most)
                if place == -1:
                    place = hold_out(thread, moves, most)
            if place == -2:
                return thread.stopped
            self.refuted = moves
            if place >= 0:
                for index in range(thread.root_count):
                    if index != place:
                        root = cython.address(thread.roots[index])
                        root.score = min(root.score, thread.roots[place].score)
                found = thread.roots[place]
                thread.roots[place] = thread.roots[0]
                thread.roots[0] = found
                sort_roots(thread, 1, thread.root_count)
                return True
        self.report.tell_text(f"there is no mate in {wanted}")
        return True


def on_tick(owner):
    """Let a searcher report, from within its search."""
    with cython.gil:
        searcher = cython.cast(Searcher, owner)
        searcher.report.tick(searcher.reached + 1)


def on_current(owner, depth, index):
    """Let a searcher report which root move is looked at, from within its search."""
    with cython.gil:
        searcher = cython.cast(Searcher, owner)
        searcher.report.tell_current(depth, index)
