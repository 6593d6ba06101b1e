"""The quota of an account, and what it has used.

    [quota]                 # everybody
    threads = 4

    [quotas.member]         # a role, over it
    sessions = 8

    [quotas.anna]           # an account, over that
    longest_search = false

An objection is None, or why not: a code for programs and a sentence that says what
to do.  No I/O and no clock: `now` is an argument, in seconds.  What an account has on
lease is not counted here, for the budget knows (see fair_queue.py).
"""

from collections import deque
from collections.abc import Hashable

from rookery_protocol.errors import Refusal, in_words
from rookery_protocol.notices import Code
from rookery_server.config.resources import Quota
from rookery_server.token_bucket import TokenBucket

HOUR = 3600.0  # s in which CPU time is counted
MOVES = 25  # that take as long as a line: 0.15 ms; a game that grows has one or two new ones
_SLICE = 60.0  # s of that hour that are kept as one number


class Usage:
    """The usage of one account, now and of late.

    `sessions` are those it has open, whatever the caller knows them by.
    """

    __slots__ = ("_cpu", "_lines", "quota", "sessions")

    def __init__(self, quota: Quota, now: float) -> None:
        self.sessions: set[Hashable] = set()
        self._cpu = Spending()
        self.quota = quota
        self._lines = _bucket_of(quota, now)

    def adjust(self, quota: Quota, now: float) -> None:
        """Take another quota; what was used still counts, of lines if as many may be said."""
        before, self.quota = self.quota, quota
        if (quota.lines_per_second, quota.lines_burst) != (
            before.lines_per_second,
            before.lines_burst,
        ):
            self._lines = _bucket_of(quota, now)

    @property
    def surplus(self) -> int:
        """The number of sessions that would have to end for one more."""
        return max(0, len(self.sessions) + 1 - self.quota.sessions)

    def objection_to_session(self, now: float) -> Refusal | None:
        """Return why the account may not open one more session."""
        if len(self.sessions) >= self.quota.sessions:
            return Code.QUOTA_SESSIONS, (
                f"you have {len(self.sessions)} sessions, and may have"
                f" {self.quota.sessions}: end one, then connect again"
            )
        return self.objection_to_search(now)

    def objection_to_search(self, now: float) -> Refusal | None:
        """Return why the account may not have another search."""
        most = self.quota.cpu_seconds
        if most is None or self._cpu.total(now) < most:
            return None
        return Code.QUOTA_CPU, (
            f"your engines have used {self._cpu.total(now):.0f} s of CPU time in an hour, and"
            f" may use {most}: try again in {in_words(self._cpu.until_below(most, now))}"
        )

    def wait(self, code: Code, now: float) -> float | None:
        """Return the seconds until an objection of that name no longer holds, if they are known."""
        most = self.quota.cpu_seconds
        if code is not Code.QUOTA_CPU or most is None:
            return None
        return self._cpu.until_below(most, now)

    def spend(self, cpu_seconds: float, now: float) -> None:
        """Count CPU time that the account's engines have used."""
        self._cpu.add(cpu_seconds, now)

    def take_line(self, now: float, moves: int = 0) -> float:
        """Count a line for which so many moves were played to check it.

        Returns for how many seconds to listen no more.
        A line is never refused, for an engine that has not heard of a position would
        search another.  Who sends too many is read from more slowly.
        """
        return 0.0 if self._lines is None else self._lines.spend(now, 1 + moves / MOVES)

    def is_forgettable(self, now: float) -> bool:
        """Return whether the account uses nothing and has nothing that counts against it."""
        in_debt = self._lines is not None and not self._lines.is_full(now)
        return not self.sessions and not in_debt and self._cpu.total(now) == 0


class Spending:
    """The amount that was spent in the last hour: some sixty numbers, one for each minute."""

    __slots__ = ("_slices",)

    def __init__(self) -> None:
        self._slices: deque[tuple[float, float]] = deque()  # start, amount; oldest first

    def add(self, amount: float, now: float) -> None:
        """Count an amount that was spent."""
        self._forget(now)
        if self._slices and now - self._slices[-1][0] < _SLICE:
            start, before = self._slices.pop()
            self._slices.append((start, before + amount))
        else:
            self._slices.append((now, amount))

    def total(self, now: float) -> float:
        """Return what was spent in the last hour."""
        self._forget(now)
        return sum(amount for _, amount in self._slices)

    def until_below(self, bound: float, now: float) -> float:
        """Return the seconds until the total is below a bound, if nothing is added."""
        left = self.total(now)
        if left < bound:
            return 0.0
        for start, amount in self._slices:
            left -= amount
            if left < bound:
                return start + HOUR - now
        return HOUR

    def _forget(self, now: float) -> None:
        while self._slices and now - self._slices[0][0] >= HOUR:
            self._slices.popleft()


def _bucket_of(quota: Quota, now: float) -> TokenBucket | None:
    """Return what counts the lines of an account; None if nothing does."""
    if quota.lines_per_second is None:
        return None
    return TokenBucket(quota.lines_per_second, quota.lines_burst, now)
