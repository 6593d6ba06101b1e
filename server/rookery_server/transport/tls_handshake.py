"""The TLS handshake of a connection, which counts for its address while it lasts.

The event loop calls the protocol of a connection only when its handshake is over.  Until then
the connection would not be counted, and one address could hold as many as there are descriptors,
each for the time that a handshake may take.  So a connection comes here first; its handshake
begins if the policy admits it, and the protocol that is its heir takes it over when that is done.

A connection that is one too many hears so as others do, which is after the handshake: some may
end it, and have little time for that.
"""

import asyncio
import ssl
from collections.abc import Callable, Coroutine
from typing import Any, cast

from rookery_protocol.errors import RefusedError
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.eviction import SocketPeer
from rookery_server.transport.tcp import LINGER

ProtocolFactory = Callable[[], asyncio.Protocol]


def secured(
    make: ProtocolFactory,
    policy: ConnectionPolicy,
    tls: ssl.SSLContext | None,
    patience: float,
    *,
    farewell: float | None = None,
) -> ProtocolFactory:
    """Return a factory of protocols that start after a handshake; `make` itself without TLS.

    Args:
        make: the factory of the heirs.
        policy: decides which connections may come in.
        tls: the context of the handshakes.
        patience: s that a handshake may take.
        farewell: s that a client has to answer the end of TLS; None is as the event loop has it.

    """
    if tls is None:
        return make
    return lambda: Handshake(make(), policy, tls, patience, farewell)


class Handshake(asyncio.Protocol):
    """A connection whose handshake is not done; afterwards it is its heir's."""

    peer: SocketPeer
    is_idle = False

    def __init__(
        self,
        heir: asyncio.Protocol,
        policy: ConnectionPolicy,
        tls: ssl.SSLContext,
        patience: float,
        farewell: float | None,
    ) -> None:
        self.address = ""
        self._heir = heir
        self._policy = policy
        self._tls = tls
        self._patience = patience
        self._farewell = farewell
        self._plain: asyncio.Transport
        self._start_tls: Coroutine[Any, Any, asyncio.Transport | None]
        self._early = bytearray()  # what came together with the end of the handshake
        self._has_ended = False  # the client's input, there too
        self._is_done = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake, or drop the connection."""
        plain = cast(asyncio.Transport, transport)  # uvloop's are no subclass
        if error := self._policy.connect(self, plain):
            if not self._policy.may_shake_hands_to_be_refused(self, error.notice.code):
                plain.abort()
                return
            self._patience = min(self._patience, LINGER)
        self._start_tls = asyncio.get_running_loop().start_tls(
            plain,
            self,
            self._tls,
            server_side=True,
            ssl_handshake_timeout=self._patience,
            ssl_shutdown_timeout=self._farewell,
        )
        # Not by a task, which would begin later: uvloop reads as soon as this returns, and what
        # it reads must be for TLS by then.
        self._start_tls.send(None).add_done_callback(self._finish_handshake)
        self._plain = plain
        self._policy.handshakes.add(plain)

    def evict(self, error: RefusedError) -> bool:
        """Make room for others; before the end of the handshake nothing can be told."""
        self._policy.refusals[error.notice.code] += 1
        self._plain.abort()
        return True

    def data_received(self, data: bytes) -> None:
        """Keep what comes before the heir has the connection."""
        self._early += data

    def eof_received(self) -> None:
        """Keep the end of the input for the heir."""
        self._has_ended = True

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._policy.disconnect(self)
        if self._is_done:
            self._heir.connection_lost(exc)

    def _finish_handshake(self, _: asyncio.Future[None]) -> None:
        """Pass the connection on, if the handshake has ended well."""
        self._policy.handshakes.discard(self._plain)
        transport: asyncio.Transport | None = None
        try:
            self._start_tls.send(None)
        except StopIteration as done:
            transport = done.value
        except OSError:  # Errors of TLS are, too.
            pass
        self._policy.disconnect(self)
        # One that was aborted has no socket any more.
        if transport and transport.get_extra_info("socket") is not None:
            self._pass_on(transport)

    def _pass_on(self, transport: asyncio.Transport) -> None:
        self._is_done = True
        transport.set_protocol(self._heir)
        self._heir.connection_made(transport)
        if self._early:
            self._heir.data_received(bytes(self._early))
        if self._has_ended:
            self._heir.eof_received()
