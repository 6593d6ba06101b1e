"""The units under a real systemd: `make systemd-test`, as root.

Not among the tests of `make test`: systemd has to be process 1, so it gets namespaces of its own,
and the server is installed there as docs/operations.md says, which takes a minute.  It wants
systemd, util-linux, iproute2, python3-dev, python3-venv, gcc and stockfish of Debian.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.engine
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OWN = Path("/lib/systemd/system")  # what systemd brings with it
# Of these, what the units of Rookery are ordered by.
BASE = (
    *("-.slice", "system.slice", "init.scope", "slices.target", "sysinit.target", "basic.target"),
    *("local-fs.target", "swap.target", "sockets.target", "timers.target", "paths.target"),
    *("network.target", "multi-user.target", "shutdown.target", "umount.target", "final.target"),
)
NAMESPACES = ("-m", "-p", "-u", "-i", "-C", "-n")
PATIENCE = 60.0  # s
WATCHDOG = 30.0  # s; of rookery.service
ADDRESS = "tcp://127.0.0.1:8081/{}"
BRIDGE = "/opt/rookery/bin/rookery-bridge"
SERVER = "/opt/rookery/bin/rookery-server"

pytestmark = pytest.mark.timeout(600)


@dataclass(frozen=True)
class Machine:
    """Namespaces in which a systemd runs; `pid` is its own, seen from here."""

    pid: int

    def within(self, *words: str) -> list[str]:
        """Return the command that does this there."""
        return ["nsenter", "-t", str(self.pid), *NAMESPACES, "--", *words]

    def do(self, *words: str) -> str:
        """Do it; return what it says."""
        done = subprocess.run(
            self.within(*words), capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def says(self, *words: str) -> str:
        """Return what a command says, whether it succeeds or not."""
        done = subprocess.run(
            self.within(*words), capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        return done.stdout.strip()

    def property(self, name: str) -> str:
        """Return what systemd knows of the service."""
        return self.do("systemctl", "show", "rookery", "--property", name, "--value")

    def engine(self, name: str) -> chess.engine.SimpleEngine:
        """Return an engine of the server, as a chess GUI has it."""
        return chess.engine.SimpleEngine.popen_uci(
            self.within(BRIDGE, ADDRESS.format(name)), timeout=PATIENCE
        )

    def move_of(self, name: str) -> str:
        """Return the move that an engine of the server plays first."""
        with self.engine(name) as engine:
            move = engine.play(chess.Board(), chess.engine.Limit(time=0.2)).move
        return str(move)

    def send(self, number: signal.Signals, *pids: str) -> None:
        """Send a signal to processes there."""
        assert pids
        self.do("kill", f"-{number.value}", *pids)


def until(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Wait for something that happens outside of this program."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    assert os.geteuid() == 0, "namespaces with a systemd in them are made by root"
    folder = tmp_path_factory.mktemp("machine")
    folder.chmod(0o755)
    folder.parent.chmod(0o755)
    folder.parent.parent.chmod(0o755)
    for name in ("opt", "base"):
        (folder / name).mkdir()
    subprocess.run(["cp", "-a", "/etc", str(folder)], check=True)
    shutil.rmtree(folder / "etc/systemd/system")
    (folder / "etc/systemd/system").mkdir()
    for name in BASE:
        if (OWN / name).exists():
            shutil.copy(OWN / name, folder / "base")
    install = ["unshare", "-m", "sh", str(HERE / "install.sh"), str(folder), str(ROOT)]
    subprocess.run(install, check=True)
    boot = ["unshare", *NAMESPACES, "-f", "--kill-child", "sh", str(HERE / "boot.sh"), str(folder)]
    with subprocess.Popen(boot) as unshare:
        try:
            children = Path(f"/proc/{unshare.pid}/task/{unshare.pid}/children")
            until(lambda: unshare.poll() is not None or children.read_text().split())
            booted = Machine(int(children.read_text().split()[0]))
            until(lambda: booted.says("systemctl", "is-active", "sysinit.target") == "active")
            booted.do("systemctl", "enable", "--now", "rookery")
            yield booted
        finally:
            unshare.kill()


def test_it_serves_each_engine_as_the_pages_say(machine: Machine) -> None:
    until(lambda: machine.says(SERVER, "health", "--ready") == "ready")
    for name in ("stockfish", "rookery"):
        assert chess.Move.from_uci(machine.move_of(name)) in chess.Board().legal_moves


def test_it_has_its_places_and_nobody_else_does(machine: Machine) -> None:
    for place in ("/run/rookery", "/var/lib/rookery"):
        assert machine.do("stat", "-c", "%U %a", place) == "rookery 700"
    assert "ENGINE" in machine.do(SERVER, "sessions", "list")
    until(lambda: machine.says("ls", "/var/lib/rookery/cache.sqlite"))


def test_an_engine_that_is_killed_is_replaced(machine: Machine) -> None:
    with machine.engine("rookery") as engine:
        engine.ping()
        machine.send(
            signal.SIGKILL,
            *machine.do("pgrep", "-u", "rookery", "-f", "bin.rookery-engine").split(),
        )
        assert engine.play(chess.Board(), chess.engine.Limit(time=0.2)).move


def test_a_reload_keeps_who_is_there(machine: Machine) -> None:
    with machine.engine("stockfish") as engine:
        before = machine.property("MainPID")
        machine.do("systemctl", "reload", "rookery")
        until(lambda: machine.property("ActiveState") == "active")
        engine.ping()
        assert machine.property("MainPID") == before


def test_a_search_has_its_move_before_a_restart_and_who_comes_meanwhile_waits(
    machine: Machine,
) -> None:
    before = machine.property("MainPID")
    with machine.engine("stockfish") as engine, engine.analysis(chess.Board()) as analysis:
        analysis.get()
        machine.do("systemctl", "restart", "--no-block", "rookery")
        assert machine.move_of("rookery")
        analysis.stop()
        assert analysis.wait().move
    assert machine.property("MainPID") != before


def test_who_comes_to_a_server_that_was_stopped_starts_it(machine: Machine) -> None:
    machine.do("systemctl", "stop", "rookery")
    assert machine.property("ActiveState") == "inactive"
    assert machine.property("Result") == "success"
    assert machine.move_of("rookery")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_server_that_dies_or_stands_still_is_started_anew(
    machine: Machine, number: signal.Signals
) -> None:
    machine.do("systemctl", "reset-failed", "rookery")  # Else the fifth time would be too often.
    before = machine.property("MainPID")
    machine.send(number, before)
    until(lambda: machine.property("MainPID") not in (before, "0"), WATCHDOG + PATIENCE)
    assert machine.move_of("stockfish")
    engines = machine.do("pgrep", "-u", "rookery", "-x", "stockfish").split()
    assert len(engines) <= 2, "those of the server before are still there"
