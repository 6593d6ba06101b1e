"""A connection to the broker: it is counted, and has to say soon what it wants.

aiohttp bounds neither how many connections there are nor how long a request may be in
coming; the server's entrance does.  What aiohttp logs of a request that is none has the peer's
bytes in it, tokens included, with a traceback for each; so nothing is logged of a peer's fault.
"""

import asyncio
import logging
from http import HTTPStatus
from typing import cast

from aiohttp import web

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.eviction import SocketPeer
from rookery_server.transport.http_message import refusal_response

logger = logging.getLogger(__name__)

NAME = "rookery"  # what the header `Server` says: aiohttp's own names its version and Python's
KEEP_ALIVE = 75.0  # s that a connection may be without a request, once it has had one
LINGER = 0.5  # s that a provider has to hear that nobody listens any more


class BrokerConnection(web.RequestHandler):
    """A connection of the library that has passed the entrance.

    Args:
        server: what handles requests.
        entrance: decides who may come in.
        patience: s until the first request has come.

    """

    peer: SocketPeer

    def __init__(self, server: web.Server, policy: ConnectionPolicy, patience: float) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(
            server,
            loop=loop,
            keepalive_timeout=KEEP_ALIVE,
            lingering_time=LINGER,
            access_log=None,  # type: ignore[arg-type]  # None is none, as in its documentation
            logger=logger,
        )
        self.address = ""
        self._policy = policy
        self._patience = patience
        self._deadline: asyncio.TimerHandle | None = None
        self._is_in = False
        self._has_asked = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection, or refuse it."""
        if error := self._policy.connect(self, transport):
            self._policy.reject(self, error.notice.code)
            _turn_away(cast(asyncio.Transport, transport), error)
            return
        self._is_in = True
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(self._patience, self._too_late)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Take bytes."""
        if self._is_in:
            super().data_received(data)

    def eof_received(self) -> None:
        """Record that nothing more will come."""
        if self._is_in:
            super().eof_received()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Record that the connection is gone."""
        self._policy.disconnect(self)
        if self._deadline:
            self._deadline.cancel()
        if self._is_in:
            super().connection_lost(exc)

    def log_exception(
        self, *_: object, exc_info: BaseException | None = None, **__: object
    ) -> None:
        """Log what has gone wrong in the library, unless a peer has done it."""
        if not isinstance(exc_info, _OF_PEERS):
            logger.error("a request to the broker has failed", exc_info=exc_info)

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
        if status == HTTPStatus.INTERNAL_SERVER_ERROR and not _is_ascii(request):
            status = HTTPStatus.BAD_REQUEST  # The library stumbles over some, before `Broker` does.
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            self.log_exception(exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionResetError("an answer has begun, and is not to be had whole") from exc
        response = problem(HTTPStatus(status), _TEXTS.get(status, "the server has failed"))
        response.force_close()
        return response

    def has_asked(self) -> None:
        """Record that a whole request has come."""
        self._has_asked = True
        self._policy.requested(self)
        if self._deadline:
            self._deadline.cancel()

    def evict(self, error: RefusedError) -> bool:
        """Make room for others; a request that is being answered ends in the middle."""
        self._policy.reject(self, error.notice.code)
        if self.transport and not self._has_asked:
            _turn_away(self.transport, error)
        self.force_close()
        return True

    def _too_late(self) -> None:
        self._policy.reject(self, Code.TOO_SLOW)
        self.force_close()


# What a peer can bring about: it leaves, or what it sends is not as HTTP has it.
_OF_PEERS = (ConnectionError, web.RequestPayloadError, web.PayloadAccessError)

_TEXTS: dict[int, str] = {
    HTTPStatus.BAD_REQUEST: "bad request: this is for HTTP/1.1, with 8 KiB of headers in ASCII",
    HTTPStatus.GATEWAY_TIMEOUT: "it takes too long",
}


def _is_ascii(request: web.BaseRequest) -> bool:
    """Say whether all headers of a request are text that can be read as any is."""
    return all(name.isascii() and value.isascii() for name, value in request.raw_headers)


def problem(status: HTTPStatus, text: str) -> web.Response:
    """Return the answer that says what is wrong."""
    return web.json_response({"error": text}, status=status, headers={"Server": NAME})


def _turn_away(transport: asyncio.Transport, error: RefusedError) -> None:
    transport.write(refusal_response(error).serialize())
    transport.close()
