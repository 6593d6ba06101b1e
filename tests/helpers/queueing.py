"""A queue for slots, for several tests."""

from collections.abc import Iterable

from rookery_server.config.resources import BudgetConfig, Quota, Size
from rookery_server.scheduling.fair_queue import (
    Budget,
    FairQueue,
    Slot,
    Ticket,
)

ONE = Size(1, 1)
QUOTA = Quota(threads=None, hash_mb=None, waiting=1000)
CONFIG = BudgetConfig(batch_patience=300.0)


def release(queue: FairQueue, slot: Slot, now: float) -> list[tuple[Ticket, Slot]]:
    queue.release(slot, now)
    return queue.grant_slots(now)


class Club:
    """A queue for `threads` slots of one thread, and the tickets by their names."""

    def __init__(
        self, threads: int = 1, config: BudgetConfig = CONFIG, *, memory_mb: int | None = None
    ) -> None:
        self.budget = Budget(Size(threads, 1000, memory_mb))
        self.queue = FairQueue(self.budget, config, 0.0)
        self.slots: dict[str, Slot] = {}
        self.tickets: dict[str, Ticket] = {}

    def join(
        self, name: str, now: float = 0.0, *, size: Size = ONE, quota: Quota = QUOTA,
        batch: bool = False, engine: str = "",
    ) -> None:  # fmt: skip
        """The first letter is the account's name."""
        self.tickets[name] = self.queue.join(
            name[0], size, now, quota=quota, batch=batch, engine=engine
        )
        self._take(self.queue.grant_slots(now))

    def give_back(self, name: str, now: float = 0.0) -> list[str]:
        self.queue.release(self.slots.pop(name), now)
        return self._take(self.queue.grant_slots(now))

    def places(self) -> list[str]:
        waits = waiting(self.queue)
        names = [name for name, ticket in self.tickets.items() if ticket in waits]
        return sorted(names, key=lambda name: self.queue.place_of(self.tickets[name]))

    def _take(self, served: Iterable[tuple[Ticket, Slot]]) -> list[str]:
        names = {ticket: name for name, ticket in self.tickets.items()}
        got = {names[ticket]: slot for ticket, slot in served}
        self.slots |= got
        return list(got)


def waiting(queue: FairQueue) -> list[Ticket]:
    return [ticket for line in queue._lines.values() for ticket in line]
