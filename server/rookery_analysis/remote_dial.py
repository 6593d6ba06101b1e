"""Connections to a server for workers, and why there is none: for now, or for good."""

import socket
import ssl
from dataclasses import dataclass
from http import HTTPStatus

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    InvalidHandshake,
    InvalidMessage,
    InvalidProxy,
    InvalidStatus,
    InvalidURI,
)
from websockets.typing import Subprotocol

from rookery_analysis.printable import brief
from rookery_analysis.uci_conversation import BusyError, LostError
from rookery_protocol.bounded_connection import Bounded
from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import SUBPROTOCOL
from rookery_protocol.tls_trust import Trust, TrustError
from rookery_uci import MAX_LINE

OPEN_TIMEOUT = 10.0  # s to reach the server
_TEMPORARY = (500, 502, 503, 504)  # statuses of HTTP after which it may be tried again


@dataclass(frozen=True, slots=True)
class Server:
    """The address of a server's engine, and what is shown to it."""

    url: str
    trust: Trust

    async def dial(self) -> ClientConnection:
        """Connect to it.

        Raises:
            BusyError: it has no room now.
            LostError: it cannot be reached now.
            ConfigError: it never can be by this address, or with this token or trust.

        """
        token = self.trust.token
        try:
            return await _Connect(
                self.url,
                create_connection=Bounded,
                ssl=self.trust.context() if self.url.startswith("wss:") else None,
                additional_headers={"Authorization": f"Bearer {token}"} if token else None,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,
                max_size=MAX_LINE,
                open_timeout=OPEN_TIMEOUT,
            )
        except TrustError as error:
            raise ConfigError(str(error)) from error
        except InvalidStatus as error:
            raise self._refusal(error) from error
        except (InvalidProxy, ImportError) as error:
            raise ConfigError(
                f"the proxy that this system is set to cannot be used:"
                f" {brief(_proxy_fault(error))}; change it, or set NO_PROXY to the server's name"
            ) from error
        except TimeoutError as error:
            raise LostError(f"{self.url} gives no answer within {OPEN_TIMEOUT:g} s") from error
        except (OSError, EOFError, InvalidHandshake) as error:
            text = f"{self.url} cannot be reached: {_reason(error)}"
            raise (ConfigError if _is_final(error) else LostError)(text) from error
        except (InvalidURI, ValueError) as error:
            raise ConfigError(
                f"{self.url} is no address: {error}; it needs wss://HOST:PORT/engines/NAME"
            ) from error

    def _refusal(self, error: InvalidStatus) -> Exception:
        """Return what the server said instead of opening a WebSocket."""
        response = error.response
        status, target = response.status_code, response.headers.get("Location")
        if target and HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
            return ConfigError(
                f"{self.url} leads elsewhere, to {brief(target)}: --engine needs the address of the"
                " server itself"
            )
        said = bytes(response.body or b"").decode(errors="replace").strip()
        text = f"{self.url} answers with status {status}: {brief(said)}"
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            return BusyError(text)
        if status in _TEMPORARY:
            return LostError(text)
        if status == HTTPStatus.UNAUTHORIZED and not self.trust.token:
            text += "; put the token that its operator gave you into a file, and add --token-file"
        return ConfigError(text)


def _proxy_fault(error: Exception) -> str:
    """Return what is wrong with a proxy; its own address may have a password in it."""
    return error.msg if isinstance(error, InvalidProxy) else str(error)


class _Connect(connect):
    """Goes nowhere else, whatever a server says: the token is for this one."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Take a redirection for the refusal that it is."""
        return exc


def _is_final(error: Exception) -> bool:
    if isinstance(error, InvalidMessage):  # No HTTP, though something has answered.
        return not isinstance(error.__cause__, OSError | EOFError)
    return isinstance(error, ssl.SSLCertVerificationError)


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message if hasattr(error, "verify_message") else error.strerror
        return f"it is not trusted: {why}; --ca or --pin say whom to trust"
    if isinstance(error, ConnectionRefusedError):
        return "the connection was refused: is rookery-server running there, on that port?"
    if isinstance(error, socket.gaierror):
        return "there is no machine of that name"
    if isinstance(error, InvalidHandshake):
        return (
            f"there is no WebSocket: {brief(str(error))}; is rookery-server running there,"
            " on that port?"
        )
    return brief(str(error)) or type(error).__name__
