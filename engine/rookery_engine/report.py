"""What is told of a search: results to `Info`.

Variations are told when an iteration ends.  Between, once a second, come the counts
of nodes, and from the first second on what the GUI wants to see besides: the move
that is looked at, the lines of the threads, refutations.  With `Minimal`, which programs
that only want results set, there is nothing of that but the variations before `bestmove`.
"""

import cython
from cython.cimports.rookery_engine.board import Board, move_text
from cython.cimports.rookery_engine.endgame import told_score
from cython.cimports.rookery_engine.movegen import is_legal
from cython.cimports.rookery_engine.position import insufficient_material, make, men
from cython.cimports.rookery_engine.sight import liked
from cython.cimports.rookery_engine.system import now
from cython.cimports.rookery_engine.table import Found, permill_full, probe
from cython.cimports.rookery_engine.thread import all_nodes, all_tbhits
from cython.cimports.rookery_engine.types import (
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

from rookery_engine.uci import Info
from rookery_engine.wdl import centipawns, mate_wdl, wdl

NS = 1_000_000  # in a millisecond
TABLE_WIN_SHOWN = 20_000  # centipawns; as Stockfish tells of a tablebase's win
LONG_ENOUGH = 8  # plies; a variation that the search cut shorter is continued from the table
REFUTATION = 4  # plies of a refutation that are told
FIFTY_MOVES = 100  # plies
WEIGHTS = (1, 3, 3, 5, 9)  # of the pieces, see wdl.py


class Report:
    """The voice of one search."""

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
        """Return what there is to tell of a position in which the game is over."""
        mated = self.board.position.checkers != 0
        score = "mate 0" if mated else "cp 0"
        if self.shows_wdl:
            score += " wdl 0 0 1000" if mated else " wdl 0 1000 0"
        return [f"info depth 0 seldepth 0 multipv 1 score {score} {self.numbers()}"]

    def tell_text(self, text: str) -> None:
        """Tell a user something that UCI has no words for."""
        self.ended_with_lines = False
        self.send([str(Info(string=text))])

    def tell_lines(self, depth):
        """Tell all variations as they stand, the best first."""
        if self.minimal:
            return
        self.send(self.lines(depth))
        self.ended_with_lines = True

    def lines(self, depth):
        """Return all variations as they stand, the best first."""
        numbers = self.numbers()
        count = self.team.threads[0].lines
        return [self.line(depth, index, "", numbers) for index in range(count)]

    def tell_bound(self, depth, bound):
        """Tell the best variation, whose score is `bound` so far, and not exact."""
        if self.minimal:
            return
        self.send([self.line(depth, 0, f" {bound}", self.numbers())])

    def line(self, depth, index, bound, numbers):
        """Return one variation as it stands."""
        root = cython.address(self.team.threads[0].roots[index])
        searched: cython.int = root.previous if root.score == -INFINITE else root.score
        found: cython.int = liked(searched, -root.liking)
        score: cython.int = told_score(self.team.threads[0], root, found)
        shown = score_text(score)
        if score == found:
            shown += bound
        if self.shows_wdl:
            shown += self.wdl_text(score)
        variation = self.variation(root, found)
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

    def tell_current(self, depth, index):
        """Tell the root move that is looked at now."""
        if self.minimal:
            return
        move = move_text(self.team.threads[0].roots[index].move, self.board.chess960)
        self.ended_with_lines = False
        self.send([str(Info(depth=depth, currmove=move, currmovenumber=index + 1))])

    def tick(self, depth):
        """Tell how far the search is, and what else the GUI wants to see of it."""
        if self.minimal:
            return
        team = self.team
        self.ended_with_lines = False
        lines = [f"info depth {depth} {self.numbers()}"]
        if self.shows_lines:
            for index in range(team.count):
                number = index + 1 if team.count > 1 else None
                lines.append(str(Info(currline=(number, self.legal_part(team.threads[index])))))
        if self.shows_refutations:
            thread = team.threads[0]
            for index in range(thread.lines, thread.root_count):
                root = cython.address(thread.roots[index])
                if root.nodes and root.score == -INFINITE:
                    lines.append(str(Info(refutation=tuple(self.refutation(index)))))
        self.send(lines)

    def numbers(self):
        """Return the counts and the time; none is ever less than it was before."""
        team = self.team
        first = team.threads[0]
        spent = max(1, (now() - self.started) // NS)
        self.last_time = max(self.last_time, spent)
        self.last_nodes = max(self.last_nodes, all_nodes(first))
        nps: u64 = self.last_nodes * 1000 // self.last_time
        return (
            f"nodes {self.last_nodes} nps {nps} hashfull {permill_full(first.table)}"
            f" tbhits {all_tbhits(first)} time {self.last_time}"
        )

    def variation(self, root, score):
        """Return a root move's variation as text, continued from the table if it is short."""
        walk: Walk
        start_walk(cython.address(walk), cython.address(self.board.position))
        moves = []
        wanted: cython.int = LONG_ENOUGH
        if abs(score) >= MATE_BOUND:
            wanted = MATE - abs(score)
        goes_on: cython.bint = True
        for index in range(root.length):
            goes_on = step(cython.address(walk), root.pv[index])
            moves.append(move_text(root.pv[index], self.board.chess960))
        while goes_on and len(moves) < wanted:
            move = known_move(cython.address(walk), self.team)
            if move == NO_MOVE:
                break
            goes_on = step(cython.address(walk), move)
            if goes_on:
                moves.append(move_text(move, self.board.chess960))
        return moves

    def refutation(self, index: cython.int) -> list[str]:
        """Return a root move and what the table has against it."""
        root = cython.address(self.team.threads[0].roots[index])
        walk: Walk
        start_walk(cython.address(walk), cython.address(self.board.position))
        move = root.move
        moves = []
        while move != NO_MOVE and len(moves) < REFUTATION:
            moves.append(move_text(move, self.board.chess960))
            if not step(cython.address(walk), move):
                break
            move = known_move(cython.address(walk), self.team)
        return moves

    def ponder_move(self):
        """Return the expected reply to the best move, if the last line that was told has one."""
        return self.best_line[1] if len(self.best_line) > 1 else None

    def legal_part(self, thread):
        """Return the line that a thread noted, as far as it is one.

        The thread may be writing it just now, and it may hold null moves.
        """
        walk: Walk
        start_walk(cython.address(walk), cython.address(self.board.position))
        moves = []
        for index in range(thread.noted_length):
            move = thread.noted[index]
            if move == NO_MOVE or not is_legal(cython.address(walk.here), move):
                break
            step(cython.address(walk), move)
            moves.append(move_text(move, self.board.chess960))
        if not moves:
            moves.append(move_text(thread.roots[0].move, self.board.chess960))
        return tuple(moves)


def start_walk(walk, pos):
    """Begin a line at a position."""
    walk.here = pos[0]
    walk.keys[0] = pos.key
    walk.length = 0


def step(walk, move):
    """Go one legal move further; False if the game is drawn then."""
    make(cython.address(walk.here), cython.address(walk.next), move)
    walk.here = walk.next
    repeated = False
    for index in range(walk.length + 1):
        if walk.keys[index] == walk.here.key:
            repeated = True
    walk.length += 1
    walk.keys[walk.length] = walk.here.key
    drawn: cython.bint = walk.here.rule50 >= FIFTY_MOVES
    return not (repeated or drawn or insufficient_material(cython.address(walk.here)))


def known_move(walk, team):
    """Return the table's move for where a line has come to; NO_MOVE if it knows none."""
    found: Found
    here = cython.address(walk.here)
    if not probe(team.threads[0].table, here.key, 0, cython.address(found)):
        return NO_MOVE
    if found.move == NO_MOVE or not is_legal(here, found.move):
        return NO_MOVE
    return found.move


def count_material(pos):
    """Return what both sides have on the board, in the units of wdl.py."""
    total = 0
    for type in range(KING):
        total += WEIGHTS[type] * (popcount(men(pos, type, 0)) + popcount(men(pos, type, 1)))
    return total


def score_text(score):
    """Return a score as UCI has it: mates in moves, not plies."""
    size: cython.int = abs(score)
    sign = "-" if score < 0 else ""
    if size >= MATE_BOUND:
        return f"mate {sign}{(MATE - size + 1) // 2}"
    if size >= WIN_BOUND:
        return f"cp {sign}{TABLE_WIN_SHOWN - (TABLE_WIN - size)}"
    return f"cp {centipawns(score)}"
