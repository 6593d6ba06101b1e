"""One connection to the server over either transport, as lines, and ways to end it badly."""

import asyncio
import socket
import ssl
import struct
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field

from bench.endure.frame import CLOSE, PING, PONG, TEXT, Frames, frame, request

PATIENCE = 30.0  # s for anything; what takes longer is a failure


@dataclass(frozen=True, slots=True)
class Where:
    """A server's address, its use of TLS, and the tokens of its accounts."""

    port: int
    tcp_port: int
    tokens: dict[str, str] = field(repr=False)
    tls: bool = False

    def port_of(self, transport: str) -> int:
        """Return where a transport listens."""
        return self.tcp_port if transport == "tcp" else self.port

    def context(self) -> ssl.SSLContext | None:
        """Return how to speak TLS with it, if it does; its certificate is of its own making."""
        return ssl._create_unverified_context() if self.tls else None


class Client:
    """A connection.

    `code` is the close code of a WebSocket, once there is one; `last` the last line heard.
    """

    def __init__(
        self, transport: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.transport = transport
        self.reader = reader
        self.writer = writer
        self.code: int | None = None
        self.last = ""
        self._frames = Frames()
        self._lines: deque[str] = deque()
        self._rest = b""

    @classmethod
    async def open(
        cls,
        where: Where,
        transport: str,
        *,
        engine: str = "rookery",
        account: str = "crowd",
        session: str = "",
        source: str = "127.0.0.1",
    ) -> "Client":
        """Connect and show the account's token; `session` is what is said of one, if anything.

        `source` is the address of this machine to connect from.

        Raises:
            ConnectionError: the server has refused; the text says with what.

        """
        port, token = where.port_of(transport), where.tokens[account]
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, limit=1 << 20, ssl=where.context(), local_addr=(source, 0)
            )
            client = cls(transport, reader, writer)
            if transport == "tcp":
                writer.write(f"rookery token {token} engine {engine} {session}\n".encode())
            else:
                bearer = f"Authorization: Bearer {token}"
                writer.write(request(f"/engines/{engine}", port, bearer))
                await client._take_answer()
                if session:
                    client.say(f"rookery {session}")
        return client

    @classmethod
    async def raw(cls, where: Where, transport: str, *, source: str = "127.0.0.1") -> "Client":
        """Connect from an address of this machine, and say nothing yet."""
        port = where.port_of(transport)
        async with asyncio.timeout(PATIENCE):
            return cls(
                transport,
                *await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0)),
            )

    def say(self, *lines: str) -> None:
        """Send lines."""
        self.send(
            b"".join(
                line.encode() + b"\n" if self.transport == "tcp" else frame(line.encode())
                for line in lines
            )
        )

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        if not self.writer.is_closing():
            self.writer.write(data)

    async def drain(self) -> None:
        """Wait until the server has taken what was sent."""
        async with asyncio.timeout(PATIENCE):
            await self.writer.drain()

    async def hear(self, patience: float = PATIENCE) -> str:
        """Return the next line.

        Raises:
            ConnectionError: there will be none.
            TimeoutError: there is none for so long.

        """
        async with asyncio.timeout(patience):
            while not self._lines:
                data = await self.reader.read(1 << 16)
                if not data:
                    raise ConnectionError(f"closed {self.code or ''}")
                self._take(data)
        self.last = self._lines.popleft()
        return self.last

    async def until(self, start: str, patience: float = PATIENCE) -> list[str]:
        """Return the lines up to the first that starts so."""
        lines: list[str] = []
        async with asyncio.timeout(patience):
            while not lines or not lines[-1].startswith(start):
                lines.append(await self.hear(patience))
        return lines

    async def rest(self, patience: float = PATIENCE) -> list[str]:
        """Return all that is said until the server closes."""
        lines: list[str] = []
        with suppress(ConnectionError):
            async with asyncio.timeout(patience):
                while True:
                    lines.append(await self.hear(patience))
        return lines

    def reset(self) -> None:
        """Cut the connection with an RST."""
        with suppress(OSError):
            linger = struct.pack("ii", 1, 0)
            self.writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, linger
            )
        self.writer.transport.abort()

    def end(self) -> None:
        """Close the connection with a FIN, and without a word."""
        self.writer.close()

    def half_end(self) -> None:
        """End what we say, and stay."""
        with suppress(OSError):
            self.writer.write_eof()

    async def quit(self) -> None:
        """Take leave, and wait for the end."""
        self.say("quit")
        with suppress(OSError, TimeoutError):
            await self.rest()
        self.end()

    async def _take_answer(self) -> None:
        head = await self.reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            body = await self.reader.read()
            raise ConnectionRefusedError(f"{head[9:12].decode()} {body.decode().strip()}")

    def _take(self, data: bytes) -> None:
        if self.transport == "tcp":
            *lines, self._rest = (self._rest + data).split(b"\n")
            self._lines.extend(line.decode(errors="replace") for line in lines)
            return
        for opcode, payload in self._frames.feed(data):
            if opcode == TEXT:
                self._lines.append(payload.decode(errors="replace"))
            elif opcode == PING:
                self.send(frame(payload, PONG))
            elif opcode == CLOSE:
                self.code = int.from_bytes(payload[:2], "big")
