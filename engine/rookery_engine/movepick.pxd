# One move after the other, the most promising first; see movepick.py.

from rookery_engine.history cimport History
from rookery_engine.position cimport Position
from rookery_engine.types cimport MAX_MOVES, i16, i32, u16

cdef enum:  # stages
    HASH_MOVE
    GENERATE_NOISY
    GOOD_NOISY
    GENERATE_QUIET
    QUIETS
    BAD_NOISY

ctypedef struct Picker:
    Position* pos
    History* history
    i16* reply                  # rows of `History.after`: to the opponent's last move,
    i16* sequel                 # and to our own before it
    u16 hash_move
    u16[2] killers
    int stage
    bint noisy_only
    bint skip_quiets            # may be set between two moves
    int next                    # index of the first move not yet picked
    int end
    int bad_end                 # losing captures are kept at the front
    u16[MAX_MOVES] moves
    i32[MAX_MOVES] scores

cdef void begin(
    Picker* picker, Position* pos, History* history, i16* reply, i16* sequel,
    u16 hash_move, u16* killers, bint noisy_only
) noexcept nogil
cdef u16 next_move(Picker* picker) noexcept nogil
cdef u16 best_left(Picker* picker) noexcept nogil
cdef void score_noisy(Picker* picker) noexcept nogil
cdef void score_quiets(Picker* picker) noexcept nogil
