"""An engine's input: its pipe gets no more than the engine takes, and the rest waits here.

A pipe holds 64 KiB, two thousand short lines, and an engine that needs 50 ms for each is at
them for minutes; from outside it cannot be told from one that hangs.  So the pipe is made
small, an engine that falls behind gets a few lines at a time, as many as it does in a moment,
and the kernel is asked how much of them it has read: one that goes on reading is alive.
"""

import contextlib
import fcntl
import os
import struct
import termios
import time
from asyncio import AbstractEventLoop
from collections.abc import Callable

from rookery_server.engines.running_engine import Backlog

AHEAD = 1024  # bytes that may be in the pipe unread before the rest waits here
PAGE = 4096  # bytes that the pipe holds: it can be written when all of it is read, and not before
QUICK = 0.01  # s in which an engine has read what it got, if it may get twice as much next

# Linux alone has it; elsewhere the pipe is as it is, and an engine is ahead by more lines.
_SET_SIZE: int | None = getattr(fcntl, "F_SETPIPE_SZ", None)
_COUNT = struct.Struct("i")


def _nobody() -> None:
    pass


class StdinWriter:
    """The end of an engine's input pipe that is written to."""

    __slots__ = (
        "_ahead",
        "_fd",
        "_loop",
        "_on_closed",
        "_on_taken",
        "_portion",
        "_then",
        "_unsent",
        "_written",
        "_wrote_at",
    )

    def __init__(
        self, fd: int, loop: AbstractEventLoop, on_closed: Callable[[], None] = _nobody
    ) -> None:
        """Take a pipe; `on_closed` is called soon after it turns out that nobody reads it."""
        self._fd: int | None = fd  # None when it is closed
        self._loop = loop
        self._unsent = bytearray()
        self._written = 0  # bytes, ever
        self._ahead = (
            0  # bytes that may be in the pipe: so many were written since that was looked at
        )
        self._portion = AHEAD  # bytes that an engine gets that is behind
        self._wrote_at = 0.0  # s, when it got the last
        self._on_taken = _nobody
        self._on_closed = on_closed
        self._then: Callable[[], None] | None = None  # when all is written
        os.set_blocking(fd, False)
        if _SET_SIZE is not None:
            with contextlib.suppress(OSError):
                fcntl.fcntl(fd, _SET_SIZE, PAGE)

    @property
    def unsent(self) -> int:
        """How many bytes wait here, because the engine is behind."""
        return len(self._unsent)

    def backlog(self) -> Backlog:
        """Return how far the engine is with what it was told."""
        in_pipe = self._in_pipe()
        return Backlog(self._written - in_pipe, in_pipe + len(self._unsent))

    def put(self, lines: bytes) -> None:
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

    def when_taken(self, call: Callable[[], None]) -> None:
        """Call this once, as soon as nothing waits here."""
        self._on_taken = call

    def when_written(self, call: Callable[[], None]) -> None:
        """Call this, now or later, when nothing waits here: it is the end."""
        if self._unsent:
            self._then = call
        else:
            call()

    def close(self) -> None:
        """Take no more; whoever has opened the pipe closes it."""
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
        call, self._on_taken = self._on_taken, _nobody
        call()
        if self._then:
            self._then()

    def _write(self, data: bytes | bytearray) -> int:
        assert self._fd is not None
        try:
            written = os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError:  # It has closed its input, or is gone.
            written = len(data)
            self._loop.call_soon(self._on_closed)
            self._on_closed = _nobody
        self._written += written
        return written

    def _in_pipe(self) -> int:
        """Return how many bytes the engine has yet to read, as far as the system tells."""
        if self._fd is None:
            return 0
        try:
            answer = fcntl.ioctl(self._fd, termios.FIONREAD, bytes(_COUNT.size))
        except OSError:
            return 0
        count: int = _COUNT.unpack(answer)[0]
        return count
