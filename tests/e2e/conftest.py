"""Real programs for the tests of the whole: found, started, and watched until they are gone.

A test here never skips: what is missing on the machine fails it with the name of the
package to install.
"""

import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from bench.child import free_port
from helpers.screen import screen

# program -> package of Debian
PACKAGES = {
    "identify": "imagemagick",
    "import": "imagemagick",
    "polyglot": "polyglot",
    "pychess": "pychess",
    "stockfish": "stockfish",
    "xboard": "xboard",
    "Xvfb": "xvfb",
}

UP_TIMEOUT = 15.0  # s until a started program must be ready
END_TIMEOUT = 10.0  # s until a program that was told to end is gone
MARK = "ROOKERY_TEST"  # in the environment of every process that a test starts

Process = subprocess.Popen[bytes]


@pytest.fixture(scope="session")
def find() -> Callable[[str], str]:
    """Return what gives a program's path."""
    return find_program


@pytest.fixture(scope="session")
def run() -> Callable[..., AbstractContextManager[Process]]:
    """Return what runs a program while a block lasts."""
    return running


def find_program(program: str) -> str:
    """Return a program's path, or fail the test with what to install."""
    own = Path(sys.executable).parent / program
    if own.exists():
        return str(own)
    # Debian puts games where root's PATH does not look.
    found = shutil.which(program) or shutil.which(program, path="/usr/games")
    if found is None:
        remedy = f"apt install {PACKAGES[program]}" if program in PACKAGES else "make build"
        pytest.fail(f"{program} is missing: `{remedy}`")
    return found


@pytest.fixture
def display(watched: None, tmp_path: Path) -> Iterator[str]:
    """Run an X server without a screen and return its name."""
    with screen(find_program, running, tmp_path) as name:
        yield name


@pytest.fixture
def watched() -> Iterator[None]:
    """Let a test end only when no process is left that it started, directly or not."""
    mark = str(uuid.uuid4())
    os.environ[MARK] = mark
    try:
        yield
        assert_none_left(mark)
    finally:
        del os.environ[MARK]


def assert_none_left(mark: str) -> None:
    """Wait until every process with this mark in its environment is gone."""
    until = time.monotonic() + END_TIMEOUT
    while left := marked(mark):
        assert time.monotonic() < until, f"still running: {left}"
        time.sleep(0.1)


def marked(mark: str) -> list[str]:
    """Return the command lines of the processes that were started under a mark."""
    own = str(os.getpid())
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.name != own and f"{MARK}={mark}".encode() in environment(process):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:  # it ended meanwhile
            continue
    return found


def environment(process: Path) -> list[bytes]:
    """Return the environment with which a process was started."""
    return (process / "environ").read_bytes().split(b"\0")


@contextmanager
def running(command: list[str], log: Path, **more: object) -> Iterator[Process]:
    """Run a program while the block lasts and keep what it prints in a file."""
    with log.open("wb") as output:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            **more,  # type: ignore[call-overload]  # keywords of Popen
        )
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(END_TIMEOUT)
        except subprocess.TimeoutExpired:
            child.kill()
            raise


@pytest.fixture
def server_url(watched: None, tmp_path: Path) -> Iterator[str]:
    """Run a server in front of our engine and return the engine's URL."""
    port, tcp_port = free_port(), free_port()
    command = [find_program("rookery-server"), "serve", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--tcp-port", str(tcp_port)]
    command += ["--engine", f"rookery={find_program('rookery-engine')}"]
    with running(command, tmp_path / "server.log") as server:
        wait_until_up(f"http://127.0.0.1:{port}/healthz", server, tmp_path / "server.log")
        yield f"ws://127.0.0.1:{port}/engines/rookery"
        assert server.poll() is None, (tmp_path / "server.log").read_text()
    assert server.returncode == 0, (tmp_path / "server.log").read_text()


def wait_until_up(url: str, server: Process, log: Path) -> None:
    """Return when the server answers at `url`."""
    until = time.monotonic() + UP_TIMEOUT
    while server.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(url, timeout=1) as answer:
                assert answer.status == 200
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.05)
    pytest.fail(f"the server did not come up: {log.read_text()}")
