# Sums of the first layer, kept from move to move.

from rookery_engine.core.position cimport Position, king_square
from rookery_engine.core.types cimport MAX_PLY, NO_MOVE, PIECES, i16, u8, u16, u64
from rookery_engine.nnue.network cimport (
    HIDDEN, KING_BUCKETS, MEN_FEATURES, WEIGHTS, Row, king_bucket
)

cdef enum:
    PLIES = MAX_PLY + 2
    MIRROR = 7                  # turns files e to h into d to a
    UPSIDE_DOWN = 56            # turns ranks likewise
    VIEWS = 2 * KING_BUCKETS    # of a side: its king bucket, mirrored or not

# The sums of the last refresh, and its men: the next refresh starts from them.
ctypedef struct Cached:
    i16[HIDDEN] sums
    u64[PIECES] men

# First the sums, so that they are aligned as the struct is.
ctypedef struct Accumulators:
    i16[PLIES][2][HIDDEN] sums  # by ply and side
    Cached[2][VIEWS] cached     # by side and view
    u16[PLIES] moves            # the move that led to this ply
    u8[PLIES] slots             # the ply whose sums this one has: after a null move an earlier
    u8[PLIES][2] known          # the sums have been computed

cdef void reset_accumulators(Accumulators* line) noexcept nogil
cdef int evaluate_ply(Accumulators* line, Position* positions, int ply) noexcept nogil
cdef void catch_up(Accumulators* line, Position* positions, int ply) noexcept nogil
cdef void update(Accumulators* line, Position* positions, int ply, int side) noexcept nogil
cdef bint changes_view(Position* before, u16 move, int side) noexcept nogil
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

# The view of a side whose king stands there: it sees itself as White with its king on the files a
# to d, by the weights of that king's bucket.
cdef inline int view_of(int king, int side) noexcept nogil:
    cdef int mirrored = 1 if king & 4 else 0
    return 2 * king_bucket(king ^ (UPSIDE_DOWN if side else 0) ^ mirrored * MIRROR) + mirrored

# The weights of a man in a side's view: first those of its own men.
cdef inline Row row(int piece, int square, int side, int view) noexcept nogil:
    cdef int seen = square ^ (UPSIDE_DOWN if side else 0) ^ (MIRROR if view & 1 else 0)
    cdef int man = 384 * ((piece & 1) ^ side) + 64 * (piece >> 1) + seen
    return &WEIGHTS[MEN_FEATURES * (view >> 1) + man][0]
