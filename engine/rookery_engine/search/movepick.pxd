# Staged move picker.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport MAX_MOVES, i32, u16
from rookery_engine.search.history cimport History
from rookery_engine.search.thread cimport Frame, Thread
from rookery_engine.search.transposition cimport Table

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
    Table* table                # prefetched for the positions after the moves
    Frame* frame                # of the ply of the moves
    u16 hash_move
    int stage
    bint noisy_only
    bint skip_quiets            # may be set between two moves
    int best_score              # of the move picked last
    int next                    # index of the first move not yet picked
    int end
    int bad_end                 # losing captures are kept at the front
    u16[MAX_MOVES] moves
    i32[MAX_MOVES] scores

cdef void start_picker(
    Picker* picker, Thread* thread, int ply, u16 hash_move, bint noisy_only
) noexcept nogil
cdef u16 next_move(Picker* picker) noexcept nogil
cdef u16 best_left(Picker* picker) noexcept nogil
cdef void score_noisy(Picker* picker) noexcept nogil
cdef void score_quiets(Picker* picker) noexcept nogil
