"""The machine's resources for engines: threads, hash and memory, leased in slots.

A slot is the right to run one engine process of a certain size.  What is in use is
never counted by itself; it is the sum of the slots that are out, so that the two
cannot disagree.  The session that is next is not decided here but in `fair_queue`.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from rookery_server.config.resources import Size


@dataclass(eq=False, slots=True)
class Slot:
    """The right to run one process of that engine, of that size."""

    account: str
    size: Size
    engine: str = ""


class Budget:
    """The resources in all, and the slots that are out.

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
        """The resources that are not leased."""
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
        """Return whether there may be one more process of an engine."""
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

    def release(self, slot: Slot) -> None:
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
