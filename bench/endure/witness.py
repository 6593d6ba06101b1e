"""Sessions that behave, while others do not, and how long their answers take.

A process of its own (`python -m bench.endure.witness`), so that what it measures is the
server and not the program that makes the trouble.  It gets a `Where` as JSON, says
`ready` when its sessions are open, measures until its input ends, and then says what it
has measured.
"""

import asyncio
import json
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field

from bench.endure.client import Client, Where

TRANSPORTS = ("tcp", "websocket", "tcp", "websocket")  # of the sessions
SESSIONS = len(TRANSPORTS)
EACH = 0.02  # s from one question to the next
SEARCH_EACH = 25  # questions from one search to the next
SEARCHED = 0.05  # s until a search is stopped


@dataclass(slots=True)
class Testimony:
    """Latencies in ms: from `isready` to `readyok`, from `stop` to `bestmove`."""

    ready: list[float] = field(default_factory=list)
    stop: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def quantile(values: list[float], part: float) -> float:
    """Return the value below which so much of them is; 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)] if ordered else 0.0


@asynccontextmanager
async def watching(where: Where) -> AsyncIterator[Testimony]:
    """Measure while the block lasts; the testimony is filled when it is over."""
    found = Testimony()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.endure.witness", stdin=PIPE, stdout=PIPE, limit=1 << 24
    )
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(json.dumps(asdict(where)).encode() + b"\n")
        async with asyncio.timeout(60):
            assert (await process.stdout.readline()).strip() == b"ready"
        yield found
        process.stdin.close()
        async with asyncio.timeout(60):
            told = json.loads(await process.stdout.readline())
        found.ready, found.stop, found.wrong = told["ready"], told["stop"], told["wrong"]
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _measure(where: Where) -> Testimony:
    loop, found = asyncio.get_running_loop(), Testimony()
    clients = [await Client.open(where, each, account="witness") for each in TRANSPORTS]
    for client in clients:
        client.say("isready")
        await client.until("readyok")
    print("ready", flush=True)
    over = loop.run_in_executor(None, sys.stdin.read)
    count = 0
    while not over.done():
        client = clients[count % len(clients)]
        count += 1
        try:
            if count % SEARCH_EACH:
                found.ready.append(await _asked(client, "isready", "readyok"))
            else:
                client.say("position startpos", "go infinite")
                await asyncio.sleep(SEARCHED)
                found.stop.append(await _asked(client, "stop", "bestmove"))
        except (OSError, TimeoutError) as error:
            found.wrong.append(f"witness: {client.transport}: {type(error).__name__} {error}")
            break
        await asyncio.sleep(EACH)
    for client in clients:
        await client.quit()
    await over
    return found


async def _asked(client: Client, line: str, answer: str) -> float:
    began = time.perf_counter()
    client.say(line)
    await client.until(answer)
    return round(1000 * (time.perf_counter() - began), 3)


def main() -> None:
    """Measure, and say what was found."""
    where = Where(**json.loads(sys.stdin.readline()))
    print(json.dumps(asdict(asyncio.run(_measure(where)))))


if __name__ == "__main__":
    main()
