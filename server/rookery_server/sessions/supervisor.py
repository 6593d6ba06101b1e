"""Sees to it that neither the engine nor the client of a session takes too long.

What is too long is decided in `watch`; this looks at the engine, and acts.
"""

from typing import TYPE_CHECKING

from rookery_server.engines.engine import Engine
from rookery_server.sessions.provider import Provider
from rookery_server.sessions.watch import Late
from rookery_server.wire import Close, Code

if TYPE_CHECKING:
    from rookery_server.sessions.relay import Relay


class Supervisor:
    """Looks after one relay, about twice a second."""

    __slots__ = ("_cpu_seen", "_host", "_relay")

    def __init__(self, relay: "Relay", host: Provider) -> None:
        self._relay = relay
        self._host = host
        self._cpu_seen = 0.0  # s that the engine had used when it was last looked at

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
            relay.session.stop()
            relay.tell_notice(Code.QUOTA_SEARCH, text)

    def _see_to_engine(self, engine: Engine, now: float) -> None:
        """End an engine that does not answer."""
        session, watch = self._relay.session, self._relay.watch
        answered = session.ready_answered
        if engine.paused:
            watch.paused(answered, now)
            return
        if session.works and self._is_at_work(engine, answered, now):
            return
        late = watch.engine_is_late(
            session.state, session.ready_owed, answered, now, self._host.patience
        )
        if late is Late.STOP:
            engine.complain("it did not stop")
        elif late is Late.READY:
            engine.complain("it did not answer isready")

    def _is_at_work(self, engine: Engine, answered: int, now: float) -> bool:
        """Say whether the engine is still at a command that is no search."""
        relay = self._relay
        session, watch = relay.session, relay.watch
        cpu, before = engine.cpu_total() or 0.0, self._cpu_seen
        self._cpu_seen = cpu
        session.works = watch.is_at_work(answered, now, busy=cpu > before)
        self._host.charge(relay, engine)
        if session.works and watch.works_too_long(relay.usage.quota, now):
            engine.complain("it worked for longer than a search may take")
        elif session.works and (refusal := self._host.objection_to_search(relay)):
            session.notice(*refusal)
            engine.complain("it worked on although no search might begin")
        return session.works
