"""Peers that vanish without a goodbye are noticed."""

import os
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.support import DATA, TIMEOUT, Running, empty, hear_until

from rookery_server.config.config import Config
from rookery_server.config.sections import ConnectionConfig

VANISHING = DATA / "vanishing_peer.py"
UNSHARE = ("unshare", "--user", "--map-root-user", "--net")


@pytest.fixture
def habits() -> tuple[str, ...]:
    return ("polite", "flood")


def options(app: Running) -> list[int]:
    """Return how the one client's connection is watched."""
    [actor] = app.host.actors
    assert actor.client
    client = actor.client
    transport = getattr(client, "transport", None) or client._transport  # type: ignore[attr-defined]  # of either kind
    sock = transport.get_extra_info("socket")
    assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    return [
        sock.getsockopt(socket.IPPROTO_TCP, option)
        for option in (
            socket.TCP_KEEPIDLE,
            socket.TCP_KEEPINTVL,
            socket.TCP_KEEPCNT,
            socket.TCP_USER_TIMEOUT,
        )
    ]


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system has none")
async def test_peers_of_both_transports_are_watched(config: Config) -> None:
    async with Running(replace(config, connections=ConnectionConfig(dead_after=90))) as app:
        async with app.tcp() as line:
            line.say("isready")
            assert await line.hear() == "readyok"
            assert options(app) == [45, 15, 3, 90_000]
        await empty(app)
        async with app.websocket("polite") as client:
            await client.send("isready")
            await hear_until(client, "readyok")
            assert options(app) == [45, 15, 3, 90_000]


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system has none")
async def test_peer_that_takes_nothing_is_dropped(config: Config) -> None:
    async with Running(replace(config, connections=ConnectionConfig(dead_after=2))) as app:
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", app.tcp_port))
            client.sendall(b"rookery engine flood\ngo\ngo\n")
            await app.one_engine()
            await empty(app)


def can_unshare() -> bool:
    if not (shutil.which("unshare") and shutil.which("ip")):
        return False
    return subprocess.run((*UNSHARE, "true"), check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(not can_unshare(), reason="no network of its own can be made here")
@pytest.mark.parametrize("lines", [(), ("go infinite",)], ids=["silent", "while told"])
def test_peer_whose_machine_vanishes_is_noticed(lines: tuple[str, ...]) -> None:
    paths = [str(Path(__file__).parents[2]), *sys.path]
    done = subprocess.run(
        (*UNSHARE, sys.executable, VANISHING, *lines),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=3 * TIMEOUT,
        check=False,
    )
    assert done.stdout == "noticed\n", done.stderr
