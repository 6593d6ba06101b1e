# What moves have done lately; see history.py.

from rookery_engine.position cimport Position
from rookery_engine.types cimport PIECES, from_square, i16, to_square, u16

cdef enum:
    HIGHEST = 16384             # of any history score, either way
    AFTER_NONE = PIECES * 64    # the row of moves that follow no move

ctypedef struct History:
    i16[2][64][64] quiet                        # by side, from, to
    i16[PIECES][64][8] capture                   # by piece, to, type captured
    i16[PIECES * 64 + 1][PIECES * 64] after     # by piece and square of an earlier move, and ours

cdef void adjust(i16* score, int bonus) noexcept nogil
cdef int bonus_for(int depth) noexcept nogil

# The column of a move in `after`, and the row of those that follow it.
cdef inline int column(Position* pos, u16 move) noexcept nogil:
    return pos.board[from_square(move)] * 64 + to_square(move)
