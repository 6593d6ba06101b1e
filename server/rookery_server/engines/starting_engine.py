"""Engines that no session has yet: their pool listens to them until they are ready.

`StartLimiter` lets so many of all pools start at a time.
"""

import asyncio
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from rookery_protocol.notices import harmless
from rookery_server.engines.running_engine import EngineListener, RunningEngine
from rookery_uci import EngineIdentity

MAX_ANSWER = 1 << 20  # bytes; the longest known answer to `uci` (of Fairy-Stockfish) is 20 KB

# How often an engine's patience may pass before it has a place.  Where a machine of a cluster has
# just been lost all its engines ask for one together; to end those that wait and to start
# them anew, one at a time, makes it longer for all.
PLACES = 3

PER_CPU = 2  # engines that start at once: one loads from disk while the other computes

StartEngine = Callable[[EngineListener], RunningEngine]  # raises OSError


class PoolEvents(Protocol):
    """The pool, as its engines see it."""

    def engine_identified(self, spare: "StartingEngine") -> None:
        """Learn what an engine is."""

    def engine_ready(self, spare: "RecycledEngine") -> None:
        """Learn that an engine is ready."""

    def engine_gone(self, spare: "RecycledEngine", reason: str) -> None:
        """Learn that an engine is gone before a session had it."""


class RecycledEngine:
    """An engine that has served, until it is as it was before, and a session has it.

    It is sent what undoes its session; `isready` is the last line of that.  So it is with one
    that has not served, and of which it is not known whether it still answers.
    """

    is_starting = False

    def __init__(
        self,
        pool: PoolEvents,
        engine: RunningEngine,
        lines: bytes,
        patience: float,
        *,
        word: str = "readyok",
    ) -> None:
        """Send lines to an engine, which has `patience` seconds to answer with a word."""
        self.ready = False
        self.late = False  # and so it was ended
        self.engine = engine
        self._pool = pool
        self._patience = patience
        self._timer = self._expect(word)
        engine.set_listener(self)
        engine.send_lines(lines)

    def engine_said(self, piece: bytes) -> None:
        """Wait for `readyok`."""
        if not self.ready and b"readyok" in piece.split():
            self._timer.cancel()
            self.ready = True
            self._pool.engine_ready(self)

    def engine_ended(self, reason: str) -> None:
        """Report the end to the pool."""
        self._timer.cancel()
        self._pool.engine_gone(self, reason)

    def _expect(self, word: str) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self._patience, self._give_up, word)

    def _give_up(self, word: str) -> None:
        self.late = True
        self.engine.kill(f"it does not say {word} within {self._patience:g} s")


class StartingEngine(RecycledEngine):
    """An engine from its start until it is ready and a session has it.

    `patience` is the time in seconds that it has to answer `uci`, and as long again to be ready;
    and up to three times as long to find a place, where it runs elsewhere.
    """

    is_starting = True  # and so the limiter counts it

    def __init__(self, pool: PoolEvents, start: StartEngine, patience: float) -> None:
        """Start it.

        Raises:
            OSError: it cannot be started.

        """
        self.answer: EngineIdentity | None = None
        self._waited = 0  # how often its patience has passed without a place
        self._received = b""
        super().__init__(pool, start(self), b"uci\n", patience, word="uciok")

    def engine_said(self, piece: bytes) -> None:
        """Wait for `uciok`, then for `readyok`."""
        if self.answer:
            super().engine_said(piece)
            return
        self._received += harmless(piece)
        if b"uciok" in piece.split():
            self._timer.cancel()
            self.answer = _parse(self._received)
            self._received = b""
            self._timer = self._expect("readyok")
            self.engine.send_lines(b"isready\n")
            self._pool.engine_identified(self)
        elif len(self._received) > MAX_ANSWER:
            self.engine.kill("it says too much before uciok")

    def _give_up(self, word: str) -> None:
        if self.engine.has_started:
            super()._give_up(word)
            return
        self._waited += 1  # It has been asked nothing yet.
        if self._waited < PLACES:
            self._timer = self._expect(word)
        else:
            self.late = True
            self.engine.kill(f"it has found no place within {PLACES * self._patience:g} s")


@lru_cache(maxsize=64)
def _parse(answer: bytes) -> EngineIdentity:
    """Parse an answer; the engines of a kind give the same, which need not be there for each."""
    return EngineIdentity.parse(answer.decode().split("\n"))


class Starter(Protocol):
    """A starter of engines of one kind."""

    @property
    def is_urgent(self) -> bool:
        """True if a session waits for the next one."""

    @property
    def may_start(self) -> bool:
        """True if one more is wanted now."""

    def start_one(self) -> bool:
        """Start one; return whether it is starting from now on, until `start_done`."""


class StartLimiter:
    """The number of engines that start at a time, and the turns of those that have to wait.

    Engines that start use all the CPU they get.  Fifty at once on two CPUs are each fifty
    times as slow as one, so that all are late, are given up, and are started again: it
    never ends.  One after the other they are all there in the same time, the first of them soon.
    """

    def __init__(self, width: int) -> None:
        """Let so many start at a time."""
        self._width = width
        self._starting = 0
        self._waiting: dict[Starter, None] = {}  # in the order of their turns
        self._is_serving = False

    def request_start(self, starter: Starter) -> None:
        """Let a starter start what it wants, now or when it has its turn."""
        self._waiting[starter] = None
        self._start_next()

    def start_done(self) -> None:
        """Let the next start: an engine is starting no more."""
        self._starting -= 1
        self._start_next()

    def _start_next(self) -> None:
        if self._is_serving:  # What is started may fail at once, and come here again.
            return
        self._is_serving = True
        try:
            while self._starting < self._width and (starter := self._next()):
                # It goes to the end: starters take turns.
                del self._waiting[starter]
                self._waiting[starter] = None
                if starter.start_one():
                    self._starting += 1
        finally:
            self._is_serving = False

    def _next(self) -> Starter | None:
        """Return the starter whose turn it is: those that a session waits for are first."""
        ready = [starter for starter in self._waiting if starter.may_start]
        for starter in [starter for starter in self._waiting if starter not in ready]:
            del self._waiting[starter]
        return next((starter for starter in ready if starter.is_urgent), next(iter(ready), None))
