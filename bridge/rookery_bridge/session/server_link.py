"""The server's side of a conversation: what it is to hear, and whether it is there.  No I/O.

It outlives connections, as "a session that outlives its connection" in docs/protocol.md has it:
lines that are not known to be heard are kept, in order, to be sent again over the next
connection; and the server's lines that are no `info` are counted.
"""

from collections import deque
from dataclasses import dataclass
from math import inf

from rookery_bridge.session.pending_requests import PendingRequest
from rookery_protocol.hello import Hello

_ACKNOWLEDGE = 16  # lines that are heard until the server is told, outside of searches
_SILENCE = 2.0  # s of a silence that count as a part of the outage, at most
_SAMPLES = 8
_QUARTER = 4
_SHORT_WAY = 0.02  # s; other machines of the same house are nearer

_SHORTEST = 0.05  # s between questions
_SLACK = 0.3  # s that a busy machine may take for an answer, besides the way
_TRIPS = 2.5  # round trips that an answer may take


@dataclass(frozen=True, slots=True)
class HeartbeatPace:
    """The seconds of silence until the server is asked, and then until it counts as dead."""

    interval: float
    silence: float

    @classmethod
    def within(cls, patience: float, round_trip: float) -> "HeartbeatPace":
        """Return the pace for an answer that may take so many seconds at most."""
        least = _TRIPS * round_trip + _SLACK
        return cls(
            min(max(patience / 4, _SHORTEST), WAITING.interval),
            min(max(patience / 2, least), WAITING.silence),
        )


IDLE = HeartbeatPace(15.0, 10.0)
WAITING = HeartbeatPace(1.0, 2.0)


class Heartbeat:
    """Signs of life over one connection; `heard_at` is the time of the last.

    A dead connection looks like a silent one: so the server is asked, and one that does not
    answer is not there.  The answers measure the round trip, too.
    """

    def __init__(self, now: float) -> None:
        self.heard_at = now
        self._asked: deque[float] = deque()

    def add_question(self, now: float) -> None:
        """Count a question."""
        self._asked.append(now)

    def add_answer(self, now: float) -> float | None:
        """Count the answer to the oldest question; return the seconds that it took."""
        return now - self._asked.popleft() if self._asked else None

    @property
    def is_asked(self) -> bool:
        """True if the server owes an answer, so that more silence means that it is not there."""
        return bool(self._asked)

    def due(self, pace: HeartbeatPace) -> float:
        """Return when the silence is too long: the server is asked then, or counts as dead."""
        if self._asked:
            return max(self._asked[0], self.heard_at) + pace.silence
        return self.heard_at + pace.interval


class RoundTrip:
    """The time of a line to the server and back, by its last few measurements.

    `seconds` is what to reckon with: a quarter of the measurements were worse; 0 without any.
    `is_long` says that it takes a while at best, and not only because a machine is busy.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.is_long = False
        self._samples: deque[float] = deque(maxlen=_SAMPLES)

    def add(self, seconds: float) -> None:
        """Add a measurement."""
        self._samples.append(seconds)
        self.seconds = sorted(self._samples)[-1 - len(self._samples) // _QUARTER]
        self.is_long = min(self._samples) > _SHORT_WAY


@dataclass(slots=True)
class SentLine:
    """A line to the server, and the request that it is about, if it is about one.

    `asks` says that it is the request itself; others about it are `stop` and `ponderhit`.
    """

    line: bytes
    request: PendingRequest | None = None
    asks: bool = False


class ServerLink:
    """The lines of a session both ways, and the state of its connection.

    `ticket` is the pass to come back with, None in a new session; `heard` counts the server's
    lines; `lines` are to be sent now, and `unheard` are those that the server is not known to
    have heard.  Lines of our own protocol are only in `lines`, because they are not sent again.
    `heartbeat` is None as long as the server has not answered over the present
    connection; `lost_at` is when the last one was lost.  `is_awaited` says that it may be back in
    time, `is_steady` that none was ever lost, `is_dormant` that there is no connection because
    none is needed.  By the server's notices, `lacks_engine` says that no engine is to be had yet,
    and `is_ending` that the session ends.
    """

    def __init__(self, now: float) -> None:
        self.ticket: str | None = None
        self.heard = 0
        self.unheard: list[SentLine] = []
        self.round_trip = RoundTrip()
        self.heartbeat: Heartbeat | None = None
        self.lost_at = now
        self.is_awaited = True
        self.is_steady = True
        self.lacks_engine = False
        self.is_dormant = False
        self.is_ending = False
        self._confirmed = 0  # lines of ours that the server is known to have heard
        self._unacknowledged = 0
        self.lines: list[bytes] = []

    @property
    def outage(self) -> float | None:
        """Since when there has been no server; None while there is one."""
        if self.heartbeat:
            return None
        return self.lost_at if self.is_awaited else -inf

    @property
    def is_doubtful(self) -> bool:
        """True if it is slow, or was lost before."""
        return self.round_trip.is_long or not self.is_steady

    def hello(self) -> Hello:
        """Return the first line of a new connection."""
        self.lines = []
        ticket = self.ticket
        return Hello(session=ticket or "new", heard=self.heard if ticket else None)

    def send_counted(self, entry: SentLine) -> None:
        """Send a line, now or when the server is there."""
        self.unheard.append(entry)
        if self.heartbeat:
            self.lines.append(entry.line)

    def resend(self, entries: list[SentLine]) -> None:
        """Send lines again: what is wanted of those that were not heard."""
        self.unheard = entries
        self.lines += [entry.line for entry in entries]

    def confirm(self, count: int) -> bool:
        """Forget the lines that the server has heard; say whether the count can be true."""
        if not self._confirmed <= count <= self._confirmed + len(self.unheard):
            return False
        del self.unheard[: count - self._confirmed]
        self._confirmed = count
        return True

    def restart(self, entries: list[SentLine]) -> None:
        """Begin another session with these lines; nothing has been said of its engine."""
        self.ticket = None
        self.heard = self._confirmed = 0
        self.unheard = entries
        self.lacks_engine = False

    def open(self, ticket: str, now: float) -> None:
        """Count the connection as good: the server has answered, with a pass."""
        self.ticket = ticket
        self.heartbeat = Heartbeat(now)
        self.is_awaited = True
        self.is_dormant = self.is_ending = False

    def lose_connection(self, now: float, *, silent: bool) -> None:
        """Count the connection as lost; `silent`: since the server was last heard."""
        heard = self.heartbeat.heard_at if self.heartbeat and silent else now
        self.heartbeat = None
        self.lost_at = max(heard, now - _SILENCE)
        self.is_steady = False

    def wake(self, now: float) -> None:
        """Count the outage from now on: until now no connection was needed."""
        if self.is_dormant and self.heartbeat is None:
            self.is_dormant = False
            self.lost_at = now

    def count_line(self, now: float, *, acknowledge: bool) -> None:
        """Count a line of the server, and acknowledge it if that is due."""
        self.heard += 1
        self._unacknowledged += 1
        if acknowledge or self._unacknowledged >= _ACKNOWLEDGE:
            self.acknowledge(now)

    def acknowledge(self, now: float) -> None:
        """Send how many lines were heard; the answer shows that the server is there."""
        if self.heartbeat:
            self.heartbeat.add_question(now)
            self._unacknowledged = 0
            self.lines.append(b"rookery heard %d" % self.heard)

    def measure_answer(self, now: float) -> None:
        """Measure the round trip by the answer to the oldest acknowledgement."""
        if self.heartbeat and (trip := self.heartbeat.add_answer(now)) is not None:
            self.round_trip.add(trip)
