# One search from `go` to its best move.

from rookery_engine.core.board cimport Board
from rookery_engine.core.types cimport u64
from rookery_engine.search.iterative_deepening cimport Iterations
from rookery_engine.search.report cimport Report
from rookery_engine.search.stdin_reader cimport StdinReader
from rookery_engine.search.thread cimport Watch
from rookery_engine.search.thread_pool cimport ThreadPool
from rookery_engine.search.timer cimport Timer
from rookery_engine.search.transposition cimport Table
from rookery_engine.syzygy.probing cimport Prober

cdef class Searcher:
    cdef ThreadPool* pool
    cdef Watch watch
    cdef readonly StdinReader stdin_reader  # reads the GUI's commands
    cdef Table weak_table       # the table of searches with limited strength
    cdef object handicap        # None is full strength
    cdef u64 seed               # of the game: a weaker player overlooks moves by it
    cdef Prober prober          # None: no tablebases
    cdef list places            # of the threads; empty: anywhere
    cdef object free            # the processors of the first outside a search
    cdef object faults          # of their files that have been reported
    cdef Board board
    cdef Report report
    cdef object limits
    cdef Timer timer
    cdef Iterations iterations
    cdef object latch

    cdef void set_probing(self, object options)
    cdef void set_weakness(self) except *
    cdef void set_roots(self)
    cdef void start_helpers(self)
    cdef void end_helpers(self)
    cdef void report_table_faults(self)

cdef void on_tick(void* owner) noexcept nogil
cdef void on_current(void* owner, int depth, int index) noexcept nogil
