"""`rookery-server` as a process of its own, with one engine that has a habit."""

import asyncio
import contextlib
import os
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from helpers.support import TIMEOUT, children, odd

SERVER = str(Path(sys.executable).with_name("rookery-server"))


class Started:
    """A server process and where it listens."""

    def __init__(self, process: Process, greeting: str) -> None:
        self.process = process
        self.greeting = greeting
        self.port = self._number(r"https?://127\.0\.0\.1:(\d+)/")
        self.tcp_port = self._number(r"(?:nc|-connect) 127\.0\.0\.1[ :](\d+)")

    def _number(self, pattern: str) -> int:
        found = re.search(pattern, self.greeting)
        assert found, self.greeting
        return int(found[1])

    def engines(self) -> list[int]:
        """Return its child processes."""
        return children(self.process.pid)

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


@asynccontextmanager
async def serving(*arguments: str, habit: str = "polite") -> AsyncIterator[Started]:
    process = await asyncio.create_subprocess_exec(
        SERVER, "serve", "--port", "0", "--tcp-port", "0",
        "--engine", f"odd={' '.join(odd(habit))}", *arguments, stdout=PIPE, stderr=PIPE,
    )  # fmt: skip
    assert process.stdout
    try:
        async with asyncio.timeout(TIMEOUT):
            greeting = (await process.stdout.readuntil(b"Ctrl-C ends it.\n")).decode()
        yield Started(process, greeting)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


@asynccontextmanager
async def serving_database(
    folder: Path, url: str, name: str, more: str = ""
) -> AsyncIterator[Process]:
    """Run a server with its own engine and this database, and with more configuration."""
    path = folder / f"{name}.toml"
    control = f'[control]\nsocket = "{folder / name}.socket"\n'
    path.write_text(f'[cache]\nurl = "{url}"\n[server]\nport = 0\ntcp_port = 0\n{control}{more}')
    process = await asyncio.create_subprocess_exec(
        SERVER, "serve", "--config", str(path), stdout=PIPE, stderr=PIPE
    )
    assert process.stdout
    try:
        async with asyncio.timeout(TIMEOUT):
            await process.stdout.readuntil(b"Ctrl-C ends it.\n")
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
