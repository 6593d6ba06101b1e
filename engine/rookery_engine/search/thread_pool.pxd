# Pool of search threads.

from rookery_engine.core.system cimport SystemThread
from rookery_engine.search.forced_scores cimport ForcedScores
from rookery_engine.search.thread cimport Signals, Thread
from rookery_engine.search.transposition cimport Table

cdef enum:
    MAX_POOL_THREADS = 512                  # threads

# The first thread is the searcher's own; helpers run only during a search.
ctypedef struct ThreadPool:
    Thread* threads[MAX_POOL_THREADS]
    SystemThread[MAX_POOL_THREADS] running
    int count
    int started                 # helpers that run
    Table table
    ForcedScores forced_scores
    Signals signals

cdef bint set_thread_count(ThreadPool* pool, int count) noexcept nogil
cdef void free_threads(ThreadPool* pool, int left) noexcept nogil
cdef void clear_histories(ThreadPool* pool) noexcept nogil
cdef void reset_counts(ThreadPool* pool) noexcept nogil
cdef void copy_root_to_helpers(ThreadPool* pool) noexcept nogil
cdef bint start_helper(ThreadPool* pool) noexcept nogil
cdef void end_helper_threads(ThreadPool* pool) noexcept nogil
cdef void* run_helper(void* argument) noexcept nogil
