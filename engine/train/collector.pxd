# Self-play that collects positions; see collector.py.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport MAX_MOVES, u16, u64
from rookery_engine.search.searcher cimport Searcher
from rookery_engine.search.thread cimport Thread, Watch
from train.piles cimport Pile, Piles

# What the search's callback needs; it may touch no object of Python.
cdef struct Sampling:
    Watch watch
    Thread* thread
    Pile* pile
    u64 random                  # state of the generator
    u64 nodes                   # of each search
    u64 every                   # nodes, in the mean
    u64 last_node               # of this search; the thread counts those of all searches
    u64 next_sample             # likewise
    bint full                   # there was no memory for a sample

cdef class Collector(Piles):
    cdef Searcher searcher      # owns the thread
    cdef Sampling sampling
    cdef readonly long games

cdef void play_game(Sampling* sampling, Position* pos) noexcept nogil
cdef int search_position(Sampling* sampling, u16* moves, int count) noexcept nogil
cdef void on_tick(void* owner) noexcept nogil
cdef void count_down(Sampling* sampling) noexcept nogil
