"""Clients that reset their connection before their request is answered."""

import logging
import socket
import struct
from dataclasses import replace
from http import HTTPStatus

import pytest
from helpers.support import Running, empty, get, until

from rookery_server import process
from rookery_server.config.config import Config

AT_ONCE = struct.pack("ii", 1, 0)  # of SO_LINGER: the connection is reset, not closed
UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


def ask_and_vanish(port: int, path: str, source: str, **fields: str) -> None:
    """Send a request and reset the connection, before the server has looked at it."""
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        sock.bind((source, 0))
        sock.connect(("127.0.0.1", port))
        sock.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n".encode())


@pytest.mark.parametrize("source", ["127.0.0.1", "127.0.0.3"])  # the latter is a proxy
def test_no_session_begins_for_a_client_that_has_gone(
    closed: Config, token: str, source: str, caplog: pytest.LogCaptureFixture
) -> None:
    process.run(_besiege(replace(closed, engines=closed.engines[:1]), token, source))
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


async def _besiege(config: Config, token: str, source: str) -> None:
    """Ask and vanish, again and again, and see whether anything is left of that."""
    fields = {**UPGRADE, "Authorization": f"Bearer {token}", "X-Forwarded-For": "203.0.113.7"}
    async with Running(config) as app:
        for _ in range(20):
            ask_and_vanish(app.port, "/engines/polite", source, **fields)
            ask_and_vanish(app.port, "/metrics", source, **fields)
        assert (await get(app, "/healthz"))[0] == HTTPStatus.OK  # It comes after all those.
        await until(lambda: not app.web.health._policy.admission)
        await empty(app)
