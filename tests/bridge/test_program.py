"""The start of the bridge: its clock, the engine of this machine, and tokens as arguments."""

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from rookery_bridge import program


def coarse(name: str) -> SimpleNamespace:
    """Return what Python 3.12 says of its clocks on Windows."""
    return SimpleNamespace(resolution={"monotonic": 0.015625, "perf_counter": 1e-7}[name])


def test_clock_of_the_loop_is_fine_where_the_usual_one_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "get_clock_info", coarse)
    late: list[float] = []

    async def measure() -> None:
        loop = asyncio.get_running_loop()
        assert loop.time() == pytest.approx(time.perf_counter(), abs=1.0)
        due = loop.time() + 0.02
        done = asyncio.Event()
        loop.call_at(due - 0.005, time.time)  # It is awake just before.
        loop.call_at(due, lambda: (late.append(loop.time() - due), done.set()))
        await done.wait()

    monkeypatch.setattr(time, "monotonic", lambda: 0.0)  # Nothing of it goes by that one.
    with asyncio.Runner(loop_factory=program.new_event_loop) as runner:
        runner.run(measure())
    assert late[0] >= 0.0  # Coarse clocks call back early.


def test_usual_loop_will_do_where_its_clock_is_fine() -> None:
    loop = program.new_event_loop()
    try:
        assert loop.time() == pytest.approx(time.monotonic(), abs=1.0)
        assert "time" not in vars(loop)
    finally:
        loop.close()


def options(fallback: str | None = None) -> argparse.Namespace:
    return argparse.Namespace(fall_back=True, fallback=fallback)


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs that is not on the path."""
    folder = tmp_path / "Scripts"
    folder.mkdir()
    for name in ("rookery-engine", "stockfish"):
        (folder / name).touch(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    return folder


def test_own_engine_is_found_beside_the_bridge(
    scripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python may be in another folder, as on Windows, where both are seldom on the path."""
    monkeypatch.setattr(sys, "argv", [str(scripts.parent / "other" / "rookery-bridge")])
    assert program._fallback(options()) == []
    monkeypatch.setattr(sys, "argv", [str(scripts / "rookery-bridge")])
    assert program._fallback(options()) == [str(scripts / "rookery-engine")]


def test_own_engine_is_found_from_a_launcher_that_is_a_copy(
    scripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [str(scripts.parent / "rookery-engines" / "mine.exe")])
    paths = {(): "/nowhere", ("nt_user",): str(scripts)}
    monkeypatch.setattr("sysconfig.get_path", lambda _, *scheme: paths[scheme])
    with monkeypatch.context() as patch:
        patch.setattr("sys.platform", "win32")
        folders = program._program_folders()
    assert folders[2:] == [Path("/nowhere"), scripts]


def test_command_is_started_as_it_was_found(scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows itself would look for no `stockfish.cmd`."""
    monkeypatch.setenv("PATH", os.pathsep.join(("/nowhere", str(scripts))))
    assert program._fallback(options("stockfish uci")) == [str(scripts / "stockfish"), "uci"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("ws://127.0.0.1:1/engines/x", "--token", "secret"),
        ("doctor", "ws://127.0.0.1:1/engines/x", "--token", "secret"),
        ("doctor", "--token", "secret"),
        ("doctor", "--token=secret"),
        ("pair", "link", "--token", "secret"),
        ("list", "--token", "secret"),
        ("lichess", "--engine", "Engine=x", "--token", "secret"),
    ],
)
def test_token_that_is_an_argument_is_refused_and_not_shown(
    arguments: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    assert program.run(arguments) == program.USAGE_ERROR
    said = "".join(capfd.readouterr())
    assert "a token is never an argument" in said
    assert "secret" not in said
