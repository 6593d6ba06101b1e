"""The engine of one session: its slot, its process, or what was asked for, and its watchdog.

To have an engine a session first needs a slot, the right to run one, then an engine of its
pool.  Either may come at once, later or never; while others are before it, the session answers
what it can by itself.  An engine that dies is replaced, unless that happens too often; one that
is not needed may be parked, which means ended, or handed on to other sessions.
"""

import asyncio
import logging
from abc import abstractmethod
from enum import Enum, auto
from itertools import count
from typing import Protocol

from rookery_protocol.errors import Refusal, RefusedError
from rookery_protocol.notices import Close, Code
from rookery_server.access.account import Account
from rookery_server.actor.backpressure import Backpressure
from rookery_server.cache.cache_query import CacheQuery
from rookery_server.config.resources import Size
from rookery_server.engines.pool import Pool, Presence
from rookery_server.engines.running_engine import NULL_LISTENER, EngineListener, RunningEngine
from rookery_server.log import about
from rookery_server.scheduling.quota import Usage
from rookery_server.scheduling.scheduler import Grant, Scheduler
from rookery_server.session.client_channel import Client
from rookery_server.session.commands import NOTHING, RUNNING, SEARCHING
from rookery_server.session.deadlines import InputPace, Late, Patience, SessionDeadlines
from rookery_server.session.session import Session
from rookery_server.session.totals import Totals

logger = logging.getLogger(__name__)

_numbers = count(1)


class EngineSource(Protocol):
    """The manager of all sessions, as far as it leads to an engine."""

    patience: Patience  # with engines
    scheduler: Scheduler

    def delay_of(self, pool: Pool) -> Refusal | None:
        """Return why engines of a pool come later than they are started, if they do."""


class Awaited(Enum):
    """The thing that a session has asked for, and does not have yet."""

    NOTHING = auto()
    SLOT = auto()
    ENGINE = auto()


class EngineHolder(EngineListener):
    """A session with its slot and its engine, or its wish for them.

    Scheduler and pool tell it when they come; `SessionActor` adds what concerns the client.
    """

    def __init__(
        self,
        session: Session,
        client: Client,
        source: EngineSource,
        pool: Pool,
        account: Account,
        usage: Usage,
    ) -> None:
        """Begin without a slot."""
        self._loop = asyncio.get_running_loop()
        self._source = source
        self.number = next(_numbers)  # for logs
        self.session = session
        self.pool = pool
        self.engine_name = pool.name
        self.group = pool.group
        self.account = account
        self.usage = usage
        self.admitted = False  # and so counted among the sessions of its account
        self.is_batch = False  # and waits behind those whose clients look at them
        self.log = logging.LoggerAdapter(logger, about(**self.fields))
        self.deadlines = SessionDeadlines(self._loop.time())
        self.totals = Totals(began=self.deadlines.idle_since)
        self.flow = Backpressure(client, session, usage, self.totals)
        self.wants_cache = usage.quota.cache
        self.hears_known = True  # what the cache has, when a search begins
        self.query: CacheQuery | None = None  # what the search asks, if its answer may be kept
        self.is_over = False  # nothing is carried any more
        self._awaits = Awaited.NOTHING
        self._queues = False  # others are before it
        self._engine_talks = False  # since it was last checked
        self._cpu_seen = 0.0  # s that the engine had used then

    @property
    def client(self) -> Client | None:
        """The connection; None while there is none."""
        return self.flow.channel.client if self.flow.channel else None

    @property
    def idle_since(self) -> float:
        """The time of its last search, in seconds of the loop's clock."""
        return self.deadlines.idle_since

    @property
    def fields(self) -> dict[str, object]:
        """Its fields in each event of the log."""
        name = self.account.name
        return {"session": self.number, "account": name, "engine": self.engine_name}

    @abstractmethod
    def carry_out(self) -> None:
        """Carry out what the session has decided."""

    @abstractmethod
    def close(self, close: Close, code: Code, text: str) -> None:
        """End the session; its client is told why, and searches have their best move so far."""

    def send_notice(self, code: Code, text: str) -> None:
        """Tell the client something in the server's own name."""
        self.session.notice(code, text)
        self.carry_out()

    # --- getting an engine

    def _request_slot(self) -> None:
        """Ask for a slot, and for an engine as soon as there is one."""
        now, scheduler = self._loop.time(), self._source.scheduler
        self._awaits = Awaited.SLOT
        try:
            grant = scheduler.acquire(self, self.pool.whole(self.session.setup.size), now)
        except RefusedError as error:
            self._awaits = Awaited.NOTHING
            self.session.notice(error.notice.code, error.notice.text)
            self.session.without_engine(for_good=True)
            return
        if grant is Grant.NOW:
            self._request_engine()
        elif grant is Grant.LATER:
            self._wait(None)
            if notice := scheduler.notice_for(self, now):
                self.session.notice(notice.code, notice.text)

    def _request_engine(self) -> None:
        """Take an engine of the pool, now or later: there is a slot."""
        self._awaits, self._queues = Awaited.ENGINE, False
        if engine := self.pool.request(self, self._engine_arrived):
            self._attach(engine)
        elif reason := self._source.delay_of(self.pool):
            self._wait(reason)

    def _attach(self, engine: RunningEngine) -> None:
        self._awaits, self._queues = Awaited.NOTHING, False
        self.deadlines.engine_came(self.session.ready.answered, self._loop.time())
        self._cpu_seen = 0.0
        engine.listener = self
        self.flow.engine = engine
        self.session.attach(self._resize_slot())

    def _resize_slot(self) -> Size:
        """Return the size of the slot: what the session's options take, or less."""
        size = self.pool.whole(self.session.setup.size)
        return self._source.scheduler.resize(self, size, self._loop.time())

    def _wait(self, reason: Refusal | None) -> None:
        """Answer what needs no engine: a slot or an engine comes later."""
        if reason and not self._queues:  # It is told once.
            self.session.notice(*reason)
        self._queues = True
        self._answer_meanwhile()

    def _answer_meanwhile(self) -> None:
        """Answer what needs no engine; ask for none if nothing else is left."""
        self.session.without_engine()
        if self.session.needs is NOTHING:
            self._withdraw()

    def _withdraw(self) -> None:
        """Ask for nothing any more."""
        self._awaits, self._queues = Awaited.NOTHING, False
        self._source.scheduler.withdraw(self, self._loop.time())
        self.pool.cancel_request(self)

    def slot_granted(self) -> None:
        """Use the slot that was acquired."""
        self._request_engine()
        self._go_on()

    def must_wait(self, reason: Refusal | None = None) -> None:
        """Do what needs no engine: a slot or an engine comes later."""
        self._wait(reason)
        self._go_on()

    def _engine_arrived(self, engine: RunningEngine | None) -> None:
        """Use an engine that was asked for; None if it could not be started, or never will be."""
        if engine:
            self._attach(engine)
            self._go_on()
        elif not self.is_over:
            self._tell_failure()

    def _go_on(self) -> None:
        self.carry_out()
        self.flow.release_clients()

    def _tell_failure(self) -> None:
        """Go on or end: no engine could be started, or none ever will be."""
        self._awaits, self._queues = Awaited.NOTHING, False
        pool, deadlines = self.pool, self.deadlines
        missing = deadlines.has_missed_for_long(self._loop.time(), self._source.patience)
        if pool.presence is Presence.GONE:
            text = f"no machine offers {pool.name!r} now"
            self.close(Close.ENGINE_GONE, Code.ENGINE_AWAY, text)
        elif missing:
            text = f"no engine can be had: {pool.trouble}"
            self.close(Close.ENGINE_GONE, Code.ENGINE_FAILED, text)
        elif deadlines.misses == 1:
            text = f"no engine yet: {pool.trouble}; another is started"
            self.send_notice(Code.NO_ENGINE, text)
        else:
            self.carry_out()

    # --- losing it

    def may_park(self, now: float) -> bool:
        """Return whether the engine may be ended for others that wait."""
        # If the session is over it is ending already, and its end is waited for.
        if self.is_over or self.flow.engine is None or not self.session.can_park:
            return False
        after = self.usage.quota.park_after
        is_idle = after is not None and now - self.idle_since >= after
        return self.flow.channel is None or is_idle or not self.admitted

    def park(self) -> None:
        """End the engine; another comes when the session needs one again."""
        engine, self.flow.engine = self.flow.engine, None
        assert engine
        self._charge(engine)
        self.session.detach()
        engine.listener = NULL_LISTENER
        engine.end()
        self.flow.release_clients()

    def _free_engine(self) -> None:
        """Let others have the slot of a session whose client has been silent for long."""
        text = "session %d: its client gives no sign of life, so its engine is freed"
        self.log.info(text, self.number)
        self.park()
        self._source.scheduler.release(self, self._loop.time())

    def _hand_on_engine(self) -> None:
        """Let other sessions have the engine, if it may serve them and owes nothing."""
        engine = self.flow.engine
        if engine is None or self.totals.engine_deaths:
            return
        if (undo := self.session.undo()) is not None:
            self._charge(engine)
            if self.pool.reuse and self.pool.recycle(engine, undo):
                self.flow.engine = None

    def _end_engine(self) -> bool:
        """End the engine; return whether there is one, whose end will be heard of."""
        if engine := self.flow.engine:
            self._charge(engine)
            engine.end()
        return engine is not None

    def _replace_engine(self, engine: RunningEngine, reason: str) -> None:
        """Go on without an engine that has died or left, or end if too many have died."""
        session, now = self.session, self._loop.time()
        self._charge(engine)
        if engine.machine_left:
            session.notice(*self._loss(reason))
        else:
            self.totals.engine_deaths += 1
            text = "session %d: engine %s died: %s"
            self.log.warning(text, self.number, engine.label, reason)
            if self.deadlines.has_seen_death(now):
                text = f"the engine is gone again: {reason}"
                self.close(Close.ENGINE_GONE, Code.ENGINE_DIED, text)
                return
            text = f"the engine is gone: {reason}; another takes its place"
            session.notice(Code.ENGINE_DIED, text)
        session.lose_engine(self.deadlines.spent(now))
        self.carry_out()

    def _loss(self, reason: str) -> Refusal:
        """Return the notice that the engine has gone with its machine."""
        text = f"the engine is gone: {reason}"
        if self.pool.presence is Presence.HERE:
            return Code.ENGINE_DIED, f"{text}; another takes its place"
        if self.session.state in RUNNING:  # What becomes of its search is told next.
            return Code.ENGINE_DIED, text
        return Code.ENGINE_AWAY, f"{text}; no other machine offers it now"

    def cpu_seconds(self) -> float | None:
        """Return the CPU time of the session's engines so far; None if it cannot be known now."""
        engine = self.flow.engine
        if engine is None or engine.cpu_total() is None:
            return None
        self._charge(engine)
        return self.totals.cpu_seconds

    # --- watching it, twice a second

    def _charge(self, engine: RunningEngine) -> None:
        """Count the CPU time that the engine has used since this was last called."""
        used = engine.cpu_seconds()
        self.totals.cpu_seconds += used
        if self.usage.quota.cpu_seconds is not None:
            self.usage.spend(used, self._loop.time())

    def _check_quota(self, now: float) -> None:
        """End what takes longer than the account may."""
        quota, session, refusal = self.usage.quota, self.session, None
        if quota.cpu_seconds is not None and self.flow.engine:
            self._charge(self.flow.engine)
        late = self.deadlines.over_quota(session.state, quota, now)
        if late is Late.CLIENT:
            text = f"nothing was asked for {quota.idle_timeout:.0f} s"
            self.close(Close.IDLE, Code.QUOTA_IDLE, text)
            return
        if late is Late.SEARCH:
            most = f"{quota.longest_search:.0f} s"
            text = f"the search was stopped after {most}, as long as one may take"
            refusal = Code.QUOTA_SEARCH, text
        elif session.state is SEARCHING:
            refusal = self.usage.objection_to_search(now)
        if refusal:
            session.stop_current()  # What comes behind it has its own time.
            self.send_notice(*refusal)

    def _check_engine(self, engine: RunningEngine, now: float) -> None:
        """End an engine that hangs, or works for longer than it may."""
        session = self.session
        if engine.paused and session.is_due:
            self.flow.resume_due_engine()
        talks, self._engine_talks = self._engine_talks, False
        if session.works and self._is_at_work(engine, now):
            return
        if complaint := self._complaint(engine, now, talks=talks):
            self.pool.check_spares()  # Others may not answer, either.
            engine.kill(complaint)
        elif piece := session.for_engine():
            engine.send_lines(piece)

    def _is_at_work(self, engine: RunningEngine, now: float) -> bool:
        """Return whether a command that is no search goes on, which it may not for ever."""
        self._charge(engine)
        session = self.session
        busy = self._is_busy(engine) or engine.paused  # One that is not read cannot go on.
        works = self.deadlines.is_at_work(session.ready.answered, now, busy=busy)
        session.works = works
        if works and self.deadlines.works_too_long(self.usage.quota, now):
            engine.kill("it worked for longer than a search may take")
        elif works and (refusal := self.usage.objection_to_search(now)):
            session.notice(*refusal)
            engine.kill("it worked on although no search might begin")
        return works

    def _complaint(self, engine: RunningEngine, now: float, *, talks: bool) -> str:
        """Return how an engine hangs, "" if it does not; probe it if it is silent."""
        session, deadlines, patience = self.session, self.deadlines, self._source.patience
        answered = session.ready.answered
        if engine.paused and not session.is_due:
            deadlines.pause(answered, now)
            return ""
        taken, left = engine.backlog()
        alive = talks or self._is_alive(engine, left)
        # One that searches works in any case, and may read its input at the end only.
        says_something = engine.unsent > 0 or session.state not in RUNNING
        pace = deadlines.stall.check(
            taken, left, now, patience=patience.ready, alive=alive and says_something
        )
        if pace is InputPace.BEHIND:
            deadlines.restart(answered, now)  # What it is asked it has not read yet.
            return ""
        if pace is InputPace.STUCK and self.flow.client_waits:
            return f"it left {engine.unsent} bytes and more unread"
        alive = alive or not session.is_awaited  # It may be silent.
        if deadlines.is_silent(now, alive=alive) and not session.ready.is_probed:
            session.probe()
        owed = session.ready.owed + session.ready.is_probed
        late = deadlines.late_answer(session.state, owed, answered, now, patience, alive=alive)
        if late is None:
            return ""
        return f"it did not {'stop' if late is Late.STOP else 'answer isready'}"

    def _is_alive(self, engine: RunningEngine, left: int) -> bool:
        """Return whether a silent engine has worked since the last check; idle it need not."""
        if not (self.session.is_awaited or left):
            return True
        if engine.cpu_total() is None:  # It cannot be known.
            return self.session.is_awaited
        return self._is_busy(engine)

    def _is_busy(self, engine: RunningEngine) -> bool:
        """Return whether the engine has used the CPU since this was last asked."""
        before, self._cpu_seen = self._cpu_seen, engine.cpu_total() or 0.0
        return self._cpu_seen > before
