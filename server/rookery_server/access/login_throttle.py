"""Makes those wait who try token after token.

Each source of connections has a count of failed log-ins.  A few are free, for slips;
from then on each one doubles the time for which nothing of that source is looked at.
Counts fade with time, and the sources that are remembered are bounded: where there
are too many, the one that has been quiet for longest is forgotten.  (After sshd's
`PerSourcePenalties`.)
"""

from collections import OrderedDict
from dataclasses import dataclass

FREE = 5  # failures before one has to wait
LONGEST = 900.0  # s that one has to wait at most
FADES = 120.0  # s in which one failure is forgotten
MAX_SOURCES = 10_000


@dataclass(slots=True)
class _Suspect:
    failures: float = 0.0
    since: float = 0.0  # when `failures` was that
    until: float = 0.0  # when it may try again


class Guard:
    """Failed log-ins by source.  All times are in seconds, on one clock that nobody sets."""

    def __init__(self) -> None:
        self._suspects: OrderedDict[str, _Suspect] = OrderedDict()

    def __len__(self) -> int:
        return len(self._suspects)

    def wait(self, source: str, now: float) -> float:
        """Return for how long a source has to wait; 0 if it may try."""
        suspect = self._suspects.get(source)
        return max(0.0, suspect.until - now) if suspect else 0.0

    def failed(self, source: str, now: float) -> None:
        """Take note of a failed log-in."""
        suspect = self._suspects.setdefault(source, _Suspect(since=now))
        self._suspects.move_to_end(source)
        faded = max(0.0, suspect.failures - (now - suspect.since) / FADES)
        suspect.failures, suspect.since = faded + 1, now
        excess = suspect.failures - FREE
        if excess > 0:
            # The exponent is bounded first: it may come from a year of guessing.
            suspect.until = now + min(LONGEST, 2.0 ** min(excess, 30.0))
        if len(self._suspects) > MAX_SOURCES:
            self._suspects.popitem(last=False)
