"""Cost of spectators for the owner of a session: `python -m bench.rooms [ROTATIONS]`.

An engine's stand-in searches, at a line each millisecond or as fast as it can; some
watch, half of them over each transport, from a process of their own.  In each rotation
every number of them takes its turn, so that what else the machine does falls on all.

RTT     from the owner's `isready` to its `readyok`, asked every 2 ms
lines   that the owner hears in a second of a flood
CPU     of the server, in seconds a second
"""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median

from websockets.asyncio.client import connect

from bench.argument import counts
from bench.child import OUT, end, find, free_port, running, wait_for_port, wait_until_settled
from bench.relay.build import build

NO_ROOM = -1
CROWDS = (NO_ROOM, 0, 10, 100)  # that watch
QUESTIONS = 400  # in a turn
PAUSE = 0.002  # s between two of them
FLOOD = 2.0  # s
PATIENCE = 30.0  # s
_TICKS = os.sysconf("SC_CLK_TCK")


class Owner:
    """The owner of a session that others may watch."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""

    def close(self) -> None:
        """End the session."""
        self._socket.close()

    def say(self, *lines: str) -> None:
        """Say lines, in one write."""
        self._socket.sendall("".join(f"{line}\n" for line in lines).encode())

    def hear_until(self, start: bytes | tuple[bytes, ...]) -> bytes:
        """Return the first line that starts so."""
        while True:
            line = self._line()
            if line.startswith(start):
                return line

    def round_trip(self) -> float:
        """Return the ms from a question to its answer."""
        began = time.perf_counter()
        self.say("isready")
        self.hear_until(b"readyok")
        return 1000 * (time.perf_counter() - began)

    def flood(self, seconds: float) -> float:
        """Return the lines that are heard in a second."""
        count, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            count += self._socket.recv(1 << 18).count(b"\n")
        return count / (time.perf_counter() - began)

    def _line(self) -> bytes:
        while b"\n" not in self._rest:
            self._rest += self._socket.recv(1 << 16)
        line, _, self._rest = self._rest.partition(b"\n")
        return line


@contextmanager
def crowd(count: int, ports: tuple[int, int], name: str) -> Iterator[None]:
    """Let so many watch while the block lasts."""
    if count <= 0:
        yield
        return
    command = [sys.executable, "-m", "bench.rooms", "--watch", str(count), *map(str, ports), name]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout
        assert child.stdout.readline() == "watching\n"
        yield
    finally:
        end(child)


async def watch(count: int, ports: tuple[int, int], name: str) -> None:
    """Be so many that watch, and read as fast as things come."""
    web, tcp = ports
    told = asyncio.Semaphore(0)

    async def over_tcp() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", tcp)
        writer.write(f"rookery room watch {name}\n".encode())
        while b"room watching" not in await reader.readline():
            pass
        told.release()
        while await reader.read(1 << 18):
            pass

    async def over_websocket() -> None:
        url = f"ws://127.0.0.1:{web}/engines/fake"
        async with connect(url, compression=None, proxy=None) as connection:
            await connection.send(f"rookery room watch {name}")
            while "room watching" not in str(await connection.recv()):
                pass
            told.release()
            async for _ in connection:
                pass

    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            tasks.create_task(over_websocket() if number % 2 else over_tcp())
        for _ in range(count):
            await told.acquire()
        print("watching", flush=True)


def cpu(pid: int) -> float:
    """Return the seconds of CPU time that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(words[11]) + int(words[12])) / _TICKS


def measure(rotations: int) -> None:
    """Take turns, and print the median of each number of them, and of its ratio to no room."""
    OUT.mkdir(exist_ok=True)
    web, tcp = free_port(), free_port()
    server = [find("rookery-server"), "--port", str(web), "--tcp-port", str(tcp)]
    command = [*server, "--engine", f"fake={build('fakeengine')}"]
    turns: dict[tuple[str, int], list[float]] = {}
    with ExitStack() as stack:
        process = stack.enter_context(running(command))
        wait_for_port(tcp, process)
        for rotation in range(rotations):
            turn = rotation % len(CROWDS)
            for count in CROWDS[turn:] + CROWDS[:turn]:
                wait_until_settled(process)
                for what, number in _turn(process.pid, (web, tcp), count).items():
                    turns.setdefault((what, count), []).append(number)
    for (what, count), numbers in sorted(turns.items()):
        bases = turns[what, NO_ROOM]
        ratio = median(mine / base for mine, base in zip(numbers, bases, strict=True))
        who = "no room" if count == NO_ROOM else f"{count} watch"
        print(f"{what:<22} {who:>9} {median(numbers):>12.2f}   {ratio:5.2f} x")


def _turn(pid: int, ports: tuple[int, int], count: int) -> dict[str, float]:
    result = {}
    for interval in (1000, 0):
        with closing(Owner(ports[1])) as owner:
            name = ""
            owner.say(f"setoption name Interval value {interval}")
            if count != NO_ROOM:
                owner.say("rookery room open")
                name = owner.hear_until(b"rookery room open").split()[-1].decode()
            owner.round_trip()
            with crowd(count, ports, name):
                owner.say("go infinite")
                began, used = time.perf_counter(), cpu(pid)
                if interval:
                    trips = []
                    for _ in range(QUESTIONS):
                        time.sleep(PAUSE)
                        trips.append(owner.round_trip())
                    trips.sort()
                    result["RTT p50, ms"] = median(trips)
                    result["RTT p99, ms"] = trips[int(0.99 * len(trips))]
                    seconds = time.perf_counter() - began
                    result["CPU at 1 line/ms, s/s"] = (cpu(pid) - used) / seconds
                else:
                    speed = owner.flood(FLOOD)
                    result["flood, lines/s"] = speed
                    result["CPU in a flood, s/100k"] = (cpu(pid) - used) / speed / FLOOD * 1e5
    return result


def main() -> None:
    """Measure as often as the command line says; or watch, for one that measures."""
    if sys.argv[1:2] == ["--watch"]:
        asyncio.run(watch(int(sys.argv[2]), (int(sys.argv[3]), int(sys.argv[4])), sys.argv[5]))
        return
    measure(*counts("bench.rooms", __doc__, rotations=8))


if __name__ == "__main__":
    main()
