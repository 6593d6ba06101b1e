"""Clients over plain TCP: lines, as on an engine's own input and output.

The first line may be a hello that names an engine (`rookery engine NAME`); if it is
already UCI, the default engine is meant, so that `nc` alone is a client.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import cast

from rookery_engine.uci import LineBuffer, UciError
from rookery_server.ear import Client
from rookery_server.errors import RefusedError
from rookery_server.relay import Relay
from rookery_server.wire import Close, Code, Hello, Notice

# Bytes that the kernel takes before they can be sent.  It would take megabytes, and a
# client on a slow link would then hear what was true half a minute ago.
_BACKLOG = 65536

# Starts an engine for a client: the one of that name, or the default one.
Opener = Callable[[str | None, Client], Relay]


class TcpClient(asyncio.Protocol):
    """A TCP connection that speaks lines with a relay."""

    def __init__(self, opener: Opener) -> None:
        self._open = opener
        self.relay: Relay | None = None
        self._lines = LineBuffer()
        self._transport: asyncio.Transport

    # --- for the relay

    def tell(self, piece: bytes) -> None:
        """Send whole lines, in one write."""
        if not self._transport.is_closing():
            self._transport.write(piece)

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when all that was told is sent."""
        self._transport.close()

    def pause_reading(self) -> None:
        """Hear no more for now."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Hear again."""
        if not self._transport.is_closing():
            self._transport.resume_reading()

    # --- for asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection; the engine is started by its first line."""
        # By contract it is one, though uvloop's are no subclass of it.
        self._transport = cast(asyncio.Transport, transport)
        bound_backlog(transport)

    def data_received(self, data: bytes) -> None:
        """Take bytes: whole lines go to the relay."""
        for line in self._lines.feed(data):
            self._hear(line)
        if self._lines.overlong and self.relay:
            self.relay.client_overlong()

    def eof_received(self) -> bool:
        """Take note of the end of input: what was asked before it is still answered."""
        if rest := self._lines.rest():
            self._hear(rest)
        if self.relay is None:
            return False
        self.relay.client_ended()
        return True  # Leave it open to write.

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note that the connection is gone."""
        if self.relay:
            self.relay.client_gone(self)

    def pause_writing(self) -> None:
        """Take note that the client does not read as fast as it is told."""
        if self.relay:
            self.relay.client_paused()

    def resume_writing(self) -> None:
        """Take note that the client reads again."""
        if self.relay:
            self.relay.client_resumed()

    def _hear(self, line: bytes) -> None:
        if self._transport.is_closing():
            return
        if self.relay:
            self.relay.client_said(line)
            return
        try:
            hello = Hello.parse(line)
            self.relay = self._open(hello.engine if hello else None, self)
        except UciError as error:
            self._refuse(Notice(Code.BAD_COMMAND, str(error)))
            return
        except RefusedError as error:
            self._refuse(error.notice)
            return
        if hello is None or hello.session:
            self.relay.client_said(line)

    def _refuse(self, notice: Notice) -> None:
        self.tell(b"%b\n" % bytes(notice))
        self._transport.close()


def bound_backlog(transport: asyncio.BaseTransport) -> None:
    """Let the connection's output wait here, where newer lines replace older ones."""
    sock = transport.get_extra_info("socket")
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _BACKLOG)
