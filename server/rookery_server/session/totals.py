"""Totals of sessions and of the server, in plain numbers, for logs and metrics.  No I/O, no clock.

An event costs an addition and no more.  A reader adds up what ended sessions have left and what
those that go on have so far.
"""

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass

from rookery_protocol.notices import Code

# s; a move of a bullet game, of a slow one, an analysis, and what was forgotten
SEARCH_BUCKETS = (0.01, 0.1, 1.0, 5.0, 15.0, 60.0, 300.0, 1800.0)


@dataclass(slots=True)
class Totals:
    """Totals of one session, or of many; `began` is when, in seconds.

    `cpu_seconds` are those of its engines, as far as they are known.
    """

    began: float = 0.0
    lines_heard: int = 0  # of the client's; it counts them too
    lines_told: int = 0
    searches: int = 0
    search_seconds: float = 0.0
    cpu_seconds: float = 0.0
    engine_deaths: int = 0

    def add(self, other: "Totals") -> None:
        """Add the totals of a session."""
        self.lines_heard += other.lines_heard
        self.lines_told += other.lines_told
        self.searches += other.searches
        self.search_seconds += other.search_seconds
        self.engine_deaths += other.engine_deaths
        self.cpu_seconds += other.cpu_seconds


class ServerTotals:
    """Totals of one server's ended sessions, and the durations of all searches."""

    __slots__ = ("durations", "ended", "notices", "search_seconds", "started")

    def __init__(self) -> None:
        self.ended = Totals()
        self.started: Counter[str] = Counter()  # sessions, by the engine's name
        self.notices: Counter[Code] = Counter()
        self.durations = [0] * (len(SEARCH_BUCKETS) + 1)  # searches, by how long they took
        self.search_seconds = 0.0

    def search_ended(self, totals: Totals, seconds: float) -> None:
        """Count a search of the session with these totals."""
        totals.searches += 1
        totals.search_seconds += seconds
        self.durations[bisect_left(SEARCH_BUCKETS, seconds)] += 1
        self.search_seconds += seconds

    def session_ended(self, totals: Totals, notices: dict[Code, int]) -> None:
        """Add what a session leaves."""
        self.ended.add(totals)
        self.notices.update(notices)
