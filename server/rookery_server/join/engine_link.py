"""The connections to the server that is joined: the target that is dialled, and the links.

A link gives the server one engine of this machine, as the client of a session here.  So the
server has of an engine what any client would have: each line is checked by the
policy of this machine's owner, a mute or dead engine is replaced, and where the line out is
slow the server gets the newest and not what is old.
"""

import asyncio
from collections.abc import Awaitable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN, Event
from websockets.typing import DataLike

from rookery_protocol.dialer import DialError, dial_websocket
from rookery_protocol.line_connection import WebSocketLines
from rookery_protocol.notices import Close
from rookery_protocol.tls_trust import Trust
from rookery_server.joined.joining_messages import PATH, SUBPROTOCOL
from rookery_server.session.client_channel import LineHandler
from rookery_uci import MAX_LINE

_MAX_EARLY = 1 << 16  # bytes that the server may say before there is a session
_MAX_REASON = 120  # bytes; a close frame has room for 123
_OWN_LINE = b"rookery "  # begins what clients of this machine may ask of it, and no server
_NORMAL = 1000
PING = 10.0  # s from one ping to the next, and as long until a connection counts as dead


C = TypeVar("C", bound=ClientConnection)


@dataclass(frozen=True, slots=True)
class JoinTarget:
    """The address of the server (`wss://rook.example`), and what is shown to it."""

    url: str
    trust: Trust

    async def dial(self, kind: type[C], headers: dict[str, str] | None = None) -> C:
        """Return a connection of that kind.

        Raises:
            DialError: the server cannot be reached, refuses, or has left at once.

        """
        connection = await dial_websocket(
            f"{self.url}{PATH}",
            self.trust,
            kind,
            subprotocol=SUBPROTOCOL,
            headers=headers,
            ping=PING,
        )
        if connection.transport.is_closing():
            raise DialError(connection.close_reason or "the connection was lost")
        return connection


class EngineLink(WebSocketLines):
    """A connection of the library that exchanges lines with a session.

    It is now and again not read.  The library would take it for dead: it waits for the answers to
    its pings, which are among what is not read yet.
    """

    shows_life = True  # It answers pings.

    def __init__(self, protocol: ClientProtocol, **settings: Any) -> None:
        super().__init__(protocol, **settings)
        self.relay: LineHandler | None = None
        self.address = ""
        self._holds: set[Hashable] = set()  # why nothing is read for now
        self._finished: asyncio.Future[tuple[int, str]] = self.loop.create_future()

    @property
    def is_over(self) -> bool:
        """True if its session has ended, though the connection may still be there."""
        return self._finished.done() or self.protocol.state is not OPEN

    def attach(self, relay: LineHandler) -> None:
        """Exchange lines with a session, which gets those that have come already."""
        self.relay = relay
        self.start(self._receive_lines)

    async def until_finished(self) -> None:
        """Wait for the end of the conversation and close the connection."""
        code, reason = await self._finished
        await self.close(code, reason.encode()[:_MAX_REASON].decode(errors="ignore"))

    # --- for the session

    def send_lines(self, piece: bytes) -> None:
        """Send lines, as many in one message as it may have."""
        if self.protocol.state is OPEN and not self.transport.is_closing():
            for text in messages(piece):
                self.protocol.send_text(text)
            self.send_data()

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when all that was told is sent."""
        if not self._finished.done():
            self._finished.set_result((int(code), reason))

    def hold_input(self, why: Hashable) -> None:
        """Read no more while there is this reason, or any other."""
        self._holds.add(why)
        for answered, _ in self.pending_pings.values():
            if not answered.done():
                answered.set_result(0.0)
        self.pending_pings.clear()
        if not self.transport.is_closing():
            self.transport.pause_reading()

    def release_input(self, why: Hashable) -> None:
        """Read again, if there is no other reason why not."""
        self._holds.discard(why)
        if not (self._holds or self.transport.is_closing()):
            self.transport.resume_reading()

    # --- for the library

    @property
    def is_held(self) -> bool:
        """True if nothing is read for now."""
        return bool(self._holds)

    async def ping(self, data: DataLike | None = None) -> Awaitable[float]:
        """Ping the peer, unless its input waits to be read: that is a sign of life."""
        if self.is_held:
            answered: asyncio.Future[float] = self.loop.create_future()
            answered.set_result(0.0)
            return answered
        return await super().ping(data)

    def process_event(self, event: Event) -> None:
        """Process a frame: its text waits for the session."""
        if isinstance(event, Frame) and event.opcode is Opcode.BINARY:
            self.finish(Close.POLICY, "a line is a text message, not a binary one")
            return
        super().process_event(event)
        if self.relay is None and len(self._received) > _MAX_EARLY:
            self._received.clear()
            self.finish(Close.POLICY, "too much was said before there was a session")

    def _receive_lines(self, piece: bytes) -> None:
        for line in piece.splitlines():
            if self.relay and not line.startswith(_OWN_LINE):
                self.relay.client_said(line)

    def pause_writing(self) -> None:
        """Leave out what is old: the line out is full."""
        super().pause_writing()
        if self.relay:
            self.relay.client_paused()

    def resume_writing(self) -> None:
        """Send again: the line out has room."""
        super().resume_writing()
        if self.relay:
            self.relay.client_resumed()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the session: the connection is gone."""
        super().connection_lost(exc)
        if self.relay:
            self.relay.client_gone(self)
        if not self._finished.done():
            self._finished.set_result((_NORMAL, ""))


def messages(piece: bytes) -> Iterator[bytes]:
    """Yield whole lines of a piece, as many together as a message may have.

    Each line ends with a newline in the piece, and the last of a message without one.  A line
    that no message has room for is left out: one that was no UTF-8 has grown by being repaired.
    """
    start = 0
    while start < len(piece):
        stop = len(piece)
        if stop - start > MAX_LINE + 1:
            stop = piece.rfind(b"\n", start, start + MAX_LINE + 1) + 1
            if not stop:
                start = piece.index(b"\n", start) + 1
                continue
        yield piece[start : stop - 1]
        start = stop
