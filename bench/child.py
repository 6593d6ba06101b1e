"""Programs that a benchmark starts: found, bounded in time, and ended by their id.

Each child gets a process session of its own, so that Ctrl-C reaches this program
alone, which then ends the children in the order in which it started them.
"""

import contextlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OUT = Path(__file__).parent / "out"
SETTLED = 5  # looks, a tenth of a second apart, between which nothing is done
END_TIMEOUT = 5.0  # s to end after SIGTERM; killed after that

# Programs of Debian that a benchmark compares with: program -> package.
PACKAGES = {
    "gcc": "gcc",
    "socat": "socat",
    "stockfish": "stockfish",
    "websocketd": "websocketd",
}


class MissingError(Exception):
    """Something is not installed; the text is the sentence to show."""


def find(program: str) -> str:
    """Return the path of a program: ours beside this Python, others from the PATH."""
    own = Path(sys.executable).parent / program
    if own.exists():
        return str(own)
    # Debian puts engines where root's PATH does not look.
    found = shutil.which(program) or shutil.which(program, path="/usr/games")
    if found:
        return found
    if program in PACKAGES:
        raise MissingError(f"{program} is missing: `apt install {PACKAGES[program]}`")
    if program.startswith("rookery-"):
        raise MissingError(f"{program} is missing: `make build` makes it")
    raise MissingError(f"there is no program {program}")


@contextmanager
def running(command: list[str], *, files: int | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program while the block lasts; what it prints goes to a log under `OUT`.

    `files` is its limit of open files.
    """
    log_path = OUT / f"{Path(command[0]).name}.log"
    if files is not None:
        command = ["prlimit", f"--nofile={files}:{files}", *command]
    with log_path.open("ab") as log:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield child
    finally:
        end(child)


def end(child: subprocess.Popen[bytes] | subprocess.Popen[str]) -> None:
    """End a child by its id, politely first."""
    child.terminate()
    try:
        child.wait(END_TIMEOUT)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait(END_TIMEOUT)


def free_port() -> int:
    """Return a TCP port of the loopback that nobody uses now, and no connection takes by chance.

    One from the system (`bind` to 0) lies in the range from which it serves outgoing
    connections too: by the time that a server binds it, it may be one's.
    """
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


def wait_for_port(port: int, child: subprocess.Popen[bytes], *, seconds: float = 15.0) -> None:
    """Return when `child` accepts connections on the loopback's `port`."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if child.poll() is not None:
            raise RuntimeError(f"{child.args!r} ended with status {child.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"{child.args!r} did not listen on port {port} within {seconds} s")


def wait_until_settled(child: subprocess.Popen[bytes], *, seconds: float = 15.0) -> None:
    """Return when `child` has had nothing to do for a while: what it loads beside is there."""
    until = time.monotonic() + seconds
    before, quiet = (0, 0), 0
    while quiet < SETTLED and time.monotonic() < until:
        time.sleep(0.1)
        now = _work_of(child.pid)
        quiet = quiet + 1 if now == before else 0
        before = now


def _work_of(pid: int) -> tuple[int, int]:
    """Return the CPU time of a process, in ticks, and its memory, in pages."""
    root = Path(f"/proc/{pid}")
    user, system = (root / "stat").read_text().rpartition(")")[2].split()[11:13]
    return int(user) + int(system), int((root / "statm").read_text().split()[1])


def interrupt_on_term() -> None:
    """Let SIGTERM unwind as Ctrl-C does, so that every child is ended."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
