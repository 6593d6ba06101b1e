# The network in floats, and how it learns; see trainer.py.

from libc.math cimport fmaxf, fminf
from rookery_engine.nnue.network cimport (
    BUCKETS, FEATURES, HIDDEN, INPUTS, KING_BUCKETS, MIXED, NEURONS
)
from rookery_engine.core.types cimport i16, u8, u16, u32, u64
from train.sample cimport Sample

cdef enum:
    # The places of the parameters in one row of floats; the network file has this order too.
    BIASES = FEATURES * HIDDEN
    LAYER = BIASES + HIDDEN
    LAYER_BIASES = LAYER + BUCKETS * NEURONS * INPUTS
    MIX = LAYER_BIASES + BUCKETS * NEURONS
    PARAMETERS = MIX + BUCKETS * MIXED * 2
    BLOCK = 64                  # samples that stay together
    MOST_THREADS = 64

ctypedef float[INPUTS] Inputs
ctypedef u16[32] Men

# The targets of samples.
cdef struct Aim:
    float wdl                   # share of the game's result in the target
    float score_scale           # what turns a score into a logit

cdef class Trainer:
    cdef readonly int threads
    cdef float* weights
    cdef float* means           # Adam's
    cdef float* squares
    cdef float* gradients[MOST_THREADS]
    cdef Aim aim
    cdef u32* order             # of blocks
    cdef long blocks
    cdef long offset            # where the first block begins
    cdef const u8[::1] data
    cdef long count             # samples
    cdef Sample* sample(self, long number) noexcept nogil

cdef inline float clamped(float value) noexcept nogil:
    return fminf(fmaxf(value, 0), 1)

# The values of a network for a sample.
ctypedef struct Values:
    int bucket
    int men
    Men ours                    # features
    Men theirs
    Inputs sums                 # of the first layer: the side to move's, the other's
    Inputs inputs               # of the second layer
    float[NEURONS] neurons      # of it, before clipping
    float output

cdef void infer(const float* weights, Sample* sample, Values* values) noexcept nogil
cdef double descend(
    const float* weights, float* gradient, Sample* sample, Aim* aim, float share
) noexcept nogil
cdef float target(Sample* sample, Aim* aim) noexcept nogil
cdef void bound(float* weights, long first, long last, float most) noexcept nogil
cdef void add_rows(float* sums, const float* weights, u16* men, int count) noexcept nogil
cdef void spread(float* gradient, const float* by, u16* men, int count) noexcept nogil
