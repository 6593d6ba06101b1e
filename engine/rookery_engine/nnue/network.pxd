# The network in use.

from rookery_engine.core.types cimport i16, i32, i64

cdef enum:
    KING_BUCKETS = 4            # sets of weights, by the place of a view's own king
    MEN_FEATURES = 768          # of each: 2 colours, 6 types, 64 squares
    FEATURES = KING_BUCKETS * MEN_FEATURES
    HIDDEN = 512                # neurons that each side's view has
    BUCKETS = 8                 # output layers, by the number of men
    CLIP = 255                  # where a neuron's value ends; stands for 1
    OUTPUT_ONE = 256            # what stands for 1 in the weights of the output
    SCALE = 140                 # units of the score (wdl.py) of an output of 1; see README
    MOST_MEN = 32
    MOST_OUTPUT = 127           # of an output weight, so that its product with CLIP fits 16 bits

# A row or a sum of rows.  C's `restrict` spares the loops a test for overlap.
cdef extern from *:
    """
    #include <stdint.h>
    typedef int16_t *__restrict network_row;
    """
    ctypedef i16* Row "network_row"

cdef i16[FEATURES][HIDDEN] WEIGHTS
cdef i16[HIDDEN] BIASES
cdef i16[BUCKETS][2][HIDDEN] OUTPUT         # first those of the side to move
cdef i32[BUCKETS] OUTPUT_BIASES

cdef int output(Row own, Row other, int bucket) noexcept nogil
cdef str overflow(const i16* numbers)

# The king bucket of a view whose own king stands there, on one of the files a to d: the corner or
# the middle of the first rank, the second rank, or beyond.
cdef inline int king_bucket(int square) noexcept nogil:
    if square >= 16:
        return 3
    if square >= 8:
        return 2
    return 1 if square & 2 else 0

# The output layer for so many men.
cdef inline int bucket_of(int men) noexcept nogil:
    return (men - 2) // 4
