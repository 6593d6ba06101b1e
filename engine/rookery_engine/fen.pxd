# Positions as text; see fen.py.

from rookery_engine.position cimport Position
from rookery_engine.types cimport u64

cdef int read(Position* pos, str fen, bint chess960) except -1
cdef str write(Position* pos, bint chess960)
cdef int _place(Position* pos, str placement) except -1
cdef int _give_rights(Position* pos, str castling, bint chess960) except -1
cdef int _give_right(Position* pos, int side, int file, bint chess960) noexcept
cdef int _outermost_rook(Position* pos, int side, int step) noexcept
cdef int _pass_pawn(Position* pos, str square) except -1
cdef int _check(Position* pos) except -1
cdef str _castling_text(Position* pos, bint chess960)
