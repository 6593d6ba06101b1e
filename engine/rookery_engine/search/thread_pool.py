"""Pool of search threads: memory for each, and helpers while a search runs.

Helpers search the same position by themselves, and share the table with the first
thread ("Lazy SMP", see the chess programming wiki): each finds the results of the
others there, and so all get deeper.  They are threads of the system that
never need the GIL.

Only the first thread's result counts.  So the reported lines and the best move
always agree, and a `depth` is exact; a vote would gain little with few
threads.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.rookery_engine.core.system import join_thread, reserve, start_thread, unreserve
from cython.cimports.rookery_engine.search.root import copy_root, search_as_helper
from cython.cimports.rookery_engine.search.thread import Thread


def set_thread_count(pool, count):
    """Set the number of threads; False, and as many as before, if memory lacks."""
    before = pool.count
    while pool.count < count:
        thread = cython.cast(cython.pointer[Thread], reserve(cython.sizeof(Thread)))
        if thread == cython.NULL:
            free_threads(pool, before)
            return False
        thread.table = cython.address(pool.table)
        thread.forced_scores = cython.address(pool.forced_scores)
        thread.signals = cython.address(pool.signals)
        pool.threads[pool.count] = thread
        if pool.count:
            pool.threads[pool.count - 1].next = thread
        pool.count += 1
    free_threads(pool, count)
    pool.signals.threads = pool.count
    return True


def free_threads(pool, left):
    """Free the memory of all threads but the first few."""
    while pool.count > left:
        pool.count -= 1
        unreserve(pool.threads[pool.count], cython.sizeof(Thread))
    if left:
        pool.threads[left - 1].next = cython.NULL


def clear_histories(pool):
    """Clear the histories of all threads."""
    for index in range(pool.count):
        history = cython.address(pool.threads[index].history)
        memset(history, 0, cython.sizeof(pool.threads[index].history))


def reset_counts(pool):
    """Reset the counts of all threads."""
    for index in range(pool.count):
        pool.threads[index].nodes = 0
        pool.threads[index].tbhits = 0


def copy_root_to_helpers(pool):
    """Copy the root of the first thread to the helpers, before any starts."""
    pool.started = 0
    for index in range(1, pool.count):
        copy_root(pool.threads[0], pool.threads[index])


def start_helper(pool):
    """Start the next helper; False if the system has no more threads."""
    place = cython.address(pool.running[pool.started])
    if not start_thread(place, run_helper, pool.threads[pool.started + 1]):
        return False
    pool.started += 1
    return True


def end_helper_threads(pool):
    """Stop the helpers, and return when they have ended."""
    pool.signals.stop = True
    while pool.started:
        pool.started -= 1
        join_thread(pool.running[pool.started])


def run_helper(argument):
    """Search in a thread of the system."""
    search_as_helper(cython.cast(cython.pointer[Thread], argument))
    return cython.NULL
