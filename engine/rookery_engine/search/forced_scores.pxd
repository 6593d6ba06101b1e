# Scores that the GUI gave to positions.

from rookery_engine.core.types cimport u64

ctypedef struct ForcedScore:
    u64 key                     # of the position; 0 is an empty slot
    int score                   # from White's side

ctypedef struct ForcedScores:
    ForcedScore* slots
    u64 size                    # a power of two, or 0
    u64 count

cdef bint set_score(ForcedScores* scores, u64 key, int score) noexcept nogil
cdef void remove_score(ForcedScores* scores, u64 key) noexcept nogil
cdef void clear_scores(ForcedScores* scores) noexcept nogil
cdef bint grow(ForcedScores* scores) noexcept nogil
cdef bint forced_score(ForcedScores* scores, u64 key, int side, int* score) noexcept nogil

cdef inline ForcedScore* slot(ForcedScores* scores, u64 key) noexcept nogil:
    cdef u64 index = key & (scores.size - 1)
    while scores.slots[index].key and scores.slots[index].key != key:
        index = (index + 1) & (scores.size - 1)
    return &scores.slots[index]
