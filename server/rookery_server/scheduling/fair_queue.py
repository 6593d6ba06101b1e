"""The queue for slots, in which accounts take turns.  No I/O and no clock: `now` is in seconds.

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

Of some engines there may be only so many processes.  Who waits for one of these does so
behind none of the others, and holds none of them up.

A large request that does not fit is overtaken by smaller ones behind it OVERTAKING
times, by those of its own account too; then what becomes free is kept for it.
"""

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, count

from rookery_protocol.errors import RefusedError, in_words
from rookery_protocol.notices import Code, Notice
from rookery_server.config.resources import USUAL_HASH, BudgetConfig, Quota, Size
from rookery_server.scheduling.budget import Budget, Slot

TURN = 60.0  # s that an account with one slot more lets others come before it
OVERTAKING = 8  # times that a request may be overtaken because it does not fit yet
MEMORY = 600.0  # s after which a slot that became free counts 1/e in the estimate
SMALLEST = Size(1, 1)  # without room for which no line need be looked at
_SHORTEST = 1.0  # s; a rate is not told from less


@dataclass(eq=False, slots=True)
class Ticket:
    """Somebody waits: for a slot of that size, while its account has no more than `total`.

    It gets less if there is not so much in all, and maybe less hash.
    """

    number: int  # in the order of coming
    account: str
    size: Size
    total: Size
    came: float  # for batch, when its patience will have ended
    engine: str = ""
    overtaken: int = field(default=0)


class FairQueue:
    """The lines of all accounts, and the budget that they wait for.

    A ticket may leave at any time; `grant_slots` returns the tickets that have got a slot.
    """

    def __init__(self, budget: Budget, config: BudgetConfig, now: float) -> None:
        self._budget = budget
        self._config = config
        self._numbers = count(1)
        self._lines: dict[str, list[Ticket]] = {}  # each in order; none is empty
        self._served: dict[str, float] = {}  # when each line's account was last served
        self._places: dict[Ticket, int] | None = None  # as long as nothing happens
        self._latest = now  # when something happened last
        self._freed = Rate(now)

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def __contains__(self, ticket: Ticket) -> bool:
        return ticket in self._lines.get(ticket.account, ())

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
        size = want.within(quota.each)
        came = now + self._config.batch_patience if batch else now
        ticket = Ticket(next(self._numbers), account, size, quota.total, came, engine)
        if self._lines or not self._could_have(ticket):
            self._check_room(account, quota)
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
            self._tidy(ticket.account)

    def grant_slots(self, now: float) -> list[tuple[Ticket, Slot]]:
        """Give slots to those whose turn it is, as long as there is room."""
        self._places, self._latest = None, now
        if not self._lines or not SMALLEST.fits(free := self._budget.free):
            return []
        served: list[tuple[Ticket, Slot]] = []
        passed: list[Ticket] = []  # those before whom others are served
        heads = [self._in_order(line[0]) for line in self._lines.values()]
        heapq.heapify(heads)
        while heads and SMALLEST.fits(free):
            _, _, ticket = heapq.heappop(heads)
            line = self._lines[ticket.account]
            place = line.index(ticket)
            size = self._size(ticket, free)
            may = self._is_within_quota(ticket, size)
            if not self._budget.has_place(ticket.engine):
                place += 1
            elif may and size.fits(free):
                slot = self._budget.lease(ticket.account, size, ticket.engine)
                served.append((ticket, slot))
                free = self._budget.free
                self._count_overtaking(passed, ticket)
                self.remove(ticket)
                if line:
                    self._served[ticket.account] = now
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
            # Who waits for its own account gets nothing of another's.
            others = self._is_within_quota(ticket, self._size(ticket, self._budget.total))
            needs.add(
                (
                    None if others else ticket.account,
                    None if self._budget.has_place(ticket.engine) else ticket.engine,
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
            if is_own or self._is_within_quota(ticket, self._size(ticket, self._budget.total)):
                ticket.overtaken += 1

    def resize(self, slot: Slot, want: Size, *, quota: Quota) -> Size:
        """Make a slot larger or smaller; return its size now.

        It grows as far as there is room and the quota allows, but not while others wait.
        After it has become smaller, `grant_slots`.
        """
        if self._lines:
            return self._budget.resize(slot, want.within(slot.size))
        each, total = quota.each, quota.total
        room = total - self._budget.used_by(slot.account) + slot.size
        # A quota that was made smaller may have none left.
        room = Size(max(SMALLEST.threads, room.threads), max(SMALLEST.hash_mb, room.hash_mb))
        return self._budget.resize(slot, want.within(each).within(room))

    def release(self, slot: Slot, now: float) -> None:
        """End a lease; then `grant_slots`."""
        self._budget.release(slot)
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
        slots = len(self._budget.slots_of(ticket.account)) + before
        return max(since, ticket.came) + TURN * slots, ticket.number, ticket

    def _size(self, ticket: Ticket, free: Size) -> Size:
        """Return what it would get now, or waits for: no more than there is in all.

        Of hash it gets what is left, if that is as much as engines usually have.
        """
        size = ticket.size.within(self._budget.total)
        left = min(free.hash_mb, (ticket.total - self._budget.used_by(ticket.account)).hash_mb)
        if size.memory_mb is not None and free.memory_mb is not None:
            left = min(left, free.memory_mb - (size.memory_mb - size.hash_mb))
        return size.within(Size(size.threads, left)) if left >= USUAL_HASH else size

    def _is_within_quota(self, ticket: Ticket, size: Size) -> bool:
        return (size + self._budget.used_by(ticket.account)).fits(ticket.total)

    def _could_have(self, ticket: Ticket) -> bool:
        """Return whether it would be served if no other waited."""
        free = self._budget.free
        size = self._size(ticket, free)
        fits = size.fits(free) and self._budget.has_place(ticket.engine)
        return fits and self._is_within_quota(ticket, size)

    def _check_room(self, account: str, quota: Quota) -> None:
        if len(self) >= self._config.waiting:
            raise RefusedError(
                Code.QUEUE_FULL,
                f"no engine is free, and {len(self)} wait for one already: connect again later",
            )
        own = len(self._lines.get(account, ()))
        if own >= quota.waiting:
            raise RefusedError(
                Code.QUEUE_FULL,
                f"no engine is free, and {own} of your sessions wait for one already:"
                " end one, or connect again later",
            )

    def _tidy(self, account: str) -> None:
        """Forget a line that is empty."""
        self._places = None
        if not self._lines[account]:
            del self._lines[account]
            self._served.pop(account, None)


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
