"""Frames that RFC 6455 forbids, and connections that are over, over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

import pytest
from helpers.support import TIMEOUT, Running, until
from websockets.frames import Frame, Opcode

from rookery_server.transport import websocket

HANDSHAKE = (
    b"GET /engines/polite HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    b"Sec-WebSocket-Version: 13\r\n\r\n"
)
ISREADY = Frame(Opcode.TEXT, b"isready").serialize(mask=True)
READYOK = b"\x81\x07readyok"
ERROR, INVALID, TOO_BIG = 1002, 1007, 1009
TOO_LONG = 10.0  # s

Writer = asyncio.StreamWriter


@asynccontextmanager
async def conversation(app: Running) -> AsyncIterator[tuple[asyncio.StreamReader, Writer]]:
    """Open a WebSocket by hand; whatever happens, this side leaves the connection open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    try:
        writer.write(HANDSHAKE)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        yield reader, writer
    finally:
        writer.close()


def raw(first: int, second: int, rest: bytes = b"") -> bytes:
    """Return a frame by its first two bytes, masked with zeros."""
    return bytes([first, 0x80 | second]) + rest


def measured(first: int, text: bytes, digits: int) -> bytes:
    """Return a frame that has its length in so many bytes."""
    length = len(text).to_bytes(digits, "big")
    return raw(first, {2: 126, 8: 127}[digits], length + bytes(4) + text)


FORBIDDEN = [
    (Frame(Opcode.TEXT, b"isready").serialize(mask=False), ERROR),
    (raw(0xC1, 0, bytes(4)), ERROR),  # reserved bits, one by one
    (raw(0xA1, 0, bytes(4)), ERROR),
    (raw(0x91, 0, bytes(4)), ERROR),
    (raw(0xC9, 0, bytes(4)), ERROR),
    *((raw(0x80 | opcode, 0, bytes(4)), ERROR) for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)),
    (raw(0x09, 0, bytes(4)), ERROR),  # parts of a ping, a pong and a close
    (raw(0x0A, 0, bytes(4)), ERROR),
    (raw(0x08, 0, bytes(4)), ERROR),
    (measured(0x89, bytes(126), 2), ERROR),  # control frames that are too long
    (measured(0x88, b"\x03\xe8" + bytes(124), 2), ERROR),
    (raw(0x80, 0, bytes(4)), ERROR),  # the rest of no message
    (raw(0x01, 0, bytes(4)) + ISREADY, ERROR),  # a message inside another
    (measured(0x81, b"isready", 2), ERROR),  # lengths that could be shorter
    (measured(0x81, b"isready", 8), ERROR),
    (measured(0x81, bytes(65535), 8), ERROR),
    (measured(0x82, b"isready", 2), ERROR),
    (measured(0x89, b"", 2), ERROR),
    (measured(0x89, b"isready", 8), ERROR),
    (measured(0x88, b"\x03\xe8", 2), ERROR),
    (raw(0x01, 0, bytes(4)) + measured(0x80, b"isready", 2), ERROR),
    (raw(0x81, 127, (1 << 63).to_bytes(8, "big")), TOO_BIG),
    (raw(0x88, 1, bytes(4) + b"\x03"), ERROR),  # closes without a code, or with one that is none
    (raw(0x88, 2, bytes(4) + b"\x03\xe7"), ERROR),
    (raw(0x88, 2, bytes(4) + b"\x03\xed"), ERROR),
    (raw(0x88, 3, bytes(4) + b"\x03\xe8\xff"), INVALID),
]


@pytest.mark.parametrize("step", [1, 10**6])
async def test_frame_that_is_forbidden_ends_the_connection(app: Running, step: int) -> None:
    """The lines before it are answered, and those after it are not read."""
    for frame, code in FORBIDDEN:
        await ended_by(app, frame, code, step)


async def ended_by(app: Running, frame: bytes, code: int, step: int) -> None:
    data = ISREADY + frame + ISREADY
    async with conversation(app) as (reader, writer):
        for place in range(0, min(len(data), 300 * step), step):  # All but one end there.
            if not reader.at_eof():
                writer.write(data[place : place + step])
                await asyncio.sleep(0)
        async with asyncio.timeout(TIMEOUT):
            answer = await reader.read()
    assert answer.count(READYOK) <= 1, frame[:20]
    head, _, reason = answer.rpartition(code.to_bytes(2, "big"))
    assert head[-2:-1] == b"\x88", (frame[:20], answer)
    assert head[-1] == 2 + len(reason), (frame[:20], answer)


async def test_lengths_as_short_as_can_be_are_heard(app: Running) -> None:
    spaces = {2: 126 - 7, 8: 65536 - 7}
    async with conversation(app) as (reader, writer):
        frames = (measured(0x81, b" " * spaces[2] + b"isready", 2), ISREADY)
        for frame in frames:
            writer.write(frame)
            async with asyncio.timeout(TIMEOUT):
                assert await reader.readexactly(len(READYOK)) == READYOK


@pytest.mark.parametrize(
    "last",
    [
        raw(0x88, 2, bytes(4) + b"\x03\xe8"),
        raw(0x88, 0, bytes(4)),
        raw(0x83, 0, bytes(4)),
        measured(0x81, b"isready", 8),
        Frame(Opcode.TEXT, b"quit").serialize(mask=True),
        Frame(Opcode.TEXT, bytes(70_000)).serialize(mask=True),
    ],
    ids=count(),
)
async def test_connection_that_is_closed_is_not_held_though_its_peer_holds_it(
    app: Running, last: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even until the next ping, which is due after 20 s, and far less for an hour."""
    monkeypatch.setattr(websocket, "PING_INTERVAL", 3600.0)
    async with conversation(app) as (reader, writer):
        writer.write(ISREADY)
        await reader.readexactly(len(READYOK))
        writer.write(last)
        async with asyncio.timeout(TIMEOUT):
            await reader.read()
        await until(lambda: not app._policy.connection_count)
        await until(lambda: not app.host.actors)


async def test_client_that_does_not_answer_a_ping_is_left(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "PING_INTERVAL", 0.05)
    async with conversation(app) as (reader, _):
        async with asyncio.timeout(TIMEOUT):
            answer = await reader.read()
        assert answer == b"\x89\x00\x88\x18\x03\xf3keepalive ping timeout"
        await until(lambda: not app._policy.connection_count)


@pytest.mark.parametrize(
    "request_",
    [b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\na: " + 9000 * b"b", b"GET /" + 9000 * b"b"],
    ids=count(),
)
async def test_what_is_no_request_is_not_held_until_the_time_for_one_is_over(
    app: Running, request_: bytes
) -> None:
    assert app.config.server.handshake_timeout == TOO_LONG
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    writer.write(request_)
    async with asyncio.timeout(TIMEOUT):
        await reader.read()
    async with asyncio.timeout(0.8 * TOO_LONG):
        await until(lambda: not app._policy.connection_count)
    writer.close()
