"""What an engine is to a server, wherever it runs, and who runs engines.

`Engine` is one running engine: a process of this machine, or one of another that a
connection leads to.  `EngineHost` is whoever starts them.  Whatever uses engines knows no more
of them than this, and tests/server/engines/test_engine_hosts.py holds every host to it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from rookery_server.config.engines import ResourceLimits
from rookery_server.config.resources import Size
from rookery_server.engines.engine_build import Files


class EngineListener(Protocol):
    """Who hears an engine."""

    def engine_said(self, piece: bytes) -> None:
        """Take whole lines of its output, each ended by a newline."""

    def engine_ended(self, reason: str) -> None:
        """Take note that the engine is gone; the reason is for people."""


class _NullListener:
    def engine_said(self, piece: bytes) -> None:
        pass

    def engine_ended(self, reason: str) -> None:
        pass


NULL_LISTENER = _NullListener()  # hears the last words of an engine that is wanted no more


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """What is to be started: the program and its arguments, and what belongs to it.

    `beside` names files that make it what it is, besides those of the command; `limits` is what
    the system holds it to; `size` is the most that it is let have, and None is any: a host that
    sets something aside for an engine does so by it.
    """

    name: str
    command: tuple[str, ...]
    beside: tuple[str, ...] = ()
    limits: ResourceLimits = field(default_factory=ResourceLimits)
    size: Size | None = None


class FullError(OSError):
    """Where an engine would run there is no place for one more, until one of those there ends."""


class Backlog(NamedTuple):
    """How far an engine is with what it was told, in bytes, as far as that can be known."""

    taken: int  # so far
    left: int  # to take


class RunningEngine(Protocol):
    """One running engine: `tell` it lines, and the listener hears its own.

    Its listener hears `engine_ended` exactly once, after its last words, however it ends.
    """

    listener: EngineListener  # who hears it; it may be handed on

    @property
    def label(self) -> str:
        """What the log calls it: a process number, and where it is if that is not here."""

    @property
    def words(self) -> tuple[str, ...]:
        """What it was started with, and the files beside it."""

    @property
    def files(self) -> Files:
        """The state of those files when it started."""

    async def known_files(self) -> Files:
        """Return `files` when they are known, or never will be: of a far one they come later."""

    @property
    def asked_to_end(self) -> bool:
        """Whether its end is no accident."""

    @property
    def paused(self) -> bool:
        """Whether nobody listens to it for now: its silence is no fault of its own."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing is known against it: it is neither ended nor complained of."""

    @property
    def has_come(self) -> bool:
        """Whether it is, or was, there: until then it waits for a place, and is not slow."""

    @property
    def is_lost(self) -> bool:
        """Whether what leads to it is gone, which is no fault of its own."""

    @property
    def has_left(self) -> bool:
        """Whether it has ended because its machine, one that had joined, has gone."""

    def cpu_seconds(self) -> float:
        """Return the CPU time that it has used since this was last asked."""

    def cpu_total(self) -> float | None:
        """Return the CPU time that it has used in all; None if that cannot be known."""

    def memory_mb(self) -> int:
        """Return the memory that it shares with no other, in MiB; 0 if that cannot be known."""

    def hand_on(self, listener: EngineListener) -> None:
        """Let somebody else hear it."""

    def tell(self, piece: bytes) -> None:
        """Send whole lines to the engine; they wait here if it does not read them yet."""

    @property
    def unsent(self) -> int:
        """How many bytes wait here, because the engine does not take them yet."""

    def backlog(self) -> Backlog:
        """Return how far it is with what it was told."""

    def when_taken(self, call: Callable[[], None]) -> None:
        """Call this once, as soon as nothing waits here; not if it ends before."""

    def pause(self) -> None:
        """Leave what the engine says where it is: soon it has to wait."""

    def resume(self) -> None:
        """Hear the engine again."""

    def look_away(self, seconds: float) -> None:
        """Leave what the engine says where it is for so long, or until it is told something."""

    def end(self) -> None:
        """Ask the engine to quit; what does not go in time is made to."""

    def complain(self, complaint: str) -> None:
        """End the engine at once, for a reason that its listener is told."""

    def kill(self) -> None:
        """End the engine at once."""


class EngineHost(Protocol):
    """Who runs engines: this machine, or others.

    `open` and `close` are called once each, in this order; `start` between them.
    """

    async def open(self) -> None:
        """Be ready to start engines."""

    def start(self, spec: EngineSpec, listener: EngineListener) -> RunningEngine:
        """Start an engine, or have it started: what it is told meanwhile waits.

        Raises:
            OSError: it cannot be started.  Where that turns out later, the listener hears
                `engine_ended`.

        """

    async def close(self) -> None:
        """Wait until every engine is gone; each has been told to end."""
