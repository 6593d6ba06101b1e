"""More connections than there may be, over real sockets: each is answered, and others go on."""

import asyncio
import ssl
from dataclasses import replace
from pathlib import Path

import pytest
import trustme
from helpers.support import (
    TIMEOUT,
    Lines,
    Running,
    add_token,
    code_of,
    hear_until,
    request_for,
    until,
)
from websockets.exceptions import InvalidStatus

from rookery_protocol.notices import Code
from rookery_server.config.addresses import network_list
from rookery_server.config.config import Config
from rookery_server.config.sections import ConnectionConfig, TlsConfig
from rookery_server.transport import connection_policy

REQUEST = request_for("/engines/polite")


async def dial(app: Running, port: int | None, source: str = "127.0.0.1") -> Lines:
    return Lines(*await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0)))


async def asked(app: Running, request: bytes = REQUEST) -> str:
    """Return the whole answer to a request."""
    client = await dial(app, app.port)
    client.writer.write(request)
    async with asyncio.timeout(TIMEOUT):
        answer = (await client.reader.read()).decode()
    client.writer.close()
    return answer


async def until_left(app: Running, left: int = 0) -> None:
    await until(lambda: len(app._policy.admission) <= left and (not app._policy._lingering))


@pytest.mark.parametrize("crowd", [1000, 0])
async def test_flood_is_answered_and_others_go_on(
    config: Config, crowd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not crowd:  # as where descriptors are scarce
        monkeypatch.setattr(connection_policy.ConnectionPolicy, "reject", lambda *_: False)
    async with Running(replace(config, connections=ConnectionConfig(total=2))) as app:
        async with app.websocket("polite") as client, app.tcp() as line:
            line.say("isready")
            assert await line.hear() == "readyok"
            lines = [await dial(app, app.tcp_port) for _ in range(100)]
            answers = [await asked(app) for _ in range(100)]
            for each in lines:
                assert code_of(await each.hear()) is Code.TOO_MANY_CONNECTIONS
                assert await each.hear() == ""
                each.writer.close()
            for answer in answers:
                assert answer.startswith("HTTP/1.1 503 ")
                assert "\r\nRetry-After: 5\r\n" in answer
                assert answer.endswith(
                    "too-many-connections: there are 2 connections: connect again later\n"
                )
            with pytest.raises(InvalidStatus) as caught:
                await app.websocket("polite")
            assert caught.value.response.status_code == 503
            await client.send("isready")
            assert await hear_until(client, "readyok") == ["readyok"]
        await until_left(app)
        async with app.websocket("polite") as client:
            await client.send("isready")
            await hear_until(client, "readyok")


async def test_a_full_server_still_says_how_it_is(config: Config) -> None:
    async with Running(replace(config, connections=ConnectionConfig(total=1))) as app, app.tcp():
        assert " 200 OK" in await asked(app, request_for("/healthz"))
        assert " 503 " in await asked(app, request_for("/health"))


async def test_client_that_is_refused_and_says_nothing_is_answered_and_dropped(
    config: Config,
) -> None:
    async with Running(replace(config, connections=ConnectionConfig(total=1))) as app, app.tcp():
        assert "too-many-connections: " in await asked(app, b"GET / HT")
        assert "too-many-connections: " in await asked(app, b"x" * 9000)
        silent = await dial(app, app.port)
        async with asyncio.timeout(TIMEOUT):
            assert b"too-many-connections: " in await silent.reader.read()
        silent.writer.close()
        await until_left(app, 1)


async def test_strangers_are_bounded_and_those_that_are_known_are_not(
    config: Config, tmp_path: Path
) -> None:
    token = add_token(tmp_path / "tokens")
    server = replace(config.server, tokens=tmp_path / "tokens", handshake_timeout=TIMEOUT)
    limits = ConnectionConfig(unauthenticated=2, network_share=1.0)
    async with Running(replace(config, server=server, connections=limits)) as app:
        known = [await dial(app, app.tcp_port) for _ in range(2)]
        for client in known:
            client.say(f"rookery token {token}", "isready")
            assert await client.hear() == "readyok"
        headers = {"Authorization": f"Bearer {token}"}
        async with app.websocket("polite", additional_headers=headers):
            strangers = [await dial(app, app.tcp_port) for _ in range(3)]
            assert code_of(await strangers[0].hear()) is Code.TOO_MANY_CONNECTIONS
            assert await strangers[0].hear() == ""
            for client in (*known, *strangers[1:]):
                client.say(f"rookery token {token}", "isready")
                assert (await client.hear_until("readyok"))[-1] == "readyok"
            for client in (*known, *strangers):
                client.writer.close()
        await until_left(app)


async def test_behind_a_proxy_it_is_the_clients_address_that_counts(config: Config) -> None:
    server = replace(config.server, trusted_proxies=network_list("k", ["127.0.0.0/8"]))
    limits = ConnectionConfig(per_address=2, total=3)
    config = replace(config, server=server, connections=limits, insecure=True)

    def via(address: str) -> dict[str, object]:
        return {"additional_headers": {"X-Forwarded-For": address}}

    async with Running(config) as app:
        clients = [await app.websocket("polite", **via("203.0.113.1")) for _ in range(2)]
        with pytest.raises(InvalidStatus) as caught:
            await app.websocket("polite", **via("203.0.113.1"))
        assert caught.value.response.body == (
            b"too-many-connections: there are 2 connections from 203.0.113.1:"
            b" close one, then connect again\n"
        )
        clients.append(await app.websocket("polite", **via("203.0.113.2")))
        await clients.pop(0).close()
        await until_left(app, 2)
        clients.append(await app.websocket("polite", **via("203.0.113.1")))
        for client in clients:
            await client.close()
        await until_left(app)


async def test_engines_are_not_started_in_a_storm(config: Config, tmp_path: Path) -> None:
    token = add_token(tmp_path / "tokens")
    server = replace(config.server, tokens=tmp_path / "tokens")
    limits = ConnectionConfig(starts_per_second=0.01, starts_burst=2)
    async with Running(replace(config, server=server, connections=limits)) as app:
        headers = {"Authorization": f"Bearer {token}"}
        for _ in range(2):
            async with app.websocket("polite", additional_headers=headers):
                pass
        with pytest.raises(InvalidStatus) as caught:
            await app.websocket("polite", additional_headers=headers)
        assert caught.value.response.status_code == 429
        assert caught.value.response.headers["Retry-After"] == "5"
        assert caught.value.response.body.startswith(b"too-many-starts: ")
        client = await dial(app, app.tcp_port)
        client.say(f"rookery token {token}")
        assert code_of(await client.hear()) is Code.TOO_MANY_STARTS
        client.writer.close()


async def test_local_account_starts_as_many_as_it_likes(config: Config) -> None:
    limits = ConnectionConfig(starts_per_second=0.01, starts_burst=1)
    async with Running(replace(config, connections=limits)) as app:
        for _ in range(5):
            async with app.websocket("polite") as client:
                await client.send("isready")
                await hear_until(client, "readyok")


async def test_over_tls_too(config: Config, tmp_path: Path) -> None:
    authority, trust = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(trust)
    issued = authority.issue_cert("127.0.0.1")
    tls = TlsConfig(tmp_path / "certificate", tmp_path / "key")
    tls.key.write_bytes(issued.private_key_pem.bytes())
    tls.certificate.write_bytes(issued.cert_chain_pems[0].bytes())
    async with Running(replace(config, tls=tls, connections=ConnectionConfig(total=1))) as app:
        async with app.websocket("polite", ssl=trust):
            for request in (REQUEST, b"GET / HT"):
                reader, writer = await asyncio.open_connection("127.0.0.1", app.port, ssl=trust)
                writer.write(request)
                async with asyncio.timeout(TIMEOUT):
                    assert b"too-many-connections: " in await reader.read()
                writer.close()
            line = Lines(*await asyncio.open_connection("127.0.0.1", app.tcp_port, ssl=trust))
            assert code_of(await line.hear()) is Code.TOO_MANY_CONNECTIONS
            assert await line.hear() == ""
            line.writer.close()
        await until_left(app)
