"""Many a `go` through a bridge while everything goes wrong: is there one move, legal, in time?

    PYTHONPATH=tests .venv/bin/python tests/chaos.py --goes 500
    PYTHONPATH=tests .venv/bin/python tests/chaos.py --goes 100 --kills 5 --options=--no-fallback

The network delays each piece, splits and cuts; the server is killed and started again; its
engines are killed.  A move is due when the clock or `movetime` is over or `stop` was said; of
a search without either, after the time that such a one takes undisturbed.  Such a one, and no
engine of this machine, may wait for the server longer.
"""

import argparse
import asyncio
import random
import shlex
import signal
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from os import kill
from pathlib import Path

import chess
from helpers.bridged import Gui, Server, bridge, server
from helpers.games import again, cut_now_and_then, placed, to_the_end
from helpers.proxy import Proxy
from helpers.support import children

HANG = 60.0  # s after which an answer is taken never to come
LATE = 5.0  # s
_WAITING = 35.0  # s, where nothing but the server can give a move, and no clock runs
_PLIES = 60  # of a position, at most
_UNDISTURBED = 1.0  # s that the searches without a clock take here


@dataclass
class Tally:
    """Results of the searches."""

    goes: int = 0
    illegal: int = 0
    surplus: int = 0  # bestmoves that nobody had asked for
    hangs: int = 0
    late: list[str] = field(default_factory=list)  # those that were too late
    latest: dict[str, float] = field(default_factory=dict)  # s after it was due, by kind
    cuts: int = 0
    kills: int = 0
    murders: int = 0  # of engines
    told: Counter[str] = field(default_factory=Counter)  # notes of the bridge

    @property
    def is_right(self) -> bool:
        return not (self.illegal or self.surplus or self.hangs)

    @property
    def is_good(self) -> bool:
        return self.is_right and not self.late

    def __str__(self) -> str:
        latest = ", ".join(f"{kind} {late:.2f} s" for kind, late in sorted(self.latest.items()))
        return (
            f"{self.goes} searches: {self.illegal} illegal moves, {self.surplus} surplus,"
            f" {self.hangs} hangs, {len(self.late)} too late; {self.cuts} cuts,"
            f" {self.kills} kills of the server, {self.murders} of engines;"
            f" latest after due: {latest}; {dict(self.told)} {self.late}"
        )


Kind = Callable[[random.Random], tuple[str, float, str]]

# Each gives a `go`, in how many seconds its move is due, and what is said before.
KINDS: dict[str, Kind] = {
    "movetime": lambda chance: _movetime(chance.randint(50, 1500)),
    "clock": lambda chance: _clock(chance.randint(300, 6000)),
    "nodes": lambda chance: (f"go nodes {chance.randint(1, 20_000)}", _UNDISTURBED, ""),
    "depth": lambda chance: (f"go depth {chance.randint(1, 6)}", _UNDISTURBED, ""),
    "infinite": lambda chance: ("go infinite", chance.uniform(0, 2), "stop"),
    "ponder": lambda chance: ("go ponder wtime 60000 btime 60000", chance.uniform(0, 2), "stop"),
    "ponderhit": lambda chance: ("go ponder movetime 300", chance.uniform(0, 2), "ponderhit"),
}


def _movetime(milliseconds: int) -> tuple[str, float, str]:
    return f"go movetime {milliseconds}", milliseconds / 1000, ""


def _clock(milliseconds: int) -> tuple[str, float, str]:
    return f"go wtime {milliseconds} btime {milliseconds}", milliseconds / 1000, ""


def position(chance: random.Random) -> chess.Board:
    """Return a position of a game by chance, in which there is a move."""
    board = chess.Board()
    for _ in range(chance.randint(0, _PLIES)):
        board.push(chance.choice(list(board.legal_moves)))
        if not any(board.legal_moves):
            board.pop()
            break
    return board


async def search(gui: Gui, chance: random.Random, tally: Tally, *, waits: bool) -> None:
    """Let it search once, somehow."""
    kind = chance.choice(list(KINDS))
    go, seconds, word = KINDS[kind](chance)
    board = position(chance)
    gui.say(f"position {placed(board)}", go)
    began = time.monotonic()
    tally.goes += 1
    if word:
        await asyncio.sleep(seconds)
        gui.say(word)
    due = began + seconds + (0.3 if word == "ponderhit" else 0.0)
    try:
        move = (await gui.until("bestmove", HANG))[-1].split()[1]
    except TimeoutError:
        tally.hangs += 1
        return
    late = time.monotonic() - due
    tally.latest[kind] = max(tally.latest.get(kind, -9.0), late)
    if late > (_WAITING if waits and kind in ("nodes", "depth") else LATE):
        tally.late.append(f"{go}: {late:.1f} s")
    if chess.Move.from_uci(move) not in board.legal_moves:
        tally.illegal += 1


async def now_and_then(every: float, chance: random.Random, do: Callable[[], object]) -> None:
    """Do something, on average so often."""
    while True:
        await asyncio.sleep(chance.expovariate(1 / every))
        result = do()
        if asyncio.iscoroutine(result):
            await to_the_end(result)


def murder(running: Server, chance: random.Random, tally: Tally) -> None:
    """Kill an engine of the server's."""
    process: Process | None = running._process
    if process is None:
        return
    with suppress(OSError):
        if engines := children(process.pid):
            kill(chance.choice(engines), signal.SIGKILL)
            tally.murders += 1


async def run(
    goes: int,
    *,
    delay: float = 0.3,
    cuts: float = 2.0,
    kills: float = 20.0,
    murders: float = 10.0,
    options: list[str] | None = None,
    transport: str = "tcp",
    seed: int = 1,
) -> Tally:
    """Let a bridge search so often, and return what became of it.

    Args:
        goes: how often.
        delay: s that each piece takes at most.
        cuts: s between two cuts, on average; 0 is none.
        kills: s between two kills of the server, which is started again at once.
        murders: s between two kills of an engine of its.
        options: of the bridge.
        transport: `tcp` or `websocket`.
        seed: of all that is random.

    """
    tally, chance = Tally(), random.Random(seed)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        running = await stack.enter_async_context(server(folder))
        port = running.tcp_port if transport == "tcp" else running.port
        proxy = await stack.enter_async_context(Proxy(port, seed=seed, delay=delay))
        where = f"tcp://127.0.0.1:{proxy.port}/rookery"
        if transport != "tcp":
            where = f"ws://127.0.0.1:{proxy.port}/engines/rookery"
        gui = await stack.enter_async_context(bridge(where, *(options or [])))
        gui.say("uci")
        await gui.until("uciok")

        async def restart() -> None:
            await again(running)
            tally.kills += 1

        bad = []
        if cuts:
            bad.append(cut_now_and_then(proxy, cuts, seed, tally))
        if kills:
            bad.append(now_and_then(kills, random.Random(seed + 1), restart))
        if murders:
            hand = random.Random(seed + 2)
            bad.append(now_and_then(murders, hand, lambda: murder(running, hand, tally)))
        tasks = [asyncio.create_task(each) for each in bad]
        for _ in range(goes):
            await search(gui, chance, tally, waits="--no-fallback" in (options or []))
            if tally.hangs:
                break
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if not tally.hangs:
            await gui.drain()
        tally.surplus = gui.count("bestmove") - (tally.goes - tally.hangs)
        for line in gui.heard:
            if line.startswith("info string rookery-bridge: "):
                words = line.removeprefix("info string rookery-bridge: ").split()
                tally.told[" ".join(words[:3])] += 1
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description="search while everything goes wrong")
    parser.add_argument("--goes", type=int, default=500)
    parser.add_argument("--delay", type=float, default=300.0, help="ms of a piece, at most")
    parser.add_argument("--cuts", type=float, default=2.0, help="s between two, on average")
    parser.add_argument("--kills", type=float, default=20.0, help="of the server")
    parser.add_argument("--murders", type=float, default=10.0, help="of an engine")
    parser.add_argument("--options", default="", help="of the bridge")
    parser.add_argument("--transport", default="tcp", choices=("tcp", "websocket"))
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    tally = asyncio.run(
        run(
            chosen.goes,
            delay=chosen.delay / 1000,
            cuts=chosen.cuts,
            kills=chosen.kills,
            murders=chosen.murders,
            options=shlex.split(chosen.options),
            transport=chosen.transport,
            seed=chosen.seed,
        )
    )
    print(tally)
    return 0 if tally.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
