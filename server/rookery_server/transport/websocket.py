"""Clients of the web port whose connection is a WebSocket: it carries the lines of a session.

The library has the protocol without I/O: it parses the handshake and frames, and makes the
answers to handshakes, pings and closes.  A line is one text message.  One that comes as one frame
goes straight to the session, without the library, which takes many times as long for it; and all
lines of a piece leave in one write.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from aiohttp import web
from websockets.exceptions import PayloadTooBig
from websockets.frames import DATA_OPCODES, CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import OPEN
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Close
from rookery_server.access.account import LOCAL
from rookery_server.session.client_channel import LineHandler
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.eviction import PolicedConnection, SocketPeer
from rookery_server.transport.framing import Bounds, frames, text_of
from rookery_server.transport.http_message import BAD_REQUEST, text_response
from rookery_server.transport.input_queue import InputQueue
from rookery_server.transport.tcp import FAREWELL, LINGER
from rookery_uci import MAX_LINE

logger = logging.getLogger(__name__)

MAX_UNREAD = 1 << 20  # bytes of answers to pings that a client leaves unread
PING_INTERVAL = 20.0  # s from one ping to the next, before which it must be answered
_MAX_UNSENT = 1 << 15  # bytes; of more a client counts as one that does not read
_MAX_REASON = 120  # bytes; a close frame has room for 123
_LONG_LENGTH = "the length of a frame must be written in as few bytes as it can be"

# Returns the answer to a handshake, for a WebSocket with the client's `relay` set.
Respond = Callable[["WebSocketClient", Request], Response]


class WebSocketProtocol(ServerProtocol):
    """The library's part of a connection; compression would cost 40 x the CPU and 37 KB each."""

    def __init__(self, offered: Sequence[Subprotocol]) -> None:
        super().__init__(max_size=MAX_LINE)
        self._offered = offered

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """Select ours if it is offered; a client that offers none is admitted too."""
        return next((each for each in self._offered if each in subprotocols), None)


class OpenConnection(Hashable, Protocol):
    """A connection that can be ended."""

    def abort(self) -> None:
        """End the connection at once."""


class OpenConnections:
    """The connections that are open, for the end of a server."""

    def __init__(self) -> None:
        self._all: set[OpenConnection] = set()
        self._emptied = asyncio.Event()

    def add(self, connection: OpenConnection) -> None:
        """Count a connection until `discard`."""
        self._all.add(connection)

    def discard(self, connection: OpenConnection) -> None:
        """Forget a connection that is over, or another's."""
        self._all.discard(connection)
        if not self._all:
            self._emptied.set()

    async def close(self, patience: float) -> None:
        """Wait until all have left; abort those that have not after so many seconds."""
        try:
            async with asyncio.timeout(patience):
                await self._until_empty()
        except TimeoutError:  # Some do not read, or have not sent a request.
            for each in list(self._all):
                each.abort()
            await self._until_empty()

    async def _until_empty(self) -> None:
        while self._all:
            self._emptied.clear()
            await self._emptied.wait()


@dataclass(frozen=True, slots=True, eq=False)
class WebPort:
    """One port of HTTP: what all of its connections share.

    `server` answers requests, and `respond` those for a WebSocket, where there may be any;
    `patience` is how many seconds the head of a request may take.
    """

    policy: ConnectionPolicy
    server: web.Server
    patience: float
    connections: OpenConnections
    respond: Respond | None = None
    subprotocols: Sequence[Subprotocol] = ()


class WebSocketClient(asyncio.Protocol):
    """A connection that was asked to be a WebSocket, and carries the lines of a session."""

    __slots__ = (
        "_bounds", "_fragments", "_input", "_is_binary", "_is_over", "_is_paused", "_pinged_at",
        "_port", "_timer", "_unread", "account", "address", "latency", "peer", "protocol", "relay",
        "transport",
    )  # fmt: skip

    shows_life = True  # It answers pings.
    is_idle = False
    peer: SocketPeer

    def __init__(
        self, port: WebPort, transport: asyncio.Transport, input_queue: InputQueue
    ) -> None:
        """Make a connection of one that is open already, whose input comes by this queue."""
        self.account = LOCAL
        self.address = ""
        self.latency = 0.0  # s from the last ping to its answer
        self.protocol = WebSocketProtocol(port.subprotocols)
        self.relay: LineHandler | None = None
        self.transport = transport
        self._port = port
        self._input = input_queue
        self._timer: asyncio.TimerHandle | None = None  # of the next ping, at last of the end
        self._is_over = False  # Nothing more is sent.
        self._is_paused = False  # The client does not read.
        self._pinged_at = 0.0  # the time of a ping that is not answered, else 0
        self._fragments = bytearray()
        self._is_binary = False  # the message of which a part has come
        self._unread = 0  # bytes of answers to pings, since the client has stopped reading
        self._bounds = Bounds()  # of the frames that the library gets

    def take_connection(self, former: PolicedConnection, head: bytes, rest: bytes) -> None:
        """Take a connection over, and answer the request for a WebSocket.

        Args:
            former: the connection as it was until now.
            head: the request; it is whole.
            rest: what has come behind it.

        """
        self.transport.set_write_buffer_limits(_MAX_UNSENT)
        self.transport.set_protocol(self)
        self._input.read_by(self._read)
        self._port.connections.add(self)
        self._port.policy.pass_on(former, self)
        self.protocol.receive_data(head)
        if events := self.protocol.events_received():
            request = cast(Request, events[0])
            if not self.transport.is_closing():  # A session for it would not be ended.
                self._answer(self._response(request))
            request.headers.clear()  # 2 KB, which the library would keep
        else:
            self.transport.write(text_response(400, BAD_REQUEST).serialize())
            self._send()
        if rest:
            self._read(rest)

    # --- for the session

    def send_lines(self, piece: bytes) -> None:
        """Send each line as a message, all in one write."""
        if not (self._is_over or self.transport.is_closing()):
            self.transport.write(frames(piece))

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when everything is sent, or that takes too long."""
        if self.protocol.state is OPEN and not self.transport.is_closing():
            short = reason.encode()[:_MAX_REASON].decode(errors="ignore")
            self.protocol.send_close(code, short)
        self._send()

    @property
    def is_held(self) -> bool:
        """True if more has come than is read for now."""
        return not self._input.is_clear

    def hold_input(self, why: Hashable) -> None:
        """Read no more while there is this reason, or any other."""
        self._input.pause(why)
        self._pinged_at = 0.0  # The answer may wait among what is not read.

    def release_input(self, why: Hashable) -> None:
        """Read again, if there is no other reason to pause."""
        self._input.resume(why)

    # --- for the policy and the server

    def abort(self) -> None:
        """End the connection at once."""
        self.transport.abort()

    def evict(self, error: RefusedError) -> bool:
        """Make room for others: a handshake that has failed is over, and another succeeds."""
        if not self._is_over:
            return False
        self._port.policy.reject(self, error.notice.code)
        self.transport.abort()
        return True

    # --- for asyncio

    def data_received(self, data: bytes) -> None:
        """Read bytes: a plain line goes to the session, everything else to the library."""
        if not self._input.is_clear or not self._read_plain_line(data):
            self._input.receive(data)
            if not self._input.is_clear:
                self._pinged_at = 0.0

    def eof_received(self) -> bool:
        """Handle the end of input: what came before it is still read."""
        self._input.finish()
        self.protocol.receive_eof()
        self._send()
        return False

    def pause_writing(self) -> None:
        """Tell the session that the client reads more slowly than it is written to."""
        self._is_paused = True
        if self.relay:
            self.relay.client_paused()

    def resume_writing(self) -> None:
        """Tell the session that the client reads again."""
        self._is_paused = False
        self._unread = 0
        if self._is_over:
            self._set_timer(LINGER, self.transport.abort)
        elif self.relay:
            self.relay.client_resumed()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._timer:
            self._timer.cancel()
        self._input.clear()
        self._port.connections.discard(self)
        self._port.policy.disconnect(self)
        if self.relay:
            self.relay.client_gone(self)
        # They know the protocol, and it knows them: a crowd that leaves would be left to the
        # collector of garbage, which stops everything for 0.2 s.
        self.protocol.parser.close()
        self.protocol.parser_exc = self.protocol.handshake_exc = None

    # --- the handshake

    def _response(self, request: Request) -> Response:
        assert self._port.respond
        try:
            return self._port.respond(self, request)
        except Exception:
            logger.exception("a request cannot be answered")
            return text_response(500, "the server has failed: see its log\n")

    def _answer(self, response: Response) -> None:
        """Send an answer; where it begins no WebSocket, nothing more is sent or read."""
        self.protocol.send_response(response)
        if self.protocol.state is OPEN:
            self._set_timer(PING_INTERVAL, self._ping)
        self._send()

    # --- lines

    def _read(self, data: bytes) -> None:
        if not self._read_plain_line(data):
            self._read_frames(data)

    def _read_plain_line(self, data: bytes) -> bool:
        """Pass on a line that has come as one whole frame; return whether it was that."""
        is_between = self._bounds.is_between and not (self._fragments or self._is_binary)
        if self.relay is None or not is_between:
            return False
        text = text_of(data)
        if text is None:
            return False
        self.relay.client_said(text.rstrip(b"\r\n"))
        return True

    def _read_frames(self, data: bytes) -> None:
        """Read what has come; the end that it leads to comes behind the lines before that."""
        before = self.transport.get_write_buffer_size()
        good = self._bounds.scan(data)
        self.protocol.receive_data(data[:good])
        if good < len(data) and self.protocol.state is OPEN:
            self.protocol.fail(CloseCode.PROTOCOL_ERROR, _LONG_LENGTH)
        for frame in self.protocol.events_received():
            self._process(cast(Frame, frame))
        is_overlong = isinstance(self.protocol.parser_exc, PayloadTooBig)
        if is_overlong and self.relay and not self._is_over:
            self.relay.client_overlong()
        self._send()
        if self._is_paused:  # Lines wait until the client reads; answers to pings do not.
            self._unread += self.transport.get_write_buffer_size() - before
            if self._unread > MAX_UNREAD:
                self.transport.abort()

    def _process(self, frame: Frame) -> None:
        """Handle a frame: text goes to the session; the library has answered pings and closes."""
        if frame.opcode is Opcode.PONG and self._pinged_at:
            self.latency = asyncio.get_running_loop().time() - self._pinged_at
            self._pinged_at = 0.0
        if self.relay is None or frame.opcode not in DATA_OPCODES:
            return
        if frame.opcode is Opcode.BINARY or self._is_binary:
            if not self._is_binary:
                self.relay.client_sent_binary()
            self._is_binary = not frame.fin
            return
        self._fragments += frame.data  # The protocol bounds the sum.
        if frame.fin:
            line, self._fragments = bytes(self._fragments), bytearray()
            self.relay.client_said(line.rstrip(b"\r\n"))

    def _ping(self) -> None:
        """Close if the last ping is not answered; else send the next, unless input waits.

        That is a sign of life, and the answer would be behind it.
        """
        if self._pinged_at:
            self.protocol.fail(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")
        else:
            self._set_timer(PING_INTERVAL, self._ping)
            if not self.is_held:
                self._pinged_at = asyncio.get_running_loop().time()
                self.protocol.send_ping(b"")
        self._send()

    # --- the end

    def _send(self) -> None:
        """Send what the library has ready; if that is the end, leave time to read it."""
        for data in self.protocol.data_to_send():
            if data:
                self.transport.write(data)
            elif self.transport.can_write_eof():
                with contextlib.suppress(OSError, RuntimeError):  # The peer may have left.
                    self.transport.write_eof()
            else:  # TLS has no half that could stay open.
                self.transport.close()
        is_over = self.protocol.eof_sent or self.protocol.close_expected()
        if is_over and not self._is_over:
            self._is_over = True
            self._set_timer(FAREWELL if self._is_paused else LINGER, self.transport.abort)

    def _set_timer(self, seconds: float, act: Callable[[], None]) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, act)
