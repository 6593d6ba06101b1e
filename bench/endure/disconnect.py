"""Clients that go without a word, in the middle of a search."""

import asyncio

from bench.endure.client import Client
from bench.endure.scenario import Outcome
from bench.endure.server import Server

KINDS = ("reset", "end", "half", "frozen")
EACH = 50  # of each kind
AT_ONCE = 10
FROZEN = 75.0  # s in which who does not answer pings must be gone: 20 + 20, and some


async def disconnect(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Begin searches, and break the connections: by RST, FIN, half a FIN, and by silence."""
    kinds = [kind for kind in KINDS for _ in range(max(1, int(EACH * scale)))]
    frozen: list[Client] = []
    for start in range(0, len(kinds), AT_ONCE):
        async with asyncio.TaskGroup() as tasks:
            for kind in kinds[start : start + AT_ONCE]:
                if kind == "frozen" and transport == "tcp":
                    kind = "reset"  # a peer whose kernel still answers is no dead one
                tasks.create_task(_break(server, transport, kind, outcome, frozen), name=kind)
    if frozen:
        await asyncio.sleep(FROZEN if scale >= 1 else 0)
        for client in frozen:
            client.reset()


async def _break(
    server: Server, transport: str, kind: str, outcome: Outcome, frozen: list[Client]
) -> None:
    client = await Client.open(server.where, transport)
    client.say("position startpos moves e2e4", "go infinite")
    await client.until("info")
    outcome.did[kind] += 1
    if kind == "reset":
        client.reset()
    elif kind == "end":
        client.end()
    elif kind == "half":
        client.half_end()
        await client.rest()
        client.end()
    else:
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a read transport
        frozen.append(client)
