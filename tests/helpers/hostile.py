"""A server that means harm, for the programs that dial one: over TCP, HTTP and WebSocket."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from rookery_protocol.engine_names import SUBPROTOCOL

# Steers a terminal, in ASCII and beyond it, and passes for other lines.
EVIL = "\x1b]0;owned\x07\x1b[31m\x9b2J\u202e\u2028"
WELCOME = "rookery session a.b heard 0 grace 60"
OPTION = "option name Nothing In Particular %d type string default " + 900 * "x"

Say = Callable[[str], Awaitable[None]]
Hear = Callable[[], Awaitable[str]]
Behave = Callable[[Say, Hear], Awaitable[None]]


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[int]:
    """Say the same to all, whatever they ask; gives the port."""

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            await reader.read(1)
            writer.write(answer)
            await writer.drain()
            writer.close()

    async with await asyncio.start_server(hear, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


@asynccontextmanager
async def speaking(behave: Behave, *, tcp: bool) -> AsyncIterator[str]:
    """Speak lines with each that comes; gives the address of the engine."""

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def say(line: str) -> None:
            writer.write(f"{line}\n".encode())
            await writer.drain()

        async def listen() -> str:
            line = await reader.readline()
            if not line:
                raise EOFError("it is gone")
            return line.decode().rstrip("\n")

        with suppress(OSError, EOFError):
            await behave(say, listen)
        writer.close()

    async def converse(connection: ServerConnection) -> None:
        async def listen() -> str:
            return str(await connection.recv())

        with suppress(ConnectionClosed):
            await behave(connection.send, listen)

    if tcp:
        async with await asyncio.start_server(hear, "127.0.0.1", 0) as server:
            yield f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}/x"
    else:
        async with serve(
            converse,
            "127.0.0.1",
            0,
            subprotocols=[SUBPROTOCOL],
            compression=None,
            close_timeout=0.5,
        ) as listening:
            port = next(iter(listening.sockets)).getsockname()[1]
            yield f"ws://127.0.0.1:{port}/engines/x"


def refusal(status: str, body: str = "", *fields: str) -> bytes:
    """Return an answer of HTTP."""
    text = body.encode()
    head = "\r\n".join((f"HTTP/1.1 {status}", f"Content-Length: {len(text)}", *fields))
    return f"{head}\r\n\r\n".encode() + text


def most_memory(pid: int) -> int:
    """Return the most memory that a process has had, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    (line,) = [each for each in status if each.startswith("VmHWM")]
    return int(line.split()[1]) << 10
