"""What moves have done lately, to order them by: the search's memory of good ideas.

A move that refuted something gains, those tried before it in vain lose; the more
a score has moved already, the less it moves in the same direction ("gravity", see
the chess programming wiki, History Heuristic).  `after` knows a move in the light
of an earlier one: the reply to the opponent's last, or the sequel to one's own
(continuation history).
"""

import cython

BONUS_SLOPE = cython.declare(cython.int, 180)  # these three: usual in engines of this size
BONUS_BASE = cython.declare(cython.int, -80)
BONUS_MOST = cython.declare(cython.int, 1800)


def adjust(score, bonus):
    """Move a score towards `HIGHEST`, or away if the bonus is negative."""
    old: cython.int = score[0]
    size = bonus if bonus > 0 else -bonus
    score[0] = old + bonus - old * size // HIGHEST


def bonus_for(depth):
    """Return what a cut-off at a depth is worth: deep ones have cost more to find."""
    bonus = BONUS_SLOPE * depth + BONUS_BASE
    return BONUS_MOST if bonus > BONUS_MOST else bonus
