"""Engines of one kind, started before a session asks for them.

Starting a process and hearing its `uciok` takes from 65 ms to seconds; a client should
not wait for it.  So there is always a spare engine that has answered `uci` and
`isready`, and where several are taken together there are as many spare ones, within
bounds.  An engine serves one session and is ended after it, so that none remembers what
another client did; unless its operator would rather have it soon again (`reuse`).

When one that is in use does not answer, what has befallen it may have befallen the spare ones,
too: no session gets one of them until it has answered `isready` once more.  So it is once a
minute in any case.

All pools of a server start their engines through one limiter, so many at a time.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto

from rookery_protocol.engine_names import group_of
from rookery_server.config.resources import Size
from rookery_server.config.sections import Stock
from rookery_server.engines.engine_build import Build
from rookery_server.engines.pacing import DemandPeak, FailurePause
from rookery_server.engines.running_engine import EngineListener, FullError, RunningEngine
from rookery_server.engines.starting_engine import (
    RecycledEngine,
    StartEngine,
    StartingEngine,
    StartLimiter,
)
from rookery_server.log import Repetition, about
from rookery_uci import EngineIdentity

logger = logging.getLogger(__name__)

TELL_AFTER = 0.1  # s until a session hears of a failure: what was short may be there by then
REFILL = 0.25  # s; sessions that come together are served before their engines are replaced
MAX_DOUBLINGS = 2  # of the patience with an engine that is late
CHECK_EVERY = 60.0  # s; in which a spare engine that hangs, unseen, would make one client wait
_ASK = b"isready\n"

Later = Callable[[RunningEngine | None], None]


class Presence(Enum):
    """The presence of engines at all: those of another machine may be away."""

    HERE = auto()
    AWAY = auto()  # and may be here again soon: sessions wait
    GONE = auto()  # sessions are told so


class Pool:
    """Spare engines of one kind.

    `answer` is what they say to `uci`; None until the first has.  `patience` is the time in
    seconds that one has for it, and as long again to be ready; after one that was late the
    next has more.  `trouble` is why the last one that failed did.  `is_put_off` says that there is
    no place for one more where it runs, until one ends.
    """

    def __init__(
        self,
        name: str,
        start: StartEngine,
        stock: Stock,
        limiter: StartLimiter,
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
            stock: number of spare ones.
            limiter: lets them start in turn.
            patience: see above.
            reuse: whether one may serve several sessions, one after the other.
            room: returns the number of spare engines that the machine has room for.
            changed: is called with the name when an engine answers otherwise than those
                before it: its program is another one by now.
            is_here: whether they run on this machine, and take of its memory.
            left: returns how many there may be beside those that sessions have, or ask for;
                None is no bound.

        """
        self.name = name
        self.group = group_of(name)  # the account whose machines have them; "" is this server
        self.stock = stock
        self.answer: EngineIdentity | None = None
        self.newest: RunningEngine | None = None  # of those that have been ready
        self.patience = patience
        self.reuse = reuse
        self.trouble = ""
        self.memory_mb = 1  # of one that is ready, MiB
        self.presence = Presence.HERE
        self.is_put_off = False
        self._start = start
        self._limiter = limiter
        self._room = room
        self._changed = changed
        self._is_here = is_here
        self._left = left
        self._loop = asyncio.get_running_loop()
        self._demand = DemandPeak()
        self._pause = FailurePause()
        self._repetition = Repetition()  # of failures, in the log
        self._lates = 0  # how many were late, one after the other
        self._coming: deque[RecycledEngine] = deque()  # and those that are ready, first
        self._doubted: list[RecycledEngine] = []  # that were ready, and may not answer any more
        self._checked = self._loop.time()  # when they were last asked
        self._requests: dict[EngineListener, Later] = {}  # in the order in which they came
        self._opening = False
        self._answered = asyncio.Event()
        self._retry: asyncio.TimerHandle | None = None
        self._refill: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def build(self) -> Build | None:
        """The build of its engines, as far as is known."""
        if self.answer is None or self.newest is None or not self.newest.words:
            return None
        return Build(self.answer.name, self.newest.words, self.newest.files)

    @property
    def waiting(self) -> list[EngineListener]:
        """The sessions that wait for an engine."""
        return list(self._requests)

    @property
    def spares(self) -> int:
        """The number that is ready."""
        return sum(each.ready for each in self._coming)

    @property
    def wanted(self) -> int:
        """The number that should be ready, or starting."""
        # Those that come back serve sessions that come together, where they may.
        spare = self.stock.least if self.reuse else max(self.stock.least, self._expected())
        # Without the first one it would not be known what the engine is.
        return max(self._bounded(max(spare, len(self._requests))), int(self._opening))

    @property
    def kept(self) -> int:
        """The number that may be ready, or starting: one more is ended."""
        return self._bounded(self.wanted + self._expected()) if self.reuse else self.wanted

    def _bounded(self, count: int) -> int:
        """Return as much of a number of engines as there may be beside those in use."""
        left = self._left()
        return count if left is None else min(count, max(0, left) + len(self._requests))

    def _expected(self) -> int:
        """Return how many may be taken together next, as far as there is room for so many."""
        expected = self._demand.expected(self._loop.time())
        return min(expected, self.stock.most, self._room(self) if self._room else expected)

    def whole(self, size: Size) -> Size:
        """Return what one takes of this machine in all, of which so much are threads and hash."""
        return replace(size, memory_mb=size.hash_mb + self.memory_mb if self._is_here else 0)

    def set_stock(self, stock: Stock) -> None:
        """Keep so many spare engines from now on; without any they are started when asked for."""
        self.stock = stock
        self.adjust()

    async def open(self) -> None:
        """Start the first engine; return when it has answered, or has failed."""
        self.start_first()
        await self._answered.wait()

    def start_first(self) -> None:
        """Start the first engine, to learn what it says to `uci`."""
        self._opening = True
        self._limiter.request_start(self)

    def set_presence(self, presence: Presence) -> None:
        """Serve the sessions that wait, if engines can be had again; refuse them, if none comes."""
        self.presence = presence
        if presence is Presence.HERE:
            self.trouble = ""
            self._pause.end()
            self.adjust()
        elif presence is Presence.GONE:
            for listener in self.waiting:
                self._refuse(listener)

    def close(self) -> None:
        """End the spare engines."""
        self._closed = True
        self._answered.set()
        for timer in (self._retry, self._refill):
            if timer:
                timer.cancel()
        for listener in self.waiting:
            self._refuse(listener)
        for spare in (*self._coming, *self._doubted):
            spare.engine.end()

    def adjust(self) -> None:
        """End spare engines that are too many by now, and start those that are missing."""
        if self._closed:
            return
        is_due = self._loop.time() - self._checked > CHECK_EVERY
        if is_due and self.presence is Presence.HERE:
            self.check_spares()
        kept = self.kept
        while len(self._coming) > kept:
            self._coming.pop().engine.end()
        self._limiter.request_start(self)

    def check_spares(self) -> None:
        """Have the spare engines show that they still answer, before a session gets one."""
        self._checked = self._loop.time()
        for each in [each for each in self._coming if each.ready]:
            self._coming.remove(each)
            self._doubted.append(RecycledEngine(self, each.engine, _ASK, self.patience))

    def request(self, listener: EngineListener, later: Later) -> RunningEngine | None:
        """Return an engine that is ready; None if one will be handed over later.

        Args:
            listener: receives its output from now on.
            later: is called with the engine, or None if it could not be started; why is in
                `trouble`.  It is never called before this returns.

        """
        self._demand.count_taken(self._loop.time())
        # One that is lost may not have said so yet.
        healthy = (each for each in self._coming if each.ready and each.engine.is_healthy)
        # Those that have served are first: there are fresh ones in any case.
        if ready := min(healthy, key=lambda each: each.is_starting, default=None):
            self._coming.remove(ready)
            ready.engine.listener = listener
            if not (self._refill or self._closed):
                self._refill = self._loop.call_later(REFILL, self._fill_again)
            return ready.engine
        self._requests[listener] = later
        self._try_again()
        if self._closed or self.presence is Presence.GONE:
            self._refuse(listener)
        return None

    def cancel_request(self, listener: EngineListener) -> None:
        """Forget a session that wants an engine no more."""
        self._requests.pop(listener, None)

    def recycle(self, engine: RunningEngine, undo: bytes) -> bool:
        """Keep an engine that has served for others; return whether it is wanted.

        Args:
            engine: the one; it owes nothing.
            undo: what makes it as it was before, with `isready` as the last line.

        """
        # It is still one of those in use, of which there may be only so many.
        kept = max(self.kept, int(self._left() is not None))
        if self._closed or not engine.is_healthy or len(self._coming) >= kept:
            return False
        self._coming.append(RecycledEngine(self, engine, undo, self.patience))
        return True

    # --- for the limiter

    @property
    def is_urgent(self) -> bool:
        """True if a session waits for the next engine."""
        return len(self._requests) > self._starting

    @property
    def may_start(self) -> bool:
        """True if one more is wanted now."""
        # Those that are doubted will most likely do, but a session does not wait for them.
        there = len(self._coming) + (0 if self.is_urgent else len(self._doubted))
        if self._closed or self.presence is not Presence.HERE or there >= self.wanted:
            return False
        # One that fails may do so each time: then one at a time, and not over and over.
        if self.trouble and self._starting:
            return False
        return not self._pause_left()

    def start_one(self) -> bool:
        """Start one; return whether it is starting."""
        patience = self.patience * (1 << min(self._lates, MAX_DOUBLINGS))
        try:
            self._coming.append(StartingEngine(self, self._start, patience))
            self.is_put_off = False
        except FullError:
            self.is_put_off = True
            self._pause.count_failure(self._loop.time())
            self._try_again()
            return False
        except OSError as error:
            self._start_failed(f"it cannot be started: {error.strerror}")
            return False
        return True

    @property
    def _starting(self) -> int:
        return sum(not each.ready for each in self._coming)

    # --- for its engines

    def engine_identified(self, spare: StartingEngine) -> None:
        """Learn what an engine is."""
        if spare.answer != self.answer:
            self.answer = spare.answer
            self._changed(self.name)
        self._answered.set()
        self._opening = False

    def engine_ready(self, spare: RecycledEngine) -> None:
        """Give an engine to the session that has waited for longest, or keep it."""
        self.trouble = ""
        if self._repetition.over():
            logger.info("engine %s can be had again", self.name, extra=about(engine=self.name))
        self._pause.end()
        self._lates = 0
        if spare.is_starting:
            self._opening = False
        if spare in self._doubted:
            self._doubted.remove(spare)
            self._coming.appendleft(spare)  # It has been there for longer than those that start.
        self.memory_mb = max(1, spare.engine.memory_mb())
        self.newest = spare.engine
        if self._requests and spare in self._coming and not self._closed:
            self._coming.remove(spare)
            listener = next(iter(self._requests))
            later = self._requests.pop(listener)
            spare.engine.listener = listener
            later(spare.engine)
        self.adjust()
        if spare.is_starting:
            self._limiter.start_done()

    def engine_gone(self, spare: RecycledEngine, reason: str) -> None:
        """Replace an engine that is gone before a session had it."""
        if spare in self._doubted:
            self._doubted.remove(spare)
            self._log_failure(f"a spare one is gone: {reason}")
            self._limiter.request_start(self)
        elif spare in self._coming:
            self._coming.remove(spare)
            if not self._closed:
                self._lates += spare.late
                self._start_failed(reason)
                self._limiter.request_start(self)
        if spare.is_starting and not spare.ready:
            self._limiter.start_done()

    # --- failures

    def _start_failed(self, reason: str) -> None:
        self._log_failure(reason)
        self.trouble = reason
        self._answered.set()
        self._opening = False
        self._pause.count_failure(self._loop.time())
        if self.presence is not Presence.AWAY:
            for listener in self.waiting[: max(0, len(self._requests) - self._starting)]:
                self._refuse(listener)
        self._try_again()

    def _log_failure(self, reason: str) -> None:
        if text := self._repetition.again(reason, self._loop.time()):
            fields = about(engine=self.name, reason=reason)
            logger.warning("engine %s: %s", self.name, text, extra=fields)

    def _refuse(self, listener: EngineListener) -> None:
        """Tell a session that there is no engine: in a while, for it may ask again."""
        self._loop.call_later(TELL_AFTER, self._requests.pop(listener), None)

    def _pause_left(self) -> float:
        """Return the seconds for which none is started, because one has failed."""
        return self._pause.left(self._loop.time(), urgent=self.is_urgent)

    def _try_again(self) -> None:
        """Start what is wanted; after a failure, when the wait is over."""
        if self._retry:
            self._retry.cancel()
            self._retry = None
        if (left := self._pause_left()) and not self._closed:
            self._retry = self._loop.call_later(left, self._try_again)
        else:
            self._limiter.request_start(self)

    def _fill_again(self) -> None:
        self._refill = None
        self._limiter.request_start(self)
