"""Two servers behind HAProxy, one killed and one drained while clients search.

    python -m bench.balance [CLIENTS] [SECONDS]

Each client is a bridge that searches again and again, as a GUI does, with a
token and no engine of its own to fall back upon.  A third of the way one server is killed and comes
back; after two thirds the other ends as for an update (`drain = "finish"`), and comes back.  What
counts: searches without a bestmove (or with an illegal one), and how long the longest was
late, by what happened at the time.  Wants Debian's haproxy.
"""

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import chess

from bench.argument import counts
from bench.child import MissingError, end, find, free_port, wait_for_port
from bench.endure.server import make_token

CONFIGURATION = Path(__file__).parents[1] / "docker" / "haproxy.cfg"
MOVETIME = 0.3  # s
HANG = 30.0  # s after which a bestmove is taken never to come
DRAIN = 20  # s that a server may take to end
_SERVER = """
[server]
port = {port}
tcp_port = false
tokens = "tokens"
trusted_proxies = ["127.0.0.1"]
drain = "finish"
drain_timeout = {drain}

[connections]
starts_per_second = 1000
starts_burst = 1000

[control]
socket = false

[cache]
enabled = false

[engines.rookery]
command = "{engine}"
"""


@dataclass
class Tally:
    """Results of the searches in a stretch of time."""

    searches: int = 0
    wrong: int = 0  # no bestmove, or an illegal one
    late: list[float] = field(default_factory=list)  # s beyond the movetime

    def __str__(self) -> str:
        late = sorted(self.late) or [0.0]
        return (
            f"{self.searches:5d} searches, {self.wrong} wrong;"
            f" late: median {1000 * late[len(late) // 2]:.0f} ms, longest {1000 * late[-1]:.0f} ms"
        )


class Server:
    """One of the servers, which may end and come back."""

    def __init__(self, folder: Path, name: str) -> None:
        self.port = free_port()
        self._folder = folder
        self._name = name
        self._process: subprocess.Popen[bytes] | None = None
        text = _SERVER.format(port=self.port, drain=DRAIN, engine=find("rookery-engine"))
        (folder / f"{name}.toml").write_text(text)

    def start(self) -> None:
        """Start it, and return when it listens."""
        with (self._folder / f"{self._name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                [find("rookery-server"), "--config", self._folder / f"{self._name}.toml"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_for_port(self.port, self._process)

    def stop(self, how: signal.Signals) -> float:
        """Send it a signal, and return the seconds until it is gone."""
        assert self._process
        began = time.perf_counter()
        self._process.send_signal(how)
        self._process.wait(DRAIN + HANG)
        return time.perf_counter() - began

    def close(self) -> None:
        """End it, if it runs."""
        if self._process and self._process.poll() is None:
            end(self._process)


class Run:
    """The clients, and what is happening around them."""

    def __init__(self) -> None:
        self.now = "quiet"
        self.tallies: dict[str, Tally] = {}
        self.ending = False

    async def play(self, bridge: Process, seed: int) -> None:
        """Search until the end, from positions by chance."""
        chance = random.Random(seed)
        assert bridge.stdin
        while not self.ending:
            board = chess.Board()
            for _ in range(chance.randrange(30)):
                if moves := list(board.legal_moves):
                    board.push(chance.choice(moves))
            if board.is_game_over():
                continue
            moves_text = " ".join(move.uci() for move in board.move_stack)
            go = f"go movetime {1000 * MOVETIME:.0f}"
            bridge.stdin.write(f"position startpos moves {moves_text}\n{go}\n".encode())
            await self._hear(bridge, board, self.tallies.setdefault(self.now, Tally()))

    async def _hear(self, bridge: Process, board: chess.Board, tally: Tally) -> None:
        assert bridge.stdout
        began = time.perf_counter()
        tally.searches += 1
        try:
            async with asyncio.timeout(HANG):
                while not (line := (await bridge.stdout.readline()).decode()).startswith("best"):
                    if not line:
                        raise TimeoutError
            if chess.Move.from_uci(line.split()[1]) not in board.legal_moves:
                tally.wrong += 1
        except (TimeoutError, ValueError):
            tally.wrong += 1
        tally.late.append(time.perf_counter() - began - MOVETIME)


async def measure(clients: int, seconds: float) -> Run:
    """Play while the servers come and go, and return what became of it."""
    run = Run()
    with tempfile.TemporaryDirectory(prefix="rookery-balance-") as name, suppress(BrokenPipeError):
        one, two = (Server(Path(name), each) for each in ("one", "two"))
        tokens = [
            await asyncio.to_thread(make_token, Path(name), f"guest{number}")
            for number in range(clients)
        ]
        async with AsyncExitStack() as stack:
            for server in (one, two):
                stack.callback(server.close)
                await asyncio.to_thread(server.start)
            port = stack.enter_context(balancer(one.port, two.port))
            bridges = [await stack.enter_async_context(bridge(port, token)) for token in tokens]
            async with asyncio.TaskGroup() as group:
                for number, each in enumerate(bridges):
                    group.create_task(run.play(each, number))
                await asyncio.sleep(seconds / 3)
                run.now = "one killed"
                await asyncio.to_thread(one.stop, signal.SIGKILL)
                await asyncio.sleep(seconds / 6)
                await asyncio.to_thread(one.start)
                run.now = "one back"
                await asyncio.sleep(seconds / 6)
                run.now = "the other drained"
                took = await asyncio.to_thread(two.stop, signal.SIGTERM)
                print(f"the drained server was gone after {took:.1f} s")
                await asyncio.sleep(seconds / 6)
                await asyncio.to_thread(two.start)
                run.now = "both back"
                await asyncio.sleep(seconds / 6)
                run.ending = True
    return run


@contextmanager
def balancer(*ports: int, options: str = "", first: Path | None = None) -> Iterator[int]:
    """Run HAProxy before servers; its port.

    `options` are words of `bind`, behind the address; `first` is a file that is read before ours.
    """
    program = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    if not program:
        raise MissingError("haproxy is not there: `apt install haproxy`")
    port = free_port()
    servers = {f"ROOKERY_SERVER_{n}": f"127.0.0.1:{each}" for n, each in enumerate(ports, 1)}
    process = subprocess.Popen(
        [program, "-q", "-db", *(("-f", first) if first else ()), "-f", CONFIGURATION],
        env={**os.environ, **servers, "ROOKERY_BIND": f"127.0.0.1:{port} {options}"},
        start_new_session=True,
    )
    try:
        wait_for_port(port, process)
        yield port
    finally:
        end(process)


@asynccontextmanager
async def bridge(port: int, token: str) -> AsyncIterator[Process]:
    """Run a bridge to the servers."""
    process = await asyncio.create_subprocess_exec(
        find("rookery-bridge"),
        "--no-fallback",
        f"ws://127.0.0.1:{port}/engines/rookery",
        stdin=PIPE,
        stdout=PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "ROOKERY_TOKEN": token},
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def main() -> None:
    """Measure, and print a line for each stretch."""
    run = asyncio.run(measure(*counts("bench.balance", __doc__, clients=12, seconds=60)))
    for what, tally in run.tallies.items():
        print(f"{what:18} {tally}")
    sys.exit(any(tally.wrong for tally in run.tallies.values()))


if __name__ == "__main__":
    main()
