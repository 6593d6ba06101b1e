# Search of the root moves.

from rookery_engine.core.types cimport u16
from rookery_engine.search.thread cimport RootMove, Thread

ctypedef struct Window:
    int alpha
    int beta
    int failed_high             # times in a row: so many plies less deep
    int margin                  # by which it is made wider when the score is outside

cdef void prepare_root(Thread* thread, int static) noexcept nogil
cdef void add_root(Thread* thread, u16 move, int static) noexcept nogil
cdef void copy_root(Thread* source, Thread* target) noexcept nogil
cdef void open_roots(Thread* thread) noexcept nogil
cdef void renew_roots(Thread* thread, int first) noexcept nogil
cdef void sort_roots(Thread* thread, int first, int end) noexcept nogil
cdef void open_window(Thread* thread, int depth, int line, Window* window) noexcept nogil
cdef int try_window(Thread* thread, int depth, int line, Window* window) noexcept nogil
cdef int search_root(Thread* thread, int depth, int alpha, int beta) noexcept nogil
cdef void close_lines(Thread* thread) noexcept nogil
cdef void search_as_helper(Thread* thread) noexcept nogil
