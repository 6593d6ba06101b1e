# Variations in reports.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport MAX_PLY, u16, u64
from rookery_engine.search.thread cimport Thread
from rookery_engine.search.transposition cimport Table

cdef enum:  # the state of a line after a move
    OVER                        # the game has ended
    REPEATED                    # the line has been here before
    GOES_ON

# A line that is made longer move by move, from the root on.
ctypedef struct Walk:
    Position here
    Position next
    u64* past                   # keys of the game before the root
    int past_count
    u64[MAX_PLY + 2] keys
    int length

# The search for the moves of a mate that the table has.
ctypedef struct Quest:
    Table* table
    int left                    # positions that may still be searched
    u16[MAX_PLY + 2] line
    u64[MAX_PLY + 3] keys       # of the positions in it

cdef void start_walk(Walk* walk, Thread* thread) noexcept nogil
cdef int step(Walk* walk, u16 move) noexcept nogil
cdef u16 known_move(Table* table, Position* pos) noexcept nogil
cdef bint is_checkmate(Position* pos) noexcept nogil
cdef bint find_mating_line(Quest* quest, Position* pos, int plies, int at) noexcept nogil
cdef bint try_reply(Quest* quest, Position* after, u16 move, int plies, int at) noexcept nogil
cdef bint is_new(Quest* quest, u64 key, int at) noexcept nogil
cdef bint is_mating(Quest* quest, Position* pos, int plies) noexcept nogil
cdef bint is_mated(Quest* quest, Position* pos, int plies) noexcept nogil
cdef int moves_of(Quest* quest, Position* pos, u16* moves) noexcept nogil
