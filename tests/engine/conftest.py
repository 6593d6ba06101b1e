"""The engine as a process, for tests that speak UCI with it."""

import contextlib
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

COMMAND = (sys.executable, "-m", "rookery_engine")
TIMEOUT = 30.0  # s; far beyond what anything here takes


class Talk:
    """A running engine, as lines."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        pipe = subprocess.PIPE
        # Tests that are started in the background may ignore SIGINT.
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._has_ended = False
        self._reader = threading.Thread(target=self._read, name="read engine", daemon=True)
        self._reader.start()

    def send(self, *lines: str) -> None:
        self.write("".join(f"{line}\n" for line in lines).encode())

    def write(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read_line(self) -> str:
        """Return the next line; "" when the engine has closed its output."""
        line = self._lines.get(timeout=TIMEOUT)
        self._has_ended = line is None
        return line or ""

    def read_until(self, start: str) -> list[str]:
        """Return lines up to the first that starts so."""
        lines = [self.read_line()]
        while not lines[-1].startswith(start):
            assert not self._has_ended, f"the engine ended before it said {start!r}"
            lines.append(self.read_line())
        return lines

    def query(self, *lines: str, until: str = "bestmove") -> list[str]:
        """Send lines and return the output up to the answer."""
        self.send(*lines)
        return self.read_until(until)

    def quiet_lines(self) -> list[str]:
        """Return the output up to now: it comes before the next readyok."""
        return self.query("isready", until="readyok")[:-1]

    def end(self) -> int:
        """Close the engine's input; return its exit status."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        return self.process.wait(TIMEOUT)

    def stderr(self) -> str:
        return self.process.stderr.read().decode()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def _read(self) -> None:
        with contextlib.suppress(ValueError):
            for line in self.process.stdout:
                self._lines.put(line.decode().rstrip("\n"))
        self._lines.put(None)


@pytest.fixture
def command() -> tuple[str, ...]:
    return COMMAND


@pytest.fixture
def start() -> Iterator[Callable[..., Talk]]:
    """Start engines that are ended with the test."""
    running: list[Talk] = []

    def start_one(*command: str) -> Talk:
        running.append(Talk(command or COMMAND))
        return running[-1]

    yield start_one
    for talk in running:
        talk.kill()


@pytest.fixture
def engine(start: Callable[..., Talk]) -> Talk:
    return start()
