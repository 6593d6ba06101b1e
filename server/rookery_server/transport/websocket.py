"""Clients over WebSocket: one line is one text message.

The library does the handshake, pings, closing and flow control; its coroutines for
messages are passed by, because they take many times as long for a line.  A line
that comes as one frame goes straight to the session; any other frame is the library's,
which passes text on where it is parsed; and all lines of a piece leave in one write.
"""

import asyncio
import math
from collections.abc import Hashable
from http import HTTPStatus
from typing import cast

from websockets.asyncio.server import Server, ServerConnection
from websockets.exceptions import InvalidMessage, PayloadTooBig
from websockets.frames import DATA_OPCODES, CloseCode, Frame, Opcode
from websockets.protocol import OPEN, Event
from websockets.server import ServerProtocol

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Close
from rookery_server.access.account import LOCAL
from rookery_server.session.client_channel import LineHandler
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.eviction import SocketPeer
from rookery_server.transport.framing import Bounds, frames, text_of
from rookery_server.transport.http_message import plain_answer
from rookery_server.transport.input_queue import InputQueue
from rookery_server.transport.liveness import PausableConnection, prepare
from rookery_server.transport.tcp import FAREWELL, LINGER

MAX_REQUEST = 8192  # bytes that a stranger may send
MAX_LINES = 128  # of a request; the library takes a few more
MAX_UNREAD = 1 << 20  # bytes of answers to pings that a client leaves unread
_MAX_REASON = 120  # bytes; a close frame has room for 123
_PROBES = (b"GET /healthz ", b"GET /readyz ", b"GET /metrics ")
_TOO_LARGE = f"a request has at most {MAX_REQUEST} bytes in {MAX_LINES} lines\n"
_BAD_REQUEST = "bad request: what is read here is HTTP/1.1 in ASCII, without a body\n"
_END_OF_LINE, _END_OF_REQUEST = b"\r\n", b"\r\n\r\n"
_LONG_LENGTH = "the length of a frame must be written in as few bytes as it can be"


class WebSocketClient(PausableConnection, ServerConnection):
    """A connection of the library that carries the lines of a session."""

    shows_life = True  # It answers pings.
    peer: SocketPeer

    def __init__(
        self,
        protocol: ServerProtocol,
        server: Server,
        *,
        policy: ConnectionPolicy,
        open_clients: "set[WebSocketClient]",
        **settings: object,
    ) -> None:
        """Make a connection; it is among the `open_clients` for as long as it is open."""
        super().__init__(protocol, server, **settings)  # type: ignore[arg-type]  # as it gave them
        self.account = LOCAL
        self.address = ""
        self._policy = policy
        self._open_clients = open_clients
        self._rejected: RejectedConnection | None = None
        self.relay: LineHandler | None = None
        # What has come before lines are read: the request, and perhaps more.
        self._early: bytearray | None = bytearray()
        self._has_ended = False  # the client's input, before its request was answered
        self._is_bad = False  # the request, and that was said
        self._is_overlong = False  # a message, and the close that it leads to is not sent yet
        self._has_refused = False  # such a message
        self._finished: asyncio.Future[tuple[Close, str]] = self.loop.create_future()
        self._farewell: asyncio.TimerHandle | None = None
        self._fragments = bytearray()
        self._is_binary = False  # the message of which a part has come
        self._unread = 0  # bytes of answers to pings, since the client has stopped reading
        self._bounds = Bounds()  # of the frames that the library gets
        self._input: InputQueue

    # --- for the session

    def send_lines(self, piece: bytes) -> None:
        """Send each line as a message, all in one write."""
        is_open = self.protocol.state is OPEN or self._is_overlong
        if is_open and not self.transport.is_closing():
            self.transport.write(frames(piece))

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when everything is sent, or that takes too long.

        The library waits without end for a peer that does not read what is before the close.
        """
        if not self._finished.done():
            self._finished.set_result((code, reason))
            self._farewell = self.loop.call_later(FAREWELL, self.transport.abort)

    def hold_input(self, why: Hashable) -> None:
        """Read no more while there is this reason, or any other."""
        self._input.pause(why)
        self.count_as_alive()

    def release_input(self, why: Hashable) -> None:
        """Read again, if there is no other reason to pause."""
        self._input.resume(why)

    async def until_finished(self) -> None:
        """Wait for the end of the conversation and close the connection."""
        # 3 KB that are not needed any more; but the library needs to know that there was a request.
        if self.request:
            self.request.headers.clear()
        self.response = None
        self._read_early_lines()
        code, reason = await self._finished
        await self.close(code, reason.encode()[:_MAX_REASON].decode(errors="ignore"))

    def _read_early_lines(self) -> None:
        """Read what the client has sent behind its request, without waiting for the answer."""
        early, self._early = self._early or b"", None
        self._read(bytes(early.partition(_END_OF_REQUEST)[2]))
        if self._has_ended:
            self._end_input()

    def _end_input(self) -> None:
        """Tell the library only now that its client has ended its input."""
        self._has_ended = False
        super().eof_received()
        self.transport.close()

    # --- for the policy

    def evict(self, error: RefusedError) -> bool:
        """Make room for others; a page that is being read ends in the middle."""
        if self.request and self.response is None:  # It is answered at once.
            return False
        may_linger = self._policy.reject(self, error.notice.code)
        if self.request:
            self.transport.abort()
            return True
        self._finished.set_result((Close.POLICY, ""))
        self.transport.write(_answer_to_refused(error))
        if may_linger:
            self._end_half()
        else:
            self.transport.close()
        return True

    # --- for the library

    @property
    def is_held(self) -> bool:
        """True if more has come than is read for now."""
        return not self._input.is_clear

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or refuse it."""
        prepare(transport, self._policy.dead_after)
        # uvloop's are no subclass of what they are by contract.
        self._input = InputQueue(
            cast(asyncio.Transport, transport),
            self._read,
            self._policy.round_robin,
            may_half_close=False,
        )
        if error := self._policy.connect(self, transport):
            may_linger = self._policy.reject(self, error.notice.code)
            self._rejected = RejectedConnection(transport, error, may_linger=may_linger)
        else:
            self._open_clients.add(self)
            super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Read bytes: a plain line goes to the session, everything else to the library."""
        if self._rejected:
            if not self._rejected.is_probe(data):
                return
            super().connection_made(self._rejected.release_transport())
            data, self._rejected = self._rejected.request, None
        if not self._input.is_clear or not self._read_plain_line(data):
            # A crowd that comes at once has its requests read one after the other, too.
            self._input.receive(data, is_costly=self._early is not None)
            if self.pending_pings and not self._input.is_clear:
                self.count_as_alive()

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

    def _read(self, data: bytes) -> None:
        if self._read_plain_line(data):
            return
        if self._early is not None:
            self._read_early(data)
        elif data:
            before = self.transport.get_write_buffer_size()
            good = self._bounds.take(data)
            super().data_received(data[:good])
            if self._is_overlong:
                self._refuse_overlong()
            elif good < len(data) and self.protocol.state is OPEN:
                self.protocol.fail(CloseCode.PROTOCOL_ERROR, _LONG_LENGTH)
                self.send_data()
            if self.protocol.state is not OPEN:  # It is over, even if the client stays.
                self.finish(Close.DONE, "")
            if self.paused:  # Lines wait until the client reads; answers to pings do not.
                self._unread += self.transport.get_write_buffer_size() - before
                if self._unread > MAX_UNREAD:
                    self.transport.abort()

    def _read_early(self, data: bytes) -> None:
        """Read a part of the request; what follows it waits until that is answered.

        For the library it would be frames of a conversation that has not begun, and the end
        of it: a request that came together with more would never be answered.
        """
        assert self._early is not None
        if self.request is None and not self.protocol.eof_sent:
            data = self._read_request(data)
        if self.protocol.eof_sent:  # It has its answer, and what else comes is dropped.
            return
        if self.relay or len(self._early) + len(data) <= MAX_REQUEST:
            self._early += data
        elif self.request and "Upgrade" in self.request.headers:
            self.transport.abort()  # Its lines would be dropped.

    def _read_request(self, data: bytes) -> bytes:
        """Pass to the library what belongs to the request; return what is behind it."""
        assert self._early is not None
        looked_at = len(self._early)
        whole = self._early + data
        end = whole.find(_END_OF_REQUEST, max(0, looked_at - len(_END_OF_REQUEST)))
        size = len(whole) if end < 0 else end + len(_END_OF_REQUEST)
        if size > MAX_REQUEST or whole.count(_END_OF_LINE, 0, size) > MAX_LINES:
            self._refuse_more(bytes(whole))
        else:
            if end >= 0:
                self._policy.requested(self)
            self._early += data[: size - looked_at]
            super().data_received(data[: size - looked_at])
        return data[size - looked_at :]

    def eof_received(self) -> bool:  # type: ignore[override]  # as asyncio has it
        """Handle the end of input; return whether there is still something to send."""
        if self._rejected:
            return False
        self._input.finish()
        is_unanswered = self._early is not None and not self.protocol.eof_sent
        if is_unanswered and self.request:  # It is answered first.
            self._has_ended = True
            return self.transport.can_write_eof()  # TLS has no half that could stay open.
        super().eof_received()
        return False

    def send_data(self) -> None:
        """Send what the library has ready; add what it lacks for bad requests and long messages."""
        is_bad = isinstance(self.protocol.handshake_exc, InvalidMessage)
        if is_bad and self._early and not self._is_bad:
            self._is_bad = True
            self.transport.write(plain_answer(HTTPStatus.BAD_REQUEST, _BAD_REQUEST))
            self._abort_soon()
        is_overlong = isinstance(self.protocol.parser_exc, PayloadTooBig) and self.relay
        if is_overlong and not self._has_refused:
            self._is_overlong = True
            return  # The close: it comes when the lines before that one have been read.
        super().send_data()
        if self._has_ended and self.protocol.eof_sent:  # Both sides have ended.
            self._end_input()

    def _refuse_overlong(self) -> None:
        """Report what was too long, and send the close that the library has ready."""
        assert self.relay
        self.relay.client_overlong()
        self._is_overlong, self._has_refused = False, True
        super().send_data()

    def _refuse_more(self, request: bytes) -> None:
        """Answer a request that is too large, and leave time to read that.

        A connection that is closed while its peer still sends is reset, and the answer would
        be lost with it; so the library ends its own half first.
        """
        if not self.transport.is_closing():
            is_line_too_long = _END_OF_LINE not in request[:MAX_REQUEST]
            status = HTTPStatus(414 if is_line_too_long else 431)
            self.transport.write(plain_answer(status, _TOO_LARGE))
            self._end_half()

    def _end_half(self) -> None:
        """Send no more, before there is a session; the client may read what was sent."""
        self.protocol.fail(Close.POLICY)
        super().send_data()
        self._abort_soon()

    def _abort_soon(self) -> None:
        """End the connection soon, even if its peer does not."""
        if not self._farewell:
            self._farewell = self.loop.call_later(LINGER, self.transport.abort)

    def process_event(self, event: Event) -> None:
        """Handle a frame: text goes to the session, everything else to the library."""
        if self.relay is None or not isinstance(event, Frame) or event.opcode not in DATA_OPCODES:
            super().process_event(event)
        elif event.opcode is Opcode.BINARY or self._is_binary:
            if not self._is_binary:
                self.relay.client_sent_binary()
            self._is_binary = not event.fin
        elif event.fin and not self._fragments:
            self.relay.client_said(bytes(event.data).rstrip(b"\r\n"))
        else:
            self._fragments += event.data  # The protocol bounds the sum.
            if event.fin:
                line, self._fragments = bytes(self._fragments), bytearray()
                self.relay.client_said(line.rstrip(b"\r\n"))

    def pause_writing(self) -> None:
        """Tell the session that the client reads more slowly than it is written to."""
        super().pause_writing()
        if self.relay:
            self.relay.client_paused()

    def resume_writing(self) -> None:
        """Tell the session that the client reads again."""
        super().resume_writing()
        self._unread = 0
        if self.relay:
            self.relay.client_resumed()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._input.clear()
        self._open_clients.discard(self)
        self._policy.disconnect(self)
        if self._rejected:
            self._rejected.release_transport()
            return
        super().connection_lost(exc)
        if self.relay:
            self.relay.client_gone(self)
        self.finish(Close.DONE, "")
        if self._farewell:
            self._farewell.cancel()


class RejectedConnection:
    """A connection that is one too many: its request is answered, and nothing else.

    Only requests for the server's health get through; they matter most when it is
    full.  The library has no part in this: a handshake costs it many times as much.
    """

    def __init__(
        self, transport: asyncio.BaseTransport, error: RefusedError, *, may_linger: bool
    ) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass
        self._error = error
        self.request = b""
        self._is_answered = False
        self._loop = asyncio.get_running_loop()
        self._deadline = self._loop.call_later(LINGER, self._answer_early)
        if not may_linger:
            self._answer()

    def is_probe(self, data: bytes) -> bool:
        """Read a part of the request; return whether it is whole, and for the server's health."""
        self.request += data
        if len(self.request) > MAX_REQUEST:
            self._answer()
        elif b"\r\n\r\n" in self.request:
            if self.request.startswith(_PROBES) and not self._is_answered:
                return True
            self._answer()
        return False

    def release_transport(self) -> asyncio.Transport:
        """Return the transport, and do nothing with it any more."""
        self._deadline.cancel()
        return self._transport

    def _answer_early(self) -> None:
        """Answer though the request has not come, and leave time for it.

        A connection that is closed while its peer still sends is reset, and the answer
        would be lost with it.
        """
        can_wait = self._transport.can_write_eof()  # TLS has no half that could stay open
        self._answer(close=not can_wait)
        if can_wait and not self._transport.is_closing():
            self._transport.write_eof()
            self._deadline = self._loop.call_later(LINGER, self._transport.abort)

    def _answer(self, *, close: bool = True) -> None:
        self._deadline.cancel()
        if self._transport.is_closing():
            return
        if not self._is_answered:
            self._transport.write(_answer_to_refused(self._error))
        self._is_answered = True
        if close:
            self._transport.close()


def _answer_to_refused(error: RefusedError) -> bytes:
    """Return the answer to a connection that is one too many."""
    text = f"{error.notice.code}: {error}\n"
    again = {"Retry-After": str(math.ceil(error.wait or LINGER))}
    return plain_answer(HTTPStatus.SERVICE_UNAVAILABLE, text, again)
