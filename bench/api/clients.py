"""Clients that ask for one short search after the other, and what they measure.

It is a program of its own: `python -m bench.api.clients` with what `Load` has, as JSON.
"""

import asyncio
import json
import os
import shlex
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles

import chess
import chess.engine

# Of different phases; each client begins with another.
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "2rq1rk1/pb2bppp/1p2pn2/8/3P4/P1NB1N2/1P2QPPP/R4RK1 b - - 0 15",
)


@dataclass(frozen=True)
class Load:
    """The requests of a measurement.

    `path` is "" for python-chess with `command`, an engine for each client.
    """

    clients: int
    seconds: float
    nodes: int
    port: int = 0
    path: str = ""
    command: str = ""
    server: int = 0  # the id of its process


@dataclass(frozen=True)
class Figures:
    """The result of a measurement: requests in a second, ms to the first byte of an answer."""

    rate: float
    median_ms: float
    p99_ms: float
    cpu_us: float  # of the server, for each request


class HttpClient:
    """One kept connection, by hand: a library would cost more than the servers."""

    def __init__(self, load: Load) -> None:
        self._load = load

    async def connect(self) -> None:
        """Open the connection."""
        where = "127.0.0.1", self._load.port
        self._reader, self._writer = await asyncio.open_connection(*where)

    async def ask_for(self, fen: str) -> float:
        """Ask for a search; return the time of the first byte of the answer."""
        nodes, path = self._load.nodes, self._load.path
        limits = {"limits": {"nodes": nodes}} if "v1" in path else {"nodes": nodes}
        body = json.dumps({"fen": fen, **limits}).encode()
        self._writer.write(
            b"POST %b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (path.encode(), self._load.port, len(body), body)
        )
        head = await self._reader.readuntil(b"\r\n\r\n")
        first = time.perf_counter()
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(head.decode())
        length = head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]
        await self._reader.readexactly(int(length))
        return first

    async def close(self) -> None:
        """Close the connection."""
        self._writer.close()


class BridgedClient:
    """Python-chess, whose engine is the bridge to the server."""

    def __init__(self, load: Load) -> None:
        self._load = load

    async def connect(self) -> None:
        """Start the bridge."""
        _, self._engine = await chess.engine.popen_uci(shlex.split(self._load.command))
        await self._engine.ping()

    async def ask_for(self, fen: str) -> float:
        """Search a position; return the time of the answer."""
        limit = chess.engine.Limit(nodes=self._load.nodes)
        await self._engine.analyse(chess.Board(fen), limit)
        return time.perf_counter()

    async def close(self) -> None:
        """End the bridge."""
        await self._engine.quit()


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process, without that of its children."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def measure(load: Load) -> Figures:
    """Ask for so many seconds, after a while without measuring."""
    kind = HttpClient if load.path else BridgedClient
    clients = [kind(load) for _ in range(load.clients)]
    for each in clients:
        await each.connect()
    times: list[float] = []
    count, cpu = 0, cpu_seconds(load.server)
    begin = time.perf_counter() + load.seconds / 4

    async def keep_asking(client: HttpClient | BridgedClient, number: int) -> None:
        nonlocal count
        while (now := time.perf_counter()) < begin + load.seconds:
            first = await client.ask_for(POSITIONS[number % len(POSITIONS)])
            number += 1
            count += 1
            if begin <= now:
                times.append(first - now)

    async with asyncio.TaskGroup() as tasks:
        for number, each in enumerate(clients):
            tasks.create_task(keep_asking(each, number))
    cpu_us = 1e6 * (cpu_seconds(load.server) - cpu) / count
    for each in clients:
        await each.close()
    slow = quantiles(times, n=100)[-1]
    return Figures(len(times) / load.seconds, 1000 * median(times), 1000 * slow, cpu_us)


if __name__ == "__main__":
    print(json.dumps(asdict(asyncio.run(measure(Load(**json.loads(sys.argv[1])))))))
