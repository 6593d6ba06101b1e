"""A server process, as its operator has to do with it, and the operator's commands."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from websockets.asyncio.client import connect

from helpers.support import ODD_ENGINE, TIMEOUT, Lines, request_for

SERVER = str(Path(sys.executable).with_name("rookery-server"))
POLITE = f"[engines.polite]\ncommand = [{sys.executable!r}, '-S', {str(ODD_ENGINE)!r}, 'polite']\n"
OTHER = POLITE.replace("engines.polite", "engines.other")


@dataclass
class Operated:
    """A server process whose log is JSON, and the folder of its configuration."""

    process: Process
    folder: Path
    port: int
    tcp_port: int

    def configure(self, text: str) -> None:
        (self.folder / "rookery.toml").write_text(text)

    def websocket(self, engine: str = "polite") -> connect:
        return connect(f"ws://127.0.0.1:{self.port}/engines/{engine}", proxy=None)

    async def tcp(self) -> Lines:
        return Lines(*await asyncio.open_connection("127.0.0.1", self.tcp_port))

    async def get(self, path: str) -> str:
        """Return the answer to a request."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(request_for(path))
        async with asyncio.timeout(TIMEOUT):
            answer = (await reader.read()).decode()
        writer.close()
        return answer

    async def logged(self, text: str) -> dict[str, object]:
        """Return the next entry of the log whose message has this text."""
        assert self.process.stderr
        async with asyncio.timeout(TIMEOUT):
            while line := await self.process.stderr.readline():
                entry: dict[str, object] = json.loads(line)
                if text in str(entry["message"]):
                    return entry
        raise AssertionError(text)

    async def reload(self, then: str = "was read again") -> dict[str, object]:
        self.process.send_signal(signal.SIGHUP)
        return await self.logged(then)

    async def ended(self) -> int:
        async with asyncio.timeout(TIMEOUT):
            return await self.process.wait()


def toml(folder: Path, text: str = POLITE, server: str = "") -> str:
    return (
        f"[server]\nport = 0\ntcp_port = 0\n{server}\n[log]\nformat = 'json'\n"
        f"[control]\nsocket = {str(folder / 'control')!r}\n{text}"
    )


@asynccontextmanager
async def operated(
    folder: Path, text: str | None = None, **options: object
) -> AsyncIterator[Operated]:
    path = folder / "rookery.toml"
    path.write_text(text or toml(folder))
    process = await asyncio.create_subprocess_exec(
        SERVER,
        "--config",
        str(path),
        stdout=PIPE,
        stderr=PIPE,
        **options,  # type: ignore[arg-type]
    )
    assert process.stdout
    try:
        async with asyncio.timeout(TIMEOUT):
            greeting = (await process.stdout.readuntil(b"Ctrl-C ends it.\n")).decode()
        port = int(greeting.split("http://127.0.0.1:")[1].split("/")[0])
        tcp_port = int(greeting.split("nc 127.0.0.1 ")[1].split()[0]) if "nc " in greeting else 0
        yield Operated(process, folder, port, tcp_port)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def command(*arguments: str, **environment: str) -> tuple[int, str, str]:
    """Return the status of a command, and what it says."""
    process = await asyncio.create_subprocess_exec(
        SERVER, *arguments, stdout=PIPE, stderr=PIPE, env=os.environ | environment
    )
    async with asyncio.timeout(TIMEOUT):
        out, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), errors.decode()
