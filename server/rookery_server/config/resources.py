"""Threads, hash and memory: their amounts, what engines may use of the machine, and an account.

[budget]
threads = 8
hash_mb = 4096

[quota]                 # every account
threads = 4

[quotas.member]         # a role, over it
sessions = 8

[quotas.anna]           # an account, over that
longest_search = false
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from rookery_server.config import validators
from rookery_server.config.schema import itself, read_values, setting

MAX_THREADS = 1 << 16
MAX_HASH_MB = 1 << 26
USUAL_HASH = 16  # MiB, the default of engines
LOCAL_ACCOUNT = "local"  # the user of this machine, without a token
DEFAULT_THREADS = 4
MAX_POSITIONS = 1_000_000_000

T = TypeVar("T")

_threads = validators.whole(1, MAX_THREADS)
_hash_mb = validators.whole(1, MAX_HASH_MB)
_count = validators.whole(1, 1_000_000)


@dataclass(frozen=True, slots=True)
class Size:
    """An amount of threads, of hash in MiB, and of memory in MiB with the hash in it.

    Memory that is None is not counted: neither as used, nor as room.
    """

    threads: int
    hash_mb: int
    memory_mb: int | None = None

    def __add__(self, other: "Size") -> "Size":
        memory_mb = _counted(int.__add__, self.memory_mb, other.memory_mb)
        return Size(self.threads + other.threads, self.hash_mb + other.hash_mb, memory_mb)

    def __sub__(self, other: "Size") -> "Size":
        memory_mb = _counted(int.__sub__, self.memory_mb, other.memory_mb)
        return Size(self.threads - other.threads, self.hash_mb - other.hash_mb, memory_mb)

    def fits(self, room: "Size") -> bool:
        """Return whether there is room for it."""
        return (
            self.threads <= room.threads
            and self.hash_mb <= room.hash_mb
            and not _counted(int.__gt__, self.memory_mb, room.memory_mb)
        )

    def within(self, room: "Size") -> "Size":
        """Return as much of it as there is room for; less memory is less hash first of all."""
        threads, hash_mb = min(self.threads, room.threads), min(self.hash_mb, room.hash_mb)
        if self.memory_mb is None:
            return Size(threads, hash_mb)
        besides = self.memory_mb - self.hash_mb
        if room.memory_mb is None:
            return Size(threads, hash_mb, besides + hash_mb)
        hash_mb = min(hash_mb, max(USUAL_HASH, room.memory_mb - besides))
        return Size(threads, hash_mb, min(besides + hash_mb, room.memory_mb))

    def __str__(self) -> str:
        return f"{self.threads} threads and {self.hash_mb} MiB"


ANY_SIZE = Size(MAX_THREADS, MAX_HASH_MB)


def _counted(operation: Callable[[int, int], T], one: int | None, other: int | None) -> T | None:
    """Apply an operation to two numbers; return None if one of them is not counted."""
    return None if one is None or other is None else operation(one, other)


@dataclass(frozen=True, slots=True)
class BudgetConfig:
    """The section [budget]: what engines may use of the machine, and how many sessions may wait.

    Without `threads`, `hash_mb` and `memory_mb` it is what the machine offers; of memory it
    is no less than a `hash_mb` that is given.  `waiting` sessions may wait for a slot.  A
    session for batch work counts as if it had come `batch_patience` seconds later.
    """

    threads: int | None = setting(validators.whole(1, MAX_THREADS), None, fixed=itself)
    hash_mb: int | None = setting(validators.whole(1, MAX_HASH_MB), None, fixed=itself)
    memory_mb: int | None = setting(validators.whole(1, MAX_HASH_MB), None, fixed=itself)
    waiting: int = setting(validators.whole(0, 10000), 1000, fixed=itself)
    batch_patience: float = setting(validators.seconds, 300.0, fixed=itself)

    def size(self, machine: Size) -> Size:
        """Return what there is for engines on such a machine."""
        memory_mb = self.memory_mb
        if memory_mb is None and machine.memory_mb is not None:
            memory_mb = max(machine.memory_mb, self.hash_mb or 0)
        return Size(self.threads or machine.threads, self.hash_mb or machine.hash_mb, memory_mb)


@dataclass(frozen=True, slots=True)
class Quota:
    """The limits of an account; None is no bound but what the machine has.

    `sessions`: at once.  `threads`, `hash_mb`: of one session.  `total_threads`,
    `total_hash_mb`: of all its slots; more sessions wait, `waiting` at once.
    `cpu_seconds`: in any hour.  `lines_per_second`: what its sessions may say in the
    long run, and `lines_burst` at once; some moves that are new count as a line.
    `longest_search`: seconds until a search is stopped.  `park_after`: seconds without a
    search until a session gives its slot to another that waits for one.  `idle_timeout`: seconds
    without a line or a search until a session is ended.  `free_after`: seconds without a search
    until its engine is ended, if its client gives no sign of life either.  `cache`: whether its
    analyses are kept, and told to it again.  `rooms`: sessions that others may watch, at once;
    `spectators`: how many may watch one of them.  `stored_jobs`, `stored_positions`, `stored_mb`:
    what its jobs may come to, in MiB of their input; a game counts as one.  `keep_results`:
    seconds after which a job that is over is removed.  `stored_games`: that it shares by links.
    `library_files`, `library_bytes`: what its library may come to on the server, compressed.
    `projects`, `project_nodes`: kept analyses, and the positions in all of their trees.

    By these, `each` is the largest slot of one session, and `total` the most that the slots of all
    of them may come to.
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
    stored_jobs: int = setting(validators.whole(0, 1_000_000), 100)
    stored_positions: int = setting(validators.whole(0, MAX_POSITIONS), 1_000_000)
    stored_mb: int = setting(validators.whole(0, 1_000_000), 256)
    keep_results: float = setting(validators.patience, 604_800.0)
    stored_games: int = setting(validators.whole(0, 1_000_000), 100)
    library_files: int = setting(validators.whole(0, 1_000_000), 200)
    library_bytes: int = setting(validators.whole(0, 2**40), 2**26)
    projects: int = setting(validators.whole(0, 100_000), 20)
    project_nodes: int = setting(validators.whole(0, MAX_POSITIONS), 2_000_000)

    each: Size = field(init=False, compare=False)
    total: Size = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Sum up the bounds as sizes, for each slot is measured by them."""
        total = _size(self.total_threads, self.total_hash_mb)
        object.__setattr__(self, "total", total)
        object.__setattr__(self, "each", _size(self.threads, self.hash_mb).within(total))


def _size(threads: int | None, hash_mb: int | None) -> Size:
    return Size(
        ANY_SIZE.threads if threads is None else threads,
        ANY_SIZE.hash_mb if hash_mb is None else hash_mb,
    )


# The user of this machine takes nothing away from others.
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
    stored_jobs=10_000,
    stored_positions=100_000_000,
    stored_mb=65_536,
    stored_games=10_000,
    library_files=10_000,
    library_bytes=2**32,
    projects=1000,
    project_nodes=100_000_000,
)


@dataclass(frozen=True, slots=True)
class Quotas:
    """The values that the operator sets, by key of `Quota`: each table is above those before."""

    everybody: Mapping[str, Any] = field(default_factory=dict)
    named: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # by role or account

    @classmethod
    def parse(cls, quota: object, quotas: object) -> "Quotas":
        """Check the tables of the file.

        Raises:
            ConfigError: a table has an unknown key, or a value that it cannot have.

        """
        named = {
            name: read_values(Quota, f"quotas.{name}", entry)
            for name, entry in validators.table("quotas", quotas).items()
        }
        return cls(read_values(Quota, "quota", quota), named)

    def of(self, role: str, account: str, cpus: int = DEFAULT_THREADS) -> Quota:
        """Return what an account of that role may use, on a machine with so many CPUs.

        Unless the operator sets it, a search has no more threads than there are CPUs: more of
        them only make it slower.
        """
        base = LOCAL if account == LOCAL_ACCOUNT else Quota(threads=min(DEFAULT_THREADS, cpus))
        values = {
            **self.everybody, **self.named.get(role, {}), **self.named.get(account, {}),
        }  # fmt: skip
        return replace(base, **values)
