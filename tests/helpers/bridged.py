"""A bridge and a server as processes of their own, for tests of what becomes of them."""

import asyncio
import os
import re
import signal
import sys
import tomllib
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from helpers.support import TIMEOUT, numbered, odd

BIN = Path(sys.executable).parent
ENGINE = str(BIN / "rookery-engine")


class Gui:
    """Speaks with a bridge as a GUI does, and keeps all that it has heard."""

    def __init__(self, bridge: Process) -> None:
        self.bridge = bridge
        self.heard: list[str] = []

    def say(self, *lines: str) -> None:
        assert self.bridge.stdin
        self.bridge.stdin.write("".join(f"{line}\n" for line in lines).encode())

    async def hear(self) -> str:
        """Return the next line; "" at the end."""
        assert self.bridge.stdout
        line = (await self.bridge.stdout.readline()).decode().rstrip("\n")
        self.heard.append(line)
        return line

    async def until(self, start: str, patience: float = TIMEOUT) -> list[str]:
        """Return lines up to the first that starts so."""
        lines: list[str] = []
        async with asyncio.timeout(patience):
            while not lines or not lines[-1].startswith(start):
                lines.append(await self.hear())
                assert lines[-1], f"the bridge has ended: {self.heard[-5:]}"
        return lines

    async def drain(self) -> None:
        """Hear all that comes before the answer to a question."""
        self.say("isready")
        await self.until("readyok")

    def count(self, start: str) -> int:
        """Return how many lines that start so were heard."""
        return sum(line.startswith(start) for line in self.heard)


@asynccontextmanager
async def bridge(address: str, *arguments: str) -> AsyncIterator[Gui]:
    """Run a bridge; it is ended with the block."""
    process = await asyncio.create_subprocess_exec(
        str(BIN / "rookery-bridge"), address, *arguments, stdin=PIPE, stdout=PIPE
    )
    try:
        yield Gui(process)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        assert process.stdin
        process.stdin.close()
        await process.communicate()


class Server:
    """A server process that can be killed, and started again on the same ports."""

    def __init__(self, folder: Path, engines: Mapping[str, Sequence[str]], more: str = "") -> None:
        self._config = folder / "server.toml"
        self._engines = dict(engines)
        self._more = more
        self._ports = (0, 0)
        self._process: Process | None = None

    @property
    def tcp_port(self) -> int:
        return self._ports[1]

    @property
    def port(self) -> int:
        return self._ports[0]

    def addresses(self, engine: str) -> list[str]:
        """Return where an engine is, on either transport."""
        return [
            f"ws://127.0.0.1:{self.port}/engines/{engine}",
            f"tcp://127.0.0.1:{self.tcp_port}/{engine}",
        ]

    def withdraw(self, engine: str) -> None:
        """Offer an engine no longer, from the next start on."""
        del self._engines[engine]

    async def start(self) -> None:
        lines = ["[server]", f"port = {self._ports[0]}", f"tcp_port = {self._ports[1]}"]
        for name, command in self._engines.items():
            lines += [f"[engines.{name}]", f"command = {list(command)!r}"]
        text = "\n".join([*lines, self._more])
        assert tomllib.loads(text)
        self._config.write_text(text)
        self._process = await asyncio.create_subprocess_exec(
            *(str(BIN / "rookery-server"), "serve", "--config", str(self._config)),
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdout
        greeting = ""
        async with asyncio.timeout(TIMEOUT):
            while "Ctrl-C ends it" not in greeting:
                line = (await self._process.stdout.readline()).decode()
                assert line, "the server has ended"
                greeting += line
        port = re.search(r"ws://[^:]+:(\d+)", greeting)
        tcp_port = re.search(r"nc \S+ (\d+)", greeting)
        assert port
        assert tcp_port
        self._ports = int(port[1]), int(tcp_port[1])

    async def kill(self) -> None:
        """Kill it, as a power cut does."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """End it in order."""
        await self._end(signal.SIGTERM)

    def freeze(self) -> None:
        """Let it answer nothing any more."""
        assert self._process
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        assert self._process
        os.kill(self._process.pid, signal.SIGCONT)

    async def _end(self, how: signal.Signals) -> None:
        if self._process and self._process.returncode is None:
            self._process.send_signal(how)
            await self._process.communicate()
        self._process = None


@asynccontextmanager
async def server(folder: Path, more: str = "") -> AsyncIterator[Server]:
    """Run a server with an engine of ours, and with one that tells searches apart."""
    engines = {"rookery": (ENGINE,), "numbered": numbered(), "polite": odd("polite")}
    running = Server(folder, engines, more)
    await running.start()
    try:
        yield running
    finally:
        await running.kill()
