# Sums of the first layer, kept from move to move.

from rookery_engine.core.position cimport Position, king_square
from rookery_engine.core.types cimport MAX_PLY, NO_MOVE, PIECES, i16, u8, u16, u64
from rookery_engine.nnue.network cimport HIDDEN, WEIGHTS, Row

cdef enum:
    PLIES = MAX_PLY + 2
    MIRROR = 7                  # turns files e to h into d to a
    UPSIDE_DOWN = 56            # turns ranks likewise

# The sums of the last refresh, and its men: the next refresh starts from them.
ctypedef struct Cached:
    i16[HIDDEN] sums
    u64[PIECES] men

# First the sums, so that they are aligned as the struct is.
ctypedef struct Accumulators:
    i16[PLIES][2][HIDDEN] sums  # by ply and side
    Cached[2][2] cached         # by side, and whether its view is mirrored
    u16[PLIES] moves            # the move that led to this ply
    u8[PLIES] slots             # the ply whose sums this one has: after a null move an earlier
    u8[PLIES][2] known          # the sums have been computed

cdef void reset_accumulators(Accumulators* line) noexcept nogil
cdef int evaluate_ply(Accumulators* line, Position* positions, int ply) noexcept nogil
cdef void catch_up(Accumulators* line, Position* positions, int ply) noexcept nogil
cdef void update(Accumulators* line, Position* positions, int ply, int side) noexcept nogil
cdef bint mirrors(Position* before, u16 move, int side) noexcept nogil
cdef void apply(Accumulators* line, Position* positions, int ply, int side) noexcept nogil
cdef void refresh(Accumulators* line, Position* pos, int ply, int side) noexcept nogil
cdef void fill(Position* pos, int side, Row sums) noexcept nogil
cdef void add(Row to, Row added) noexcept nogil
cdef void sub(Row to, Row taken) noexcept nogil
cdef void add_sub(Row to, Row start, Row added, Row taken) noexcept nogil
cdef void add_sub_sub(Row to, Row start, Row added, Row taken, Row also) noexcept nogil
cdef void add_add_sub_sub(
    Row to, Row start, Row added, Row also_added, Row taken, Row also
) noexcept nogil
cdef bint is_sound(Accumulators* line, Position* positions) noexcept nogil

# Record a move, or a null move, from `ply` to the next: the whole cost of making one.
cdef inline void record_move(Accumulators* line, int ply, u16 move) noexcept nogil:
    if move == NO_MOVE:
        line.slots[ply + 1] = line.slots[ply]
    else:
        line.slots[ply + 1] = ply + 1
        line.moves[ply + 1] = move
        line.known[ply + 1][0] = line.known[ply + 1][1] = False

# The mask that turns a square so that a side sees itself as White with its king on files a to d.
cdef inline int turning(Position* pos, int side) noexcept nogil:
    return (UPSIDE_DOWN if side else 0) ^ (MIRROR if king_square(pos, side) & 4 else 0)

# The weights of a man in a side's view: first those of its own men.
cdef inline Row row(int piece, int square, int side, int turn) noexcept nogil:
    return &WEIGHTS[384 * ((piece & 1) ^ side) + 64 * (piece >> 1) + (square ^ turn)][0]
