"""What a score promises: how often of a thousand games it is won, drawn and lost.

Two logistic curves, as Stockfish has them: one for a win, its mirror image for a
loss, and between them the draw.  The less material there is, the surer the result.
The numbers are a choice, not fitted to games: with all pieces a lead of two pawns
wins every second game, with few of one and a half.
"""

from math import exp

EVEN = 150, 50  # centipawns where half of the games are won: at the end, and added by the pieces
SPREAD = 55, 25  # how flat the curve is there, likewise
FULL = 78  # pawns, 1 each; knights and bishops, 3; rooks, 5; queens, 9: of both sides


def wdl(score: int, material: int) -> tuple[int, int, int]:
    """Return wins, draws and losses in permill for a score in centipawns.

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
