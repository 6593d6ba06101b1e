"""Watches the time of one session: what its engine and its client take too long for.

It looks at no clock: it is told the time, and its relay does what follows from what it
finds.
"""

from enum import Enum, auto

from rookery_server.sessions.session import State
from rookery_server.shares.quota import Quota

MAX_DEATHS = 3  # engines that may die on one session within `DEATHS_WITHIN`
DEATHS_WITHIN = 60.0  # s
RUNNING = (State.SEARCHING, State.STOPPING)


class Late(Enum):
    """What takes too long."""

    CLIENT = auto()  # has asked for nothing
    SEARCH = auto()  # goes on for longer than one may
    STOP = auto()  # was not followed by `bestmove`
    READY = auto()  # was not answered


class Watch:
    """When what happened in one session; `look` says what takes too long.

    All times are in seconds by the clock that `now` is read from.
    """

    def __init__(self, now: float) -> None:
        self.idle_since = now  # when it last searched
        self.began = 0.0  # when the search did
        self._stopped = 0.0  # when it was to stop
        self._heard_at = now  # when the client last said something
        self._ready_seen = (now, 0)  # when, and how many `isready` had been answered then
        self._deaths: list[float] = []

    def heard(self, now: float) -> None:
        """Take note that the client has said something."""
        self._heard_at = now

    def began_search(self, now: float) -> None:
        """Take note that the engine is told to search."""
        self.began = now

    def changed(self, state: State, now: float) -> None:
        """Take note of what the session does now."""
        self.idle_since = now
        if state is State.STOPPING:
            self._stopped = now

    def paused(self, answered: int, now: float) -> None:
        """Take note that nobody hears the engine: the client is slow, and not it."""
        self._stopped, self._ready_seen = now, (now, answered)

    def engine_is_late(
        self, state: State, owed: int, answered: int, now: float, stop: float, ready: float
    ) -> Late | None:
        """Say what the engine should have answered by now.

        Args:
            state: what the session does.
            owed: how many `isready` are not answered.
            answered: how many have been.
            now: the time.
            stop: the seconds that it has from `stop` to `bestmove`.
            ready: those from `isready` to `readyok`, when it does not search.

        """
        if state is State.STOPPING and now - self._stopped > stop:
            return Late.STOP
        since, before = self._ready_seen
        if not owed or state in RUNNING or answered != before:
            self._ready_seen = now, answered
        elif now - since > ready:
            return Late.READY
        return None

    def is_over_quota(self, state: State, quota: Quota, now: float) -> Late | None:
        """Say what takes longer than the account may."""
        idle_since = max(self.idle_since, self._heard_at)
        if state is not State.IDLE:
            self.idle_since = now
        elif quota.idle_timeout is not None and now - idle_since > quota.idle_timeout:
            return Late.CLIENT
        longest = quota.longest_search
        if state is State.SEARCHING and longest and now - self.began > longest:
            return Late.SEARCH
        return None

    def has_seen_death(self, now: float) -> bool:
        """Note that an engine has died, or not come; say whether that is too often."""
        self._deaths = [death for death in self._deaths if now - death < DEATHS_WITHIN] + [now]
        return len(self._deaths) > MAX_DEATHS
