"""Histories: the recent success of moves, by which they are ordered.

A move that refuted a position gains, those tried before it lose; the more
a score has moved already, the less it moves in the same direction ("gravity", see
the chess programming wiki, History Heuristic).  `continuation` has the scores of a move after
an earlier one: as a reply to the opponent's last move, or as a follow-up to an own one
(continuation history).

The corrections are the recent differences between the search's results and the static
evaluation in positions with the same pawns, with the same other pieces of a side, or after the
same two moves: the evaluation will err there again (correction history).
"""

import cython

BONUS_SLOPE = cython.declare(cython.int, 265)
BONUS_BASE = cython.declare(cython.int, -65)
BONUS_MOST = cython.declare(cython.int, 1537)
ERROR_WEIGHT = cython.declare(cython.int, 17)  # of a correction's unit, per ply, in 128ths
MOVES_WEIGHT = cython.declare(cython.int, 89)  # in 128ths, of the correction by moves
ERROR_MOST = cython.declare(cython.int, 256)  # that one search may change a correction by


def adjust(score, bonus):
    """Move a score towards `HIGHEST`, or away if the bonus is negative."""
    old: cython.int = score[0]
    size = bonus if bonus > 0 else -bonus
    score[0] = old + bonus - old * size // HIGHEST


def bonus_for(depth):
    """Return the bonus for a cut-off at a depth: deep ones have cost more to find."""
    bonus = BONUS_SLOPE * depth + BONUS_BASE
    return BONUS_MOST if bonus > BONUS_MOST else bonus


def update_correction(history, pos, last_moves, depth, error):
    """Record that the evaluation of a position was so far below the search's result."""
    bonus = error * depth * ERROR_WEIGHT // 128
    bonus = ERROR_MOST if bonus > ERROR_MOST else -ERROR_MOST if bonus < -ERROR_MOST else bonus
    side = pos.side
    adjust_correction(cython.address(history.pawns[side][pos.pawn_key & (CORRECTIONS - 1)]), bonus)
    for whose in range(2):
        place = pos.piece_keys[whose] & (CORRECTIONS - 1)
        adjust_correction(cython.address(history.pieces[side][whose][place]), bonus)
    bonus = bonus * MOVES_WEIGHT // 128
    adjust_correction(cython.address(history.moves[side][last_moves]), bonus)


def adjust_correction(score, bonus):
    """Move a correction's score, as `adjust` does, within its own bounds."""
    old: cython.int = score[0]
    size = bonus if bonus > 0 else -bonus
    score[0] = old + bonus - old * size // MOST_CORRECTION
