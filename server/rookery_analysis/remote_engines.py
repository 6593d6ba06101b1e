"""Engines of a server, for workers: each is a session, and waits behind interactive ones."""

import asyncio
from ipaddress import ip_address
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from rookery_analysis.engine_source import Seat, Setup
from rookery_analysis.printable import brief
from rookery_analysis.remote_dial import Server
from rookery_analysis.uci_conversation import FaultError, LostError, Talk
from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import BATCH, Close, harmless
from rookery_server.scheduling import machine_resources

_FINAL = (Close.POLICY, Close.TOO_BIG)
# Others go first; and what the server knows already is no search of so many nodes.
_FIRST = f"rookery work {BATCH}\nrookery cache off\n".encode()


def is_address(text: str) -> bool:
    """Say whether a text is where a server's engine is."""
    return text.startswith(("ws://", "wss://"))


def check_secrecy(url: str) -> None:
    """Refuse to send a token where others can read it.

    Raises:
        ConfigError: it would leave this machine without TLS.

    """
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise ConfigError(f"{url} is no address: {error}") from error
    if parts.scheme == "ws" and not _is_here(parts.hostname or ""):
        raise ConfigError(
            f"a token is sent to another machine only over TLS: use wss://, not {url}"
        )


class RemoteSeats:
    """Connects to a server."""

    def __init__(self, server: Server, setup: Setup, patience: float) -> None:
        self._server = server
        self._setup = setup
        self._patience = patience
        self._tasks = asyncio.TaskGroup()
        self._carriers: set[asyncio.Task[None]] = set()

    @property
    def room(self) -> int:
        """As many as there are CPUs here: the server has those wait for which it has no room."""
        return machine_resources.threads(machine_resources.ROOT, machine_resources.affinity())

    async def open(self) -> None:
        """Be ready to connect."""
        await self._tasks.__aenter__()

    async def close(self) -> None:
        """Close all connections."""
        for task in self._carriers:
            task.cancel()
        await self._tasks.__aexit__(None, None, None)

    async def take(self) -> Seat:
        """Open a session."""
        connection = await self._server.dial()
        lines: asyncio.Queue[bytes] = asyncio.Queue()
        talk = Talk(lines.put_nowait, self._patience)
        lines.put_nowait(_FIRST)
        carrying = _carry(connection, lines, talk)
        task = self._tasks.create_task(carrying, name=f"carry {self._server.url}")
        self._carriers.add(task)
        task.add_done_callback(self._carriers.discard)
        try:
            await self._setup.apply(talk)
        except BaseException:
            task.cancel()
            raise
        return Seat(talk, lambda: _cancel(task))


async def _carry(connection: ClientConnection, lines: "asyncio.Queue[bytes]", talk: Talk) -> None:
    """Carry lines both ways until either side has gone."""

    async def say() -> None:
        while True:
            for line in (await lines.get()).splitlines():
                await connection.send(line.decode())

    async with connection:
        try:
            async with asyncio.TaskGroup() as both:
                saying = both.create_task(say(), name="say")
                async for message in connection:
                    piece = harmless(message.encode() if isinstance(message, str) else message)
                    talk.hear(piece if piece.endswith(b"\n") else piece + b"\n")
                saying.cancel()
        except* ConnectionClosed:
            pass  # The frame that closed it says why.
        finally:
            talk.ended(_reason(connection))


def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()


def _reason(connection: ClientConnection) -> Exception:
    code = connection.close_code
    text = brief(connection.close_reason or "") or "the connection was lost"
    if code == Close.ENGINE_GONE:
        return FaultError(text)
    return ConfigError(text) if code in _FINAL else LostError(text)


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
