"""How long an engine that could not be started is left alone.  No I/O and no clock.

What it lacks may be there in a moment, as when its program is just being replaced, and then
nobody should have waited for long; or it fails each time, and who tries it over and over takes
the CPU from those that work.  So where somebody waits each rest is twice as long as the one
before, and where nobody does it is the longest at once.
"""

SHORTEST = 0.1  # s
LONGEST = 5.0  # s


class Rest:
    """The rest after a failure; `now` is in seconds."""

    __slots__ = ("_failed_at", "_failures")

    def __init__(self) -> None:
        self._failures = 0  # in a row
        self._failed_at = 0.0

    def failed(self, now: float) -> None:
        """Take note of a failure; those that come together are one."""
        if not self.left(now, urgent=True):
            self._failures += 1
            self._failed_at = now

    def over(self) -> None:
        """Take note that it can be started."""
        self._failures = 0

    def left(self, now: float, *, urgent: bool) -> float:
        """Return the seconds until it may be tried again; `urgent` says that somebody waits."""
        if not self._failures:
            return 0.0
        # So many doublings are far beyond the longest, and no number too large.
        doubled = SHORTEST * (1 << min(self._failures - 1, 16))
        rest = min(LONGEST, doubled) if urgent else LONGEST
        return max(0.0, self._failed_at + rest - now)
