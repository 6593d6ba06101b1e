"""`rookery-server join` as a process of its own: a machine that offers engines to a server."""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from helpers.support import TIMEOUT, Running, bearer, children, odd, until

SERVER = str(Path(sys.executable).with_name("rookery-server"))
PATIENCE = 2 * TIMEOUT  # s; a program starts, then its engines do


class Joined:
    """The process, and all that it has said."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.said: list[str] = []

    async def until(self, text: str) -> str:
        """Return the next line that has a text in it."""
        assert self.process.stdout
        async with asyncio.timeout(PATIENCE):
            while line := (await self.process.stdout.readline()).decode():
                self.said.append(line)
                if text in line:
                    return line
        raise AssertionError(f"it has ended without {text!r}: {self.said}")

    def engines(self) -> list[int]:
        """Return its child processes."""
        return children(self.process.pid)

    def freeze(self) -> None:
        """Stop it, as a machine that sleeps: its connections stay, and say nothing."""
        self.process.send_signal(signal.SIGSTOP)

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()

    async def ended(self) -> int:
        """Wait until it has ended by itself; return its status."""
        assert self.process.stdout
        async with asyncio.timeout(PATIENCE):
            self.said += (await self.process.stdout.read()).decode().splitlines(keepends=True)
            return await self.process.wait()


@asynccontextmanager
async def joining(
    url: str, *arguments: str, token: str = "", habit: str = "polite"
) -> AsyncIterator[Joined]:
    """Start one; unless an `--engine` is among the arguments, it offers an odd one."""
    engine = () if "--engine" in arguments else ("--engine", f"odd={' '.join(odd(habit))}")
    environment = {**os.environ, "ROOKERY_TOKEN": token} if token else dict(os.environ)
    process = await asyncio.create_subprocess_exec(
        SERVER, "join", url, *engine, *arguments, env=environment, stdout=PIPE, stderr=STDOUT
    )
    try:
        yield Joined(process)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def url_of(server: Running, port: int | None = None) -> str:
    return f"{'wss' if server.config.tls else 'ws'}://127.0.0.1:{port or server.port}"


async def offered(server: Running, name: str) -> None:
    """Wait until the server offers an engine of a machine's."""
    await until(lambda: name in server.host.fleet.joined.pools, PATIENCE)


async def joined_engines(server: Running, number: int) -> None:
    """Wait until so many engines of machines run."""
    machines = server.host.fleet.joined.machines
    await until(lambda: sum(len(each.engines) for each in machines) == number, PATIENCE)


def shows(token: str) -> dict[str, dict[str, str]]:
    return {"additional_headers": bearer(token)}
