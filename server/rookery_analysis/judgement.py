"""How good a move was, by what it lost, as on the page (server/web/README.md).  No I/O.

All is seen as White does.  The chance to win is lichess' curve, fitted to games of its
members: 50 % at 0, about 75 % at +3.0.
"""

import math
from enum import StrEnum

import chess
from chess.engine import Cp, Mate, Score

STEEPNESS = -0.00368208
CEILING = 1000  # centipawns; a mate is worth as much

_SCALE, _DECAY, _SHIFT = 103.1668100711649, -0.04354415386753951, -3.166924740191411


class Judgement(StrEnum):
    """What to call a move that was not good enough."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


# So many points of win chance must be lost for it; the worst first.
BOUNDS = ((15.0, Judgement.BLUNDER), (10.0, Judgement.MISTAKE), (5.0, Judgement.INACCURACY))


def win_chance(score: Score) -> float:
    """Return White's chance to win, 0 to 100, of a score as White sees it."""
    points = score.score(mate_score=CEILING * CEILING)
    assert points is not None  # for a mate has a value
    bounded = max(-CEILING, min(CEILING, points))
    return 50 + 50 * (2 / (1 + math.exp(STEEPNESS * bounded)) - 1)


def loss(before: Score, after: Score, mover: chess.Color) -> float:
    """Return the points of win chance that a move has lost its mover; never below 0."""
    lost = win_chance(before) - win_chance(after)
    return max(0.0, lost if mover == chess.WHITE else -lost)


def judge(points: float) -> Judgement | None:
    """Return what to call a move that has lost so many points; None if it is good enough."""
    return next((name for bound, name in BOUNDS if points >= bound), None)


def accuracy(points: float) -> float:
    """Return how accurate a move was that has lost so many points, 0 to 100."""
    return max(0.0, min(100.0, _SCALE * math.exp(_DECAY * points) + _SHIFT))


def final_score(board: chess.Board) -> Score | None:
    """Return what a position is worth in which the game is over; None if it is not."""
    if board.is_checkmate():
        return Mate(-1 if board.turn == chess.WHITE else 1)
    if board.is_stalemate() or board.is_insufficient_material():
        return Cp(0)
    return None
