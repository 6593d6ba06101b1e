"""The machine's resources, leased in slots, and the queue for them, in which accounts take turns.

A slot is the right to run one engine process of a certain size.  What is in use is never counted
by itself; it is the sum of the slots that are out, so that the two cannot disagree.  No I/O and no
clock: `now` is in seconds.

Each account has a line of its own, and the lines take turns.  Each waiting session has a
*due time*, and the earliest is next:

    the later of when it came and when its account was last served
    + TURN for each slot its account has, and for each of its own that is before it
    + the patience of batch, if it is batch (to when it came)

So the account with the fewest slots is next, and of equals the one that has waited
longest; one that has much waits TURN longer for each slot.  None starves: a due time
of the first in a line only ever comes closer, and a later session cannot be due before
it comes.  `now` is on all sides of the comparison and falls out, so that the order
changes only by what happens, not by itself.

Threads are waited for, and so is the memory that an engine needs in any case.  Hash is
not: what is left of it will do, if it is as much as engines usually have, for an engine
with less is a little slower only.

Of some engines there may be only so many processes.  A session that waits for one of these
waits behind none of the others, and holds none of them up.

A large request that does not fit is overtaken by smaller ones behind it OVERTAKING
times, by those of its own account too; then what becomes free is kept for it.
"""

import heapq
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count

from rookery_protocol.errors import RefusedError, in_words
from rookery_protocol.notices import Code, Notice
from rookery_server.config.resources import USUAL_HASH, BudgetConfig, Quota, Size

TURN = 60.0  # s that an account with one slot more lets others come before it
OVERTAKING = 8  # times that a request may be overtaken because it does not fit yet
MEMORY = 600.0  # s after which a slot that became free counts 1/e in the estimate
SMALLEST = Size(1, 1)  # without room for which no line need be looked at
_SHORTEST = 1.0  # s; a rate is not told from less


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


@dataclass(eq=False, slots=True)
class Ticket:
    """The wish for a slot of that size, while its account has no more than `total`.

    It gets less if there is not so much in all, and maybe less hash.
    """

    number: int  # in the order of coming
    account: str
    size: Size
    total: Size
    came: float  # for batch, when its patience will have ended
    engine: str = ""
    overtaken: int = 0
    noticed: tuple[float, str] = (-math.inf, "")  # when its session was told of its place, and how


class FairQueue:
    """The lines of all accounts, and the budget that they wait for.

    A ticket may leave at any time; `grant_slots` returns the tickets that have got a slot.
    """

    def __init__(self, budget: Budget, config: BudgetConfig, now: float) -> None:
        self.budget = budget
        self._config = config
        self._numbers = count(1)
        self._lines: dict[str, list[Ticket]] = {}  # each in order; none is empty
        self._served: dict[str, float] = {}  # when each line's account was last served
        self._places: dict[Ticket, int] | None = None  # as long as nothing happens
        self._latest = now  # when something happened last
        self._freed = Rate(now)

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def join(
        self,
        account: str,
        want: Size,
        now: float,
        *,
        quota: Quota,
        batch: bool = False,
        engine: str = "",
    ) -> Ticket:
        """Wait for a slot, of at most the size that the quota allows.

        Raises:
            RefusedError: there is none free, and too many wait already.

        """
        total = quota.total
        size = want.within(quota.each)
        came = now + self._config.batch_patience if batch else now
        ticket = Ticket(next(self._numbers), account, size, total, came, engine)
        objection = self._objection(account, quota)
        if objection and (self._lines or not self._could_have(ticket)):
            raise RefusedError(Code.QUEUE_FULL, f"no engine is free, and {objection}")
        line = self._lines.setdefault(account, [])
        line.append(ticket)
        line.sort(key=lambda ticket: ticket.came)
        self._places, self._latest = None, now
        return ticket

    def remove(self, ticket: Ticket) -> None:
        """Wait no longer; to leave twice does no harm."""
        line = self._lines.get(ticket.account, [])
        if ticket in line:
            line.remove(ticket)
            self._places = None
            if not line:
                del self._lines[ticket.account]
                self._served.pop(ticket.account, None)

    def grant_slots(self, now: float) -> list[tuple[Ticket, Slot]]:
        """Give slots to those whose turn it is, as long as there is room."""
        self._places, self._latest = None, now
        if not self._lines or not SMALLEST.fits(free := self.budget.free):
            return []
        served: list[tuple[Ticket, Slot]] = []
        passed: list[Ticket] = []  # those before whom others are served
        heads = [self._in_order(line[0]) for line in self._lines.values()]
        heapq.heapify(heads)
        while heads:
            _, _, ticket = heapq.heappop(heads)
            line = self._lines[ticket.account]
            place = line.index(ticket)
            size, may = self._size(ticket, free)
            fits = may and size.fits(free)
            if not self.budget.has_place(ticket.engine):
                place += 1
            elif fits:
                slot = self.budget.lease(ticket.account, size, ticket.engine)
                served.append((ticket, slot))
                self._count_overtaking(passed, ticket)
                self.remove(ticket)
                if line:
                    self._served[ticket.account] = now
                if not SMALLEST.fits(free := self.budget.free):
                    break
            elif ticket.overtaken < OVERTAKING:
                passed.append(ticket)
                place = _next_smaller(line, place)
            elif may:
                break
            else:
                continue  # Its account waits for itself only.
            if place < len(line):
                heapq.heappush(heads, self._in_order(line[place], place))
        return served

    def wants(self, slots: Iterable[Slot]) -> list[Slot]:
        """Return those of some slots that may be, or make room for, what a ticket waits for."""
        needs = self._needs()
        return [
            slot
            for slot in slots
            if any(
                (account, engine) in needs
                for account in (None, slot.account)
                for engine in (None, slot.engine)
            )
        ]

    def _needs(self) -> set[tuple[str | None, str | None]]:
        """Return of which account and engine a slot would help those that wait; None is any."""
        needs: set[tuple[str | None, str | None]] = set()
        for ticket in chain.from_iterable(self._lines.values()):
            # A session that waits for its own account gets nothing of another's.
            _, others = self._size(ticket, self.budget.total)
            needs.add(
                (
                    None if others else ticket.account,
                    None if self.budget.has_place(ticket.engine) else ticket.engine,
                )
            )
            if (None, None) in needs:
                break
        return needs

    def _count_overtaking(self, passed: Iterable[Ticket], served: Ticket) -> None:
        """Count for each ticket that it was overtaken."""
        for ticket in passed:
            # What an account has not left for itself is its own affair.
            is_own = ticket.account == served.account
            if is_own or self._size(ticket, self.budget.total)[1]:
                ticket.overtaken += 1

    def resize(self, slot: Slot, want: Size, *, quota: Quota) -> Size:
        """Make a slot larger or smaller; return its size now.

        It grows as far as there is room and the quota allows, but not while others wait.
        After it has become smaller, `grant_slots`.
        """
        if self._lines:
            return self.budget.resize(slot, want.within(slot.size))
        total, each = quota.total, quota.each
        room = total - self.budget.used_by(slot.account) + slot.size
        # A quota that was made smaller may have none left.
        room = Size(max(SMALLEST.threads, room.threads), max(SMALLEST.hash_mb, room.hash_mb))
        return self.budget.resize(slot, want.within(each).within(room))

    def release(self, slot: Slot, now: float) -> None:
        """End a lease; then `grant_slots`."""
        self.budget.release(slot)
        self._freed.add(now)

    # --- what waiting sessions are told

    def place_of(self, ticket: Ticket) -> int:
        """Return how many are due before it, and itself: 1 is next."""
        if self._places is None:
            due = sorted(
                self._in_order(ticket, before)
                for line in self._lines.values()
                for before, ticket in enumerate(line)
            )
            self._places = {ticket: place for place, (_, _, ticket) in enumerate(due, 1)}
        return self._places[ticket]

    def estimate(self, ticket: Ticket, now: float) -> float | None:
        """Return the seconds it may have to wait; None if too few slots became free to tell."""
        rate = self._freed.per_second(now)
        return None if rate is None else self.place_of(ticket) / rate

    def notice(self, ticket: Ticket, now: float) -> Notice:
        """Return the notice of a place, and of how long it may take."""
        wait = self.estimate(ticket, now)
        guess = "" if wait is None else f", in about {in_words(wait)}"
        text = f"you are number {self.place_of(ticket)} of {len(self)} to get an engine{guess}"
        return Notice(Code.WAITING, text)

    # --- the order

    def _in_order(self, ticket: Ticket, before: int = 0) -> tuple[float, int, Ticket]:
        """Return a ticket as something to be sorted: by when it is due, then by number.

        The account of one that has others before it in its line is taken to be served now.
        """
        since = self._latest if before else self._served.get(ticket.account, ticket.came)
        slots = len(self.budget.slots_of(ticket.account)) + before
        return max(since, ticket.came) + TURN * slots, ticket.number, ticket

    def _size(self, ticket: Ticket, free: Size) -> tuple[Size, bool]:
        """Return what it would get now, or waits for, and whether its quota allows that.

        It is no more than there is in all.  Of hash it gets what is left, if that is as much as
        engines usually have.
        """
        room = ticket.total - self.budget.used_by(ticket.account)
        size = ticket.size.within(self.budget.total)
        left = min(free.hash_mb, room.hash_mb)
        if size.memory_mb is not None and free.memory_mb is not None:
            left = min(left, free.memory_mb - (size.memory_mb - size.hash_mb))
        if left >= USUAL_HASH:
            size = size.within(Size(size.threads, left))
        return size, size.fits(room)

    def _could_have(self, ticket: Ticket) -> bool:
        """Return whether it would be served if no other waited."""
        free = self.budget.free
        size, may = self._size(ticket, free)
        return may and size.fits(free) and self.budget.has_place(ticket.engine)

    def _objection(self, account: str, quota: Quota) -> str:
        """Return why no more sessions may wait, "" if they may."""
        if len(self) >= self._config.waiting:
            return f"{len(self)} wait for one already: connect again later"
        own = len(self._lines.get(account, ()))
        if own >= quota.waiting:
            return f"{own} of your sessions wait for one already: end one, or connect again later"
        return ""


def _next_smaller(line: Sequence[Ticket], place: int) -> int:
    """Return the place of the next that asks for less of something; where it ends if none does."""
    size = line[place].size
    behind = range(place + 1, len(line))
    return next((other for other in behind if not size.fits(line[other].size)), len(line))


class Rate:
    """The frequency of an event of late: what is long past counts less and less."""

    __slots__ = ("_start", "_then", "_weight")

    def __init__(self, now: float) -> None:
        self._start = self._then = now
        self._weight = 0.0

    def add(self, now: float) -> None:
        """Count the event."""
        self._weight = self._weight_at(now) + 1.0
        self._then = now

    def per_second(self, now: float) -> float | None:
        """Return how often it happens in a second; None if it has happened too seldom."""
        weight = self._weight_at(now)
        if weight <= 1.0:
            return None
        observed = max(_SHORTEST, now - self._start)
        return weight / (MEMORY * -math.expm1(-observed / MEMORY))

    def _weight_at(self, now: float) -> float:
        return self._weight * math.exp((self._then - now) / MEMORY)
