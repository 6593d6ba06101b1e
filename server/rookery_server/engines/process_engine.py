"""Engine processes of this machine: the host that starts them, and their pipes.

Nothing here waits: pipes are read and written when they are ready, and the end of
a process is known by SIGCHLD.
"""

import asyncio
import contextlib
import fcntl
import logging
import os
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable
from functools import partial

from rookery_server.engines.child_process import (
    Reaper,
    cpu_of,
    describe_exit,
    kill_group,
    memory_of,
    spawn,
)
from rookery_server.engines.engine_build import stamps_of
from rookery_server.engines.running_engine import (
    MAX_UNSENT,
    NAP,
    SHORT,
    Backlog,
    EngineListener,
    EngineSpec,
    RunningEngine,
)
from rookery_server.engines.stderr_log import StderrLog
from rookery_server.log import about

logger = logging.getLogger(__name__)

PIECE = 16384  # bytes read at once: 100 lines to one write, and others get their turn
PIPE = 65536  # bytes that wait in the pipe of an engine that has ended, at most

AHEAD = 1024  # bytes that may be in the input pipe unread before the rest waits here
PAGE = 4096  # bytes that it holds: it can be written when all of it is read, and not before
QUICK = 0.01  # s in which an engine has read what it got, if it may get twice as much next

# Linux alone has it; elsewhere the pipe is as it is, and an engine is ahead by more lines.
_SET_SIZE: int | None = getattr(fcntl, "F_SETPIPE_SZ", None)
_COUNT = struct.Struct("i")


def _do_nothing() -> None:
    pass


class LocalEngineHost:
    """The host of engine processes; what they write to stderr goes to the log, or nowhere."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Make it; `quiet` drops what engines write to stderr."""
        self._quiet = quiet
        self._stderr: dict[str, StderrLog] = {}  # one for all engines of a name
        self._reaper: Reaper

    async def open(self) -> None:
        """Watch for the ends of processes from now on."""
        self._reaper = Reaper(asyncio.get_running_loop())

    def start(self, spec: EngineSpec, listener: EngineListener) -> "ProcessEngine":
        """Start a process.

        Raises:
            OSError: the program cannot be started.

        """
        if self._quiet:
            return ProcessEngine(spec, listener, self._reaper)
        if spec.name not in self._stderr:
            self._stderr[spec.name] = StderrLog(spec.name)
        return ProcessEngine(spec, listener, self._reaper, stderr=self._stderr[spec.name].writing)

    async def close(self) -> None:
        """Wait until every process is gone."""
        await self._reaper.wait_until_none()
        self._reaper.close()
        for log in self._stderr.values():
            log.close()


class ProcessEngine(RunningEngine):
    """One running engine, which is a process of this machine."""

    def __init__(
        self,
        spec: EngineSpec,
        listener: EngineListener,
        reaper: Reaper,
        *,
        stderr: int = subprocess.DEVNULL,
    ) -> None:
        """Start the engine; its stderr is that descriptor.

        Raises:
            OSError: the program cannot be started.

        """
        super().__init__(listener)
        self.words = spec.words
        self.files = stamps_of(self.words)  # Before it starts: what comes later it has not read.
        self._process = spawn(spec.command, spec.limits, stderr=stderr)
        assert self._process.stdin
        assert self._process.stdout
        closed = partial(self._quit_without_pipe, "it closed its input, and went on")
        self._stdin = StdinWriter(self._process.stdin.fileno(), self._loop, closed)
        self._stdout = self._process.stdout.fileno()
        # Once it is gone its descriptors are closed and its pid is free: both may be another's.
        self._cpu: float | None = None  # in all, when it has ended
        self._closed_pipe = ""  # why it was asked to quit, if that was not wished for
        os.set_blocking(self._stdout, False)
        self._loop.add_reader(self._stdout, self._readable)
        reaper.watch(self._process, self._exited)

    @property
    def pid(self) -> int:
        """The number of the process, and of its group."""
        return self._process.pid

    @property
    def label(self) -> str:
        """The name that the log has for it."""
        return str(self.pid)

    def cpu_total(self) -> float | None:
        """Return the CPU time that it has used in all; None if that cannot be known."""
        return self._cpu if self.is_gone else cpu_of(self.pid)

    def memory_mb(self) -> int:
        """Return the memory that it shares with no other, in MiB; 0 if that cannot be known."""
        return 0 if self.is_gone else memory_of(self.pid)

    def kill(self, reason: str = "") -> None:
        """End the engine at once; its listener hears the reason, if one is given."""
        self._complaint = self._complaint or reason
        if not self.is_gone:
            kill_group(self.pid, signal.SIGKILL)

    def _quit(self) -> None:
        super()._quit()
        self._stdin.call_at_end(self._close_stdin)

    def _quit_in_vain(self) -> None:
        fields = about(pid=self.pid)
        logger.warning("engine %d did not quit, so it is terminated", self.pid, extra=fields)
        self._complaint = self._complaint or self._closed_pipe
        kill_group(self.pid, signal.SIGTERM)
        self._start_quit_timer(self.kill)

    def _exited(self, code: int, cpu: float | None) -> None:
        # First of all, because a listener may want to answer the last words.
        self.is_gone, self._cpu = True, cpu
        self._set_reading(on=False)
        try:
            self._drain()
        finally:
            self._close_stdin()
            if self._process.stdout:
                self._process.stdout.close()
            self._finish(describe_exit(code))

    # --- its input

    @property
    def unsent(self) -> int:
        """The number of bytes that wait here, because the engine does not take them yet."""
        return self._stdin.unsent

    def backlog(self) -> Backlog:
        """Return the engine's progress with what was sent to it."""
        return self._stdin.backlog()

    def call_when_sent(self, call: Callable[[], None]) -> None:
        """Call this once, as soon as nothing waits here."""
        self._stdin.call_when_sent(call)

    def _send(self, piece: bytes) -> None:
        self._stdin.write_lines(piece)
        if self._stdin.unsent > MAX_UNSENT:
            self.kill(f"it left {self._stdin.unsent} bytes unread")

    def _close_stdin(self) -> None:
        self._stdin.close()
        if self._process.stdin:
            self._process.stdin.close()

    def _quit_without_pipe(self, reason: str) -> None:
        """End an engine that is of no more use; one that ends just now has a better reason."""
        if not self._quit_timer and not self.is_gone:
            self._closed_pipe = reason
            self._quit()

    # --- its output

    def _set_reading(self, *, on: bool) -> None:
        if on:
            self._loop.add_reader(self._stdout, self._readable)
        else:
            self._loop.remove_reader(self._stdout)

    def _readable(self) -> None:
        try:
            data = _read(self._stdout)
        except BlockingIOError:
            return
        if not data:
            self._stdout_closed()
            return
        self._deliver(data)
        if nap := self._reader.nap_after(len(data)):
            self.pause_for(nap)

    def _nap_over(self, seconds: float) -> None:
        """Read what has gathered; if that is little, there is time for more."""
        self._nap = None
        try:
            data = _read(self._stdout)
        except BlockingIOError:
            self._end_nap()
            return
        if not data:
            self._stdout_closed()
            return
        self._deliver(data)
        if self.paused or self.is_gone or self._nap:  # The listener may have done that.
            return
        if seconds == NAP and len(data) < SHORT and not self._quit_timer:
            self._nap = self._loop.call_later(seconds, self._nap_over, seconds)
        else:
            self._end_nap()

    def _stdout_closed(self) -> None:
        self._set_reading(on=False)
        self._quit_without_pipe("it closed its output, and went on")

    def _deliver(self, data: bytes) -> None:
        if piece := self._reader.complete_lines(data):
            try:
                self.listener.engine_said(piece)
            except Exception:  # What was said is lost, and a client may wait for it.
                self.kill("what it said led to an error of the server")
                raise

    def _drain(self) -> None:
        """Deliver what is left in the pipe of a process that has ended.

        A process that it has started may hold the pipe open, and even go on to write.
        """
        left = PIPE
        with contextlib.suppress(BlockingIOError):
            while left > 0 and (data := _read(self._stdout)):
                left -= len(data)
                self._deliver(data)


class StdinWriter:
    """The end of an engine's input pipe that is written to, with the lines that wait for it.

    A pipe holds 64 KiB, two thousand short lines, and an engine that needs 50 ms for each is at
    them for minutes; from outside it cannot be told from one that hangs.  So the pipe is made
    small, an engine that falls behind gets a few lines at a time, as many as it does in a moment,
    and the kernel is asked how much of them it has read: one that goes on reading is alive.
    """

    __slots__ = (
        "_ahead",
        "_at_end",
        "_fd",
        "_loop",
        "_on_closed",
        "_on_sent",
        "_portion",
        "_unsent",
        "_written",
        "_wrote_at",
    )

    def __init__(
        self,
        fd: int,
        loop: asyncio.AbstractEventLoop,
        on_closed: Callable[[], None] = _do_nothing,
    ) -> None:
        """Write to a pipe; `on_closed` is called soon after it turns out to have no reader."""
        self._fd: int | None = fd  # None when it is closed
        self._loop = loop
        self._unsent = bytearray()
        self._written = 0  # bytes, ever
        self._ahead = 0  # bytes that may be in the pipe: those since it was last looked at
        self._portion = AHEAD  # bytes that an engine gets that is behind
        self._wrote_at = 0.0  # s, when it got the last
        self._on_sent = _do_nothing
        self._on_closed = on_closed
        self._at_end: Callable[[], None] | None = None  # when all is written
        os.set_blocking(fd, False)
        if _SET_SIZE is not None:
            with contextlib.suppress(OSError):
                fcntl.fcntl(fd, _SET_SIZE, PAGE)

    @property
    def unsent(self) -> int:
        """The number of bytes that wait here, because the engine is behind."""
        return len(self._unsent)

    def backlog(self) -> Backlog:
        """Return the engine's progress with what was written."""
        in_pipe = self._in_pipe()
        return Backlog(self._written - in_pipe, in_pipe + len(self._unsent))

    def write_lines(self, lines: bytes) -> None:
        """Give the engine whole lines, now or when it has read those before."""
        if self._fd is None:
            return
        if self._unsent:
            self._unsent += lines
            return
        if self._ahead + len(lines) > AHEAD:
            self._ahead = self._in_pipe()
        if self._ahead + len(lines) <= AHEAD:
            self._ahead += len(lines)
            lines = lines[self._write(lines) :]
        if lines:
            self._unsent += lines
            self._loop.add_writer(self._fd, self._writable)
            if not self._ahead:
                self._writable()

    def call_when_sent(self, call: Callable[[], None]) -> None:
        """Call this once, as soon as nothing waits here."""
        self._on_sent = call

    def call_at_end(self, call: Callable[[], None]) -> None:
        """Call this, now or later, when nothing waits here: it is the end."""
        if self._unsent:
            self._at_end = call
        else:
            call()

    def close(self) -> None:
        """Write no more; the opener of the pipe closes it."""
        if self._unsent and self._fd is not None:
            self._loop.remove_writer(self._fd)
        self._fd = None

    def _writable(self) -> None:
        """Give an engine that has read all so far as many lines as it does in a moment."""
        now = time.monotonic()
        is_quick = now - self._wrote_at < QUICK
        self._portion = min(2 * self._portion, PAGE) if is_quick else max(1, self._portion // 2)
        self._wrote_at = now
        end = self._unsent.rfind(b"\n", 0, self._portion) + 1
        end = end or self._unsent.find(b"\n") + 1 or len(self._unsent)
        del self._unsent[: self._write(self._unsent[:end])]
        if self._unsent or self._fd is None:
            return
        self._loop.remove_writer(self._fd)
        self._ahead = PAGE  # perhaps: the next is looked at
        call, self._on_sent = self._on_sent, _do_nothing
        call()
        if self._at_end:
            self._at_end()

    def _write(self, data: bytes | bytearray) -> int:
        assert self._fd is not None
        try:
            written = os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError:  # It has closed its input, or is gone.
            written = len(data)
            self._loop.call_soon(self._on_closed)
            self._on_closed = _do_nothing
        self._written += written
        return written

    def _in_pipe(self) -> int:
        """Return the number of bytes that the engine has yet to read, as far as is known."""
        if self._fd is None:
            return 0
        try:
            answer = fcntl.ioctl(self._fd, termios.FIONREAD, bytes(_COUNT.size))
        except OSError:
            return 0
        count: int = _COUNT.unpack(answer)[0]
        return count


class _Scratch(threading.local):
    """The buffer that is read into, one for all engines of a thread."""

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
