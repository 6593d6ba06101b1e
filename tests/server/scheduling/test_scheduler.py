"""The slots of sessions: which one has one, which one waits, and which one gives its slot up."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import BudgetConfig, Quotas, Size
from rookery_server.joined.joined_host import GroupCapacity
from rookery_server.scheduling.fair_queue import Slot
from rookery_server.scheduling.machine_resources import Machine
from rookery_server.scheduling.quota import Usage
from rookery_server.scheduling.scheduler import NOTIFY_EVERY, Grant, Scheduler

ONE = Size(1, 1)


@dataclass(eq=False)
class Holder:
    """A session, as far as the scheduler knows it, and what it was told."""

    usage: Usage
    account: Account
    engine_name: str = "odd"
    group: str = ""
    number: int = 0
    client: object | None = "here"
    idle_since: float = 0.0
    idle: bool = True
    is_batch: bool = False
    grant: Grant | None = None  # what the last call returned
    granted: int = 0  # slots, then or later
    waits: int = 0
    parked: int = 0
    told: list[str] = field(default_factory=list)
    on_slot: Callable[[], None] | None = None

    @property
    def fields(self) -> dict[str, object]:
        return {"session": self.number, "account": self.account.name, "engine": self.engine_name}

    def slot_granted(self) -> None:
        self.granted += 1
        if self.on_slot:
            self.on_slot()

    def must_wait(self) -> None:
        self.waits += 1

    def send_notice(self, code: Code, text: str) -> None:
        self.told.append(f"{code} {text}")

    def may_park(self, now: float) -> bool:
        return self.granted > self.parked and self.idle

    def park(self) -> None:
        self.parked += 1


class World:
    """A scheduler, and an event loop that runs when it is told to."""

    def __init__(
        self,
        threads: int = 1,
        waiting: int = 10,
        *engines: EngineConfig,
        quotas: Quotas | None = None,
    ) -> None:
        budget = BudgetConfig(threads=threads, hash_mb=64, waiting=waiting)
        machine = Machine(threads=4, memory_mb=1024, descriptors=1024)
        self.config = Config(engines, budget=budget, quotas=quotas or Quotas())
        self.calls: deque[tuple[Callable[..., object], tuple[object, ...]]] = deque()
        self.rooms = {"anna": GroupCapacity(ONE, 1)}
        self.scheduler = Scheduler(
            self.config,
            machine,
            0.0,
            room_of=lambda group: self.rooms[group],
            call_soon=lambda call, *arguments: self.calls.append((call, arguments)),
        )

    def run(self) -> None:
        """Run what is to be called from the event loop."""
        while self.calls:
            call, arguments = self.calls.popleft()
            call(*arguments)

    def holder(self, account: str = "anna", **fields: object) -> Holder:
        usage = self.scheduler.usage_of(account, "member", 0.0)
        return Holder(usage, Account(account), **fields)  # type: ignore[arg-type]

    def acquire(self, holder: Holder, size: Size = ONE, now: float = 0.0) -> Grant:
        holder.grant = self.scheduler.acquire(holder, size, now)
        holder.granted += holder.grant is Grant.NOW
        return holder.grant

    def asking(self, size: Size = ONE, now: float = 0.0, **fields: object) -> Holder:
        holder = self.holder(**fields)  # type: ignore[arg-type]
        self.acquire(holder, size, now)
        return holder

    def busy(self, size: Size = ONE, **fields: object) -> Holder:
        """Return a holder that is not idle, once all has run."""
        holder = self.asking(size, idle=False, **fields)
        self.run()
        return holder

    def release(self, *holders: Holder) -> None:
        for holder in holders:
            self.scheduler.release(holder, 1.0)
        self.run()

    def check(self, now: float) -> None:
        self.scheduler.check(now)
        self.run()

    def slot(self, holder: Holder) -> Slot | None:
        return self.scheduler._slots.get(holder)

    def is_empty(self) -> bool:
        scheduler = self.scheduler
        return not (
            list(scheduler.budget)
            or scheduler.waiting
            or scheduler._tickets
            or scheduler._slots
            or scheduler._undelivered
        )


@pytest.fixture
def world() -> World:
    return World()


def test_slot_is_granted_at_once_if_there_is_room(world: World) -> None:
    first = world.asking()
    assert first.grant is Grant.NOW
    assert world.slot(first)
    world.run()
    assert first.granted == 1  # It is not told what it knows.
    world.release(first)
    assert world.is_empty()


def test_released_slot_is_granted_to_a_waiting_session(world: World) -> None:
    first, second = world.busy(), world.asking()
    assert (second.grant, world.slot(second)) == (Grant.LATER, None)
    world.scheduler.release(first, 1.0)
    world.scheduler.release(first, 1.0)  # It does no harm.
    assert second.granted == 0  # Nothing runs within the call of another.
    world.run()
    assert (world.slot(first), second.granted) == (None, 1)
    world.release(first, second)
    assert world.is_empty()


def test_asking_twice_is_asking_once(world: World) -> None:
    first, second = world.busy(), world.asking()
    assert world.acquire(second) is Grant.LATER
    assert world.scheduler.waiting == 1
    assert world.acquire(first) is Grant.NOW
    assert len(list(world.scheduler.budget)) == 1
    world.release(second, first)
    assert world.is_empty()


def test_session_that_withdraws_gets_nothing(world: World) -> None:
    first, second = world.busy(), world.asking()
    world.scheduler.withdraw(second, 0.0)
    world.scheduler.withdraw(second, 0.0)
    world.release(first)
    assert second.granted == 0
    assert world.is_empty()


def test_withdrawing_keeps_a_slot_that_is_known(world: World) -> None:
    first = world.busy()
    world.scheduler.withdraw(first, 0.0)
    assert world.slot(first)


def test_full_queue_refuses_and_keeps_nothing() -> None:
    world = World(waiting=1)
    first, second, third = world.busy(), world.asking(), world.holder()
    with pytest.raises(RefusedError) as caught:
        world.acquire(third)
    assert caught.value.notice.code is Code.QUEUE_FULL
    world.release(third, second, first)
    assert world.is_empty()


def test_higher_bound_on_an_engines_processes_serves_waiting_sessions() -> None:
    few = EngineConfig("odd", ("odd",), processes=1)
    world = World(2, 10, few)
    first, second = world.busy(), world.asking()
    assert (first.granted, second.granted) == (1, 0)
    more = replace(world.config, engines=(replace(few, processes=2),))
    world.scheduler.reconfigure(more, 1.0)
    world.run()
    assert second.granted == 1


# --- between the decision and its delivery


def test_grant_of_a_session_that_has_ended_is_given_to_the_next(world: World) -> None:
    first, second, third = world.busy(), world.asking(), world.asking()
    world.scheduler.release(first, 1.0)  # It is the second's now, which does not know.
    world.scheduler.release(second, 1.0)
    world.run()
    assert (second.granted, third.granted) == (0, 1)
    world.release(third)
    assert world.is_empty()


def test_grant_of_a_session_that_has_withdrawn_is_given_to_the_next(world: World) -> None:
    first, second, third = world.busy(), world.asking(), world.asking()
    world.scheduler.release(first, 1.0)
    world.scheduler.withdraw(second, 1.0)
    world.run()
    assert (second.granted, third.granted) == (0, 1)


def test_grant_is_not_delivered_twice_to_a_session_that_asks_again(world: World) -> None:
    first, second = world.busy(), world.asking()
    world.scheduler.release(first, 1.0)
    assert world.acquire(second) is Grant.NOW
    world.run()
    assert second.granted == 1


def test_grant_of_a_session_that_withdraws_and_asks_again_is_another(world: World) -> None:
    first, second, third = world.busy(), world.asking(), world.asking()
    world.scheduler.release(first, 1.0)
    world.scheduler.withdraw(second, 1.0)
    assert world.acquire(second, now=1.0) is Grant.LATER  # It is behind the third now.
    world.run()
    assert (second.granted, third.granted) == (0, 1)
    world.release(third)
    assert second.granted == 1
    world.release(second)
    assert world.is_empty()


def test_session_that_is_granted_a_slot_may_end_another_that_is_granted_one() -> None:
    world = World(threads=2)
    big = world.busy(Size(2, 1))
    first, second = world.asking(), world.asking()
    first.on_slot = lambda: world.scheduler.release(second, 1.0)
    world.release(big)
    assert (world.slot(second), second.granted) == (None, 0)
    world.release(first)
    assert world.is_empty()


def test_slot_that_shrinks_serves_others_from_the_event_loop() -> None:
    world = World(threads=2)
    first = world.busy(Size(2, 1))
    second = world.asking()
    assert world.scheduler.resize(first, ONE, 1.0) == ONE
    assert (second.granted, world.slot(second) is not None) == (0, True)
    world.run()
    assert second.granted == 1


def test_engine_that_begins_to_search_before_it_is_parked_stays(world: World) -> None:
    first = world.asking()
    second = world.asking()
    assert second.grant is Grant.SOON
    first.idle = False
    world.run()
    assert (first.parked, second.waits, second.granted) == (0, 1, 0)
    assert "number 1 of 1" in second.told[0]


def test_session_that_ends_before_another_is_parked_for_it_parks_none(world: World) -> None:
    first = world.asking()
    second = world.asking()
    world.scheduler.release(second, 0.0)
    world.run()
    assert (first.parked, second.waits) == (0, 0)


def test_two_sessions_have_one_idle_engine_parked_for_the_first(world: World) -> None:
    first = world.asking()
    second, third = world.asking(idle=False), world.asking()
    world.run()
    assert (first.parked, second.granted, third.granted, third.waits) == (1, 1, 0, 1)


# --- parking


def test_batch_waits_behind_sessions_that_come_later() -> None:
    world = World()
    first, batch, later = world.busy(), world.asking(is_batch=True), world.asking()
    world.release(first)
    assert (batch.granted, later.granted) == (0, 1)
    world.release(later)
    assert batch.granted == 1


def test_idle_session_without_connection_is_parked_first() -> None:
    world = World(threads=2)
    here, away = world.asking(idle_since=1.0), world.asking(idle_since=5.0, client=None)
    waiting = world.asking()
    assert waiting.grant is Grant.SOON
    assert (here.parked, away.parked) == (0, 0)  # Nothing runs within the call of another.
    world.run()
    assert (here.parked, away.parked, waiting.granted) == (0, 1, 1)
    world.release(here, away, waiting)
    assert world.is_empty()


def test_log_says_whose_engine_is_parked(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    world.asking(number=7)
    world.asking()
    world.run()
    (record,) = caplog.records
    assert record.fields == {"session": 7, "account": "anna", "engine": "odd"}  # type: ignore[attr-defined]


def test_of_connected_sessions_the_longest_idle_is_parked_first() -> None:
    world = World(threads=2)
    late, early = world.asking(idle_since=5.0), world.asking(idle_since=1.0)
    world.asking()
    world.run()
    assert (late.parked, early.parked) == (0, 1)


def test_session_that_becomes_idle_later_is_parked_then(world: World) -> None:
    first, second = world.busy(), world.asking()
    world.check(1.0)
    assert first.parked == 0
    first.idle = True
    world.check(2.0)
    assert (first.parked, second.granted) == (1, 1)


def test_for_an_engine_of_few_processes_no_other_is_parked() -> None:
    world = World(9, 10, EngineConfig("lc0", (), processes=1))
    other, holder = world.asking(), world.asking(engine_name="lc0", idle_since=5.0)
    waiting = world.asking(engine_name="lc0")
    assert world.slot(waiting) is None
    world.run()
    assert (other.parked, holder.parked, waiting.granted) == (0, 1, 1)


def test_for_an_account_at_its_quota_no_other_is_parked() -> None:
    quotas = Quotas(named={"anna": {"total_threads": 1}})
    world = World(9, 10, quotas=quotas)
    other, own = world.asking(account="bob"), world.asking(idle_since=5.0, idle=False)
    waiting = world.asking()
    assert waiting.grant is Grant.LATER
    world.check(10.0)
    assert (other.parked, own.parked, waiting.granted) == (0, 0, 0)
    own.idle = True
    world.check(10.0)
    assert (other.parked, own.parked, waiting.granted) == (0, 1, 1)


def test_behind_a_session_that_waits_for_its_own_account_others_are_parked() -> None:
    world = World(2, 10, quotas=Quotas(named={"anna": {"total_threads": 1}}))
    other, _, first = world.asking(account="bob"), world.asking(idle=False), world.asking()
    waiting = world.asking(account="carl")
    world.run()
    assert (other.parked, first.granted, waiting.granted) == (1, 0, 1)


def test_none_is_parked_if_none_waits_or_all_search(world: World) -> None:
    first = world.asking()
    world.check(1000.0)
    first.idle = False
    world.asking()
    world.check(1000.0)
    assert first.parked == 0


def test_none_is_parked_for_the_engines_of_other_machines(world: World) -> None:
    here = world.asking()
    there = world.busy(engine_name="anna/x", group="anna")
    waiting = world.asking(engine_name="anna/x", group="anna")
    assert (there.granted, waiting.grant) == (1, Grant.LATER)
    world.check(10.0)
    assert here.parked == 0
    world.rooms["anna"] = GroupCapacity(Size(2, 2), 2)
    world.check(11.0)
    assert waiting.granted == 1


def test_place_is_told_when_it_changes_and_not_too_often(world: World) -> None:
    world.busy()
    second, third = world.asking(), world.asking()
    for now in (0.0, 1.0, NOTIFY_EVERY):
        world.check(now)
    assert len(third.told) == 1
    assert "number 2 of 2" in third.told[0]
    world.release(second)
    world.check(NOTIFY_EVERY + 1)
    assert "number 1 of 1" in third.told[-1]


def test_slot_grows_into_what_is_free_unless_others_wait() -> None:
    world = World(threads=4)
    first = world.busy()
    scheduler = world.scheduler
    assert scheduler.resize(first, Size(3, 9), 0.0) == Size(3, 9)
    assert scheduler.resize(first, Size(9, 99), 0.0) == Size(4, 64)
    waiting = world.asking()
    assert scheduler.resize(first, Size(2, 8), 0.0) == Size(2, 8)
    world.run()
    assert waiting.granted == 1
    another = world.asking(Size(2, 1))
    assert scheduler.resize(first, Size(3, 8), 0.0) == Size(2, 8)
    world.release(another, waiting, first)
    assert world.is_empty()


# --- usages


def test_usage_is_kept_as_long_as_a_session_has_it_whether_it_counts_yet_or_not(
    world: World,
) -> None:
    """Else sessions that are not counted yet would double an account's quota."""
    usage = world.holder().usage
    world.scheduler.forget_usages({usage}, 1000.0)
    assert world.scheduler.usage_of("anna", "member", 1000.0) is usage
    world.scheduler.forget_usages(set(), 2000.0)
    assert world.scheduler.usage_of("anna", "member", 2000.0) is not usage


def test_quota_is_that_of_the_role_in_which_an_account_has_come_last(world: World) -> None:
    """Its recent use still counts, and must not keep the former role's quota alive."""
    named = {"member": {"sessions": 2, "cpu_seconds": 100}, "admin": {"sessions": 9}}
    world.scheduler.reconfigure(Config((), quotas=Quotas(named=named)), 0.0)
    usage = world.scheduler.usage_of("anna", "member", 0.0)
    usage.spend(100.0, 0.0)
    world.scheduler.forget_usages(set(), 1.0)
    assert world.scheduler.usage_of("anna", "admin", 1.0) is usage
    assert (usage.quota.sessions, usage.objection_to_search(1.0)) == (9, None)
    assert world.scheduler.usage_of("anna", "member", 2.0).quota.sessions == 2
    assert usage.objection_to_search(2.0)
