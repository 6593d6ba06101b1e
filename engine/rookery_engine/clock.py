"""How long to think: from the limits of a `go` to a soft and a hard bound.

No new iteration is started after the soft bound, and the search is cut short at
the hard one.  This module reads no clock: times are milliseconds after the start
of the search, or after `ponderhit`.
"""

from typing import NamedTuple

from rookery_engine.uci import Limits

MOVES_LEFT = 24  # as if the game ended after so many; with increments it lasts longer
INCREMENT_SHARE = 0.6  # of the increment is spent at once; the rest refills the clock
HARD_FACTOR = 3.0  # times the soft bound, for a move that turns out badly
MOST_OF_CLOCK = 0.4  # never more on one move: 0.75 lost 3 of 50 games to stalls of the machine
LAST_MOVE_SHARE = 0.85  # ... but before a time control what is left is lost
LONGEST = 10**12  # ms, 31 years: keeps nanoseconds within 64 bits


class Budget(NamedTuple):
    """When to stop, in ms; None is no bound."""

    soft: float | None = None
    hard: float | None = None


def budget(limits: Limits, *, white: bool, overhead: int) -> Budget:
    """Divide the clock.  `overhead` is what the way to the GUI and back may cost, in ms."""
    if limits.movetime is not None:
        return Budget(None, _clamp(limits.movetime))
    own, other = (limits.wtime, limits.btime) if white else (limits.btime, limits.wtime)
    increment = (limits.winc if white else limits.binc) or 0
    if own is None:
        own = other  # a GUI that tells only one clock: better than none
    if own is None:
        return Budget()
    left = max(1.0, _clamp(own) - overhead)
    increment = _clamp(increment)
    moves = MOVES_LEFT
    if limits.movestogo is not None and limits.movestogo > 0:
        moves = min(limits.movestogo, 2 * MOVES_LEFT)
    most = left * (LAST_MOVE_SHARE if moves == 1 else MOST_OF_CLOCK)
    soft = min(most, left / moves + INCREMENT_SHARE * min(increment, left))
    return Budget(soft, min(most, HARD_FACTOR * soft))


def urgency(*, stable: int, drop: int, share: float) -> float:
    """Return the factor on the soft bound after an iteration.

    Think longer when the score fell by `drop` centipawns; less when the best move
    has been the same for `stable` iterations, and when it took a large `share`
    (0 to 1) of the nodes, because then the others were refuted easily.
    """
    settled = 1.3 - 0.08 * min(stable, 8)
    fallen = 1.0 + min(max(drop, 0), 80) / 100
    contested = 1.7 - 1.1 * share
    return settled * fallen * contested


def _clamp(milliseconds: int) -> int:
    return max(0, min(milliseconds, LONGEST))
