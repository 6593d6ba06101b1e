"""The banner: the addresses of a server."""

from dataclasses import replace
from pathlib import Path

import pytest

from rookery_server.commands.serve import greeting
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig


def at(host: str) -> Config:
    """Return the configuration of a server that listens there."""
    config = Config(engines=(EngineConfig("rookery", ("rookery-engine",)),))
    return replace(config, server=replace(config.server, host=host))


def test_every_port_has_its_line() -> None:
    lines = greeting(at("127.0.0.1"), 80, 81, 82).splitlines()
    assert lines[1:] == [
        "  browser   http://127.0.0.1:80/",
        "  chess GUI rookery-bridge ws://127.0.0.1:80/engines/rookery",
        "  terminal  nc 127.0.0.1 81",
        "  broker    http://127.0.0.1:82/",
        "Ctrl-C ends it.",
    ]


def test_address_of_ipv6_is_in_brackets() -> None:
    text = greeting(at("::1"), 80, 81)
    assert "http://[::1]:80/" in text
    assert "ws://[::1]:80/engines/rookery" in text
    assert "nc ::1 81" in text


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_nobody_is_sent_to_every_address(host: str) -> None:
    assert f"{host} is every address of this machine" in greeting(at(host), 80)
    assert "every address" not in greeting(at("127.0.0.1"), 80)


def test_token_is_asked_for_where_one_is_wanted() -> None:
    config = at("127.0.0.1")
    assert "--token-file" not in greeting(config, 80)
    config = replace(config, server=replace(config.server, tokens=Path("tokens")))
    assert "ws://127.0.0.1:80/engines/rookery --token-file FILE\n" in greeting(config, 80)
