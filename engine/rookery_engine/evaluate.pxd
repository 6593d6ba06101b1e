# The static evaluation; see evaluate.py.

from rookery_engine.position cimport Position
from rookery_engine.types cimport PIECES, i32, u8, u64

cdef enum:
    FULL_PHASE = 24             # all pieces there: nothing but the middle game counts

cdef i32[PIECES][64] PLACES     # pairs, see evaluate.py; Black's are negative
cdef u8[PIECES] PHASES

cdef int evaluate(Position* pos) noexcept nogil
cdef int phase(Position* pos) noexcept nogil

# Two scores in one number, so that one addition serves both.
cdef inline int middle(i32 pair) noexcept nogil:
    return <short>(pair & 0xFFFF)

cdef inline int end(i32 pair) noexcept nogil:
    return <short>((pair + 0x8000) >> 16)
