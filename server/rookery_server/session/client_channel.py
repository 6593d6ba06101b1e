"""One connection to a client: lines go at once, or the newest of them when the client reads again.

The protocols say what a connection offers, and what it needs of the party that it speaks with.
"""

from collections.abc import Hashable
from enum import Enum, auto
from typing import Protocol

from rookery_protocol.hello import Hello
from rookery_protocol.notices import Close
from rookery_server.session.line_buffers import Outbox

SHORTEST_INTERVAL, LONGEST_INTERVAL = 1, 3600  # s from one question to the next


class LineHandler(Protocol):
    """The party that a connection speaks with: a session, or a room that it watches."""

    @property
    def may_return(self) -> bool:
        """True if the client may come back over another connection."""

    def client_said(self, line: bytes) -> None:
        """Process a line of the client's."""

    def client_overlong(self) -> None:
        """Refuse a line that is longer than any may be."""

    def client_sent_binary(self) -> None:
        """Refuse a message that is no text."""

    def client_ended(self) -> None:
        """Answer what was asked: the client says nothing more, but may still listen."""

    def client_gone(self, client: "Client") -> None:
        """Go on without a connection, which is lost."""

    def client_paused(self) -> None:
        """Send less: the client reads more slowly than lines are sent."""

    def client_resumed(self) -> None:
        """Send the newest: the client reads again."""


class Hold(Enum):
    """A reason why nothing is read from a client for now; there may be several at once."""

    QUOTA = auto()  # it has said more than its account may
    ENGINE = auto()  # it is far ahead of the engine
    ANSWERS = auto()  # it leaves its answers unread
    WATCHING = auto()  # it has said more than a spectator may


class Client(Protocol):
    """A connection, over any transport."""

    relay: LineHandler | None  # the party that it speaks with
    address: str  # of the client, as its proxies tell
    shows_life: bool  # the transport asks it whether it is there, and closes if it is not

    @property
    def is_held(self) -> bool:
        """True if nothing is read from it for now."""

    def send_lines(self, piece: bytes) -> None:
        """Send whole lines, each ended by a newline, in one write."""

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when all lines are sent."""

    def hold_input(self, why: Hashable) -> None:
        """Read nothing more while there is this reason, or any other."""

    def release_input(self, why: Hashable) -> None:
        """Read again, if there is no other reason why not."""


class ClientChannel:
    """The sending side of one connection.

    It goes with the connection from one line handler to another: a transport says only once that
    its client does not read.

    A client may want to be asked whether it is there.  A program may stand still on a machine that
    does not: its kernel still acknowledges what is sent to it, and only the program itself could
    say that it is there.  It has as long to answer as from one question to the next; whatever it
    says is an answer.
    """

    __slots__ = ("asked_at", "asks_every", "client", "is_heard", "outbox", "paused")

    def __init__(self, client: Client) -> None:
        self.client = client
        self.paused = False
        self.outbox = Outbox()
        self.asks_every = 0  # s from one question to the next; 0 is that none is asked
        self.is_heard = False  # since the last question
        self.asked_at = 0.0  # s

    def send_lines(self, piece: bytes) -> None:
        """Send lines now, or when the client reads again."""
        if self.paused:
            self.outbox.append(piece)
        else:
            self.client.send_lines(piece)

    def resume(self) -> None:
        """Send the newest of what had to wait."""
        self.paused = False
        if piece := self.outbox.take_newest():
            self.client.send_lines(piece)

    def ask_every(self, seconds: int, now: float) -> None:
        """Ask the client every so many seconds whether it is there; 0 is never.

        The first question says that it will be; another interval is answered likewise.
        """
        if seconds:
            seconds = min(max(seconds, SHORTEST_INTERVAL), LONGEST_INTERVAL)
        if not seconds or seconds != self.asks_every:  # Else it was an answer.
            self.asks_every = seconds
            self._ask_liveness(now)

    def check_liveness(self, now: float) -> bool:
        """Return whether the client is there, as far as is known; ask it if it is time to."""
        self.is_heard |= self.client.is_held
        is_due = self.asks_every and now - self.asked_at >= self.asks_every
        if is_due and not self.is_heard:
            return False
        if is_due:
            self._ask_liveness(now)
        return True

    def _ask_liveness(self, now: float) -> None:
        self.is_heard, self.asked_at = False, now
        self.send_lines(b"%b\n" % bytes(Hello(alive=self.asks_every)))

    def finish(self, code: Close, reason: str) -> None:
        """Send what still waits, and close."""
        self.resume()
        self.client.finish(code, reason)
