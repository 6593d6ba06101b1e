# Static exchange evaluation; see see.py.

from rookery_engine.position cimport Position
from rookery_engine.types cimport u16

cdef int[7] EXCHANGE_VALUES     # by type; 0 for the king and for no piece

cdef bint wins_at_least(Position* pos, u16 move, int threshold) noexcept nogil
