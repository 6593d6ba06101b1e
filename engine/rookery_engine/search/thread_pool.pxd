# The threads that search together.

from rookery_engine.core.system cimport SystemThread
from rookery_engine.search.transposition cimport Table
from rookery_engine.search.thread cimport Signals, Thread
from rookery_engine.search.forced_scores cimport Values

cdef enum:
    MOST = 512                  # threads

# The first thread is the searcher's own; helpers run only during a search.
ctypedef struct Team:
    Thread* threads[MOST]
    SystemThread[MOST] running
    int count
    int started                 # helpers that run
    Table table
    Values values
    Signals signals

cdef bint recruit(Team* team, int count) noexcept nogil
cdef void dismiss(Team* team, int left) noexcept nogil
cdef void forget(Team* team) noexcept nogil
cdef void count_anew(Team* team) noexcept nogil
cdef void brief(Team* team) noexcept nogil
cdef bint start_next(Team* team) noexcept nogil
cdef void join(Team* team) noexcept nogil
cdef void* run_helper(void* argument) noexcept nogil
