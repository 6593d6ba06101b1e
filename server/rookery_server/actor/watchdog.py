"""The watchdog of one session: what to do about an engine or a client that takes too long.

`deadlines` decides what is too long; this looks at the engine, and returns what its session's
actor has to do.
"""

from typing import NamedTuple

from rookery_protocol.errors import Refusal
from rookery_protocol.notices import Close, Code
from rookery_server.engines.running_engine import RunningEngine
from rookery_server.scheduling.quota import Usage
from rookery_server.session.commands import RUNNING, SEARCHING
from rookery_server.session.deadlines import (
    InputPace,
    Late,
    Patience,
    SessionDeadlines,
    StallDetector,
)
from rookery_server.session.session import Session


class Fault(NamedTuple):
    """The reason for which an engine has to be ended."""

    complaint: str
    notice: Refusal | None = None  # for the client
    hangs: bool = False  # and others of its kind may, too


class Trouble(NamedTuple):
    """An event that the client is told, and that may end the session."""

    code: Code
    text: str
    closes: Close | None = None


class Watchdog:
    """A look at one session, about twice a second."""

    __slots__ = ("_cpu_seen", "_deadlines", "_engine", "_session", "_stall", "_usage")

    def __init__(self, session: Session, deadlines: SessionDeadlines, usage: Usage) -> None:
        self._session = session
        self._deadlines = deadlines
        self._usage = usage
        self._cpu_seen = 0.0  # s that the engine had used when it was last looked at
        self._engine: RunningEngine | None = None  # that one
        self._stall = StallDetector()

    def check_quota(self, now: float) -> Trouble | None:
        """Return what takes longer than the account may."""
        session, quota = self._session, self._usage.quota
        late = self._deadlines.over_quota(session.state, quota, now)
        if late is Late.CLIENT:
            text = f"nothing was asked for {quota.idle_timeout:.0f} s"
            return Trouble(Code.QUOTA_IDLE, text, Close.IDLE)
        if late is Late.SEARCH:
            most = f"{quota.longest_search:.0f} s"
            text = f"the search was stopped after {most}, as long as one may take"
            return Trouble(Code.QUOTA_SEARCH, text)
        if session.state is SEARCHING and (refusal := self._usage.objection_to_search(now)):
            return Trouble(*refusal)
        return None

    def check_engine(
        self,
        engine: RunningEngine,
        now: float,
        patience: Patience,
        *,
        talks: bool,
        client_waits: bool,
    ) -> Fault | None:
        """Return why an engine has to be ended, if it has; `probe` the session if it is silent.

        Args:
            engine: the session's.
            now: the time.
            patience: how long it has.
            talks: whether it has said something since it was last checked.
            client_waits: whether the client is not read because of it.

        """
        session, deadlines = self._session, self._deadlines
        answered = session.ready.answered
        if engine is not self._engine:
            self._engine, self._stall, self._cpu_seen = engine, StallDetector(), 0.0
        if session.works:
            fault = self._check_work(engine, answered, now)
            if fault or session.works:
                return fault
        if engine.paused and not session.is_due:
            deadlines.pause(answered, now)
            return None
        alive = self._is_alive(engine, talks=talks)
        pace = self._pace(engine, now, patience, alive=alive)
        if pace is InputPace.BEHIND:
            deadlines.restart(answered, now)  # What it is asked it has not read yet.
            return None
        if pace is InputPace.STUCK and client_waits:
            return Fault(f"it left {engine.unsent} bytes and more unread", hangs=True)
        may_be_silent = alive or not session.is_awaited
        if deadlines.is_silent(now, alive=may_be_silent) and not session.ready.is_probed:
            session.probe()
        owed = session.ready.owed + session.ready.is_probed
        late = deadlines.late_answer(
            session.state, owed, answered, now, patience, alive=may_be_silent
        )
        if late is None:
            return None
        what = "stop" if late is Late.STOP else "answer isready"
        return Fault(f"it did not {what}", hangs=True)

    def _check_work(self, engine: RunningEngine, answered: int, now: float) -> Fault | None:
        """Check a command that is no search; if it is done, the session `works` no more."""
        session, deadlines = self._session, self._deadlines
        busy = self._is_busy(engine) or engine.paused  # One that is not read cannot go on.
        session.works = deadlines.is_at_work(answered, now, busy=busy)
        if not session.works:
            return None
        if deadlines.works_too_long(self._usage.quota, now):
            return Fault("it worked for longer than a search may take")
        if refusal := self._usage.objection_to_search(now):
            return Fault("it worked on although no search might begin", refusal)
        return None

    def _is_alive(self, engine: RunningEngine, *, talks: bool) -> bool:
        """Return whether the engine has given a sign of life since the last check.

        One that owes nothing need not.
        """
        if talks or not (self._session.is_awaited or engine.backlog()[1]):
            return True
        if engine.cpu_total() is None:  # It cannot be known.
            return self._session.is_awaited
        return self._is_busy(engine)

    def _pace(
        self, engine: RunningEngine, now: float, patience: Patience, *, alive: bool
    ) -> InputPace:
        """Return how the engine gets on with what it was told."""
        taken, left = engine.backlog()
        # One that searches works in any case, and may read its input at the end only.
        says_something = engine.unsent > 0 or self._session.state not in RUNNING
        alive = alive and left > 0 and says_something
        return self._stall.check(taken, left, now, patience=patience.ready, alive=alive)

    def _is_busy(self, engine: RunningEngine) -> bool:
        """Return whether the engine has used the CPU since this was last asked."""
        before, self._cpu_seen = self._cpu_seen, engine.cpu_total() or 0.0
        return self._cpu_seen > before
