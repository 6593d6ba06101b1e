"""A line of moves, evaluated as in the search: for tests and measurements."""

import cython
from cython.cimports.rookery_engine.core.board import Board
from cython.cimports.rookery_engine.core.position import make_move, make_null
from cython.cimports.rookery_engine.core.system import now, reserve, unreserve
from cython.cimports.rookery_engine.core.types import MAX_PLY, NO_MOVE, i16, i64
from cython.cimports.rookery_engine.nnue.accumulator import (
    evaluate_ply,
    fill,
    is_sound,
    record_move,
    reset_accumulators,
)
from cython.cimports.rookery_engine.nnue.network import HIDDEN, Row, bucket_of, output

_PAIRS = cython.declare(i64, 1000)  # evaluations between two readings of the clock


class EvalLine:
    """Moves from a position on; at most `types.MAX_PLY`."""

    def __cinit__(self, board: Board) -> None:
        self.state = cython.cast(cython.pointer[LineState], reserve(cython.sizeof(LineState)))
        if self.state == cython.NULL:
            raise MemoryError
        self.state.positions[0] = board.position
        self.ply = 0
        self.chess960 = board.chess960
        reset_accumulators(cython.address(self.state.sums))

    def __dealloc__(self) -> None:
        if self.state != cython.NULL:
            unreserve(self.state, cython.sizeof(LineState))

    def play(self, text: str) -> None:
        """Make a legal move."""
        board = Board(chess960=self.chess960)
        board.position = self.state.positions[self.ply]
        move = board.find_move(text)
        assert move != NO_MOVE
        self.push_move(move)

    def play_null(self) -> None:
        """Make a null move."""
        self.push_move(NO_MOVE)

    def go_back(self, plies: cython.int = 1) -> None:
        """Take moves back."""
        assert plies <= self.ply
        self.ply -= plies

    @property
    def evaluation(self) -> int:
        """The score in the units of `wdl` from the side to move, by the sums of the line."""
        line = cython.address(self.state.sums)
        return evaluate_ply(line, cython.address(self.state.positions[0]), self.ply)

    @property
    def sound(self) -> bool:
        """True if all known sums equal those computed from nothing."""
        line = cython.address(self.state.sums)
        return is_sound(line, cython.address(self.state.positions[0]))

    def push_move(self, move):
        """Make a legal move or a null move."""
        assert self.ply < MAX_PLY
        before = cython.address(self.state.positions[self.ply])
        if move == NO_MOVE:
            make_null(before, before + 1)
        else:
            make_move(before, before + 1, move)
        record_move(cython.address(self.state.sums), self.ply, move)
        self.ply += 1


def measure(rounds: i64) -> dict[str, float]:
    """Return the ns that parts of an evaluation take, each the least of some rounds.

    `move` is an evaluation after a quiet move, in full: both sides' sums, and the output.
    """
    best: dict[str, float] = {}
    line = EvalLine(Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"))
    state = line.state
    line.play("e2d3")
    sums = cython.address(state.sums)
    positions = cython.address(state.positions[0])
    first: i16[HIDDEN]
    second: i16[HIDDEN]
    fill(positions, 0, cython.cast(Row, first))
    fill(positions, 1, cython.cast(Row, second))
    total: i64 = 0
    evaluate_ply(sums, positions, 0)
    for _ in range(rounds):
        before = now()
        for _ in range(_PAIRS):
            record_move(sums, 0, sums.moves[1])
            total += evaluate_ply(sums, positions, 1)
        _keep(best, "move", now() - before)
        before = now()
        for _ in range(_PAIRS):
            total += output(cython.cast(Row, first), cython.cast(Row, second), bucket_of(32))
        _keep(best, "output", now() - before)
        before = now()
        for _ in range(_PAIRS):
            fill(positions, 0, cython.cast(Row, first))
        _keep(best, "from nothing", now() - before)
    return best


def _keep(best: dict[str, float], name: str, nanoseconds: i64) -> None:
    best[name] = min(best.get(name, 1e9), nanoseconds / _PAIRS)
