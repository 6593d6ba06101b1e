"""How one connection hears: at once, or, if it reads slowly, the newest when it reads again."""

from collections.abc import Hashable
from enum import Enum, auto
from typing import Protocol

from rookery_protocol.notices import Close, Hello
from rookery_server.session.client_liveness import Pulse, Sign
from rookery_server.session.outbox import Outbox


class Partner(Protocol):
    """Whom a connection speaks with: a session, or a room that it watches."""

    @property
    def owed(self) -> object | None:
        """What is kept for a client that may come back; None if it may not."""

    def client_said(self, line: bytes) -> None:
        """Take a line from the client."""

    def client_overlong(self) -> None:
        """Take note that the client sent more than a line may hold."""

    def client_sent_binary(self) -> None:
        """Take note of a message that is no text."""

    def client_ended(self) -> None:
        """Take note that the client will say nothing more, but may still listen."""

    def client_gone(self, client: "Client") -> None:
        """Take note that a connection is lost."""

    def client_paused(self) -> None:
        """Take note that the client does not read as fast as it is told."""

    def client_resumed(self) -> None:
        """Take note that the client reads again."""


class Hold(Enum):
    """Why a client is not heard for now.

    There may be several reasons at once, each with who sees to its end.
    """

    QUOTA = auto()  # it has said more than its account may
    ENGINE = auto()  # it is far ahead of the engine
    ANSWERS = auto()  # it leaves its answers unread
    WATCHING = auto()  # it has said more than one who watches may


class Client(Protocol):
    """What a connection offers, whatever it is made of."""

    relay: Partner | None  # whom it speaks with
    address: str  # whence it is, seen through the proxies
    shows_life: bool  # the transport asks it whether it is there, and closes if it is not

    @property
    def is_held(self) -> bool:
        """Whether it has said more than is heard for now."""

    def tell(self, piece: bytes) -> None:
        """Send whole lines, each ended by a newline, in one write."""

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when all that was told is sent."""

    def hold(self, why: Hashable) -> None:
        """Hear no more while there is this reason, or any other."""

    def release(self, why: Hashable) -> None:
        """Hear again, if there is no other reason why not."""


class Ear:
    """A connection's hearing.

    It goes with the connection from one partner to another: a transport says only once that
    its client does not read.
    """

    __slots__ = ("_outbox", "client", "paused", "pulse")

    def __init__(self, client: Client) -> None:
        self.client = client
        self.paused = False
        self.pulse: Pulse | None = None  # if the client wants to be asked whether it is there
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

    def forget(self) -> None:
        """Leave out all that has to wait."""
        self._outbox.take()

    def be_asked(self, seconds: int, now: float) -> None:
        """Ask the client every so many seconds whether it is there; 0 is never.

        The first question says that it will be; another value of the client's is answered likewise.
        """
        pulse = Pulse(seconds, now) if seconds else None
        if pulse and self.pulse and pulse.seconds == self.pulse.seconds:
            return  # That was the answer.
        self.pulse = pulse
        self._ask()

    def look(self, now: float) -> bool:
        """Say whether the client is there, as far as is known; ask it if it is time to."""
        if self.pulse is None:
            return True
        self.pulse.is_heard |= self.client.is_held
        sign = self.pulse.look(now)
        if sign is Sign.ASK:
            self._ask()
        return sign is not Sign.GONE

    def _ask(self) -> None:
        self.tell(b"%b\n" % bytes(Hello(alive=self.pulse.seconds if self.pulse else 0)))

    def finish(self, code: Close, reason: str) -> None:
        """Tell what still waits, and close."""
        self.resume()
        self.client.finish(code, reason)
