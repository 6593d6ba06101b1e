"""The lease of one session: its slot, its engine, or what it has asked for.

To have an engine a session first needs a slot, the right to run one, then an engine of its
pool.  Either may come at once, later or never; while others are before it, the session answers
what it can by itself.  An engine that dies is replaced, unless that happens too often; one that
is not needed may be parked, which means ended, or handed on to other sessions.

The session's actor is told by scheduler, pool and engine, and tells the lease; the lease tells
the session, whose answers the actor carries out.
"""

import asyncio
import logging
from enum import Enum, auto
from typing import Protocol

from rookery_protocol.errors import Refusal, RefusedError
from rookery_protocol.notices import Close, Code
from rookery_server.actor.backpressure import Backpressure
from rookery_server.actor.watchdog import Trouble, Watchdog
from rookery_server.config.resources import Size
from rookery_server.engines.pool import Later, Pool, Presence
from rookery_server.engines.running_engine import NULL_LISTENER, EngineListener, RunningEngine
from rookery_server.log import about
from rookery_server.scheduling.scheduler import Grant, Scheduler, SlotHolder
from rookery_server.session.commands import NOTHING, RUNNING
from rookery_server.session.deadlines import Patience, SessionDeadlines
from rookery_server.session.session import Session
from rookery_server.session.totals import Totals

logger = logging.getLogger(__name__)


class EngineSource(Protocol):
    """The manager of all sessions, as far as a lease needs it."""

    patience: Patience  # with engines
    scheduler: Scheduler

    def delay_of(self, pool: Pool) -> Refusal | None:
        """Return why engines of a pool come later than they are started, if they do."""


class LeaseHolder(SlotHolder, EngineListener, Protocol):
    """The actor of a session: what scheduler and pool know it by, and what it shares."""

    deadlines: SessionDeadlines
    flow: Backpressure
    pool: Pool
    session: Session
    totals: Totals


class Awaited(Enum):
    """The thing that a session has asked for, and does not have yet."""

    NOTHING = auto()
    SLOT = auto()
    ENGINE = auto()


class EngineLease:
    """The slot and the engine of one session, or its wish for them."""

    def __init__(self, holder: LeaseHolder, source: EngineSource, later: Later) -> None:
        """Begin without a slot; `later` takes an engine that the pool does not have ready."""
        self.awaits = Awaited.NOTHING
        self.queues = False  # others are before it
        self.engine_talks = False  # since the watchdog has last checked
        self._holder = holder
        self._source = source
        self._later = later
        self._session, self._flow, self._pool = holder.session, holder.flow, holder.pool
        self._deadlines, self._totals, self._usage = holder.deadlines, holder.totals, holder.usage
        self._watchdog = Watchdog(holder.session, holder.deadlines, holder.usage)
        self._loop = asyncio.get_running_loop()

    # --- getting an engine

    def request(self) -> None:
        """Ask for a slot, and for an engine as soon as there is one."""
        now, size = self._loop.time(), self._pool.whole(self._session.setup.size)
        self.awaits = Awaited.SLOT
        try:
            grant = self._source.scheduler.acquire(self._holder, size, now)
        except RefusedError as error:
            self.awaits = Awaited.NOTHING
            self._session.notice(error.notice.code, error.notice.text)
            self._session.do_without_engine()
            return
        if grant is Grant.NOW:
            self.take_engine()
        elif grant is Grant.LATER:
            self.wait(None)
            if notice := self._source.scheduler.notice_for(self._holder, now):
                self._session.notice(notice.code, notice.text)

    def take_engine(self) -> None:
        """Take an engine of the pool, now or later: there is a slot."""
        self.awaits, self.queues = Awaited.ENGINE, False
        if engine := self._pool.request(self._holder, self._later):
            self.attach(engine)
        elif reason := self._source.delay_of(self._pool):
            self.wait(reason)

    def attach(self, engine: RunningEngine) -> None:
        """Let the session have the engine that it has asked for."""
        self.awaits, self.queues = Awaited.NOTHING, False
        self._deadlines.engine_came(self._session.ready.answered, self._loop.time())
        engine.listener = self._holder
        self._flow.engine = engine
        self._session.attach(self.resize_slot())

    def resize_slot(self) -> Size:
        """Return the size of the slot: what the session's options take, or less."""
        size = self._pool.whole(self._session.setup.size)
        return self._source.scheduler.resize(self._holder, size, self._loop.time())

    def fail(self) -> Trouble | None:
        """Record that no engine could be started, or none ever will be; return what follows."""
        self.awaits, self.queues = Awaited.NOTHING, False
        pool, deadlines = self._pool, self._deadlines
        missing = deadlines.has_missed_for_long(self._loop.time(), self._source.patience)
        if pool.presence is Presence.GONE:
            text = f"no machine offers {pool.name!r} now"
            return Trouble(Code.ENGINE_AWAY, text, Close.ENGINE_GONE)
        if missing:
            text = f"no engine can be had: {pool.trouble}"
            return Trouble(Code.ENGINE_FAILED, text, Close.ENGINE_GONE)
        if deadlines.misses == 1:
            return Trouble(Code.NO_ENGINE, f"no engine yet: {pool.trouble}; another is started")
        return None

    def wait(self, reason: Refusal | None) -> None:
        """Answer what needs no engine: a slot or an engine comes later."""
        if reason and not self.queues:  # It is told once.
            self._session.notice(*reason)
        self.queues = True
        self.answer_meanwhile()

    def answer_meanwhile(self) -> None:
        """Answer what needs no engine; do not keep a client waiting that wants to leave."""
        session = self._session
        session.without_engine()
        if session.leaving:
            session.do_without_engine()
        if session.needs is NOTHING:
            self.withdraw()

    def withdraw(self) -> None:
        """Ask for nothing any more."""
        self.awaits, self.queues = Awaited.NOTHING, False
        self._source.scheduler.withdraw(self._holder, self._loop.time())
        self._pool.cancel_request(self._holder)

    def release_slot(self) -> None:
        """Let others have the slot: there is no engine."""
        self._source.scheduler.release(self._holder, self._loop.time())

    # --- losing it

    def may_park(self, now: float) -> bool:
        """Return whether the engine may be ended for others that wait."""
        if self._flow.engine is None or not self._session.can_park:
            return False
        after = self._usage.quota.park_after
        is_idle = after is not None and now - self._deadlines.idle_since >= after
        return self._flow.channel is None or is_idle

    def is_forsaken(self, now: float) -> bool:
        """Return whether the engine does nothing, and its client has been silent for long."""
        can_be_freed = self._flow.engine is not None and self._session.can_park
        return can_be_freed and self._deadlines.is_forsaken(self._usage.quota, now)

    def park(self) -> None:
        """End the engine; another comes when the session needs one again."""
        engine = self.lose_engine()
        self._charge(engine)
        self._session.detach()
        engine.listener = NULL_LISTENER
        engine.end()
        self._flow.release_clients()

    def hand_on(self) -> None:
        """Let other sessions have the engine, if it may serve them and owes nothing."""
        engine = self._flow.engine
        if engine is None or self._totals.engine_deaths:
            return
        if (undo := self._session.undo()) is not None:
            self._charge(engine)
            if self._pool.reuse and self._pool.recycle(engine, undo):
                self._flow.engine = None

    def end_engine(self) -> bool:
        """End the engine; return whether there is one, whose end will be heard of."""
        if engine := self._flow.engine:
            self._charge(engine)
            engine.end()
        return engine is not None

    def lose_engine(self) -> RunningEngine:
        """Forget the engine, and return it."""
        engine, self._flow.engine = self._flow.engine, None
        assert engine
        return engine

    def replace(self, engine: RunningEngine, reason: str) -> Trouble | None:
        """Go on without an engine that has died or left; return why the session cannot."""
        session, now = self._session, self._loop.time()
        self._charge(engine)
        if engine.machine_left:
            session.notice(*self._loss(reason))
        else:
            self._totals.engine_deaths += 1
            text, fields = "session %d: engine %s died: %s", about(**self._holder.fields)
            logger.warning(text, self._holder.number, engine.label, reason, extra=fields)
            if self._deadlines.has_seen_death(now):
                text = f"the engine is gone again: {reason}"
                return Trouble(Code.ENGINE_DIED, text, Close.ENGINE_GONE)
            text = f"the engine is gone: {reason}; another takes its place"
            session.notice(Code.ENGINE_DIED, text)
        session.lose_engine(self._deadlines.spent(now))
        return None

    def _loss(self, reason: str) -> Refusal:
        """Return the notice that the engine has gone with its machine."""
        text = f"the engine is gone: {reason}"
        if self._pool.presence is Presence.HERE:
            return Code.ENGINE_DIED, f"{text}; another takes its place"
        if self._session.state in RUNNING:  # What becomes of its search is told next.
            return Code.ENGINE_DIED, text
        return Code.ENGINE_AWAY, f"{text}; no other machine offers it now"

    # --- using it

    def charge(self) -> None:
        """Count the CPU time that the engine has used since this was last called."""
        if self._flow.engine:
            self._charge(self._flow.engine)

    def _charge(self, engine: RunningEngine) -> None:
        used = engine.cpu_seconds()
        self._totals.cpu_seconds += used
        if self._usage.quota.cpu_seconds is not None:
            self._usage.spend(used, self._loop.time())

    def check_engine(self, now: float) -> None:
        """End an engine that hangs, or works for longer than it may."""
        session, flow = self._session, self._flow
        if (engine := flow.engine) is None:
            return
        if engine.paused and session.is_due:
            flow.resume_due_engine()
        talks, self.engine_talks = self.engine_talks, False
        if session.works:
            self._charge(engine)
        fault = self._watchdog.check_engine(
            engine, now, self._source.patience, talks=talks, client_waits=flow.client_waits
        )
        if fault is None:
            if piece := session.for_engine():
                engine.send_lines(piece)
            return
        if fault.notice:
            session.notice(*fault.notice)
        if fault.hangs:
            self._pool.check_spares()  # Others may not answer, either.
        engine.kill(fault.complaint)

    def check_quota(self, now: float) -> Trouble | None:
        """Stop a search that takes longer than the account may; return what follows."""
        if self._usage.quota.cpu_seconds is not None:
            self.charge()
        trouble = self._watchdog.check_quota(now)
        if trouble and not trouble.closes:
            self._session.stop_current()  # What comes behind it has its own time.
        return trouble
