"""Thousands of sessions that say nothing."""

import asyncio

from bench.endure.client import Client
from bench.endure.scenario import Outcome
from bench.endure.server import Server

SESSIONS = 2000
AT_ONCE = 100
EACH = 32.0  # KiB that a session may cost


async def idle(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Open sessions, each of which asks `uci` and then is silent; then close them all."""
    count = max(50, int(SESSIONS * scale))
    before = await server.vitals()
    clients: list[Client] = []
    for start in range(0, count, AT_ONCE):
        async with asyncio.TaskGroup() as tasks:
            for _ in range(min(AT_ONCE, count - start)):
                tasks.create_task(_open(server, transport, clients), name="open")
    there = await server.vitals()
    each = (there.rss - before.rss) * 1024 / count
    outcome.did["idle sessions"] = there.sessions - before.sessions
    outcome.did["KiB each"] = round(each)
    if there.sessions - before.sessions != count:
        outcome.wrong.append(f"{there.sessions - before.sessions} sessions, not {count}")
    if count >= SESSIONS and each > EACH:
        outcome.wrong.append(f"a session costs {each:.0f} KiB")
    await asyncio.sleep(max(1.0, 20 * scale))
    for client in clients[::2]:
        client.end()
    for client in clients[1::2]:
        client.reset()


async def _open(server: Server, transport: str, clients: list[Client]) -> None:
    client = await Client.open(server.where, transport)
    clients.append(client)
    client.say("uci")
    await client.until("uciok")
