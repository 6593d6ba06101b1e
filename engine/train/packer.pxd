# Games into samples; see packer.py.

from rookery_engine.core.types cimport u8
from train.piles cimport Piles

cdef enum:
    BIN = 10                    # centipawns of a bar of the histogram
    BARS = 601                  # from -3000 to 3000; what is beyond is in the outermost

cdef enum:                 # of a position
    KEPT
    CHECK
    NOISY
    UNSCORED
    MATE_SCORED
    BEYOND
    FATES

cdef class Packer(Piles):
    cdef long bound
    cdef long game_count
    cdef long cut_count
    cdef long[FATES] fates
    cdef long[3][BARS] bars     # positions by result and score

    cdef long read_game(self, const u8* data, long left) noexcept nogil
