"""TLS on both ports, with certificates that are made here."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trustme
from helpers.support import (
    TIMEOUT,
    Lines,
    Running,
    add_token,
    closing,
    code_of,
    deny_files,
    hear_until,
    request_for,
    until,
)
from websockets.exceptions import InvalidStatus

from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import Close, Code
from rookery_server.access.account import Account
from rookery_server.access.tls import TlsContext
from rookery_server.config.config import Config
from rookery_server.config.sections import ConnectionConfig, TlsConfig
from rookery_server.process import run


@pytest.fixture
def habits() -> tuple[str, ...]:
    return ("polite", "flood")


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def files(authority: trustme.CA, tmp_path: Path) -> TlsConfig:
    files = TlsConfig(tmp_path / "certificate.pem", tmp_path / "key.pem")
    renew(authority, files)
    return files


def renew(authority: trustme.CA, files: TlsConfig) -> None:
    issued = authority.issue_cert("127.0.0.1", "localhost")
    files.key.write_bytes(issued.private_key_pem.bytes())
    files.certificate.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))


@pytest.fixture
def secure(config: Config, files: TlsConfig) -> Config:
    return replace(config, tls=files, server=replace(config.server, handshake_timeout=1.0))


@pytest.fixture
async def server(secure: Config) -> AsyncIterator[Running]:
    async with Running(secure) as running:
        yield running


@pytest.fixture
def trust(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


async def dial(server: Running, trust: ssl.SSLContext) -> Lines:
    return Lines(*await asyncio.open_connection("127.0.0.1", server.tcp_port, ssl=trust))


def serial(client: Lines) -> str:
    certificate = client.writer.get_extra_info("peercert")
    return str(certificate["serialNumber"])


async def test_both_ports_speak_tls(server: Running, trust: ssl.SSLContext) -> None:
    async with server.websocket("polite", ssl=trust) as websocket:
        await websocket.send("isready")
        assert await hear_until(websocket, "readyok") == ["readyok"]
    line = await dial(server, trust)
    line.say("isready", "quit")
    assert await line.hear() == "readyok"
    assert await line.hear() == ""
    line.writer.close()


@pytest.mark.parametrize("hsts", [True, False])
async def test_browsers_are_told_to_come_over_tls_only(
    secure: Config, trust: ssl.SSLContext, hsts: bool
) -> None:
    """By the header that is for the name, which `localhost` shares with whatever else is there."""
    assert secure.tls
    named = replace(secure.server, hosts=("rook.test",))
    async with Running(replace(secure, server=named, tls=replace(secure.tls, hsts=hsts))) as app:
        for target in ("/", "/connect", "/engines", "/healthz", "/nothing", "/engines/polite"):
            for host in ("rook.test", "127.0.0.1", "evil.test", "localhost"):
                reader, writer = await asyncio.open_connection("127.0.0.1", app.port, ssl=trust)
                writer.write(request_for(target, host=host))
                async with asyncio.timeout(TIMEOUT):
                    answer = await reader.read()
                writer.close()
                field = b"\r\nStrict-Transport-Security: max-age=31536000\r\n"
                assert (field in answer) == (hsts and host != "localhost"), (target, host)


async def test_flood_comes_through_in_order(server: Running, trust: ssl.SSLContext) -> None:
    line = await dial(server, trust)
    line.say("rookery engine flood", "go")
    lines = await line.hear_until("bestmove")
    assert len(lines) == 200_001
    line.writer.close()


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
async def test_old_versions_are_refused(
    server: Running, trust: ssl.SSLContext, version: ssl.TLSVersion
) -> None:
    trust.set_ciphers("DEFAULT:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        trust.minimum_version = trust.maximum_version = version
    for port in (server.port, server.tcp_port):
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await asyncio.open_connection("127.0.0.1", port, ssl=trust)


async def test_tls_1_2_is_taken(server: Running, trust: ssl.SSLContext) -> None:
    trust.maximum_version = ssl.TLSVersion.TLSv1_2
    line = await dial(server, trust)
    line.say("isready")
    assert await line.hear() == "readyok"
    line.writer.close()


async def test_plain_text_is_dropped(server: Running) -> None:
    for port in (server.port, server.tcp_port):
        for said in (b"", b"uci\n", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(said)
            async with asyncio.timeout(TIMEOUT):
                try:
                    heard = await reader.read()
                except ConnectionError:
                    heard = b""
            assert b"HTTP" not in heard
            assert b"uciok" not in heard
            writer.close()
    assert server.engine_pids() == []


async def test_who_is_silent_after_the_handshake_is_dropped(
    secure: Config, trust: ssl.SSLContext, tmp_path: Path
) -> None:
    add_token(tmp_path / "tokens")
    server = replace(secure.server, tokens=tmp_path / "tokens")
    async with Running(replace(secure, server=server)) as app:
        line = await dial(app, trust)
        assert code_of(await line.hear()) is Code.TOO_SLOW
        assert await line.hear() == ""
        line.writer.close()


def silent(port: int | None, source: str = "127.0.0.1") -> socket.socket:
    """Return a connection that never begins its handshake."""
    return socket.create_connection(("127.0.0.1", port), source_address=(source, 0))


def is_open(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


async def until_open(connections: list[socket.socket], number: int) -> None:
    """Wait until no more than so many are left."""
    await until(lambda: sum(map(is_open, connections)) <= number)


STRANGERS = 20


@pytest.fixture
def waiting(secure: Config) -> Config:
    """Return the configuration of a server that waits for handshakes for longer than a test."""
    server = replace(secure.server, handshake_timeout=3 * TIMEOUT)
    limits = ConnectionConfig(unauthenticated=STRANGERS, network_share=1.0)
    return replace(secure, server=server, connections=limits)


@pytest.fixture
async def patient(waiting: Config) -> AsyncIterator[Running]:
    async with Running(waiting) as running:
        yield running


async def test_server_that_ends_waits_for_no_handshake(waiting: Config) -> None:
    async with Running(waiting) as app:
        connections = [silent(port) for port in (app.port, app.tcp_port)]
        await until(lambda: len(app._policy.handshakes) >= len(connections))
    await until_open(connections, 0)
    assert not app._policy.connection_count


@pytest.mark.parametrize("is_tcp", [True, False])
async def test_those_in_the_handshake_are_strangers_and_bounded(
    patient: Running, trust: ssl.SSLContext, is_tcp: bool
) -> None:
    await see_bound(patient, trust, is_tcp=is_tcp)


async def see_bound(patient: Running, trust: ssl.SSLContext, *, is_tcp: bool) -> None:
    port = patient.tcp_port if is_tcp else patient.port
    good = await dial(patient, trust)
    good.say("isready")
    assert await good.hear() == "readyok"
    flood = [silent(port) for _ in range(1000)]
    await until_open(flood, STRANGERS)
    # Those who are known go on, and are counted no more.
    good.say("isready")
    assert await good.hear() == "readyok"
    assert len(patient._policy.admission.strangers) == STRANGERS
    assert patient._policy.refusals[Code.TOO_MANY_CONNECTIONS] > 0
    one_more = await dial(patient, trust)
    one_more.say("isready")
    assert await one_more.hear() == "readyok"
    for each in flood:
        each.close()
    await until(lambda: not patient._policy.admission.strangers)
    another = await dial(patient, trust)
    another.say("isready")
    assert await another.hear() == "readyok"
    for client in (good, one_more, another):
        client.writer.close()


async def test_those_in_the_handshake_count_for_their_address(
    patient: Running, trust: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ipaddress.IPv4Address.is_loopback", False)
    limits = ConnectionConfig(unauthenticated=1000, per_address=5)
    patient._policy.admission.config = limits
    flood = [silent(patient.tcp_port, "127.0.0.2") for _ in range(100)]
    await until_open(flood, 5)
    line = await dial(patient, trust)
    line.say("isready")
    assert await line.hear() == "readyok"
    line.writer.close()
    for each in flood:
        each.close()


async def test_what_comes_with_the_end_of_the_handshake_is_heard(
    patient: Running, trust: ssl.SSLContext
) -> None:
    await see_pieces(patient, trust)


def test_handshakes_are_the_same_on_the_loop_of_the_program(
    waiting: Config, trust: ssl.SSLContext
) -> None:
    async def see() -> None:
        async with Running(waiting) as patient:
            await see_pieces(patient, trust)
            await see_bound(patient, trust, is_tcp=True)
            await see_bound(patient, trust, is_tcp=False)
            async with patient.websocket("polite", ssl=trust) as websocket:
                await websocket.send("isready")
                assert await hear_until(websocket, "readyok") == ["readyok"]

    run(see())


async def see_pieces(patient: Running, trust: ssl.SSLContext) -> None:
    for size in (1, 100_000):  # bytes of the handshake that are sent at once
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = trust.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
        reader, writer = await asyncio.open_connection("127.0.0.1", patient.tcp_port)
        async with asyncio.timeout(TIMEOUT):
            while True:
                try:
                    client.do_handshake()
                    break
                except ssl.SSLWantReadError:
                    said = outgoing.read()
                    for at in range(0, len(said), size):
                        writer.write(said[at : at + size])
                        await writer.drain()
                    incoming.write(await reader.read(1 << 16))
            client.write(b"isready\nquit\n")
            writer.write(outgoing.read())  # the client's last word of the handshake, and lines
            heard = b""
            while b"readyok\n" not in heard:
                incoming.write(await reader.read(1 << 16))
                with suppress(ssl.SSLWantReadError):
                    heard += client.read(1 << 16)
        writer.close()


async def test_end_of_input_ends_it(
    server: Running, trust: ssl.SSLContext, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_connection(("127.0.0.1", server.tcp_port)) as raw:
        wrapped = await asyncio.to_thread(trust.wrap_socket, raw, server_hostname="127.0.0.1")
        await asyncio.to_thread(wrapped.sendall, b"go infinite\nisready\n")
        assert await asyncio.to_thread(wrapped.recv, 100) == b"readyok\n"
        await asyncio.to_thread(wrapped.close)
    await until(lambda: not server.engine_pids())
    assert "eof_received" not in caplog.text  # asyncio would complain of what it cannot do


async def test_renewed_certificate_is_shown_without_dropping_sessions(
    server: Running, trust: ssl.SSLContext, authority: trustme.CA, files: TlsConfig
) -> None:
    old = await dial(server, trust)
    old.say("go infinite", "isready")
    assert await old.hear() == "readyok"
    websocket = await server.websocket("polite", ssl=trust)
    renew(authority, files)
    server.reload()
    new = await dial(server, trust)
    assert serial(new) != serial(old)
    for client in (old, new):
        client.say("isready")
        assert await client.hear() == "readyok"
        client.writer.close()
    await websocket.send("isready")
    assert await hear_until(websocket, "readyok") == ["readyok"]
    await websocket.close()


async def test_certificate_that_cannot_be_used_leaves_the_old_one(
    server: Running,
    trust: ssl.SSLContext,
    authority: trustme.CA,
    files: TlsConfig,
    caplog: pytest.LogCaptureFixture,
) -> None:
    old = await dial(server, trust)
    other = authority.issue_cert("127.0.0.1")
    files.key.write_bytes(other.private_key_pem.bytes())  # not that of the certificate
    server.reload()
    assert "the certificate is as before: tls.key " in caplog.text
    new = await dial(server, trust)
    assert serial(new) == serial(old)
    old.writer.close()
    new.writer.close()


def test_bad_files_are_named(authority: trustme.CA, files: TlsConfig, tmp_path: Path) -> None:
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("nonsense")
    for bad, error in (
        (
            replace(files, certificate=tmp_path / "none"),
            r"tls\.certificate: cannot read .*none: No",
        ),
        (replace(files, key=tmp_path), r"tls\.key: cannot read .*: Is a directory"),
        (replace(files, client_ca=tmp_path / "none"), r"tls\.client_ca: cannot read"),
        (replace(files, client_ca=nonsense), r"tls\.client_ca .* is no certificate in PEM"),
        (replace(files, key=nonsense), r"tls\.key .*nonsense\.pem has no private key in PEM"),
        (
            replace(files, certificate=nonsense),
            r"tls\.certificate .*nonsense\.pem has no",
        ),
    ):
        with pytest.raises(ConfigError, match=error):
            TlsContext(bad)


def test_file_of_another_owner_is_refused_with_what_to_do(
    files: TlsConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    deny_files(monkeypatch)
    with pytest.raises(ConfigError, match=r"tls\.certificate: .* denied: .*chgrp GROUP"):
        TlsContext(files)


async def test_bad_files_are_an_error_at_the_start(secure: Config, files: TlsConfig) -> None:
    files.key.unlink()
    with pytest.raises(ConfigError, match=r"tls\.key: cannot read"):
        async with Running(secure):
            pass


# --- certificates of clients


@pytest.fixture
def clients() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
async def mutual(
    secure: Config, files: TlsConfig, clients: trustme.CA, tmp_path: Path
) -> AsyncIterator[Running]:
    clients.cert_pem.write_to_path(str(tmp_path / "clients.pem"))
    tls = replace(files, client_ca=tmp_path / "clients.pem")
    async with Running(replace(secure, tls=tls)) as running:
        yield running


def show(trust: ssl.SSLContext, clients: trustme.CA, name: str) -> None:
    clients.issue_cert("client.example", common_name=name).configure_cert(trust)


async def test_client_is_known_by_its_certificate(
    mutual: Running, trust: ssl.SSLContext, clients: trustme.CA
) -> None:
    show(trust, clients, "alice")
    async with mutual.websocket("polite", ssl=trust) as websocket:
        await websocket.send("isready")
        await hear_until(websocket, "readyok")
        assert [actor.account for actor in mutual.host.actors] == [Account("alice")]
    line = await dial(mutual, trust)
    line.say("isready")
    assert await line.hear() == "readyok"
    line.writer.close()


async def first_line(server: Running, trust: ssl.SSLContext) -> str:
    """Return the answer to `isready`; "" if the connection fails or ends instead."""
    try:
        line = await dial(server, trust)
        line.say("isready")
        return await line.hear()
    except OSError:
        return ""


async def test_client_without_a_certificate_is_refused(
    mutual: Running, trust: ssl.SSLContext, authority: trustme.CA
) -> None:
    for strangers in (None, authority):
        if strangers:
            show(trust, strangers, "mallory")
        assert await first_line(mutual, trust) == ""
    assert mutual.engine_pids() == []


async def test_certificate_with_a_strange_name_is_refused(
    mutual: Running, trust: ssl.SSLContext, clients: trustme.CA
) -> None:
    show(trust, clients, "a b")
    line = await dial(mutual, trust)
    line.say("isready")
    assert code_of(await line.hear()) is Code.UNAUTHORIZED
    line.writer.close()


async def test_where_there_are_tokens_both_are_wanted(
    secure: Config, files: TlsConfig, clients: trustme.CA, tmp_path: Path, trust: ssl.SSLContext
) -> None:
    token = add_token(tmp_path / "tokens", "bob")
    clients.cert_pem.write_to_path(str(tmp_path / "clients.pem"))
    tls = replace(files, client_ca=tmp_path / "clients.pem")
    server = replace(secure.server, tokens=tmp_path / "tokens")
    show(trust, clients, "alice")
    async with Running(replace(secure, tls=tls, server=server)) as app:
        line = await dial(app, trust)
        line.say("isready")
        assert code_of(await line.hear()) is Code.UNAUTHORIZED
        line.writer.close()
        with pytest.raises(InvalidStatus) as caught:
            await app.websocket("polite", ssl=trust)
        assert caught.value.response.body == (
            b"unauthorized: this server wants a token: ask its operator for one\n"
        )
        headers = {"Authorization": f"Bearer {token}"}
        client = await app.websocket("polite", ssl=trust, additional_headers=headers)
        assert [actor.account for actor in app.host.actors] == [Account("bob")]
    assert (await closing(client))[1] == Close.RESTART


async def test_renewed_authority_of_clients_is_taken(
    secure: Config, files: TlsConfig, clients: trustme.CA, tmp_path: Path, trust: ssl.SSLContext
) -> None:
    trustme.CA().cert_pem.write_to_path(str(tmp_path / "clients.pem"))
    tls = replace(files, client_ca=tmp_path / "clients.pem")
    show(trust, clients, "alice")
    async with Running(replace(secure, tls=tls)) as app:
        clients.cert_pem.write_to_path(str(tmp_path / "clients.pem"))
        app.reload()
        line = await dial(app, trust)
        line.say("isready")
        assert await line.hear() == "readyok"
        line.writer.close()
