"""Sockets that systemd hands over: which are taken, and which are refused."""

import asyncio
import contextlib
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.serving import SERVER
from helpers.support import TIMEOUT, Lines, children, hear_until, odd
from websockets.asyncio.client import connect

POLITE = f"[engines.polite]\ncommand = {list(odd('polite'))}\n"

HANDED_OVER = """
import os, sys
for place, descriptor in enumerate(map(int, sys.argv[2].split(","))):
    os.dup2(descriptor, 100 + place)
for place in range(len(sys.argv[2].split(","))):
    os.dup2(100 + place, 3 + place, inheritable=True)
    os.close(100 + place)
os.environ["LISTEN_PID"] = str(os.getpid())
os.environ["LISTEN_FDS"] = str(len(sys.argv[2].split(",")))
if sys.argv[1]:
    os.environ["LISTEN_FDNAMES"] = sys.argv[1]
os.execv(sys.argv[3], sys.argv[3:])
"""


def listening(host: str = "127.0.0.1") -> socket.socket:
    sock = socket.create_server((host, 0))
    sock.set_inheritable(True)
    return sock


async def handed_over(names: str, socks: list[socket.socket], *arguments: str) -> Process:
    descriptors = ",".join(str(sock.fileno()) for sock in socks)
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", HANDED_OVER, names, descriptors, SERVER, *arguments,
        stdout=PIPE, stderr=PIPE, pass_fds=[sock.fileno() for sock in socks],
    )  # fmt: skip


def environs(pid: int) -> list[str]:
    """Return the environments of a process's children, of which there must be some."""
    found = []
    for child in children(pid):
        with contextlib.suppress(OSError):  # One that is ending has none.
            found.append(Path(f"/proc/{child}/environ").read_text())
    assert found
    return found


@pytest.mark.parametrize("names", ["tcp:websocket", ""])
async def test_sockets_of_systemd_are_taken(tmp_path: Path, names: str) -> None:
    path = tmp_path / "rookery.toml"
    path.write_text(POLITE)
    first, second = listening(), listening()
    tcp, web = (first, second) if names else (second, first)
    process = await handed_over(names, [first, second], "--config", str(path))
    assert process.stdout
    try:
        # Who connects before it is up has to wait, and is not refused.
        port, tcp_port = (sock.getsockname()[1] for sock in (web, tcp))
        client = Lines(*await asyncio.open_connection("127.0.0.1", tcp_port))
        client.say("isready")
        assert await client.hear() == "readyok"
        async with connect(f"ws://127.0.0.1:{port}/engines/polite", proxy=None) as websocket:
            await websocket.send("isready")
            await hear_until(websocket, "readyok")
        assert not any("LISTEN_FDS" in environ for environ in environs(process.pid))
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(TIMEOUT):
            assert await process.wait() == 0
        first.getsockname()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        first.close()
        second.close()


def datagrams() -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind(("127.0.0.1", 0))
    return sock


def accepted() -> socket.socket:
    """Return one end of a connection, as `Accept=yes` hands it over."""
    with listening() as sock, socket.create_connection(sock.getsockname()):
        return sock.accept()[0]


def of_a_path() -> socket.socket:
    sock = socket.socket(socket.AF_UNIX)
    sock.bind("")  # an abstract name
    sock.listen()
    return sock


@pytest.mark.parametrize("name", ["websocket", "tcp"])
@pytest.mark.parametrize(("make", "why"), [
    (datagrams, "no socket that can be listened on: the unit wants ListenStream="),
    (accepted, "no socket that can be listened on: the unit wants ListenStream="),
    (of_a_path, "no socket of an IP address"),
])  # fmt: skip
async def test_sockets_that_are_of_no_use_are_refused_in_words(
    name: str, make: Callable[[], socket.socket], why: str
) -> None:
    with make() as sock:
        process = await handed_over(name, [sock])
        async with asyncio.timeout(TIMEOUT):
            _, errors = await process.communicate()
    assert process.returncode == 1
    assert errors.decode().startswith(f"rookery-server: descriptor 3 is {why}")


async def test_socket_for_tcp_alone_opens_no_other_port() -> None:
    """It would be at the address of that socket, and at a port of the configuration."""
    with listening() as sock:
        process = await handed_over("tcp", [sock], "--port", "0")
        async with asyncio.timeout(TIMEOUT):
            _, errors = await process.communicate()
    assert process.returncode == 1
    assert b"handed over as tcp, and none as websocket: start that unit" in errors


async def test_socket_that_others_reach_wants_tokens(tmp_path: Path) -> None:
    """Though the address of the configuration is another."""
    path = tmp_path / "rookery.toml"
    path.write_text(POLITE)
    with listening("0.0.0.0") as sock:
        process = await handed_over("websocket", [sock], "--config", str(path))
        async with asyncio.timeout(TIMEOUT):
            _, errors = await process.communicate()
    assert process.returncode == 2
    assert b"'0.0.0.0' can be reached from other machines" in errors


async def test_broker_listens_where_the_configuration_says(tmp_path: Path) -> None:
    path = tmp_path / "rookery.toml"
    path.write_text(f"{POLITE}\n[broker]\nport = 0\nfile = 'broker.json'\n")
    with listening("127.0.0.2") as sock:
        process = await handed_over("websocket", [sock], "--config", str(path))
        assert process.stdout
        try:
            async with asyncio.timeout(TIMEOUT):
                while not (line := await process.stdout.readline()).startswith(b"  broker"):
                    assert line
            _, url = line.split()
            assert url.startswith(b"http://127.0.0.1:")
            port = int(url.rpartition(b":")[2].strip(b"/"))
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection("127.0.0.2", port)
        finally:
            process.kill()
            await process.wait()
