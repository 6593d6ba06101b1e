# The search; see search.py.

from rookery_engine.node cimport Candidate, Node
from rookery_engine.thread cimport Thread

cdef int search(
    Thread* thread, int depth, int alpha, int beta, int ply, bint cut_node
) noexcept nogil
