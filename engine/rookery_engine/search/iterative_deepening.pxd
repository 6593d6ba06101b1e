# Iterative deepening.

from rookery_engine.core.types cimport u64
from rookery_engine.search.report cimport Report
from rookery_engine.search.thread_pool cimport ThreadPool
from rookery_engine.search.timer cimport Timer

cdef class Iterations:
    cdef ThreadPool* pool
    cdef Report report
    cdef Timer timer
    cdef object limits
    cdef object handicap        # None is full strength
    cdef bint analyses          # UCI_AnalyseMode is on
    cdef int max_depth
    cdef int lines              # of multipv
    cdef int reached            # depth of the last finished iteration
    cdef int stable             # iterations for which the best move has been the same
    cdef double urgency         # times the soft bound, by the last finished iteration
    cdef bint[2] refuted        # there is no mate that is suffered, or given

    cdef bint deepen(self)
    cdef void set_nodes(self, int depth)
    cdef int search_lines(self, int depth) except -1
    cdef bint is_enough(self, int drop)
    cdef bint is_time(self)
    cdef bint search_mate(self, u64 nodes)
    cdef void put_first(self, int place)
