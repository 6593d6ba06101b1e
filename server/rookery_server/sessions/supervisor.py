"""Sees to it that neither the engine nor the client of a session takes too long.

What is too long is decided in `watch`; this looks at the engine, and acts.
"""

from typing import TYPE_CHECKING

from rookery_server.engines.engine import Engine
from rookery_server.sessions.progress import Pace, Progress
from rookery_server.sessions.provider import Provider
from rookery_server.sessions.state import RUNNING
from rookery_server.sessions.watch import Late
from rookery_server.wire import Close, Code

if TYPE_CHECKING:
    from rookery_server.sessions.relay import Relay


class Supervisor:
    """Looks after one relay, about twice a second."""

    __slots__ = ("_cpu_seen", "_engine", "_host", "_progress", "_relay")

    def __init__(self, relay: "Relay", host: Provider) -> None:
        self._relay = relay
        self._host = host
        self._cpu_seen = 0.0  # s that the engine had used when it was last looked at
        self._engine: Engine | None = None  # that one
        self._progress = Progress()

    def look(self, now: float) -> None:
        """End an engine that does not answer, and what takes longer than the account may."""
        if self._relay.engine:
            self._see_to_engine(self._relay.engine, now)
        self._see_to_quota(now)

    def _see_to_quota(self, now: float) -> None:
        relay, quota = self._relay, self._relay.usage.quota
        late = relay.watch.is_over_quota(relay.session.state, quota, now)
        if late is Late.CLIENT:
            text = f"nothing was asked for {quota.idle_timeout:.0f} s"
            relay.close(Close.IDLE, Code.QUOTA_IDLE, text)
        elif late is Late.SEARCH:
            most = f"{quota.longest_search:.0f} s"
            text = f"the search was stopped after {most}, as long as one may take"
            relay.session.stop_one()  # What comes behind it has its own time.
            relay.tell_notice(Code.QUOTA_SEARCH, text)

    def _see_to_engine(self, engine: Engine, now: float) -> None:
        """End an engine that does not answer."""
        session, watch = self._relay.session, self._relay.watch
        answered = session.ready_answered
        if engine.paused:
            watch.paused(answered, now)
            return
        if engine is not self._engine:
            self._engine, self._progress, self._cpu_seen = engine, Progress(), 0.0
        if session.works and self._is_at_work(engine, answered, now):
            return
        pace = self._pace(engine, now)
        if pace is Pace.BEHIND:
            watch.paused(answered, now)  # What it is asked it has not read yet.
            return
        if pace is Pace.STUCK and self._relay.flow.client_waits:
            self._end(engine, f"it left {engine.unsent} bytes and more unread")
            return
        late = watch.engine_is_late(
            session.state, session.ready_owed, answered, now, self._host.patience
        )
        if late is Late.STOP:
            self._end(engine, "it did not stop")
        elif late is Late.READY:
            self._end(engine, "it did not answer isready")

    def _end(self, engine: Engine, complaint: str) -> None:
        """End an engine that hangs."""
        self._host.engine_hangs(self._relay)
        engine.complain(complaint)

    def _is_at_work(self, engine: Engine, answered: int, now: float) -> bool:
        """Say whether the engine is still at a command that is no search."""
        relay = self._relay
        session, watch = relay.session, relay.watch
        session.works = watch.is_at_work(answered, now, busy=self._is_busy(engine))
        self._host.charge(relay, engine)
        if session.works and watch.works_too_long(relay.usage.quota, now):
            engine.complain("it worked for longer than a search may take")
        elif session.works and (refusal := self._host.objection_to_search(relay)):
            session.notice(*refusal)
            engine.complain("it worked on although no search might begin")
        return session.works

    def _pace(self, engine: Engine, now: float) -> Pace:
        """Say how the engine gets on with what it was told."""
        relay = self._relay
        taken, left = engine.backlog()
        talks, relay.engine_talks = relay.engine_talks, False
        # One that searches works in any case, and may read its input at the end only.
        says_something = engine.unsent > 0 or relay.session.state not in RUNNING
        alive = left > 0 and says_something and (self._is_busy(engine) or talks)
        patience = self._host.patience.ready
        return self._progress.look(taken, left, now, patience=patience, alive=alive)

    def _is_busy(self, engine: Engine) -> bool:
        """Say whether the engine has used the CPU since this was last asked."""
        before, self._cpu_seen = self._cpu_seen, engine.cpu_total() or 0.0
        return self._cpu_seen > before
