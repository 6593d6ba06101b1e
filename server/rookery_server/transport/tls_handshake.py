"""The TLS handshake of a connection, which counts for its address while it lasts.

The event loop tells a protocol of a connection only when its handshake is over.  Until then
nobody would have counted it, and one address could hold as many as there are descriptors,
each for the time that a handshake has.  So a connection comes here first, as it is; it begins
its handshake if the entrance lets it, and is handed over when that is done.

Who is one too many hears so as everybody does, which is after the handshake: some may end it,
and have little time for that.
"""

import asyncio
import ssl
from collections.abc import Callable, Coroutine
from typing import Any, cast

from rookery_protocol.errors import RefusedError
from rookery_server.transport.connection_policy import Entrance
from rookery_server.transport.tcp import LINGER

Make = Callable[..., asyncio.Protocol]


def secured(
    make: Make,
    entrance: Entrance,
    tls: ssl.SSLContext | None,
    patience: float,
    *,
    farewell: float | None = None,
) -> Make:
    """Return what makes protocols that come after a handshake; `make` itself without TLS.

    Args:
        make: makes the protocols of those who come.
        entrance: decides who may come in.
        tls: how handshakes are done.
        patience: s that one may take.
        farewell: s that a client has to answer the end of TLS; None is as the event loop has it.

    """
    if tls is None:
        return make
    context = tls

    def make_secured(*arguments: object, **settings: object) -> asyncio.Protocol:
        heir = make(*arguments, **settings)
        return Handshake(heir, entrance, context, patience, farewell)

    return make_secured


class Handshake(asyncio.Protocol):
    """A connection whose handshake is not done; then it is another protocol's."""

    def __init__(
        self,
        heir: asyncio.Protocol,
        entrance: Entrance,
        tls: ssl.SSLContext,
        patience: float,
        farewell: float | None,
    ) -> None:
        self.address = ""
        self._heir = heir
        # The library of WebSockets compares that of what it has been given with its own.
        self.protocol = getattr(heir, "protocol", None)
        self._entrance = entrance
        self._tls = tls
        self._patience = patience
        self._farewell = farewell
        self._plain: asyncio.Transport
        self._shaking: Coroutine[Any, Any, asyncio.Transport | None]
        self._early = bytearray()  # what came together with the end of the handshake
        self._has_ended = False  # the client's input, there too
        self._is_done = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection, and begin the handshake or drop it."""
        plain = cast(asyncio.Transport, transport)  # uvloop's are no subclass
        try:
            self._entrance.arrive(self, plain)
        except RefusedError as error:
            if not self._entrance.may_be_told(self, error.notice.code):
                plain.abort()
                return
            self._patience = min(self._patience, LINGER)
        self._shaking = asyncio.get_running_loop().start_tls(
            plain,
            self,
            self._tls,
            server_side=True,
            ssl_handshake_timeout=self._patience,
            ssl_shutdown_timeout=self._farewell,
        )
        # Not by a task, which would begin later: uvloop reads as soon as this returns, and what
        # it reads must be for TLS by then.
        self._shaking.send(None).add_done_callback(self._shaken)
        self._plain = plain
        self._entrance.shaking.add(plain)

    def turn_out(self, error: RefusedError) -> bool:
        """Make room for others; before the end of the handshake nothing can be told."""
        self._entrance.refusals[error.notice.code] += 1
        self._plain.abort()
        return True

    def data_received(self, data: bytes) -> None:
        """Keep what comes before the connection is handed over."""
        self._early += data

    def eof_received(self) -> None:
        """Take note that nothing more will come."""
        self._has_ended = True

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note that the connection is gone."""
        self._entrance.leave(self)
        if self._is_done:
            self._heir.connection_lost(exc)

    def _shaken(self, _: asyncio.Future[None]) -> None:
        """Take note that the handshake has ended, well or not."""
        self._entrance.shaking.discard(self._plain)
        transport: asyncio.Transport | None = None
        try:
            self._shaking.send(None)
        except StopIteration as done:
            transport = done.value
        except OSError:  # Errors of TLS are, too.
            pass
        self._entrance.leave(self)
        # One that was aborted has no socket any more.
        if transport and transport.get_extra_info("socket") is not None:
            self._hand_over(transport)

    def _hand_over(self, transport: asyncio.Transport) -> None:
        self._is_done = True
        transport.set_protocol(self._heir)
        self._heir.connection_made(transport)
        if self._early:
            self._heir.data_received(bytes(self._early))
        if self._has_ended:
            self._heir.eof_received()
