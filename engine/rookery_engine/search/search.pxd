# The search.

from rookery_engine.search.node cimport Candidate, Node
from rookery_engine.search.thread cimport Thread

cdef int search(
    Thread* thread, int depth, int alpha, int beta, int ply, bint cut_node
) noexcept nogil
