"""Two machines on one network: namespaces, joined by a pair of virtual interfaces."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 60.0  # s
BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Machine:
    """A namespace with a home folder of its own; `address` is its first of IPv4."""

    namespace: str
    home: Path
    address: str
    address_6: str

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of a user of this machine, who has nothing yet."""
        unset = ("STATE_DIRECTORY", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
        kept = {name: value for name, value in os.environ.items() if name not in unset}
        return {**kept, "HOME": str(self.home)}

    def within(self, *words: str) -> list[str]:
        """Return the command that does this there."""
        program = BIN / words[0]
        return [
            *("ip", "netns", "exec", self.namespace),
            *(str(program) if program.exists() else words[0], *words[1:]),
        ]

    def run(self, *words: str, said: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program there to its end; `said` is its input."""
        return subprocess.run(
            self.within(*words),
            input=said,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            env=self.environment,
        )

    def output_of(self, *words: str) -> str:
        """Return what a program says that has to succeed."""
        done = self.run(*words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    @contextmanager
    def serving(self, name: str, config: str, *more: str) -> Iterator[Path]:
        """Run a server there that is announced; yield the file of its log."""
        file, log = self.home / f"{name}.toml", self.home / f"{name}.log"
        file.write_text(config)
        words = self.within("rookery-server", "serve", "--config", str(file), *more)
        with (
            log.open("w") as stderr,
            subprocess.Popen(
                words, stdout=subprocess.PIPE, stderr=stderr, text=True, env=self.environment
            ) as process,
        ):
            try:
                assert process.stdout
                assert "Ctrl-C ends it.\n" in iter(process.stdout.readline, ""), log.read_text()
                until(lambda: "announced on the local network as" in log.read_text())
                yield log
            finally:
                process.terminate()
                process.wait(PATIENCE)


@dataclass(frozen=True)
class Network:
    """The machine of the club, and that of a guest."""

    club: Machine
    guest: Machine


def until(condition: Callable[[], object]) -> None:
    """Wait for something that happens outside of this program."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.05)


def do(*words: str) -> None:
    """Run a command of the system."""
    subprocess.run(words, check=True)


@contextmanager
def network(folder: Path) -> Iterator[Network]:
    """Make two namespaces, joined by a pair of virtual interfaces; their homes are in a folder."""
    names = [f"rookery-{os.getpid()}-{each}" for each in ("club", "guest")]
    machines = [
        Machine(name, folder / name, f"10.97.0.{number}", f"fd97::{number}")
        for number, name in enumerate(names, 1)
    ]
    ends = [f"rk{os.getpid() % 100_000}{each}" for each in "cg"]
    try:
        for machine in machines:
            machine.home.mkdir()
            do("ip", "netns", "add", machine.namespace)
        do("ip", "link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
        for machine, end in zip(machines, ends, strict=True):
            inside = ("ip", "-n", machine.namespace)
            do("ip", "link", "set", end, "netns", machine.namespace)
            do(*inside, "address", "add", f"{machine.address}/24", "dev", end)
            do(*inside, "address", "add", f"{machine.address_6}/64", "dev", end, "nodad")
            for link in ("lo", end):
                do(*inside, "link", "set", link, "up")
            do(*inside, "route", "add", "224.0.0.0/4", "dev", end)
        # The guest's machine has a second address, as if it were its neighbour.
        second = ("ip", "-n", names[1], "address", "add")
        do(*second, "10.97.0.3/24", "dev", ends[1])
        do(*second, "fd97::3/64", "dev", ends[1], "nodad", "preferred_lft", "0")
        yield Network(*machines)
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], check=False)
