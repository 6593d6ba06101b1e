"""The announcement on the local network: a real one, on the loopback interface."""

import logging
import socket
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import zeroconf
from bench.child import free_port
from helpers.support import until

from rookery_bridge.setup import server_browser
from rookery_bridge.setup.server_browser import NearbyServer, browse
from rookery_protocol.discovery import instance_name
from rookery_protocol.errors import ConfigError
from rookery_server import announcer
from rookery_server.__main__ import run
from rookery_server.announcer import Announcer, check_announcement
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import TlsConfig

LOOPBACK = ["127.0.0.1"]


def announced(host: str = "0.0.0.0", *, announce: bool = True, tokens: str = "") -> Config:
    config = Config(engines=(EngineConfig("rookery", ("rookery-engine",)),))
    file = Path(tokens) if tokens else None
    return replace(config, server=replace(config.server, host=host, announce=announce, tokens=file))


async def find_at_port(
    port: int, seconds: float = server_browser.BROWSE_TIME
) -> list[NearbyServer]:
    return [each for each in await browse(seconds, LOOPBACK) if each.port == port]


async def test_announced_server_is_found_until_it_ends() -> None:
    port = free_port()
    async with Announcer(announced(tokens="/nowhere/tokens"), port, LOOPBACK) as announcement:
        await until(announcement.is_announced.is_set)
        (found,) = await find_at_port(port)
    assert found.name == instance_name(socket.gethostname(), port)
    assert found.address == f"ws://127.0.0.1:{port}"
    assert found.announcement.needs_token
    assert not found.announcement.has_tls
    assert found.announcement.path == "/engines/"
    assert await find_at_port(port) == []


async def test_nothing_is_announced_by_default() -> None:
    assert not Config(engines=()).server.announce
    port = free_port()
    async with Announcer(announced(announce=False), port, LOOPBACK):
        assert await find_at_port(port) == []


async def test_addresses_of_every_interface_are_those_that_others_reach() -> None:
    assert not any(each.startswith("127.") for each in await announcer._addresses("0.0.0.0"))
    assert await announcer._addresses("192.0.2.1") == ["192.0.2.1"]


async def test_a_server_for_ipv6_is_announced_by_its_addresses_of_ipv6() -> None:
    """It is reached by IPv4 only where the system has opened its socket."""
    alone, both = await announcer._addresses("::"), await announcer._addresses("::", is_dual=True)
    assert not any("." in each or each.startswith("fe80") or each == "::1" for each in alone)
    assert sorted(both) == sorted([*alone, *await announcer._addresses("0.0.0.0")])


async def test_a_server_that_wants_certificates_says_so() -> None:
    tls = TlsConfig(Path("c"), Path("k"), client_ca=Path("ca"))
    port = free_port()
    config = replace(announced(), tls=tls)
    async with Announcer(config, port, LOOPBACK) as announcement:
        await until(announcement.is_announced.is_set)
        (found,) = await find_at_port(port)
    assert found.announcement.needs_certificate
    assert found.link is None


def test_loopback_is_never_announced() -> None:
    with pytest.raises(ConfigError, match=r"reached from this one only: set server\.host"):
        check_announcement(announced("127.0.0.1"))
    check_announcement(announced("127.0.0.1", announce=False))
    check_announcement(announced("192.0.2.1"))


def test_command_line_says_why_loopback_is_not_announced(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["serve", "--announce", "--port", "0", "--tcp-port", "0"]) == 2
    assert "127.0.0.1 is reached from this one only" in capsys.readouterr().err


def test_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcer, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"pip install 'rookery-chess\[discovery\]'"):
        check_announcement(announced())


@pytest.mark.parametrize(
    "error", [OSError("Network is unreachable"), zeroconf.NonUniqueNameException("taken")]
)
async def test_failure_is_a_warning(
    error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def raise_error(host: str, **_: object) -> Sequence[str]:
        raise error

    monkeypatch.setattr(announcer, "_addresses", raise_error)
    with caplog.at_level(logging.WARNING):
        async with Announcer(announced(), 1):
            await until(lambda: bool(caplog.records))
    assert f"not announced on the local network: {error}; it serves all the same" in caplog.text
