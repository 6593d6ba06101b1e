"""SIGTERM, SIGKILL and SIGHUP, while sessions search."""

import asyncio
import os
import signal
import time
from pathlib import Path

from bench.endure.client import Client
from bench.endure.scenario import Outcome
from bench.endure.server import Server, serving
from bench.endure.vitals import descendants

SESSIONS = 20
RELOADS = 20
TOLD = 5.0  # s in which it must be gone after SIGTERM
ORPHANED = 2.0  # s in which engines must be gone after SIGKILL


async def terminate(_: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """End a server as its operator does: each search has its bestmove, each client a reason."""
    async with serving() as server:
        clients = await _search(server, transport, scale)
        engines = descendants(server.pid)
        began = time.monotonic()
        os.kill(server.pid, signal.SIGTERM)
        for client in clients:
            lines = await client.rest()
            outcome.did["bestmoves"] += sum(line.startswith("bestmove") for line in lines)
            outcome.did["told why"] += client.code == 1012 or any("draining" in s for s in lines)
        status = await server.ended(TOLD)
        outcome.did["ms to the end"] = round(1000 * (time.monotonic() - began))
        outcome.did["engines left"] = len(await _left(engines, ORPHANED))
    if outcome.did["bestmoves"] != len(clients) or outcome.did["told why"] != len(clients):
        outcome.wrong.append(f"{len(clients)} searched: {dict(outcome.did)}")
    if status != 0 or outcome.did["engines left"]:
        outcome.wrong.append(f"status {status}, {outcome.did['engines left']} engines left")


async def murder(_: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Kill a server: no engine outlives it."""
    async with serving() as server:
        clients = await _search(server, transport, scale)
        engines = descendants(server.pid)
        began = time.monotonic()
        os.kill(server.pid, signal.SIGKILL)
        left = await _left(engines, ORPHANED)
        outcome.did["engines"] = len(engines)
        outcome.did["engines left"] = len(left)
        outcome.did["ms to the end of the last"] = round(1000 * (time.monotonic() - began))
        for client in clients:
            client.reset()
    if left:
        outcome.wrong.append(f"{len(left)} engines outlived the server")


async def hang_up(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Have the configuration read again and again: nobody is dropped."""
    clients = await _search(server, transport, scale)
    for _ in range(max(3, int(RELOADS * scale))):
        os.kill(server.pid, signal.SIGHUP)
        outcome.did["reloads"] += 1
        await asyncio.sleep(0.2)
    for client in clients:
        client.say("stop")
        await client.until("bestmove")
        outcome.did["bestmoves"] += 1
        await client.quit()


async def _search(server: Server, transport: str, scale: float) -> list[Client]:
    """Begin searches, all at once: who is slow to read must not be taken for dead."""
    async with asyncio.TaskGroup() as tasks:
        opening = [
            tasks.create_task(_begin(server, transport), name="search")
            for _ in range(max(2, int(SESSIONS * scale)))
        ]
    return [each.result() for each in opening]


async def _begin(server: Server, transport: str) -> Client:
    client = await Client.open(server.where, transport)
    client.say("position startpos", "go infinite")
    await client.until("info")
    return client


async def _left(pids: dict[int, str], seconds: float) -> list[int]:
    """Return which of the processes are there still after so long."""
    until = time.monotonic() + seconds
    while left := [pid for pid in pids if _is_there(pid)]:
        if time.monotonic() > until:
            break
        await asyncio.sleep(0.01)
    return left


def _is_there(pid: int) -> bool:
    """Say whether a process runs; a zombie, which init has still to reap, does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
