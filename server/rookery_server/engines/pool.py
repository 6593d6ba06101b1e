"""Engines of one kind, started before anybody asks for them.

Starting a process and hearing its `uciok` takes from 65 ms to seconds; who asks should
not wait for it.  So there is always a spare engine that has answered `uci` and
`isready`, and where several are taken together there are as many spare ones, within
bounds.  An engine serves one session and is ended after it, so that none remembers what
another client did; unless its operator would rather have it soon again (`reuse`).

When one that is in use does not answer, what has befallen it may have befallen the spare ones,
too: nobody gets one of them until it has answered `isready` once more.  So it is once a minute
in any case.

All pools of a server start their engines through one gate, so many at a time.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto

from rookery_server.config.resources import Size
from rookery_server.config.server import Stock
from rookery_server.engines.demand_peak import DemandPeak
from rookery_server.engines.running_engine import EngineListener, FullError, RunningEngine
from rookery_server.engines.start_backoff import Rest
from rookery_server.engines.starting_engine import (
    RecycledEngine,
    Start,
    StartingEngine,
    StartLimiter,
)
from rookery_server.log import Repetition, about
from rookery_uci import EngineIdentity

logger = logging.getLogger(__name__)

TELL_AFTER = 0.1  # s until who asks hears so: what was short may be there by then
REFILL = 0.25  # s; those who come together are served before their engines are replaced
MAX_DOUBLINGS = 2  # of the patience with an engine that is late
CHECK_EVERY = 60.0  # s; in which a spare engine that hangs, unseen, would make one client wait
_ASK = b"isready\n"

Later = Callable[[RunningEngine | None], None]


class Presence(Enum):
    """Whether engines can be had at all: those of another machine may not."""

    HERE = auto()
    AWAY = auto()  # and may be here again soon: who asks waits
    GONE = auto()  # who asks is told so


class Pool:
    """Spare engines of one kind.

    `answer` is what they say to `uci`; None until the first has.  `patience` is the time in
    seconds that one has for it, and as long again to be ready; after one that was late the
    next has more.
    """

    def __init__(
        self,
        name: str,
        start: Start,
        stock: Stock,
        gate: StartLimiter,
        *,
        patience: float,
        reuse: bool = False,
        room: Callable[["Pool"], int] | None = None,
        changed: Callable[[str], None] = lambda _: None,
        is_here: bool = True,
        left: Callable[[], int | None] = lambda: None,
    ) -> None:
        """Make a pool.

        Args:
            name: of the engine.
            start: starts one; raises OSError, and FullError where there only is no place.
            stock: how many spare ones there may be.
            gate: lets them start in turn.
            patience: see above.
            reuse: whether one may serve several sessions, one after the other.
            room: says how many spare engines the machine has room for.
            changed: is called with the name when an engine answers otherwise than those
                before it: its program is another one by now.
            is_here: whether they run on this machine, and take of its memory.
            left: says how many there may be beside those that sessions have, or ask for;
                None is no bound.

        """
        self.name = name
        self.stock = stock
        self.answer: EngineIdentity | None = None
        self.patience = patience
        self.reuse = reuse
        self.trouble = ""  # why the last one that failed did
        self.memory_mb = 1  # of one that is ready, MiB
        self.presence = Presence.HERE
        self.is_put_off = False  # there is no place for one more where it runs, until one ends
        self._start = start
        self._gate = gate
        self._room = room
        self._changed = changed
        self._is_here = is_here
        self._left = left
        self._demand = DemandPeak()
        self._rest = Rest()  # after one that failed
        self._repetition = Repetition()  # of failures, in the log
        self._lates = 0  # how many were late, one after the other
        self._coming: deque[StartingEngine | RecycledEngine] = (
            deque()
        )  # and those that are ready, first
        self._doubted: list[RecycledEngine] = []  # that were ready, and may not answer any more
        self._checked = asyncio.get_running_loop().time()  # when they were last asked
        self._asking: dict[EngineListener, Later] = {}  # who came first is first
        self._opening = False
        self._answered = asyncio.Event()
        self._retry: asyncio.TimerHandle | None = None
        self._refill: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def asking(self) -> list[EngineListener]:
        """Who waits for an engine."""
        return list(self._asking)

    @property
    def spares(self) -> int:
        """How many are ready."""
        return sum(each.ready for each in self._coming)

    @property
    def wanted(self) -> int:
        """How many should be ready, or on their way."""
        # Those that come back serve those who come together, where they may.
        spare = self.stock.least if self.reuse else max(self.stock.least, self._expected())
        # Without the first one nobody would know what it is.
        return max(self._bounded(max(spare, len(self._asking))), int(self._opening))

    @property
    def kept(self) -> int:
        """How many may be ready, or on their way: one more is ended."""
        return self._bounded(self.wanted + self._expected()) if self.reuse else self.wanted

    def _bounded(self, count: int) -> int:
        """Return as much of a number of engines as there may be beside those in use."""
        left = self._left()
        return count if left is None else min(count, max(0, left) + len(self._asking))

    def _expected(self) -> int:
        """Return how many may be taken together next, as far as there is room for so many."""
        expected = self._demand.expected(asyncio.get_running_loop().time())
        return min(expected, self.stock.most, self._room(self) if self._room else expected)

    def whole(self, size: Size) -> Size:
        """Return what one takes of this machine in all, of which so much are threads and hash."""
        return replace(size, memory_mb=size.hash_mb + self.memory_mb if self._is_here else 0)

    def set_stock(self, stock: Stock) -> None:
        """Keep so many spare engines from now on; without any they are started when asked for."""
        self.stock = stock
        self.look()

    async def open(self) -> None:
        """Start the first engine; return when it has answered, or has failed."""
        self.begin()
        await self._answered.wait()

    def begin(self) -> None:
        """Start the first engine, to hear what it says to `uci`."""
        self._opening = True
        self._gate.enter(self)

    def come(self) -> None:
        """Take note that engines can be had again: who has waited has one."""
        self.presence = Presence.HERE
        self.trouble = ""
        self._rest.over()
        self.look()

    def go(self, presence: Presence) -> None:
        """Take note that none can be had for now, or that none will come."""
        self.presence = presence
        if presence is Presence.GONE:
            for listener in self.asking:
                self._fail(listener)

    def close(self) -> None:
        """End the spare engines."""
        self._closed = True
        self._answered.set()
        for timer in (self._retry, self._refill):
            if timer:
                timer.cancel()
        for listener in list(self._asking):
            self._fail(listener)
        for newcomer in (*self._coming, *self._doubted):
            newcomer.engine.end()

    def look(self) -> None:
        """End spare engines that are too many by now, and start those that are missing."""
        if self._closed:
            return
        now = asyncio.get_running_loop().time()
        if now - self._checked > CHECK_EVERY and self.presence is Presence.HERE:
            self.doubt()
        kept = self.kept
        while len(self._coming) > kept:
            self._coming.pop().engine.end()
        self._gate.enter(self)

    def doubt(self) -> None:
        """Have the spare engines show that they still answer, before anybody gets one."""
        self._checked = asyncio.get_running_loop().time()
        doubted = [each for each in self._coming if each.ready]
        for each in doubted:
            self._coming.remove(each)
            self._doubted.append(RecycledEngine(self, each.engine, _ASK, self.patience))

    def take(self, listener: EngineListener, later: Later) -> RunningEngine | None:
        """Return an engine that is ready; None if one will be handed over later.

        Args:
            listener: who hears it from now on.
            later: takes the engine, or None if it could not be started; why is in
                `trouble`.  It is never called before this returns.

        """
        loop = asyncio.get_running_loop()
        self._demand.taken(loop.time())
        # Those that have served are first: there are fresh ones in any case.
        in_line = sorted(self._coming, key=lambda each: each.is_starting)
        # One that is lost may not have said so yet.
        ready = next((each for each in in_line if each.ready and each.engine.is_sound), None)
        if ready:
            self._coming.remove(ready)
            ready.engine.listener = listener
            if not (self._refill or self._closed):
                self._refill = loop.call_later(REFILL, self._fill_again)
            return ready.engine
        self._asking[listener] = later
        self._try_again()
        if self._closed or self.presence is Presence.GONE:
            self._fail(listener)
        return None

    def take_back(self, engine: RunningEngine, undo: bytes) -> bool:
        """Keep an engine that has served for others; say whether it is wanted.

        Args:
            engine: the one; it owes nothing.
            undo: what makes it as it was before, with `isready` as the last line.

        """
        # It is still one of those in use, of which there may be only so many.
        kept = max(self.kept, int(self._left() is not None))
        if self._closed or not engine.is_sound or len(self._coming) >= kept:
            return False
        self._coming.append(RecycledEngine(self, engine, undo, self.patience))
        return True

    def forget(self, listener: EngineListener) -> None:
        """Take note that who asked for an engine wants it no more."""
        self._asking.pop(listener, None)

    # --- for the gate

    @property
    def is_urgent(self) -> bool:
        """Whether somebody waits for the next engine."""
        return len(self._asking) > self._starting

    @property
    def may_start(self) -> bool:
        """Whether one more is wanted now."""
        # Those that are doubted will most likely do, but who waits now does not wait for them.
        there = len(self._coming) + (0 if self.is_urgent else len(self._doubted))
        if self._closed or self.presence is not Presence.HERE or there >= self.wanted:
            return False
        # One that fails may do so each time: then one at a time, and not over and over.
        if self.trouble and self._starting:
            return False
        return not self._resting

    def start_one(self) -> bool:
        """Start one; say whether it is on its way."""
        patience = self.patience * (1 << min(self._lates, MAX_DOUBLINGS))
        try:
            self._coming.append(StartingEngine(self, self._start, patience))
            self.is_put_off = False
        except FullError:
            self.is_put_off = True
            self._rest.failed(asyncio.get_running_loop().time())
            self._try_again()
            return False
        except OSError as error:
            self._failed(f"it cannot be started: {error.strerror}")
            return False
        return True

    @property
    def _starting(self) -> int:
        return sum(not each.ready for each in self._coming)

    @property
    def _resting(self) -> float:
        """For how many seconds none is started, because one has failed."""
        return self._rest.left(asyncio.get_running_loop().time(), urgent=self.is_urgent)

    # --- for newcomers

    def answered(self, newcomer: StartingEngine) -> None:
        """Take note that an engine has said what it is."""
        if newcomer.answer != self.answer:
            self.answer = newcomer.answer
            self._changed(self.name)
        self._answered.set()
        self._opening = False

    def came(self, newcomer: StartingEngine | RecycledEngine) -> None:
        """Take note that an engine is ready: who has waited for longest has it."""
        self.trouble = ""
        if self._repetition.over():
            logger.info("engine %s can be had again", self.name, extra=about(engine=self.name))
        self._rest.over()
        self._lates = 0
        if newcomer.is_starting:
            self._opening = False
        if newcomer in self._doubted:
            self._doubted.remove(newcomer)
            self._coming.appendleft(newcomer)  # It has been there for longer than those that start.
        self.memory_mb = max(1, newcomer.engine.memory_mb())
        if self._asking and newcomer in self._coming and not self._closed:
            self._coming.remove(newcomer)
            listener = next(iter(self._asking))
            later = self._asking.pop(listener)
            newcomer.engine.listener = listener
            later(newcomer.engine)
        self.look()
        if newcomer.is_starting:
            self._gate.leave()

    def went(self, newcomer: StartingEngine | RecycledEngine, reason: str) -> None:
        """Take note that an engine is gone before anybody had it."""
        now = asyncio.get_running_loop().time()
        if newcomer in self._doubted:
            self._doubted.remove(newcomer)
            if text := self._repetition.again(f"a spare one is gone: {reason}", now):
                fields = about(engine=self.name, reason=reason)
                logger.warning("engine %s: %s", self.name, text, extra=fields)
            self._gate.enter(self)
        elif newcomer in self._coming:
            self._coming.remove(newcomer)
            if not self._closed:
                self._lates += newcomer.late
                self._failed(reason)
                self._gate.enter(self)
        if newcomer.is_starting and not newcomer.ready:
            self._gate.leave()

    def _failed(self, reason: str) -> None:
        if text := self._repetition.again(reason, asyncio.get_running_loop().time()):
            fields = about(engine=self.name, reason=reason)
            logger.warning("engine %s: %s", self.name, text, extra=fields)
        self.trouble = reason
        self._answered.set()
        self._opening = False
        self._rest.failed(asyncio.get_running_loop().time())
        if self.presence is not Presence.AWAY:
            for listener in self.asking[: max(0, len(self._asking) - self._starting)]:
                self._fail(listener)
        self._try_again()

    def _fail(self, listener: EngineListener) -> None:
        """Let who asked know that there is no engine: in a while, for it may ask again."""
        asyncio.get_running_loop().call_later(TELL_AFTER, self._asking.pop(listener), None)

    def _try_again(self) -> None:
        """Start what is wanted; after a failure, when the rest is over."""
        if self._retry:
            self._retry.cancel()
            self._retry = None
        if (left := self._resting) and not self._closed:
            self._retry = asyncio.get_running_loop().call_later(left, self._try_again)
        else:
            self._gate.enter(self)

    def _fill_again(self) -> None:
        self._refill = None
        self._gate.enter(self)
