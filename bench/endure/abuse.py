"""Input that breaks the protocols below UCI: TCP, HTTP, WebSocket, logging in.

Each case is bytes that a connection sends, before or after it has shown a token; the
server must answer, close, or go on, and in no case keep who breaks the rules for longer
than its deadlines.
"""

import asyncio
import random
import struct
from contextlib import suppress
from dataclasses import dataclass

from bench.endure.client import Client
from bench.endure.frame import BINARY, CLOSE, PING, TEXT, frame
from bench.endure.scenario import Outcome
from bench.endure.server import Server

ROUNDS = 20  # of all cases
AT_ONCE = 5  # of these rounds
DEADLINE = 15.0  # s; the server gives 10 to say who one is
_ELSEWHERE = "127.0.0.2"  # wrong tokens make their address wait, and the witnesses have another
_HUGE = 1 << 22


@dataclass(frozen=True, slots=True)
class Case:
    """Bytes that are wrong; `known` if they come after a token that is good."""

    name: str
    data: bytes
    known: bool = True


def cases(transport: str) -> list[Case]:
    """Return all that is tried over a transport."""
    return _TCP if transport == "tcp" else [*_FRAMES, *_REQUESTS]


async def abuse(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Try each case again and again; each connection must end, or still answer."""
    chance = random.Random(1)
    rounds = max(1, int(ROUNDS * scale))
    for start in range(0, rounds, AT_ONCE):
        async with asyncio.TaskGroup() as tasks:
            for case in cases(transport) * min(AT_ONCE, rounds - start):
                tasks.create_task(_try(server, transport, case, chance, outcome), name=case.name)


async def _try(
    server: Server, transport: str, case: Case, chance: random.Random, outcome: Outcome
) -> None:
    try:
        if case.known:
            client = await Client.open(server.where, transport)
        else:
            client = await Client.raw(server.where, transport, source=_ELSEWHERE)
        for piece in _pieces(case.data, chance):
            client.send(piece)
            await client.drain()
        answers = await _answers(client) if case.known else False
        if not answers:
            async with asyncio.timeout(DEADLINE):
                while await client.reader.read(1 << 16):
                    pass
        outcome.did["went on" if answers else "closed"] += 1
    except TimeoutError:
        outcome.wrong.append(f"{case.name}: neither answered nor closed")
    except OSError:
        outcome.did["reset"] += 1
        return
    with suppress(OSError):
        client.reset()


async def _answers(client: Client) -> bool:
    """Say whether the session goes on."""
    client.say("isready")
    try:
        await client.until("readyok", DEADLINE)
    except ConnectionError:
        return False
    except TimeoutError:
        # What has begun a frame, or a line, that is not over has asked nothing.
        client.half_end()
        return False
    return True


def _pieces(data: bytes, chance: random.Random) -> list[bytes]:
    """Divide the bytes at a few places, as a network does."""
    cuts = sorted(chance.randint(0, len(data)) for _ in range(3))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def _request(line: str = "GET /engines/rookery HTTP/1.1", *headers: str) -> bytes:
    return "\r\n".join((line, *headers, "", "")).encode()


_UPGRADE = (
    "Host: localhost", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==",
)  # fmt: skip

_TCP = [
    Case("a line of 4 MB", b"x" * _HUGE + b"\n"),
    Case("4 MB without an end", b"x" * _HUGE),
    Case("blank lines", b"\r\n" * 50000),
    Case("NUL bytes", b"\0" * 50000 + b"\n"),
    Case("an HTTP request", _request(), known=False),
    Case(
        "a TLS hello", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x07" * 500, known=False
    ),
    Case("nothing", b"", known=False),
    Case("half a first line", b"rookery tok", known=False),
    Case("no token", b"uci\nisready\ngo infinite\n", known=False),
    Case("a wrong token", b"rookery token rk_0011223344556677_" + b"A" * 32 + b"\n", known=False),
    Case("a token of odd bytes", b"rookery token \xff\xfe\0\x80 engine rookery\n", known=False),
    Case("a token of 1 MB", b"rookery token " + b"A" * (1 << 20) + b"\n", known=False),
    Case("an unknown engine", b"rookery engine ../../bin/sh\n", known=False),
    Case("a first line without meaning", b"rookery rookery rookery\n", known=False),
]

_FRAMES = [
    Case("no mask", frame(b"isready", masked=False)),
    Case("reserved bits", bytes([0xF1]) + frame(b"isready")[1:]),
    Case("an unknown opcode", frame(b"isready", 0x3)),
    Case("an unknown control opcode", frame(b"", 0xB)),
    Case("binary", frame(b"isready", BINARY)),
    Case("broken UTF-8", frame(b"isready \xff\xfe", TEXT)),
    Case("a piece of nothing", frame(b"isready", 0x0)),
    Case("a message that does not end", frame(b"isready", TEXT, last=False)),
    Case("a message in pieces", frame(b"isre", last=False) + frame(b"ady", 0x0)),
    Case(
        "a message in 10,000 pieces", frame(b"", last=False) + frame(b"", 0x0, last=False) * 10000
    ),
    Case("a message within another", frame(b"isre", last=False) + frame(b"isready")),
    Case("a ping in pieces", frame(b"x", PING, last=False)),
    Case("a ping that is too long", frame(b"x" * 126, PING)),
    Case("10,000 pings", frame(b"x" * 100, PING) * 10000),
    Case("a frame of 2^63 bytes", b"\x81\xff" + struct.pack("!Q", 1 << 63) + b"\0" * 4),
    Case("a frame of -14 bytes", b"\x81\xff" + struct.pack("!Q", (1 << 64) - 14) + b"\0" * 4),
    Case("a frame of 4 GB", b"\x81\xff" + struct.pack("!Q", 1 << 32) + b"\0" * 4),
    Case("4 MB", frame(b"x" * _HUGE)),
    Case("a close without sense", frame(b"\x00\x01xx", CLOSE)),
    Case("a close of one byte", frame(b"\x03", CLOSE)),
    Case("half a head", b"\x81"),
    Case("half a frame", frame(b"position startpos")[:9]),
    Case("what comes after a close", frame(b"\x03\xe8", CLOSE) + frame(b"isready") * 100),
    Case("bytes without meaning", bytes(range(256)) * 40),
]

_REQUESTS = [
    Case(f"request {number}", data, known=False)
    for number, data in enumerate(
        (
            b"", b"GET", b"\x16\x03\x01\x02\x00\x01", b"x" * 20000, b"\r\n\r\n",
            _request("GET /engines/rookery HTTP/1.1", *_UPGRADE),
            _request("GET /engines/rookery HTTP/1.1", *_UPGRADE, "Authorization: Bearer x"),
            _request("GET /engines/rookery HTTP/1.1", *_UPGRADE, "Authorization: Bearer \xff"),
            _request("GET /engines/rookery?token=rk_1_2 HTTP/1.1", *_UPGRADE),
            _request("GET /engines/../../etc/passwd HTTP/1.1", *_UPGRADE),
            _request("GET /engines/%2e%2e%2fetc HTTP/1.1", *_UPGRADE),
            _request("GET //engines\\rookery HTTP/1.1", *_UPGRADE),
            _request("POST /engines/rookery HTTP/1.1", "Content-Length: 99999999999"),
            _request("GET /engines/rookery HTTP/0.9", *_UPGRADE),
            _request("GET / HTTP/1.1", "Host: localhost", "Host: evil.example"),
            _request("GET / HTTP/1.1", *(f"X-{n}: y" for n in range(500))),
            _request("GET / HTTP/1.1", "X: " + "y" * 9000),
            _request("GET /engines/rookery HTTP/1.1", *_UPGRADE, "Origin: https://evil.example"),
            _request("GET /engines/rookery HTTP/1.1", *_UPGRADE, "Origin: null"),
            _request("GET /metrics HTTP/1.1", "Host: evil.example"),
            _request("GET /healthz HTTP/1.1", "Transfer-Encoding: chunked"),
        )
    )
]  # fmt: skip
