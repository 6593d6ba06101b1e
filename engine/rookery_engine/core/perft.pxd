# Counting leaves.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport u64

cdef u64 count_leaves(Position* pos, int depth, bint* halted) noexcept nogil
