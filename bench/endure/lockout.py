"""Strangers that take every place there is, while others log in, come back, and ask for the page.

Each address opens as many silent connections as the script of an attacker would, and opens a new
one at once for each that is closed.  On loopback each address counts as a network of its own.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial

from bench.endure.client import Client, Where
from bench.endure.returning import LostError, Returning
from bench.endure.scenario import Outcome
from bench.endure.server import Server, serving

ADDRESSES = [f"127.0.{number}.2" for number in range(1, 9)]
EACH = 56  # connections of an address; with 65 it would be refused more of them
UNAUTHENTICATED = 200  # connections that may be logging in, if the operator does not say
TRIES = 100
RETURNS = 20
LATE = 1.0  # s in which whoever has a token is in
PAUSE = 0.05  # s from one try to the next: the silent ones run into their time, too
GATHERED = 30.0  # s in which all of them have begun
CROWDED = b"\r\n\r\nready\ncrowded: "  # as `/readyz` says it
SLOWEST = "ms for the slowest"

Try = Callable[[], Awaitable[object]]


async def lockout(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Besiege a server without TLS, and one with it."""
    await _besiege(server.where, transport, scale, outcome, "")
    async with serving(tls=True) as secured:
        await _besiege(secured.where, transport, scale, outcome, " over TLS")


async def _besiege(where: Where, transport: str, scale: float, outcome: Outcome, how: str) -> None:
    each = max(8, int(EACH * scale))
    async with _silence(where, transport, each) as silence:
        session = Returning(where, transport)

        async def log_in(source: str = "127.0.0.1") -> None:
            client = await Client.open(where, transport, session="session new", source=source)
            await client.until("rookery session ")
            client.say("quit")
            client.end()

        async def come_back() -> None:
            session.cut("reset")
            await session.connect()

        async def show(path: str) -> None:
            if not (answer := await _get(where, path)).startswith(b"HTTP/1.1 200 "):
                raise ConnectionRefusedError(answer[:100].decode(errors="replace"))

        for what, count, attempt in (
            ("logged in", TRIES, log_in),
            ("logged in from an address of the crowd", TRIES, partial(log_in, ADDRESSES[0])),
            ("began a session", 1, session.connect),
            ("came back", RETURNS, come_back),
            ("pages", RETURNS, partial(show, "/")),
            ("answers of /readyz", RETURNS, partial(show, "/readyz")),
        ):
            await _try(f"{what}{how}", max(1, int(count * scale)), attempt, outcome)
        await session.quit()
        if len(ADDRESSES) * each > UNAUTHENTICATED and CROWDED not in await _get(where, "/readyz"):
            outcome.wrong.append("/readyz does not say that strangers crowd the door")
    outcome.did[f"strangers turned out{how}"] = silence.ended


async def _try(what: str, count: int, attempt: Try, outcome: Outcome) -> None:
    """Do something so often, and record how often it was done in time."""
    done, wrong = 0, []
    for _ in range(count):
        began = time.perf_counter()
        try:
            async with asyncio.timeout(LATE):
                await attempt()
        except (OSError, TimeoutError, EOFError, LostError) as error:
            wrong.append(f"{type(error).__name__} {error}")
            continue
        done += 1
        took = round(1000 * (time.perf_counter() - began))
        outcome.did[SLOWEST] = max(outcome.did[SLOWEST], took)
        await asyncio.sleep(PAUSE)
    if count > 1:
        outcome.did[f"of {count} {what}"] = done
    if wrong:
        outcome.wrong.append(f"{len(wrong)} of {count} not {what}: {wrong[0]}")


@dataclass(slots=True)
class _Silence:
    """Counts of silent connections that have begun and ended."""

    begun: int = 0
    ended: int = 0


@asynccontextmanager
async def _silence(where: Where, transport: str, each: int) -> AsyncIterator[_Silence]:
    """Hold so many silent connections from each address while the block lasts."""
    silence = _Silence()

    async def hold(source: str) -> None:
        while True:
            with suppress(OSError, TimeoutError):
                client = await Client.raw(where, transport, source=source)
                silence.begun += 1
                try:
                    await client.reader.read()
                    silence.ended += 1
                finally:
                    client.reset()

    async with asyncio.TaskGroup() as tasks:
        holding = [
            tasks.create_task(hold(source), name="hold")
            for source in ADDRESSES
            for _ in range(each)
        ]
        try:
            async with asyncio.timeout(GATHERED):
                while True:
                    if silence.begun >= len(holding):
                        break
                    await asyncio.sleep(PAUSE)
            yield silence
        finally:
            for task in holding:
                task.cancel()


async def _get(where: Where, path: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", where.port, ssl=where.context())
    try:
        writer.write(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        return await reader.read()
    finally:
        writer.close()
