"""Jobs of a server: their cost, and whether kills change an answer: `python -m bench.jobs`.

cost    the time by the clock beside that of the engine alone
kills   one job, twice: undisturbed, and with the server and its engines killed at random
two     one job, three times: one server, two at one PostgreSQL, and two of which one is killed

Of the cost: the engine alone is told the same positions by a loop that reads nothing but
`bestmove`, each after `ucinewgame`, and the job is worked at by one worker; both in turns.  What
the server takes to start is not counted: the time is that from the first answers to the last.

Of the kills: positions of games by chance.  While the job runs, the server is killed so many times
and one of its engines more often.  At the end there is one answer for each position, and each is
that of the undisturbed run but for its time.  An interactive session beside the undisturbed
job asks `isready` all the time, and searches now and then: its times are shown beside those of a
server without a job.

Of two servers: the searches of both are together as many as those of one, so no position is done
by two.  When one is killed, the other does again what had no answer yet, and nothing else.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import chess

from bench.child import find
from bench.postgres import postgres
from bench.served import Server, serving

PAUSE = 0.02  # s between two `isready`
SEARCH_EVERY = 1.0  # s


def main() -> None:
    """Measure what is asked for, or the cost."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.jobs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", nargs="?", choices=["cost", "kills", "two"], default="cost")
    parser.add_argument(
        "--positions", type=int, help="(1,000 of cost, 100,000 of kills, 10,000 of two)"
    )
    parser.add_argument("--nodes", type=int, help="(20,000 of cost, or 200)")
    parser.add_argument("--rounds", type=int, default=5, help="of cost (5)")
    parser.add_argument("--server-kills", type=int, default=10, help="(10)")
    parser.add_argument("--engine-kills", type=int, default=50, help="(50)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments of kills (1)")
    options = parser.parse_args()
    is_cost = options.what == "cost"
    usual = {"cost": 1000, "kills": 100_000, "two": 10_000}
    positions = fens(options.positions or usual[options.what])
    nodes = options.nodes or (20_000 if is_cost else 200)
    with tempfile.TemporaryDirectory() as folder:
        if is_cost:
            asyncio.run(cost(Path(folder), positions, nodes, options.rounds))
        elif options.what == "kills":
            sys.exit(asyncio.run(kills(Path(folder), positions, nodes, options)))
        else:
            with postgres() as url:
                sys.exit(asyncio.run(two(Path(folder), positions, nodes, url)))


def fens(count: int) -> list[str]:
    """Return positions of games by chance, the same each time."""
    chooser = random.Random(5)
    found: list[str] = []
    while len(found) < count:
        board = chess.Board()
        while board.ply() < 80 and not board.is_game_over():
            board.push(chooser.choice(list(board.legal_moves)))
            if board.ply() > 8:
                found.append(board.fen())
    return found[:count]


# --- the API


async def post(server: Server, positions: list[str], nodes: int) -> str:
    """Store a job; return its id."""
    body = "".join(f"{fen}\n" for fen in positions).encode()
    headers = {"Content-Type": "text/plain"}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{server.url}/v1/jobs?nodes={nodes}", data=body, headers=headers) as response,
    ):
        document = await response.json()
        if response.status != 201:
            sys.exit(f"the job was refused: {document}")
        return str(document["id"])


async def follow(server: Server, job: str, after: int = -1) -> AsyncIterator[str]:
    """Yield the results of a job as they come, until it is over or the server is gone."""
    url = f"{server.url}/v1/jobs/{job}/results?follow=true&after={after}"
    timeout = aiohttp.ClientTimeout(total=None)
    with suppress(aiohttp.ClientError):
        async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as response:
            while line := await response.content.readline():
                if line.endswith(b"\n"):
                    yield line.decode()


async def read_job(server: Server, job: str) -> dict[str, object]:
    """Return the document of a job."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{server.url}/v1/jobs/{job}") as response,
    ):
        return dict(await response.json())


# --- cost


async def cost(folder: Path, positions: list[str], nodes: int, rounds: int) -> None:
    """Print a line of a table for each round, and the median."""
    print("| round | job, ms a position | engine alone, ms | ratio |\n|---|---|---|---|")
    ratios = []
    for number in range(1, rounds + 1):
        async with serving(folder, f"cost{number}", 1) as server:
            job = await post(server, positions, nodes)
            times = [time.monotonic() async for _ in follow(server, job)]
        # The first page has many at once: they count from when it came.
        first = sum(each - times[0] < 0.01 for each in times)
        ours = (times[-1] - times[0]) / (len(times) - first)
        alone = await asyncio.to_thread(time_alone, positions[first:], nodes)
        ratios.append(ours / alone)
        print(
            f"| {number} | {1000 * ours:.3f} | {1000 * alone:.3f} | {ratios[-1]:.3f} |", flush=True
        )
    print(f"| median | | | {statistics.median(ratios):.3f} |")


def time_alone(positions: list[str], nodes: int) -> float:
    """Return the seconds that the engine takes for a position."""
    with subprocess.Popen(
        [find("rookery-engine")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as engine:
        assert engine.stdin
        assert engine.stdout
        options = {"Threads": 1, "Hash": 16, "Minimal": "true"}
        setup = [f"setoption name {name} value {value}" for name, value in options.items()]
        print("uci", *setup, "isready", sep="\n", file=engine.stdin, flush=True)
        while engine.stdout.readline() != "readyok\n":
            pass
        began = time.monotonic()
        for fen in positions:
            lines = f"ucinewgame\nposition fen {fen}\ngo nodes {nodes}"
            print(lines, file=engine.stdin, flush=True)
            while not engine.stdout.readline().startswith("bestmove"):
                pass
        seconds = time.monotonic() - began
        print("quit", file=engine.stdin, flush=True)
    return seconds / len(positions)


# --- kills


async def kills(folder: Path, positions: list[str], nodes: int, options: argparse.Namespace) -> int:
    """Run both jobs; return 0 if each position has one answer, and the same."""
    async with serving(folder, "whole") as server:
        await show_session(server, "an idle server", 10.0)
        job = await post(server, positions, nodes)
        began = time.monotonic()
        beside = asyncio.create_task(show_session(server, "beside the job", None))
        whole = [_timeless(line) async for line in follow(server, job)]
        seconds = time.monotonic() - began
        beside.cancel()
        await asyncio.wait({beside})
        print(f"undisturbed: {len(whole)} answers in {seconds:.0f} s", flush=True)
    often = await _disturbed(folder, positions, nodes, options)
    numbers = [each["index"] for each in often]
    if numbers != list(range(len(positions))):
        print(f"there are {len(numbers)} answers, {len(set(numbers))} of them different ones")
        return 1
    other = sum(one != two for one, two in zip(whole, often, strict=True))
    print("the answers are the same" if not other else f"{other} answers are not the same")
    return 1 if other else 0


async def _disturbed(
    folder: Path, positions: list[str], nodes: int, options: argparse.Namespace
) -> list[dict[str, object]]:
    """Run a job, with kills at random; return its answers."""
    chooser = random.Random(options.seed)
    moments = sorted(
        [(chooser.random(), True) for _ in range(options.server_kills)]
        + [(chooser.random(), False) for _ in range(options.engine_kills)]
    )
    server = Server(folder, "often")
    await server.start()
    job = await post(server, positions, nodes)
    answers: list[dict[str, object]] = []
    killed = [0, 0]
    while len(answers) < len(positions):
        is_killed = False
        async for line in follow(server, job, len(answers) - 1):
            answers.append(_timeless(line))
            while moments and not is_killed and len(answers) >= moments[0][0] * len(positions):
                _, is_killed = moments.pop(0)
                engines = server.engines()
                if not is_killed and engines:
                    with suppress(ProcessLookupError):
                        os.kill(chooser.choice(engines), signal.SIGKILL)
                        killed[1] += 1
            if is_killed:
                break
        if is_killed:
            killed[0] += 1
            await server.end(kill=True)
            await server.start()
        elif len(answers) < len(positions) and (await read_job(server, job))["state"] == "failed":
            break
    document = await read_job(server, job)
    print(f"killed: server {killed[0]}, engines {killed[1]} times; {json.dumps(document)}")
    await server.end()
    return answers


# --- two servers


async def two(folder: Path, positions: list[str], nodes: int, url: str) -> int:
    """Run the three jobs; return 0 if each position has one answer, and all are the same."""
    async with serving(folder, "alone", url=url) as server:
        began = time.monotonic()
        job = await post(server, positions, nodes)
        whole = [_timeless(line) async for line in follow(server, job)]
        needed = await server.searches()
        seconds = time.monotonic() - began
        print(f"one server: {len(whole)} answers, {needed} searches, {seconds:.0f} s", flush=True)
    shared, searches = await _shared(folder, positions, nodes, url, kills=False)
    survived, _ = await _shared(folder, positions, nodes, url, kills=True)
    if [each["index"] for each in whole] != list(range(len(positions))):
        print("not every position has one answer")
        return 1
    if searches != needed:
        print(f"two servers have searched {searches - needed} positions more")
        return 1
    if not whole == shared == survived:
        print("the answers are not the same")
        return 1
    print("the answers are the same")
    return 0


async def _shared(
    folder: Path, positions: list[str], nodes: int, url: str, *, kills: bool
) -> tuple[list[dict[str, object]], int]:
    """Run a job at two servers, one of which may be killed; return its answers and searches."""
    async with (
        serving(folder, "first", url=url) as first,
        serving(folder, "second", url=url) as second,
    ):
        began = time.monotonic()
        job = await post(first, positions, nodes)
        answers: list[dict[str, object]] = []
        of_first: int | None = None
        async for line in follow(second, job):
            answers.append(_timeless(line))
            if kills and of_first is None and 2 * len(answers) >= len(positions):
                of_first = await first.searches()
                await first.end(kill=True)
        if of_first is None:
            of_first = await first.searches()
        of_second = await second.searches()
    print(
        f"two servers{', the first killed' if kills else ''}: {len(answers)} answers,"
        f" {of_first} and {of_second} searches, {time.monotonic() - began:.0f} s",
        flush=True,
    )
    return answers, of_first + of_second


def _timeless(line: str) -> dict[str, object]:
    document: dict[str, dict[str, object]] = json.loads(line)
    document.get("analysis", {}).pop("time", None)
    return dict(document)


async def show_session(server: Server, where: str, seconds: float | None) -> None:
    """Print how long an interactive session waits for `readyok` and for its first `info`."""
    ready: list[float] = []
    infos: list[float] = []
    try:
        async with asyncio.timeout(seconds):
            await _talk(server, ready, infos)
    except (TimeoutError, asyncio.CancelledError):
        pass
    percent = 1000 * statistics.quantiles(ready, n=100)[98] if len(ready) > 1 else 0.0
    median = 1000 * statistics.median(infos) if infos else 0.0
    late = 1000 * statistics.quantiles(infos, n=100)[98] if len(infos) > 1 else 0.0
    print(
        f"{where}: isready p99 {percent:.1f} ms of {len(ready)},"
        f" first info median {median:.1f} ms, p99 {late:.1f} ms of {len(infos)}",
        flush=True,
    )


async def _talk(server: Server, ready: list[float], infos: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.tcp_port)
    due = time.monotonic()
    for number in itertools.count():
        began = time.monotonic()
        writer.write(b"isready\n")
        while await reader.readline() != b"readyok\n":
            pass
        ready.append(time.monotonic() - began)
        if time.monotonic() >= due:
            due += SEARCH_EVERY
            began = time.monotonic()
            writer.write(b"position startpos moves e2e4\ngo movetime 100\n")
            is_first = True
            while not (line := await reader.readline()).startswith(b"bestmove"):
                if is_first and line.startswith(b"info depth"):
                    infos.append(time.monotonic() - began)
                    is_first = False
        await asyncio.sleep(PAUSE)
        if number == 0:
            ready.clear()  # The first one waited for an engine.


if __name__ == "__main__":
    main()
