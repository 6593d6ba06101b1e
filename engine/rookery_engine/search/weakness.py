"""Weaknesses of a weaker player: overlooked moves, errors of judgement, wavering.

Everything is drawn from the seed of the search by hashing, so a search is consistent, and
the same search again finds the same.

An overlooked move does not depend on the position in the tree, only on the idea:
this piece, from here, to there.  A player that does not see that the bishop can take on g2
does not see it after any of its own moves.  If it were drawn anew in each position, a threat
would nearly always be overlooked after *some* quiet move, and just that move would be
played.  The difficulty of an idea, however, depends on the position: a piece that has just
captured is easily recaptured.

Errors of judgement, too, belong to men on squares and not to positions: those of
single positions are evened out by a search, which takes the best of many, or even
make it prefer positions with many moves (D. Beal and M. Smith, "Random evaluations in chess").
"""

import cython
from cython.cimports.rookery_engine.core.position import (
    captured_type,
    gives_check,
    next_random,
    occupied,
)
from cython.cimports.rookery_engine.core.types import (
    BISHOP,
    KNIGHT,
    NO_MOVE,
    NO_TYPE,
    PAWN,
    PROMOTION,
    QUEEN,
    ROOK,
    from_square,
    kind,
    lowest,
    to_square,
)

# Difficulty of seeing a move, in sixteenths of a quiet move: by the captured piece, and
# by other conspicuous features.
FULL_DIFFICULTY = cython.declare(cython.int, 16)
PAWN_DIFFICULTY = cython.declare(cython.int, 14)
MINOR_DIFFICULTY = cython.declare(cython.int, 9)
ROOK_DIFFICULTY = cython.declare(cython.int, 5)
QUEEN_DIFFICULTY = cython.declare(cython.int, 3)
CHECK_DIFFICULTY = cython.declare(cython.int, 6)
PROMOTION_DIFFICULTY = cython.declare(cython.int, 3)
RECAPTURE_DIFFICULTY = cython.declare(cython.int, 1)
FAR = cython.declare(cython.int, 4)  # squares; farther is harder
MOST_CHANCES = cython.declare(cython.int, 870)  # 85 %: no move is quite invisible
MOST_PLIES = cython.declare(cython.int, 4)  # ahead, after which it gets no harder

# The purposes of drawn numbers.
BLINDNESS = cython.declare(cython.int, 1)
WAVERING = cython.declare(cython.int, 2)


def set_up_weakness(weakness, seed, blindness, misjudgement, wavering):
    """Set up the weaknesses for a search; see `strength.Handicap`."""
    weakness.limited = True
    weakness.blindness = blindness
    weakness.wavering = wavering
    weakness.seed = seed
    state = next_random(cython.address(seed))
    span = 2 * misjudgement + 1
    for type in range(6):
        for square in range(64):
            error = cython.cast(cython.int, (next_random(cython.address(state)) >> 32) % span)
            weakness.errors[type][square] = error - misjudgement


def overlooks(weakness, pos, move, last, ply):
    """Say whether a move is overlooked, `ply` plies ahead, after the move `last`.

    In check no move is: there are few.
    """
    if pos.checkers:
        return False
    drawn = cython.cast(cython.int, drawn_number(weakness, pos, move, BLINDNESS) >> 54)
    if drawn >= MOST_CHANCES:
        return False
    ahead: cython.int = ply if ply < MOST_PLIES else MOST_PLIES
    chances = (
        weakness.blindness * difficulty(pos, move, last) * (2 + ahead) // (3 * FULL_DIFFICULTY)
    )
    return drawn < chances


def difficulty(pos, move, last):
    """Return the difficulty of seeing a move, in sixteenths of a plain quiet move."""
    origin = from_square(move)
    target = to_square(move)
    victim = captured_type(pos, move)
    type = pos.board[origin] >> 1
    hard: cython.int = FULL_DIFFICULTY
    if victim != NO_TYPE:
        if last != NO_MOVE and target == to_square(last):
            return RECAPTURE_DIFFICULTY
        if victim == QUEEN:
            hard = QUEEN_DIFFICULTY
        elif victim == ROOK:
            hard = ROOK_DIFFICULTY
        elif victim == BISHOP or victim == KNIGHT:
            hard = MINOR_DIFFICULTY
        else:
            hard = PAWN_DIFFICULTY
        if type == PAWN:
            hard -= hard // 2
    elif kind(move) == PROMOTION:
        return PROMOTION_DIFFICULTY
    elif gives_check(pos, move):
        hard = CHECK_DIFFICULTY
    rows = (target >> 3) - (origin >> 3)
    files = (target & 7) - (origin & 7)
    if rows >= FAR or rows <= -FAR or files >= FAR or files <= -FAR:
        hard += hard // 2
    if rows != 0 and (rows > 0) == (pos.side == 1):  # backwards
        hard += hard // 2
    if type == KNIGHT:
        hard += hard // 4
    return hard


def misjudgement(weakness, pos):
    """Return the error of the static evaluation, from the side to move.

    The same men on mirrored squares are misjudged alike, so the start is even.
    """
    error: cython.int = 0
    left = occupied(pos)
    while left:
        square = lowest(left)
        left &= left - 1
        piece = pos.board[square]
        if piece & 1:
            error -= weakness.errors[piece >> 1][square ^ 56]
        else:
            error += weakness.errors[piece >> 1][square]
    return -error if pos.side else error


def preference(weakness, pos, move, last):
    """Return the preference for a root move, in the units of `wdl`: it is added to the score.

    The move with the best sum is played: with an even draw from 0 to `wavering` it seems
    worse than the best by no more than that, unless no better one was seen.
    """
    if overlooks(weakness, pos, move, last, 0):
        return -OVERLOOKED
    share = cython.cast(cython.int, drawn_number(weakness, pos, move, WAVERING) >> 54)
    return weakness.wavering * share // CHANCES


def drawn_number(weakness, pos, move, purpose):
    """Return the number drawn for an idea: a piece, from where, to where."""
    piece = cython.cast(u64, pos.board[from_square(move)])
    state = weakness.seed ^ (piece << 24) ^ (cython.cast(u64, purpose) << 16) ^ move
    return next_random(cython.address(state))
