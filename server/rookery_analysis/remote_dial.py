"""Connections to a server for workers, and why there is none: for now, or for good."""

from dataclasses import dataclass
from http import HTTPStatus

from websockets.asyncio.client import ClientConnection

from rookery_analysis.uci_conversation import BusyError, LostError
from rookery_protocol.dialer import BoundedConnection, DialError, dial_websocket
from rookery_protocol.errors import ConfigError
from rookery_protocol.tls_trust import Trust, TrustError

_PING = 20.0  # s from one ping to the next, and as long until a connection counts as dead


@dataclass(frozen=True, slots=True)
class Server:
    """The address of a server's engine, and what is shown to it."""

    url: str
    trust: Trust

    async def dial(self) -> ClientConnection:
        """Connect to the engine.

        Raises:
            BusyError: the server has no room now.
            LostError: it cannot be reached now.
            ConfigError: it never can be by this address, or with this token or trust.

        """
        try:
            return await dial_websocket(self.url, self.trust, BoundedConnection, ping=_PING)
        except TrustError as error:
            raise ConfigError(str(error)) from error
        except DialError as error:
            text = f"{self.url} cannot be reached: {error}"
            if error.status == HTTPStatus.TOO_MANY_REQUESTS:
                raise BusyError(text) from error
            raise (ConfigError if error.is_final else LostError)(text) from error
