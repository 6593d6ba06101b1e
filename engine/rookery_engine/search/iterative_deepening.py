"""Iterative deepening: the iterations of the first thread, until a limit is reached.

The first thread reports between them; its helpers iterate alone (see `root`).  `go mate`
searches for nothing but mate in between.
"""

import cython
from cython.cimports.rookery_engine.core.system import now
from cython.cimports.rookery_engine.core.types import MATE, MATE_BOUND, MAX_PLY, u64
from cython.cimports.rookery_engine.search.mate import GAVE_UP, find_mate
from cython.cimports.rookery_engine.search.root import (
    Window,
    close_lines,
    open_roots,
    open_window,
    renew_roots,
    sort_roots,
    try_window,
)
from cython.cimports.rookery_engine.search.thread import all_nodes

from rookery_engine.shell.clock import urgency

BOUNDS_AFTER = 1_500_000_000  # ns; from then on failed windows are reported
UNTIL_HARD = 4  # times the nodes of a weaker player, by which a last iteration must end
PROOF_NODES = 200  # at least for mate after each iteration, which of a drawn position has only one
LONGEST_MATE = (MAX_PLY - 2) // 2  # moves


class Iterations:
    """The iterations of one search."""

    def __init__(self, limits, options, handicap) -> None:
        self.limits = limits
        self.handicap = handicap
        self.analyses = options.flag("UCI_AnalyseMode")
        self.lines = options.number("MultiPV")
        self.urgency = 1.0
        self.max_depth = MAX_PLY - 1
        if limits.depth is not None:
            self.max_depth = max(1, min(limits.depth, MAX_PLY - 1))
        if limits.mate is not None and limits.mate <= 0:
            self.max_depth = 1

    def deepen(self):
        """Search deeper and deeper; say whether the last result has been reported already."""
        thread = self.pool.threads[0]
        while self.reached < self.max_depth:
            best = thread.roots[0].move
            before = thread.roots[0].score
            nodes: u64 = thread.nodes
            self.set_nodes(self.reached + 1)
            self.search_lines(self.reached + 1)
            if thread.stopped:
                return False
            self.reached += 1
            thread.settled = True
            self.report.report_lines(self.reached)
            self.stable = self.stable + 1 if thread.roots[0].move == best else 0
            if self.is_enough(before - thread.roots[0].score):
                break
            if self.limits.mate is not None and self.limits.mate > 0:
                if self.search_mate(max(PROOF_NODES, thread.nodes - nodes)):
                    return False
        return True

    def set_nodes(self, depth):
        """Limit the nodes of a weaker player from the second iteration on."""
        if self.handicap is not None and depth == 2:
            self.timer.limit_nodes(UNTIL_HARD * self.handicap.nodes * self.lines)
            self.timer.set_deadline(cython.address(self.pool.signals))
            self.pool.threads[0].countdown = 1

    def search_lines(self, depth):
        """Search one iteration: the best move, then the best without it, and so on.

        Each line is searched with a window around its last score, wider as long as
        the score is outside.
        """
        thread = self.pool.threads[0]
        window: Window
        open_roots(thread)
        for line in range(thread.lines):
            thread.root_first = line
            open_window(thread, depth, line, cython.address(window))
            while not thread.stopped:
                with cython.nogil:
                    outside = try_window(thread, depth, line, cython.address(window))
                if not outside:
                    break
                slow = now() - self.timer.started > BOUNDS_AFTER
                if slow and thread.lines == 1:
                    bound = "upperbound" if outside < 0 else "lowerbound"
                    self.report.report_bound(depth, bound)
                renew_roots(thread, line)
            if thread.stopped:
                break
            sort_roots(thread, 0, line + 1)
        close_lines(thread)
        return 0

    def is_enough(self, drop):
        """Say whether the iteration just finished is the last."""
        thread = self.pool.threads[0]
        root = cython.address(thread.roots[0])
        if not self.analyses:
            share = root.nodes / max(1, thread.nodes)
            self.urgency = urgency(stable=self.stable, drop=drop, share=share)
        if self.handicap is not None and thread.nodes >= self.handicap.nodes * self.lines:
            return True
        mate = self.limits.mate
        if (
            mate is not None
            and abs(root.score) >= MATE_BOUND
            and MATE - abs(root.score) <= 2 * mate
        ):
            return True
        if not self.timer.is_running():
            return False
        if abs(root.score) >= MATE_BOUND and self.reached > MATE - abs(root.score):
            return not self.analyses  # searched to its end: there is nothing to gain
        return self.is_time()

    def is_time(self):
        """Say whether the soft bound has passed, by the last finished iteration.

        An only move is played at once.  Time spent pondering counts, so after a long ponder the
        move is there when it is needed.
        """
        thread = self.pool.threads[0]
        if self.reached == 0 or not self.timer.is_running():
            return False
        forced: cython.bint = thread.root_count == 1 and not self.analyses
        return forced or self.timer.is_late(all_nodes(thread), self.urgency)

    def search_mate(self, nodes):
        """Search for nothing but mate, with so many nodes.

        The side that seems to be worse is the first to be mated.  Say whether it is decided: there
        is a mate, or there is none.
        """
        thread = self.pool.threads[0]
        most: u64 = thread.nodes + nodes
        wanted: cython.int = min(self.limits.mate, LONGEST_MATE)
        attacking: cython.bint = thread.roots[0].score > 0
        place: cython.int
        while not (self.refuted[0] and self.refuted[1]):
            if self.refuted[attacking]:
                attacking = not attacking
            with cython.nogil:
                place = find_mate(thread, wanted, attacking, most)
            if place >= 0:
                self.put_first(place)
                return True
            if place == GAVE_UP:
                return thread.stopped
            self.refuted[attacking] = True
        self.report.report_text(f"there is no mate in {wanted}")
        return True

    def put_first(self, place):
        """Make the root move at `place` the best, and sort them."""
        thread = self.pool.threads[0]
        for index in range(thread.root_count):
            if index != place:
                root = cython.address(thread.roots[index])
                root.score = min(root.score, thread.roots[place].score)
        found = thread.roots[place]
        thread.roots[place] = thread.roots[0]
        thread.roots[0] = found
        sort_roots(thread, 1, thread.root_count)
