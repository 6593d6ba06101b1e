"""An engine that is not anybody's yet: heard by its pool until somebody has it."""

import asyncio
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from rookery_protocol.notices import harmless
from rookery_server.engines.running_engine import EngineListener, RunningEngine
from rookery_uci import EngineIdentity

MAX_ANSWER = 1 << 20  # bytes; the longest known answer to `uci` (of Fairy-Stockfish) is 20 KB

# How often its patience may pass before it has a place.  Where a machine of a cluster has just
# been lost all its engines ask for one together; to end those that wait and to begin with
# them anew, one at a time, makes it longer for all.
PLACES = 3

Start = Callable[[EngineListener], RunningEngine]  # raises OSError


class PoolEvents(Protocol):
    """Who has engines started."""

    def answered(self, newcomer: "StartingEngine") -> None:
        """Take note that an engine has said what it is."""

    def came(self, newcomer: "StartingEngine | RecycledEngine") -> None:
        """Take note that an engine is ready."""

    def went(self, newcomer: "StartingEngine | RecycledEngine", reason: str) -> None:
        """Take note that an engine is gone before it was anybody's."""


class StartingEngine:
    """One engine, from its start until it is ready and somebody takes it.

    `patience` is the time in seconds that it has to answer `uci`, and as long again to be ready;
    and up to three times as long to find a place, where it runs elsewhere.
    """

    is_starting = True  # and so has a place at the gate

    def __init__(self, nursery: PoolEvents, start: Start, patience: float) -> None:
        self.answer: EngineIdentity | None = None
        self.ready = False
        self.late = False  # and so it was ended
        self.engine = start(self)
        self._nursery = nursery
        self._patience = patience
        self._waited = 0  # how often that has passed without a place
        self._heard = b""
        self._timer = self._expect("uciok")
        self.engine.tell(b"uci\n")

    def engine_said(self, piece: bytes) -> None:
        """Take what it answers."""
        if self.ready:
            return
        if self.answer:
            if b"readyok" in piece.split():
                self._timer.cancel()
                self.ready = True
                self._nursery.came(self)
            return
        self._heard += harmless(piece)
        if b"uciok" in piece.split():
            self._timer.cancel()
            self.answer = _read(self._heard)
            self._heard = b""
            self._timer = self._expect("readyok")
            self.engine.tell(b"isready\n")
            self._nursery.answered(self)
        elif len(self._heard) > MAX_ANSWER:
            self.engine.complain("it says too much before uciok")

    def engine_ended(self, reason: str) -> None:
        """Take note that it is gone."""
        self._timer.cancel()
        self._nursery.went(self, reason)

    def _expect(self, word: str) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self._patience, self._give_up, word)

    def _give_up(self, word: str) -> None:
        complaint = f"it does not say {word} within {self._patience:g} s"
        if not self.engine.has_come:  # Nobody has asked it anything yet.
            self._waited += 1
            if self._waited < PLACES:
                self._timer = self._expect(word)
                return
            complaint = f"it has found no place within {PLACES * self._patience:g} s"
        self.late = True
        self.engine.complain(complaint)


@lru_cache(maxsize=64)
def _read(heard: bytes) -> EngineIdentity:
    """Read an answer; the engines of a kind give the same, which need not be there for each."""
    return EngineIdentity.parse(heard.decode().split("\n"))


class RecycledEngine:
    """An engine that has served, until it is as it was before, and somebody takes it.

    It hears what undoes what was done to it; `isready` is the last of that.  So it is with one
    that has not served, and of which it is not known whether it still answers.
    """

    is_starting = False

    def __init__(
        self, nursery: PoolEvents, engine: RunningEngine, undo: bytes, patience: float
    ) -> None:
        self.ready = False
        self.late = False
        self.engine = engine
        self._nursery = nursery
        self._patience = patience
        self._timer = asyncio.get_running_loop().call_later(patience, self._give_up)
        engine.hand_on(self)
        engine.tell(undo)

    def engine_said(self, piece: bytes) -> None:
        """Take what it answers."""
        if not self.ready and b"readyok" in piece.split():
            self._timer.cancel()
            self.ready = True
            self._nursery.came(self)

    def engine_ended(self, reason: str) -> None:
        """Take note that it is gone."""
        self._timer.cancel()
        self._nursery.went(self, reason)

    def _give_up(self) -> None:
        self.late = True
        self.engine.complain(f"it does not say readyok within {self._patience:g} s")


PER_CPU = 2  # that start at once: one loads from disk while the other computes


class Starter(Protocol):
    """Who starts engines of one kind."""

    @property
    def is_urgent(self) -> bool:
        """Whether somebody waits for the next one."""

    @property
    def may_start(self) -> bool:
        """Whether one more is wanted now."""

    def start_one(self) -> bool:
        """Start one; say whether it has a place from now on, until `leave`."""


class StartLimiter:
    """The places of engines that are starting."""

    def __init__(self, width: int) -> None:
        """Make a gate for so many at a time."""
        self._width = width
        self._starting = 0
        self._waiting: dict[Starter, None] = {}  # in the order of their turns
        self._is_serving = False

    def enter(self, starter: Starter) -> None:
        """Let a starter start what it wants, now or as there are places."""
        self._waiting[starter] = None
        self._serve()

    def leave(self) -> None:
        """Take note that an engine is starting no more."""
        self._starting -= 1
        self._serve()

    def _serve(self) -> None:
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
        """Return whose turn it is: those for whom somebody waits are first."""
        ready = [starter for starter in self._waiting if starter.may_start]
        for starter in [starter for starter in self._waiting if starter not in ready]:
            del self._waiting[starter]
        return next((starter for starter in ready if starter.is_urgent), next(iter(ready), None))
