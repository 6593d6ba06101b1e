"""A server of our own with a database, which a benchmark starts, kills and starts again."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp

from bench.child import find

READY = b"Ctrl-C ends it.\n"
_SEARCHES = "rookery_search_seconds_count"


class Server:
    """A server with a database, and its process."""

    def __init__(
        self,
        folder: Path,
        name: str,
        workers: int | None = None,
        url: str | None = None,
        settings: str = "",
    ) -> None:
        bound = f"\n[jobs]\nworkers = {workers}\n" if workers else ""
        place = f'url = "{url}"' if url else f'file = "{folder / name}.sqlite"'
        self._config = folder / f"{name}.toml"
        self._config.write_text(
            f"[cache]\n{place}\n[server]\nport = 0\ntcp_port = 0\n"
            f"[control]\nsocket = false\n{bound}{settings}"
        )
        self.process: asyncio.subprocess.Process
        self.port = self.tcp_port = 0

    async def start(self) -> None:
        """Start it; return when it listens."""
        log = self._config.with_suffix(".log")
        with log.open("a") as file:
            self.process = await asyncio.create_subprocess_exec(
                find("rookery-server"), "serve", "--config", str(self._config),
                stdout=subprocess.PIPE, stderr=file,
            )  # fmt: skip
        assert self.process.stdout
        try:
            greeting = (await self.process.stdout.readuntil(READY)).decode()
        except asyncio.IncompleteReadError:
            sys.exit(f"bench: the server did not start:\n{log.read_text()}")
        self.port = int(greeting.partition("http://127.0.0.1:")[2].partition("/")[0])
        self.tcp_port = int(greeting.partition("nc 127.0.0.1 ")[2].split()[0])

    async def end(self, *, kill: bool = False) -> None:
        """End it; return when it is gone."""
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        await self.process.wait()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    async def searches(self) -> int:
        """Return how many searches it has ended."""
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"{self.url}/metrics") as response,
        ):
            lines = (await response.text()).splitlines()
        counts = [float(line.split()[1]) for line in lines if line.startswith(_SEARCHES)]
        return int(sum(counts))

    def engines(self) -> list[int]:
        """Return its child processes that have worked."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        return [int(each) for each in children]


@asynccontextmanager
async def serving(
    folder: Path,
    name: str,
    workers: int | None = None,
    url: str | None = None,
    settings: str = "",
) -> AsyncIterator[Server]:
    """Run a server; `settings` are more of its configuration."""
    server = Server(folder, name, workers, url, settings)
    await server.start()
    try:
        yield server
    finally:
        await server.end()
