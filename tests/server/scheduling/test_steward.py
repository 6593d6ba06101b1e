"""Who has a slot, who waits, and who gives his up."""

from dataclasses import dataclass, field, replace

import pytest

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.quotas import Quotas
from rookery_server.config.resources import BudgetConfig, Size
from rookery_server.scheduling.budget import Slot
from rookery_server.scheduling.machine_resources import Machine
from rookery_server.scheduling.quota import Usage
from rookery_server.scheduling.scheduler import TELL_EVERY, Steward

ONE = Size(1, 1)


@dataclass(eq=False)
class Session:
    """What a steward needs of a relay and its supply, and what it has heard."""

    usage: Usage
    account: Account
    engine_name: str = "odd"
    number: int = 0
    slot: Slot | None = None
    client: object = "here"
    idle_since: float = 0.0
    idle: bool = True
    is_batch: bool = False
    came: int = 0
    parked: int = 0
    told: list[str] = field(default_factory=list)

    @property
    def fields(self) -> dict[str, object]:
        return {"session": self.number, "account": self.account.name, "engine": self.engine_name}

    @property
    def supply(self) -> "Session":
        return self

    def slot_came(self, slot: Slot) -> None:
        self.came += 1

    def tell_notice(self, code: Code, text: str) -> None:
        self.told.append(f"{code} {text}")

    def may_park(self, now: float) -> bool:
        return self.slot is not None and self.idle

    def park(self) -> None:
        self.parked += 1


class World:
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
        self.steward = Steward(
            self.config,
            machine,
            0.0,
            lambda _: Size(0, 0),
        )

    def session(self, account: str = "anna", **fields: object) -> Session:
        usage = self.steward.usage_of(account, "member", 0.0)
        return Session(usage, Account(account), **fields)  # type: ignore[arg-type]

    def asking(self, size: Size = ONE, now: float = 0.0, **fields: object) -> Session:
        session = self.session(**fields)  # type: ignore[arg-type]
        self.steward.ask(session, size, now)  # type: ignore[arg-type]
        return session

    def leave(self, *sessions: Session) -> None:
        for session in sessions:
            self.steward.leave(session, 1.0)  # type: ignore[arg-type]

    def is_empty(self) -> bool:
        steward = self.steward
        return not (
            list(steward.budget) or len(steward.queue) or steward._tickets or steward._relays
        )


@pytest.fixture
def world() -> World:
    return World()


def test_slot_comes_at_once_if_there_is_room(world: World) -> None:
    first = world.asking()
    assert (first.came, first.slot is not None) == (1, True)
    world.leave(first)
    assert world.is_empty()


def test_who_waits_gets_what_is_given_back(world: World) -> None:
    first, second = world.asking(), world.asking()
    assert (second.slot, second.came) == (None, 0)
    world.steward.give_back(first, 1.0)  # type: ignore[arg-type]
    world.steward.give_back(first, 1.0)  # type: ignore[arg-type]  # does no harm
    assert (first.slot, second.came) == (None, 1)
    world.leave(first, second)
    assert world.is_empty()


def test_to_ask_twice_is_to_ask_once(world: World) -> None:
    first, second = world.asking(), world.asking()
    world.steward.ask(second, ONE, 1.0)  # type: ignore[arg-type]
    assert len(world.steward.queue) == 1
    world.leave(second, first)
    assert world.is_empty()


def test_who_withdraws_gets_nothing(world: World) -> None:
    first, second = world.asking(), world.asking()
    world.steward.withdraw(second)  # type: ignore[arg-type]
    world.steward.withdraw(second)  # type: ignore[arg-type]
    world.leave(first)
    assert second.came == 0
    assert world.is_empty()


def test_queue_that_is_full_refuses_and_keeps_nothing() -> None:
    world = World(waiting=1)
    first, second, third = world.asking(), world.asking(), world.session()
    with pytest.raises(RefusedError) as caught:
        world.steward.ask(third, ONE, 0.0)  # type: ignore[arg-type]
    assert caught.value.notice.code is Code.QUEUE_FULL
    world.leave(third, second, first)
    assert world.is_empty()


def test_who_waits_for_an_engine_gets_it_when_there_may_be_more_of_it() -> None:
    few = EngineConfig("odd", ("odd",), processes=1)
    world = World(2, 10, few)
    first, second = world.asking(), world.asking()
    assert (first.came, second.came) == (1, 0)
    more = replace(world.config, engines=(replace(few, processes=2),))
    world.steward.reconfigure(more, 1.0)
    assert second.came == 1


def test_all_who_are_served_at_once_have_their_slots_before_any_acts() -> None:
    """What the first does may end the second, whose slot must not be lost."""
    world = World(threads=2)
    big = world.asking(Size(2, 1))
    first, second = world.asking(), world.asking()
    leave = world.leave

    def ends_the_other(_: Slot) -> None:
        leave(second)

    first.slot_came = ends_the_other  # type: ignore[method-assign]
    world.leave(big)
    assert (second.slot, second.came) == (None, 0)
    world.leave(first)
    assert world.is_empty()


def test_batch_waits_behind_those_who_come_later() -> None:
    world = World()
    first, batch, later = world.asking(), world.asking(is_batch=True), world.asking()
    world.leave(first)
    assert (batch.came, later.came) == (0, 1)
    world.leave(later)
    assert batch.came == 1


def test_idle_session_without_connection_is_parked_first() -> None:
    world = World(threads=2)
    here, away = world.asking(idle_since=1.0), world.asking(idle_since=5.0, client=None)
    waiting = world.asking()
    world.steward.look([here, away, waiting], 10.0)  # type: ignore[list-item]
    assert (here.parked, away.parked, waiting.came) == (0, 1, 1)
    world.leave(here, away, waiting)
    assert world.is_empty()


def test_log_says_whose_engine_is_parked(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    idle = world.asking(number=7)
    world.steward.look([idle, world.asking()], 10.0)  # type: ignore[list-item]
    (record,) = caplog.records
    assert record.fields == {"session": 7, "account": "anna", "engine": "odd"}  # type: ignore[attr-defined]


def test_of_those_who_are_there_the_longest_idle_is_parked_first() -> None:
    world = World(threads=2)
    late, early = world.asking(idle_since=5.0), world.asking(idle_since=1.0)
    waiting = world.asking()
    world.steward.look([late, early, waiting], 10.0)  # type: ignore[list-item]
    assert (late.parked, early.parked) == (0, 1)


def test_who_waits_for_an_engine_of_few_processes_has_no_other_parked() -> None:
    world = World(9, 10, EngineConfig("lc0", (), processes=1))
    other, holder = world.asking(), world.asking(engine_name="lc0", idle_since=5.0)
    waiting = world.asking(engine_name="lc0")
    assert waiting.slot is None
    world.steward.look([other, holder, waiting], 10.0)  # type: ignore[list-item]
    assert (other.parked, holder.parked, waiting.came) == (0, 1, 1)


def test_who_waits_for_its_own_account_has_no_other_parked() -> None:
    quotas = Quotas(named={"anna": {"total_threads": 1}})
    world = World(9, 10, quotas=quotas)
    other, own = world.asking(account="bob"), world.asking(idle_since=5.0, idle=False)
    waiting = world.asking()
    assert waiting.slot is None
    world.steward.look([other, own, waiting], 10.0)  # type: ignore[list-item]
    assert (other.parked, own.parked, waiting.came) == (0, 0, 0)
    own.idle = True
    world.steward.look([other, own, waiting], 10.0)  # type: ignore[list-item]
    assert (other.parked, own.parked, waiting.came) == (0, 1, 1)


def test_who_waits_behind_one_that_waits_for_itself_has_others_parked() -> None:
    world = World(2, 10, quotas=Quotas(named={"anna": {"total_threads": 1}}))
    other, _, first = world.asking(account="bob"), world.asking(idle=False), world.asking()
    waiting = world.asking(account="carl")
    world.steward.look([other, first, waiting], 10.0)  # type: ignore[list-item]
    assert (other.parked, first.came, waiting.came) == (1, 0, 1)


def test_nobody_is_parked_if_nobody_waits_or_all_search(world: World) -> None:
    first = world.asking()
    world.steward.look([first], 1000.0)  # type: ignore[list-item]
    first.idle = False
    waiting = world.asking()
    world.steward.look([first, waiting], 1000.0)  # type: ignore[list-item]
    assert first.parked == 0


def test_place_is_told_when_it_changes_and_not_too_often(world: World) -> None:
    first, second, third = world.asking(), world.asking(), world.asking()
    first.idle = False
    sessions = [first, second, third]
    for now in (0.0, 1.0, TELL_EVERY):
        world.steward.look(sessions, now)  # type: ignore[arg-type]
    assert len(third.told) == 1
    assert "number 2 of 2" in third.told[0]
    world.leave(second)
    world.steward.look(sessions, TELL_EVERY + 1)  # type: ignore[arg-type]
    assert "number 1 of 1" in third.told[-1]


def test_slot_grows_into_what_is_free_unless_others_wait() -> None:
    world = World(threads=4)
    first = world.asking()
    steward = world.steward
    assert steward.resize(first, Size(3, 9), 0.0) == Size(3, 9)  # type: ignore[arg-type]
    assert steward.resize(first, Size(9, 99), 0.0) == Size(4, 64)  # type: ignore[arg-type]
    waiting = world.asking()
    assert steward.resize(first, Size(2, 8), 0.0) == Size(2, 8)  # type: ignore[arg-type]
    assert waiting.came == 1
    another = world.asking(Size(2, 1))
    assert steward.resize(first, Size(3, 8), 0.0) == Size(2, 8)  # type: ignore[arg-type]
    world.leave(another, waiting, first)
    assert world.is_empty()


def test_usage_is_kept_as_long_as_a_session_has_it_whether_it_counts_yet_or_not(
    world: World,
) -> None:
    """Else who lets sessions wait to be counted has the quota twice."""
    waiting = world.session()
    world.steward.look([waiting], 1000.0)  # type: ignore[list-item]
    assert world.steward.usage_of("anna", "member", 1000.0) is waiting.usage
    world.steward.look([], 2000.0)
    assert world.steward.usage_of("anna", "member", 2000.0) is not waiting.usage


def test_quota_is_that_of_the_role_in_which_an_account_has_come_last(world: World) -> None:
    """What it has used of late still counts, and must not keep the former role's quota alive."""
    named = {"member": {"sessions": 2, "cpu_seconds": 100}, "admin": {"sessions": 9}}
    world.steward.reconfigure(Config((), quotas=Quotas(named=named)), 0.0)
    usage = world.steward.usage_of("anna", "member", 0.0)
    usage.spend(100.0, 0.0)
    world.steward.look([], 1.0)
    assert world.steward.usage_of("anna", "admin", 1.0) is usage
    assert (usage.quota.sessions, usage.objection_to_search(1.0)) == (9, None)
    assert world.steward.usage_of("anna", "member", 2.0).quota.sessions == 2
    assert usage.objection_to_search(2.0)
