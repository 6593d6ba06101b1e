"""Thousands of sessions that say nothing, once or one crowd after the other."""

import asyncio

from bench.endure.client import Client
from bench.endure.scenario import Outcome
from bench.endure.server import Server

SESSIONS = 2000
AT_ONCE = 40  # fewer than one network may have that have not logged in yet
EACH = 32.0  # KiB that a session may cost
CROWDS = 5
CROWDED = 250.0  # ms; with 2,000 new sessions a second the collector alone takes 60, once a second
NOISE = 4.0  # MiB


async def idle(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Open sessions, each of which asks `uci` and then is silent; then close them all."""
    count = max(50, int(SESSIONS * scale))
    before = await server.vitals()
    clients = await _open_crowd(server, transport, count)
    there = await server.vitals()
    each = (there.rss - before.rss) * 1024 / count
    outcome.did["idle sessions"] = there.sessions - before.sessions
    outcome.did["KiB each"] = round(each)
    if there.sessions - before.sessions != count:
        outcome.wrong.append(f"{there.sessions - before.sessions} sessions, not {count}")
    if count >= SESSIONS and each > EACH:
        outcome.wrong.append(f"a session costs {each:.0f} KiB")
    await asyncio.sleep(max(1.0, 20 * scale))
    _close_crowd(clients)


async def crowds(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Let one crowd after the other come and go: what is kept of one serves the next."""
    count = max(50, int(SESSIONS * scale))
    outcome.round_trip = CROWDED
    before = await server.vitals()
    kept: list[float] = []
    for _ in range(CROWDS):
        _close_crowd(await _open_crowd(server, transport, count))
        kept.append((await server.settled(sessions=before.sessions)).rss)
        outcome.did["sessions come and gone"] += count
    outcome.did["MiB more after the second crowd"] = round(kept[1] - before.rss)
    outcome.did["MiB more after the last"] = round(kept[-1] - before.rss)
    if kept[-1] > kept[1] + NOISE:
        outcome.wrong.append(
            f"{kept[-1]:.1f} MiB after {CROWDS} crowds, not {kept[1]:.1f} as after the second"
        )


async def _open_crowd(server: Server, transport: str, count: int) -> list[Client]:
    clients: list[Client] = []
    for start in range(0, count, AT_ONCE):
        async with asyncio.TaskGroup() as tasks:
            for _ in range(min(AT_ONCE, count - start)):
                tasks.create_task(_open(server, transport, clients), name="open")
    return clients


def _close_crowd(clients: list[Client]) -> None:
    for client in clients[::2]:
        client.end()
    for client in clients[1::2]:
        client.reset()


async def _open(server: Server, transport: str, clients: list[Client]) -> None:
    client = await Client.open(server.where, transport)
    clients.append(client)
    client.say("uci")
    await client.until("uciok")
