"""What a chess clock has left for a search, and what the network takes of it.

A GUI's clock runs while lines are under way; an engine's does not.  So an engine on
another machine is told of less time than there is: by the time that a line takes there
and back, as it was measured.  No I/O; times are seconds unless UCI says them in ms.
"""

from collections import deque
from dataclasses import dataclass

from rookery_uci import Limits

MAX_DELAY = 1.0  # s that are taken off at most: more is no delay, but trouble
FLOOR = 10  # ms that an engine is left with, if there were as many
_SAMPLES = 8
_QUARTER = 4

# A move has to come a little before the flag falls; chosen so that a process that gets
# no CPU for a while on a busy machine is still in time.
_RESERVE = 0.15
_RESERVE_SHARE = 0.4
# A search whose connection is lost may wait for it this long.
_PATIENCE = 10.0
_PATIENCE_SHARE = 0.2
_MOVETIME_GRACE = 0.05  # s that an answer to `movetime` may be late before it is missed
_MOVETIME_LAST = 1.0  # s, the same while the connection seems to be good
_ELSEWHERE = 2.0  # s of a `movetime` that must be left for another server to be worth it
# What the way there and back must leave an engine to be worth it.
_WORTH = 1.5
_WORTH_LEAST = 0.25
_SHORT_WAY = 0.02  # s; other machines of the same house are nearer


class RoundTrip:
    """How long a line takes to the server and back, by its last few measurements."""

    def __init__(self) -> None:
        self._samples: deque[float] = deque(maxlen=_SAMPLES)

    def measured(self, seconds: float) -> None:
        """Take a measurement."""
        self._samples.append(seconds)

    @property
    def seconds(self) -> float:
        """What to reckon with: a quarter of the measurements were worse; 0 without any."""
        if not self._samples:
            return 0.0
        return sorted(self._samples)[-1 - len(self._samples) // _QUARTER]

    @property
    def is_long(self) -> bool:
        """Whether it takes a while at best, and not only because a machine is busy."""
        return min(self._samples, default=0.0) > _SHORT_WAY


@dataclass(frozen=True, slots=True)
class Clock:
    """The seconds that there are for one move, from when it was asked for.

    `patience` is how long to wait for a lost connection, `last_call` when a move must
    be given whatever the connection is like, `elsewhere` until when a move that a server
    gives too early is worth less than another server's.
    """

    seconds: float
    patience: float
    last_call: float
    elsewhere: float

    @classmethod
    def of(cls, limits: Limits, *, white: bool) -> "Clock | None":
        """Return the clock of a search; None if none runs."""
        if limits.ponder or limits.infinite:
            return None
        time = limits.wtime if white else limits.btime
        clocks = []
        if limits.movetime is not None:
            seconds = max(limits.movetime, 0) / 1000
            patience, last = seconds + _MOVETIME_GRACE, seconds + _MOVETIME_LAST
            clocks.append(cls(seconds, patience, last, seconds - _ELSEWHERE))
        if time is not None:
            seconds = max(time, 0) / 1000
            last = seconds - min(_RESERVE, seconds * _RESERVE_SHARE)
            patience = min(seconds * _PATIENCE_SHARE, _PATIENCE)
            clocks.append(cls(seconds, patience, last, patience))
        return min(clocks, key=lambda clock: clock.last_call, default=None)

    def is_too_short(self, delay: float) -> bool:
        """Say whether a way of so many seconds leaves an engine nothing to think with.

        A flag that has fallen is none to be saved.
        """
        return 0 < self.seconds < delay * _WORTH + _WORTH_LEAST


def less(limits: Limits, elapsed: float, delay: float, *, white: bool) -> Limits:
    """Return limits of which some time has passed, and a delay will.

    The delay counts for who is to move; nobody is left with less than `FLOOR`.
    """
    own = "wtime" if white else "btime"
    delay = min(delay, MAX_DELAY)
    times = {}
    for name in ("wtime", "btime", "movetime"):
        if (time := getattr(limits, name)) is None:
            continue
        # The other's clock stands still.
        gone = elapsed + delay if name in (own, "movetime") else 0.0
        times[name] = max(time - round(1000 * gone), min(time, FLOOR))
    return limits._replace(**times)
