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
from rookery_server.access.peer import AddressGroup
from rookery_server.cluster.engine_actor import BACKLOG, EVENTS, LINES
from rookery_server.engines.socket_engine import SocketEngine
from rookery_server.log import Repetition

logger = logging.getLogger(__name__)

TOKEN_BYTES = 32
PIECE = 32768  # bytes read at once: what is handled together stays in the cache of a CPU
_GREETING = 5.0  # s until a connection has shown its token
_MAX_GREETING = 200  # bytes
_MAX_PENDING = 256  # connections that have not shown it yet
_LAST_LINES = 1.0  # s in which they come, after the connection for events is lost
_MAX_EVENT = 65536  # bytes of a line
_LOST = "its connection was lost"


class NodeListener:
    """The server socket for nodes, and the tokens that open it."""

    def __init__(self) -> None:
        self._expected: dict[tuple[bytes, bytes], SocketEngine] = {}  # by token and purpose
        self._tokens: dict[SocketEngine, bytes] = {}
        self._events: dict[SocketEngine, asyncio.Transport] = {}
        self._pending: Crowd[_PendingConnection] = Crowd()
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
        for connection in self._pending:
            connection.abort()
        if self._server:
            self._server.close()
            await self._server.wait_closed()

    def expect(self, engine: SocketEngine) -> str:
        """Return the token that opens for an engine."""
        token = secrets.token_hex(TOKEN_BYTES)
        self._tokens[engine] = token.encode()
        for purpose in (LINES, EVENTS):
            self._expected[token.encode(), purpose] = engine
        return token

    def expect_no_more(self, engine: SocketEngine) -> None:
        """Close what there is of an engine that is gone, and refuse its token."""
        token = self._tokens.pop(engine, b"")
        for purpose in (LINES, EVENTS):
            self._expected.pop((token, purpose), None)
        if engine in self._events:
            self._events.pop(engine).abort()

    # --- for connections

    def add_pending(self, connection: "_PendingConnection", address: str) -> None:
        """Let one more show its token; of too many, the oldest of the busiest address is closed."""
        self._pending.add(connection, AddressGroup(address, address))
        if len(self._pending) > _MAX_PENDING:
            oldest = self._pending.oldest(self._pending.largest_network())
            self._pending.discard(oldest)
            oldest.abort()

    def discard_pending(self, connection: "_PendingConnection") -> None:
        """Count a connection no more that has shown its token, or is gone."""
        self._pending.discard(connection)

    def redeem(self, greeting: bytes) -> tuple[SocketEngine, bytes] | None:
        """Return the engine of a greeting, and the purpose of its connection; that opens once."""
        token, _, purpose = greeting.partition(b" ")
        engine = self._expected.pop((token, purpose), None)
        return (engine, purpose) if engine else None

    def log_stranger(self, peer: object) -> None:
        """Log that a connection was refused: its peer may come again at once."""
        now = asyncio.get_running_loop().time()
        if text := self._strangers.again("has no engine's token", now):
            logger.warning("turned away %s, which %s", peer, text)

    def add_events(self, engine: SocketEngine, transport: asyncio.Transport) -> None:
        """Record the connection over which an engine is reported on."""
        self._events[engine] = transport


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
        if newline and (owner := self._listener.redeem(greeting)):
            self._timer.cancel()
            self._listener.discard_pending(self)
            self._become(*owner, rest)
        elif newline or len(self._received) > _MAX_GREETING:
            self._listener.log_stranger(self._transport.get_extra_info("peername"))
            self.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._timer.cancel()
        self._listener.discard_pending(self)

    def abort(self) -> None:
        self._transport.abort()

    def _become(self, engine: SocketEngine, purpose: bytes, rest: bytes) -> None:
        """Continue as what the connection is for."""
        protocol: _NodeLines | _NodeEvents
        if purpose == LINES:
            protocol = _NodeLines(engine, self._transport)
            self._transport.set_protocol(protocol)
            engine.connected(protocol)
        else:
            protocol = _NodeEvents(engine)
            self._transport.set_protocol(protocol)
            self._listener.add_events(engine, self._transport)
        if rest:
            protocol.data_received(rest)


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
        self._tail = b""

    def data_received(self, data: bytes) -> None:
        *lines, self._tail = (self._tail + data).split(b"\n")
        for line in lines:
            self._engine.event_received(line)
        self._tail = self._tail[:_MAX_EVENT]

    def connection_lost(self, error: Exception | None) -> None:
        if not self._engine.is_gone:  # Its last lines may be on their way.
            loop = asyncio.get_running_loop()
            loop.call_later(_LAST_LINES, self._engine.fail, "its place on the node is gone")
