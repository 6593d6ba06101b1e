# A game's position for Python.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport u16, u64

cdef enum:
    MAX_PAST = 1024             # keys of earlier positions; older ones are forgotten first

cdef class Board:
    cdef Position position
    cdef u64[MAX_PAST] past     # keys of the positions before, oldest first
    cdef int past_count
    cdef u16 last               # the move that led here; NO_MOVE if not known
    cdef readonly bint chess960
    cdef bint halted            # a perft must end

    cdef void push(self, u16 move) noexcept
    cdef list moves(self)
    cdef u16 find_move(self, str text)

cdef str move_text(u16 move, bint chess960)
