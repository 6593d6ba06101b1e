"""The interface of a running engine, wherever it runs, and of the hosts that start engines.

`RunningEngine` has what the engines of all hosts share: the listener, when it is read, and how
an engine is ended.  A process of this machine (`ProcessEngine`) and an engine at the other end
of a connection (`SocketEngine`) add the way that lines take.  Users of engines know no more of
them than this, and tests/server/engines/test_engine_hosts.py holds every host to it.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from rookery_protocol.notices import without_overlong
from rookery_server.config.engines import ResourceLimits
from rookery_server.config.resources import Size
from rookery_server.engines.engine_build import Files
from rookery_uci import LineBuffer

MAX_UNSENT = 1 << 21  # bytes that may wait for an engine; clients are held back long before
QUIT_PATIENCE = 1.0  # s from `quit` to the next harder way to end it, and again to the last

SHORT = 1024  # bytes of a piece that holds only a few lines
STEADY = 0.0015  # s from one piece to the next, if more than a look at each is too much
QUICK = 0.0005  # s from one to the next, if they come so quickly that the pipe may fill
BURST = 8  # short pieces that come steadily before the engine is left alone
NAP = 0.002  # s for which it is
SHORT_NAP = 0.001  # s, if they come quickly: the pipe holds what an engine says in it


class EngineListener(Protocol):
    """The receiver of an engine's output."""

    def engine_said(self, piece: bytes) -> None:
        """Receive whole lines of its output, each ended by a newline."""

    def engine_ended(self, reason: str) -> None:
        """Learn that the engine is gone; the reason is for people."""


class _NullListener:
    def engine_said(self, piece: bytes) -> None:
        pass

    def engine_ended(self, reason: str) -> None:
        pass


NULL_LISTENER = _NullListener()  # for the last words of an engine that no session wants any more


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """The program to start, its arguments, and what belongs to it.

    `beside` names files that make it what it is, besides those of the command; `limits` is what
    the system holds it to; `size` is the most that it may use, and None is any: a host that
    sets something aside for an engine does so by it.
    """

    name: str
    command: tuple[str, ...]
    beside: tuple[str, ...] = ()
    limits: ResourceLimits = field(default_factory=ResourceLimits)
    size: Size | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The command, and the files beside it."""
        return (*self.command, *self.beside)


class FullError(OSError):
    """An engine has no place where it would run, until one of those there ends."""


class Backlog(NamedTuple):
    """The progress of an engine with what was sent to it, in bytes, as far as it can be known."""

    taken: int  # so far
    left: int  # to take


class StdoutReader:
    """Assembler of lines from what an engine writes, which also tells when not to read.

    Most engines write line by line, and to be woken for each line costs ten times as much
    as to relay it.  So an engine that writes one short piece after the other is left alone
    for a moment, in which its lines gather where it writes them; until something is sent to it,
    for then a client waits for the answer.
    """

    __slots__ = ("_lines", "_read_at", "_steady", "_steady_since")

    def __init__(self) -> None:
        self._lines = LineBuffer()
        self._read_at = 0.0  # s, when the last piece came
        self._steady = 0  # pieces that came steadily, one after the other
        self._steady_since = 0.0  # s, when that began

    def complete_lines(self, data: bytes) -> bytes:
        """Return the lines that are complete now, each ended by a newline, as valid UTF-8."""
        piece = self._lines.feed_piece(data)
        if not piece.isascii():  # WebSocket clients must get valid UTF-8.
            piece = without_overlong(piece.decode(errors="replace").encode())
        return piece

    def nap_after(self, size: int) -> float:
        """Return the seconds for which an engine is left alone that has written so many bytes."""
        now = time.monotonic()  # that of uvloop has steps of 1 ms
        gap = now - self._read_at
        self._read_at = now
        if size >= SHORT or gap >= STEADY:
            self._steady = 0
            self._steady_since = now
            return 0.0
        self._steady += 1
        if self._steady < BURST:
            return 0.0
        return SHORT_NAP if now - self._steady_since < QUICK * self._steady else NAP

    def expect_answer(self) -> None:
        """Count what comes next as an answer to what is sent now."""
        self._read_at = 0.0

    def restart(self) -> None:
        """Count steady pieces anew: the engine is read again."""
        self._steady = 0
        self._steady_since = time.monotonic()


class RunningEngine(ABC):
    """One running engine: lines are sent to it, and its listener gets its own.

    The listener hears `engine_ended` exactly once, after the last words, however it ends.
    `asked_to_end`: its end is no accident.  `paused`: it is not read for now, so its silence is no
    fault of its own.  `has_started`: it is, or was, there; until then it waits for a place, and is
    not slow.  `machine_left`: it has ended because its machine, one that had joined, has gone.
    """

    words: tuple[str, ...]  # that it was started with, and the files beside it
    files: Files  # the state of those files when it started
    has_started = True

    def __init__(self, listener: EngineListener) -> None:
        self.listener = listener
        self.asked_to_end = False
        self.paused = False
        self.machine_left = False
        self.is_gone = False
        self._loop = asyncio.get_running_loop()
        self._reader = StdoutReader()
        self._nap: asyncio.TimerHandle | None = None
        self._quit_timer: asyncio.TimerHandle | None = None  # to the next harder way to end it
        self._complaint = ""  # why it was ended, if that was no wish of its user
        self._cpu_seen = 0.0

    @property
    @abstractmethod
    def label(self) -> str:
        """The name that the log has for it: a process number, and its machine unless it is here."""

    async def known_files(self) -> Files:
        """Return `files` when they are known, or never will be: of a far one they come later."""
        return self.files

    @property
    def is_healthy(self) -> bool:
        """True if nothing is known against it: it has neither ended nor been given up."""
        return not (self.is_gone or self._quit_timer or self.asked_to_end or self._complaint)

    @property
    def is_lost(self) -> bool:
        """True if what leads to it is gone, and nothing says that it had ended."""
        return False

    @abstractmethod
    def cpu_total(self) -> float | None:
        """Return the CPU time that it has used in all; None if that cannot be known."""

    def cpu_seconds(self) -> float:
        """Return the CPU time that it has used since the last call."""
        total = self.cpu_total()
        if total is None:
            return 0.0
        used, self._cpu_seen = total - self._cpu_seen, total
        return used

    @abstractmethod
    def memory_mb(self) -> int:
        """Return the memory that it shares with no other, in MiB; 0 if that cannot be known."""

    # --- its input

    def send_lines(self, piece: bytes) -> None:
        """Send whole lines to the engine; they wait here if it does not read them yet."""
        if not self._quit_timer and not self.is_gone:
            if self._nap:
                self._end_nap()
            self._reader.expect_answer()
            self._send(piece)

    @property
    @abstractmethod
    def unsent(self) -> int:
        """The number of bytes that wait here, because the engine does not take them yet."""

    @abstractmethod
    def backlog(self) -> Backlog:
        """Return the engine's progress with what was sent to it."""

    @abstractmethod
    def call_when_sent(self, call: Callable[[], None]) -> None:
        """Call this once, as soon as nothing waits here; not if the engine ends before."""

    # --- its output

    def set_listener(self, listener: EngineListener) -> None:
        """Send its output to another listener, and read it again."""
        self.listener = listener
        self.resume()

    def pause(self) -> None:
        """Leave what the engine writes where it is: soon it has to wait."""
        if not self.is_gone and not self._quit_timer:
            self.paused = True
            if self._nap:
                self._nap.cancel()
                self._nap = None
            self._set_reading(on=False)

    def resume(self) -> None:
        """Read the engine again."""
        if self.paused and not self.is_gone:
            self.paused = False
            self._set_reading(on=True)

    def pause_for(self, seconds: float) -> None:
        """Leave what the engine writes where it is for so long, or until a line is sent to it."""
        if not (self.paused or self._quit_timer or self.is_gone or self._nap):
            self._set_reading(on=False)
            self._nap = self._loop.call_later(seconds, self._nap_over, seconds)

    def _nap_over(self, seconds: float) -> None:
        self._end_nap()

    def _end_nap(self) -> None:
        if self._nap:
            self._nap.cancel()
            self._nap = None
        self._reader.restart()
        self._set_reading(on=True)

    # --- its end

    def end(self) -> None:
        """Ask the engine to quit; one that does not in time is made to."""
        self.asked_to_end = True
        if not self._quit_timer and not self.is_gone:
            self._quit()
            self.resume()  # It may be waiting to be read.

    @abstractmethod
    def kill(self, reason: str = "") -> None:
        """End the engine at once; its listener hears the reason, if one is given."""

    def _quit(self) -> None:
        self._send(b"quit\n")
        self._start_quit_timer(self._quit_in_vain)

    def _start_quit_timer(self, call: Callable[[], None]) -> None:
        self._quit_timer = self._loop.call_later(QUIT_PATIENCE, call)

    def _finish(self, reason: str) -> None:
        """Cancel what is pending, and let the listener know."""
        self.is_gone = True
        for timer in (self._nap, self._quit_timer):
            if timer:
                timer.cancel()
        self.listener.engine_ended(self._complaint or reason)

    @abstractmethod
    def _send(self, piece: bytes) -> None:
        """Send lines, whether it has been asked to quit or not."""

    @abstractmethod
    def _set_reading(self, *, on: bool) -> None:
        """Read the engine from now on, or do not."""

    @abstractmethod
    def _quit_in_vain(self) -> None:
        """End an engine, harder, that has not quit in time."""


class EngineHost(Protocol):
    """A starter of engines, on this machine or on others.

    `open` and `close` are called once each, in this order; `start` between them.
    """

    async def open(self) -> None:
        """Get ready to start engines."""

    def start(self, spec: EngineSpec, listener: EngineListener) -> RunningEngine:
        """Start an engine, or have it started: what is sent to it meanwhile waits.

        Raises:
            OSError: it cannot be started.  Where that turns out later, the listener hears
                `engine_ended`.

        """

    async def close(self) -> None:
        """Wait until every engine is gone; each has been asked to end."""
