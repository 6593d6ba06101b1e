"""A client of a server that does not read is not filled with what it is to send."""

import asyncio

import pytest
from helpers.support import TIMEOUT
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

from rookery_protocol.line_connection import BoundedConnection, WebSocketLines
from rookery_server.join.engine_link import EngineLink

MOST = 1 << 17
PING = 125 * b"x"


@pytest.mark.parametrize("kind", [BoundedConnection, EngineLink, WebSocketLines])
async def test_server_that_pings_and_does_not_read_is_left(
    kind: type[ClientConnection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rookery_protocol.line_connection.MAX_UNSENT", MOST)
    left = asyncio.Event()

    async def pings(connection: ServerConnection) -> None:
        connection.transport.pause_reading()
        while not left.is_set():
            for _ in range(1000):
                connection.protocol.send_ping(PING)
            connection.send_data()
            await asyncio.sleep(0.001)

    async with serve(
        pings, "127.0.0.1", 0, ping_interval=None, compression=None, close_timeout=0.1
    ) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        client = await connect(
            f"ws://127.0.0.1:{port}", create_connection=kind, proxy=None, ping_interval=None
        )
        most = 0
        async with asyncio.timeout(TIMEOUT):
            while client.transport and not client.transport.is_closing():
                most = max(most, client.transport.get_write_buffer_size())
                await asyncio.sleep(0)
        left.set()
        client.transport.abort()
    assert most < 32 * MOST
