"""Connections that carry lines to and from a server, over WebSocket or TCP.

What waits for a server that does not read is bounded by `MAX_UNSENT`.

`dial_lines` returns a `LineConnection`, which sends lines and calls back with what the server
says, in pieces of whole lines.  Callbacks carry the lines and not coroutines: each step of the
event loop would cost as much as all else that a line needs.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, cast

from websockets.asyncio.client import ClientConnection
from websockets.client import ClientProtocol
from websockets.exceptions import WebSocketException
from websockets.frames import DATA_OPCODES, Frame
from websockets.protocol import OPEN, Event

from rookery_protocol.address import Address
from rookery_protocol.dialer import (
    NEXT_ADDRESS,
    OPEN_TIMEOUT,
    DialError,
    dial_websocket,
    failed_dial,
    how_to_log_in,
    no_answer,
)
from rookery_protocol.hello import Hello
from rookery_protocol.notices import Close, Code, Notice, legible
from rookery_protocol.tls_trust import Trust
from rookery_uci import LineBuffer

# Bytes that may wait for a server that does not read: many times what a game has.  Answers to
# its pings wait, too, so that it could fill the memory by those.
MAX_UNSENT = 1 << 22

LineReceiver = Callable[[bytes], None]  # receives whole lines, each ended by a newline


class LineConnection(Protocol):
    """A connection to a server's engine."""

    def send_line(self, line: bytes) -> None:
        """Send a line, without its newline."""

    async def wait_end(self) -> str:
        """Wait until the connection is lost; return why, or "" if all was said."""

    def abort(self) -> None:
        """Close the connection at once."""


async def dial_lines(
    address: Address, trust: Trust, receive: LineReceiver, hello: Hello, *, help_text: str = ""
) -> LineConnection:
    """Connect to an engine, and send the hello.

    Args:
        address: of the engine.
        trust: the token that is shown, and how the server is authenticated.
        receive: the receiver of the server's lines.
        hello: the first line, without engine and token.
        help_text: a command that says more, for the errors.

    Raises:
        DialError: the server cannot be reached, or has refused.

    """
    if address.is_websocket:
        connection = await dial_websocket(
            str(address), trust, WebSocketLines, help_text=help_text
        )  # No pings: the conversation asks whether the server is there.
        connection.start(receive)
        connection.send_line(bytes(hello))
        return connection
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(OPEN_TIMEOUT):
            _, lines = await loop.create_connection(
                lambda: TcpLines(receive, trust),
                address.host,
                address.port,
                ssl=trust.context() if address.is_secure else None,
                happy_eyeballs_delay=NEXT_ADDRESS,
            )
    except TimeoutError as error:
        raise DialError(no_answer(OPEN_TIMEOUT, help_text)) from error
    except (OSError, EOFError, WebSocketException, UnicodeError) as error:
        raise failed_dial(error, trust) from error
    lines.send_line(bytes(replace(hello, engine=address.engine, token=trust.token)))
    return lines


class BoundedConnection(ClientConnection):
    """A WebSocket connection that ends if too much waits to be sent."""

    def data_received(self, data: bytes) -> None:
        """Receive bytes, unless the server leaves too much of ours unread."""
        super().data_received(data)
        limit_unsent(self.transport)


def limit_unsent(transport: asyncio.WriteTransport) -> None:
    """Abort a connection to a server that does not read."""
    if transport.get_write_buffer_size() > MAX_UNSENT:
        transport.abort()


class WebSocketLines(BoundedConnection):
    """A WebSocket connection that passes text on where it is parsed."""

    def __init__(self, protocol: ClientProtocol, **settings: Any) -> None:
        super().__init__(protocol, **settings)
        self._receive: LineReceiver | None = None
        self._received = bytearray()

    def start(self, receive: LineReceiver) -> None:
        """Pass on what the engine says from now on, and what it has said already."""
        self._receive = receive
        self._pass_on()

    def send_line(self, line: bytes) -> None:
        """Send a line as a message."""
        if self.protocol.state is OPEN:
            self.protocol.send_text(line)
            self.send_data()
            limit_unsent(self.transport)

    def abort(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    async def wait_end(self) -> str:
        """Wait until the connection is lost; return why, or "" if all was said."""
        await self.wait_closed()
        if self.close_code == Close.DONE:
            return ""
        return legible(self.close_reason or "") or f"close code {self.close_code}"

    def process_event(self, event: Event) -> None:
        """Collect the text of a frame; the library handles all others."""
        if isinstance(event, Frame) and event.opcode in DATA_OPCODES:
            self._received += event.data
            if event.fin:
                self._received += b"\n"
        else:
            super().process_event(event)

    def data_received(self, data: bytes) -> None:
        """Receive bytes, and pass on all the lines in them at once."""
        super().data_received(data)
        self._pass_on()

    def _pass_on(self) -> None:
        # A message may come in several frames, so only whole lines are passed on.
        end = self._received.rfind(b"\n") + 1
        if end and self._receive:
            piece = bytes(self._received[:end])
            del self._received[:end]
            self._receive(piece)


_HTTP = b"HTTP/"  # No line of UCI begins so.
_OTHER_PORT = Notice(
    Code.WRONG_PROTOCOL,
    "this port is for http and ws://; tcp:// has the other one of the server's",
)


class TcpLines(asyncio.Protocol):
    """A TCP connection that carries lines."""

    def __init__(self, receive: LineReceiver, trust: Trust) -> None:
        self._receive = receive
        self._trust = trust
        self._lines = LineBuffer()
        self._transport: asyncio.Transport
        self._lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._last_notice: Notice | None = None

    def send_line(self, line: bytes) -> None:
        """Send a line."""
        if not self._transport.is_closing():
            self._transport.write(line + b"\n")
            limit_unsent(self._transport)

    async def wait_end(self) -> str:
        """Wait until the connection is lost; return why, or "" if all was said."""
        return await asyncio.shield(self._lost)

    def abort(self) -> None:
        """Close the connection at once."""
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast(asyncio.Transport, transport)  # by contract it is one

    def data_received(self, data: bytes) -> None:
        """Receive bytes, and pass on the whole lines in them."""
        piece = self._lines.feed_piece(data)
        if piece.startswith(_HTTP) and self._last_notice is None:
            self._transport.abort()  # More of the page would follow.
            piece = bytes(_OTHER_PORT) + b"\n"
        if piece:
            self._receive(piece)
            last = piece[:-1].rpartition(b"\n")[2]
            self._last_notice = Notice.parse(last.decode(errors="replace"))
            limit_unsent(self._transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Keep why the connection is lost: the last notice says it, if there was one."""
        reason = str(exc) if exc else ""
        if self._last_notice:
            reason = legible(self._last_notice.text)
            if self._last_notice.code is Code.UNAUTHORIZED and not self._trust.token:
                reason = how_to_log_in(self._trust)
        if not self._lost.done():
            self._lost.set_result(reason)
