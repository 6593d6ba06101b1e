"""Coming in, over real sockets: every refusal on either transport, before an engine starts."""

import asyncio
import os
import re
import socket
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from helpers.support import (
    TIMEOUT,
    Running,
    add_token,
    bearer,
    code_of,
    dial,
    get,
    hear_until,
    until,
)
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response

from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import Code
from rookery_server.access.account import ANYBODY, LOCAL, VISITOR, Account
from rookery_server.config.addresses import network_list
from rookery_server.config.config import Config
from rookery_server.config.sections import ConnectionConfig
from rookery_server.transport.tcp import TcpClient

WRONG = "rk_000000000000_" + "A" * 32
STRANGE = ["", "nonsense", "é" * 40, "rk_" + "x" * 5000, WRONG[:-1], "rk_000000000000_\x7f"]


async def refused(
    server: Running, path: str = "polite", source: str = "127.0.0.1", **settings: object
) -> Response:
    """Return the answer to a WebSocket handshake that fails."""
    with pytest.raises(InvalidStatus) as caught:
        await server.websocket(path, local_addr=(source, 0), **settings)
    assert server.engine_pids() == []
    return caught.value.response


async def refused_line(server: Running, *lines: str, source: str = "127.0.0.1") -> str:
    """Return the notice by which a TCP client is refused; it is all that it hears."""
    client = await dial(server, source)
    client.say(*lines)
    notice = await client.hear()
    assert await client.hear() == ""
    client.writer.close()
    assert server.engine_pids() == []
    return notice


def accounts(server: Running) -> list[Account]:
    return [actor.account for actor in server.host.actors]


async def test_reload_does_not_open_what_others_can_reach(tmp_path: Path, config: Config) -> None:
    """A file that is safe where it would listen is not where it listens already."""
    token = add_token(tmp_path / "tokens")
    safe = replace(
        config,
        server=replace(config.server, host="0.0.0.0", tokens=tmp_path / "tokens", plain=True),
    )
    local = replace(config, server=replace(config.server, host="127.0.0.1", tokens=None))
    async with Running(safe) as server:
        with pytest.raises(ConfigError, match=r"server\.tokens"):
            await server.reconfigure(local)
        assert (await refused(server)).status_code == 401
        async with server.websocket("polite", additional_headers=bearer(token)) as client:
            await client.send("isready")
            await hear_until(client, "readyok")


# --- with a good token


async def test_token_in_the_header(server: Running, token: str) -> None:
    async with server.websocket("polite", additional_headers=bearer(token)) as client:
        await client.send("isready")
        await hear_until(client, "readyok")
        assert accounts(server) == [Account("alice")]


async def test_token_among_the_subprotocols(server: Running, token: str) -> None:
    """As browsers send it, which cannot set headers; the answer does not repeat it."""
    offered = ["uci", f"rookery.token.{token}"]
    async with server.websocket("polite", subprotocols=offered) as client:
        assert client.subprotocol == "uci"
        assert client.response
        assert token not in str(client.response.headers)
        await client.send("isready")
        await hear_until(client, "readyok")


@pytest.mark.parametrize(
    "hello", ["rookery token {} engine polite", "rookery engine polite token {}"]
)
async def test_token_in_the_first_line(server: Running, token: str, hello: str) -> None:
    client = await dial(server)
    client.say(hello.format(token), "isready")
    assert await client.hear() == "readyok"
    assert accounts(server) == [Account("alice")]
    client.writer.close()


async def test_where_no_token_is_wanted_all_are_one_account(app: Running) -> None:
    async with app.tcp() as client:
        client.say("isready")
        assert await client.hear() == "readyok"
        assert accounts(app) == [LOCAL]


async def test_on_a_network_who_is_not_asked_is_anybody(config: Config) -> None:
    server = replace(config.server, host="0.0.0.0")
    async with Running(replace(config, server=server, insecure=True)) as app, app.tcp() as client:
        client.say("isready")
        assert await client.hear() == "readyok"
        assert accounts(app) == [ANYBODY]


# --- without one


async def test_no_token_is_unauthorized(server: Running) -> None:
    response = await refused(server)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="rookery"'
    assert response.body == (b"unauthorized: this server wants a token: ask its operator for one\n")
    for line in ("uci", "rookery engine polite"):
        assert code_of(await refused_line(server, line)) is Code.UNAUTHORIZED


@pytest.mark.parametrize("strange", STRANGE)
async def test_wrong_token_is_unauthorized(server: Running, strange: str) -> None:
    if strange.isprintable():
        headers = {"Authorization": f"Bearer {strange}".encode().decode("latin-1")}
        assert (await refused(server, additional_headers=headers)).status_code == 401
    if strange.isascii() and strange.isprintable() and strange:
        offered = ["uci", f"rookery.token.{strange}"]
        assert (await refused(server, subprotocols=offered)).status_code == 401
    if strange:
        assert code_of(await refused_line(server, f"rookery token {strange}")) is Code.UNAUTHORIZED


async def test_what_is_no_text_is_no_token(server: Running) -> None:
    for strange in (b"rookery token \0\xff\n", b"\0x\n", b"rookery token \xc3\n"):
        client = await dial(server)
        client.writer.write(strange)
        assert code_of(await client.hear()) is Code.UNAUTHORIZED
        assert await client.hear() == ""
        client.writer.close()


async def test_other_scheme_and_two_headers_are_unauthorized(server: Running, token: str) -> None:
    basic = {"Authorization": f"Basic {token}"}
    assert (await refused(server, additional_headers=basic)).status_code == 401
    two = [("Authorization", f"Bearer {token}")] * 2
    assert (await refused(server, additional_headers=two)).status_code == 401


async def test_unknown_engine_is_not_told_to_strangers(server: Running) -> None:
    assert (await refused(server, "nobody")).status_code == 401
    assert code_of(await refused_line(server, "rookery engine nobody")) is Code.UNAUTHORIZED


async def test_expired_token_is_unauthorized(server: Running, tokens: Path) -> None:
    old = add_token(tokens, "old", expires=datetime.now(UTC) - timedelta(seconds=1))
    server.reload()
    assert (await refused(server, additional_headers=bearer(old))).status_code == 401


@pytest.mark.parametrize("query", ["token={}", "access_token={}", "x={}"])
async def test_token_in_a_url_is_refused_and_says_why(
    server: Running, token: str, query: str
) -> None:
    response = await refused(server, "polite?" + query.format(token))
    assert response.status_code == 400
    assert response.body.startswith(b"token-in-url: a token does not belong in a URL")


async def test_after_20_failures_one_address_has_to_wait(server: Running, token: str) -> None:
    statuses = []
    for _ in range(20):
        response = await refused(server, source="127.0.0.2", additional_headers=bearer(WRONG))
        statuses.append(response.status_code)
    assert statuses == [401] * 6 + [429] * 14
    assert int(response.headers["Retry-After"]) in (1, 2)
    assert re.match(rb"too-many-tries: .*; wait [12] s\n", response.body)
    notice = await refused_line(server, f"rookery token {WRONG}", source="127.0.0.2")
    assert code_of(notice) is Code.TOO_MANY_TRIES
    # A good token is served meanwhile: its owner may have a neighbour who guesses.
    for source in ("127.0.0.2", "127.0.0.1"):
        async with server.websocket(
            "polite", local_addr=(source, 0), additional_headers=bearer(token)
        ) as client:
            await client.send("isready")
            await hear_until(client, "readyok")
        line = await dial(server, source)
        line.say(f"rookery token {token}", "isready")
        assert await line.hear() == "readyok"
        line.writer.close()


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
async def test_who_has_to_wait_does_so_by_a_clock_that_nobody_sets(
    server: Running, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    """Else a clock that is put right locks the address out, or lets who guesses go on."""
    for _ in range(8):
        await refused(server, source="127.0.0.2", additional_headers=bearer(WRONG))
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + jump)
    response = await refused(server, source="127.0.0.2", additional_headers=bearer(WRONG))
    assert response.status_code == 429
    assert int(response.headers["Retry-After"]) in (1, 2)


async def test_20_failures_over_tcp_count_too(server: Running) -> None:
    codes = [
        code_of(await refused_line(server, f"rookery token {WRONG}", source="127.0.0.2"))
        for _ in range(20)
    ]
    assert codes == [Code.UNAUTHORIZED] * 6 + [Code.TOO_MANY_TRIES] * 14


async def test_behind_a_proxy_it_is_the_client_who_has_to_wait(server: Running, token: str) -> None:
    for _ in range(20):
        headers = bearer(WRONG) | {"X-Forwarded-For": "10.9.9.9, 203.0.113.1"}
        response = await refused(server, source="127.0.0.3", additional_headers=headers)
    assert response.status_code == 429
    # One who only claims to come through a proxy is counted himself.
    for _ in range(20):
        headers = bearer(WRONG) | {"X-Forwarded-For": "203.0.113.2"}
        response = await refused(server, source="127.0.0.2", additional_headers=headers)
    assert response.status_code == 429
    for source, client in (("127.0.0.3", "203.0.113.2"), ("127.0.0.3", "203.0.113.1")):
        headers = bearer(WRONG) | {"X-Forwarded-For": client}
        response = await refused(server, source=source, additional_headers=headers)
        assert response.status_code == (429 if client == "203.0.113.1" else 401)
    # Who comes without a header is the proxy's affair.
    for _ in range(20):
        response = await refused(server, source="127.0.0.3", additional_headers=bearer(WRONG))
    assert response.status_code == 401


# --- pages and names


@pytest.mark.parametrize(
    "origin",
    ["null", "https://evil.example", "https://club.example.evil.example", "https://club.exampl",
     "https://club.example@evil.example", "http://127.0.0.1.evil.example", "http://localhost@evil"],
)  # fmt: skip
async def test_strange_page_is_refused_even_with_a_token(
    closed: Config, token: str, origin: str
) -> None:
    server = replace(closed.server, origins=("https://club.example",))
    async with Running(replace(closed, server=server)) as app:
        response = await refused(app, origin=origin, additional_headers=bearer(token))
        assert response.status_code == 403
        assert response.body.startswith(b"wrong-origin: pages of '")
        async with app.websocket(
            "polite", origin="https://club.example", additional_headers=bearer(token)
        ) as client:
            await client.send("isready")
            await hear_until(client, "readyok")


async def ask(app: Running, *fields: str, target: str = "/") -> str:
    """Return the status line of the answer to a request with these header fields."""
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    writer.write("\r\n".join((f"GET {target} HTTP/1.1", *fields, "", "")).encode())
    async with asyncio.timeout(TIMEOUT):
        line = (await reader.readline()).decode()
    writer.close()
    return line


async def test_name_of_an_attackers_that_leads_here_is_refused(app: Running) -> None:
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
               "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")  # fmt: skip
    for fields in (("Host: evil.example",), ("Host: evil.example:8080",), ("Host:",)):
        assert " 421 " in await ask(app, *fields)
        assert " 421 " in await ask(app, *fields, *upgrade, target="/engines/polite")
    assert app.engine_pids() == []
    assert " 101 " in await ask(app, "Host: localhost:1", *upgrade, target="/engines/polite")
    for host in ("localhost", "127.0.0.1:8080", "[::1]"):
        assert " 200 " in await ask(app, f"Host: {host}")
    assert " 200 " in await ask(app, "Host: 10.1.2.3", target="/healthz")


async def test_names_that_are_set_are_known(config: Config) -> None:
    server = replace(config.server, hosts=("rook.test",))
    async with Running(replace(config, server=server)) as app:
        assert " 200 " in await ask(app, "Host: rook.test:8080")
        assert " 421 " in await ask(app, "Host: rook.test.evil.example")


# --- before it is known who it is


async def test_strangers_may_send_8_kib(server: Running) -> None:
    for flood in (b"x" * 9000, b"rookery token " + b"x" * 1_000_000 + b"\n"):
        client = await dial(server)
        client.writer.write(flood)
        assert code_of(await client.hear()) is Code.LINE_TOO_LONG
        client.writer.close()
    long = {f"X-{number}": "x" * 1000 for number in range(9)}
    assert (await refused(server, additional_headers=long)).status_code == 431
    assert (await refused(server, additional_headers=bearer("x" * 9000))).status_code == 431


async def test_who_says_nothing_is_dropped(closed: Config) -> None:
    server = replace(closed.server, handshake_timeout=0.3)
    async with Running(replace(closed, server=server)) as app:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        silent = [await dial(app) for _ in range(20)]
        half = await asyncio.open_connection("127.0.0.1", app.port)
        half[1].write(b"GET /engines/polite HTTP/1.1\r\nHost: localhost\r\n")
        for client in silent:
            assert code_of(await client.hear()) is Code.TOO_SLOW
            assert await client.hear() == ""
            client.writer.close()
        async with asyncio.timeout(TIMEOUT):
            assert await half[0].read() == b""
        half[1].close()
        assert loop.time() - begun < 5


async def test_who_has_come_in_may_be_silent(closed: Config, token: str) -> None:
    server = replace(closed.server, handshake_timeout=0.2)
    async with Running(replace(closed, server=server)) as app:
        client, stranger = await dial(app), await dial(app)
        client.say(f"rookery token {token}")
        assert code_of(await stranger.hear()) is Code.TOO_SLOW
        client.say("isready")
        assert await client.hear() == "readyok"
        client.writer.close()
        stranger.writer.close()


async def test_where_nobody_is_asked_a_program_of_this_machine_may_be_silent(
    config: Config,
) -> None:
    """A person who types into `nc` thinks first; but there may be only so many of them."""
    server = replace(config.server, handshake_timeout=0.05)
    limits = ConnectionConfig(total=3, unauthenticated=1)
    async with Running(replace(config, server=server, connections=limits)) as app:
        clients = [await dial(app) for _ in range(3)]
        await asyncio.sleep(0.5)  # ten times as long as others have
        for client in clients:
            client.say("isready")
            assert await client.hear() == "readyok"
        assert code_of(await (await dial(app)).hear()) is Code.TOO_MANY_CONNECTIONS
        for client in clients:
            client.writer.close()


async def test_newcomer_that_has_to_go_itself_is_refused(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of another network goes first: then that one has as few, and for less long."""
    monkeypatch.setattr("ipaddress.IPv4Address.is_loopback", False)
    address = ("127.0.0.1", app.port)
    with (
        socket.create_connection(address, source_address=("127.0.0.2", 0)),
        socket.create_connection(address, source_address=("127.0.0.2", 0)),
    ):
        await until(lambda: len(app._policy.admission) == 2)
        app._policy.admission.config = ConnectionConfig(total=1)
        status, text = await get(app, "/", source="127.0.1.2")
        assert (status, text[:21]) == (503, "too-many-connections:")
    await until(lambda: not app._policy.connection_count)


async def test_proxy_of_this_machine_may_not_be_silent(config: Config) -> None:
    proxies = network_list("k", ["127.0.0.0/8"])
    server = replace(config.server, handshake_timeout=0.2, trusted_proxies=proxies)
    async with Running(replace(config, server=server, insecure=True)) as app:
        client = await dial(app)
        assert code_of(await client.hear()) is Code.TOO_SLOW
        client.writer.close()


@pytest.mark.parametrize(
    "request_",
    [
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1:8081\r\nOrigin: https://evil.example\r\n\r\n",
        b"GET /x?y HTTP/1.0\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n",
    ],
)
async def test_web_page_cannot_have_a_browser_speak_uci(app: Running, request_: bytes) -> None:
    client = await dial(app)
    client.writer.write(request_ + b"isready\ngo infinite\n")
    assert code_of(await client.hear()) is Code.WRONG_PROTOCOL
    assert await client.hear() == ""
    assert not app.host.actors
    client.writer.close()


async def test_notice_is_heard_even_by_who_goes_on_talking(server: Running) -> None:
    client = await dial(server)
    client.writer.transport.pause_reading()
    client.say("rookery token x")
    descriptor = os.dup(client.writer.get_extra_info("socket").fileno())
    with socket.socket(fileno=descriptor) as peeping:
        await until(lambda: readable(peeping))
        for _ in range(10):
            client.say("isready")
            await asyncio.sleep(0.01)  # so that a reset would have come
    client.writer.transport.resume_reading()
    assert code_of(await client.hear()) is Code.UNAUTHORIZED
    assert await client.hear() == ""
    client.writer.close()


def readable(client: socket.socket) -> bool:
    """Say whether something has come, without taking it."""
    try:
        return bool(client.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
    except BlockingIOError:
        return False


# --- what an engine sees of it


async def test_engine_sees_neither_token_nor_socket(
    server: Running, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOKERY_TOKEN", token)
    idle = socket.create_connection(("127.0.0.1", server.port))
    async with server.websocket("polite", additional_headers=bearer(token)) as client:
        await client.send("isready")
        await hear_until(client, "readyok")
        (pid,) = server.engine_pids()
        process = Path(f"/proc/{pid}")
        secret = token.split("_", 2)[2].encode()
        assert secret not in (process / "environ").read_bytes()
        assert b"ROOKERY_TOKEN" not in (process / "environ").read_bytes()
        assert secret not in (process / "cmdline").read_bytes()
        descriptors = {int(file.name): file.readlink().name for file in (process / "fd").iterdir()}
        assert sorted(descriptors) == [0, 1, 2]
        assert not any(name.startswith("socket:") for name in descriptors.values())
    idle.close()


async def test_one_who_may_only_watch_does_not_keep_others_out(server: Running) -> None:
    now = asyncio.get_running_loop().time()
    for number in range(200):
        visitor = TcpClient(server._policy, server.routes.open_session, patience=1.0)
        server._policy.admission.add(visitor, f"203.0.113.{number}", now)
        server._policy.admit_session(visitor, VISITOR)
        server._policy.disconnect(visitor)
