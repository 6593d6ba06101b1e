# A position to train on, and its features; see sample.py.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport KING, i16, lowest, popcount, u8, u16, u64
from rookery_engine.nnue.network cimport MEN_FEATURES, king_bucket

cdef enum:
    SAMPLE = 32                 # bytes
    MOST_MEN = 32

# As the side to move sees it: its men are white, and its first rank is the first.
ctypedef packed struct Sample:
    u64 occupied
    u8[16] pieces               # what stands on each occupied square, from a1 on, 4 bits each
    i16 score                   # of the side to move
    u8 result                   # half points of the side to move
    u8 king                     # squares of the two kings
    u8 enemy_king
    u8 men
    u8[2] spare

cdef extern from *:
    u64 turned "__builtin_bswap64"(u64 squares) noexcept nogil  # rank 1 becomes rank 8

cdef void make_sample(Position* pos, int score, int result, Sample* sample) noexcept nogil
cdef Sample* read_sample(bytes data) except NULL

# Say whether the bytes can be trained on.
cdef inline bint is_sound(Sample* sample) noexcept nogil:
    return (
        2 <= sample.men <= MOST_MEN and sample.men == popcount(sample.occupied)
        and sample.result <= 2 and sample.king < 64 and sample.enemy_king < 64
    )

# Write the features of both perspectives, the side to move's first; return how many each has.
cdef inline int features(Sample* sample, u16* ours, u16* theirs) noexcept nogil:
    cdef int our_flip = 7 if sample.king & 4 else 0
    cdef int their_flip = 56 ^ (7 if sample.enemy_king & 4 else 0)
    cdef int our_first = MEN_FEATURES * king_bucket(sample.king ^ our_flip)
    cdef int their_first = MEN_FEATURES * king_bucket(sample.enemy_king ^ their_flip)
    cdef u64 left = sample.occupied
    cdef int number = 0
    cdef int square, piece, kind
    while left and number < MOST_MEN:
        square = lowest(left)
        left &= left - 1
        piece = sample.pieces[number >> 1] >> (4 * (number & 1)) & 15
        kind = piece >> 1
        if kind > KING:
            kind = KING
        ours[number] = our_first + 384 * (piece & 1) + 64 * kind + (square ^ our_flip)
        theirs[number] = their_first + 384 * (1 - (piece & 1)) + 64 * kind + (square ^ their_flip)
        number += 1
    return number
