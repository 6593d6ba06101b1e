# Positions as text.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport u64

cdef int read_fen(Position* pos, str fen, bint chess960) except -1
cdef str write_fen(Position* pos, bint chess960)
cdef int _place_pieces(Position* pos, str placement) except -1
cdef int _set_castling_rights(Position* pos, str castling) except -1
cdef str _castling_text(Position* pos, bint chess960)
