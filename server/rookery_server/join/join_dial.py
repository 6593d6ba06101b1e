"""Connections to the server that is joined, and why there is none."""

import os
import socket
import ssl
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeVar, cast

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    InvalidHandshake,
    InvalidMessage,
    InvalidProxy,
    InvalidStatus,
    InvalidURI,
    WebSocketException,
)
from websockets.typing import Subprotocol

from rookery_protocol.notices import Code, Notice
from rookery_protocol.tls_trust import Trust
from rookery_server.joined.joining_messages import PATH, SUBPROTOCOL
from rookery_uci import MAX_LINE

OPEN_TIMEOUT = 10.0  # s to reach the server
CLOSE_TIMEOUT = 1.0  # s that it has to answer the closing of a connection
PING = 10.0  # s from one ping to the next, and as long until a connection counts as dead

_SHOWN = 200  # characters of what the server says

# What the server says to who need not come again, as long as nobody does anything about it.
_FINAL = (Code.UNAUTHORIZED, Code.TOKEN_IN_URL, Code.WRONG_HOST, Code.WRONG_ORIGIN)

C = TypeVar("C", bound=ClientConnection)


class DialError(Exception):
    """The server cannot be reached, or refuses; the text says why and what to do.

    `code` is what it said, if it said one; `is_final` is that a first attempt needs no second.
    """

    def __init__(self, text: str, code: Code | None = None, *, is_final: bool = False) -> None:
        super().__init__(text)
        self.code = code
        self.is_final = is_final or code in _FINAL


@dataclass(frozen=True, slots=True)
class JoinTarget:
    """The server: where it is (`wss://rook.example`), and what is shown to it."""

    url: str
    trust: Trust

    async def dial(self, kind: type[C], headers: dict[str, str] | None = None) -> C:
        """Return a connection of that kind.

        Raises:
            DialError: there is none.

        """
        token = self.trust.token
        shown = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            connection = await _NoRedirect(
                f"{self.url}{PATH}",
                create_connection=kind,
                ssl=self.trust.context() if self.url.startswith("wss:") else None,
                additional_headers={**shown, **(headers or {})},
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,
                max_size=MAX_LINE,
                open_timeout=OPEN_TIMEOUT,
                close_timeout=CLOSE_TIMEOUT,
                ping_interval=PING,
                ping_timeout=PING,
            )
        except InvalidStatus as error:
            raise _refusal(error) from error
        except TimeoutError as error:
            raise DialError(f"no answer within {OPEN_TIMEOUT:g} s") from error
        except (OSError, EOFError, WebSocketException, ImportError, ValueError) as error:
            raise DialError(_reason(error), is_final=_is_final(error)) from error
        return cast(C, connection)  # It is what `kind` has made.


class _NoRedirect(connect):
    """Goes nowhere else, whatever a server says: the token is for this one."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Take a redirection for the refusal that it is."""
        return exc


def _refusal(error: InvalidStatus) -> DialError:
    """Return what the server said instead of opening a WebSocket."""
    status = error.response.status_code
    body = bytes(error.response.body or b"").decode(errors="replace").strip()
    text = shown(body.splitlines()[0] if body else error.response.reason_phrase)
    notice = Notice.parse(f"info string rookery {text}")
    # Another server, or one that knows no machines; or a proxy whose server is being started.
    is_final = notice is None and status < HTTPStatus.INTERNAL_SERVER_ERROR
    if is_final and status != HTTPStatus.UNAUTHORIZED:
        text = f"{text}; is this a Rookery server that machines may join?"
    return DialError(
        f"the server says {status}: {text}", notice.code if notice else None, is_final=is_final
    )


def shown(text: str) -> str:
    """Return what a server says as it can be printed: it steers no terminal."""
    text = text[:_SHOWN]
    return text if text.isprintable() else ascii(text)


def _is_final(error: Exception) -> bool:
    if isinstance(error, InvalidMessage):  # No HTTP, though something may have answered.
        return _has_answered(error)
    if isinstance(error, ssl.SSLError):
        return isinstance(error, ssl.SSLCertVerificationError) or _speaks_no_tls(error)
    # What is wrong with these is wrong here, and does not get better by itself.
    return isinstance(error, InvalidURI | InvalidProxy | ImportError | ValueError)


def _has_answered(error: InvalidMessage) -> bool:
    """Say whether something else is there; a proxy whose server is being started says nothing."""
    if isinstance(error.__cause__, EOFError):
        # The library says only in words whether it has read nothing, or a line of something else.
        ended = error.__cause__.__cause__
        return ended is not None and "after 0 bytes" not in str(ended)
    return not isinstance(error.__cause__, OSError)


def _speaks_no_tls(error: ssl.SSLError) -> bool:
    """Say whether what was answered is no TLS; who refuses in TLS, or hangs up, may not always."""
    ends = isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError)
    return not ends and "ALERT" not in (error.reason or "ALERT")


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message if hasattr(error, "verify_message") else error.strerror
        return f"the server is not trusted: {why}; --ca or --pin say whom to trust"
    if isinstance(error, ssl.SSLError):
        return tls_reason(error)
    if isinstance(error, OSError):
        return _network_reason(error)
    if isinstance(error, UnicodeError):
        return f"that is no name of a machine: {error}; compare it with the link"
    if isinstance(error, InvalidProxy):
        return _proxy_reason(error.msg)
    if isinstance(error, ImportError | ValueError):
        return _proxy_reason(str(error))
    if isinstance(error, InvalidMessage):
        return f"there is no WebSocket: {_message_reason(error)}"
    if isinstance(error, InvalidHandshake):
        return f"there is no WebSocket: {shown(str(error))}"
    return shown(str(error)) or type(error).__name__


def tls_reason(error: ssl.SSLError) -> str:
    """Return why there is no TLS, and what to do."""
    if _speaks_no_tls(error):
        return "what answers speaks no TLS: is it the right port? ws:// is for a server without TLS"
    why = (error.reason or "it hung up").replace("_", " ").lower()
    return f"the server refuses TLS: {why}"


def _network_reason(error: OSError) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "the connection was refused: is rookery-server running there, on that port?"
    if isinstance(error, socket.gaierror):
        why = (error.strerror or "it is unknown").lower()
        return (
            f"its name is not found: {why}; compare it with the link, and is this machine online?"
        )
    if isinstance(error, ConnectionError):
        return "the connection was closed before anything was said"
    return os.strerror(error.errno).lower() if error.errno else shown(str(error))


def _message_reason(error: InvalidMessage) -> str:
    if _has_answered(error):
        return "what answers speaks no HTTP; is it the server's port for TCP, or another program?"
    return "the connection was closed without an answer; does that port want TLS, wss://?"


def _proxy_reason(why: str) -> str:
    """Return what to do about the proxy; its own address may have a password in it."""
    return (
        f"the proxy that this system is set to cannot be used: {shown(why)}; change it, or set"
        " NO_PROXY to the server's name"
    )
