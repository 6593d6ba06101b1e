"""What the machine has for engines: threads, hash and memory, leased in slots.

A slot is the right to run one engine process of a certain size.  What is in use is
never counted by itself; it is the sum of the slots that are out, so that the two
cannot disagree.  Who may have a slot next is not decided here but in `waiting`.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TypeVar

from rookery_server.config import validators
from rookery_server.config.schema import setting

MAX_THREADS = 1 << 16
MAX_HASH_MB = 1 << 26
USUAL_HASH = 16  # MiB, what engines have of themselves


@dataclass(frozen=True, slots=True)
class Size:
    """So many threads, so much hash in MiB, and so much memory with the hash in it.

    Memory that is None is not counted: neither what it takes, nor as room.
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
        """Say whether there is room for it."""
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


@dataclass(frozen=True, slots=True)
class BudgetConfig:
    """What engines may use of the machine, and how many may wait for it.

    Without `threads`, `hash_mb` and `memory_mb` it is what the machine offers; of memory it
    is no less than the hash that is said.  `waiting` sessions
    may wait for a slot.  One that is batch counts as if it had come `batch_patience`
    seconds later.
    """

    threads: int | None = setting(validators.whole(1, MAX_THREADS), None)
    hash_mb: int | None = setting(validators.whole(1, MAX_HASH_MB), None)
    memory_mb: int | None = setting(validators.whole(1, MAX_HASH_MB), None)
    waiting: int = setting(validators.whole(0, 10000), 1000)
    batch_patience: float = setting(validators.seconds, 300.0)

    def size(self, machine: Size) -> Size:
        """Return what there is for engines on such a machine."""
        memory_mb = self.memory_mb
        if memory_mb is None and machine.memory_mb is not None:
            memory_mb = max(machine.memory_mb, self.hash_mb or 0)
        return Size(self.threads or machine.threads, self.hash_mb or machine.hash_mb, memory_mb)


@dataclass(eq=False, slots=True)
class Slot:
    """The right to run one process of that engine, of that size."""

    account: str
    size: Size
    engine: str = ""


class Budget:
    """What there is in all, and the slots that are out.

    `bounds` says of which engines there may be only so many processes.
    """

    __slots__ = ("_slots", "bounds", "total")

    def __init__(self, total: Size, bounds: dict[str, int] | None = None) -> None:
        self.total = total
        self.bounds = bounds or {}
        self._slots: dict[str, set[Slot]] = {}

    def __iter__(self) -> Iterator[Slot]:
        return (slot for slots in self._slots.values() for slot in slots)

    @property
    def free(self) -> Size:
        """What is not leased."""
        return self.total - _sum(self)

    def slots_of(self, account: str) -> Collection[Slot]:
        """Return the slots that an account has."""
        return self._slots.get(account, ())

    def used_by(self, account: str) -> Size:
        """Return what the slots of an account come to."""
        return _sum(self.slots_of(account))

    def left(self, engine: str) -> int | None:
        """Return how many more processes of an engine there may be; None is no bound."""
        if engine not in self.bounds:
            return None
        return self.bounds[engine] - sum(slot.engine == engine for slot in self)

    def has_place(self, engine: str) -> bool:
        """Say whether there may be one more process of an engine."""
        left = self.left(engine)
        return left is None or left > 0

    def lease(self, account: str, size: Size, engine: str = "") -> Slot:
        """Return a slot; the caller has seen that there is room for it."""
        assert size.fits(self.free)
        slot = Slot(account, size, engine)
        self._slots.setdefault(account, set()).add(slot)
        return slot

    def resize(self, slot: Slot, want: Size) -> Size:
        """Make a slot larger, as far as there is room, or smaller; return its size now."""
        assert slot in self.slots_of(slot.account)
        # Less may be free than nothing, if `total` has become smaller since.
        free = self.free
        memory_mb = None if free.memory_mb is None else max(0, free.memory_mb)
        room = Size(max(0, free.threads), max(0, free.hash_mb), memory_mb)
        slot.size = want.within(room + slot.size)
        return slot.size

    def give_back(self, slot: Slot) -> None:
        """End a lease; to end it twice does no harm."""
        slots = self._slots.get(slot.account, set())
        slots.discard(slot)
        if not slots:
            self._slots.pop(slot.account, None)


def _sum(slots: Collection[Slot] | Budget) -> Size:
    # A `Size` for each sum on the way would take ten times as long.
    threads = hash_mb = memory_mb = 0
    for slot in slots:
        threads += slot.size.threads
        hash_mb += slot.size.hash_mb
        memory_mb += slot.size.memory_mb or 0
    return Size(threads, hash_mb, memory_mb)


_T = TypeVar("_T")


def _counted(do: Callable[[int, int], _T], one: int | None, other: int | None) -> _T | None:
    """Return what is done to two numbers; None if one of them is not counted."""
    return None if one is None or other is None else do(one, other)
