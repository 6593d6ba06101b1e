"""Where the nodes bring the words of the engines that were ordered.

Whoever comes says in its first line whose it is, by a token that was made for that engine
alone, and what the connection is for; each token opens once for each.
"""

import asyncio
import logging
import secrets
import socket
from typing import cast

from rookery_server.access.crowd import Crowd, Place
from rookery_server.cluster.engine_actor import BACKLOG, NEWS, WORDS
from rookery_server.engines.socket_engine import EngineEvent, LinkedEngine
from rookery_server.log import Repetition

logger = logging.getLogger(__name__)

TOKEN_BYTES = 32
_GREETING = 5.0  # s until a guest has said who it is
_MAX_GREETING = 200  # bytes
_MAX_GUESTS = 256  # who have not said it yet
_LAST_WORDS = 1.0  # s
_MAX_NEWS = 65536  # bytes of a line


class NodeListener:
    """Listens for nodes."""

    def __init__(self) -> None:
        self._expected: dict[tuple[bytes, bytes], LinkedEngine] = {}  # by token and role
        self._tokens: dict[LinkedEngine, bytes] = {}
        self._reports: dict[LinkedEngine, asyncio.Transport] = {}
        self._guests: Crowd[_PendingConnection] = Crowd()
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
        for guest in self._guests:
            guest.leave()
        if self._server:
            self._server.close()
            await self._server.wait_closed()

    def expect(self, engine: LinkedEngine) -> str:
        """Return the token that opens for an engine."""
        token = secrets.token_hex(TOKEN_BYTES)
        self._tokens[engine] = token.encode()
        for role in (WORDS, NEWS):
            self._expected[token.encode(), role] = engine
        return token

    def forget(self, engine: LinkedEngine) -> None:
        """Take note that an engine is gone: nothing more is expected of it."""
        token = self._tokens.pop(engine, b"")
        for role in (WORDS, NEWS):
            self._expected.pop((token, role), None)
        if engine in self._reports:
            self._reports.pop(engine).abort()

    # --- for guests

    def came(self, guest: "_PendingConnection", address: str) -> None:
        """Let one more introduce itself; of too many, the oldest of the busiest address goes."""
        self._guests.add(guest, Place(address, address))
        if len(self._guests) > _MAX_GUESTS:
            oldest = self._guests.eldest(self._guests.largest())
            self._guests.discard(oldest)
            oldest.leave()

    def left(self, guest: "_PendingConnection") -> None:
        """Take note that one is known now, or gone."""
        self._guests.discard(guest)

    def owner(self, greeting: bytes) -> tuple[LinkedEngine, bytes] | None:
        """Return whose connection it is and what for; that opens once."""
        token, _, role = greeting.partition(b" ")
        engine = self._expected.pop((token, role), None)
        return (engine, role) if engine else None

    def refused(self, peer: object) -> None:
        """Log that a stranger was turned away: it may come again at once."""
        now = asyncio.get_running_loop().time()
        if text := self._strangers.again("has no engine's token", now):
            logger.warning("turned away %s, which %s", peer, text)

    def reported(self, engine: LinkedEngine, transport: asyncio.Transport) -> None:
        """Take note where an engine is reported of."""
        self._reports[engine] = transport


class _PendingConnection(asyncio.Protocol):
    """A connection that has not said yet whose it is."""

    def __init__(self, door: NodeListener) -> None:
        self._door = door
        self._said = b""
        self._timer: asyncio.TimerHandle
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass
        self._timer = asyncio.get_running_loop().call_later(_GREETING, self.leave)
        peer = transport.get_extra_info("peername")
        self._door.came(self, str(peer[0]) if peer else "")

    def data_received(self, data: bytes) -> None:
        self._said += data
        greeting, newline, rest = self._said.partition(b"\n")
        if newline and (owner := self._door.owner(greeting)):
            self._timer.cancel()
            self._door.left(self)
            self._hand_over(*owner, rest)
        elif newline or len(self._said) > _MAX_GREETING:
            self._door.refused(self._transport.get_extra_info("peername"))
            self.leave()

    def connection_lost(self, error: Exception | None) -> None:
        self._timer.cancel()
        self._door.left(self)

    def leave(self) -> None:
        self._transport.abort()

    def _hand_over(self, engine: LinkedEngine, role: bytes, rest: bytes) -> None:
        protocol = engine if role == WORDS else _EventConnection(engine, self._door)
        self._transport.set_protocol(protocol)
        protocol.connection_made(self._transport)
        if rest:
            protocol.data_received(rest)


class _EventConnection(asyncio.Protocol):
    """What the actor beside an engine tells of it; when that is gone, so is the engine."""

    def __init__(self, engine: LinkedEngine, door: NodeListener) -> None:
        self._engine = engine
        self._door = door
        self._tail = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._door.reported(self._engine, cast(asyncio.Transport, transport))

    def data_received(self, data: bytes) -> None:
        *lines, self._tail = (self._tail + data).split(b"\n")
        for line in lines:
            try:
                self._engine.heard(EngineEvent.parse(line))
            except ValueError as error:
                logger.warning("engine %s: %s", self._engine.label, error)
        self._tail = self._tail[:_MAX_NEWS]

    def connection_lost(self, error: Exception | None) -> None:
        if not self._engine.is_gone:  # Its last words may be on their way.
            loop = asyncio.get_running_loop()
            loop.call_later(_LAST_WORDS, self._engine.fail, "its place on the node is gone")
