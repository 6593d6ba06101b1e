"""Kinds of port and of address, each with each: who mixes them up is told which would do."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trustme
from bench.child import free_port
from helpers.certificates import certificate
from helpers.support import TIMEOUT, Running, odd

from rookery_bridge import server_inquiry
from rookery_bridge.server_inquiry import better_address
from rookery_bridge.setup.diagnosis import Grade
from rookery_bridge.setup.doctor import Doctor
from rookery_protocol.address import Address
from rookery_protocol.tls_trust import Trust
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig

BRIDGE = str(Path(sys.executable).with_name("rookery-bridge"))
ENGINES = (EngineConfig("polite", odd("polite")), EngineConfig("chatty", odd("chatty")))
SCHEMES = ("ws", "tcp", "wss", "tls")  # which is also what the ports are called


@pytest.fixture
async def ports(tmp_path: Path) -> AsyncIterator[dict[str, int]]:
    """Run a server without TLS and one with it; return their ports by the scheme that is right."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    tls = certificate(tmp_path, authority, "127.0.0.1")
    server = ServerConfig(port=0, tcp_port=0)
    async with (
        Running(Config(ENGINES, server)) as plain,
        Running(Config(ENGINES, server, tls=tls)) as secure,
    ):
        assert plain.port
        assert plain.tcp_port
        assert secure.port
        assert secure.tcp_port
        yield dict(
            zip(SCHEMES, (plain.port, plain.tcp_port, secure.port, secure.tcp_port), strict=True)
        )


def address(scheme: str, port: int, engine: str = "chatty") -> Address:
    path = f"engines/{engine}" if scheme in ("ws", "wss") else engine
    return Address.parse(f"{scheme}://127.0.0.1:{port}/{path}".rstrip("/"))


@pytest.mark.parametrize("scheme", SCHEMES)
async def test_address_that_would_do_is_found(ports: dict[str, int], scheme: str) -> None:
    for right, port in ports.items():
        found = await better_address(address(scheme, port))
        assert found == (None if right == scheme else address(right, port))


async def test_engine_that_was_left_out_is_the_default_one(ports: dict[str, int]) -> None:
    for right in ("ws", "wss"):
        found = await better_address(address("tcp", ports[right], ""))
        assert found == address(right, ports[right], "polite")


@pytest.mark.parametrize("answer", [
    b"", b"220 mail.example ESMTP\r\n", b"HTTP/1.1 200 OK\r\n\r\nhello", b"\x15\x03\x01\0\2",
    b"HTTP/1.1 200 OK\r\n\r\n{\"engines\": [{}]}", None,
])  # fmt: skip
async def test_what_is_no_server_has_no_address(
    answer: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_inquiry, "PROBE_PATIENCE", 0.3)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        if answer is None:
            await reader.read()
        else:
            writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        for scheme in SCHEMES:
            assert await better_address(address(scheme, server.sockets[0].getsockname()[1])) is None


async def test_closed_port_has_no_address() -> None:
    assert await better_address(address("tcp", free_port())) is None


@pytest.mark.parametrize("scheme", SCHEMES)
async def test_bridge_and_doctor_name_the_address(
    ports: dict[str, int], tmp_path: Path, scheme: str
) -> None:
    trust = Trust(authority=tmp_path / "ca.pem")
    for right, port in ports.items():
        if right == scheme:
            continue
        meant = address(scheme, port)
        bridge = await asyncio.create_subprocess_exec(
            *(BRIDGE, str(meant), "--no-fallback", "--ca", str(tmp_path / "ca.pem")),
            stdin=PIPE, stdout=PIPE, stderr=PIPE,
        )  # fmt: skip
        async with asyncio.timeout(TIMEOUT):
            _, errors = await bridge.communicate()
        assert f"use {address(right, port)}, which" in errors.decode()
        findings = [each async for each in Doctor(meant, trust).examine()]
        assert findings[-1].grade is Grade.BAD
        assert f"use {address(right, port)}, which" in findings[-1].text
