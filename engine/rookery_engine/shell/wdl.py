"""Scores as centipawns, and as chances of win, draw and loss.

The search counts in units of its own, of which `UNIT` are a hundred centipawns: the lead
that wins every second game, as Stockfish counts since version 15.1.

Two logistic curves, as Stockfish has them: one for a win, its mirror image for a
loss, and between them the draw.  The less material there is, the surer the result.
The numbers are a choice, not fitted to games: with all pieces a hundred centipawns
win every second game, with few three quarters of that.
"""

from math import exp

UNIT = 126  # network.SCALE * 3.61 / 4: its centipawns are those of Stockfish 15.1, its labels
EVEN = 94, 32  # units where half of the games are won: at the end, and added by the pieces
SPREAD = 38, 18  # how flat the curve is there, likewise
FULL = 78  # pawns, 1 each; knights and bishops, 3; rooks, 5; queens, 9: of both sides


def centipawns(score: int) -> int:
    """Return the centipawns of a score; half of one counts."""
    return (200 * abs(score) + UNIT) // (2 * UNIT) * (-1 if score < 0 else 1)


def score_of(centipawns: int) -> int:
    """Return the score that is shown as so many centipawns."""
    return (2 * UNIT * abs(centipawns) + 100) // 200 * (-1 if centipawns < 0 else 1)


def wdl(score: int, material: int) -> tuple[int, int, int]:
    """Return wins, draws and losses in permill for a score.

    `material` counts both sides' men as above.
    """
    share = min(material, FULL) / FULL
    even = EVEN[0] + EVEN[1] * share
    spread = SPREAD[0] + SPREAD[1] * share
    win = _permill((score - even) / spread)
    loss = _permill((-score - even) / spread)
    return win, 1000 - win - loss, loss


def mate_wdl(score: int) -> tuple[int, int, int]:
    """Return the same for the score of a mate; a negative one is getting mated."""
    return (1000, 0, 0) if score > 0 else (0, 0, 1000)


def _permill(value: float) -> int:
    return round(1000 / (1 + exp(-max(-50.0, min(value, 50.0)))))
