# Iterative deepening; see searcher.py.

from rookery_engine.board cimport Board
from rookery_engine.table cimport Table
from rookery_engine.thread cimport RootMove, Signals, Thread
from rookery_engine.types cimport i64, u16, u64

cdef class Searcher:
    cdef Table table
    cdef Signals signals
    cdef Thread* thread
    cdef Board board
    cdef object limits
    cdef object budget
    cdef object gate
    cdef object report
    cdef i64 started            # ns of the monotonic clock
    cdef i64 clock_from         # `started`, or when `ponderhit` came
    cdef bint pondering
    cdef int max_depth
    cdef int lines              # of multipv
    cdef int reached            # depth of the last finished iteration
    cdef int stable             # iterations for which the best move has been the same

    cdef void set_deadline(self)
    cdef void set_roots(self)
    cdef bint deepen(self)
    cdef int search_lines(self, int depth) except -1
    cdef int search_window(self, int depth, int line) except -1
    cdef void renew_root(self, RootMove* root) noexcept
    cdef void sort_roots(self, int first, int end) noexcept
    cdef bint is_enough(self, int drop)
    cdef void tell(self)
    cdef void tell_line(self, int depth, int line, str bound)
    cdef object ponder_move(self, RootMove* root)
