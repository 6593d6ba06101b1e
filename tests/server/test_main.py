"""`rookery-server` as an operator sees it: a process that starts, says where it is, and ends."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from support import TIMEOUT, gone, odd
from websockets.asyncio.client import connect

SERVER = str(Path(sys.executable).with_name("rookery-server"))


class Started:
    """A server process and where it listens."""

    def __init__(self, process: Process, greeting: str) -> None:
        self.process = process
        self.greeting = greeting
        self.port = self._number(r"http://127\.0\.0\.1:(\d+)/")
        self.tcp_port = self._number(r"nc 127\.0\.0\.1 (\d+)")

    def _number(self, pattern: str) -> int:
        found = re.search(pattern, self.greeting)
        assert found, self.greeting
        return int(found[1])

    def engines(self) -> list[int]:
        """Return its child processes."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in path.read_text().split()]

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


async def searching(server: Started, count: int) -> list[socket.socket]:
    """Return connections whose engines search, as their answer to `isready` shows."""
    loop = asyncio.get_running_loop()
    clients = []
    for _ in range(count):
        client = socket.create_connection(("127.0.0.1", server.tcp_port))
        client.setblocking(False)
        await loop.sock_sendall(client, b"go infinite\nisready\n")
        clients.append(client)
    for client in clients:
        async with asyncio.timeout(TIMEOUT):
            assert await loop.sock_recv(client, 100) == b"readyok\n"
    return clients


async def test_greeting_says_where_to_go() -> None:
    async with serving() as server:
        assert "offers: odd" in server.greeting
        assert f"rookery-bridge ws://127.0.0.1:{server.port}/engines/odd" in server.greeting


async def test_sigterm_ends_it_with_status_0() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        async with serving() as server:
            server.process.send_signal(number)
            async with asyncio.timeout(TIMEOUT):
                assert await server.process.wait() == 0


async def test_second_ctrl_c_does_not_wait() -> None:
    async with serving(habit="deaf") as server:
        client = await connect(f"ws://127.0.0.1:{server.port}/engines/odd", proxy=None)
        await client.send("go infinite")
        server.process.send_signal(signal.SIGINT)
        assert server.process.stdout
        async with asyncio.timeout(TIMEOUT):
            await server.process.stdout.readline()
            server.process.send_signal(signal.SIGINT)
            assert await server.process.wait() == 0
        await client.close()


async def test_no_engine_survives_a_killed_server() -> None:
    async with serving() as server:
        clients = await searching(server, 5)
        engines = server.engines()
        assert len(engines) >= 5  # there is a spare one, too
        server.process.kill()
        for pid in engines:
            await gone(pid)
        for client in clients:
            client.close()


async def test_200_cut_connections_leave_nothing_behind() -> None:
    async with serving() as server:
        before = server.descriptors()
        for _ in range(10):
            for client in await searching(server, 20):
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                client.close()  # with a reset
        async with asyncio.timeout(TIMEOUT):
            while len(server.engines()) > 1 or server.descriptors() > before:
                await asyncio.sleep(0.01)
        assert len(server.engines()) == 1  # the spare one


async def test_errors_end_it_with_a_sentence() -> None:
    for arguments, status, sentence in (
        (("--engine", "x"), 2, "--engine needs NAME=COMMAND, not 'x'"),
        (("--config", "/no/such/file"), 2, "cannot read /no/such/file: No such file or directory"),
        (("--host", "0.0.0.0"), 2, "--insecure"),
        (("--host", "192.0.2.1", "--insecure"), 1, "cannot listen on 192.0.2.1"),
    ):
        process = await asyncio.create_subprocess_exec(SERVER, *arguments, stderr=PIPE)
        async with asyncio.timeout(TIMEOUT):
            _, errors = await process.communicate()
        assert process.returncode == status
        assert sentence in errors.decode()
        assert "Traceback" not in errors.decode()
