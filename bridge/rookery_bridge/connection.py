"""The connection to a remote engine, over WebSocket or TCP, as lines.

Both transports offer the same: `connect` gives a `Remote`, which is told pieces of
whole lines and calls back with what the engine says, in whole lines too.  As in the
server's relay, callbacks carry the lines and not coroutines.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Protocol, cast

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_websocket
from websockets.client import ClientProtocol
from websockets.exceptions import (
    InvalidHandshake,
    InvalidMessage,
    InvalidProxy,
    InvalidStatus,
    WebSocketException,
)
from websockets.frames import DATA_OPCODES, Frame
from websockets.protocol import OPEN, Event
from websockets.typing import Subprotocol

from rookery_bridge.address import Address
from rookery_bridge.server_trust import PinError, Trust
from rookery_protocol.notices import SUBPROTOCOL, Close, Code, Hello, Notice, legible
from rookery_uci import MAX_LINE, LineBuffer

OPEN_TIMEOUT = 10.0  # s to reach the server and have the engine started
NEXT_ADDRESS = 0.25  # s until the next address of a host is tried: IPv6 may lead nowhere
# Bytes that may wait for a server that does not read: many times what a game has.  Answers to
# what it says wait, too, so that it could fill the memory by that.
MAX_UNSENT = 1 << 22
CLOSE_TIMEOUT = 1.0  # s that the server has to answer the closing of the connection

# What the server says to who need not come again.
FINAL = (
    Code.UNAUTHORIZED,
    Code.TOKEN_IN_URL,
    Code.WRONG_HOST,
    Code.WRONG_ORIGIN,
    Code.UNKNOWN_ENGINE,
    Code.ENDED,
)

_LONGEST = 600  # characters of a reason: what a server says, and what to do about it
# The library's own log has each header at its most detailed, and so the token.
_QUIET = logging.getLogger("rookery_bridge.websockets")
_QUIET.setLevel(logging.ERROR)

Hear = Callable[[bytes], None]  # takes whole lines, each ended by a newline


class RemoteError(Exception):
    """The remote engine cannot be reached; the text says why and what to do.

    `code` is what the server said, if it said one; `is_final` that a first attempt needs
    no second one.
    """

    def __init__(self, text: str, code: Code | None = None, *, is_final: bool = False) -> None:
        super().__init__(legible(text, _LONGEST))
        self.code = code
        self.is_final = is_final or code in FINAL


class Remote(Protocol):
    """A connection to a remote engine."""

    def tell(self, line: bytes) -> None:
        """Send a line."""

    async def until_closed(self) -> str:
        """Wait until the connection is gone; return why, or "" if all was said."""

    def drop(self) -> None:
        """Leave the connection without a word."""


async def connect(address: Address, hear: Hear, trust: Trust, hello: Hello) -> Remote:
    """Connect to an engine, and say which session is meant.

    Raises:
        RemoteError: the server cannot be reached, or has refused.

    """
    try:
        async with asyncio.timeout(OPEN_TIMEOUT):
            if address.is_websocket:
                return await _connect_websocket(address, hear, trust, hello)
            return await _connect_tcp(address, hear, trust, hello)
    except TimeoutError as error:
        raise RemoteError(no_answer(OPEN_TIMEOUT)) from error
    except InvalidStatus as error:
        raise _refusal(error, trust) from error
    except (OSError, EOFError, WebSocketException, ImportError, UnicodeError) as error:
        raise RemoteError(_reason(error, trust), is_final=_is_final(error)) from error


def _is_final(error: Exception) -> bool:
    """Say whether it is the wrong server, and not one that is just going or coming."""
    if isinstance(error, InvalidMessage):
        return not isinstance(error.__cause__, OSError | EOFError)
    return isinstance(error, ssl.SSLCertVerificationError | ImportError | UnicodeError)


def _how_to_log_in(trust: Trust) -> str:
    if trust.of_link:
        return "the server wants a token: ask its operator for a link that has one"
    return (
        "the server wants a token: put the one that its operator gave you into a file and add"
        " --token-file FILE, or set ROOKERY_TOKEN"
    )


def no_answer(seconds: float) -> str:
    """Return what to say of a server that has not answered in that time."""
    return (
        f"no answer within {seconds:.0f} s: a firewall, a wrong host, or the server is off;"
        " 'rookery-bridge doctor' says more"
    )


# --- WebSocket


class WebSocketRemote(ClientConnection):
    """A connection of the library that hands text on where it is parsed."""

    def __init__(self, protocol: ClientProtocol, **settings: Any) -> None:
        super().__init__(protocol, **settings)
        self._hear: Hear | None = None
        self._heard = bytearray()

    def listen(self, hear: Hear) -> None:
        """Hear what the engine says from now on, and what it has said already."""
        self._hear = hear
        self._pass_on()

    def tell(self, line: bytes) -> None:
        """Send a line as a message."""
        if self.protocol.state is OPEN:
            self.protocol.send_text(line)
            self.send_data()
            _see_to_unsent(self.transport)

    def drop(self) -> None:
        """Leave the connection without a word."""
        self.transport.abort()

    async def until_closed(self) -> str:
        """Wait until the connection is gone; return why, or "" if all was said."""
        await self.wait_closed()
        if self.close_code == Close.DONE:
            return ""
        return legible(self.close_reason or "") or f"close code {self.close_code}"

    def process_event(self, event: Event) -> None:
        """Take a frame: text is heard, all else is the library's."""
        if isinstance(event, Frame) and event.opcode in DATA_OPCODES:
            self._heard += event.data
            if event.fin:
                self._heard += b"\n"
        else:
            super().process_event(event)

    def data_received(self, data: bytes) -> None:
        """Take bytes, and pass all the lines in them on at once."""
        super().data_received(data)
        self._pass_on()
        _see_to_unsent(self.transport)

    def _pass_on(self) -> None:
        # A message may come in several frames, so only whole lines are passed on.
        end = self._heard.rfind(b"\n") + 1
        if end and self._hear:
            piece = bytes(self._heard[:end])
            del self._heard[:end]
            self._hear(piece)


class _Connecting(connect_websocket):
    """An attempt that goes nowhere else: the token is for one server."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Follow no redirect, so that it is a refusal like any other."""
        return exc


async def _connect_websocket(
    address: Address, hear: Hear, trust: Trust, hello: Hello
) -> WebSocketRemote:
    connection = await _Connecting(
        str(address),
        create_connection=WebSocketRemote,
        ssl=trust.context() if address.is_secure else None,
        additional_headers={"Authorization": f"Bearer {trust.token}"} if trust.token else None,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        max_size=MAX_LINE,
        logger=_QUIET,
        close_timeout=CLOSE_TIMEOUT,
        open_timeout=None,  # `connect` bounds it.
        ping_interval=None,  # The conversation asks whether the server is there.
        happy_eyeballs_delay=NEXT_ADDRESS,
    )
    assert isinstance(connection, WebSocketRemote)
    connection.listen(hear)
    connection.tell(bytes(hello))
    return connection


def _refusal(error: InvalidStatus, trust: Trust) -> RemoteError:
    """Return what the server said instead of opening a WebSocket."""
    status = error.response.status_code
    if target := _redirection(error):
        return RemoteError(
            f"it leads elsewhere, to {legible(target)!r}: that is no Rookery server; something in"
            " between answers, as a Wi-Fi's log-in page does: open any page in a browser, and log"
            " in",
            is_final=True,
        )
    body = bytes(error.response.body or b"").decode(errors="replace").strip()
    text = legible(body.splitlines()[0]) if body else ""
    notice = Notice.parse(f"info string rookery {text}")
    if status == HTTPStatus.UNAUTHORIZED and not trust.token:
        return RemoteError(_how_to_log_in(trust), Code.UNAUTHORIZED)
    text = f"HTTP status {status}: {text or legible(error.response.reason_phrase)}"
    # Another server, or a proxy whose server is being started: only the latter gets better.
    is_final = notice is None and status < HTTPStatus.INTERNAL_SERVER_ERROR
    if is_final:
        text += (
            "; that is no Rookery server, or a proxy in front of it does not pass /engines on:"
            " 'rookery-bridge doctor' says more"
        )
    return RemoteError(text, notice.code if notice else None, is_final=is_final)


def _redirection(error: InvalidStatus) -> str:
    """Return where a redirect leads; "" if it is none."""
    response = error.response
    is_redirect = HTTPStatus.MULTIPLE_CHOICES <= response.status_code < HTTPStatus.BAD_REQUEST
    return str(response.headers.get("Location", "")) if is_redirect else ""


def _reason(error: Exception, trust: Trust) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message if hasattr(error, "verify_message") else error.strerror
        return f"the server is not trusted: {why}; {_whom_to_trust(error, trust)}"
    if isinstance(error, ssl.SSLError) and error.reason == "WRONG_VERSION_NUMBER":
        return (
            "the server does not speak TLS on that port: use ws:// or tcp://, or another port"
            " (rookery-server prints them)"
        )
    if isinstance(error, ConnectionRefusedError):
        return "the connection was refused: is rookery-server running there, on that port?"
    if isinstance(error, socket.gaierror):
        return (
            "there is no machine of that name: compare it with the link, and is this machine"
            " online?"
        )
    if isinstance(error, UnicodeError):
        return f"that is no name of a machine: {error}; compare it with the link"
    if isinstance(error, InvalidProxy | ImportError):
        # Its own address may have a password in it.
        why = error.msg if isinstance(error, InvalidProxy) else str(error)
        return (
            f"the proxy that this system is set to cannot be used: {why}; change it, or set"
            " NO_PROXY to the server's name"
        )
    if isinstance(error, InvalidHandshake):
        return (
            f"there is no WebSocket: {legible(str(error))}; is rookery-server running there, on"
            " that port?"
        )
    return str(error) or type(error).__name__


def _whom_to_trust(error: ssl.SSLCertVerificationError, trust: Trust) -> str:
    if not trust.of_link:
        return "--ca or --pin say whom to trust"
    if isinstance(error, PinError):
        return (
            "if the operator has renewed it, ask for another link; if not, somebody is in between"
        )
    return "ask the operator to mend that, or for another link"


def _see_to_unsent(transport: asyncio.Transport) -> None:
    """Leave a server that does not read: what it has not heard is said again to the next one."""
    if transport.get_write_buffer_size() > MAX_UNSENT:
        transport.abort()


# --- TCP

_HTTP = b"HTTP/"  # No line of UCI begins so.
_OTHER_PORT = Notice(
    Code.WRONG_PROTOCOL,
    "this port is for http and ws://; tcp:// has the other one of the server's",
)


class TcpRemote(asyncio.Protocol):
    """A TCP connection that carries lines."""

    def __init__(self, hear: Hear, trust: Trust) -> None:
        self._hear = hear
        self._trust = trust
        self._lines = LineBuffer()
        self._transport: asyncio.Transport
        self._lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._last_notice: Notice | None = None

    def tell(self, line: bytes) -> None:
        """Send a line."""
        if not self._transport.is_closing():
            self._transport.write(line + b"\n")
            _see_to_unsent(self._transport)

    async def until_closed(self) -> str:
        """Wait until the connection is gone; return why, or "" if all was said."""
        return await asyncio.shield(self._lost)

    def drop(self) -> None:
        """Leave the connection without a word."""
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection."""
        self._transport = cast(asyncio.Transport, transport)  # by contract it is one

    def data_received(self, data: bytes) -> None:
        """Take bytes, and pass on the whole lines in them."""
        piece = self._lines.feed_piece(data)
        if piece.startswith(_HTTP) and self._last_notice is None:
            self._transport.abort()  # It goes on about it.
            piece = bytes(_OTHER_PORT) + b"\n"
        if piece:
            self._hear(piece)
            last = piece[:-1].rpartition(b"\n")[2]
            self._last_notice = Notice.parse(last.decode(errors="replace"))
            _see_to_unsent(self._transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note that the connection is gone; a notice before it says why."""
        reason = str(exc) if exc else ""
        if self._last_notice:
            reason = legible(self._last_notice.text)
            if self._last_notice.code is Code.UNAUTHORIZED and not self._trust.token:
                reason = _how_to_log_in(self._trust)
        if not self._lost.done():
            self._lost.set_result(reason)


async def _connect_tcp(address: Address, hear: Hear, trust: Trust, hello: Hello) -> TcpRemote:
    loop = asyncio.get_running_loop()
    _, remote = await loop.create_connection(
        lambda: TcpRemote(hear, trust),
        address.host,
        address.port,
        happy_eyeballs_delay=NEXT_ADDRESS,
        ssl=trust.context() if address.is_secure else None,
    )
    remote.tell(bytes(replace(hello, engine=address.engine, token=trust.token)))
    return remote
