"""Strangers that take all the places keep nobody out who shows a token, or comes back."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trustme
from helpers.certificates import certificate
from helpers.support import TIMEOUT, Lines, Running, bearer, code_of, dial, get, hear_until, until
from websockets.exceptions import InvalidStatus

from rookery_protocol.hello import Hello
from rookery_protocol.notices import Code
from rookery_server.config.addresses import network_list
from rookery_server.config.config import Config
from rookery_server.config.sections import BrokerConfig, ConnectionConfig, MetricsConfig

ADDRESSES = [f"127.0.{number}.2" for number in range(1, 9)]
EACH = 12  # connections of an address: in all, four times as many as may log in
LIMITS = ConnectionConfig(unauthenticated=24)
PORTS = ("port", "tcp_port", "broker_port", "metrics_port")


@pytest.fixture
def besieged(closed: Config, tmp_path: Path) -> Config:
    """Return the configuration of a server that waits for logins for longer than a test."""
    server = replace(closed.server, handshake_timeout=3 * TIMEOUT)
    return replace(
        closed,
        engines=closed.engines[:1],
        server=server,
        connections=LIMITS,
        metrics=MetricsConfig(port=0),
        broker=BrokerConfig(port=0, file=tmp_path / "broker.json"),
    )


@asynccontextmanager
async def silence(app: Running, *ports: int | None, said: bytes = b"") -> AsyncIterator[None]:
    """Hold connections from many addresses, and open a new one for each that is closed."""
    begun = 0

    async def hold(source: str, port: int | None) -> None:
        nonlocal begun
        while True:
            with suppress(OSError):
                _, writer = connected = await asyncio.open_connection(
                    "127.0.0.1", port, local_addr=(source, 0)
                )
                writer.write(said)
                begun += 1
                try:
                    await connected[0].read()
                finally:
                    writer.transport.abort()

    async with asyncio.TaskGroup() as tasks:
        holding = [
            tasks.create_task(hold(source, port), name="hold")
            for source in ADDRESSES
            for port in ports
            for _ in range(EACH)
        ]
        await until(lambda: begun > len(holding))
        try:
            yield
        finally:
            for task in holding:
                task.cancel()


async def begin(app: Running, token: str, trust: ssl.SSLContext | None, source: str) -> str:
    """Begin a session over TCP and lose the connection; return the pass to the session."""
    client = Lines(
        *await asyncio.open_connection("127.0.0.1", app.tcp_port, ssl=trust, local_addr=(source, 0))
    )
    client.say(f"rookery token {token} session new")
    hello = Hello.parse((await client.hear()).encode())
    assert hello
    assert hello.session
    client.writer.transport.abort()
    return hello.session


async def come_back(app: Running, token: str, trust: ssl.SSLContext | None, session: str) -> None:
    """Come back to a session over WebSocket."""
    async with app.websocket("polite", ssl=trust, additional_headers=bearer(token)) as client:
        await client.send(f"rookery session {session} heard 0")
        assert (await hear_until(client, "rookery session "))[-1]
        await client.send("isready")
        await hear_until(client, "readyok")
        await client.send("quit")


async def turned_out(app: Running) -> float:
    """Return how many connections were turned out, as the operator hears it."""
    _, numbers = await get(app, "/metrics", app.metrics_port)
    name = "rookery_connections_turned_out_total "
    (value,) = [each.split()[1] for each in numbers.splitlines() if each.startswith(name)]
    return float(value)


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: loc", b"rookery tok"])
async def test_silent_crowd_keeps_nobody_out_who_shows_a_token(
    besieged: Config, token: str, said: bytes
) -> None:
    async with Running(besieged) as app, silence(app, app.port, app.tcp_port, said=said):
        for source in ("127.0.0.1", ADDRESSES[0]):
            for _ in range(2):
                session = await begin(app, token, None, source)
                await come_back(app, token, None, session)
        assert (await get(app, "/"))[0] == 200
        assert app._policy.refusals[Code.UNAUTHORIZED] == 0


async def test_crowd_within_the_handshake_keeps_nobody_out_either(
    besieged: Config, token: str, tmp_path: Path
) -> None:
    authority, trust = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(trust)
    tls = certificate(tmp_path / "tls", authority, "127.0.0.1")
    async with Running(replace(besieged, tls=tls)) as app, silence(app, app.port, app.tcp_port):
        for source in ("127.0.0.1", ADDRESSES[0]):
            for _ in range(3):
                session = await begin(app, token, trust, source)
                await come_back(app, token, trust, session)


@pytest.mark.parametrize("port", PORTS)
async def test_crowd_at_any_port_is_bounded_and_keeps_nobody_out_of_the_others(
    besieged: Config, token: str, port: str
) -> None:
    async with Running(besieged) as app, silence(app, getattr(app, port)):
        session = await begin(app, token, None, "127.0.0.1")
        await come_back(app, token, None, session)
        assert await turned_out(app) > 0
        fields = bearer(token) | {"Connection": "close"}
        assert (await get(app, "/api/external-engine", app.broker_port, **fields))[0] == 200


async def test_a_full_house_of_silent_ones_has_room_for_whoever_comes(
    besieged: Config, token: str
) -> None:
    """As where descriptors are scarce: not only those who log in, but all places are taken."""
    limits = ConnectionConfig(total=24)
    async with Running(replace(besieged, connections=limits)) as app, silence(app, app.tcp_port):
        assert len(app._policy.admission) <= 24
        session = await begin(app, token, None, "127.0.0.1")
        await come_back(app, token, None, session)


async def test_crowd_behind_a_proxy_that_passes_lines_on_is_bounded_too(
    besieged: Config, token: str
) -> None:
    server = replace(besieged.server, trusted_proxies=network_list("k", ["127.0.0.0/8"]))
    async with Running(replace(besieged, server=server)) as app, silence(app, app.tcp_port):
        session = await begin(app, token, None, "127.0.0.1")
        await come_back(app, token, None, session)


async def test_crowd_is_told_and_so_is_the_operator(
    besieged: Config, caplog: pytest.LogCaptureFixture
) -> None:
    async with Running(besieged) as app:
        assert await get(app, "/readyz") == (200, "ready\n")
        line, page = [
            Lines(*await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.9.1", 0)))
            for port in (app.tcp_port, app.port)
        ]
        async with silence(app, app.tcp_port):
            status, text = await get(app, "/readyz")
            assert (status, text.splitlines()[0]) == (200, "ready")
            assert text.splitlines()[1].startswith("crowded: ")
            assert await turned_out(app) > 0
        line.writer.close()
        page.writer.close()
    said = [each for each in caplog.messages if "too many clients are logging in" in each]
    assert len(said) == 1  # a minute


@pytest.mark.parametrize("is_web", [True, False])
async def test_the_oldest_of_a_network_hears_why_it_goes(besieged: Config, is_web: bool) -> None:
    async with Running(besieged) as app:
        port = app.port if is_web else app.tcp_port
        crowd = [
            Lines(*await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.9.1", 0)))
            for _ in range(7)  # a quarter of 24 is 6
        ]
        async with asyncio.timeout(TIMEOUT):
            heard = (await crowd[0].reader.read()).decode()
        if is_web:
            assert heard.startswith("HTTP/1.1 503 ")
            assert "\r\nRetry-After: 1\r\n" in heard
            heard = heard.partition("\r\n\r\n")[2]
            assert heard.startswith("too-many-connections: ")
        else:
            assert code_of(heard.rstrip("\n")) is Code.TOO_MANY_CONNECTIONS
        assert heard.endswith("connect again, and log in at once\n")
        await until(lambda: app._policy.connection_count == 6)
        for each in crowd:
            each.writer.close()


async def test_whoever_is_known_is_not_turned_out(besieged: Config, token: str) -> None:
    async with Running(besieged) as app:
        known = [
            await app.websocket("polite", additional_headers=bearer(token), local_addr=(source, 0))
            for source in ADDRESSES[:2]
        ]
        async with silence(app, app.port, app.tcp_port):
            for client in known:
                await client.send("isready")
                await hear_until(client, "readyok")
                await client.close()


async def test_those_who_watch_without_a_token_leave_half_of_the_places(
    besieged: Config, token: str
) -> None:
    server = replace(besieged.server, watch_without_token=True)
    config = replace(besieged, server=server, connections=ConnectionConfig(total=8))
    async with Running(config) as app:
        owner = await dial(app)
        owner.say(f"rookery token {token} session new room open")
        await owner.hear_until("rookery room open")
        watching = [await app.websocket("polite") for _ in range(4)]
        with pytest.raises(InvalidStatus) as caught:
            await app.websocket("polite")
        assert b"4 clients watch" in caught.value.response.body
        for _ in range(3):
            line = await dial(app)
            line.say(f"rookery token {token}", "isready")
            assert await line.hear() == "readyok"
        for client in watching:
            await client.close()
