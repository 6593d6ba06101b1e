# What the network has to be told of a bare king: how it is mated.
#
# The network was trained on positions of games, in which a side resigns or is mated long before it
# has nothing but its king: it knows that such a position is won, but not where the king has to go.
# Without pieces that can force a mate, and with pawns, which have more urgent things to do, nothing
# is said.  The idea is that of Stockfish's endgame functions (`KXK`, `KBNK`).

from rookery_engine.core.position cimport Position, king_square
from rookery_engine.core.types cimport BISHOP, KNIGHT, PAWN, QUEEN, ROOK, WIN_BOUND, u64

# Units of wdl.py for each square of the bare king from the middle, or, for bishop and knight, from
# the diagonal between the two corners that are wrong; and for each by which the kings are nearer than
# at the two ends of the board.  Found by playing out won positions of four men (README.md).
cdef enum:
    TO_THE_EDGE = 24
    NEARER_AT_THE_EDGE = 24
    TO_THE_CORNER = 160
    NEARER_IN_THE_CORNER = 70

cdef inline u64 dark_squares() noexcept nogil:
    return <u64>0xAA55AA55AA55AA55

# The score of a position, from the side to move, with what is to be said of a bare king.
cdef inline int with_bare_king(Position* pos, int score) noexcept nogil:
    cdef int bare
    if pos.colours[0] & (pos.colours[0] - 1):
        if pos.colours[1] & (pos.colours[1] - 1):
            return score
        bare = 1
    else:
        bare = 0
    score += drive(pos, bare) if pos.side != bare else -drive(pos, bare)
    return min(max(score, 1 - WIN_BOUND), WIN_BOUND - 1)

# How far a bare king has been driven towards its mate: 0 or more.
cdef inline int drive(Position* pos, int bare) noexcept nogil:
    cdef int king = king_square(pos, bare)
    cdef int other = king_square(pos, bare ^ 1)
    cdef int file = king & 7
    cdef int rank = king >> 3
    cdef u64 bishops = pos.types[BISHOP]
    cdef bint dark = bishops & dark_squares() != 0
    cdef bint light = bishops & ~dark_squares() != 0
    cdef int near = 7 - max(abs(file - (other & 7)), abs(rank - (other >> 3)))
    cdef int outside = max(3 - file, file - 4) + max(3 - rank, rank - 4)
    if pos.types[PAWN]:
        return 0
    if pos.types[ROOK] or pos.types[QUEEN] or (dark and light):
        return TO_THE_EDGE * outside + NEARER_AT_THE_EDGE * near
    if bishops and pos.types[KNIGHT]:
        file = file if dark else 7 - file
        return TO_THE_CORNER * abs(7 - rank - file) + NEARER_IN_THE_CORNER * near
    return 0
