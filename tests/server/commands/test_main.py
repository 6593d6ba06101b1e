"""`rookery-server` as an operator sees it: a process that starts, says where it is, and ends."""

import asyncio
import contextlib
import fcntl
import os
import signal
import socket
import ssl
import termios
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
import trustme
from helpers.certificates import certificate
from helpers.serving import SERVER, Started, serving
from helpers.support import TIMEOUT, add_token, gone, until
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake

from rookery_server.http.admin_socket import SYSTEM_PLACE


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


async def test_cut_connections_leave_nothing_behind(tmp_path: Path) -> None:
    config = tmp_path / "rookery.toml"
    # Those taken together are kept ready. The cache opens its files later, and so do jobs and
    # shared games where another test has left some.
    config.write_text(
        "[sessions]\nwarm_most = 1\n[cache]\nenabled = false\n[jobs]\nenabled = false\n"
        "[games]\nenabled = false\n[projects]\nenabled = false\n[library]\nenabled = false\n"
    )
    async with serving("--config", str(config)) as server:
        await until(lambda: len(server.engines()) == 1)  # the spare one
        before = server.descriptors()
        for _ in range(6):
            for client in await searching(server, 10):
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                client.close()  # with a reset
        await until(
            lambda: len(server.engines()) == 1 and server.descriptors() <= before, 2 * TIMEOUT
        )


async def say_over_tcp(server: Started, *lines: str, context: ssl.SSLContext | None = None) -> str:
    """Say these lines, and return the first of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.tcp_port, ssl=context)
    writer.write("".join(f"{line}\n" for line in lines).encode())
    async with asyncio.timeout(TIMEOUT):
        heard = (await reader.readline()).decode().rstrip("\n")
    writer.close()
    return heard


async def log_until(server: Started, text: str) -> str:
    """Return what the server logs up to the line that has this text."""
    assert server.process.stderr
    lines = [""]
    async with asyncio.timeout(TIMEOUT):
        while text not in lines[-1]:
            lines.append((await server.process.stderr.readline()).decode())
            assert lines[-1], lines
    return "".join(lines)


async def test_no_token_comes_into_the_log(tmp_path: Path) -> None:
    token, path = add_token(tmp_path / "tokens"), "/engines/odd"
    wrong = "rk_000000000000_" + "W" * 32
    async with serving("--tokens", str(tmp_path / "tokens"), "--verbose") as server:
        url = f"ws://127.0.0.1:{server.port}{path}"
        for headers, offered, query in (
            ({"Authorization": f"Bearer {token}"}, [], ""),
            ({"Authorization": f"Bearer {wrong}"}, [], ""),
            ({"Authorization": f"Basic {wrong}"}, [], ""),
            ({}, ["uci", f"rookery.token.{token}"], ""),
            ({}, ["uci", f"rookery.token.{wrong}"], ""),
            ({"Sec-WebSocket-Protocol": f"rookery.token.{wrong}/"}, [], ""),
            ({}, [], f"?token={token}"),
            ({}, [], f"/{token}"),
            ({"Origin": f"https://{token}\x1b[31m"}, [], ""),
        ):
            with contextlib.suppress(InvalidHandshake):
                async with connect(
                    url + query,
                    additional_headers=headers,
                    subprotocols=offered or None,
                    proxy=None,
                ):
                    pass
        for line in ("token {}", "token {} engine {}", "token {} {}", "engine {}", "{} x", "{}"):
            for shown in (token, wrong):
                await say_over_tcp(server, "rookery " + line.replace("{}", shown), "isready")
        server.process.send_signal(signal.SIGTERM)
        log = await log_until(server, "draining")
        assert server.process.stderr
        log += (await server.process.stderr.read()).decode()
    assert "of alice began" in log
    assert "refused 127.0.0.1: " in log
    for secret in (token.split("_", 2)[2], "W" * 32, "\x1b"):  # which may have a "_", too
        assert secret not in log


async def test_sighup_reads_tokens_and_certificate_again(tmp_path: Path) -> None:
    authority, context = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(context)
    token = add_token(tmp_path / "tokens")

    def renew() -> None:
        certificate(tmp_path, authority, "127.0.0.1")

    async def shown() -> str:
        _, writer = await asyncio.open_connection("127.0.0.1", server.tcp_port, ssl=context)
        serial = writer.get_extra_info("peercert")["serialNumber"]
        writer.close()
        return str(serial)

    renew()
    (tmp_path / "rookery.toml").write_text(
        "[server]\ntokens = 'tokens'\n[tls]\ncertificate = 'certificate.pem'\nkey = 'key.pem'\n"
    )
    async with serving("--config", str(tmp_path / "rookery.toml")) as server:
        assert "rookery-bridge wss://127.0.0.1:" in server.greeting
        hello = (f"rookery token {token}", "isready")
        assert await say_over_tcp(server, *hello, context=context) == "readyok"
        former = await shown()
        url = f"wss://127.0.0.1:{server.port}/engines/odd"
        headers = {"Authorization": f"Bearer {token}"}
        async with connect(url, ssl=context, additional_headers=headers, proxy=None) as client:
            renew()
            other = add_token(tmp_path / "tokens", "bob")
            server.process.send_signal(signal.SIGHUP)
            await log_until(server, "2 tokens read")
            assert await shown() != former
            hello = (f"rookery token {other}", "isready")
            assert await say_over_tcp(server, *hello, context=context) == "readyok"
            await client.send("isready")
            assert await client.recv() == "readyok"


async def test_closed_terminal_ends_it() -> None:
    """Though SIGHUP means something else to a server that has none."""
    terminal, its_end = os.openpty()
    process = await asyncio.create_subprocess_exec(
        SERVER, "--port", "0", "--tcp-port", "0", "--engine", "odd=true",
        stdin=its_end, stdout=PIPE, stderr=PIPE, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(its_end)
    assert process.stdout
    async with asyncio.timeout(TIMEOUT):
        await process.stdout.readuntil(b"Ctrl-C ends it.\n")
        os.close(terminal)
        assert await process.wait() == 0


async def test_commands_of_tokens_are_found() -> None:
    process = await asyncio.create_subprocess_exec(SERVER, "token", "--help", stdout=PIPE)
    async with asyncio.timeout(TIMEOUT):
        out, _ = await process.communicate()
    assert "{add,list,revoke}" in out.decode()


async def test_errors_end_it_with_a_sentence() -> None:
    for arguments, status, sentence in (
        (("--engine", "x"), 2, "--engine needs NAME=COMMAND, not 'x'"),
        (("--verbose", "token"), 2, "'token' comes first"),
        (("--config", "/no/such/file"), 2, "cannot read /no/such/file: No such file or directory"),
        (("--host", "0.0.0.0"), 2, "--insecure"),
        (("--tokens", "/no/such/file"), 2, "there are no tokens in /no/such/file: make one with"),
        (("--host", "192.0.2.1", "--insecure"), 1, "cannot listen on 192.0.2.1"),
    ):
        process = await asyncio.create_subprocess_exec(SERVER, *arguments, stderr=PIPE)
        async with asyncio.timeout(TIMEOUT):
            _, errors = await process.communicate()
        assert process.returncode == status
        assert sentence in errors.decode()
        assert "Traceback" not in errors.decode()


async def test_start_that_fails_drains_nothing() -> None:
    process = await asyncio.create_subprocess_exec(
        SERVER, "--host", "192.0.2.1", "--insecure", stderr=PIPE
    )
    async with asyncio.timeout(TIMEOUT):
        _, errors = await process.communicate()
    assert b"cannot listen on 192.0.2.1" in errors
    assert b"draining" not in errors


async def test_server_without_an_operators_socket_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    if os.access(SYSTEM_PLACE.parent, os.W_OK):
        pytest.skip("this machine has a place for it")
    async with serving() as server:
        said = await log_until(server, "no operator's socket")
        assert "control.socket = PATH" in said
        while not (tmp_path / "rookery" / "cache.sqlite").exists():
            await asyncio.sleep(0.01)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.stderr
        async with asyncio.timeout(TIMEOUT):
            said += (await server.process.stderr.read()).decode()
    assert "alembic" not in said
