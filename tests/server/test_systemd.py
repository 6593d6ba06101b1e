"""The files for systemd, beside what the server understands of them."""

from configparser import ConfigParser
from pathlib import Path

import pytest

from rookery_server.app import TCP, WEB
from rookery_server.operation import systemd
from rookery_server.operation.control import SYSTEM_PLACE

UNITS = Path(__file__).parents[2] / "server" / "systemd"


def unit(name: str) -> ConfigParser:
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment]  # names keep their case
    parser.read_string((UNITS / name).read_text())
    return parser


def test_sockets_have_the_names_that_the_server_knows() -> None:
    for name, known in (("rookery.socket", WEB), ("rookery-tcp.socket", TCP)):
        assert unit(name)["Socket"]["FileDescriptorName"] == known
        assert unit(name)["Socket"]["Service"] == "rookery.service"
        assert name in unit("rookery.service")["Unit"]["Requires"].split()


def test_the_operators_socket_is_in_the_folder_of_the_service() -> None:
    service = unit("rookery.service")["Service"]
    assert Path("/run") / service["RuntimeDirectory"] == SYSTEM_PLACE.parent
    assert service["Type"] == "notify"
    assert service["ProtectSystem"] == "strict"


def test_sockets_of_another_process_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value in (("LISTEN_PID", "1"), ("LISTEN_FDS", "1"), ("LISTEN_FDNAMES", "x")):
        monkeypatch.setenv(variable, value)
    assert systemd.take_sockets((WEB, TCP)) == {}
    assert systemd.take_sockets((WEB, TCP)) == {}  # and nothing is left in the environment


def test_without_a_manager_nobody_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    systemd.ready()
    assert not caplog.records
    monkeypatch.setenv("NOTIFY_SOCKET", "@no-such-manager")
    systemd.ready()
    assert "cannot tell the service manager" in caplog.text
