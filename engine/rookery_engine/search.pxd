# The search; see search.py.

from rookery_engine.thread cimport Thread
from rookery_engine.types cimport u16

cdef enum:
    MAX_REDUCED = 64            # depths and move numbers in the table of reductions

cdef int[MAX_REDUCED][MAX_REDUCED] REDUCTIONS

cdef int search_root(Thread* thread, int depth, int alpha, int beta) noexcept nogil
cdef int search(
    Thread* thread, int depth, int alpha, int beta, int ply, bint cut_node
) noexcept nogil
cdef int prob_cut(
    Thread* thread, int depth, int beta, u16 hash_move, int ply, bint cut_node
) noexcept nogil
cdef int null_move(Thread* thread, int depth, int beta, int evaluation, int ply, bint cut_node) noexcept nogil
cdef int reduction(int depth, int number) noexcept nogil
