"""Connections whose requests aiohttp answers: pages, health, the API; and the broker's.

aiohttp bounds neither how many connections there are, nor the size of a head, nor how long one
may be in coming, and reads some things less strictly than others do; the policy of connections, the
front door and this class do.  A connection is kept for the next request; one that asks for a
WebSocket gets it, for proxies keep connections and use them for whatever comes next.

Names of aiohttp's that are private, and used here and nowhere else: of a connection `_close`,
`_current_request`, `_loop`, `_message_tail`, `_messages`, `_request_count` and `_upgraded`; of a
request `_rel_url` and `_version`; of an application `_client_max_size`.  So `pyproject.toml` admits
a new minor version of aiohttp only when the tests have seen it.

What aiohttp logs of a request that is none has the peer's bytes in it, tokens included, with a
traceback for each; so nothing is logged of a peer's fault.
"""

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from http import HTTPStatus
from types import MappingProxyType
from typing import NoReturn

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http import HttpVersion11, RawRequestMessage
from aiohttp.streams import StreamReader
from websockets.datastructures import Headers
from websockets.http11 import Request

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.transport.eviction import PolicedConnection, SocketPeer
from rookery_server.transport.http_message import (
    BAD_REQUEST,
    MAX_LINES,
    MAX_REQUEST,
    TOO_LARGE,
    fault_of,
    protect,
    refusal_response,
    text_response,
    to_origin_form,
)
from rookery_server.transport.input_queue import InputQueue
from rookery_server.transport.tcp import FAREWELL, LINGER
from rookery_server.transport.websocket import WebPort, WebSocketClient

logger = logging.getLogger(__name__)

KEPT = 75.0  # s that a connection may be without a request, once it has had one
KEPT_STRANGER = 5.0  # s, of one that has shown no token: a page and its files come within that
KEPT_PROXY = 3600.0  # s, of a trusted proxy, which ends those that it needs no more
# s in which a request is answered whose sender has ended its side; then it counts as gone.
# `nc -N` does that and reads on, but of nearly all others it is the first sign that they left.
HALF_CLOSED = 0.25

HEAD = web.RequestKey("head", Request)  # of a request, exactly as it came

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class PolicedRequest(web.Request):
    """A request whose answer says to browsers what each answer does, and names no software."""

    async def _prepare_hook(self, response: web.StreamResponse) -> None:
        connection = connection_of(self)
        protect(response.headers, only_tls=connection.wants_only_tls(self))
        response.headers.popall("Server", None)
        await super()._prepare_hook(response)


class HttpConnection(web.RequestHandler):
    """A connection of the library's that the policy has admitted."""

    __slots__ = (
        "_answered", "_deadline", "_has_ended", "_is_last", "_partial", "_port", "_quiet",
        "_wire", "address", "peer",
    )  # fmt: skip

    peer: SocketPeer
    _wire: asyncio.Transport  # The library forgets its own when it has closed it.

    def __init__(self, port: WebPort, *, is_last: bool) -> None:
        """Make a connection; with `is_last` its first request is its last one, too."""
        super().__init__(
            port.server,
            loop=asyncio.get_running_loop(),
            tcp_keepalive=False,  # The policy has set it.
            keepalive_timeout=KEPT_PROXY,  # at most; see `_patience`
            lingering_time=0.0,
            access_log=None,  # type: ignore[arg-type]  # None is none, as in its documentation
            logger=logger,
            max_headers=MAX_LINES,
            auto_decompress=False,  # It would unpack all that a piece has, at once.
        )
        self.address = ""
        self._port = port
        self._is_last = is_last
        self._answered = 0  # requests
        self._partial = 0  # bytes of a head that has not come whole
        self._has_ended = False  # the client's input
        self._deadline: asyncio.TimerHandle | None = None  # of the next head, or the last answer
        self._quiet: asyncio.Event | None = None  # set when the client has ended its side

    def take_connection(
        self, former: PolicedConnection, transport: asyncio.Transport, head: bytes, rest: bytes
    ) -> None:
        """Take a connection over.

        Args:
            former: the connection as it was until now.
            transport: its transport.
            head: that of a request; it is whole.
            rest: what has come behind it.

        """
        self._wire = transport
        self._port.connections.add(self)
        self._port.policy.pass_on(former, self)
        transport.set_protocol(self)
        self.connection_made(transport)
        self.data_received(head)
        if rest:  # Not together: what may not be there would be an error of both.
            self.data_received(rest)

    @property
    def is_idle(self) -> bool:
        """True if all requests have been answered, and no other has begun to come."""
        return self._request_count == self._answered and not self._partial

    def wants_only_tls(self, request: web.BaseRequest) -> bool:
        """Return whether browsers are to use only TLS for this name from now on."""
        return self._port.policy.wants_only_tls(self._wire, request.headers.get("Host"))

    # --- for asyncio

    def data_received(self, data: bytes) -> None:
        """Read bytes, and see that the next head is not too large or slow."""
        count, is_waiting = self._request_count, self._request_count == self._answered
        super().data_received(data)
        if self._request_count != count:
            self._partial = 0
            self._clear_deadline()
            self._port.policy.requested(self)
            self._end_broken_body()
        elif is_waiting and data and not self._close:
            if not self._partial:
                self._set_deadline(self._port.patience, self._end_slow)
            self._partial += len(data)
            if self._partial > MAX_REQUEST:
                self._end_with(text_response(431, TOO_LARGE).serialize())

    def _end_broken_body(self) -> None:
        """Tell the handler of a body that it is broken, if something else has come before its end.

        The library has an error then, for which it makes a request of its own.
        """
        bodies = [payload for _, payload in self._messages]
        if self._current_request:
            bodies.insert(0, self._current_request.content)
        for body in bodies[:-1]:
            if not body.is_eof() and body.exception() is None:
                body.set_exception(web.RequestPayloadError("the body is not encoded as it says"))

    def eof_received(self) -> bool:  # type: ignore[override]  # It may be, by asyncio.
        """Let what was asked before the end of input be answered, if that is soon done."""
        self._has_ended = True
        if self._quiet:
            self._quiet.set()
        is_whole = not self._wire.can_write_eof()  # TLS has no half that could stay open.
        if self._request_count == self._answered or is_whole:
            return False
        self._set_deadline(HALF_CLOSED, self._end_half_closed)
        return True

    def connection_lost(self, exc: BaseException | None) -> None:
        """Forget the connection."""
        self._port.connections.discard(self)
        self._port.policy.disconnect(self)
        self._clear_deadline()
        super().connection_lost(exc)

    # --- for the policy and the server

    def abort(self) -> None:
        """End the connection at once, and what is being answered."""
        self._wire.abort()

    def evict(self, error: RefusedError) -> bool:
        """Make room for others; a request that is being answered ends in the middle."""
        self._port.policy.reject(self, error.notice.code)
        if self._partial:
            self._end_with(refusal_response(error).serialize())
        else:  # An idle one is not told: it would take that for an answer.
            self.abort()
        return True

    # --- for the library

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Send an answer, and say what becomes of the connection."""
        # What is left of a body may be any amount.
        is_last = self._is_last or (self._has_ended and not self._messages)
        if is_last or not request.content.is_eof():
            resp.force_close()
        self._set_deadline(FAREWELL, partial(self._check_sending, math.inf))
        result = await super().finish_response(request, resp, start_time)
        self._answered += 1
        policy = self._port.policy
        if resp.keep_alive and policy.release(self):
            resp.force_close()
        if not resp.keep_alive:
            await self._linger()
        elif self.is_idle:
            self._set_deadline(self._patience(), self._close_when_read)
        else:
            self._clear_deadline()
        return result

    def _check_sending(self, before: float) -> None:
        """End the connection if nothing of an answer has been read since there was so much."""
        size = self._wire.get_write_buffer_size()
        if size < before:
            self._set_deadline(FAREWELL, partial(self._check_sending, size))
        else:
            self.abort()

    def _patience(self) -> float:
        """Return the seconds that the next request may be in coming."""
        policy = self._port.policy
        if policy.is_proxy(self.peer.host):
            return KEPT_PROXY
        return KEPT if policy.is_known(self) else KEPT_STRANGER

    async def _linger(self) -> None:
        """Leave time to read the last answer.

        A connection that is closed while its peer still sends is reset, and the answer would
        be lost with it; so only this half of it ends first.
        """
        self.close()  # Nothing more is read.
        if self._wire.is_closing():
            return
        self._set_deadline(FAREWELL, self.abort)
        if self._has_ended or not self._wire.can_write_eof():
            return
        self._quiet = asyncio.Event()
        with contextlib.suppress(OSError, RuntimeError, TimeoutError):  # The peer may have left.
            self._wire.write_eof()
            async with asyncio.timeout(LINGER):
                await self._quiet.wait()

    def log_exception(
        self, *_: object, exc_info: BaseException | None = None, **__: object
    ) -> None:
        """Log what has gone wrong in the library, unless a peer has done it."""
        if not isinstance(exc_info, _OF_PEERS):
            logger.error("a request has failed", exc_info=exc_info)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = HTTPStatus.INTERNAL_SERVER_ERROR,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Return the answer to a request that has failed; log it only if the fault is ours.

        Raises:
            ConnectionError: the peer has left, so there is nobody to answer.

        """
        if isinstance(exc, ConnectionError) or request.transport is None:
            raise ConnectionResetError("the peer has left") from exc
        if isinstance(exc, _OF_PEERS) or (isinstance(exc, UnicodeError) and not _is_ascii(request)):
            status = HTTPStatus.BAD_REQUEST
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            self.log_exception(exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionResetError("an answer has begun, and is not to be had whole") from exc
        response = text_answer(status, _TEXTS.get(status, "the server has failed: see its log\n"))
        response.force_close()
        return response

    # --- WebSockets

    def upgrade_if_asked(self, request: web.Request) -> None:
        """Let a WebSocket take the connection over, if that is what a request asks for.

        Raises:
            CancelledError: it does, and this connection is over.

        """
        is_asked = request.headers.get("Upgrade", "").lower() == "websocket"
        is_last = self._upgraded and not self._messages
        if self._port.respond and is_asked and is_last and not self._wire.is_closing():
            self._upgrade(request)

    def _upgrade(self, request: web.Request) -> NoReturn:
        transport = self._wire
        lines = [f"{request.method} {request.raw_path} HTTP/1.{request.version.minor}".encode()]
        lines += [name + b": " + value for name, value in request.raw_headers]
        head = b"\r\n".join((*lines, b"", b""))
        if not transport.is_reading():
            transport.resume_reading()
        input_queue = InputQueue(
            transport, lambda _: None, self._port.policy.round_robin, may_half_close=False
        )
        client = WebSocketClient(self._port, transport, input_queue)
        client.take_connection(self, head, self._message_tail)
        if self._has_ended:
            client.eof_received()
        self.transport = None  # which would be closed
        self.connection_lost(None)
        raise asyncio.CancelledError

    # --- the end

    def _end_with(self, answer: bytes) -> None:
        """Send an answer of which the library knows nothing, and close."""
        self._wire.write(answer)
        self._close_when_read()

    def _close_when_read(self) -> None:
        """Close when everything is sent, or that takes too long."""
        self.force_close()
        self._set_deadline(FAREWELL, self.abort)

    def _end_slow(self) -> None:
        self._port.policy.reject(self, Code.TOO_SLOW)
        self.abort()

    def _end_half_closed(self) -> None:
        """End a request that is not answered yet; an answer may be read more slowly."""
        if self._current_request:
            self.abort()
        else:
            self._set_deadline(FAREWELL, self.abort)

    def _set_deadline(self, seconds: float, act: Callable[[], None]) -> None:
        self._clear_deadline()
        self._deadline = self._loop.call_later(seconds, act)

    def _clear_deadline(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None


# What a peer can bring about: it leaves, or what it sends is not as HTTP has it.
_OF_PEERS = (ConnectionError, web.RequestPayloadError, web.PayloadAccessError)

_TEXTS: dict[int, str] = {
    HTTPStatus.BAD_REQUEST: BAD_REQUEST,
    HTTPStatus.GATEWAY_TIMEOUT: "it takes too long\n",
}


def _is_ascii(request: web.BaseRequest) -> bool:
    """Say whether all headers of a request are in ASCII; the library stumbles over others."""
    return all(name.isascii() and value.isascii() for name, value in request.raw_headers)


def text_answer(
    status: int, text: str, fields: Mapping[str, str] = MappingProxyType({})
) -> web.Response:
    """Return an answer of plain text, with these headers beside the usual ones or in their place.

    It is `text_response` for aiohttp.
    """
    usual = {"Content-Type": "text/plain; charset=utf-8"}
    return web.Response(status=status, body=text.encode(), headers={**usual, **fields})


def connection_of(request: web.BaseRequest) -> HttpConnection:
    """Return the connection that a request has come by."""
    connection = request.protocol
    assert isinstance(connection, HttpConnection)
    return connection


@web.middleware
async def check_head(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer requests that are not exact, whatever they are for; let others have their `HEAD`.

    It is the outermost middleware of an application.
    """
    is_small = _size_of(request) <= MAX_REQUEST
    if is_small:
        connection_of(request).upgrade_if_asked(request)
    head = _head_of(request)
    fault = fault_of(head)
    has_body = request.body_exists and request.method in ("GET", "HEAD")
    # That the method is not for this path says more.
    is_allowed = not isinstance(request.match_info.http_exception, web.HTTPMethodNotAllowed)
    if not fault and has_body and is_allowed:
        fault = f"{request.method} has no body"
    if fault:
        response = text_answer(400, f"bad request: {fault}\n")
    elif not is_small:
        response = text_answer(431, TOO_LARGE)
    elif request.method == "CONNECT" or head.path == "*":
        text = f"{request.method} is not for here: GET is\n"
        response = text_answer(405, text, {"Allow": "GET, HEAD"})
    else:
        to_origin_form(head)
        request[HEAD] = head
        answer = await handler(request)
        if has_body:
            answer.force_close()  # It is not read.
        return answer
    response.force_close()
    return response


def _head_of(request: web.Request) -> Request:
    fields = [
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in request.raw_headers
    ]
    version = f"HTTP/1.{request.version.minor}"
    return Request(request.raw_path, Headers(fields), request.method, version)


def _size_of(request: web.Request) -> int:
    fields = sum(len(name) + len(value) + 4 for name, value in request.raw_headers)
    return len(request.method) + len(request.raw_path) + fields + 13


async def start_application(app: web.Application, last_words: float) -> web.AppRunner:
    """Start an application whose connections are of this class; `cleanup` of the runner ends it.

    Args:
        app: it has `check_head` as its first middleware.
        last_words: s that requests have to end, when the server does.

    """
    # A client that asks and goes is noticed at once, so that its engine stops.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=last_words)
    await runner.setup()
    assert runner.server

    def request_of(
        message: RawRequestMessage,
        payload: StreamReader,
        protocol: web.RequestHandler,
        writer: AbstractStreamWriter,
        task: "asyncio.Task[None]",
    ) -> web.BaseRequest:
        loop, most = asyncio.get_running_loop(), app._client_max_size
        request = PolicedRequest(
            message, payload, protocol, writer, task, loop, client_max_size=most
        )
        if not request._rel_url.raw_path:  # The target is a whole URL, without a path.
            request._rel_url = request._rel_url.with_path("/", keep_query=True)
        if request.method == "UNKNOWN":  # It is no request, and would be answered as HTTP/1.0.
            request._version = HttpVersion11
        return request

    runner.server.request_factory = request_of
    return runner
