# Tablebases in the search.

from rookery_engine.core.types cimport u16
from rookery_engine.search.thread cimport RootMove, Thread

cdef enum:  # the kind of table that ranked the root moves
    UNRANKED
    BY_WDL
    BY_DTZ

cdef int probe_in_tree(Thread* thread, int depth, int ply, int* score) noexcept nogil
cdef void rank_roots(Thread* thread, bint best_only) noexcept nogil
cdef int rank_by_tables(Thread* thread) noexcept nogil
cdef int reported_score(Thread* thread, RootMove* root, int score) noexcept nogil
cdef int rank_by_dtz(Thread* thread, u16 move, int least, int* ok) noexcept nogil
cdef int rank_by_wdl(Thread* thread, u16 move, int* ok) noexcept nogil
cdef bint ends_in_draw(Thread* thread) noexcept nogil
cdef int rank_of_dtz(int dtz, int least, int rule50) noexcept nogil
cdef int score_of(int rank, bint rule50) noexcept nogil
cdef void sort_by_rank(Thread* thread) noexcept nogil
