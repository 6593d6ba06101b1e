"""Engines of a server, for workers: each is a session, and waits behind interactive ones."""

import asyncio
from http import HTTPStatus

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from rookery_analysis.engine_conversation import (
    BusyServerError,
    EngineConversation,
    FaultyEngineError,
    UnreachableEngineError,
)
from rookery_analysis.engine_supply import EngineSettings, ReadyEngine
from rookery_protocol.address import Address, AddressError
from rookery_protocol.dialer import DialError, dial_websocket
from rookery_protocol.errors import ConfigError
from rookery_protocol.hello import BATCH
from rookery_protocol.line_connection import BoundedConnection
from rookery_protocol.notices import Close, harmless, legible
from rookery_protocol.tls_trust import Trust

_PING = 20.0  # s from one ping to the next, and as long until a connection counts as dead
_FINAL = (Close.POLICY, Close.TOO_BIG)
# Others go first; and an answer from the server's cache is no search of so many nodes.
_FIRST = f"rookery work {BATCH}\nrookery cache off\n".encode()


def is_address(text: str) -> bool:
    """Return whether a text is the address of a server's engine."""
    return text.startswith(("ws://", "wss://"))


def check_secrecy(url: str) -> None:
    """Refuse to send a token where others can read it.

    Raises:
        ConfigError: it would leave this machine without TLS.

    """
    try:
        address = Address.parse(url)
    except AddressError as error:
        raise ConfigError(str(error)) from error
    if not (address.is_secure or address.is_local):
        raise ConfigError(
            f"a token is sent to another machine only over TLS: use wss://, not {url}"
        )


class RemoteEngines:
    """A source of engines that connects to a server.

    The capacity is the caller's: the server queues sessions for which it has no room.
    """

    def __init__(self, url: str, trust: Trust, settings: EngineSettings, *, capacity: int) -> None:
        self.capacity = capacity
        self._url = url
        self._trust = trust
        self._settings = settings
        self._group = asyncio.TaskGroup()
        self._connections: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Prepare to connect."""
        await self._group.__aenter__()

    async def close(self) -> None:
        """Close all connections."""
        for task in self._connections:
            task.cancel()
        await self._group.__aexit__(None, None, None)

    async def acquire(self) -> ReadyEngine:
        """Open a session."""
        connection = await connect(self._url, self._trust)
        lines: asyncio.Queue[bytes] = asyncio.Queue()
        conversation = EngineConversation(lines.put_nowait, self._settings.patience)
        lines.put_nowait(_FIRST)
        task = self._group.create_task(
            _relay(connection, lines, conversation), name=f"relay {self._url}"
        )
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        try:
            await self._settings.apply(conversation)
        except BaseException:
            task.cancel()
            raise
        return ReadyEngine(conversation, task.cancel)


async def connect(url: str, trust: Trust) -> ClientConnection:
    """Connect to the engine of a server.

    Raises:
        BusyServerError: the server has no room now.
        UnreachableEngineError: it cannot be reached now.
        ConfigError: it never can be by this address, or with this token or trust.

    """
    try:
        return await dial_websocket(url, trust, BoundedConnection, ping=_PING)
    except DialError as error:
        text = f"{url} cannot be reached: {error}"
        if error.status == HTTPStatus.TOO_MANY_REQUESTS:
            raise BusyServerError(text) from error
        raise (ConfigError if error.is_final else UnreachableEngineError)(text) from error


async def _relay(
    connection: ClientConnection, lines: "asyncio.Queue[bytes]", conversation: EngineConversation
) -> None:
    """Relay lines both ways until either side has closed."""

    async def send_lines() -> None:
        while True:
            for line in (await lines.get()).splitlines():
                await connection.send(line.decode())

    async with connection:
        try:
            async with asyncio.TaskGroup() as group:
                sending = group.create_task(send_lines(), name="send lines")
                async for message in connection:
                    piece = harmless(message.encode() if isinstance(message, str) else message)
                    conversation.receive(piece if piece.endswith(b"\n") else piece + b"\n")
                sending.cancel()
        except* ConnectionClosed:
            pass  # The closing frame has the reason.
        finally:
            conversation.end(_end_of(connection))


def _end_of(connection: ClientConnection) -> Exception:
    """Return the error that the end of a connection means."""
    code = connection.close_code
    text = legible(connection.close_reason or "") or "the connection was lost"
    if code == Close.ENGINE_GONE:
        return FaultyEngineError(text)
    return ConfigError(text) if code in _FINAL else UnreachableEngineError(text)
