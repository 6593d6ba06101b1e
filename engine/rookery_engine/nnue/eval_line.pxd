# A line of moves, evaluated as in the search.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport MAX_PLY, u16
from rookery_engine.nnue.accumulator cimport Accumulators

ctypedef struct LineState:
    Accumulators sums
    Position[MAX_PLY + 2] positions

cdef class EvalLine:
    cdef LineState* state
    cdef int ply
    cdef bint chess960

    cdef void push_move(self, u16 move) noexcept
