# The network in use.

from rookery_engine.core.types cimport i16, i32, i64, u64

cdef enum:
    KING_BUCKETS = 4            # sets of weights, by the place of a view's own king
    MEN_FEATURES = 768          # of each: 2 colours, 6 types, 64 squares
    FEATURES = KING_BUCKETS * MEN_FEATURES
    HIDDEN = 512                # neurons that each side's view has
    BUCKETS = 8                 # sets of the later layers, by the number of men
    NEURONS = 8                 # of the second layer; the first is the linear part of the output
    MIXED = NEURONS - 1         # neurons that the output is a sum of, besides that part
    INPUTS = 2 * HIDDEN         # of the second layer: the side to move's, then the other's
    CLIP = 255                  # where a neuron of the first layer ends; stands for 1
    INPUT_ONE = 254             # what stands for 1 in an input of the second layer
    LAYER_ONE = 256             # ... in one of its weights
    SUM_ONE = INPUT_ONE * LAYER_ONE  # ... in one of its neurons
    FINE_ONE = SUM_ONE >> 4     # ... in a neuron once clipped
    MIX_ONE = 16 * 16           # ... in a weight of the output: so FINE_ONE^2 * MIX_ONE = SUM_ONE^2
    SCALE = 140                 # units of the score (wdl.py) of an output of 1; see README
    MOST_MEN = 32
    MOST_BIAS = 1 << 29         # of the second layer, so that its sums fit 32 bits

# A row or a sum of rows.  C's `restrict` spares the loops a test for overlap.
cdef extern from *:
    """
    #include <stdint.h>
    typedef int16_t *__restrict network_row;
    /* Some processors multiply bytes and add the products in one instruction; others do so with 16
       bits. The numbers are the same. */
    #ifdef __AVX512VNNI__
    typedef uint8_t network_input;
    typedef int8_t network_weight;
    #else
    typedef int16_t network_input, network_weight;
    #endif
    """
    ctypedef i16* Row "network_row"
    ctypedef i16 Input "network_input"
    ctypedef i16 Weight "network_weight"

cdef i16[FEATURES][HIDDEN] WEIGHTS
cdef i16[HIDDEN] BIASES
cdef Weight[BUCKETS][NEURONS][INPUTS] LAYER
cdef i32[BUCKETS][NEURONS] LAYER_BIASES
cdef i16[BUCKETS][MIXED][2] MIX             # of a neuron, and of its square

cdef u64 NETWORK_NUMBER                     # another with each network

cdef int output(Row own, Row other, int bucket) noexcept nogil
cdef void activate(Row sums, Input* inputs) noexcept nogil
cdef str overflow(const char* numbers_only)
cdef bytes raw(const void* numbers, Py_ssize_t size)

# The king bucket of a view whose own king stands there, on one of the files a to d: the corner or
# the middle of the first rank, the second rank, or beyond.
cdef inline int king_bucket(int square) noexcept nogil:
    if square >= 16:
        return 3
    if square >= 8:
        return 2
    return 1 if square & 2 else 0

# The set of later layers for so many men.
cdef inline int bucket_of(int men) noexcept nogil:
    return (men - 2) // 4
