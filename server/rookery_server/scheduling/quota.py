"""What an account may use, and what it has used.

    [quota]                 # everybody
    threads = 4

    [quotas.member]         # a role, over it
    sessions = 8

    [quotas.anna]           # an account, over that
    longest_search = false

Whoever asks gets None, or why not: a code for programs and a sentence that says what
to do.  No I/O and no clock: `now` is an argument, in seconds.  What an account has on
lease is not counted here, for the budget knows (see budget.py).
"""

import math
from collections import deque
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from rookery_protocol.errors import Refusal
from rookery_protocol.notices import Code
from rookery_server.config import validators
from rookery_server.config.schema import read, setting
from rookery_server.scheduling.budget import ANY_SIZE, MAX_HASH_MB, MAX_THREADS, Size
from rookery_server.scheduling.token_bucket import TokenBucket

LOCAL_ACCOUNT = "local"  # of who uses the server of his own machine without a token
DEFAULT_THREADS = 4
HOUR = 3600.0  # s in which CPU time is counted
MOVES = 25  # that take as long as a line: 0.15 ms; a game that grows has one or two new ones
_SLICE = 60.0  # s of that hour that are kept as one number

_threads = validators.whole(1, MAX_THREADS)
_hash_mb = validators.whole(1, MAX_HASH_MB)
_count = validators.whole(1, 1_000_000)


@dataclass(frozen=True, slots=True)
class Quota:
    """What an account may use; None is no bound but what the machine has.

    `sessions`: at once.  `threads`, `hash_mb`: of one session.  `total_threads`,
    `total_hash_mb`: of all its slots; more sessions wait, `waiting` at once.
    `cpu_seconds`: in any hour.  `lines_per_second`: what its sessions may say in the
    long run, and `lines_burst` at once; some moves that are new count as a line.
    `longest_search`: seconds until a search is stopped.  `park_after`: seconds without a
    search until a session gives its slot to who waits for one.  `idle_timeout`: seconds
    without a line or a search until a session is ended.  `free_after`: seconds without a search
    until its engine is ended, if its client gives no sign of life either.  `cache`: whether its
    analyses are kept, and told to it again.  `rooms`: sessions that others may watch, at once;
    `spectators`: who may watch one of them.
    """

    sessions: int = setting(_count, 16)
    threads: int | None = setting(validators.or_none(_threads), DEFAULT_THREADS)
    hash_mb: int | None = setting(validators.or_none(_hash_mb), 256)
    total_threads: int | None = setting(validators.or_none(_threads), None)
    total_hash_mb: int | None = setting(validators.or_none(_hash_mb), None)
    waiting: int = setting(validators.whole(0, 10000), 8)
    cpu_seconds: int | None = setting(validators.or_none(_count), None)
    lines_per_second: float | None = setting(validators.or_none(validators.rate), 100.0)
    lines_burst: int = setting(_count, 500)
    longest_search: float | None = setting(validators.or_none(validators.patience), 3600.0)
    park_after: float | None = setting(validators.or_none(validators.seconds), 60.0)
    idle_timeout: float | None = setting(validators.or_none(validators.patience), 28800.0)
    free_after: float | None = setting(validators.or_none(validators.patience), 600.0)
    cache: bool = setting(validators.flag, default=True)
    rooms: int = setting(validators.whole(0, 10000), 4)
    spectators: int = setting(validators.whole(0, 10000), 100)

    @property
    def each(self) -> Size:
        """The largest slot of one session."""
        return _size(self.threads, self.hash_mb).within(self.total)

    @property
    def total(self) -> Size:
        """What the slots of all sessions may come to."""
        return _size(self.total_threads, self.total_hash_mb)


# Nobody else is kept from anything by who uses his own machine.
LOCAL = Quota(
    sessions=1000,
    threads=None,
    hash_mb=None,
    waiting=1000,
    lines_per_second=None,
    longest_search=None,
    idle_timeout=None,
    free_after=None,
    rooms=1000,
    spectators=1000,
)


@dataclass(frozen=True, slots=True)
class Quotas:
    """What the operator says of quotas: the tables of the file, each over those before.

    Raises:
        ConfigError: a table has an unknown key, or a value that it cannot have.

    """

    everybody: Mapping[str, object] = field(default_factory=dict)
    named: Mapping[str, object] = field(default_factory=dict)  # by role or account

    def __post_init__(self) -> None:
        read(Quota, "quota", self.everybody)
        for name, table in self.named.items():
            read(Quota, f"quotas.{name}", table)

    def of(self, role: str, account: str, cpus: int = DEFAULT_THREADS) -> Quota:
        """Return what an account of that role may use, on a machine with so many CPUs.

        If the operator does not say otherwise a search has no more threads than there
        are CPUs: more of them only make it slower.
        """
        base = LOCAL if account == LOCAL_ACCOUNT else Quota(threads=min(DEFAULT_THREADS, cpus))
        quota = read(Quota, "quota", self.everybody, over=base)
        for name in (role, account):
            quota = read(Quota, f"quotas.{name}", self.named.get(name, {}), over=quota)
        return quota


class Usage:
    """What one account uses now and has used of late.

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
        """How many sessions would have to end for one more."""
        return max(0, len(self.sessions) + 1 - self.quota.sessions)

    def objection_to_session(self, now: float) -> Refusal | None:
        """Say why the account may not open one more session."""
        if len(self.sessions) >= self.quota.sessions:
            return Code.QUOTA_SESSIONS, (
                f"you have {len(self.sessions)} sessions, and may have"
                f" {self.quota.sessions}: end one, then connect again"
            )
        return self.objection_to_search(now)

    def objection_to_search(self, now: float) -> Refusal | None:
        """Say why the account may not have another search."""
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
        """Take note of CPU time that the account's engines have used."""
        self._cpu.add(cpu_seconds, now)

    def take_line(self, now: float, moves: int = 0) -> float:
        """Take note of a line for which so many moves were played on a board of ours.

        Returns for how many seconds to listen no more.
        A line is never refused, for an engine that has not heard of a position would
        search another.  Who sends too many is read from more slowly.
        """
        return 0.0 if self._lines is None else self._lines.take(now, 1 + moves / MOVES)

    def is_forgettable(self, now: float) -> bool:
        """Say whether the account uses nothing and has nothing that counts against it."""
        in_debt = self._lines is not None and not self._lines.is_full(now)
        return not self.sessions and not in_debt and self._cpu.total(now) == 0


class Spending:
    """What was spent in the last hour: some sixty numbers, one for each minute."""

    __slots__ = ("_slices",)

    def __init__(self) -> None:
        self._slices: deque[tuple[float, float]] = deque()  # start, amount; oldest first

    def add(self, amount: float, now: float) -> None:
        """Take note that something was spent."""
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


def in_words(seconds: float) -> str:
    """Return a time as people say it: `40 s`, `12 minutes`."""
    if seconds < 100:
        return f"{max(1, math.ceil(seconds))} s"
    return f"{math.ceil(seconds / 60)} minutes"


def _size(threads: int | None, hash_mb: int | None) -> Size:
    most = ANY_SIZE
    return Size(
        most.threads if threads is None else threads, most.hash_mb if hash_mb is None else hash_mb
    )
