# Games into samples; see packer.py.

from rookery_engine.core.types cimport u8, u64
from train.sample cimport Sample

cdef enum:
    BIN = 10                    # centipawns of a bar of the histogram
    BARS = 601                  # from -3000 to 3000; what is beyond is in the outermost
    HELD_OUT = 64               # each so manieth game is for validation

cdef enum:                 # of a position
    KEPT
    CHECK
    NOISY
    UNSCORED
    MATE_SCORED
    BEYOND
    FATES

cdef struct Pile:
    Sample* samples
    long count
    long room

cdef class Packer:
    cdef Pile[2] piles          # training, validation
    cdef long bound
    cdef long game_count
    cdef long cut_count
    cdef long[FATES] fates
    cdef long[3][BARS] bars     # positions by result and score

    cdef long read_game(self, const u8* data, long left) noexcept nogil

cdef bint make_room(Pile* pile, long more) noexcept nogil
cdef void mix(Pile* pile, u64 seed) noexcept nogil
