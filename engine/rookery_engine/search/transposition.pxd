# The transposition table.

from rookery_engine.core.types cimport WIN_BOUND, i16, u8, u16, u64

cdef enum:  # the bound that a stored score is of the true one
    NO_BOUND
    UPPER
    LOWER
    EXACT

cdef enum:
    ENTRIES = 4                 # of a bucket: one cache line
    AGES = 32                   # searches after which an entry looks new again
    AGE_WORTH = 4               # plies of depth that an entry loses with each search
    KEEP_DEEPER = 4             # plies by which a known result must be deeper to be kept
    DEPTH_OFFSET = 2            # depths of the quiescence search are 0 and less
    SAMPLE = 250                # buckets counted for `hashfull`: 1000 entries

ctypedef struct Entry:
    u64 key                     # of the position, xor `data`
    u64 data                    # move, score, evaluation, depth, bound, PV and age

ctypedef struct Bucket:
    Entry[ENTRIES] entries

ctypedef struct Table:
    Bucket* buckets
    u64 count                   # of buckets
    u8 age                      # 0 to AGES - 1, one more for each search

# An entry of the table, unpacked.
ctypedef struct Found:
    u16 move
    int score
    int evaluation
    int depth
    int bound
    bint in_pv                  # it has been in a principal variation

cdef bint resize_table(Table* table, u64 mib) noexcept nogil
cdef void release_table(Table* table) noexcept nogil
cdef void clear_table(Table* table) noexcept nogil
cdef void next_age(Table* table) noexcept nogil
cdef bint probe(Table* table, u64 key, int ply, Found* found) noexcept nogil
cdef void store(
    Table* table, u64 key, int ply, u16 move, int score, int evaluation, int depth, int bound,
    bint in_pv
) noexcept nogil
cdef int worth(Table* table, u64 data) noexcept nogil
cdef int permill_full(Table* table) noexcept nogil

# Say whether a stored score is enough for this window.
cdef inline bint bound_proves(int bound, int score, int alpha, int beta) noexcept nogil:
    return (
        bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha)
    )

cdef extern from *:
    void prefetch "__builtin_prefetch"(void* address) noexcept nogil

# The bucket of a key: the key's upper half as a fraction of the table, so that
# any number of buckets will do, up to 2 ** 32 (256 GiB).
cdef inline Bucket* bucket(Table* table, u64 key) noexcept nogil:
    return &table.buckets[((key >> 32) * table.count) >> 32]

cdef inline void prefetch_bucket(Table* table, u64 key) noexcept nogil:
    prefetch(bucket(table, key))
