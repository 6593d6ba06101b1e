"""Connections to a server over WebSocket, and the reasons why there is none.

A redirect is never followed, because the token is for one server.  A message of the server has
at most the length of a line, so that no server can fill the memory of its client.
"""

import asyncio
import logging
import os
import socket
import ssl
from http import HTTPStatus
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

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
from websockets.uri import parse_uri

from rookery_protocol.engine_names import SUBPROTOCOL
from rookery_protocol.notices import Code, Notice, legible
from rookery_protocol.tls_trust import PinError, Trust
from rookery_uci import MAX_LINE

OPEN_TIMEOUT = 10.0  # s to reach the server and have the engine started
NEXT_ADDRESS = 0.25  # s until the next address of a host is tried: IPv6 may lead nowhere
CLOSE_TIMEOUT = 1.0  # s that the server has to answer the closing of a connection

# Notices after which another attempt is refused as well, until the user changes something.
FINAL_CODES = (
    Code.UNAUTHORIZED,
    Code.TOKEN_IN_URL,
    Code.WRONG_HOST,
    Code.WRONG_ORIGIN,
    Code.UNKNOWN_ENGINE,
    Code.ENDED,
)

_LONGEST = 600  # characters of a reason: a server's text, and what to do about it
# At its most detailed, the library's own log has each header, and so the token.
_QUIET = logging.getLogger(f"{__name__}.websockets")
_QUIET.setLevel(logging.ERROR)

C = TypeVar("C", bound=ClientConnection)


class DialError(Exception):
    """A server cannot be reached, refuses, or has ended the session; the text says why.

    `code` is that of the server's notice, and `status` that of its HTTP answer, where there was
    one; `is_final` says that another attempt is of no use before something is changed.
    """

    def __init__(
        self,
        text: str,
        code: Code | None = None,
        *,
        status: int | None = None,
        is_final: bool = False,
    ) -> None:
        super().__init__(legible(text, _LONGEST))
        self.code = code
        self.status = status
        self.is_final = is_final or code in FINAL_CODES


class _Dial(connect):
    def process_redirect(self, exc: Exception) -> Exception | str:
        """Treat a redirect as a refusal."""
        return exc


async def dial_websocket(
    url: str,
    trust: Trust,
    kind: type[C],
    *,
    subprotocol: str = SUBPROTOCOL,
    headers: dict[str, str] | None = None,
    ping: float | None = None,
    help_text: str = "",
) -> C:
    """Open a WebSocket connection.

    Args:
        url: `ws://` or `wss://`, with the path.
        trust: the token that is shown, and how the server is authenticated.
        kind: the class of the connection.
        subprotocol: the WebSocket subprotocol.
        headers: more headers of the request.
        ping: s between pings, and for the answer to each; None sends no pings.
        help_text: a command that says more, for the errors.

    Raises:
        DialError: the server cannot be reached, or refuses.

    """
    login = {"Authorization": f"Bearer {trust.token}"} if trust.token else {}
    # The next address of a host is tried early (RFC 8305); uvloop tries one after the other.
    is_known = isinstance(asyncio.get_running_loop(), asyncio.BaseEventLoop)
    racing: dict[str, Any] = {"happy_eyeballs_delay": NEXT_ADDRESS} if is_known else {}
    try:
        parse_uri(url)
    except (InvalidURI, ValueError) as error:
        raise DialError(
            f"{url} is no address: {error}; it needs wss://HOST:PORT/engines/NAME", is_final=True
        ) from error
    try:
        connection = await _Dial(
            url,
            create_connection=kind,
            ssl=trust.context() if url.startswith("wss:") else None,
            additional_headers={**login, **(headers or {})},
            subprotocols=[Subprotocol(subprotocol)],
            compression=None,
            max_size=MAX_LINE,
            logger=_QUIET,
            open_timeout=OPEN_TIMEOUT,
            close_timeout=CLOSE_TIMEOUT,
            ping_interval=ping,
            ping_timeout=ping,
            **racing,
        )
    except InvalidStatus as error:
        raise _refusal(error, url, trust, help_text) from error
    except TimeoutError as error:
        raise DialError(no_answer(OPEN_TIMEOUT, help_text)) from error
    except (OSError, EOFError, WebSocketException, ImportError, ValueError) as error:
        raise failed_dial(error, trust) from error
    return cast(C, connection)  # `kind` has made it.


# --- refusals over HTTP


def _refusal(error: InvalidStatus, url: str, trust: Trust, help_text: str) -> DialError:
    """Return the error for an HTTP answer that opens no WebSocket."""
    response = error.response
    status, target = response.status_code, str(response.headers.get("Location", ""))
    if target and HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return DialError(
            f"it leads elsewhere, to {legible(target)!r}: that is no Rookery server; something in"
            " between answers, as a Wi-Fi's log-in page does: open any page in a browser, and log"
            " in",
            status=status,
            is_final=True,
        )
    body = bytes(response.body or b"").decode(errors="replace").strip()
    text = legible(body.splitlines()[0]) if body else ""
    notice = Notice.parse(f"info string rookery {text}")
    if status == HTTPStatus.UNAUTHORIZED and not trust.token:
        return DialError(how_to_log_in(trust), Code.UNAUTHORIZED, status=status)
    text = f"HTTP status {status}: {text or legible(response.reason_phrase)}"
    # A proxy whose server is being started answers with 502 or 503.
    is_foreign = notice is None and status < HTTPStatus.INTERNAL_SERVER_ERROR
    if is_foreign:
        path = "/".join(urlsplit(url).path.split("/")[:2])
        text += (
            f"; that is no Rookery server, or a proxy in front of it does not pass {path} on"
            f"{_more(help_text)}"
        )
    return DialError(text, notice.code if notice else None, status=status, is_final=is_foreign)


def how_to_log_in(trust: Trust) -> str:
    """Return the error text for a server that wants a token."""
    if trust.of_link:
        return "the server wants a token: ask its operator for a link that has one"
    return (
        "the server wants a token: put the one that its operator gave you into a file and add"
        " --token-file FILE, or set ROOKERY_TOKEN"
    )


def no_answer(seconds: float, help_text: str) -> str:
    """Return the error text for a server that has not answered in that time."""
    return (
        f"no answer within {seconds:.0f} s: a firewall, a wrong host, or the server is off"
        f"{_more(help_text)}"
    )


def _more(help_text: str) -> str:
    return f"; {help_text} says more" if help_text else ""


# --- failures below HTTP


def failed_dial(error: Exception, trust: Trust) -> DialError:
    """Return the error for a connection that could not be made.

    It is final where the address or the server is the wrong one; a server that starts or stops
    is another matter.
    """
    if isinstance(error, ssl.SSLCertVerificationError):
        why = getattr(error, "verify_message", "") or error.args[-1]
        text = f"the server is not trusted: {why}; {_how_to_trust(error, trust)}"
        return DialError(text, is_final=True)
    if isinstance(error, ssl.SSLError):
        return DialError(tls_reason(error), is_final=_speaks_no_tls(error))
    if isinstance(error, OSError):
        return DialError(_network_reason(error))
    if isinstance(error, UnicodeError):
        text = f"that is no name of a machine: {error}; compare it with the link"
        return DialError(text, is_final=True)
    if isinstance(error, InvalidProxy | ImportError | ValueError):
        # The proxy's own address may have a password in it.
        why = legible(error.msg if isinstance(error, InvalidProxy) else str(error))
        text = f"the proxy that this system is set to cannot be used: {why}"
        return DialError(f"{text}; change it, or set NO_PROXY to the server's name", is_final=True)
    if isinstance(error, InvalidMessage):
        text = f"there is no WebSocket: {_message_reason(error)}"
        return DialError(text, is_final=_has_answered(error))
    if isinstance(error, InvalidHandshake):
        text = f"there is no WebSocket: {legible(str(error))}"
        return DialError(f"{text}; is rookery-server running there, on that port?")
    return DialError(str(error) or type(error).__name__)


def _has_answered(error: InvalidMessage) -> bool:
    """Say whether another program is there; a proxy whose server is being started says nothing."""
    if isinstance(error.__cause__, EOFError):
        # Only the library's text tells an empty answer from a line of another protocol.
        ended = error.__cause__.__cause__
        return ended is not None and "after 0 bytes" not in str(ended)
    return not isinstance(error.__cause__, OSError)


def _speaks_no_tls(error: ssl.SSLError) -> bool:
    """Say whether the answer was no TLS; a refusal in TLS or a hang-up may be temporary."""
    ends = isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError)
    return not ends and "ALERT" not in (error.reason or "ALERT")


def _how_to_trust(error: ssl.SSLCertVerificationError, trust: Trust) -> str:
    if not trust.of_link:
        return "--ca or --pin say whom to trust"
    if isinstance(error, PinError):
        return (
            "if the operator has renewed it, ask for another link; if not, somebody is in between"
        )
    return "ask the operator to mend that, or for another link"


def tls_reason(error: ssl.SSLError) -> str:
    """Return why there is no TLS, and what to do."""
    if _speaks_no_tls(error):
        return (
            "the server does not speak TLS on that port: use ws:// or tcp://, or another port"
            " (rookery-server prints them)"
        )
    why = (error.reason or "it hung up").replace("_", " ").lower()
    return f"the server refuses TLS: {why}"


def _network_reason(error: OSError) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "the connection was refused: is rookery-server running there, on that port?"
    if isinstance(error, socket.gaierror):
        return (
            "there is no machine of that name: compare it with the link, and is this machine"
            " online?"
        )
    if isinstance(error, ConnectionError):
        return "the connection was closed before anything was said"
    if getattr(error, "winerror", None):  # Windows has texts for its own numbers only.
        return str(error.strerror)
    return os.strerror(error.errno).lower() if error.errno else str(error)


def _message_reason(error: InvalidMessage) -> str:
    if _has_answered(error):
        return "what answers speaks no HTTP; is it the server's port for TCP, or another program?"
    return "the connection was closed without an answer; does that port want TLS, wss://?"
