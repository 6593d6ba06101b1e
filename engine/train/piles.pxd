# Samples in memory; see piles.py.

from rookery_engine.core.types cimport u64
from train.sample cimport Sample

cdef enum:
    HELD_OUT = 64               # each so manieth game is for validation

cdef struct Pile:
    Sample* samples
    long count
    long room

cdef class Piles:
    cdef Pile[2] piles          # training, validation

cdef bint make_room(Pile* pile, long more) noexcept nogil
cdef void mix(Pile* pile, u64 seed) noexcept nogil
cdef void drop_seen(Pile* pile, u64* seen, u64 places) noexcept nogil
cdef u64 key_of(Sample* sample) noexcept nogil
