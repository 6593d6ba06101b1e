"""Whether a connection still lives.  No I/O; times are seconds that the callers give.

A dead connection looks like a silent one.  So who waits for something asks, and a
server that does not answer is not there.  The answers say how long the way is, too.
"""

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto

_SHORTEST = 0.05  # s between questions
_SLACK = 0.3  # s that a busy machine may take for an answer, besides the way
_TRIPS = 2.5  # round trips that an answer may take


class Health(Enum):
    """What to do about a connection."""

    GOOD = auto()  # nothing
    UNSURE = auto()  # ask
    DEAD = auto()  # leave it


@dataclass(frozen=True, slots=True)
class Pace:
    """How soon a silence is noticed: s of silence until one asks, and then until one leaves."""

    interval: float
    silence: float

    @classmethod
    def within(cls, patience: float, round_trip: float) -> "Pace":
        """Return the pace for someone who waits so many seconds at most."""
        least = _TRIPS * round_trip + _SLACK
        return cls(
            min(max(patience / 4, _SHORTEST), WAITING.interval),
            min(max(patience / 2, least), WAITING.silence),
        )


IDLE = Pace(15.0, 10.0)
WAITING = Pace(1.0, 2.0)


class Pulse:
    """One connection, from when it began; `heard_at` is when something came last."""

    def __init__(self, now: float) -> None:
        self.began = now
        self.heard_at = now
        self._asked: deque[float] = deque()

    def heard(self, now: float) -> None:
        """Take note that something came."""
        self.heard_at = now

    def asked(self, now: float) -> None:
        """Take note of a question."""
        self._asked.append(now)

    def answered(self, now: float) -> float | None:
        """Take note of the answer to the oldest question; return how long it took."""
        return now - self._asked.popleft() if self._asked else None

    def health(self, now: float, pace: Pace) -> Health:
        """Say how the connection is."""
        if now < self.due(pace):
            return Health.GOOD
        return Health.DEAD if self._asked else Health.UNSURE

    def due(self, pace: Pace) -> float:
        """Return when it is to be looked at again."""
        if self._asked:
            return max(self._asked[0], self.heard_at) + pace.silence
        return self.heard_at + pace.interval
