"""The pace at which a pool starts engines: pauses after failures, and demand.  No I/O, no clock.

`now` is in seconds.
"""

from collections import deque

from rookery_protocol.backoff import Backoff

# What an engine lacks may be there in a moment, as when its program is just being replaced, and
# then no session should have waited for long; or it fails each time, and to try it over and over
# takes the CPU from those that work.  So where a session waits each pause is twice as long as the
# one before, and where none does it is the longest at once.
SHORTEST_WAIT = 0.1  # s
LONGEST_WAIT = 5.0  # s

TOGETHER = 2.0  # s; in about so long those that were taken are there again
MEMORY = 120.0  # s for which the largest number of those taken together is remembered


class FailurePause:
    """The pause in which no engine is started, because one has failed."""

    __slots__ = ("_backoff", "_failed_at", "_wait")

    def __init__(self) -> None:
        self._backoff = Backoff(first=SHORTEST_WAIT, longest=LONGEST_WAIT)
        self._wait = 0.0  # s after the failure, while a session waits; 0 is that there is none
        self._failed_at = 0.0

    def count_failure(self, now: float) -> None:
        """Begin after a failure; those that come together are one."""
        if now >= self._failed_at + self._wait:
            self._wait = self._backoff.next_wait(1.0)
            self._failed_at = now

    def end(self) -> None:
        """End it, and forget the failures: an engine has started."""
        self._backoff.reset()
        self._wait = 0.0

    def left(self, now: float, *, urgent: bool) -> float:
        """Return how long it still lasts; it is `urgent` if a session waits."""
        if not self._wait:
            return 0.0
        return max(0.0, self._failed_at + (self._wait if urgent else LONGEST_WAIT) - now)


class DemandPeak:
    """The number of engines that are taken together.

    A spare engine is worth its memory when it is taken before another could be started.  So
    what counts is not how many are taken in an hour but how many come together: the largest
    number within `TOGETHER` is remembered for `MEMORY`.
    """

    __slots__ = ("_peak", "_peak_at", "_times")

    def __init__(self) -> None:
        self._times: deque[float] = deque()
        self._peak = 0
        self._peak_at = 0.0

    def count_taken(self, now: float) -> None:
        """Count one that is taken."""
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
