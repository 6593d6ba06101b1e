# What a weaker player sees.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport MATE_BOUND, i16, u16, u64

cdef enum:
    CHANCES = 1024              # what probabilities are counted in
    OVERLOOKED = 2000           # units of wdl.py: worse than to lose the queen

# All zeros is full strength: nothing here is asked then.
ctypedef struct Sight:
    bint limited
    int blindness               # chances that a quiet move, just ahead, is not seen
    int wavering                # units of wdl.py
    u64 seed                    # of this search
    i16[6][64] tastes           # errors of judgement by type and square, from White's side

cdef void dim(Sight* sight, u64 seed, int blindness, int misjudgement, int wavering) noexcept nogil
cdef bint overlooks(Sight* sight, Position* pos, u16 move, u16 last, int ply) noexcept nogil
cdef int effort(Position* pos, u16 move, u16 last) noexcept nogil
cdef int misjudgement(Sight* sight, Position* pos) noexcept nogil
cdef int liking(Sight* sight, Position* pos, u16 move, u16 last) noexcept nogil
cdef u64 draw(Sight* sight, Position* pos, u16 move, int purpose) noexcept nogil

# A score by how a move is liked, or the other way with `-liking`.  Mates are no
# matter of taste.
cdef inline int liked(int score, int liking) noexcept nogil:
    if score >= MATE_BOUND or score <= -MATE_BOUND:
        return score
    score += liking
    if score >= MATE_BOUND:
        return MATE_BOUND - 1
    if score <= -MATE_BOUND:
        return 1 - MATE_BOUND
    return score
