"""Engines that are killed, crash or freeze in the middle of a search."""

import asyncio
import os
import signal
from pathlib import Path

from bench.endure.client import Client
from bench.endure.scenario import Outcome
from bench.endure.server import SETTLED, Server
from bench.endure.vitals import descendants

ROUNDS = 20
SIGNALS = (signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP, signal.SIGABRT)
TOLD = 15.0  # s until a client must know: 3 for a `stop`, 10 for an `isready`


async def kill(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Harm the engines of sessions that search; each must have one bestmove, and go on."""
    rounds = max(2, int(ROUNDS * scale))
    spares = (await server.vitals()).spares
    for number in range(rounds):
        await _filled(server, spares)
        known = set(descendants(server.pid))
        client = await Client.open(server.where, transport)
        client.say("position startpos moves e2e4", "go infinite")
        await client.until("info depth")
        # Its engine is among those that there were: a spare one.
        pid = await _searching(known & set(descendants(server.pid)))
        how = SIGNALS[number % len(SIGNALS)]
        if pid is None:
            outcome.wrong.append("which engine searches cannot be seen")
            continue
        os.kill(pid, how)
        outcome.did[how.name] += 1
        outcome.deaths += 1
        client.say("stop")
        try:
            lines = await client.until("bestmove", TOLD)
            if not any("engine-died" in line for line in lines):
                outcome.wrong.append(f"after {how.name} the client was not told")
            client.say("isready", "go depth 3")
            lines = await client.until("bestmove", TOLD)
            if sum(line.startswith("bestmove") for line in lines) != 1 or "readyok" not in lines:
                outcome.wrong.append(f"after {how.name} the client heard {lines}")
        except (OSError, TimeoutError) as error:
            outcome.wrong.append(f"after {how.name}: {type(error).__name__} {error}")
        await client.quit()


async def _filled(server: Server, spares: int) -> None:
    """Wait until as many engines are spare again: the next session has one of them."""
    async with asyncio.timeout(SETTLED):
        while True:
            if (await server.vitals()).spares >= spares:
                return
            await asyncio.sleep(0.05)


async def _searching(pids: set[int]) -> int | None:
    """Return the process that computes: the one whose CPU time grows most."""
    before = {pid: _cpu(pid) for pid in pids}
    for _ in range(100):
        await asyncio.sleep(0.1)
        used = {pid: _cpu(pid) - ticks for pid, ticks in before.items()}
        pid = max(used, key=used.__getitem__)
        if used[pid] >= 10 and used[pid] > 2 * sum(each for p, each in used.items() if p != pid):
            return pid
    return None


def _cpu(pid: int) -> int:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    user, system = stat.rpartition(")")[2].split()[11:13]
    return int(user) + int(system)
