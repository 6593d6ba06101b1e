"""The files for systemd, beside what the server understands of them."""

import asyncio
import shutil
import socket
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest
from helpers.support import TIMEOUT

from rookery_server import systemd
from rookery_server.app import TCP, WEB
from rookery_server.http.admin_socket import SYSTEM_PLACE

ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="needs systemd: apt install systemd")
WORST = 15  # tenths of points of exposure, of 100
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


def analyze(*words: str) -> tuple[int, str]:
    """Return the status of systemd-analyze, and all that it says."""
    assert ANALYZE
    done = subprocess.run(
        [ANALYZE, "--no-pager", *words], capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout + done.stderr


def installed(folder: Path, change: tuple[str, str] = ("", "")) -> list[str]:
    """Put the units where they can be looked at, with the program that there is here."""
    here = Path(sys.executable).with_name("rookery-server")
    for path in UNITS.iterdir():
        text = path.read_text().replace("/opt/rookery/bin/rookery-server", str(here))
        (folder / path.name).write_text(text.replace(*change) if change[0] else text)
    return [str(path) for path in sorted(folder.iterdir())]


@needs_systemd
def test_systemd_understands_every_word_of_the_units(tmp_path: Path) -> None:
    assert analyze("verify", "--man=no", *installed(tmp_path)) == (0, "")


@needs_systemd
def test_systemd_would_say_what_it_does_not_understand(tmp_path: Path) -> None:
    """Its status is 0 even then."""
    units = installed(tmp_path, ("PrivateTmp=yes", "PrivateTemp=yes"))
    assert "Unknown key" in analyze("verify", "--man=no", *units)[1]


@needs_systemd
def test_unit_lets_engines_do_little(tmp_path: Path) -> None:
    words = ("security", "--offline=yes", f"--threshold={WORST}")
    service = str(tmp_path / "rookery.service")
    installed(tmp_path)
    assert analyze(*words, service)[0] == 0
    installed(tmp_path, ("SystemCallFilter=@system-service\n", ""))
    assert analyze(*words, service)[0] != 0


@pytest.mark.parametrize(("pid", "microseconds", "seconds"), [
    ("", "30000000", 30.0),
    ("1", "30000000", None),  # for another process
    ("", "", None),
    ("", "0", None),
    ("", "soon", None),
])  # fmt: skip
def test_how_often_the_manager_wants_to_hear(
    monkeypatch: pytest.MonkeyPatch, pid: str, microseconds: str, seconds: float | None
) -> None:
    monkeypatch.setenv("WATCHDOG_PID", pid)
    monkeypatch.setenv("WATCHDOG_USEC", microseconds)
    assert systemd.watched_for() == seconds
    assert systemd.watched_for() is None  # and engines do not see it


async def test_manager_hears_again_and_again_that_the_loop_turns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "30000")
        with systemd.alive(loop):
            async with asyncio.timeout(TIMEOUT):
                for _ in range(5):
                    assert await loop.sock_recv(manager, 100) == b"WATCHDOG=1"
        while True:  # What was said before the end.
            try:
                assert manager.recv(100) == b"WATCHDOG=1"
            except BlockingIOError:
                break
        await asyncio.sleep(0.05)
        with pytest.raises(BlockingIOError):
            manager.recv(100)
