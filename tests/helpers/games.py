"""Games of a bridge against the clock, through a network that is slow, or bad, or both.

    PYTHONPATH=tests .venv/bin/python tests/helpers/games.py --games 100 --delay 50
    PYTHONPATH=tests .venv/bin/python tests/helpers/games.py --cuts 2 --options=--no-fallback

The opponent searches few nodes and has no clock; only the bridge's runs, as its GUI sees it.
"""

import argparse
import asyncio
import random
import shlex
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import chess

from helpers.bridged import ENGINE, Gui, Server, bridge, server
from helpers.lag import Lag
from helpers.proxy import CUTS, Proxy

OPPONENT = "go nodes 300"
HANG = 30.0  # s after which an answer is taken never to come
_OPENING = 4  # plies by chance


@dataclass
class Tally:
    """Results of the games."""

    games: int = 0
    moves: int = 0
    lost_on_time: int = 0
    illegal: int = 0
    surplus: int = 0  # bestmoves that nobody had asked for
    cuts: int = 0
    kills: int = 0
    least: float = 1e9  # s left on the clock after a move, at least
    longest: float = 0.0  # s for a move
    losses: list[str] = field(default_factory=list)  # the move that took too long, of each
    sources: Counter[str] = field(default_factory=Counter)  # games' notes of the bridge
    results: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return (
            f"{self.games} games, {self.moves} moves: {self.lost_on_time} lost on time,"
            f" {self.illegal} illegal moves, {self.surplus} surplus bestmoves;"
            f" {self.cuts} cuts, {self.kills} kills; least time left {1000 * self.least:.0f} ms,"
            f" longest move {self.longest:.2f} s;"
            f" {dict(self.results)} {dict(self.sources)} {self.losses}"
        )


class Game:
    """One game; the bridge has White in every other."""

    def __init__(
        self, remote: Gui, opponent: Gui, clock: tuple[float, float], tally: Tally
    ) -> None:
        self.remote = remote
        self.opponent = opponent
        self.left, self.increment = clock
        self.tally = tally

    async def play(self, board: chess.Board, *, white: bool, longest: int) -> None:
        """Play until the game or the clock is over."""
        self.remote.say("ucinewgame")
        self.opponent.say("ucinewgame")
        self.tally.games += 1
        while not board.is_game_over(claim_draw=True) and board.ply() < longest:
            gui = self.remote if board.turn == white else self.opponent
            gui.say("position " + placed(board))
            move = await (self._ask_remote() if gui is self.remote else self._ask())
            if self.left <= 0:
                self.tally.lost_on_time += 1
                return
            if chess.Move.from_uci(move) not in board.legal_moves:
                self.tally.illegal += 1
                return
            board.push_uci(move)
        outcome = board.outcome(claim_draw=True)
        winner = outcome.winner if outcome else None
        self.tally.results["other" if winner is None else "won" if winner is white else "lost"] += 1

    async def _ask(self) -> str:
        self.opponent.say(OPPONENT)
        return (await self.opponent.until("bestmove", HANG))[-1].split()[1]

    async def _ask_remote(self) -> str:
        clock, increment = max(round(1000 * self.left), 0), round(1000 * self.increment)
        began = time.monotonic()
        self.remote.say(f"go wtime {clock} btime {clock} winc {increment} binc {increment}")
        lines = await self.remote.until("bestmove", HANG)
        took = time.monotonic() - began
        self.left -= took
        tally = self.tally
        tally.moves += 1
        tally.longest = max(tally.longest, took)
        tally.least = min(tally.least, self.left)
        tally.sources[source(lines)] += 1
        if self.left <= 0:
            tally.losses.append(f"{source(lines)}: {1000 * took:.0f} of {clock} ms")
        self.left += self.increment if self.left > 0 else 0
        return lines[-1].split()[1]


def source(lines: list[str]) -> str:
    """Say who gave a move."""
    if any("is the best move that is known" in line for line in lines):
        return "known"
    return "searched" if any(" pv " in line for line in lines) else "unsearched"


def placed(board: chess.Board) -> str:
    moves = " ".join(map(str, board.move_stack))
    return f"startpos moves {moves}" if moves else "startpos"


def opening(seed: int) -> chess.Board:
    """Return a position after a few random moves."""
    chance, board = random.Random(seed), chess.Board()
    for _ in range(_OPENING):
        board.push(chance.choice(list(board.legal_moves)))
    return board


@asynccontextmanager
async def engine() -> AsyncIterator[Gui]:
    """Run our engine, as the opponent or as itself."""
    process = await asyncio.create_subprocess_exec(ENGINE, stdin=PIPE, stdout=PIPE)
    try:
        yield Gui(process)
    finally:
        process.kill()
        await process.communicate()


async def cut_now_and_then(proxy: Proxy, every: float, seed: int, tally: Tally) -> None:
    """Cut connections, on average so often."""
    chance = random.Random(seed)
    while True:
        await asyncio.sleep(chance.expovariate(1 / every))
        tally.cuts += proxy.cut(chance.choice(CUTS))
        if len(proxy._lost) > 20:
            proxy.forget_lost()


async def play(
    games: int,
    *,
    clock: tuple[float, float] = (1.0, 0.01),
    delay: float = 0.0,
    jitter: float = 0.0,
    cuts: float = 0.0,
    kills: float = 0.0,
    options: list[str] | None = None,
    longest: int = 160,
    transport: str = "tcp",
    seed: int = 1,
    direct: bool = False,
) -> Tally:
    """Play games and return what became of them.

    Args:
        games: how many.
        clock: s for the game, and for each move.
        delay: s that each direction takes.
        jitter: s that each piece may take besides.
        cuts: s between two cuts, on average; 0 is none.
        kills: s between two kills of the server, which is started again at once.
        options: of the bridge.
        longest: plies of a game.
        transport: `tcp` or `websocket`.
        seed: of all that is random.
        direct: play without bridge and network, to see what the machine itself loses.

    """
    tally = Tally()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        running = await stack.enter_async_context(server(folder))
        port = running.tcp_port if transport == "tcp" else running.port
        lag = await stack.enter_async_context(Lag(port, delay))
        proxy = await stack.enter_async_context(Proxy(lag.port, seed=seed, delay=jitter))
        where = f"tcp://127.0.0.1:{proxy.port}/rookery"
        if transport != "tcp":
            where = f"ws://127.0.0.1:{proxy.port}/engines/rookery"
        remote = await stack.enter_async_context(
            engine() if direct else bridge(where, *(options or []))
        )
        opponent = await stack.enter_async_context(engine())
        remote.say("uci")
        await remote.until("uciok")
        bad = []
        if cuts:
            bad.append(asyncio.create_task(cut_now_and_then(proxy, cuts, seed, tally)))
        if kills:
            bad.append(asyncio.create_task(kill_now_and_then(running, kills, seed, tally)))
        for number in range(games):
            await remote.drain()
            tally.surplus += remote.count("bestmove") - tally.moves
            game = Game(remote, opponent, clock, tally)
            await game.play(opening(seed + number // 2), white=number % 2 == 0, longest=longest)
        for task in bad:
            task.cancel()
        await asyncio.gather(*bad, return_exceptions=True)
    return tally


async def kill_now_and_then(running: Server, every: float, seed: int, tally: Tally) -> None:
    """Kill the server, on average so often, and start it again."""
    chance = random.Random(seed)
    while True:
        await asyncio.sleep(chance.expovariate(1 / every))
        await to_the_end(again(running))
        tally.kills += 1


async def to_the_end(work: Coroutine[None, None, None]) -> None:
    """Do all of it, even when cancelled: a server is not left half started."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


async def again(running: Server) -> None:
    await running.kill()
    await running.start()


def main() -> int:
    parser = argparse.ArgumentParser(description="play games over a bad network")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--clock", default="1+0.01", help="s and increment (%(default)s)")
    parser.add_argument("--delay", type=float, default=0.0, help="ms in each direction")
    parser.add_argument("--jitter", type=float, default=0.0, help="ms besides, at most")
    parser.add_argument("--cuts", type=float, default=0.0, help="s between two, on average")
    parser.add_argument("--kills", type=float, default=0.0, help="s between two, on average")
    parser.add_argument("--options", default="", help="of the bridge")
    parser.add_argument("--transport", default="tcp", choices=("tcp", "websocket"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--direct", action="store_true", help="without bridge and network, for comparison"
    )
    chosen = parser.parse_args()
    base, _, increment = chosen.clock.partition("+")
    tally = asyncio.run(
        play(
            chosen.games,
            clock=(float(base), float(increment or 0)),
            delay=chosen.delay / 1000,
            jitter=chosen.jitter / 1000,
            cuts=chosen.cuts,
            kills=chosen.kills,
            options=shlex.split(chosen.options),
            transport=chosen.transport,
            seed=chosen.seed,
            direct=chosen.direct,
        )
    )
    print(tally)
    return 1 if tally.lost_on_time or tally.illegal or tally.surplus else 0


if __name__ == "__main__":
    sys.exit(main())
