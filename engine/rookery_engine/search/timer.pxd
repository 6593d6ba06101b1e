# Timer of a search.

from rookery_engine.core.types cimport i64, u64
from rookery_engine.search.thread cimport Signals

cdef class Timer:
    cdef object limits
    cdef object bounds          # in ms, or in nodes
    cdef object node_clock      # of the game
    cdef bint in_nodes          # the clock counts nodes
    cdef bint white             # it is White's clock
    cdef bint pondering
    cdef i64 started            # ns of the monotonic clock
    cdef i64 clock_from         # `started`, or when `ponderhit` came
    cdef u64 nodes_from         # nodes by then
    cdef u64 node_limit         # of `go nodes`, or of a weaker player

    cdef void start(self, object limits, object options, bint white)
    cdef void set_bounds(self, object options)
    cdef void limit_nodes(self, u64 nodes)
    cdef void set_deadline(self, Signals* signals)
    cdef void ponderhit(self, u64 nodes)
    cdef bint must_hold(self)
    cdef bint is_running(self)
    cdef bint is_late(self, u64 nodes, double factor)
    cdef void charge_nodes(self, u64 nodes)
