"""Clients of the web port: a request, and then perhaps the lines of a session.

The library has the protocol without I/O: it parses requests and frames, and makes the answers to
handshakes, pings and closes.  A line is one text message.  One that comes as one frame goes
straight to the session, without the library, which takes many times as long for it; and all
lines of a piece leave in one write.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Hashable
from typing import cast

from websockets.exceptions import InvalidMessage, PayloadTooBig
from websockets.frames import DATA_OPCODES, CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Close
from rookery_server.access.account import LOCAL
from rookery_server.session.client_channel import LineHandler
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.eviction import SocketPeer
from rookery_server.transport.framing import Bounds, frames, text_of
from rookery_server.transport.http_message import refusal_response, text_response
from rookery_server.transport.input_queue import InputQueue
from rookery_server.transport.tcp import FAREWELL, LINGER

logger = logging.getLogger(__name__)

MAX_REQUEST = 8192  # bytes that a stranger may send
MAX_LINES = 128  # of a request; the library takes a few more
MAX_UNREAD = 1 << 20  # bytes of answers to pings that a client leaves unread
PING_INTERVAL = 20.0  # s from one ping to the next, before which it must be answered
_MAX_UNSENT = 1 << 15  # bytes; of more a client counts as one that does not read
_MAX_REASON = 120  # bytes; a close frame has room for 123
_TOO_LARGE = f"a request has at most {MAX_REQUEST} bytes in {MAX_LINES} lines\n"
_BAD_REQUEST = "bad request: what is read here is HTTP/1.1 in ASCII, without a body\n"
_END_OF_LINE, _END_OF_REQUEST = b"\r\n", b"\r\n\r\n"
_LONG_LENGTH = "the length of a frame must be written in as few bytes as it can be"

# Returns the answer to a request, for a WebSocket with the client's `relay` set.
Respond = Callable[["WebSocketClient", Request], Response]


class WebSocketClient(asyncio.Protocol):
    """A connection of the web port; as a WebSocket it carries the lines of a session."""

    __slots__ = (
        "_bounds", "_fragments", "_gone", "_head", "_input", "_is_binary", "_is_over", "_is_paused",
        "_open_clients", "_patience", "_pinged_at", "_policy", "_respond", "_timer", "_unread",
        "account", "address", "latency", "peer", "protocol", "refusal", "relay", "transport",
    )  # fmt: skip

    shows_life = True  # It answers pings.
    peer: SocketPeer
    transport: asyncio.Transport
    _input: InputQueue
    _timer: asyncio.TimerHandle  # of the request, then of the next ping, at last of the end

    def __init__(
        self,
        protocol: ServerProtocol,
        policy: ConnectionPolicy,
        respond: Respond,
        open_clients: "set[WebSocketClient]",
        patience: float,
    ) -> None:
        """Make a connection; it is among the `open_clients` for as long as it is open.

        Args:
            protocol: the library's part of it.
            policy: decides whether it may come in.
            respond: returns the answer to its request.
            open_clients: the connections of the server.
            patience: s that its request may take.

        """
        self.account = LOCAL
        self.address = ""
        self.latency = 0.0  # s from the last ping to its answer
        self.protocol = protocol
        self.refusal: RefusedError | None = None  # of a connection that is one too many
        self.relay: LineHandler | None = None
        self._policy = policy
        self._respond = respond
        self._open_clients = open_clients
        self._patience = patience
        self._head: bytearray | None = bytearray()  # of the request, until that is answered
        self._is_over = False  # Nothing more is sent.
        self._is_paused = False  # The client does not read.
        self._pinged_at = 0.0  # the time of a ping that is not answered, else 0
        self._fragments = bytearray()
        self._is_binary = False  # the message of which a part has come
        self._unread = 0  # bytes of answers to pings, since the client has stopped reading
        self._gone: asyncio.Event | None = None  # if that is waited for
        self._bounds = Bounds()  # of the frames that the library gets

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

    async def until_gone(self) -> None:
        """Wait for the end of the connection."""
        self._gone = asyncio.Event()
        await self._gone.wait()

    # --- for the policy

    def evict(self, error: RefusedError) -> bool:
        """Make room for others; a page that is being read ends in the middle."""
        is_asked = self._head is None
        if is_asked and not self._is_over:  # It is answered at this moment.
            return False
        may_linger = self._policy.reject(self, error.notice.code)
        if is_asked:
            self.transport.abort()
        else:
            self._refuse(error, may_linger=may_linger)
        return True

    # --- for asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection; one that is too many may still ask for the server's health."""
        # uvloop's are no subclass of what they are by contract.
        self.transport = cast(asyncio.Transport, transport)
        self.transport.set_write_buffer_limits(_MAX_UNSENT)
        self._input = InputQueue(
            self.transport, self._read, self._policy.round_robin, may_half_close=False
        )
        self._open_clients.add(self)
        self.refusal = error = self._policy.connect(self, transport)
        loop = asyncio.get_running_loop()
        if error is None:
            self._timer = loop.call_later(self._patience, self.transport.abort)
            return
        self._timer = loop.call_later(LINGER, self._refuse, error)
        if not self._policy.reject(self, error.notice.code):
            self._refuse(error, may_linger=False)

    def data_received(self, data: bytes) -> None:
        """Read bytes: a plain line goes to the session, everything else to the library."""
        if not self._input.is_clear or not self._read_plain_line(data):
            # A crowd that comes at once has its requests read one after the other, too.
            self._input.receive(data, is_costly=self._head is not None)
            if not self._input.is_clear:
                self._pinged_at = 0.0

    def eof_received(self) -> bool:
        """Handle the end of input: a request that came before it is still answered."""
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
        self._timer.cancel()
        self._input.clear()
        self._open_clients.discard(self)
        self._policy.disconnect(self)
        if self.relay:
            self.relay.client_gone(self)
        if self._gone:
            self._gone.set()
        # They know the protocol, and it knows them: a crowd that leaves would be left to the
        # collector of garbage, which stops everything for 0.2 s.
        self.protocol.parser.close()
        self.protocol.parser_exc = self.protocol.handshake_exc = None

    # --- the request

    def _read(self, data: bytes) -> None:
        if self._head is not None:
            self._read_request(data, self._head)
        elif not self._read_plain_line(data):
            self._read_frames(data)

    def _read_request(self, data: bytes, head: bytearray) -> None:
        """Read a part of the request, and answer when it is whole.

        The library gets what is behind it only then: that would be frames of a conversation that
        has not begun.
        """
        begin = len(head)
        head += data
        end = head.find(_END_OF_REQUEST, max(0, begin - len(_END_OF_REQUEST)))
        size = len(head) if end < 0 else end + len(_END_OF_REQUEST)
        if size > MAX_REQUEST or head.count(_END_OF_LINE, 0, size) > MAX_LINES:
            is_line_too_long = _END_OF_LINE not in head[:MAX_REQUEST]
            self._answer(self._fault(414 if is_line_too_long else 431, _TOO_LARGE))
            return
        self.protocol.receive_data(head[begin:size])
        for event in self.protocol.events_received():
            request = cast(Request, event)
            self._head = None
            self._policy.requested(self)
            if not self.transport.is_closing():  # A session for it would not be ended.
                self._answer(self._response(request))
            request.headers.clear()  # 2 KB, which the library would keep
            if size < len(head):
                self._read(bytes(head[size:]))
            return
        self._send()

    def _response(self, request: Request) -> Response:
        try:
            return self._respond(self, request)
        except Exception:
            logger.exception("a request cannot be answered")
            return text_response(500, "the server has failed: see its log\n")

    def _fault(self, status: int, text: str) -> Response:
        """Return the answer to what is no request; one that is too many hears that it is."""
        return refusal_response(self.refusal) if self.refusal else text_response(status, text)

    def _answer(self, response: Response) -> None:
        """Send an answer; where it begins no WebSocket, nothing more is sent or read."""
        self._head = None
        self.protocol.send_response(response)
        if self.protocol.state is OPEN:
            self._set_timer(PING_INTERVAL, self._ping)
        self._send()

    def _refuse(self, error: RefusedError, *, may_linger: bool = True) -> None:
        """Answer though the request has not come, and leave time for it, if there may be.

        A connection that is closed while its peer still sends is reset, and the answer would
        be lost with it; so only this half of it ends first.
        """
        self._answer(refusal_response(error))
        if not may_linger:
            self.transport.close()

    # --- lines

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
        if self._head and isinstance(self.protocol.handshake_exc, InvalidMessage):
            self._head = None
            self.transport.write(self._fault(400, _BAD_REQUEST).serialize())
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
        self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, act)
