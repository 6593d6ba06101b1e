"""A client that comes back, as docs/protocol.md has it: a model for others, and for tests."""

import asyncio
from contextlib import suppress
from typing import Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from helpers.support import Lines
from rookery_protocol.hello import Hello
from rookery_protocol.notices import Code, Notice

SILENCE = 1.5  # s without an answer after which a connection is taken for dead
ACKNOWLEDGE = 4  # lines that are heard until the server is told


class Link(Protocol):
    """One connection."""

    async def send(self, line: str) -> None: ...
    async def hear(self) -> str:
        """Return the next line; raise ConnectionError when there will be none."""

    def drop(self) -> None: ...


class TcpLink:
    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    @classmethod
    async def open(cls, port: int, hello: str) -> "TcpLink":
        link = cls(Lines(*await asyncio.open_connection("127.0.0.1", port)))
        await link.send(hello)
        return link

    async def send(self, line: str) -> None:
        self._lines.say(line)
        await self._lines.writer.drain()

    async def hear(self) -> str:
        line = await self._lines.reader.readline()
        if not line.endswith(b"\n"):
            raise ConnectionError("closed")
        return line.decode().rstrip("\n")

    def drop(self) -> None:
        self._lines.writer.transport.abort()


class WebSocketLink:
    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    @classmethod
    async def open(cls, port: int, hello: str, engine: str = "numbered") -> "WebSocketLink":
        url = f"ws://127.0.0.1:{port}/engines/{engine}"
        try:
            connection = await connect(url, compression=None, proxy=None, ping_interval=None)
            await connection.send(hello)
        except (InvalidHandshake, ConnectionClosed, EOFError) as error:
            raise ConnectionError("refused") from error
        return cls(connection)

    async def send(self, line: str) -> None:
        try:
            await self._connection.send(line)
        except ConnectionClosed as error:
            raise ConnectionError("closed") from error

    async def hear(self) -> str:
        try:
            return str(await self._connection.recv())
        except ConnectionClosed as error:
            raise ConnectionError(f"closed {self._connection.close_code}") from error

    def drop(self) -> None:
        self._connection.transport.abort()


class Returning:
    """One session over as many connections as it takes.

    `ports` are those of the transports: `tcp` and `websocket`.  `answers` are the lines
    heard that are owed, each once; `notices` those in which the server spoke for itself.
    """

    def __init__(self, ports: dict[str, int], transport: str = "tcp") -> None:
        self.ports = ports
        self.transport = transport
        self.answers: list[str] = []
        self.notices: list[Notice] = []
        self.returns = 0
        self.pass_: str | None = None
        self._said = 0  # lines of ours that the server is known to have heard
        self._unheard: list[str] = []  # those after them
        self._link: Link | None = None
        self._acknowledged = 0

    async def connect(self) -> None:
        """Begin the session, or come back to it."""
        self.lose()
        again = self.pass_ is not None
        heard = len(self.answers)
        hello = Hello(session=self.pass_ or "new", heard=heard if again else None)
        opener = TcpLink if self.transport == "tcp" else WebSocketLink
        async with asyncio.timeout(SILENCE):
            self._link = await opener.open(self.ports[self.transport], str(hello))
            while not (answer := await self._take_line()) or answer.session is None:
                pass
        self.pass_ = answer.session
        self._acknowledged = heard
        self._server_heard(answer.heard or 0)
        for line in self._unheard:
            await self._link.send(line)
        self.returns += again

    def lose(self) -> None:
        """Drop the connection without a word."""
        if self._link:
            self._link.drop()
            self._link = None

    async def say(self, *lines: str) -> None:
        """Say lines: now, and again if they should be lost."""
        self._unheard += lines
        if self._link:
            with suppress(OSError):
                for line in lines:
                    await self._link.send(line)

    async def until(self, count: int) -> None:
        """Hear until there are so many answers, coming back as often as it takes."""
        while len(self.answers) < count:
            try:
                if self._link is None:
                    await self.connect()
                async with asyncio.timeout(SILENCE):
                    await self._take_line()
            except (OSError, TimeoutError, EOFError):
                self.lose()

    async def hear(self) -> str:
        """Hear one line of this connection, whatever it is, and take note of it."""
        assert self._link
        async with asyncio.timeout(5):
            line = await self._link.hear()
        self._note(line)
        return line

    async def _take_line(self) -> Hello | None:
        assert self._link
        hello = self._note(await self._link.hear())
        if len(self.answers) - self._acknowledged >= ACKNOWLEDGE:
            self._acknowledged = len(self.answers)
            await self._link.send(str(Hello(heard=len(self.answers))))
        return hello

    def _note(self, line: str) -> Hello | None:
        if line.startswith("rookery "):
            hello = Hello.parse(line.encode())
            if hello and hello.session is None and hello.heard is not None:
                self._server_heard(hello.heard)
            return hello
        if notice := Notice.parse(line):
            self.notices.append(notice)
            if notice.code is Code.UNKNOWN_SESSION:
                raise LookupError(notice.text)
        if not line.startswith("info "):
            self.answers.append(line)
        return None

    def _server_heard(self, count: int) -> None:
        assert count >= self._said, "the server has forgotten what it had heard"
        assert count <= self._said + len(self._unheard), "the server heard what was never said"
        del self._unheard[: count - self._said]
        self._said = count
