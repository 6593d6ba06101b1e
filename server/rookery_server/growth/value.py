"""Values of positions and moves: centipawns for the side to move, as whole numbers.

A mate in n plies is `MATE - n`, being mated `n - MATE`; a win by a tablebase, n plies before the
position of the tablebase, is `TABLE - n`.  An engine's score is clamped to `MAX_SCORE`, so the
range of a value says what it is.  0 is a draw.
"""

MATE = 32_000
TABLE = 30_000
MAX_SCORE = 20_000  # centipawns; beyond it, engines disagree about units and agree about the result
MAX_DISTANCE = 999  # plies to a mate or to a tablebase's position; one that is farther is as far


def score_value(centipawns: int) -> int:
    """Return the value of an engine's score in centipawns."""
    return max(-MAX_SCORE, min(MAX_SCORE, centipawns))


def mate_value(plies: int) -> int:
    """Return the value of a mate: in so many plies if positive, of being mated in them if not."""
    distance = min(abs(plies), MAX_DISTANCE)
    return MATE - distance if plies > 0 else distance - MATE


def mate_in(moves: int) -> int:
    """Return the value of UCI's `score mate`, which counts moves of the side that mates."""
    return mate_value(2 * moves - 1 if moves > 0 else 2 * moves)


def carried(value: int) -> int:
    """Return the value of a move for its mover, by the value of the position that it leads to."""
    if not is_decided(value):
        return -value
    top = MATE if abs(value) > TABLE else TABLE
    distance = min(top - abs(value) + 1, MAX_DISTANCE)
    return distance - top if value > 0 else top - distance


def is_decided(value: int) -> bool:
    """Return whether a value is a mate or a win or loss by a tablebase."""
    return abs(value) >= TABLE - MAX_DISTANCE


def is_won(value: int) -> bool:
    """Return whether a value is a mate or a win by a tablebase, for the side to move."""
    return value >= TABLE - MAX_DISTANCE


def is_valid(value: int) -> bool:
    """Return whether a number is in the range of one of the kinds of values."""
    size = abs(value)
    return (
        size <= MAX_SCORE
        or TABLE - MAX_DISTANCE <= size <= TABLE
        or MATE - MAX_DISTANCE <= size <= MATE
    )
