"""The threads that search together: memory for each, and helpers while a search runs.

Helpers search the same position by themselves, and share the table with the first
thread ("Lazy SMP", see the chess programming wiki): each finds out there what the
others know already, and so all get deeper.  They are threads of the system that
never need the GIL.

Only the first thread's result counts.  So the lines that were told and the best move
always agree, and a `depth` means what it says; a vote would gain little with few
threads.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.rookery_engine.core.system import join_thread, reserve, start_thread, unreserve
from cython.cimports.rookery_engine.search.root import copy_root, help_out
from cython.cimports.rookery_engine.search.thread import Thread


def recruit(team, count):
    """Have so many threads; False, and as many as before, if memory lacks."""
    before = team.count
    while team.count < count:
        thread = cython.cast(cython.pointer[Thread], reserve(cython.sizeof(Thread)))
        if thread == cython.NULL:
            dismiss(team, before)
            return False
        thread.table = cython.address(team.table)
        thread.values = cython.address(team.values)
        thread.signals = cython.address(team.signals)
        team.threads[team.count] = thread
        if team.count:
            team.threads[team.count - 1].next = thread
        team.count += 1
    dismiss(team, count)
    team.signals.threads = team.count
    return True


def dismiss(team, left):
    """Free the memory of all threads but the first few."""
    while team.count > left:
        team.count -= 1
        unreserve(team.threads[team.count], cython.sizeof(Thread))
    if left:
        team.threads[left - 1].next = cython.NULL


def forget(team):
    """Forget what the threads have learnt about moves."""
    for index in range(team.count):
        history = cython.address(team.threads[index].history)
        memset(history, 0, cython.sizeof(team.threads[index].history))


def count_anew(team):
    """Let all count from nothing again."""
    for index in range(team.count):
        team.threads[index].nodes = 0
        team.threads[index].tbhits = 0


def brief(team):
    """Tell the helpers, before any starts, what the first thread has been given to search."""
    team.started = 0
    for index in range(1, team.count):
        copy_root(team.threads[0], team.threads[index])


def start_next(team):
    """Start the next helper; False if the system has no more threads."""
    place = cython.address(team.running[team.started])
    if not start_thread(place, run_helper, team.threads[team.started + 1]):
        return False
    team.started += 1
    return True


def join(team):
    """End the helpers, and return when they have ended."""
    team.signals.stop = True
    while team.started:
        team.started -= 1
        join_thread(team.running[team.started])


def run_helper(argument):
    """Be a thread of the system."""
    help_out(cython.cast(cython.pointer[Thread], argument))
    return cython.NULL
