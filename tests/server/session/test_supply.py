"""How a session gets its engine: what it asks for, and what becomes of the answers."""

import asyncio
from collections.abc import Callable

import pytest
from helpers.listening import Connection
from helpers.support import session_of

from rookery_protocol.errors import Refusal
from rookery_protocol.notices import Close, Code, Hello
from rookery_server.access.account import LOCAL
from rookery_server.config.quotas import Quota
from rookery_server.config.resources import Size
from rookery_server.engines.engine_build import Files
from rookery_server.engines.running_engine import (
    NULL_LISTENER,
    Backlog,
    EngineListener,
    RunningEngine,
)
from rookery_server.scheduling.budget import Slot
from rookery_server.scheduling.quota import Usage
from rookery_server.session.actor import Relay
from rookery_server.session.backpressure import MAX_AHEAD
from rookery_server.session.client_channel import Hold
from rookery_server.session.deadlines import MAX_DEATHS, Patience

SLOT = Slot("", Size(1, 1))


class Motor:
    """An engine that says nothing by itself."""

    label = "motor"
    words: tuple[str, ...] = ()
    files: Files = ()
    paused = False
    is_sound = True
    has_come = True
    is_lost = False
    has_left = False
    unsent = 0

    def __init__(self) -> None:
        self.listener: EngineListener = NULL_LISTENER
        self.told = b""
        self.asked_to_end = False

    async def known_files(self) -> Files:
        return self.files

    def cpu_seconds(self) -> float:
        return 0.0

    def cpu_total(self) -> float | None:
        return None

    def memory_mb(self) -> int:
        return 0

    def hand_on(self, listener: EngineListener) -> None:
        self.listener = listener

    def tell(self, piece: bytes) -> None:
        self.told += piece

    def backlog(self) -> Backlog:
        return Backlog(len(self.told), 0)

    def when_taken(self, call: Callable[[], None]) -> None: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def look_away(self, seconds: float) -> None: ...

    def end(self) -> None:
        self.asked_to_end = True

    def complain(self, complaint: str) -> None: ...

    def kill(self) -> None: ...


class Counter:
    """Who has engines: it is asked, and a test answers; `asked` is what it has heard."""

    patience = Patience(stop=1.0, ready=1.0, start=0.0)

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.takes_back = False
        self.offers = True

    def admit(self, relay: Relay) -> Refusal | None:
        relay.admitted = True
        return None

    def ask_for_slot(self, relay: Relay) -> None:
        self.asked.append("slot")

    def resize(self, relay: Relay, size: Size) -> Size:
        return size

    def give_back(self, relay: Relay) -> None:
        self.asked.append("give back")
        relay.supply.slot = None

    def forget(self, relay: Relay) -> None: ...

    def ask_for_engine(self, relay: Relay) -> None:
        self.asked.append("engine")

    def is_offered(self, relay: Relay) -> bool:
        return self.offers

    def engine_hangs(self, relay: Relay) -> None: ...

    def take_back(self, relay: Relay, engine: RunningEngine, undo: bytes) -> bool:
        return self.takes_back

    def withdraw(self, relay: Relay) -> None:
        self.asked.append("nothing")

    def objection_to_search(self, relay: Relay) -> Refusal | None:
        return None

    def search_began(self, relay: Relay, engine: RunningEngine) -> None: ...

    def charge(self, relay: Relay, engine: RunningEngine) -> None:
        self.asked.append("charge")

    def search_over(self, relay: Relay, engine: RunningEngine | None) -> None: ...

    def control(self, relay: Relay, hello: Hello) -> None: ...

    def detached(self, relay: Relay) -> bool:
        return True

    def over(self, relay: Relay) -> None: ...

    def ended(self, relay: Relay) -> None:
        self.asked.append("ended")


class World:
    """A session with a client, whose engine is still to come."""

    def __init__(self, quota: Quota) -> None:
        self.counter, self.connection = Counter(), Connection()
        usage = Usage(quota, 0.0)
        self.relay = Relay(session_of(), self.connection, self.counter, "odd", LOCAL, usage)
        self.supply = self.relay.supply

    def say(self, *lines: str) -> None:
        for line in lines:
            self.relay.client_said(line.encode())

    def asked(self) -> list[str]:
        """Return what was asked for since this was last called."""
        asked, self.counter.asked = self.counter.asked, []
        return asked

    def come(self) -> Motor:
        """Let the engine come that was asked for."""
        motor = Motor()
        self.supply.engine_came(motor)
        return motor

    def start(self) -> Motor:
        """Let the session have an engine that is ready."""
        self.say("isready")
        self.supply.slot_came(SLOT)
        motor = self.come()
        self.relay.engine_said(b"readyok\n")
        self.asked()
        return motor

    @property
    def told(self) -> str:
        return self.connection.told.decode()


@pytest.fixture
async def world() -> World:
    return World(Quota(park_after=0.0))


async def test_slot_then_engine_are_asked_for_once_each(world: World) -> None:
    assert world.asked() == []
    world.say("isready", "isready")
    assert world.asked() == ["slot"]
    world.supply.slot_came(SLOT)
    assert world.asked() == ["engine"]
    motor = world.come()
    assert motor.told.endswith(b"isready\nisready\n")
    assert motor.listener is world.relay


async def test_who_waits_behind_others_is_ready_and_needs_no_slot(world: World) -> None:
    world.say("isready")
    world.supply.must_wait()
    assert world.told == "readyok\n"
    assert world.asked() == ["slot", "nothing"]
    world.say("isready")
    assert world.asked() == ["slot"]


async def test_who_waits_with_a_search_is_told_once_why(world: World) -> None:
    world.say("go depth 1")
    for _ in range(2):
        world.supply.must_wait((Code.ENGINE_AWAY, "its machine is lost"))
    assert world.told.count("its machine is lost") == 1
    assert world.asked() == ["slot"]
    world.supply.slot_came(SLOT)
    world.supply.must_wait((Code.ENGINE_AWAY, "another is lost"))
    assert world.told.count("another is lost") == 1


async def test_who_is_refused_a_slot_may_ask_again(world: World) -> None:
    world.say("go depth 1")
    world.supply.no_slot((Code.QUEUE_FULL, "too many wait"))
    assert world.told.startswith("info string rookery queue-full: too many wait\n")
    assert "bestmove" in world.told
    world.say("isready")
    world.supply.no_slot((Code.QUEUE_FULL, "too many wait"))
    assert world.told.endswith("readyok\n")
    world.asked()
    world.say("isready")
    assert world.asked() == ["slot"]


async def test_engine_that_dies_is_replaced_but_not_for_ever(world: World) -> None:
    world.start()
    for _ in range(MAX_DEATHS):
        world.say("go depth 1")
        world.relay.engine_ended("it exited")
        assert world.asked() == ["charge", "engine"]
        world.come()
        world.relay.engine_said(b"bestmove e2e4\n")
    assert world.connection.closed is None
    world.relay.engine_ended("it exited")
    assert world.connection.closed is Close.ENGINE_GONE
    assert world.relay.totals.engine_deaths == MAX_DEATHS + 1


async def test_clock_that_runs_after_pondering_is_told_what_the_wait_has_cost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = 0.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: clock)
    world.say("go ponder wtime 9000 btime 9000")
    clock = 4.0  # in the queue, and in the opponent's time
    world.say("ponderhit")
    clock = 5.0
    world.supply.slot_came(SLOT)
    motor = world.come()
    assert motor.told.endswith(b"go wtime 8000 btime 8000\n")
    clock = 7.0
    world.relay.engine_ended("it exited")
    motor = world.come()
    assert motor.told.endswith(b"go wtime 6000 btime 6000\n")


async def test_slot_is_given_back_when_the_engine_has_died_and_none_is_needed(
    world: World,
) -> None:
    world.start()
    world.relay.engine_ended("it exited")
    assert world.asked() == ["charge", "give back"]


async def test_engine_whose_machine_has_gone_has_not_died(world: World) -> None:
    """However often that happens, its session goes on."""
    world.start()
    for _ in range(MAX_DEATHS + 1):
        motor = world.come()
        motor.has_left = True
        world.relay.engine_ended("the link is lost")
    assert world.connection.closed is None
    assert world.relay.totals.engine_deaths == 0
    assert world.asked()[0] == "charge"
    heard = [line for line in world.told.splitlines() if "the link is lost" in line]
    assert set(heard) == {
        "info string rookery engine-died: the engine is gone: the link is lost;"
        " another takes its place"
    }


@pytest.mark.parametrize(
    ("line", "told", "asked"),
    [
        (
            "debug off",
            "engine-away: the engine is gone: it left; no other machine offers it now",
            "give back",
        ),
        ("go infinite", "engine-died: the engine is gone: it left", "engine"),  # It is cut.
    ],
)
async def test_nobody_is_promised_an_engine_that_no_machine_offers(
    world: World, line: str, told: str, asked: str
) -> None:
    motor = world.start()
    world.say(line)
    world.counter.offers, motor.has_left = False, True
    world.relay.engine_ended("it left")
    assert world.told.splitlines()[-1] == f"info string rookery {told}"
    assert world.asked() == ["charge", asked]


async def test_no_engine_is_told_once_and_too_often_is_the_end(world: World) -> None:
    world.say("go depth 1")
    world.supply.slot_came(SLOT)
    for _ in range(MAX_DEATHS):
        world.supply.no_engine("it does not start")
        assert world.asked()[-1] == "engine"
    assert world.told.count("no engine yet") == 1
    world.supply.no_engine("it does not start")
    assert world.connection.closed is Close.ENGINE_GONE


async def test_no_engine_is_told_again_after_one_has_come(world: World) -> None:
    world.say("go depth 1")
    world.supply.slot_came(SLOT)
    world.supply.no_engine("it does not start")
    world.come()
    world.relay.engine_ended("it exited")
    world.supply.no_engine("it does not start")
    assert world.told.count("no engine yet") == 2


async def test_engine_that_will_never_come_is_the_end(world: World) -> None:
    world.say("go depth 1")
    world.supply.slot_came(SLOT)
    world.supply.no_engine("no machine offers it now", is_final=True)
    assert world.connection.closed is Close.ENGINE_GONE
    assert "engine-away: no machine offers it now" in world.told


async def test_client_is_heard_again_when_nothing_of_its_lines_waits_any_more(
    world: World,
) -> None:
    """Whatever becomes of the engine that was behind."""
    for act in (world.supply.park, lambda: world.relay.engine_ended("it exited")):
        motor = world.start()
        motor.unsent = MAX_AHEAD + 1
        world.say("ucinewgame")
        assert world.connection.holds == {Hold.ENGINE}
        act()
        assert world.connection.holds == set()
        world.supply.slot = None


async def test_client_that_is_ahead_of_one_that_dies_is_heard_when_the_next_comes(
    world: World,
) -> None:
    motor = world.start()
    motor.unsent = MAX_AHEAD + 1
    world.say("go depth 1")
    world.relay.engine_ended("it exited")
    assert world.connection.holds == {Hold.ENGINE}
    world.come()
    assert world.connection.holds == set()


async def test_engine_that_is_parked_is_heard_no_more_and_replaced_when_needed(
    world: World,
) -> None:
    motor = world.start()
    assert world.supply.may_park(world.relay.idle_since)
    world.supply.park()
    assert (motor.listener, motor.asked_to_end) == (NULL_LISTENER, True)
    assert not world.supply.may_park(world.relay.idle_since)
    world.supply.slot = None  # The steward has it.
    world.say("isready")
    assert world.asked() == ["charge", "slot"]


async def test_nobody_parks_an_engine_that_searches_or_one_that_is_looked_at() -> None:
    world = World(Quota(park_after=None))
    world.start()
    now = world.relay.idle_since
    assert not world.supply.may_park(now)
    world.relay.delivery.keep()
    world.relay.client_gone(world.connection)
    assert world.supply.may_park(now)
    world.relay.speaker_said(b"go depth 1", Connection())
    assert not world.supply.may_park(now)


@pytest.mark.parametrize("takes_back", [False, True])
async def test_engine_is_handed_on_to_others_or_ends(world: World, takes_back: bool) -> None:
    world.counter.takes_back = takes_back
    motor = world.start()
    world.relay.vanish()
    assert motor.asked_to_end is not takes_back
    assert (world.supply.engine is None) is takes_back
    asked = world.asked()
    assert ("ended" in asked) is takes_back
    assert asked.count("charge") == (1 if takes_back else 2)


async def test_engine_that_searches_is_handed_to_nobody(world: World) -> None:
    world.counter.takes_back = True
    motor = world.start()
    world.say("go depth 1")
    world.relay.vanish()
    assert motor.asked_to_end
    assert world.asked() == ["charge"]


async def test_engine_that_comes_too_late_is_ended(world: World) -> None:
    world.say("isready")
    world.supply.slot_came(SLOT)
    world.relay.vanish()
    assert world.come().asked_to_end
