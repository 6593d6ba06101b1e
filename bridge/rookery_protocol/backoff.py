"""Waits before further attempts at what has failed.  No I/O, no clock."""

FIRST = 0.1  # s, the least wait once the first further attempt has failed, too
LONGEST = 3.0  # s
STEADY = 1.0  # s that a connection must have held to count as a good one
_GROWTH = 2.0


class Backoff:
    """Waits that double from failure to failure, and vary, so that not all clients come at once.

    They begin anew when a connection has held for `steady` seconds.

    Args:
        first: s, the first wait; 0 makes the first further attempt at once.
        longest: s, the longest wait.
        steady: s that a connection must have held.

    """

    def __init__(
        self, *, first: float = 0.0, longest: float = LONGEST, steady: float = STEADY
    ) -> None:
        self._first = first
        self._longest = longest
        self._steady = steady
        self._wait = first

    def count_connection(self, seconds: float) -> None:
        """Count a connection that has held for so long."""
        if seconds >= self._steady:
            self.reset()

    def reset(self) -> None:
        """Begin anew after a success."""
        self._wait = self._first

    def next_wait(self, chance: float) -> float:
        """Return the seconds to wait now; `chance` is a random number from 0 to 1."""
        wait = self._wait * (0.5 + chance / 2)
        self._wait = min(max(self._wait * _GROWTH, FIRST), self._longest)
        return wait
