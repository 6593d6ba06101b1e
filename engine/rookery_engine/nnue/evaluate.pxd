# Static evaluation of one position.

from rookery_engine.core.position cimport Position

cdef int evaluate(Position* pos, int bucket) noexcept nogil
cdef int full_score(Position* pos) noexcept nogil
