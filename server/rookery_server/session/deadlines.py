"""The deadlines of one session: what its engine and its client take too long for.

No I/O and no clock: `now` is an argument, in seconds.
"""

from dataclasses import dataclass
from enum import Enum, auto

from rookery_server.config.resources import Quota
from rookery_server.session.commands import RUNNING, SEARCHING, STOPPING, WAITING, SessionState

MAX_DEATHS = 3  # engines that may die on one session within `DEATHS_WITHIN`
DEATHS_WITHIN = 60.0  # s
REST = 5.0  # s without CPU time, after which an engine is taken to be done
SILENCE = 2.0  # s without word or CPU time, after which an engine that searches is asked
MAX_DOUBLINGS = 2  # of the patience with an engine that is late
BUSY_FACTOR = 4  # times as long for an engine that works or talks, though it does not read


class Late(Enum):
    """The thing that takes too long."""

    CLIENT = auto()  # has asked for nothing
    SEARCH = auto()  # goes on for longer than one may
    STOP = auto()  # was not followed by `bestmove`
    READY = auto()  # was not answered


@dataclass(slots=True)
class Patience:
    """The seconds that an engine has."""

    stop: float  # from `stop` to `bestmove`
    ready: float  # from `isready` to `readyok`, when it does not search
    start: float  # likewise, if it is fresh


class SessionDeadlines:
    """The times of the events in one session, and so what takes too long."""

    def __init__(self, now: float) -> None:
        self.idle_since = now  # when it last searched
        self._clock_from = now  # since when the clock runs, but for what the engine was told of
        self.began = 0.0  # when the search did
        self._stopped = 0.0  # when it was to stop
        self.heard_at = now  # when the client last said something to the engine
        self.shown_at = now  # when it last said something else
        self._ready_seen = (now, 0)  # when, and how many `isready` had been answered then
        self._answered_before = 0  # of those, by the engines before this one
        self._checked_at = now  # when it was last checked
        self._alive_at = now  # when it last said something or used the CPU while it searched
        self._lates = 0  # engines in a row that were not ready in time
        self._worked_at = 0.0  # when the engine last used the CPU for what is no search
        self._work_began = 0.0
        self._deaths: list[float] = []
        self.misses = 0  # engines in a row that could not be started
        self._missed_at = now  # when the first of them was
        self.stall = StallDetector()  # of the engine

    def is_forsaken(self, quota: Quota, now: float) -> bool:
        """Return whether an idle engine's client may not be there any more."""
        since = max(self.idle_since, self.heard_at, self.shown_at)
        return quota.free_after is not None and now - since > quota.free_after

    def search_began(self, now: float, *, at_once: bool = False) -> int:
        """Begin the time of a search; return for how many ms it has waited."""
        waited = 0 if at_once else self.spent(now)
        self.began = self._clock_from = self.idle_since = now
        return waited

    def ponderhit(self, now: float) -> None:
        """Begin the time of a clock: until now the opponent's ran."""
        self._clock_from = now

    def spent(self, now: float) -> int:
        """Return how many ms of a clock have run that no engine was told of."""
        return int(1000 * (now - self._clock_from))

    def state_changed(self, state: SessionState, now: float) -> None:
        """Record a change of the session's state."""
        self.idle_since = now
        if state is WAITING:
            self._clock_from = now
        elif state is STOPPING:
            self._stopped = now

    def engine_came(self, answered: int, now: float) -> None:
        """Begin with a fresh engine; so many `isready` were answered before it."""
        self._ready_seen = now, answered
        self._checked_at = now
        self._answered_before = answered
        self._worked_at = 0.0
        self.misses = 0
        self.stall = StallDetector()

    def is_at_work(self, answered: int, now: float, *, busy: bool) -> bool:
        """Return whether an engine is still at what is no search; then nothing of it is late.

        Args:
            answered: how many `isready` have been answered.
            now: the time.
            busy: whether it has used the CPU since this was last asked.

        """
        if not self._worked_at:
            self._work_began = self._worked_at = now
        if busy:
            self._worked_at = now
        if now - self._worked_at > REST:
            self._worked_at = 0.0
            return False
        self.idle_since = now
        self.restart(answered, now)
        return True

    def works_too_long(self, quota: Quota, now: float) -> bool:
        """Return whether what is no search goes on for longer than a search may."""
        longest = quota.longest_search
        return bool(longest and self._worked_at and now - self._work_began > longest)

    def restart(self, answered: int, now: float) -> None:
        """Give the engine the whole time once more, for it gets on with what it was told."""
        self._checked_at = self._stopped = self._alive_at = now
        self._ready_seen = now, answered

    def pause(self, answered: int, now: float) -> None:
        """Leave out the time since the last check, in which the engine was not read.

        The time that it has had before still counts: else one that never answers would only need
        a client that is slow now and again.
        """
        unheard, self._checked_at = now - self._checked_at, now
        self._stopped = min(now, self._stopped + unheard)
        self._alive_at = min(now, self._alive_at + unheard)
        since, before = self._ready_seen
        self._ready_seen = (min(now, since + unheard) if answered == before else now), answered

    def is_silent(self, now: float, *, alive: bool) -> bool:
        """Return whether an engine that searches has given no sign of life for a while.

        Args:
            now: the time.
            alive: whether it has since this was last asked; or need not.

        """
        if alive:
            self._alive_at = now
        return now - self._alive_at > SILENCE

    def late_answer(
        self,
        state: SessionState,
        owed: int,
        answered: int,
        now: float,
        patience: Patience,
        *,
        alive: bool = True,
    ) -> Late | None:
        """Return what the engine should have answered by now.

        Args:
            state: what the session does.
            owed: how many `isready` are not answered.
            answered: how many have been.
            now: the time.
            patience: how long it has.
            alive: whether it has given a sign of life, if it searches: then it need not answer.

        """
        self._checked_at = now
        if state is STOPPING and now - self._stopped > patience.stop:
            return Late.STOP
        since, before = self._ready_seen
        if answered != self._answered_before:
            self._lates = 0
        if not owed or (state in RUNNING and alive) or answered != before:
            self._ready_seen = now, answered
        elif now - since > self._until_ready(answered, patience):
            self._lates += 1
            return Late.READY
        return None

    def _until_ready(self, answered: int, patience: Patience) -> float:
        """Return the seconds that `isready` may take.

        A fresh engine still starts, and after one that was late the next has twice as
        long: a machine with too much to do is not helped by doing it all again.
        """
        if answered != self._answered_before:
            return patience.ready
        return max(patience.ready, patience.start) * (1 << min(self._lates, MAX_DOUBLINGS))

    def over_quota(self, state: SessionState, quota: Quota, now: float) -> Late | None:
        """Return what takes longer than the account may."""
        idle_since = max(self.idle_since, self.heard_at)
        if state is not SessionState.IDLE:
            self.idle_since = now
        elif quota.idle_timeout is not None and now - idle_since > quota.idle_timeout:
            return Late.CLIENT
        longest = quota.longest_search
        if state is SEARCHING and longest and now - self.began > longest:
            return Late.SEARCH
        return None

    def has_seen_death(self, now: float) -> bool:
        """Record the death of an engine; return whether that is too often."""
        self._deaths = [death for death in self._deaths if now - death < DEATHS_WITHIN] + [now]
        return len(self._deaths) > MAX_DEATHS

    def has_missed_for_long(self, now: float, patience: Patience) -> bool:
        """Record that an engine could not be started; return whether none can be for too long.

        What fails at once is tried often in the time that one would have to start, and what
        takes that long to fail is tried as often as engines may die.
        """
        self.misses += 1
        if self.misses == 1:
            self._missed_at = now
        return self.misses > MAX_DEATHS and now - self._missed_at >= patience.start


class InputPace(Enum):
    """The progress of an engine with what it was told."""

    LEVEL = auto()  # it has taken all
    BEHIND = auto()  # and takes more, or works
    RESTING = auto()  # behind, and has taken nothing since it was last checked
    STUCK = auto()  # for too long


class StallDetector:
    """The bytes that one engine had taken when it was last checked.

    An engine that is behind is not late: each line takes it as long as it takes.  It is as long
    as it reads on.  One that works or talks meanwhile has longer, but not for ever: what spins
    looks the same.
    """

    __slots__ = ("_since", "_taken")

    def __init__(self) -> None:
        self._taken = -1
        self._since = 0.0  # when it last took something

    def check(
        self, taken: int, left: int, now: float, *, patience: float, alive: bool
    ) -> InputPace:
        """Return how the engine gets on.

        Args:
            taken: bytes that it has taken so far.
            left: bytes that it has been told besides.
            now: the time.
            patience: seconds that it may take for what it has read last.
            alive: whether it has worked or talked since the last check.

        """
        if not left or taken != self._taken:
            self._taken, self._since = taken, now
            return InputPace.BEHIND if left else InputPace.LEVEL
        silence = now - self._since
        if alive and silence <= BUSY_FACTOR * patience:
            return InputPace.BEHIND
        return InputPace.STUCK if silence > patience else InputPace.RESTING
