"""What a joined engine says, made harmless, and what its searches come to.

The machine at the other end is somebody's own: it may say anything.  What it says is for
the sessions that have its engine, and must not pass for the server's own word, nor steer
the terminal of who reads it.  No I/O, no clock: `now` is in seconds.
"""

from rookery_protocol.notices import disowned, harmless, without_overlong
from rookery_uci import to_number

_THREADS = b"setoption name threads value "


def clean(text: bytes, name: bytes) -> bytes:
    """Return lines as clients may have them, each ended by a newline.

    Args:
        text: what the machine has sent: lines with a newline between them.
        name: of the engine.  What the machine says for itself is said in this name, so that it
            is shown to people and no program takes it for the server's.

    """
    return without_overlong(disowned(harmless(text) + b"\n", name))


class SearchTime:
    """How long an engine has searched, times its threads: the CPU time that it may have used.

    Its machine could say anything, so what is counted is what can be seen from here.
    """

    __slots__ = ("_began", "_most", "_threads", "_total")

    def __init__(self, most: int) -> None:
        """Begin; the machine has so many threads."""
        self._most = most
        self._threads = 1
        self._total = 0.0
        self._began: float | None = None

    def told(self, piece: bytes, now: float) -> None:
        """Take note of what the engine is told."""
        for line in piece.splitlines():
            if line.startswith(b"go"):
                self._began = now
            elif line.lower().startswith(_THREADS):
                number = to_number(line[len(_THREADS) :].decode(errors="replace"))
                self._threads = min(max(1, number or 1), self._most)

    def said(self, piece: bytes, now: float) -> None:
        """Take note of what the engine says."""
        if self._began is not None and (b"\nbestmove" in piece or piece.startswith(b"bestmove")):
            self.end(now)

    def end(self, now: float) -> None:
        """Take note that it does not search any more."""
        self._total, self._began = self.total(now), None

    def total(self, now: float) -> float:
        """Return the CPU time in seconds."""
        running = 0.0 if self._began is None else now - self._began
        return self._total + running * self._threads


class RateMeter:
    """How fast bytes may come: who sends faster is not heard for a while.  None is ever lost."""

    __slots__ = ("_burst", "_credit", "_rate", "_then")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        """Make a meter of `rate` bytes a second in the long run, and `burst` at once."""
        self._rate = rate
        self._burst = burst
        self._credit = burst
        self._then = now

    def take(self, size: int, now: float) -> float:
        """Take note of so many bytes; return the seconds in which no more should be heard."""
        self._credit = min(self._burst, self._credit + (now - self._then) * self._rate) - size
        self._then = now
        return max(0.0, -self._credit / self._rate)
