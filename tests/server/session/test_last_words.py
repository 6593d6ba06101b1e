"""The last lines that a client over plain TCP hears, though it is still sending."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from helpers.support import TIMEOUT, Running, code_of, until

from rookery_protocol.notices import Code
from rookery_server.access.token_file import TokenFile
from rookery_server.scheduling.machine_resources import Machine
from rookery_server.transport import connection_policy, tcp

ROUNDS = 3


@asynccontextmanager
async def writer(server: Running, hello: str) -> AsyncIterator[tuple[socket.socket, asyncio.Task]]:
    """Yield a client that writes and does not read, with more to say than is heard yet."""
    loop = asyncio.get_running_loop()
    with socket.create_connection(("127.0.0.1", server.tcp_port or 0)) as client:
        client.setblocking(False)
        await loop.sock_sendall(client, f"{hello}\n".encode())
        writing = asyncio.create_task(write_for_ever(client))
        await until(lambda: any(actor.totals.lines_heard > 100 for actor in server.host.actors))
        try:
            yield client, writing
        finally:
            writing.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await writing


async def write_for_ever(client: socket.socket) -> None:
    while True:
        await asyncio.get_running_loop().sock_sendall(client, b"isready\n" * 1000)


async def read_to_end(client: socket.socket) -> list[str]:
    heard = bytearray()
    async with asyncio.timeout(TIMEOUT):
        while data := await asyncio.get_running_loop().sock_recv(client, 65536):
            heard += data
    return heard.decode().splitlines()


async def test_client_that_still_writes_when_its_token_is_revoked_hears_so(
    server: Running, tokens: Path, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tcp, "LINGER", TIMEOUT)
    keyring = tokens.read_bytes()
    for _ in range(ROUNDS):
        async with writer(server, f"rookery token {token}") as (client, writing):
            TokenFile(tokens).change(lambda keyring: keyring.without("alice"))
            await until(lambda: not server.host.actors)
            lines = await read_to_end(client)
            assert code_of(lines[-1]) is Code.UNAUTHORIZED
            assert not writing.done()  # Else the connection was reset.
            assert not len(server._policy.admission)  # It is in nobody's way.
        await until(lambda: not server._policy.connection_count)
        tokens.write_bytes(keyring)
        server.reload()


async def test_client_that_still_writes_when_the_server_ends_hears_so(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tcp, "LINGER", TIMEOUT)
    async with writer(app, "isready") as (client, writing):
        app.host.each(lambda actor: actor.drain())
        await until(lambda: not app.host.actors)
        lines = await read_to_end(client)
        assert lines[-1] == "readyok" or code_of(lines[-1]) is Code.DRAINING
        assert not writing.done()


async def test_client_that_writes_for_ever_is_not_heard_for_ever(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tcp, "LINGER", 0.1)
    async with writer(app, "isready") as (_, writing):
        app.host.abandon()
        await until(lambda: not app._policy.connection_count)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            await writing


async def test_none_lingers_where_descriptors_are_scarce(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tcp, "LINGER", TIMEOUT)
    monkeypatch.setattr(connection_policy, "MIN_LINGERING", 0)
    monkeypatch.setattr(Machine, "spare", lambda *_: 0)
    async with writer(app, "isready") as (_, writing):
        app.host.abandon()
        await until(lambda: not app._policy.connection_count)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            await writing
