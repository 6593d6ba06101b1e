"""Sees to it that sessions share the machine: who may have an engine now, and who waits.

It puts the queue, the budget and the quotas to use for the relays of a host; what they
decide by is theirs.  A session has a slot as long as it has an engine.  When others
wait, a session that has not searched for a while gives its slot up: its engine is
parked, that is ended, and when the session searches again it waits like anybody else.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace

from rookery_protocol.notices import group_of
from rookery_server.config.config import Config
from rookery_server.config.resources import BudgetConfig, Size
from rookery_server.joined.joined_host import GroupCapacity
from rookery_server.log import about
from rookery_server.scheduling.budget import Budget, Slot
from rookery_server.scheduling.fair_queue import Queue, Ticket
from rookery_server.scheduling.machine_resources import Machine
from rookery_server.scheduling.quota import Usage
from rookery_server.session.actor import Relay

logger = logging.getLogger(__name__)

# Processors are shared before anybody has to wait: so many engines' threads to each of
# them.  An operator who would rather have few engines run fast sets the budget.
SHARED = 32
TELL_EVERY = 5.0  # s; who waits is told of a new place so often at most
_HERE = ""  # the group of engines of this machine


class Place:
    """Where engines run: what there is for them, and who waits for it."""

    def __init__(
        self, total: Size, bounds: dict[str, int], config: BudgetConfig, now: float
    ) -> None:
        self.budget = Budget(total, bounds)
        self.queue = Queue(self.budget, config, now)

    def is_now(self, total: Size, bounds: dict[str, int]) -> bool:
        """Take note of what there is; say whether that is anything new."""
        budget = self.budget
        is_new = (budget.total, budget.bounds) != (total, bounds)
        budget.total, budget.bounds = total, bounds
        return is_new


class Steward:
    """The slots of the relays of one host.

    Engines of machines that have joined are no burden to this one: each group of machines
    is a place of its own, of which `room_of` says what there is.  How many engines these may
    be is one bound for all that the group offers.
    """

    def __init__(
        self, config: Config, machine: Machine, now: float, room_of: Callable[[str], GroupCapacity]
    ) -> None:
        shared = replace(machine.size, threads=SHARED * machine.size.threads)
        here = Place(config.budget.size(shared), _bounds(config), config.budget, now)
        self.budget = here.budget  # of this machine
        self.queue = here.queue
        self._places: dict[str, Place] = {_HERE: here}
        self._config = config.budget
        self._room_of = room_of
        self._quotas = config.quotas
        self._cpus = machine.threads
        self._usages: dict[str, Usage] = {}
        self._tickets: dict[Relay, Ticket] = {}
        self._relays: dict[Ticket, Relay] = {}
        self._told: dict[Ticket, tuple[float, str]] = {}

    def reconfigure(self, config: Config, now: float) -> None:
        """Take other quotas: each account has them from its next session on.

        How many processes of an engine there may be counts at once for those who wait.
        """
        self._quotas = config.quotas
        self.budget.bounds = _bounds(config)
        self._settle(self.queue.serve(now))

    def usage_of(self, account: str, role: str, now: float) -> Usage:
        """Return what an account uses; it is kept as long as it counts.

        The quota is that of the role in which it has come last: what it has used still counts
        when it is given another.
        """
        quota = self._quotas.of(role, account, self._cpus)
        usage = self._usages.get(account)
        if usage is None:
            usage = self._usages[account] = Usage(quota, now)
        elif usage.quota != quota:
            usage.adjust(quota, now)
        return usage

    def ask(self, relay: Relay, size: Size, now: float) -> None:
        """Get a slot for a relay, now or later: then it is told `slot_came`.

        Raises:
            RefusedError: too many wait already.

        """
        if relay in self._tickets:
            return
        queue = self._queue_of(relay, now)
        ticket = queue.join(
            relay.account.name,
            size,
            now,
            quota=relay.usage.quota,
            batch=relay.is_batch,
            engine=group_of(relay.engine_name) or relay.engine_name,
        )
        self._tickets[relay] = ticket
        self._relays[ticket] = relay
        self._settle(queue.serve(now))

    @property
    def waiting(self) -> int:
        """How many wait for a slot, wherever."""
        return sum(len(place.queue) for place in self._places.values())

    def _queue_of(self, relay: Relay, now: float) -> Queue:
        group = group_of(relay.engine_name)
        if group not in self._places:
            room = self._room_of(group)
            self._places[group] = Place(room.size, {group: room.sessions}, self._config, now)
        return self._places[group].queue

    def resize_places(self, now: float) -> None:
        """See what there is now where machines come and go."""
        for group, place in self._places.items():
            if group == _HERE:
                continue
            room = self._room_of(group)
            if place.is_now(room.size, {group: room.sessions}):
                self._settle(place.queue.serve(now))

    def withdraw(self, relay: Relay) -> None:
        """Take note that a relay wants no slot any more."""
        ticket = self._tickets.pop(relay, None)
        if ticket:
            self._places[group_of(relay.engine_name)].queue.leave(ticket)
            self._forget(ticket)

    def give_back(self, relay: Relay, now: float) -> None:
        """Take note that a relay needs its slot no more."""
        slot, relay.supply.slot = relay.supply.slot, None
        if slot:
            self._settle(self._queue_of(relay, now).give_back(slot, now))

    def resize(self, relay: Relay, size: Size, now: float) -> Size:
        """Make the slot of a relay larger or smaller; return its size now."""
        slot = relay.supply.slot
        assert slot
        queue = self._queue_of(relay, now)
        granted = queue.resize(slot, size, quota=relay.usage.quota)
        self._settle(queue.serve(now))
        return granted

    def leave(self, relay: Relay, now: float) -> None:
        """Take note that a relay is over."""
        self.withdraw(relay)
        self.give_back(relay, now)

    def look(self, relays: Iterable[Relay], now: float) -> None:
        """Tell those who wait their place; let idle engines go for them."""
        self.resize_places(now)
        for ticket, relay in list(self._relays.items()):
            if ticket in self._relays:
                self._tell(relay, ticket, now)
        self.make_room(relays, now)
        self._forget_usages(relays, now)

    def _forget_usages(self, relays: Iterable[Relay], now: float) -> None:
        """Forget those in which nothing counts, nor will: who has one now will count in it."""
        in_hand = {relay.usage for relay in relays}
        for account, usage in list(self._usages.items()):
            if usage not in in_hand and usage.is_forgettable(now):
                del self._usages[account]

    def make_room(self, relays: Iterable[Relay], now: float) -> None:
        """Let an idle engine go, if somebody waits for what it has."""
        for group, place in list(self._places.items()):
            if len(place.queue):
                there = [relay for relay in relays if group_of(relay.engine_name) == group]
                self._park_one(there, place.queue, now)

    def tell(self, relay: Relay, now: float) -> None:
        """Tell a relay its place, if it waits."""
        if ticket := self._tickets.get(relay):
            self._tell(relay, ticket, now)

    def _settle(self, served: list[tuple[Ticket, Slot]]) -> None:
        # All have their slots before any hears of it, and may do what changes the others.
        lucky = []
        for ticket, slot in served:
            relay = self._relays[ticket]
            del self._tickets[relay]
            self._forget(ticket)
            relay.supply.slot = slot
            lucky.append((relay.supply, slot))
        for supply, slot in lucky:
            if supply.slot is slot:
                supply.slot_came(slot)

    def _forget(self, ticket: Ticket) -> None:
        del self._relays[ticket]
        self._told.pop(ticket, None)

    def _tell(self, relay: Relay, ticket: Ticket, now: float) -> None:
        notice = self._queue_of(relay, now).notice(ticket, now)
        then, before = self._told.get(ticket, (-TELL_EVERY, ""))
        if now - then >= TELL_EVERY and notice.text != before:
            self._told[ticket] = now, notice.text
            relay.tell_notice(notice.code, notice.text)

    def _park_one(self, relays: Iterable[Relay], queue: Queue, now: float) -> None:
        """End the engine that has not searched for the longest time, if that is of use to any.

        Sessions that have lost their connection are first: nobody looks at them.
        """
        idle = {relay.supply.slot: relay for relay in relays if relay.supply.may_park(now)}
        wanted = [idle[slot] for slot in queue.wants(slot for slot in idle if slot)]
        if wanted:
            relay = min(wanted, key=lambda relay: (relay.client is not None, relay.idle_since))
            logger.info(
                "session %d: idle for %.0f s, its engine is parked",
                relay.number,
                now - relay.idle_since,
                extra=about(**relay.fields),
            )
            relay.supply.park()
            self.give_back(relay, now)


def _bounds(config: Config) -> dict[str, int]:
    """Return of which engines there may be only so many processes."""
    return {each.name: each.processes for each in config.engines if each.processes is not None}
