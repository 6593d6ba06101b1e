# Attacks of the pieces.

from rookery_engine.core.types cimport BLACK, WHITE, u8, u64

cdef enum:
    ROOK_FIRST = 0      # the first of the rook's four directions, and the bishop's
    BISHOP_FIRST = 4

ctypedef struct Magic:
    u64 mask        # the squares whose occupation matters
    u64 factor
    u64* attacks    # 1 << (64 - shift) sets
    int shift

cdef Magic[64] BISHOP_MAGIC
cdef Magic[64] ROOK_MAGIC
cdef u64[5248] BISHOP_SETS      # sum over squares of 2 ** relevant squares
cdef u64[102400] ROOK_SETS
cdef u64[64] KNIGHT_ATTACKS
cdef u64[64] KING_ATTACKS
cdef u64[2][64] PAWN_ATTACKS    # by colour of the pawn
cdef int[8] RANK_STEPS
cdef int[8] FILE_STEPS
cdef u64[8][64] RAYS            # the empty-board ray in each direction
cdef u64[64] FILES              # the file, and the two diagonals, through a square
cdef u64[64] DIAGONALS
cdef u64[64] ANTIDIAGONALS
cdef u64[64][64] BETWEEN        # squares strictly between; 0 if not on one line
cdef u64[64][64] LINE           # the whole line through both; 0 if there is none

cdef inline u64 bishop_attacks(int square, u64 occupied) noexcept nogil:
    cdef Magic* magic = &BISHOP_MAGIC[square]
    return magic.attacks[((occupied & magic.mask) * magic.factor) >> magic.shift]

cdef inline u64 rook_attacks(int square, u64 occupied) noexcept nogil:
    cdef Magic* magic = &ROOK_MAGIC[square]
    return magic.attacks[((occupied & magic.mask) * magic.factor) >> magic.shift]

# Shifts that go either way: `forward` turns bits by one rank towards the
# enemy.  What falls off one end comes in at the other, which callers mask.
cdef inline u64 turn(u64 bits, int by) noexcept nogil:
    return (bits << (by & 63)) | (bits >> (-by & 63))

cdef inline u64 forward(u64 bits, int side) noexcept nogil:
    return turn(bits, 8 if side == WHITE else -8)

cdef void set_leapers(int square) noexcept nogil
cdef void set_rays(int square) noexcept nogil
cdef void set_magic(Magic* magic, int square, u64 factor, u64* sets, int first) noexcept nogil
cdef void set_lines(int square) noexcept nogil
cdef u64 ray_attacks(int square, int direction, u64 occupied) noexcept nogil
cdef u64 slide(int square, int first, u64 occupied) noexcept nogil
cdef u64 step(int square, int ranks, int files) noexcept nogil
