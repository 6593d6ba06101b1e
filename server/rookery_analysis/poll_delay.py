"""How long an engine is left alone after `go`: no line of its counts but the last ones.  No I/O.

An engine writes line by line, and to be woken for a line costs more than to read it: Python
is woken, and drives the engine's tables out of the processor's cache.  So its lines gather
in the pipe for most of the time that a search is likely to take.  One that ends before that
is heard of late, so the guess follows short searches at once and long ones slowly.
Engines that are silent by themselves (`Minimal`, seat.py) need none of it.
"""

SHARE = 0.6  # of a search; with more, searches that end early cost more than lines behind it
GROWTH = 1.1  # of the guess, from one search to the next
SHORTEST = 0.001  # s; a timer takes about as long
LONGEST = 0.05  # s; of longer searches the few lines cost nothing


class Nap:
    """Learns from the searches of one engine."""

    def __init__(self) -> None:
        self._usual = 0.0  # s that a search takes at least, as it seems

    @property
    def length(self) -> float:
        """The time to leave it alone in the next search, in seconds; 0 for not at all."""
        length = SHARE * self._usual
        return min(length, LONGEST) if length >= SHORTEST else 0.0

    def learn(self, seconds: float) -> None:
        """Take note of how long a search took, until it was heard of."""
        self._usual = min(seconds, GROWTH * self._usual) if self._usual else seconds
