"""Clients that say more than can be heard: short lines, blank ones, pings, as fast as taken."""

import asyncio
from contextlib import suppress

from bench.endure.client import Client
from bench.endure.frame import PING, TEXT, frame
from bench.endure.scenario import Outcome
from bench.endure.server import Server

SECONDS = 5.0  # of each kind
PIECE = 1 << 18  # bytes, about, in one write
_SAID = {
    "tcp": (b"x\n", b"\n", b"isready\n", b"setoption name Hash value 31\n", b"rookery heard 0\n"),
    "websocket": (
        frame(b"x"), frame(b"", TEXT), frame(b"isready"), frame(b"", PING), frame(b"x" * 125, PING),
        frame(b"setoption name Hash value 31"),
        frame(b"", last=False) + frame(b"", 0x0),
    ),
}  # fmt: skip


async def torrent(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Send each kind for a while, and read what comes back."""
    for kind in _SAID[transport]:
        # An engine has to work for its hash; ours does not let clients set it here.
        slow = b"Hash" in kind and "stockfish" in server.engines
        engine = "stockfish" if slow else "rookery"
        client = await Client.open(server.where, transport, engine=engine)
        piece = kind * (PIECE // len(kind))
        hearing = asyncio.create_task(_hear(client), name="hear")
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(max(0.5, SECONDS * scale)):
                while True:
                    client.send(piece)
                    await client.writer.drain()
                    outcome.did["KiB"] += len(piece) >> 10
        hearing.cancel()
        client.reset()


async def _hear(client: Client) -> None:
    with suppress(OSError):
        while await client.reader.read(PIECE):
            pass
