"""Clients over WebSocket that do not read, and connections that say nothing."""

import asyncio
import socket
from dataclasses import replace

import pytest
from helpers.support import TIMEOUT, Running, empty, until
from websockets.frames import Frame, Opcode

from rookery_server import app as app_module
from rookery_server.config.config import Config
from rookery_server.transport import websocket

REQUEST = (
    b"GET /engines/flood HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
    b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
)


@pytest.fixture
def habits() -> tuple[str, ...]:
    return ("polite", "flood")


def message(data: bytes, opcode: Opcode = Opcode.TEXT) -> bytes:
    return Frame(opcode, data).serialize(mask=True)


async def deaf(app: Running, *said: bytes) -> socket.socket:
    """Return a client that says this, and does not read."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(client, ("127.0.0.1", app.port))
    await loop.sock_sendall(client, REQUEST + b"".join(said))
    return client


async def choked(app: Running) -> socket.socket:
    """Return one for whom answers wait."""
    client = await deaf(app, message(b"go"), message(b"isready"))
    await until(lambda: app.sessions and app.sessions[0].ready.answered)
    assert app.waiting() > 0
    return client


async def ping_for_ever(client: socket.socket) -> None:
    pings = message(b"x" * 125, Opcode.PING) * 100
    while True:
        await asyncio.get_running_loop().sock_sendall(client, pings)


async def test_answers_to_pings_do_not_gather_without_end(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "MAX_UNREAD", 100_000)
    client = await choked(app)
    pinging = asyncio.ensure_future(ping_for_ever(client))
    async with asyncio.timeout(TIMEOUT):
        with pytest.raises(ConnectionError):
            await pinging
    await empty(app)
    client.close()


async def test_pings_of_a_client_that_reads_are_answered_however_many(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "MAX_UNREAD", 1000)
    async with app.websocket("flood") as client:
        for number in range(100):
            await (await client.ping(b"%0100d" % number))


async def test_client_that_does_not_read_the_end_is_not_waited_for(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "FAREWELL", 0.1)
    client = await choked(app)
    (actor,) = app.host.actors
    actor.dismiss("go")
    await empty(app)
    client.close()


@pytest.mark.parametrize("who", ["deaf", "silent"])
async def test_server_ends_though_a_client_keeps_its_connection(
    config: Config, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    monkeypatch.setattr(app_module, "LAST_WORDS", 0.1)
    settings = replace(config, server=replace(config.server, handshake_timeout=3 * TIMEOUT))
    async with Running(settings) as app:
        if who == "deaf":
            client = await choked(app)
        else:
            client = socket.create_connection(("127.0.0.1", app.port))
        await until(lambda: app._policy.connection_count)
        app.host.abandon()
        leaving = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - leaving < TIMEOUT
    client.close()
