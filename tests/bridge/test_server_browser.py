"""Servers of the local network: what is shown of them, and what is not believed."""

import builtins
from dataclasses import replace
from typing import Any

import pytest

from rookery_bridge.setup import server_browser, setup_command
from rookery_bridge.setup.pairing import PairingError
from rookery_bridge.setup.server_browser import BrowseError, NearbyServer, browse, read_server
from rookery_protocol.discovery import Announcement, instance_name
from rookery_protocol.invitation import Invitation

OPEN = NearbyServer("Den", "192.0.2.7", 8080, Announcement("0.1.0", False, False))
CLOSED = NearbyServer("Club", "192.0.2.8", 443, Announcement("0.1.0", True, True))


def record_of(announcement: Announcement, **changes: str) -> dict[bytes, bytes | None]:
    entries = announcement.to_properties() | changes
    return {key.encode(): value.encode() for key, value in entries.items()}


@pytest.fixture
def nearby(monkeypatch: pytest.MonkeyPatch) -> list[NearbyServer]:
    """The servers that a search finds."""
    servers: list[NearbyServer] = []

    async def find_servers(seconds: float) -> list[NearbyServer]:
        assert 0 < seconds <= 5
        return servers

    monkeypatch.setattr(server_browser, "browse", find_servers)
    return servers


def test_each_server_has_its_next_step(
    nearby: list[NearbyServer], capsys: pytest.CaptureFixture[str]
) -> None:
    nearby += [CLOSED, OPEN]
    server_browser.show_nearby()
    said = capsys.readouterr().out
    assert said.splitlines()[2].split() == ["Club", "wss://192.0.2.8:443", "yes", "needed", "0.1.0"]
    assert said.splitlines()[3].split() == ["Den", "ws://192.0.2.7:8080", "no", "none", "0.1.0"]
    assert "Club: ask its operator for a link" in said
    link = said.partition('rookery-bridge pair "')[2].partition('"')[0]
    assert Invitation.parse(link) == Invitation("ws", "192.0.2.7", 8080)


def test_a_server_for_certificates_is_not_offered_as_open(
    nearby: list[NearbyServer], capsys: pytest.CaptureFixture[str]
) -> None:
    said = replace(OPEN.announcement, has_tls=True, needs_certificate=True)
    nearby.append(replace(OPEN, announcement=said))
    server_browser.show_nearby()
    _, _, row, step = capsys.readouterr().out.splitlines()
    assert row.split() == ["Den", "wss://192.0.2.7:8080", "yes", "certificate", "0.1.0"]
    assert step.startswith("Den is for clients with a certificate")
    assert "ask its operator" in step
    assert "pair" not in step


def test_pair_looks_before_it_asks(
    nearby: list[NearbyServer], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def check_output(prompt: str) -> str:
        assert "no server announces itself" in capsys.readouterr().out
        raise EOFError

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", check_output)
    with pytest.raises(PairingError, match="no link was given"):
        setup_command.run(["pair"])


def test_doctor_shows_what_is_near(
    nearby: list[NearbyServer],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Any,
) -> None:
    nearby.append(CLOSED)
    monkeypatch.setattr(setup_command, "pairings_folder", lambda: tmp_path)
    with pytest.raises(PairingError, match="no remote engines are set up"):
        setup_command.run(["doctor"])
    assert "Club: ask its operator for a link" in capsys.readouterr().out


async def test_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse_zeroconf(name: str, *arguments: Any) -> Any:
        if name.startswith("zeroconf"):
            raise ImportError(name)
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", refuse_zeroconf)
    with pytest.raises(BrowseError, match=r'pip install "rookery-chess\[discovery\]"'):
        await browse(0.1)


def test_announcement_is_read_back() -> None:
    for announcement in (OPEN.announcement, CLOSED.announcement):
        assert Announcement.parse(record_of(announcement)) == announcement


def test_what_a_stranger_announces_cannot_steer_the_terminal() -> None:
    evil = record_of(OPEN.announcement, version="\x1b[2J1")
    found = read_server("\x1b]0;x\x07._rookery._tcp.local.", ["192.0.2.7"], 80, evil)
    assert found
    assert found.name == "?]0;x?"
    assert found.announcement.version == "?[2J1"


@pytest.mark.parametrize(
    ("addresses", "port", "changes"),
    [([], 80, {}), (["192.0.2.7"], None, {}), (["192.0.2.7"], 80, {"txtvers": "2"}),
     (["192.0.2.7"], 80, {"token": "maybe"})],
)  # fmt: skip
def test_what_cannot_be_used_is_left_out(
    addresses: list[str], port: int | None, changes: dict[str, str]
) -> None:
    assert read_server("x", addresses, port, record_of(OPEN.announcement, **changes)) is None


def test_ipv4_is_shown_first() -> None:
    found = read_server("x", ["2001:db8::7", "192.0.2.7"], 80, record_of(OPEN.announcement))
    assert found
    assert found.host == "192.0.2.7"


def test_long_name_of_a_machine_fits_a_record_of() -> None:
    assert len(instance_name("ü" * 80, 8080).encode()) <= 63
