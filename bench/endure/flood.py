"""More connections than there may be, connections that say nothing, and that come and go."""

import asyncio
import time

from bench.endure.client import Client
from bench.endure.scenario import Outcome
from bench.endure.server import Server

CROWD = 5000  # connections at once, beyond what the server has room for
SLOW = 200  # that begin to speak and never end
STORM = 500  # that come and go at once
DROPPED = 14.0  # s in which who says nothing is dropped: handshake_timeout, and some
AT_ONCE = 250
_REQUEST = b"GET /engines/rookery HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


async def flood(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Crowd the door in three ways; everybody must be answered or dropped."""
    await _storm(server, transport, max(20, int(STORM * scale)), outcome)
    await _strangers(server, transport, max(100, int(CROWD * scale)), outcome)
    await _slow(server, transport, max(10, int(SLOW * scale)), outcome)


async def _storm(server: Server, transport: str, count: int, outcome: Outcome) -> None:
    """Come, ask, and go at once."""
    for _ in range(count):
        client = await Client.open(server.where, transport)
        client.say("isready")
        client.reset()
    outcome.did["come and gone"] = count


async def _strangers(server: Server, transport: str, count: int, outcome: Outcome) -> None:
    """Connect without a token, as fast as can be; count how many are told why not."""
    slowest = 0.0

    async def knock() -> None:
        nonlocal slowest
        began = time.monotonic()
        try:
            async with asyncio.timeout(30):
                port = server.where.port_of(transport)
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                if transport == "tcp":
                    writer.write(b"uci\n")
                else:
                    writer.write(_REQUEST)
                answer = await reader.read()
                writer.close()
        except (OSError, TimeoutError):
            outcome.did["without an answer"] += 1
            return
        slowest = max(slowest, time.monotonic() - began)
        told = b"unauthorized" in answer or b"too-many" in answer
        outcome.did["refused with a reason" if told else "closed without a reason"] += 1

    for start in range(0, count, AT_ONCE):
        async with asyncio.TaskGroup() as tasks:
            for _ in range(min(AT_ONCE, count - start)):
                tasks.create_task(knock(), name="knock")
    outcome.did["ms until the last of them"] = round(1000 * slowest)
    if bad := outcome.did["without an answer"]:
        outcome.wrong.append(f"{bad} were not answered")


async def _slow(server: Server, transport: str, count: int, outcome: Outcome) -> None:
    """Say half a request and nothing more; all must be dropped in time."""
    port = server.where.port_of(transport)
    half = b"rookery tok" if transport == "tcp" else b"GET /engines/rookery HTTP/1.1\r\nHost: loc"
    began = time.monotonic()

    async def linger() -> float:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(half)
        try:
            async with asyncio.timeout(60):
                await reader.read()
        except (OSError, TimeoutError):
            pass
        writer.close()
        return time.monotonic() - began

    async with asyncio.TaskGroup() as tasks:
        waits = [tasks.create_task(linger(), name="linger") for _ in range(count)]
    longest = max(wait.result() for wait in waits)
    outcome.did["that never finish a request"] = count
    outcome.did["s until they are dropped"] = round(longest)
    if longest > DROPPED:
        outcome.wrong.append(f"a silent connection was kept for {longest:.0f} s")
