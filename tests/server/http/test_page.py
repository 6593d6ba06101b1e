"""The plain page: how the server is reached."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.datastructures import Headers

from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import TlsConfig
from rookery_server.http.pages import RouteHere, describe, render

TLS = TlsConfig(Path("certificate"), Path("key"))


def at(host: str, *, tokens: Path | None = None, tls: TlsConfig | None = None) -> Config:
    """Return the configuration of a server that listens there."""
    config = Config(engines=(EngineConfig("lc0", ("lc0",)),), tls=tls)
    return replace(config, server=replace(config.server, host=host, tokens=tokens))


def way(config: Config, **headers: str) -> RouteHere:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return RouteHere.of(Headers(named), config, 8080)


@pytest.mark.parametrize("host", ["rook.example", "127.0.0.1:8080", "[::1]:81"])
def test_address_is_the_one_by_which_the_page_was_found(host: str) -> None:
    config = at("0.0.0.0")
    assert f"rookery-bridge ws://{host}/engines/lc0<" in render(config, way(config, Host=host), 1)


def test_tls_is_the_servers_or_the_proxys() -> None:
    own, behind = at("192.0.2.1", tls=TLS), at("127.0.0.1")
    assert "wss://rook.example/" in render(own, way(own, Host="rook.example"), 1)
    proxied = way(behind, Host="rook.example", X_Forwarded_Proto="https")
    assert "rookery-bridge wss://rook.example/" in render(behind, proxied, 1)
    plain = way(behind, Host="rook.example", X_Forwarded_Proto="http")
    assert "rookery-bridge ws://rook.example/" in render(behind, plain, 1)


def test_name_does_not_become_a_part_of_the_page() -> None:
    config = at("127.0.0.1")
    assert "<b>x" not in render(config, way(config, Host="<b>x"), 1)


@pytest.mark.parametrize(
    ("host", "headers", "command"),
    [
        ("192.0.2.1", {}, "nc 192.0.2.1 8081"),
        ("0.0.0.0", {}, None),  # of a container, for example, where ports are others
        ("::", {}, None),
        ("127.0.0.1", {"X_Forwarded_For": "203.0.113.7"}, None),
        ("127.0.0.1", {"X_Forwarded_Proto": "https"}, None),
    ],
)
def test_terminal_is_sent_nowhere_in_vain(
    host: str, headers: dict[str, str], command: str | None
) -> None:
    config = at(host)
    found = way(config, Host="rook.example", **headers)
    assert json.loads(describe(config, found, 8081))["terminal"] == command
    assert ("In a terminal" in render(config, found, 8081)) == (command is not None)
    assert json.loads(describe(config, found, None))["terminal"] is None


def test_token_is_asked_for_where_one_is_wanted() -> None:
    config = at("192.0.2.1", tokens=Path("tokens"))
    page = render(config, way(config, Host="h"), 8081)
    assert "ws://h/engines/lc0 --token-file FILE<" in page
    assert "rookery token TOKEN" in page
    assert "Authorization: Bearer TOKEN' ws://h/engines/lc0<" in page
    assert "token" not in render(at("192.0.2.1"), way(config, Host="h"), 8081).lower()
