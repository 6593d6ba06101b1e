"""The server's side of a conversation: what it is to hear, and whether it is there.  No I/O.

It outlives connections: what was said and not heard is said again over the next one.
"""

from math import inf

from rookery_bridge.session.heartbeat import Pulse
from rookery_bridge.session.remaining_time import RoundTrip
from rookery_bridge.session.sent_lines import Entry, Journal
from rookery_protocol.notices import Hello

_ACKNOWLEDGE = 16  # lines that are heard until the server is told, outside of searches
_SILENCE = 2.0  # s of a silence that count as a part of the outage, at most


class Link:
    """Counts the lines both ways.

    `journal` are the lines of the session, `pulse` is that of the present connection and None
    as long as the server has not answered over one, `lost_at` when the last one was lost;
    `is_awaited` says that it may be back in time, `is_steady` that none was ever lost,
    `round_trip` how long a line takes; `lacks_engine` that the server has said that no engine is
    to be had yet, `is_dormant` that there is no connection because nobody needs one, `is_ending`
    that the server has said that the session ends.
    """

    def __init__(self, now: float) -> None:
        self.journal = Journal()
        self.round_trip = RoundTrip()
        self.pulse: Pulse | None = None
        self.lost_at = now
        self.is_awaited = True
        self.is_steady = True
        self.lacks_engine = False
        self.is_dormant = False
        self.is_ending = False
        self._unacknowledged = 0
        self._lines: list[bytes] = []

    @property
    def outage(self) -> float | None:
        """Since when there has been no server; None while there is one."""
        if self.pulse:
            return None
        return self.lost_at if self.is_awaited else -inf

    @property
    def is_doubtful(self) -> bool:
        """Whether it is slow, or was lost before."""
        return self.round_trip.is_long or not self.is_steady

    def greeting(self) -> Hello:
        """Return what to say first over a new connection."""
        self._lines = []
        ticket = self.journal.ticket
        return Hello(session=ticket or "new", heard=self.journal.heard if ticket else None)

    def lines(self) -> list[bytes]:
        """Return the lines for the server, and forget them."""
        lines, self._lines = self._lines, []
        return lines

    def say(self, entry: Entry) -> None:
        """Say a line, now or when the server is there."""
        self.journal.say(entry)
        if self.pulse:
            self._lines.append(entry.line)

    def say_now(self, line: bytes) -> None:
        """Say a line that is not said again."""
        self._lines.append(line)

    def begin_anew(self, entries: list[Entry]) -> None:
        """Begin another session with these lines; of its engine nothing has been said."""
        self.journal.begin_anew(entries)
        self.lacks_engine = False

    def opened(self, ticket: str, now: float) -> None:
        """Take note that the server has answered, with the pass to come back by."""
        self.journal.ticket = ticket
        self.pulse = Pulse(now)
        self.is_awaited = True
        self.is_dormant = self.is_ending = False

    def lost(self, now: float, *, silent: bool) -> None:
        """Take note that the connection is gone; `silent`: since it was heard last."""
        heard = self.pulse.heard_at if self.pulse and silent else now
        self.pulse = None
        self.lost_at = max(heard, now - _SILENCE)
        self.is_steady = False

    def wake(self, now: float) -> None:
        """Take note that a connection is needed: until now its absence was no outage."""
        if self.is_dormant and self.pulse is None:
            self.is_dormant = False
            self.lost_at = now

    def count(self) -> bool:
        """Count a line of the server's; say whether it is time to acknowledge."""
        self.journal.heard += 1
        self._unacknowledged += 1
        return self._unacknowledged >= _ACKNOWLEDGE

    def acknowledge(self, now: float) -> None:
        """Say what has been heard; the answer says what the server has, and that it is there."""
        if self.pulse:
            self.pulse.asked(now)
            self._unacknowledged = 0
            self._lines.append(bytes(Hello(heard=self.journal.heard)))

    def acknowledged(self, now: float) -> None:
        """Take note of the answer."""
        if self.pulse and (trip := self.pulse.answered(now)) is not None:
            self.round_trip.measured(trip)
