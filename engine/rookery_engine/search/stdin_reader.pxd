# Reader of stdin.

from rookery_engine.search.thread cimport Signals

cdef enum:
    SIZE = 65536                # bytes read at once

cdef class StdinReader:
    cdef Signals* signals       # of the searcher, which has this
    cdef char[SIZE] bytes

cdef void end_search(Signals* signals) noexcept nogil
