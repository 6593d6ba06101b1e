"""How many engines are taken at once, of late.  No clock: `now` is in seconds.

A spare engine is worth its memory when it is taken before another could be started.  So
what counts is not how many are taken in an hour but how many come together: the largest
number within `TOGETHER` is remembered for `MEMORY`.
"""

from collections import deque

TOGETHER = 2.0  # s; in about so long those that were taken are there again
MEMORY = 120.0  # s


class DemandPeak:
    """The engines of one kind that were taken."""

    __slots__ = ("_peak", "_peak_at", "_times")

    def __init__(self) -> None:
        self._times: deque[float] = deque()
        self._peak = 0
        self._peak_at = 0.0

    def taken(self, now: float) -> None:
        """Take note that one was taken."""
        self._times.append(now)
        recent = self._recent(now)
        if recent >= self._peak or now - self._peak_at > MEMORY:
            self._peak, self._peak_at = recent, now

    def expected(self, now: float) -> int:
        """Return how many may come together next."""
        return self._peak if now - self._peak_at <= MEMORY else self._recent(now)

    def _recent(self, now: float) -> int:
        while self._times and now - self._times[0] > TOGETHER:
            self._times.popleft()
        return len(self._times)
