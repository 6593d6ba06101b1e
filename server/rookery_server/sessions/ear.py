"""How one connection hears: at once, or, if it reads slowly, the newest when it reads again."""

from typing import TYPE_CHECKING, Protocol

from rookery_server.sessions.outbox import Outbox
from rookery_server.wire import Close

if TYPE_CHECKING:
    from rookery_server.sessions.relay import Relay


class Client(Protocol):
    """What a connection offers, whatever it is made of."""

    relay: "Relay | None"  # the session that it is part of
    address: str  # whence it is, seen through the proxies

    def tell(self, piece: bytes) -> None:
        """Send whole lines, each ended by a newline, in one write."""

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when all that was told is sent."""

    def pause_reading(self) -> None:
        """Hear no more for now; to say so twice does no harm."""

    def resume_reading(self) -> None:
        """Hear again."""


class Ear:
    """A connection's hearing."""

    __slots__ = ("_outbox", "client", "paused")

    def __init__(self, client: Client) -> None:
        self.client = client
        self.paused = False
        self._outbox = Outbox()

    @property
    def waiting(self) -> int:
        """How many bytes wait for the client to read again."""
        return self._outbox.size

    def tell(self, piece: bytes) -> None:
        """Let the client hear lines, now or when it reads again."""
        if self.paused:
            self._outbox.put(piece)
        else:
            self.client.tell(piece)

    def resume(self) -> None:
        """Tell the newest of what had to wait."""
        self.paused = False
        if piece := self._outbox.take_newest():
            self.client.tell(piece)

    def finish(self, code: Close, reason: str) -> None:
        """Tell what still waits, and close."""
        self.resume()
        self.client.finish(code, reason)
