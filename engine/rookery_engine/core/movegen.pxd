# Legal moves.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport PROMOTION, lowest, u16, u64

cdef enum:  # the moves to generate, as bits
    NOISY = 1       # captures and promotions
    QUIET = 2       # all others
    ALL = 3

cdef enum:
    EVERYONE = -1   # all 64 bits, as an unsigned number
    MAX_OF_ONE = 32  # moves of one piece: 27 of a queen, 12 of a promoting pawn

cdef int generate(Position* pos, u16* moves, int wanted, u64 movers) noexcept nogil
cdef bint is_legal(Position* pos, u16 move) noexcept nogil
cdef u64 find_pinned(Position* pos, int king) noexcept nogil
cdef u16* king_moves(Position* pos, u16* end, int king, u64 targets) noexcept nogil
cdef u16* castlings(Position* pos, u16* end, int king) noexcept nogil
cdef bint may_castle(Position* pos, int king, int rook) noexcept nogil
cdef u16* piece_moves(
    Position* pos, u16* end, int king, u64 pinned, u64 movers, u64 targets
) noexcept nogil
cdef u16* pawn_moves(
    Position* pos, u16* end, int king, u64 pinned, u64 pawns, u64 resolving, int wanted
) noexcept nogil
cdef u16* en_passants(Position* pos, u16* end, int king, u64 pawns) noexcept nogil

cdef inline u16* emit(u16* end, int origin, u64 targets) noexcept nogil:
    while targets:
        end[0] = origin | lowest(targets) << 6
        end += 1
        targets &= targets - 1
    return end

# Moves of many pawns that all go the same way.
cdef inline u16* emit_pawns(u16* end, u64 targets, int way) noexcept nogil:
    cdef int target
    while targets:
        target = lowest(targets)
        end[0] = (target - way) | target << 6
        end += 1
        targets &= targets - 1
    return end

cdef inline u16* emit_promotions(u16* end, u64 targets, int way) noexcept nogil:
    cdef int target, piece
    while targets:
        target = lowest(targets)
        for piece in range(4):
            end[piece] = (target - way) | target << 6 | (3 - piece) << 12 | PROMOTION
        end += 4
        targets &= targets - 1
    return end
