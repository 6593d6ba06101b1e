# Late move reductions.

from rookery_engine.search.node cimport Candidate, Node

cdef enum:
    MAX_REDUCED = 64            # depths and move numbers in the table of reductions
    PARTS = 1024                # of a ply, in which reductions are counted

cdef int[MAX_REDUCED][MAX_REDUCED] REDUCTIONS

cdef int reduced_plies(Node* node, Candidate* candidate) noexcept nogil

# The reduction of the move of that number in parts of a ply, by depth and number alone.
cdef inline int reduction(int depth, int number) noexcept nogil:
    return REDUCTIONS[min(depth, MAX_REDUCED - 1)][min(number, MAX_REDUCED - 1)]
