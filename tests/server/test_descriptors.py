"""A server that may open few files: it makes room, does not spin, and recovers."""

import asyncio
import os
import resource
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from helpers.support import TIMEOUT, Lines, odd

DESCRIPTORS = 128
SESSIONS = 21  # (128 - 64) / 3

CONFIG = """
[server]
port = 0
tcp_port = 0
[control]
socket = false
[engines.polite]
command = {}
"""


class Small:
    """A server in a process of its own, which may open few files."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process = process
        self._port = port

    async def dial(self) -> Lines:
        return Lines(*await asyncio.open_connection("127.0.0.1", self._port))

    async def session(self) -> Lines:
        """Return a client whose session outlives its connection, and has an engine."""
        client = await self.dial()
        client.say("rookery session new", "isready")
        assert (await client.hear_until("readyok"))[-1] == "readyok"
        return client

    def cpu(self) -> float:
        stat = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def running(tmp_path: Path) -> AsyncIterator[Small]:
    config = tmp_path / "rookery.toml"
    config.write_text(CONFIG.format(list(odd("polite"))))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "rookery_server",
        "--config",
        config,
        stdout=asyncio.subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS)),
    )
    try:
        assert process.stdout
        async with asyncio.timeout(TIMEOUT):
            while b"nc 127.0.0.1 " not in (line := await process.stdout.readline()):
                assert line
        yield Small(process, int(line.split()[-1]))
    finally:
        process.terminate()
        await process.wait()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
async def test_sessions_without_a_connection_make_room(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        for _ in range(4):
            there = [await server.session() for _ in range(SESSIONS - 1)]
            for client in there:
                client.say("go depth 1")
                assert (await client.hear_until("bestmove"))[-1] == "bestmove e2e4"
                client.writer.close()
                await client.writer.wait_closed()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
async def test_flood_beyond_the_descriptors_is_no_harm(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        client = await server.session()
        flood = [await server.dial() for _ in range(3 * DESCRIPTORS)]
        client.say("isready")
        assert await client.hear() == "readyok"
        before = server.cpu()
        for _ in range(10):
            await asyncio.sleep(0.1)
            client.say("isready")
            assert await client.hear() == "readyok"
        assert server.cpu() - before < 0.5
        for each in flood:
            each.writer.close()
        while True:  # until there is room again
            another = await server.dial()
            another.say("isready")
            if await another.hear() == "readyok":
                break
        another.writer.close()
        client.writer.close()
