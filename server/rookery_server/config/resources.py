"""Threads, hash and memory: their amounts, and what engines may use of the machine.

[budget]
threads = 8
hash_mb = 4096
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from rookery_server.config import validators
from rookery_server.config.schema import itself, setting

MAX_THREADS = 1 << 16
MAX_HASH_MB = 1 << 26
USUAL_HASH = 16  # MiB, the default of engines

T = TypeVar("T")


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
