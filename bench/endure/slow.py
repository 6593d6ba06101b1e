"""Clients that do not read what a flooding engine says, and then do."""

import asyncio

from bench.endure.client import Client
from bench.endure.scenario import Outcome
from bench.endure.server import Server

READERS = 20
SECONDS = 20.0
GROWTH = 32.0  # MiB that the server may grow by meanwhile: 1 MiB each, and some


async def slow(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Let floods run into sockets that nobody reads; then each must have its bestmove."""
    readers = max(2, int(READERS * scale))
    before = await server.vitals()
    clients = [await Client.open(server.where, transport, engine="flood") for _ in range(readers)]
    for client in clients:
        client.say("go")
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a read transport
    await asyncio.sleep(max(2.0, SECONDS * scale))
    growth = (await server.vitals()).rss - before.rss
    outcome.did["slow readers"] = readers
    outcome.did["MiB more meanwhile"] = round(growth)
    if growth > GROWTH:
        outcome.wrong.append(f"{growth:.0f} MiB for {readers} slow readers")
    for client in clients:
        client.writer.transport.resume_reading()  # type: ignore[attr-defined]
        lines = await client.until("bestmove")
        outcome.did["lines heard at last"] += len(lines)
        await client.quit()
