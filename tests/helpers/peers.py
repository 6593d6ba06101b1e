"""Clients of sessions that others watch, over both transports."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from helpers.support import TIMEOUT, Lines, Running, code_of, empty, numbered, odd, until
from rookery_protocol.errors import SHUTTING_DOWN
from rookery_protocol.hello import Hello
from rookery_protocol.notices import Code
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig

SERVER = ServerConfig(port=0, tcp_port=0, drain_timeout=1.0)
ENGINES = tuple(
    EngineConfig(name, command)
    for name, command in (
        ("numbered", numbered()),
        ("flood", odd("flood")),
        ("dies", odd("dies")),
    )
)
CONFIG = Config(ENGINES, SERVER)
FLOOD = 200_000  # lines that the flooding engine says
TRANSPORTS = ("tcp", "websocket")


@dataclass
class Peer:
    """A client, over either transport."""

    connection: Lines | ClientConnection

    async def say(self, *lines: str) -> None:
        if isinstance(self.connection, Lines):
            self.connection.say(*lines)
            await self.connection.writer.drain()
        else:
            for line in lines:
                await self.connection.send(line)

    async def hear(self) -> str:
        """Return the next line; "" when the server has closed."""
        if isinstance(self.connection, Lines):
            return await self.connection.hear()
        async with asyncio.timeout(TIMEOUT):
            try:
                return str(await self.connection.recv())
            except ConnectionClosed:
                return ""

    async def until(self, *starts: str) -> list[str]:
        """Return lines up to the first that starts with one of these."""
        lines = [await self.hear()]
        while not lines[-1].startswith(starts):
            assert lines[-1], f"closed before {starts}: {lines}"
            lines.append(await self.hear())
        return lines

    async def end(self) -> list[str]:
        """Return what is heard until the server closes."""
        lines = []
        while line := await self.hear():
            lines.append(line)
        return lines

    @property
    def close_code(self) -> int | None:
        return None if isinstance(self.connection, Lines) else self.connection.close_code

    async def ready(self) -> list[str]:
        """Return what is heard until an `isready` is answered."""
        await self.say("isready")
        return await self.until("readyok")

    async def open(self) -> str:
        """Open a room and return its name."""
        await self.say("rookery room open")
        name = (await self.until("rookery room open "))[-1].split()[-1]
        await self.until("rookery room watching")
        return name

    async def watch(self, name: str) -> list[str]:
        """Watch; return what is told of how things stand."""
        await self.say(f"rookery room watch {name}")
        return await self.until("rookery room watching")


@asynccontextmanager
async def peer(
    app: Running, transport: str = "tcp", *, engine: str = "numbered", token: str | None = None
) -> AsyncIterator[Peer]:
    if transport == "tcp":
        async with app.tcp() as lines:
            if engine != "numbered" or token:
                lines.say(str(Hello(engine=engine, token=token)))
            yield Peer(lines)
    else:
        headers = {"Authorization": f"Bearer {token}"} if token else None
        async with app.websocket(engine, additional_headers=headers) as connection:
            yield Peer(connection)


@asynccontextmanager
async def running(config: Config = CONFIG) -> AsyncIterator[Running]:
    """Run a server, of whose sessions and rooms nothing must be left."""
    async with Running(config) as app:
        yield app
        for actor in list(app.host.actors):
            actor.refuse(SHUTTING_DOWN)
        await empty(app)


def room_lines(lines: list[str]) -> list[str]:
    """Return what the lines say of the room."""
    return [line.removeprefix("rookery room ") for line in lines if line.startswith("rookery ")]


def code_in(lines: list[str]) -> Code:
    """Return the code of the last line, which is a notice."""
    return code_of(lines[-1])


async def watched_by(app: Running, count: int) -> None:
    """Wait until so many watch."""
    await until(lambda: len(app.host.rooms.spectators()) == count)
