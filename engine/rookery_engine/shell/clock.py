"""Time management: from the limits of a `go` to a soft and a hard bound.

No new iteration is started after the soft bound, and the search is cut short at
the hard one.  This module reads no clock: times are milliseconds after the start
of the search; the hard bound's after `ponderhit`, for only then the clock runs.

With `nodestime` a search is timed by its nodes: `NodeClock` turns the limits' times
into nodes, and the bounds are then nodes too.
"""

from typing import NamedTuple

from rookery_uci import Limits

MOVES_LEFT = 25  # as if the game ended after so many; with increments it lasts longer
INCREMENT_SHARE = 0.7  # of the increment is spent at once; the rest refills the clock
RESERVE = 150  # ms, kept for stalls of the machine, which reached 240 ms ...
RESERVE_SHARE = 0.5  # ... but no more than this of the clock
HARD_FACTOR = 4.0  # times the soft bound, for a move that turns out badly
MOST_OF_CLOCK = 0.4  # never more on one move: 0.75 lost 3 of 50 games to stalls of the machine
LAST_MOVE_SHARE = 0.85  # ... but before a time control what is left is lost
PONDER_BONUS = 1.25  # on the soft bound: about so much is saved when the opponent does as expected
LONGEST = 10**12  # ms, 31 years: keeps nanoseconds within 64 bits


class TimeBounds(NamedTuple):
    """The bounds of a search in ms; None is no bound."""

    soft: float | None = None
    hard: float | None = None


def time_bounds(limits: Limits, *, white: bool, overhead: int, ponders: bool = False) -> TimeBounds:
    """Divide the clock.  `overhead` is the time that the way to the GUI and back may take, in ms.

    `ponders`: the engine may think on the opponent's time too.
    """
    if limits.movetime is not None:
        return TimeBounds(None, _clamp(limits.movetime))
    own, increment = own_clock(limits, white=white)
    if own is None:
        return TimeBounds()
    own = _clamp(own)
    left = max(1.0, own - overhead - min(RESERVE, RESERVE_SHARE * own))
    increment = max(0, _clamp(increment) - overhead)  # each move's way costs as much again
    moves = MOVES_LEFT
    if limits.movestogo is not None and limits.movestogo > 0:
        moves = min(limits.movestogo, 2 * MOVES_LEFT)
    most = left * (LAST_MOVE_SHARE if moves == 1 else MOST_OF_CLOCK)
    soft = left / moves + INCREMENT_SHARE * min(increment, left)
    soft = min(most, soft * (PONDER_BONUS if ponders else 1.0))
    return TimeBounds(soft, min(most, HARD_FACTOR * soft))


def own_clock(limits: Limits, *, white: bool) -> tuple[int | None, int]:
    """Return the clock of the side to move, if there is one, and its increment."""
    own, other = (limits.wtime, limits.btime) if white else (limits.btime, limits.wtime)
    increment = (limits.winc if white else limits.binc) or 0
    # A GUI that sends only one clock: better than none.
    return other if own is None else own, increment


class NodeClock:
    """The clock of one game, counted in nodes (`nodestime`).

    As in Stockfish it is set once: the first time and one increment, times the
    rate.  From then on each search counts it down by its nodes and each increment up,
    whatever the GUI's clock says; the first time is added once more when the moves of a
    time control have been played.
    """

    def __init__(self) -> None:
        self.rate = 0  # nodes in a millisecond
        self.left = 0
        self.control = 0  # ms that a time control adds
        self.last_time = 0  # ms on the GUI's clock at the last search
        self.last_moves: int | None = None  # to the time control, at the last search

    def convert(self, limits: Limits, *, white: bool, rate: int) -> Limits:
        """Return limits whose times are nodes."""
        time, increment = own_clock(limits, white=white)
        if time is not None:
            if rate != self.rate:
                self.rate = rate
                self.control = _clamp(time)
                self.left = _clamp(time + increment) * rate
            elif self.is_new_control(limits.movestogo):
                # If the first search was just before a control, only now it shows how much
                # a control adds.
                self.control = max(self.control, _clamp(time - self.last_time - increment))
                self.left += self.control * rate
            self.last_time, self.last_moves = time, limits.movestogo
            limits = limits._replace(wtime=self.left, btime=self.left)
            limits = limits._replace(winc=increment * rate, binc=increment * rate)
        if limits.movetime is not None:
            limits = limits._replace(movetime=limits.movetime * rate)
        return limits

    def is_new_control(self, moves: int | None) -> bool:
        """Say whether the moves of the last control have been played since the last search."""
        last = self.last_moves
        if last is None or last <= 0:
            return False
        return last == 1 or (moves is not None and moves > last)

    def subtract_nodes(self, limits: Limits, *, white: bool, nodes: int) -> None:
        """Count the nodes of a search that was timed by this clock."""
        time, increment = own_clock(limits, white=white)
        if time is not None and limits.movetime is None:
            self.left = max(1, self.left + increment * self.rate - nodes)


def urgency(*, stable: int, drop: int, share: float) -> float:
    """Return the factor on the soft bound after an iteration.

    Think longer when the score fell by `drop` units of `wdl`; less when the best move
    has been the same for `stable` iterations, and when it took a large `share`
    (0 to 1) of the nodes, because then the others were refuted easily.
    """
    settled = 1.2 - 0.1 * min(stable, 8)
    fallen = 1.0 + min(max(drop, 0), 80) / 100
    contested = 1.6 - 1.15 * share
    return settled * fallen * contested


def _clamp(milliseconds: int) -> int:
    return max(0, min(milliseconds, LONGEST))
