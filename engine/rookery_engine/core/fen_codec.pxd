# Positions as text.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport u64

cdef int read(Position* pos, str fen, bint chess960) except -1
cdef str write(Position* pos, bint chess960)
cdef int _place(Position* pos, str placement) except -1
cdef int _give_rights(Position* pos, str castling) except -1
cdef str _castling_text(Position* pos, bint chess960)
