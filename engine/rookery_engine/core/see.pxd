# Static exchange evaluation.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport u16

cdef int[7] EXCHANGE_VALUES     # by type; 0 for the king and for no piece

cdef bint see_ge(Position* pos, u16 move, int threshold) noexcept nogil
