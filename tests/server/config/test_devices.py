"""The tables [devices.NAME]."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rookery_protocol.errors import ConfigError
from rookery_server.config.config import (
    Overrides,
    after_reload,
    check_exposure,
    check_ports,
    doubts,
    from_toml,
    load,
    places,
)

TOKENS = {"tokens": "tokens"}


def document(server: dict[str, object], **device: object) -> dict[str, object]:
    return {
        "server": server,
        "engines": {"stockfish": {"command": "stockfish"}},
        "devices": {"anna-phone": {"port": 9091, **device}},
    }


def test_a_table_is_a_port_of_an_account() -> None:
    [device] = from_toml(document(TOKENS)).devices
    assert (device.name, device.port, device.owner) == ("anna-phone", 9091, "anna-phone")
    assert (device.engine, device.days) == (None, 30)
    [device] = from_toml(document(TOKENS, account="anna", engine="stockfish", days=7)).devices
    assert (device.owner, device.engine, device.days) == ("anna", "stockfish", 7)


@pytest.mark.parametrize(
    ("device", "error"),
    [
        ({"port": "9091"}, r"devices\.anna-phone\.port needs a port from 0 to 65535"),
        ({"days": 0}, r"devices\.anna-phone\.days needs a whole number from 1 to 366"),
        ({"token": "rk_"}, r"unknown key devices\.anna-phone\.token: "),
    ],
)
def test_what_cannot_be_is_named(device: dict[str, Any], error: str) -> None:
    with pytest.raises(ConfigError, match=error):
        from_toml(document(TOKENS, **device))


def test_a_port_must_be_given_and_a_name_must_be_plain() -> None:
    with pytest.raises(ConfigError, match=r"devices\.a\.port is missing"):
        from_toml({"devices": {"a": {}}})
    with pytest.raises(ConfigError, match="another name goes into the key account"):
        from_toml({"devices": {"a@b": {"port": 1}}})


def test_without_tokens_there_is_no_such_port(tmp_path: Path) -> None:
    """An open port must not arise by accident: not even on the server's own machine."""
    with pytest.raises(ConfigError, match=r"devices\.anna-phone .*set server\.tokens.*tcp_port"):
        check_exposure(from_toml(document({})))
    with pytest.raises(ConfigError, match=r"set server\.tokens"):
        check_exposure(replace(from_toml(document({})), insecure=True))
    file = tmp_path / "rookery.toml"
    file.write_text("[devices.anna]\nport = 9091\n")
    with pytest.raises(ConfigError, match=r"set server\.tokens"):
        load(file, Overrides())
    assert load(file, Overrides(tokens=tmp_path / "tokens")).devices


def test_an_engine_has_to_be_there_unless_it_may_join() -> None:
    with pytest.raises(ConfigError, match="there is no engine 'rybka'; there are: stockfish"):
        check_exposure(from_toml(document(TOKENS, engine="rybka")))
    check_exposure(from_toml(document(TOKENS, engine="stockfish@pc")))


def test_it_does_not_go_round_certificates() -> None:
    tls = {"certificate": "c", "key": "k"}
    with pytest.raises(ConfigError, match=r"tls\.client_ca wants one of every client"):
        check_exposure(from_toml({**document(TOKENS), "tls": {**tls, "client_ca": "ca"}}))
    check_exposure(from_toml({**document(TOKENS), "tls": tls}))


def test_it_may_listen_elsewhere_than_the_server_itself() -> None:
    """As behind a proxy: the port has no tokens and no TLS, and opens nothing else."""
    elsewhere = from_toml(document(TOKENS, host="192.0.2.1"))
    check_exposure(elsewhere)
    assert elsewhere.is_local
    assert places(elsewhere)[-1] == ("devices.anna-phone.port", "192.0.2.1", 9091)
    assert doubts(elsewhere) == []
    [doubt] = doubts(from_toml(document(TOKENS)))
    assert "devices.anna-phone listens on 127.0.0.1, where no phone reaches it" in doubt


def test_it_needs_a_port_of_its_own() -> None:
    with pytest.raises(ConfigError, match=r"server\.port and devices\.anna-phone\.port are both"):
        check_ports(from_toml(document({**TOKENS, "port": 9091})))


def test_a_change_wants_a_restart() -> None:
    running, read = from_toml(document(TOKENS)), from_toml(document(TOKENS, days=7))
    kept, late = after_reload(running, read)
    assert kept.devices == running.devices
    assert late == ["devices"]
    assert after_reload(running, running)[1] == []
