# One search from `go` to its best move; see searcher.py.

from rookery_engine.board cimport Board
from rookery_engine.input cimport Input
from rookery_engine.report cimport Report
from rookery_engine.syzygy cimport Prober
from rookery_engine.table cimport Table
from rookery_engine.team cimport Team
from rookery_engine.thread cimport Thread, Watch
from rookery_engine.types cimport i64, u64

cdef class Searcher:
    cdef Team* team
    cdef Watch watch
    cdef readonly Input input   # reads what the GUI says
    cdef Table sketch           # the table of searches with limited strength
    cdef object strength        # what limits it, or None
    cdef u64 seed               # of the game: what a weaker player overlooks in it
    cdef Prober prober          # None: no tablebases
    cdef list places            # of the threads; empty: anywhere
    cdef object faults          # of their files, as far as told
    cdef Board board
    cdef Report report
    cdef object limits
    cdef object budget
    cdef object node_clock
    cdef object gate
    cdef i64 started            # ns of the monotonic clock
    cdef i64 clock_from         # `started`, or when `ponderhit` came
    cdef u64 nodes_from         # nodes by then
    cdef u64 node_limit         # of `go nodes`
    cdef bint in_nodes          # the clock counts nodes
    cdef bint analyses          # as UCI_AnalyseMode asks
    cdef bint pondering
    cdef int max_depth
    cdef int lines              # of multipv
    cdef int reached            # depth of the last finished iteration
    cdef int stable             # iterations for which the best move has been the same
    cdef int refuted            # mates in so many moves are known not to exist

    cdef void set_deadline(self)
    cdef void set_probing(self, object options)
    cdef void set_sight(self) except *
    cdef void set_nodes(self, int depth)
    cdef void set_roots(self)
    cdef bint deepen(self)
    cdef int search_lines(self, int depth) except -1
    cdef bint is_enough(self, int drop)
    cdef bint seek_mate(self)
    cdef void start_helpers(self)
    cdef void tell_faults(self)

cdef void on_tick(void* owner) noexcept nogil
cdef void on_current(void* owner, int depth, int index) noexcept nogil
