# The board and how a move changes it.

from rookery_engine.core.attacks cimport (
    KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, rook_attacks,
)
from rookery_engine.core.types cimport (
    BISHOP, CASTLING, EN_PASSANT, KING, KNIGHT, NO_PIECE, NO_SQUARE, PAWN, PIECES, PROMOTION,
    QUEEN, ROOK, bit, from_square, kind, lowest, to_square, u8, u16, u64,
)

cdef enum:  # attacks by these men or lesser ones
    BY_PAWN
    BY_MINOR
    BY_ROOK
    BY_ANY

ctypedef struct Position:
    u64[6] types            # by type of piece, both colours
    u64[2] colours
    u64 castling            # the rooks that may still castle
    u64 key                 # Zobrist key
    u64 pawn_key            # of the pawns only
    u64[2] piece_keys       # of each side's other pieces only
    u64 checkers            # enemy pieces that attack the king of the side to move
    u8[64] board            # the piece on each square
    u8 side
    u8 en_passant           # set only if a pawn attacks it, else NO_SQUARE
    u16 rule50              # plies since the last capture or pawn move
    u16 reversible          # plies that could be repeated: as rule50, and 0 after a null move
    u16 number              # of the full move

cdef u64[PIECES][64] PIECE_KEYS
cdef u64[64] CASTLING_KEYS
cdef u64[8] EN_PASSANT_KEYS     # by file
cdef u64 SIDE_KEY

cdef void clear_board(Position* pos) noexcept nogil
cdef void put_piece(Position* pos, int square, int piece) noexcept nogil
cdef void remove_piece(Position* pos, int square) noexcept nogil
cdef void make_move(Position* before, Position* after, u16 move) noexcept nogil
cdef void make_null(Position* before, Position* after) noexcept nogil
cdef u64 fresh_key(Position* pos) noexcept nogil
cdef void set_keys(Position* pos) noexcept nogil
cdef u64 next_random(u64* seed) noexcept nogil
cdef u64 attacked_by(Position* pos, int side) noexcept nogil
cdef void find_attacks(Position* pos, int side, u64* attacked) noexcept nogil
cdef bint gives_check(Position* pos, u16 move) noexcept nogil
cdef bint insufficient_material(Position* pos) noexcept nogil
cdef void set_en_passant(Position* pos, int square) noexcept nogil
cdef void castle(Position* pos, int king, int rook) noexcept nogil

cdef inline u64 occupied(Position* pos) noexcept nogil:
    return pos.colours[0] | pos.colours[1]

cdef inline u64 men(Position* pos, int type, int side) noexcept nogil:
    return pos.types[type] & pos.colours[side]

cdef inline int king_square(Position* pos, int side) noexcept nogil:
    return lowest(pos.types[KING] & pos.colours[side])

# The pieces of both sides that attack a square, for a given occupation.
cdef inline u64 attackers(Position* pos, int square, u64 occupation) noexcept nogil:
    return (
        (PAWN_ATTACKS[0][square] & pos.types[PAWN] & pos.colours[1])
        | (PAWN_ATTACKS[1][square] & pos.types[PAWN] & pos.colours[0])
        | (KNIGHT_ATTACKS[square] & pos.types[KNIGHT])
        | (KING_ATTACKS[square] & pos.types[KING])
        | (bishop_attacks(square, occupation) & (pos.types[BISHOP] | pos.types[QUEEN]))
        | (rook_attacks(square, occupation) & (pos.types[ROOK] | pos.types[QUEEN]))
    )

# The enemy pieces that check the king of the side to move.
cdef inline u64 find_checkers(Position* pos) noexcept nogil:
    cdef int king = king_square(pos, pos.side)
    cdef u64 all = pos.colours[0] | pos.colours[1]
    return pos.colours[pos.side ^ 1] & (
        (PAWN_ATTACKS[pos.side][king] & pos.types[PAWN])
        | (KNIGHT_ATTACKS[king] & pos.types[KNIGHT])
        | (bishop_attacks(king, all) & (pos.types[BISHOP] | pos.types[QUEEN]))
        | (rook_attacks(king, all) & (pos.types[ROOK] | pos.types[QUEEN]))
    )

# The key of the position after most moves: castling and other rare changes are ignored.
cdef inline u64 expected_key(Position* pos, u16 move) noexcept nogil:
    cdef int origin = from_square(move)
    cdef int target = to_square(move)
    cdef u64* keys = PIECE_KEYS[pos.board[origin]]
    cdef u64 key = pos.key ^ SIDE_KEY ^ keys[origin] ^ keys[target]
    cdef int captured = pos.board[target]
    if captured != NO_PIECE:
        key ^= PIECE_KEYS[captured][target]
    if pos.en_passant != NO_SQUARE:
        key ^= EN_PASSANT_KEYS[pos.en_passant & 7]
    return key

# A capture or a promotion: a move that changes the material.
cdef inline bint is_noisy(Position* pos, u16 move) noexcept nogil:
    if kind(move) == CASTLING:
        return False
    return pos.board[to_square(move)] != NO_PIECE or kind(move) != 0

# The type of the piece that a move captures; NO_TYPE for none.
cdef inline int captured_type(Position* pos, u16 move) noexcept nogil:
    if kind(move) == EN_PASSANT:
        return PAWN
    if kind(move) == CASTLING:
        return NO_PIECE >> 1
    return pos.board[to_square(move)] >> 1

# Say whether the side has a piece besides king and pawns.
cdef inline bint has_pieces(Position* pos, int side) noexcept nogil:
    return (pos.colours[side] & ~(pos.types[PAWN] | pos.types[KING])) != 0

# The squares of king and rook after castling: the same in all of Chess960.
cdef inline int castled_king(int king, int rook) noexcept nogil:
    return (king & 56) + (6 if rook > king else 2)

cdef inline int castled_rook(int king, int rook) noexcept nogil:
    return (king & 56) + (5 if rook > king else 3)
