"""Engine processes: started, spoken to, and ended for certain.

Nothing here waits: pipes are read and written when they are ready, and the end of
a process is heard of by SIGCHLD.
"""

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import threading
from collections.abc import Callable

from rookery_server.engines.child_process import (
    Reaper,
    cpu_of,
    describe_exit,
    kill_group,
    memory_of,
    spawn,
)
from rookery_server.engines.engine_build import stamps_of
from rookery_server.engines.running import BaseEngine
from rookery_server.engines.running_engine import Backlog, EngineListener, EngineSpec
from rookery_server.engines.stderr_log import StderrLog
from rookery_server.engines.stdin_writer import StdinWriter
from rookery_server.engines.stdout_reader import NAP, SHORT, StdoutReader
from rookery_server.log import about

logger = logging.getLogger(__name__)

PIECE = 16384  # bytes read at once: 100 lines to one write, and others get their turn
PIPE = 65536  # bytes that wait in the pipe of an engine that has ended, at most

# Bytes that may wait for an engine.  Its client is not heard long before (session/backpressure.py);
# what was held back during a search and what had come already are more, and are less than this.
MAX_UNSENT = 1 << 21
QUIT_PATIENCE = 1.0  # s from `quit` to SIGTERM, and as long again to SIGKILL


class ProcessEngine(BaseEngine):
    """One running engine: `tell` it lines, and the listener hears its own."""

    has_come = True  # It is a process of this machine,
    is_lost = False  # and nothing is between.

    def __init__(
        self,
        spec: EngineSpec,
        listener: EngineListener,
        reaper: Reaper,
        *,
        stderr: int = subprocess.DEVNULL,
    ) -> None:
        """Start the engine.

        Args:
            spec: what is started.
            listener: who hears it.
            reaper: who sees to its end.
            stderr: a descriptor for its complaints.

        Raises:
            OSError: the program cannot be started.

        """
        super().__init__(listener)
        self.words = (*spec.command, *spec.beside)
        self.files = stamps_of(self.words)  # Before it starts: what comes later it has not read.
        self._process = spawn(spec.command, spec.limits, stderr=stderr)
        assert self._process.stdin
        assert self._process.stdout
        self._loop = asyncio.get_running_loop()
        self._inlet = StdinWriter(self._process.stdin.fileno(), self._loop, self._closed_its_input)
        self._stdout = self._process.stdout.fileno()
        self._hearing = StdoutReader()
        self._timer: asyncio.TimerHandle | None = None  # to the next harder way to end it
        # Its descriptors are closed and its pid is free: both may be another's by now.
        self._gone = False
        self._cpu: float | None = None  # in all, when it has ended
        self._nap: asyncio.TimerHandle | None = None
        self._complaint = ""
        self._no_use = ""  # why it was asked to quit, if that was not wished for
        os.set_blocking(self._stdout, False)
        self._loop.add_reader(self._stdout, self._readable)
        reaper.watch(self._process, self._exited)

    @property
    def pid(self) -> int:
        """The number of the process, and of its group."""
        return self._process.pid

    @property
    def label(self) -> str:
        """What the log calls it."""
        return str(self.pid)

    @property
    def is_left_alone(self) -> bool:
        """Whether what it says gathers in the pipe for a moment."""
        return self._nap is not None

    def cpu_total(self) -> float | None:
        """Return the CPU time that it has used in all; None if that cannot be known."""
        return self._cpu if self._gone else cpu_of(self.pid)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is known against it: it is neither ended nor complained of."""
        return not (self._gone or self._timer or self.asked_to_end or self._complaint)

    def memory_mb(self) -> int:
        """Return the memory that it shares with no other, in MiB; 0 if that cannot be known."""
        return 0 if self._gone else memory_of(self.pid)

    def tell(self, piece: bytes) -> None:
        """Send whole lines to the engine; they wait here if it does not read them yet."""
        if not self._timer and not self._gone:
            if self._nap:
                self._wake()
                self._listen()
            self._hearing.expect_answer()
            self._send(piece)

    def pause(self) -> None:
        """Leave what the engine says in the pipe: soon it has to wait."""
        if not self._gone and not self._timer:
            self.paused = True
            self._wake()
            self._loop.remove_reader(self._stdout)

    def resume(self) -> None:
        """Hear the engine again."""
        if self.paused and not self._gone:
            self.paused = False
            self._loop.add_reader(self._stdout, self._readable)

    def look_away(self, seconds: float) -> None:
        """Leave what the engine says in the pipe for so long, or until it is told something."""
        if not (self.paused or self._timer or self._gone or self._nap):
            self._doze(seconds)

    def end(self) -> None:
        """Ask the engine to quit; what does not go in time is made to."""
        self.asked_to_end = True
        if not self._timer and not self._gone:
            self._see_to_its_end()
            self.resume()  # it may be waiting to be heard

    def complain(self, complaint: str) -> None:
        """End the engine at once, for a reason that its listener is told."""
        self._complaint = complaint
        self.kill()

    def kill(self) -> None:
        """End the engine at once."""
        if not self._gone:
            kill_group(self.pid, signal.SIGKILL)

    def _see_to_its_end(self) -> None:
        self._send(b"quit\n")
        self._timer = self._loop.call_later(QUIT_PATIENCE, self._terminate)
        self._inlet.when_written(self._close_stdin)

    def _terminate(self) -> None:
        logger.warning(
            "engine %d did not quit, so it is terminated", self.pid, extra=about(pid=self.pid)
        )
        self._complaint = self._complaint or self._no_use
        kill_group(self.pid, signal.SIGTERM)
        self._timer = self._loop.call_later(QUIT_PATIENCE, self.kill)

    # --- its input

    @property
    def unsent(self) -> int:
        """How many bytes wait here, because the engine does not take them yet."""
        return self._inlet.unsent

    def backlog(self) -> Backlog:
        """Return how far it is with what it was told."""
        return self._inlet.backlog()

    def when_taken(self, call: Callable[[], None]) -> None:
        """Call this once, as soon as nothing waits here."""
        self._inlet.when_taken(call)

    def _send(self, data: bytes) -> None:
        self._inlet.put(data)
        if self._inlet.unsent > MAX_UNSENT:
            self.complain(f"it left {self._inlet.unsent} bytes unread")

    def _close_stdin(self) -> None:
        self._inlet.close()
        if self._process.stdin:
            self._process.stdin.close()

    def _closed_its_input(self) -> None:
        """See an engine off that hears no more; one that ends just now says how it did."""
        if not self._timer and not self._gone:
            self._no_use = "it closed its input, and went on"
            self._see_to_its_end()

    # --- its output

    def _readable(self) -> None:
        try:
            data = _read(self._stdout)
        except BlockingIOError:
            return
        if data:
            self._hear(data)
            nap = self._hearing.nap_after(len(data))
            if nap and not (self.paused or self._timer or self._gone or self._nap):
                self._doze(nap)
        else:
            self._closed_its_output()

    def _closed_its_output(self) -> None:
        """See an engine off that says no more: it has ended, or is of no more use."""
        self._loop.remove_reader(self._stdout)
        if not self._timer:
            self._no_use = "it closed its output, and went on"
            self._see_to_its_end()

    def _doze(self, nap: float) -> None:
        self._loop.remove_reader(self._stdout)
        self._nap = self._loop.call_later(nap, self._rise, nap)

    def _rise(self, nap: float) -> None:
        """Hear what was said meanwhile; if that is little, there is time for more."""
        self._nap = None
        try:
            data = _read(self._stdout)
        except BlockingIOError:
            self._listen()
            return
        if not data:
            self._closed_its_output()
            return
        self._hear(data)
        if self.paused or self._gone or self._nap:  # who has heard it may have seen to that
            return
        if nap == NAP and len(data) < SHORT and not self._timer:
            self._doze(nap)
        else:
            self._listen()

    def _listen(self) -> None:
        self._hearing.begin()
        self._loop.add_reader(self._stdout, self._readable)

    def _wake(self) -> None:
        if self._nap:
            self._nap.cancel()
            self._nap = None

    def _hear(self, data: bytes) -> None:
        if piece := self._hearing.lines(data):
            try:
                self.listener.engine_said(piece)
            except Exception:  # What was said is lost, and somebody may wait for it.
                self.complain("what it said led to an error of the server")
                raise

    def _exited(self, code: int, cpu: float | None) -> None:
        # First of all, because whoever hears its last words may want to answer them.
        self._gone, self._cpu = True, cpu
        self._wake()
        self._loop.remove_reader(self._stdout)
        try:
            self._drain()
        finally:
            self._close_stdin()
            if self._process.stdout:
                self._process.stdout.close()
            if self._timer:
                self._timer.cancel()
            self.listener.engine_ended(self._complaint or describe_exit(code))

    def _drain(self) -> None:
        """Hear what is left in the pipe of a process that has ended.

        Something that it has started may hold the pipe open, and even go on to write.
        """
        left = PIPE
        with contextlib.suppress(BlockingIOError):
            while left > 0 and (data := _read(self._stdout)):
                left -= len(data)
                self._hear(data)


class _Scratch(threading.local):
    """What is read into, one for all engines of a thread."""

    def __init__(self) -> None:
        self.view = memoryview(bytearray(PIECE))


_scratch = _Scratch()


def _read(descriptor: int) -> bytes:
    """Read what there is, as `os.read` does, which takes memory for all that there may be.

    A line of it that is kept then stands where 16 KiB were, the next 16 KiB do not fit behind
    it, and memory grows: by 2.3 MiB a minute with 50 sessions that search.
    """
    view = _scratch.view
    return bytes(view[: os.readv(descriptor, (view,))])


class LocalEngineHost:
    """Starts engines as processes; what they complain of goes to the log, or nowhere."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Make it; `quiet` is that nobody wants to know what engines complain of."""
        self._quiet = quiet
        self._stderr: dict[str, StderrLog] = {}  # one for all engines of a name
        self._reaper: Reaper

    async def open(self) -> None:
        """Listen for the ends of processes from now on."""
        self._reaper = Reaper(asyncio.get_running_loop())

    def start(self, spec: EngineSpec, listener: EngineListener) -> ProcessEngine:
        """Start a process.

        Raises:
            OSError: the program cannot be started.

        """
        if self._quiet:
            return ProcessEngine(spec, listener, self._reaper)
        if spec.name not in self._stderr:
            self._stderr[spec.name] = StderrLog(spec.name)
        stderr = self._stderr[spec.name].writing
        return ProcessEngine(spec, listener, self._reaper, stderr=stderr)

    async def close(self) -> None:
        """Wait until every process is gone."""
        await self._reaper.wait_until_none()
        self._reaper.close()
        for log in self._stderr.values():
            log.close()
