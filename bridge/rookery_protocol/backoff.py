"""How long to wait before the next attempt to connect.  No I/O, no clock."""

FIRST = 0.1  # s before the second attempt; the first comes at once
LONGEST = 3.0  # s
STEADY = 1.0  # s that a connection must have held to count as a good one
_GROWTH = 2.0


class Backoff:
    """Waits that grow from failure to failure, and vary, so that clients do not come all at once.

    They begin at nothing again when a connection has held for `STEADY` seconds.
    """

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._wait = 0.0

    def held(self, seconds: float) -> None:
        """Take note of how long a connection held."""
        if seconds >= STEADY:
            self._wait = 0.0

    def next(self, chance: float) -> float:
        """Return the seconds to wait now; `chance` is a random number from 0 to 1."""
        wait = self._wait * (0.5 + chance / 2)
        self._wait = min(max(self._wait * _GROWTH, FIRST), self._longest)
        return wait
