"""Reports of a search: results to `Info`.

Variations are reported at the end of each iteration.  In between, once a second, come the counts
of nodes, and from the first second on the current root move and what the GUI has switched on: the
lines of the threads, refutations.  With `Minimal`, for programs that only want results, there are
only the variations before `bestmove`.
"""

import cython
from cython.cimports.rookery_engine.core.board import Board, move_text
from cython.cimports.rookery_engine.core.movegen import is_legal
from cython.cimports.rookery_engine.core.position import men
from cython.cimports.rookery_engine.core.system import now
from cython.cimports.rookery_engine.core.types import (
    INFINITE,
    KING,
    MATE,
    MATE_BOUND,
    NO_MOVE,
    TABLE_WIN,
    WIN_BOUND,
    popcount,
    u64,
)
from cython.cimports.rookery_engine.search.tablebase_search import reported_score
from cython.cimports.rookery_engine.search.thread import all_nodes, all_tbhits
from cython.cimports.rookery_engine.search.transposition import EXACT, LOWER, permill_full
from cython.cimports.rookery_engine.search.variation import (
    GOES_ON,
    OVER,
    Quest,
    Walk,
    find_mating_line,
    is_checkmate,
    known_move,
    start_walk,
    step,
)
from cython.cimports.rookery_engine.search.weakness import add_preference

from rookery_engine.shell.wdl import centipawns, mate_wdl, wdl
from rookery_uci import Info

NS = 1_000_000  # in a millisecond
TABLE_WIN_SHOWN = 20_000  # centipawns; as Stockfish shows a tablebase's win
LONG_ENOUGH = 8  # plies; a variation that the search cut shorter is continued from the table
REFUTATION = 4  # plies of a refutation that are reported
MATE_SHARE = 8  # of the nodes of a search, one may be spent on the moves of mates each time ...
MATE_NODES = 100_000  # ... but no more, for all variations together: it takes 20 ms
WEIGHTS = (1, 3, 3, 5, 9)  # of the pieces, see wdl.py


class Report:
    """The reports of one search."""

    def __init__(self, board: Board, options: object, send: object, started: int) -> None:
        self.board = board
        self.send = send
        self.started = started
        self.minimal = options.flag("Minimal")
        self.shows_wdl = options.flag("UCI_ShowWDL")
        self.shows_refutations = options.flag("UCI_ShowRefutations")
        self.shows_lines = options.flag("UCI_ShowCurrLine")
        self.material = count_material(cython.address(board.position))

    def end(self) -> list[str]:
        """Return the report of a position in which the game is over."""
        mated = self.board.position.checkers != 0
        score = "mate 0" if mated else "cp 0"
        if self.shows_wdl:
            score += " wdl 0 0 1000" if mated else " wdl 0 1000 0"
        return [f"info depth 0 seldepth 0 multipv 1 score {score} {self.numbers()}"]

    def report_text(self, text: str) -> None:
        """Report something in words as an `info string`."""
        self.ended_with_lines = False
        self.send([str(Info(string=text))])

    def report_lines(self, depth):
        """Report all variations as they stand, the best first."""
        if self.minimal:
            return
        self.send(self.lines(depth))
        self.ended_with_lines = True

    def lines(self, depth):
        """Return all variations as they stand, the best first."""
        numbers = self.numbers()
        count = self.pool.threads[0].lines
        return [self.line(depth, index, "", numbers) for index in range(count)]

    def report_bound(self, depth, bound):
        """Report the best variation, whose score is `bound` so far, and not exact."""
        if self.minimal:
            return
        self.send([self.line(depth, 0, f" {bound}", self.numbers())])

    def line(self, depth, index, bound, numbers):
        """Return one variation as it stands.

        If `bound` does not say it, the score may be a bound all the same, where a search ended
        outside of its window.
        """
        root = cython.address(self.pool.threads[0].roots[index])
        waits: cython.bint = root.score == -INFINITE
        searched: cython.int = root.previous if waits else root.score
        kind: cython.int = root.previous_bound if waits else root.bound
        if not bound and kind != EXACT and not self.minimal:
            bound = " lowerbound" if kind == LOWER else " upperbound"
        found: cython.int = add_preference(searched, -root.preference)
        score: cython.int = reported_score(self.pool.threads[0], root, found)
        exact: cython.bint = score == found and not bound
        variation = self.variation(root, score)
        if exact and abs(score) >= MATE_BOUND and not (self.is_whole or self.minimal):
            # Such a mate is known from the table alone, which has bounds: there may be a shorter.
            # With `Minimal` this is the only line that is reported, and programs want its score.
            bound = " lowerbound" if score > 0 else " upperbound"
        shown = score_text(score)
        if score == found:
            shown += bound
        if self.shows_wdl:
            shown += self.wdl_text(score)
        if index == 0:
            self.best_line = variation
        seldepth: cython.int = max(depth, root.seldepth)
        return (
            f"info depth {depth} seldepth {seldepth} multipv {index + 1} score {shown}"
            f" {numbers} pv {' '.join(variation)}"
        )

    def wdl_text(self, score):
        """Return the chances of a score, with a blank before them."""
        known: cython.bint = abs(score) >= MATE_BOUND
        win, draw, loss = mate_wdl(score) if known else wdl(score, self.material)
        return f" wdl {win} {draw} {loss}"

    def report_current_move(self, depth, index):
        """Report the current root move."""
        if self.minimal:
            return
        move = move_text(self.pool.threads[0].roots[index].move, self.board.chess960)
        self.ended_with_lines = False
        self.send([str(Info(depth=depth, currmove=move, currmovenumber=index + 1))])

    def tick(self, depth):
        """Report nodes and time, and the lines and refutations that the GUI has switched on."""
        if self.minimal:
            return
        pool = self.pool
        self.ended_with_lines = False
        lines = [f"info depth {depth} {self.numbers()}"]
        if self.shows_lines:
            for index in range(pool.count):
                number = index + 1 if pool.count > 1 else None
                lines.append(str(Info(currline=(number, self.legal_part(pool.threads[index])))))
        if self.shows_refutations:
            thread = pool.threads[0]
            for index in range(thread.lines, thread.root_count):
                root = cython.address(thread.roots[index])
                if root.nodes and root.score == -INFINITE:
                    lines.append(str(Info(refutation=tuple(self.refutation(index)))))
        self.send(lines)

    def numbers(self):
        """Return the counts and the time; none is ever less than it was before."""
        pool = self.pool
        first = pool.threads[0]
        spent = max(1, (now() - self.started) // NS)
        self.last_time = max(self.last_time, spent)
        self.last_nodes = max(self.last_nodes, all_nodes(first))
        nps: u64 = self.last_nodes * 1000 // self.last_time
        return (
            f"nodes {self.last_nodes} nps {nps} hashfull {permill_full(first.table)}"
            f" tbhits {all_tbhits(first)} time {self.last_time}"
        )

    def variation(self, root, score):
        """Return a root move's variation as text, continued from the table if it is short.

        That of a mate is continued up to the mate, if its moves are found: see `is_whole`.
        """
        walk: Walk
        start_walk(cython.address(walk), self.pool.threads[0])
        mates: cython.bint = abs(score) >= MATE_BOUND
        wanted: cython.int = MATE - abs(score) if mates else LONG_ENOUGH
        moves = []
        state: cython.int = GOES_ON
        for index in range(root.length):
            state = step(cython.address(walk), root.pv[index])
            moves.append(move_text(root.pv[index], self.board.chess960))
            if state == OVER:
                break
        self.is_whole = len(moves) == wanted and is_checkmate(cython.address(walk.here))
        if mates and not self.is_whole:
            line = self.mating_line(root, wanted)
            self.is_whole = len(line) > 0
            if self.is_whole:
                return line
        while state == GOES_ON and len(moves) < wanted:
            move = known_move(self.pool.threads[0].table, cython.address(walk.here))
            if move == NO_MOVE:
                break
            state = step(cython.address(walk), move)
            if state == GOES_ON:
                moves.append(move_text(move, self.board.chess960))
        return moves

    def mating_line(self, root, plies):
        """Return a root move's variation of so many plies that ends in mate; [] if none is found.

        The more of the search's own moves are kept, the better: each attempt has half the nodes
        of the one before it.
        """
        walk: Walk
        quest: Quest
        quest.table = self.pool.threads[0].table
        share: u64 = min(MATE_NODES, all_nodes(self.pool.threads[0]) // MATE_SHARE)
        most: cython.int = share // self.pool.threads[0].lines
        kept: cython.int = min(root.length, plies)
        while kept > 0:
            most //= 2
            start_walk(cython.address(walk), self.pool.threads[0])
            for index in range(kept):
                quest.line[index] = root.pv[index]
                quest.keys[index] = walk.here.key
                step(cython.address(walk), root.pv[index])
            quest.left = most
            here = cython.address(walk.here)
            if find_mating_line(cython.address(quest), here, plies - kept, kept):
                line = [quest.line[index] for index in range(plies)]
                return [move_text(move, self.board.chess960) for move in line]
            kept //= 2
        return []

    def refutation(self, index: cython.int) -> list[str]:
        """Return a root move and its refutation in the table."""
        root = cython.address(self.pool.threads[0].roots[index])
        walk: Walk
        start_walk(cython.address(walk), self.pool.threads[0])
        move = root.move
        moves = []
        while move != NO_MOVE and len(moves) < REFUTATION:
            moves.append(move_text(move, self.board.chess960))
            if step(cython.address(walk), move) != GOES_ON:
                break
            move = known_move(self.pool.threads[0].table, cython.address(walk.here))
        return moves

    def ponder_move(self):
        """Return the expected reply to the best move, if the last reported line has one."""
        return self.best_line[1] if len(self.best_line) > 1 else None

    def legal_part(self, thread):
        """Return the line that a thread recorded, as far as it is one.

        The thread may be writing it just now, and it may hold null moves.
        """
        walk: Walk
        start_walk(cython.address(walk), self.pool.threads[0])
        moves = []
        for index in range(thread.recorded_length):
            move = thread.recorded[index]
            if move == NO_MOVE or not is_legal(cython.address(walk.here), move):
                break
            step(cython.address(walk), move)
            moves.append(move_text(move, self.board.chess960))
        if not moves:
            moves.append(move_text(thread.roots[0].move, self.board.chess960))
        return tuple(moves)


def count_material(pos):
    """Return the material of both sides, in the units of wdl.py."""
    total = 0
    for type in range(KING):
        total += WEIGHTS[type] * (popcount(men(pos, type, 0)) + popcount(men(pos, type, 1)))
    return total


def score_text(score):
    """Return a score as UCI text: mates in moves, not plies."""
    size: cython.int = abs(score)
    sign = "-" if score < 0 else ""
    if size >= MATE_BOUND:
        return f"mate {sign}{(MATE - size + 1) // 2}"
    if size >= WIN_BOUND:
        return f"cp {sign}{TABLE_WIN_SHOWN - (TABLE_WIN - size)}"
    return f"cp {centipawns(score)}"
