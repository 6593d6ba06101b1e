"""Connections that are kept: the next request, which may be for a WebSocket, or never come."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import trustme
from helpers.certificates import certificate
from helpers.support import TIMEOUT, Running, bearer, until
from websockets.frames import Frame, Opcode

from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.config.addresses import network_list
from rookery_server.config.config import Config
from rookery_server.config.sections import BrokerConfig, ConnectionConfig, MetricsConfig
from rookery_server.http.assets import Asset
from rookery_server.transport import http_connection

LONG = 3600.0
LOCALHOST = {"Host": "localhost"}
UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec-WebSocket-Version": "13",
}


def asking(path: str = "/healthz", method: str = "GET", **fields: str) -> bytes:
    headers = {**LOCALHOST, **{name.replace("_", "-"): value for name, value in fields.items()}}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in headers.items())]
    return "\r\n".join((*lines, "", "")).encode()


def upgrading(path: str = "/engines/polite", **fields: str) -> bytes:
    return asking(path, **{**UPGRADE, **fields})


def line(text: str) -> bytes:
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=True)


@dataclass
class Kept:
    """A connection that is kept from one request to the next."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def send_bytes(self, *pieces: bytes) -> None:
        self.writer.write(b"".join(pieces))

    async def next_answer(self, *, has_body: bool = True) -> tuple[int, str]:
        """Return status and body of the next answer."""
        async with asyncio.timeout(TIMEOUT):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
            fields = dict(each.lower().split(": ", 1) for each in head.split("\r\n")[1:-2])
            size = int(fields.get("content-length", 0)) if has_body else 0
            body = (await self.reader.readexactly(size)).decode()
        return int(head.split()[1]), body

    async def answer_to(self, path: str = "/healthz", **fields: str) -> tuple[int, str]:
        self.send_bytes(asking(path, **fields))
        return await self.next_answer()

    async def hear_line(self) -> str:
        """Return the next line of a WebSocket."""
        async with asyncio.timeout(TIMEOUT):
            first, size = await self.reader.readexactly(2)
            assert first == 0x81
            return (await self.reader.readexactly(size)).decode()

    async def rest(self) -> bytes:
        """Return what comes until the server closes."""
        async with asyncio.timeout(TIMEOUT):
            return await self.reader.read()


@asynccontextmanager
async def kept(
    app: Running,
    port: int | None = None,
    source: str = "127.0.0.1",
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[Kept]:
    connection = Kept(
        *await asyncio.open_connection(
            "127.0.0.1", port or app.port, local_addr=(source, 0), ssl=tls
        )
    )
    try:
        yield connection
    finally:
        connection.writer.close()


async def see_session(connection: Kept) -> None:
    """See that a WebSocket has a session at its other end."""
    connection.send_bytes(line("isready"))
    assert await connection.hear_line() == "readyok"


async def test_one_connection_has_many_requests(app: Running) -> None:
    async with kept(app) as connection:
        for path, status in (("/healthz", 200), ("/no", 404), ("/", 200), ("/engines/polite", 426)):
            assert (await connection.answer_to(path))[0] == status
        connection.send_bytes(asking(method="HEAD"))
        assert await connection.next_answer(has_body=False) == (200, "")
        assert (await connection.answer_to()) == (200, "ok\n")
        assert app._policy.connection_count == 1
    await until(lambda: not app._policy.connection_count)


async def test_requests_that_come_together_are_answered_in_order(app: Running) -> None:
    paths = ["/healthz", "/no", "/readyz"] * 50
    async with kept(app) as connection:
        connection.send_bytes(*map(asking, paths))
        answers = [await connection.next_answer() for _ in paths]
    assert [status for status, _ in answers] == [200, 404, 200] * 50
    assert answers[2][1] == "ready\n"


async def test_requests_that_come_byte_by_byte_are_answered(app: Running) -> None:
    async with kept(app) as connection:
        for _ in range(3):
            for byte in asking():
                connection.send_bytes(bytes([byte]))
                await asyncio.sleep(0)
            assert await connection.next_answer() == (200, "ok\n")


@pytest.mark.parametrize("way", ["alone", "with lines", "behind another", "byte by byte"])
async def test_later_request_may_be_for_a_websocket(app: Running, way: str) -> None:
    """HAProxy, nginx and Caddy use a connection for whichever request comes next."""
    async with kept(app) as connection:
        assert await connection.answer_to() == (200, "ok\n")
        if way == "alone":
            connection.send_bytes(upgrading())
        elif way == "with lines":
            connection.send_bytes(upgrading(), line("uci"), line("isready"))
        elif way == "behind another":
            connection.send_bytes(asking(), asking("/readyz"), upgrading(), line("uci"))
            assert await connection.next_answer() == (200, "ok\n")
            assert await connection.next_answer() == (200, "ready\n")
        else:
            for byte in upgrading():
                connection.send_bytes(bytes([byte]))
                await asyncio.sleep(0)
        assert await connection.next_answer() == (101, "")
        if way in ("with lines", "behind another"):
            assert await connection.hear_line() == "id name Odd"
            assert await connection.hear_line() == "uciok"
        if way == "with lines":
            assert await connection.hear_line() == "readyok"
        await see_session(connection)
        assert app._policy.connection_count == 1
        assert len(app.host.actors) == 1
        connection.send_bytes(line("quit"))
        await connection.rest()
    await until(lambda: not app._policy.connection_count)
    await until(lambda: not app.host.actors)


async def test_websocket_of_a_kept_connection_ends_with_it(app: Running) -> None:
    async with kept(app) as connection:
        await connection.answer_to()
        connection.send_bytes(upgrading())
        await connection.next_answer()
        await see_session(connection)
        connection.writer.transport.abort()
        await until(lambda: not app._policy.connection_count)
        await until(lambda: not app.host.actors)


async def test_websocket_of_a_kept_connection_is_told_of_the_end(config: Config) -> None:
    async with Running(config) as app, kept(app) as connection:
        await connection.answer_to()
        connection.send_bytes(upgrading())
        await connection.next_answer()
        await see_session(connection)
        await app.__aexit__()
        assert b"\x88" in await connection.rest()
        await app.__aenter__()


@pytest.mark.parametrize(
    ("fields", "path", "status"),
    [
        ({"Origin": "https://evil.example"}, "/engines/polite", 403),
        ({}, "/engines/nobody", 404),
        ({}, "/nothing", 404),
        ({"Host": "evil.example"}, "/engines/polite", 421),
        ({"Sec-WebSocket-Version": "12"}, "/engines/polite", 426),
        ({"Sec-WebSocket-Key": "x"}, "/engines/polite", 400),
        ({"Connection": "keep-alive"}, "/engines/polite", 426),
        ({"Upgrade": "h2c"}, "/engines/polite", 426),
        ({"Via": "1.1 x"}, "/admin/orders", 401),
    ],
)
async def test_later_request_for_a_websocket_is_checked_as_a_first_one_is(
    app: Running, fields: dict[str, str], path: str, status: int
) -> None:
    for before in (0, 1):
        async with kept(app) as connection:
            for _ in range(before):
                await connection.answer_to()
            connection.send_bytes(upgrading(path, **fields))
            assert (await connection.next_answer())[0] == status
    await until(lambda: not app._policy.connection_count)
    assert not app.host.actors


async def test_websocket_is_a_member_by_its_own_token(server: Running, token: str) -> None:
    async with kept(server) as connection:
        assert (await connection.answer_to("/engines/polite"))[0] == 401
        connection.send_bytes(upgrading(**bearer(token)))
        assert (await connection.next_answer())[0] == 101
        await see_session(connection)
        assert [each.account for each in server.host.actors] == [Account("alice")]
        assert not server._policy.admission.strangers
    async with kept(server) as connection:
        assert (await connection.answer_to("/engines/polite", **bearer(token)))[0] == 426
        connection.send_bytes(upgrading())
        assert (await connection.next_answer())[0] == 401


@pytest.mark.parametrize("port", ["metrics_port", "broker_port"])
async def test_other_ports_have_no_websockets(config: Config, tmp_path: Path, port: str) -> None:
    broker = BrokerConfig(port=0, file=tmp_path / "broker.json")
    config = replace(config, metrics=MetricsConfig(port=0), broker=broker)
    async with Running(config) as app:
        for before in (0, 1):
            async with kept(app, getattr(app, port)) as connection:
                for _ in range(before):
                    await connection.answer_to("/nothing")
                connection.send_bytes(upgrading(), asking("/nothing"))
                assert (await connection.next_answer())[0] == 404
                assert (await connection.next_answer())[0] == 404


async def test_over_tls_too(config: Config, tmp_path: Path) -> None:
    authority, trust = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(trust)
    tls = certificate(tmp_path / "tls", authority, "127.0.0.1")
    async with Running(replace(config, tls=tls)) as app, kept(app, tls=trust) as connection:
        for _ in range(2):
            assert await connection.answer_to() == (200, "ok\n")
        connection.send_bytes(upgrading(), line("uci"))
        assert (await connection.next_answer())[0] == 101
        assert await connection.hear_line() == "id name Odd"
        assert await connection.hear_line() == "uciok"
        await see_session(connection)


# --- bounds


async def test_next_request_has_to_come_within_the_time_for_one(config: Config) -> None:
    server = replace(config.server, handshake_timeout=0.3)
    async with Running(replace(config, server=server)) as app, kept(app) as connection:
        await connection.answer_to()
        for byte in asking()[:-2]:
            connection.send_bytes(bytes([byte]))
            await asyncio.sleep(0)
        assert await connection.rest() == b""
        assert app._policy.refusals[Code.TOO_SLOW] == 1
        await until(lambda: not app._policy.connection_count)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (asking(X=9000 * "x"), 400),
        (asking(**{f"X{number}": 1000 * "x" for number in range(9)}), 431),
        (asking(**{f"X{number}": "x" for number in range(200)}), 400),
        (asking()[:-2] + 9 * (b"X: " + 1000 * b"x" + b"\r\n"), 431),
        (asking().replace(b"\r\n", b"\n"), 400),
        (asking().replace(b"GET", b"get"), 400),
        (asking().replace(b"Host", b"Host "), 400),
        (asking().replace(b"Host", b"Most"), 400),
        (asking(path="/\x7f"), 400),
        (asking().replace(b"localhost", b"localhost\r\nHost: localhost"), 400),
        (b"nonsense\r\n\r\n", 400),
    ],
)
async def test_next_request_has_the_bounds_of_the_first(
    app: Running, head: bytes, status: int
) -> None:
    async with kept(app) as connection:
        await connection.answer_to()
        parts = [head[at : at + 1000] for at in range(0, len(head), 1000)]
        for part in parts:
            connection.send_bytes(part)
            await asyncio.sleep(0.01)
        assert (await connection.next_answer())[0] == status
        assert await connection.rest() == b""
    await until(lambda: not app._policy.connection_count)


async def test_connection_without_a_request_ends_sooner_if_it_is_a_strangers(
    server: Running, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, "KEPT_STRANGER", 0.1)
    async with kept(server) as stranger, kept(server) as member:
        assert (await member.answer_to("/engines/polite", **bearer(token)))[0] == 426
        assert (await stranger.answer_to("/"))[0] == 200
        assert await stranger.rest() == b""
        assert (await member.answer_to())[0] == 200
        monkeypatch.setattr(http_connection, "KEPT", 0.1)
        assert (await member.answer_to())[0] == 200
        assert await member.rest() == b""


async def test_idle_connection_makes_room_and_nobody_is_alarmed(config: Config) -> None:
    async with (
        Running(replace(config, connections=ConnectionConfig(unauthenticated=2))) as app,
        kept(app) as first,
        kept(app) as second,
        kept(app) as third,
    ):
        for each in (first, second, third):
            assert (await each.answer_to())[0] == 200
        assert await first.rest() == b""
        assert (await third.answer_to("/readyz")) == (200, "ready\n")
        assert app._policy.evictor.evicted == 0
        assert not app._policy.evictor.is_busy


async def test_connection_of_a_proxy_is_no_clients_between_two_requests(
    closed: Config, token: str
) -> None:
    """Else what one client may have is used up by the pool of the proxy."""
    limits = ConnectionConfig(per_address=1)
    proxy, first, second = "127.0.0.3", "203.0.113.1", "203.0.113.2"
    async with (
        Running(replace(closed, connections=limits)) as app,
        kept(app, source=proxy) as one,
        kept(app, source=proxy) as two,
    ):
        for each in (one, two, one):
            fields = bearer(token) | {"X-Forwarded-For": first}
            assert (await each.answer_to("/engines/polite", **fields))[0] == 426
            assert not app._policy.admission._members
        one.send_bytes(upgrading(**bearer(token), X_Forwarded_For=second))
        assert (await one.next_answer())[0] == 101
        await see_session(one)
        (actor,) = app.host.actors
        assert actor.client
        assert actor.client.address == second
        assert app._policy.connection_count == 2


async def test_proxy_may_keep_connections_for_longer(
    closed: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, "KEPT_STRANGER", 0.1)
    monkeypatch.setattr(http_connection, "KEPT", 0.1)
    proxies = network_list("k", ["127.0.0.3"])
    server = replace(closed.server, trusted_proxies=proxies)
    async with (
        Running(replace(closed, server=server)) as app,
        kept(app, source="127.0.0.3") as proxy,
        kept(app) as other,
    ):
        assert (await proxy.answer_to())[0] == (await other.answer_to())[0] == 200
        assert await other.rest() == b""
        assert (await proxy.answer_to())[0] == 200


@pytest.mark.parametrize("fields", [{}, {"Connection": "close"}])
async def test_client_that_does_not_read_a_page_is_left_in_time(
    app: Running, monkeypatch: pytest.MonkeyPatch, fields: dict[str, str]
) -> None:
    monkeypatch.setattr(http_connection, "KEPT", 0.1)
    monkeypatch.setattr(http_connection, "KEPT_STRANGER", 0.1)
    monkeypatch.setattr(http_connection, "LINGER", 0.1)
    monkeypatch.setattr(http_connection, "FAREWELL", 0.3)
    large = Asset("text/plain", "x", "default-src 'none'", {"": b"x" * 50_000_000})
    monkeypatch.setitem(app.web.assets._files, "/large", large)
    async with kept(app) as connection:
        connection.writer.transport.pause_reading()
        connection.send_bytes(asking("/large", **fields))
        await until(lambda: app._policy.connection_count)
        await until(lambda: not app._policy.connection_count)
