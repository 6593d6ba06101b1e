# The static evaluation; see evaluate.py.

from rookery_engine.position cimport Position

cdef int evaluate(Position* pos, int bucket) noexcept nogil
