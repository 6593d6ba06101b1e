"""The program as one executable: its own name, and what is left of those that were killed."""

import subprocess
import sys
from pathlib import Path

import pytest

from rookery_bridge import one_file
from rookery_bridge.program import implied_arguments
from rookery_bridge.setup.pairing import Pairing, PairingStore, pairings_folder
from rookery_protocol.address import Address


@pytest.fixture
def paired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set up an engine; return its file."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    store = PairingStore(pairings_folder())
    store.save(Pairing("rookery-bridge", Address("wss", "bridge", 1, "rookery")))
    return store.save(Pairing("lc0-rook.example", Address("wss", "rook.example", 1, "lc0")))


@pytest.mark.parametrize(
    ("argv0", "is_named"),
    [
        ("/engines/lc0-rook.example", True),  # as pip's wrapper has it, and a link
        ("/engines/lc0-rook.example.exe", True),
        ("/engines/lc0-rook.example.EXE", True),
        ("lc0-rook.example", True),
        ("/engines/lc0-rook", False),
        ("/engines/other.exe", False),
        ("/v/bin/rookery-bridge", False),
        ("Rookery-Bridge.exe", False),
        ("/s/rookery_bridge/__main__.py", False),
        ("/x/rookery-bridge.pyz", False),
    ],
)
def test_program_that_is_named_after_a_pairing_is_that_engine(
    paired: Path, argv0: str, is_named: bool
) -> None:
    start = ["--paired", str(paired)] if is_named else []
    assert implied_arguments([argv0], "/usr/bin/python3") == start
    # As the other launchers have it: what a chess program adds comes behind.
    assert implied_arguments([argv0, "--log", "x"], "/usr/bin/python3") == [*start, "--log", "x"]


def test_one_file_has_its_name_from_the_system(tmp_path: Path) -> None:
    """A chess program may say any name as the first argument."""
    named = one_file.started_name("engine", str(tmp_path / "lc0.exe"), is_frozen=True)
    assert named == "lc0"
    assert one_file.started_name("/e/lc0", "/usr/bin/python3", is_frozen=False) == "lc0"


def test_link_to_the_program_is_that_engine(paired: Path, tmp_path: Path) -> None:
    link = tmp_path / "lc0-rook.example"
    link.symlink_to(Path(sys.executable).with_name("rookery-bridge"))
    paired.write_text("{")
    ran = subprocess.run([link], capture_output=True, text=True, check=False, input="")
    assert ran.returncode == 2
    assert f"{paired} is no remote engine" in ran.stdout


def unpacked(parent: Path, start: str, package: str = "rookery_chess") -> Path:
    """Make a folder as PyInstaller does."""
    folder = parent / f"_MEI{start}abcdef"
    (folder / f"{package}-1.0.dist-info").mkdir(parents=True)
    return folder


def test_folders_of_killed_programs_go_with_the_own_and_no_others(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as running:
        dead = unpacked(tmp_path, f"{ended.pid:08x}")
        kept = [
            unpacked(tmp_path, f"{running.pid:08x}"),
            unpacked(tmp_path, f"{ended.pid:08x}x", "other"),
            unpacked(tmp_path, ""),  # without a number, as older ones
            unpacked(tmp_path, f"{ended.pid:08x}own"),
        ]
        one_file.adopt_leftovers(kept[-1])
        running.communicate(b"\n")
    assert set(tmp_path.iterdir()) == set(kept)
    assert (kept[-1] / dead.name / "rookery_chess-1.0.dist-info").exists()


# The first process starts the second, as PyInstaller's does.
FIRST = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1], sys.argv[2]])"
SECOND = """\
import os, sys, threading
from pathlib import Path
from rookery_bridge import one_file

sys._MEIPASS = str(Path(sys.argv[1], f"_MEI{os.getppid():08x}abcdef"))
is_left = threading.Event()
one_file.follow_first_process(is_left.set)
print("ready", flush=True)
print(is_left.wait(60), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process by a signal")
def test_program_ends_when_its_first_process_is_killed(tmp_path: Path) -> None:
    """A chess program kills that, and may keep the pipes open."""
    command = [sys.executable, "-c", FIRST, SECOND, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout
        assert first.stdout.readline() == "ready\n"
        first.kill()
        assert first.stdout.readline() == "True\n"
