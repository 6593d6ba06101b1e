# The words all compiled modules share: integer types, colours, pieces, squares, moves.
#
# A header without a module: everything here is known at compile time.  Squares
# count a1 = 0, b1 = 1 ... h8 = 63, so bit n of a bitboard is square n.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef int8_t i8
ctypedef int16_t i16
ctypedef int32_t i32
ctypedef int64_t i64
ctypedef uint8_t u8
ctypedef uint16_t u16
ctypedef uint32_t u32
ctypedef uint64_t u64

cdef enum:
    WHITE
    BLACK

cdef enum:  # types of pieces
    PAWN
    KNIGHT
    BISHOP
    ROOK
    QUEEN
    KING
    NO_TYPE

cdef enum:  # a piece is 2 * type + colour
    NO_PIECE = 2 * NO_TYPE
    PIECES = 12

cdef enum:
    NO_SQUARE = 64

# A move is 16 bits: from, to << 6, promotion << 12 (knight is 0), kind << 14.
# Castling is written as king takes own rook, which serves Chess960 too.
cdef enum:
    NORMAL = 0
    PROMOTION = 1 << 14
    EN_PASSANT = 2 << 14
    CASTLING = 3 << 14
    KIND = 3 << 14
    NO_MOVE = 0
    MAX_MOVES = 256  # 250 is the most of 16 men: king and queens have 248, and may castle

# Scores are from the mover's side, in the units of wdl.py.  A mate in n plies is MATE - n.
cdef enum:
    DRAW = 0
    MATE = 32000
    INFINITE = 32001
    NO_SCORE = 32002
    MAX_PLY = 246  # depth 245, the deepest that Stockfish's UCI documents, plus the root
    MATE_BOUND = MATE - MAX_PLY  # scores beyond are mates
    TABLE_WIN = MATE_BOUND - 1  # a tablebase's win at the root; one in n plies is that less n
    WIN_BOUND = TABLE_WIN - MAX_PLY  # scores beyond are mates or tablebases' wins

cdef extern from *:
    int popcount "__builtin_popcountll"(u64 bits) noexcept nogil
    int lowest "__builtin_ctzll"(u64 bits) noexcept nogil
    int highest_zeros "__builtin_clzll"(u64 bits) noexcept nogil

cdef inline u64 bit(int square) noexcept nogil:
    return <u64>1 << square

# Masks are functions because an enum's constant is an int to Cython.
cdef inline u64 rank(int index) noexcept nogil:
    return <u64>0xFF << (8 * index)

cdef inline u64 file(int index) noexcept nogil:
    return <u64>0x0101010101010101 << index

cdef inline bint several(u64 bits) noexcept nogil:
    return (bits & (bits - 1)) != 0

cdef inline int from_square(u16 move) noexcept nogil:
    return move & 63

cdef inline int to_square(u16 move) noexcept nogil:
    return (move >> 6) & 63

cdef inline int promotion(u16 move) noexcept nogil:
    return KNIGHT + ((move >> 12) & 3)

cdef inline int kind(u16 move) noexcept nogil:
    return move & KIND
