"""The front door of a web port: the head of the first request on each connection.

What asks for a WebSocket becomes one, and everything else is handed over to aiohttp; the
connection stays the same.  Here is what holds before that: how many connections there may be, how
large the head may be, and how long it may take.  A head that is no HTTP at all is refused
at once, so that a flood of nonsense costs no more than the answers.
"""

import asyncio
import contextlib
import re
from typing import cast

from websockets.http11 import Response

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.transport import HEALTH, METRICS, READY
from rookery_server.transport.eviction import SocketPeer
from rookery_server.transport.http_connection import HttpConnection
from rookery_server.transport.http_message import (
    BAD_REQUEST,
    MAX_LINES,
    MAX_REQUEST,
    TOO_LARGE,
    refusal_response,
    text_response,
)
from rookery_server.transport.input_queue import InputQueue
from rookery_server.transport.tcp import LINGER
from rookery_server.transport.websocket import WebPort, WebSocketClient

_PROBES = (HEALTH.encode(), READY.encode(), METRICS.encode())  # A full server answers them, too.
_END_OF_LINE, _END_OF_HEAD = b"\r\n", b"\r\n\r\n"
_BEGIN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+(?: |\Z)")  # of that, as far as it has come
_FIRST_LINE = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+ ([!-~]+) HTTP/1\.[01]\r\n")
_ASKS_FOR_WEBSOCKET = re.compile(rb"\nUpgrade[ \t]*:[ \t]*websocket[ \t]*\r", re.IGNORECASE)


class FrontDoor(asyncio.Protocol):
    """A connection of a web port that has not said yet what it wants."""

    __slots__ = (
        "_head", "_heir", "_input", "_is_over", "_port", "_refusal", "_timer", "address", "peer",
        "transport",
    )  # fmt: skip

    is_idle = False
    peer: SocketPeer
    transport: asyncio.Transport
    _input: InputQueue
    _timer: asyncio.TimerHandle  # of the head, at last of the end

    def __init__(self, port: WebPort) -> None:
        self.address = ""
        self._port = port
        self._head = bytearray()
        self._heir: asyncio.Protocol | None = None  # that has the connection now
        self._refusal: RefusedError | None = None  # of a connection that is one too many
        self._is_over = False  # Nothing more is read.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection; one that is too many may still ask for the server's health."""
        # uvloop's are no subclass of what they are by contract.
        self.transport = cast(asyncio.Transport, transport)
        policy, loop = self._port.policy, asyncio.get_running_loop()
        self._input = InputQueue(
            self.transport, self._read, policy.round_robin, may_half_close=False
        )
        self._port.connections.add(self)
        self._refusal = error = policy.connect(self, transport)
        if error is None:
            self._timer = loop.call_later(self._port.patience, self._end_slow)
            return
        self._timer = loop.call_later(LINGER, self._refuse, error)
        if not policy.reject(self, error.notice.code):
            self._refuse(error, may_linger=False)

    def data_received(self, data: bytes) -> None:
        """Read bytes; the heads of a crowd that comes at once are read one after the other."""
        self._input.receive(data, is_costly=True)

    def eof_received(self) -> bool | None:
        """Handle the end of input: a request that came before it is still answered."""
        self._input.finish()
        return self._heir.eof_received() if self._heir else None

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._heir:  # It ended in the very moment in which it was passed on.
            self._heir.connection_lost(exc)
            return
        self._timer.cancel()
        self._input.clear()
        self._port.connections.discard(self)
        self._port.policy.disconnect(self)

    def evict(self, error: RefusedError) -> bool:
        """Make room for others."""
        may_linger = self._port.policy.reject(self, error.notice.code)
        if self._is_over:
            self.transport.abort()
        else:
            self._refuse(error, may_linger=may_linger)
        return True

    def abort(self) -> None:
        """End the connection at once."""
        self.transport.abort()

    # --- the head

    def _read(self, data: bytes) -> None:
        """Read a part of the head, and pass the connection on when it is whole."""
        if self._is_over:
            return
        head, begin = self._head, len(self._head)
        head += data
        end = head.find(_END_OF_HEAD, max(0, begin - len(_END_OF_HEAD)))
        size = len(head) if end < 0 else end + len(_END_OF_HEAD)
        lines = head.count(_END_OF_LINE, 0, size)
        first = _FIRST_LINE.match(head)
        if size > MAX_REQUEST or lines > MAX_LINES:
            self._answer(self._fault(431 if lines else 414, TOO_LARGE))
        elif not (first if lines else _BEGIN.match(head)) or head.count(b"\n", 0, size) != lines:
            self._answer(self._fault(400, BAD_REQUEST))
        elif end >= 0 and first:
            self._pass_on(size, first[1])

    def _pass_on(self, size: int, target: bytes) -> None:
        """Pass the connection on to that which answers its first request."""
        if self._refusal and target not in _PROBES:
            self._answer(refusal_response(self._refusal))
            return
        self._is_over = True
        self._timer.cancel()
        self._port.connections.discard(self)
        head, rest = bytes(self._head[:size]), bytes(self._head[size:])
        if self._port.respond and not self._refusal and _ASKS_FOR_WEBSOCKET.search(head):
            self._heir = client = WebSocketClient(self._port, self.transport, self._input)
            client.take_connection(self, head, rest)
        else:
            rest += self._input.detach()
            is_last = self._refusal is not None
            self._heir = connection = HttpConnection(self._port, is_last=is_last)
            connection.take_connection(self, self.transport, head, rest)

    # --- the end

    def _fault(self, status: int, text: str) -> Response:
        """Return the answer to what is no request; one that is too many hears that it is."""
        return refusal_response(self._refusal) if self._refusal else text_response(status, text)

    def _refuse(self, error: RefusedError, *, may_linger: bool = True) -> None:
        """Answer though the request has not come, and leave time for it, if there may be."""
        self._answer(refusal_response(error))
        if not may_linger:
            self.transport.close()

    def _answer(self, response: Response) -> None:
        """Send an answer, after which nothing more is sent or read.

        A connection that is closed while its peer still sends is reset, and the answer would
        be lost with it; so only this half of it ends first.
        """
        self._is_over = True
        if self._head.startswith(b"HEAD "):
            response.body = b""
        self.transport.write(response.serialize())
        if self.transport.can_write_eof():
            with contextlib.suppress(OSError, RuntimeError):  # The peer may have left.
                self.transport.write_eof()
        else:  # TLS has no half that could stay open.
            self.transport.close()
        self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(LINGER, self.transport.abort)

    def _end_slow(self) -> None:
        self._port.policy.reject(self, Code.TOO_SLOW)
        self.transport.abort()
