"""Sees to it that neither the engine nor the client of a session takes too long.

What is too long is decided in `timekeeper`; this looks at the engine, and acts.
"""

import logging
from typing import TYPE_CHECKING

from rookery_protocol.notices import Close, Code
from rookery_server.engines.running_engine import RunningEngine
from rookery_server.log import about
from rookery_server.session.deadlines import Late
from rookery_server.session.ports import Provider
from rookery_server.session.stall import Pace, Progress
from rookery_server.session.state import RUNNING, SEARCHING

if TYPE_CHECKING:
    from rookery_server.session.actor import Relay


logger = logging.getLogger(__name__)


class Supervisor:
    """Looks after one relay, about twice a second."""

    __slots__ = ("_cpu_seen", "_engine", "_host", "_progress", "_relay")

    def __init__(self, relay: "Relay", host: Provider) -> None:
        self._relay = relay
        self._host = host
        self._cpu_seen = 0.0  # s that the engine had used when it was last looked at
        self._engine: RunningEngine | None = None  # that one
        self._progress = Progress()

    def look(self, now: float) -> None:
        """End an engine that does not answer, and what takes longer than the account may."""
        if engine := self._relay.supply.engine:
            self._see_to_engine(engine, now)
        self._see_to_client(now)
        if not self._relay.is_over:
            self._see_to_quota(now)

    def _see_to_client(self, now: float) -> None:
        """Give up a connection whose client does not answer, and the engine of one that may not."""
        relay, ear = self._relay, self._relay.delivery.ear
        if ear is None:
            return
        if ear.pulse and not ear.look(now):
            relay.client_is_silent(ear.pulse.seconds)
        elif self._is_forsaken(now) and not ear.client.shows_life:
            text = "session %d: its client gives no sign of life, so its engine is freed"
            logger.info(text, relay.number, extra=about(**relay.fields))
            relay.supply.park()
            self._host.give_back(relay)

    def _is_forsaken(self, now: float) -> bool:
        """Say whether the engine does nothing, and has not heard of its client for long."""
        relay = self._relay
        can_be_freed = relay.supply.engine is not None and relay.session.can_park
        return can_be_freed and relay.timekeeper.is_forsaken(relay.usage.quota, now)

    def _see_to_quota(self, now: float) -> None:
        relay, quota = self._relay, self._relay.usage.quota
        session, engine = relay.session, relay.supply.engine
        late = relay.timekeeper.is_over_quota(session.state, quota, now)
        if late is Late.CLIENT:
            text = f"nothing was asked for {quota.idle_timeout:.0f} s"
            relay.close(Close.IDLE, Code.QUOTA_IDLE, text)
        elif late is Late.SEARCH:
            most = f"{quota.longest_search:.0f} s"
            text = f"the search was stopped after {most}, as long as one may take"
            session.stop_one()  # What comes behind it has its own time.
            relay.tell_notice(Code.QUOTA_SEARCH, text)
        elif session.state is SEARCHING and quota.cpu_seconds is not None and engine:
            self._host.charge(relay, engine)
            if refusal := self._host.objection_to_search(relay):
                session.stop_one()
                relay.tell_notice(*refusal)

    def _see_to_engine(self, engine: RunningEngine, now: float) -> None:
        """End an engine that does not answer."""
        session, timekeeper = self._relay.session, self._relay.timekeeper
        answered = session.ready.answered
        if engine is not self._engine:
            self._engine, self._progress, self._cpu_seen = engine, Progress(), 0.0
        if session.works and self._is_at_work(engine, answered, now):
            return
        if engine.paused and session.is_due:
            self._relay.flow.hear_in_time()
        elif engine.paused:
            timekeeper.paused(answered, now)
            return
        alive = self._is_alive(engine)
        pace = self._pace(engine, now, alive=alive)
        if pace is Pace.BEHIND:
            timekeeper.begin_anew(answered, now)  # What it is asked it has not read yet.
            return
        if pace is Pace.STUCK and self._relay.flow.client_waits:
            self._end(engine, f"it left {engine.unsent} bytes and more unread")
            return
        may_be_silent = alive or not session.is_awaited
        if timekeeper.is_silent(now, alive=may_be_silent) and not session.ready.is_probed:
            session.probe()
            engine.tell(session.for_engine())
        late = timekeeper.engine_is_late(
            session.state,
            session.ready.owed + session.ready.is_probed,
            answered,
            now,
            self._host.patience,
            alive=may_be_silent,
        )
        if late is Late.STOP:
            self._end(engine, "it did not stop")
        elif late is Late.READY:
            self._end(engine, "it did not answer isready")

    def _end(self, engine: RunningEngine, complaint: str) -> None:
        """End an engine that hangs."""
        self._host.engine_hangs(self._relay)
        engine.complain(complaint)

    def _is_at_work(self, engine: RunningEngine, answered: int, now: float) -> bool:
        """Say whether the engine is still at a command that is no search."""
        relay = self._relay
        session, timekeeper = relay.session, relay.timekeeper
        busy = self._is_busy(engine) or engine.paused  # One that is not heard cannot go on.
        session.works = timekeeper.is_at_work(answered, now, busy=busy)
        self._host.charge(relay, engine)
        if session.works and timekeeper.works_too_long(relay.usage.quota, now):
            engine.complain("it worked for longer than a search may take")
        elif session.works and (refusal := self._host.objection_to_search(relay)):
            session.notice(*refusal)
            engine.complain("it worked on although no search might begin")
        return session.works

    def _is_alive(self, engine: RunningEngine) -> bool:
        """Say whether the engine has given a sign of life since this was last asked.

        Who owes nothing is not asked.
        """
        relay = self._relay
        talks, relay.engine_talks = relay.engine_talks, False
        if talks or not (relay.session.is_awaited or engine.backlog()[1]):
            return True
        if engine.cpu_total() is None:  # Nobody knows.
            return relay.session.is_awaited
        return self._is_busy(engine)

    def _pace(self, engine: RunningEngine, now: float, *, alive: bool) -> Pace:
        """Say how the engine gets on with what it was told."""
        taken, left = engine.backlog()
        # One that searches works in any case, and may read its input at the end only.
        says_something = engine.unsent > 0 or self._relay.session.state not in RUNNING
        patience = self._host.patience.ready
        alive = alive and left > 0 and says_something
        return self._progress.look(taken, left, now, patience=patience, alive=alive)

    def _is_busy(self, engine: RunningEngine) -> bool:
        """Say whether the engine has used the CPU since this was last asked."""
        before, self._cpu_seen = self._cpu_seen, engine.cpu_total() or 0.0
        return self._cpu_seen > before
