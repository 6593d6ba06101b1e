# Counting leaves; see perft.py.

from rookery_engine.position cimport Position
from rookery_engine.types cimport u64

cdef u64 count_leaves(Position* pos, int depth, bint* halted) noexcept nogil
