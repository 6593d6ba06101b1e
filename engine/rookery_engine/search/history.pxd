# Histories of moves.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport PIECES, WIN_BOUND, from_square, i16, to_square, u16, u64

cdef enum:
    HIGHEST = 16384             # of any history score, either way
    NO_CONTINUATION = PIECES * 64  # the row of moves that follow no move
    CORRECTIONS = 16384         # of each kind and side; a power of two
    MOST_CORRECTION = 1024      # of any correction's score, either way
    CORRECTION_GRAIN = 16       # of which make a unit of the score

ctypedef struct History:
    i16[2][2][2][64][64] quiet  # by side, whether from and to are attacked, from, to
    i16[PIECES][64][8] capture  # by piece, to, type captured
    i16[PIECES * 64 + 1][PIECES * 64] continuation  # by piece and square of an earlier move, and ours
    i16[2][CORRECTIONS] pawns   # error of the evaluation, by side and keys of pawns,
    i16[2][2][CORRECTIONS] pieces  # and by side, keys of one's pieces, and whose they are
    i16[2][CORRECTIONS] moves   # and by side and the last two moves

cdef void adjust(i16* score, int bonus) noexcept nogil
cdef int bonus_for(int depth) noexcept nogil
cdef void update_correction(
    History* history, Position* pos, int last_moves, int depth, int error
) noexcept nogil
cdef void adjust_correction(i16* score, int bonus) noexcept nogil

# A static evaluation, corrected by the error of similar positions; never a win.
cdef inline int corrected(History* history, Position* pos, int last_moves, int score) noexcept nogil:
    cdef int sum = history.pawns[pos.side][pos.pawn_key & (CORRECTIONS - 1)]
    sum += history.pieces[pos.side][0][pos.piece_keys[0] & (CORRECTIONS - 1)]
    sum += history.pieces[pos.side][1][pos.piece_keys[1] & (CORRECTIONS - 1)]
    sum += history.moves[pos.side][last_moves]
    return min(max(score + sum // CORRECTION_GRAIN, 1 - WIN_BOUND), WIN_BOUND - 1)

# The score of a quiet move by itself, given the squares that the enemy attacks.
cdef inline i16* quiet_score(History* history, int side, u64 threats, u16 move) noexcept nogil:
    cdef int origin = from_square(move)
    cdef int target = to_square(move)
    return &history.quiet[side][threats >> origin & 1][threats >> target & 1][origin][target]

# The column of a move in `continuation`, and the row of those that follow it.
cdef inline int column(Position* pos, u16 move) noexcept nogil:
    return pos.board[from_square(move)] * 64 + to_square(move)
