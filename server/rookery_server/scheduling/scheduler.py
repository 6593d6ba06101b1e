"""The slots of all sessions: which session may run an engine now, and which one waits.

`FairQueue` decides the order, `Budget` and the quotas what there is; this connects them to the
sessions.  A session holds a slot as long as it has an engine.  While others wait, a session that
has not searched for a while gives its slot up: its engine is parked, which means ended, and when
the session searches again it waits in the queue like any other.

Each method decides at once, and changes only the books.  What another session must hear of it,
a grant above all, is delivered from the event loop, so that no session's code runs within the
call of another.  Until a grant is delivered it can still be withdrawn: then it is given back.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto
from typing import Protocol

from rookery_protocol.notices import Code, Notice
from rookery_server.access.account import Account
from rookery_server.config.config import Config
from rookery_server.config.resources import Size
from rookery_server.joined.joined_host import GroupCapacity
from rookery_server.log import about
from rookery_server.scheduling.fair_queue import Budget, FairQueue, Slot, Ticket
from rookery_server.scheduling.machine_resources import Machine
from rookery_server.scheduling.quota import Usage

logger = logging.getLogger(__name__)

# Processors are shared before any session has to wait: so many engines' threads to each of
# them.  An operator who would rather have few engines run fast sets the budget.
SHARED = 32
NOTIFY_EVERY = 5.0  # s; a waiting session is told of a new place at most so often
_LOCAL = ""  # the group of this machine's engines


class SlotHolder(Protocol):
    """A session, as far as the scheduler knows it."""

    account: Account
    usage: Usage
    engine_name: str
    group: str  # of the machines that run its engine; "" is this machine
    is_batch: bool
    number: int

    @property
    def fields(self) -> dict[str, object]:
        """Its fields in each event of the log."""

    @property
    def client(self) -> object | None:
        """Its client's connection; None while there is none."""

    @property
    def idle_since(self) -> float:
        """The time of its last search."""

    def slot_granted(self) -> None:
        """Use the slot that was acquired."""

    def must_wait(self) -> None:
        """Do what needs no engine: the slot comes later."""

    def send_notice(self, code: Code, text: str) -> None:
        """Tell the client something in the server's own name."""

    def may_park(self, now: float) -> bool:
        """Return whether its engine may be ended for others that wait."""

    def park(self) -> None:
        """End its engine."""


class Grant(Enum):
    """The time at which a session has the slot that it asks for."""

    NOW = auto()
    SOON = auto()  # an idle engine is parked for it: `slot_granted` or `must_wait` follows
    LATER = auto()  # it waits: `slot_granted` follows


class Scheduler:
    """The slots of one server's sessions.

    Engines of machines that have joined take nothing of this machine: each group of machines has
    a budget and a queue of its own, whose size `room_of` returns.  The number of engines there is
    one bound for all that the group offers.  `call_soon` runs a call from the event loop.
    """

    def __init__(
        self,
        config: Config,
        machine: Machine,
        now: float,
        *,
        room_of: Callable[[str], GroupCapacity],
        call_soon: Callable[..., object],
    ) -> None:
        shared = replace(machine.size, threads=SHARED * machine.size.threads)
        self.budget = Budget(config.budget.size(shared), _bounds(config))  # of this machine
        self._queues = {_LOCAL: FairQueue(self.budget, config.budget, now)}  # by group
        self._config = config.budget
        self._room_of = room_of
        self._call_soon = call_soon
        self._quotas = config.quotas
        self._cpus = machine.threads
        self._usages: dict[str, Usage] = {}
        self._slots: dict[SlotHolder, Slot] = {}
        self._undelivered: set[SlotHolder] = set()  # have a slot, and do not know it yet
        self._tickets: dict[SlotHolder, Ticket] = {}
        self._waiting: dict[Ticket, SlotHolder] = {}  # the same, the other way round

    def reconfigure(self, config: Config, now: float) -> None:
        """Replace the quotas: each account has the new ones from its next session on.

        A new bound on the processes of an engine holds at once for sessions that wait.
        """
        self._quotas = config.quotas
        self.budget.bounds = _bounds(config)
        self._grant_free_slots(self._queues[_LOCAL], now)

    # --- what accounts use

    def usage_of(self, account: str, role: str, now: float) -> Usage:
        """Return the usage of an account, which is kept as long as it counts.

        The quota is that of the role in which the account has come last; what was used before
        still counts under another quota.
        """
        quota = self._quotas.of(role, account, self._cpus)
        usage = self._usages.get(account)
        if usage is None:
            usage = self._usages[account] = Usage(quota, now)
        elif usage.quota != quota:
            usage.adjust(quota, now)
        return usage

    def forget_usages(self, in_use: set[Usage], now: float) -> None:
        """Forget each usage in which nothing counts and that no session has."""
        for account, usage in list(self._usages.items()):
            if usage not in in_use and usage.is_forgettable(now):
                del self._usages[account]

    # --- slots

    def acquire(self, holder: SlotHolder, size: Size, now: float) -> Grant:
        """Get a session a slot of this size; return when it has it.

        Raises:
            RefusedError: too many wait already.

        """
        self._undelivered.discard(holder)
        if holder not in self._slots and holder not in self._tickets:
            queue = self._queue_of(holder.group, now)
            ticket = queue.join(
                holder.account.name,
                size,
                now,
                quota=holder.usage.quota,
                batch=holder.is_batch,
                engine=holder.group or holder.engine_name,
            )
            self._tickets[holder] = ticket
            self._waiting[ticket] = holder
            self._grant_free_slots(queue, now, asker=holder)
            if holder not in self._slots and self._longest_idle(holder.group, now):
                self._call_soon(self._park_for, ticket, now)
                return Grant.SOON
        return Grant.NOW if holder in self._slots else Grant.LATER

    def resize(self, holder: SlotHolder, size: Size, now: float) -> Size:
        """Return the size that the slot of a session has now: what was asked for, or less."""
        slot = self._slots[holder]
        before = slot.size
        if size == before:
            return size
        queue = self._queues[holder.group]
        granted = queue.resize(slot, size, quota=holder.usage.quota)
        if granted != before and self._waiting:
            self._grant_free_slots(queue, now)
        return granted

    def withdraw(self, holder: SlotHolder, now: float) -> None:
        """Cancel the wish for a slot, and take back a grant that was not delivered yet."""
        if holder in self._tickets or holder in self._undelivered:
            self.release(holder, now)

    def release(self, holder: SlotHolder, now: float) -> None:
        """Take back the slot of a session, or its wish for one."""
        self._undelivered.discard(holder)
        if ticket := self._tickets.pop(holder, None):
            self._queues[holder.group].remove(ticket)
            del self._waiting[ticket]
        if slot := self._slots.pop(holder, None):
            queue = self._queues[holder.group]
            queue.release(slot, now)
            self._grant_free_slots(queue, now)

    def notice_for(self, holder: SlotHolder, now: float) -> Notice | None:
        """Return the notice of a new place in the queue, if it is time for one."""
        if (ticket := self._tickets.get(holder)) is None:
            return None
        notice = self._queues[holder.group].notice(ticket, now)
        then, before = ticket.noticed
        if now - then < NOTIFY_EVERY or notice.text == before:
            return None
        ticket.noticed = now, notice.text
        return notice

    @property
    def waiting(self) -> int:
        """The number of sessions that wait for a slot, in all queues."""
        return len(self._waiting)

    @property
    def has_waiting_client(self) -> bool:
        """True if a session waits for a slot that is none of batch work."""
        return any(not each.is_batch for each in self._tickets)

    def has_client_waiting_for(self, group: str) -> bool:
        """Return whether a session waits for a slot of a group that is none of batch work."""
        return any(not each.is_batch and each.group == group for each in self._tickets)

    # --- twice a second

    def check(self, now: float) -> None:
        """Notify waiting sessions of their places; have idle engines parked for them."""
        self._resize_budgets(now)
        for holder in list(self._tickets):
            self._notify(holder, now)
        for group in list(self._queues):
            self._park_one(group, now)

    # --- within

    def _resize_budgets(self, now: float) -> None:
        """Record what there is now where machines join and leave."""
        for group, queue in self._queues.items():
            if group != _LOCAL:
                budget, before = self._budget_of(group), queue.budget
                if (budget.total, budget.bounds) != (before.total, before.bounds):
                    before.total, before.bounds = budget.total, budget.bounds
                    self._grant_free_slots(queue, now)

    def _queue_of(self, group: str, now: float) -> FairQueue:
        if group not in self._queues:
            self._queues[group] = FairQueue(self._budget_of(group), self._config, now)
        return self._queues[group]

    def _budget_of(self, group: str) -> Budget:
        """Return what there is now of a group of machines that have joined."""
        room = self._room_of(group)
        return Budget(room.size, {group: room.sessions})

    def _grant_free_slots(
        self, queue: FairQueue, now: float, asker: SlotHolder | None = None
    ) -> None:
        """Grant what is free to those that are next; deliver each grant but the asker's."""
        for ticket, slot in queue.grant_slots(now):
            holder = self._waiting.pop(ticket)
            del self._tickets[holder]
            self._slots[holder] = slot
            if holder is not asker:
                self._undelivered.add(holder)
                self._call_soon(self._deliver, holder, slot)

    def _deliver(self, holder: SlotHolder, slot: Slot) -> None:
        if holder in self._undelivered and self._slots[holder] is slot:
            self._undelivered.discard(holder)
            holder.slot_granted()

    def _park_for(self, ticket: Ticket, now: float) -> None:
        """Park an idle engine for a session that has just asked; else the session has to wait."""
        if holder := self._waiting.get(ticket):
            self._park_one(holder.group, now)
            if ticket in self._waiting:
                holder.must_wait()
                self._notify(holder, now)

    def _notify(self, holder: SlotHolder, now: float) -> None:
        if notice := self.notice_for(holder, now):
            holder.send_notice(notice.code, notice.text)

    def _park_one(self, group: str, now: float) -> None:
        """End the engine that has been idle for the longest time, if a waiting session needs it."""
        if holder := self._longest_idle(group, now):
            logger.info(
                "session %d: idle for %.0f s, its engine is parked",
                holder.number,
                now - holder.idle_since,
                extra=about(**holder.fields),
            )
            holder.park()
            self.release(holder, now)

    def _longest_idle(self, group: str, now: float) -> SlotHolder | None:
        """Return the holder of a slot that a waiting session could use, and that is idle.

        Sessions without a connection are first: no client would notice.
        """
        queue = self._queues[group]
        if not len(queue):
            return None
        idle = {
            slot: holder
            for holder, slot in self._slots.items()
            if holder.group == group and holder.may_park(now)
        }
        wanted = [idle[slot] for slot in queue.wants(idle)]
        return min(
            wanted, key=lambda each: (each.client is not None, each.idle_since), default=None
        )


def _bounds(config: Config) -> dict[str, int]:
    """Return how many processes there may be of each engine that has a bound."""
    return {each.name: each.processes for each in config.engines if each.processes is not None}
