"""The listener to which the nodes bring the output of the engines that were ordered.

A connection says in its first line which engine it is of, by a token that was made for that
engine alone, and what the connection is for; each token opens once for each purpose.
"""

import asyncio
import contextlib
import logging
import secrets
import socket
from typing import cast

from rookery_server.access.admission import Crowd
from rookery_server.access.origin import AddressGroup
from rookery_server.cluster.engine_actor import BACKLOG, EVENTS, LINES
from rookery_server.engines.socket_engine import SocketEngine
from rookery_server.log import Repetition
from rookery_uci import LineBuffer

logger = logging.getLogger(__name__)

TOKEN_BYTES = 32
PIECE = 32768  # bytes read at once: what is handled together stays in the cache of a CPU
_GREETING = 5.0  # s until a connection has shown its token
_MAX_GREETING = 200  # bytes
_MAX_PENDING = 256  # connections that have not shown it yet
_LAST_LINES = 1.0  # s in which they come, after the connection for events is lost
_LOST = "its connection was lost"


class NodeListener:
    """The server socket for nodes, and the tokens that open it."""

    def __init__(self) -> None:
        self._expected: dict[tuple[bytes, bytes], SocketEngine] = {}  # by token and purpose
        self._events: dict[SocketEngine, asyncio.Transport] = {}
        self.pending: Crowd[_PendingConnection] = Crowd()  # have not shown a token yet
        self._strangers = Repetition()  # in the log
        self._server: asyncio.Server | None = None
        self.port = 0

    async def open(self, host: str, port: int) -> None:
        """Listen; port 0 is any free one.

        Raises:
            OSError: that is not possible.

        """
        loop = asyncio.get_running_loop()
        (family, *_, address), *_ = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            # No more may be on its way than this: a slow client hears what is true now.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BACKLOG)
            listening.bind(address)
            self._server = await loop.create_server(
                lambda: _PendingConnection(self), sock=listening
            )
        except OSError:
            listening.close()
            raise
        self.port = listening.getsockname()[1]

    async def close(self) -> None:
        """Listen no more."""
        for connection in self.pending:
            connection.abort()
        if self._server:
            self._server.close()
            await self._server.wait_closed()

    def expect(self, engine: SocketEngine) -> str:
        """Return the token that opens for an engine."""
        token = secrets.token_hex(TOKEN_BYTES)
        for purpose in (LINES, EVENTS):
            self._expected[token.encode(), purpose] = engine
        return token

    def expect_no_more(self, engine: SocketEngine) -> None:
        """Close what there is of an engine that is gone, and refuse its token."""
        for key in [key for key, each in self._expected.items() if each is engine]:
            del self._expected[key]
        if events := self._events.pop(engine, None):
            events.abort()

    # --- for connections

    def add_pending(self, connection: "_PendingConnection", address: str) -> None:
        """Let one more show its token; of too many, the oldest of the busiest address is closed."""
        self.pending.add(connection, AddressGroup(address, address))
        if len(self.pending) > _MAX_PENDING:
            oldest = self.pending.oldest(self.pending.networks.most())
            self.pending.discard(oldest)
            oldest.abort()

    def redeem(
        self, greeting: bytes, transport: asyncio.Transport
    ) -> "_NodeLines | _NodeEvents | None":
        """Give a connection that shows a token its protocol; None if nothing opens for it.

        What the connection is for opens once.
        """
        token, _, purpose = greeting.partition(b" ")
        engine = self._expected.pop((token, purpose), None)
        if engine is None:
            return None
        protocol = _NodeLines(engine, transport) if purpose == LINES else _NodeEvents(engine)
        transport.set_protocol(protocol)
        if isinstance(protocol, _NodeLines):
            engine.connected(protocol)
        else:
            self._events[engine] = transport
        return protocol

    def log_stranger(self, peer: object) -> None:
        """Log that a connection was refused: its peer may come again at once."""
        now = asyncio.get_running_loop().time()
        if text := self._strangers.again("has no engine's token", now):
            logger.warning("turned away %s, which %s", peer, text)


class _PendingConnection(asyncio.Protocol):
    """A connection that has not shown its token yet."""

    def __init__(self, listener: NodeListener) -> None:
        self._listener = listener
        self._received = b""
        self._timer: asyncio.TimerHandle
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass
        self._timer = asyncio.get_running_loop().call_later(_GREETING, self.abort)
        peer = transport.get_extra_info("peername")
        self._listener.add_pending(self, str(peer[0]) if peer else "")

    def data_received(self, data: bytes) -> None:
        self._received += data
        greeting, newline, rest = self._received.partition(b"\n")
        if newline and (protocol := self._listener.redeem(greeting, self._transport)):
            self.connection_lost(None)
            if rest:
                protocol.data_received(rest)
        elif newline or len(self._received) > _MAX_GREETING:
            self._listener.log_stranger(self._transport.get_extra_info("peername"))
            self.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """Count it no more: it is gone, or has another protocol."""
        self._timer.cancel()
        self._listener.pending.discard(self)

    def abort(self) -> None:
        self._transport.abort()


class _NodeLines(asyncio.BufferedProtocol):
    """The connection that is the stdin and stdout of an engine on a node."""

    def __init__(self, engine: SocketEngine, transport: asyncio.Transport) -> None:
        self._engine = engine
        self._transport = transport
        self._buffer = memoryview(bytearray(PIECE))

    # --- as the engine's connection

    @property
    def unsent(self) -> int:
        """The number of bytes that it has taken and that are not on their way yet."""
        return self._transport.get_write_buffer_size()

    def send_lines(self, piece: bytes) -> None:
        """Send whole lines."""
        if not self._transport.is_closing():
            self._transport.write(piece)

    def set_reading(self, *, on: bool) -> None:
        """Read from now on, or do not."""
        if not self._transport.is_closing():
            with contextlib.suppress(RuntimeError):  # uvloop's, of one that is just closing
                if on:
                    self._transport.resume_reading()
                else:
                    self._transport.pause_reading()

    def close(self, reason: str) -> None:
        """Close the connection when all is sent."""
        self._transport.close()

    def abort(self, reason: str) -> None:
        """Close the connection at once."""
        self._transport.abort()

    # --- as the transport's protocol

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(self._buffer[:nbytes]))

    def data_received(self, data: bytes) -> None:
        self._engine.data_received(data)

    def pause_writing(self) -> None:
        self._engine.sending_paused()

    def resume_writing(self) -> None:
        self._engine.sending_resumed()

    def connection_lost(self, error: Exception | None) -> None:
        self._engine.connection_lost(f"{_LOST}: {error}" if error else _LOST)


class _NodeEvents(asyncio.Protocol):
    """The connection over which the actor reports on its engine; one does not outlive the other."""

    def __init__(self, engine: SocketEngine) -> None:
        self._engine = engine
        self._buffer = LineBuffer()

    def data_received(self, data: bytes) -> None:
        for line in self._buffer.feed(data):
            self._engine.event_received(line)

    def connection_lost(self, error: Exception | None) -> None:
        if not self._engine.is_gone:  # Its last lines may be on their way.
            loop = asyncio.get_running_loop()
            loop.call_later(_LAST_LINES, self._engine.fail, "its place on the node is gone")
