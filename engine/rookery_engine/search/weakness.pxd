# Weaknesses of a weaker player.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport MATE_BOUND, i16, u16, u64

cdef enum:
    CHANCES = 1024              # the unit of probabilities
    OVERLOOKED = 2000           # units of wdl.py: worse than to lose the queen

# All zeros is full strength: nothing here is called then.
ctypedef struct Weakness:
    bint limited
    int blindness               # chances that a quiet move, just ahead, is not seen
    int wavering                # units of wdl.py
    u64 seed                    # of this search
    i16[6][64] errors           # errors of judgement by type and square, from White's side

cdef void set_up_weakness(Weakness* weakness, u64 seed, int blindness, int misjudgement, int wavering) noexcept nogil
cdef bint overlooks(Weakness* weakness, Position* pos, u16 move, u16 last, int ply) noexcept nogil
cdef int difficulty(Position* pos, u16 move, u16 last) noexcept nogil
cdef int misjudgement(Weakness* weakness, Position* pos) noexcept nogil
cdef int preference(Weakness* weakness, Position* pos, u16 move, u16 last) noexcept nogil
cdef u64 drawn_number(Weakness* weakness, Position* pos, u16 move, int purpose) noexcept nogil

# Add a preference for a move to its score, or take it off with `-preference`.  Mates are left
# alone.
cdef inline int add_preference(int score, int preference) noexcept nogil:
    if score >= MATE_BOUND or score <= -MATE_BOUND:
        return score
    score += preference
    if score >= MATE_BOUND:
        return MATE_BOUND - 1
    if score <= -MATE_BOUND:
        return 1 - MATE_BOUND
    return score
