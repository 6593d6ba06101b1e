"""An actor: how its session gets an engine, what the client is told, what carries them out."""

import asyncio

import pytest
from helpers.actor_world import World
from helpers.listening import Connection

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Close, Code
from rookery_server.actor.backpressure import MAX_AHEAD
from rookery_server.config.resources import Quota, Size
from rookery_server.engines.pool import Presence
from rookery_server.engines.running_engine import (
    NULL_LISTENER,
)
from rookery_server.scheduling.scheduler import Grant
from rookery_server.session.client_channel import ClientChannel, Hold
from rookery_server.session.deadlines import MAX_DEATHS
from rookery_server.session.line_buffers import GAP, MAX_REPLAY


@pytest.fixture
async def world() -> World:
    return World(Quota(park_after=0.0))


async def test_slot_then_engine_are_asked_for_once_each(world: World) -> None:
    assert world.asked() == []
    world.slots.grant = Grant.SOON
    world.say("isready", "isready")
    assert world.asked() == ["slot"]
    world.actor.slot_granted()
    assert world.asked() == ["engine"]
    motor = world.come()
    assert motor.told.endswith(b"isready\nisready\n")
    assert motor.listener is world.actor


async def test_engine_that_is_ready_is_there_at_once(world: World) -> None:
    motor = world.start()
    assert motor.told == b"isready\n"
    assert world.told == "readyok\n"


async def test_session_that_waits_behind_others_is_ready_and_needs_no_slot(world: World) -> None:
    world.say("isready")
    assert world.told == "readyok\n"
    assert world.asked() == ["slot", "withdraw", "forget", "release"]
    world.say("isready")
    assert world.asked()[0] == "slot"


async def test_session_that_has_to_wait_after_all_is_ready(world: World) -> None:
    world.slots.grant = Grant.SOON
    world.say("isready")
    assert world.told == ""
    world.actor.must_wait()
    assert world.told == "readyok\n"


async def test_reason_for_a_wait_is_told_once(world: World) -> None:
    world.slots.grant = Grant.NOW
    world.manager.delay = Code.ENGINE_AWAY, "its machine is lost"
    world.say("go depth 1")
    world.actor.must_wait((Code.ENGINE_AWAY, "its machine is lost"))
    assert world.told.count("its machine is lost") == 1
    assert world.asked() == ["slot", "engine"]


async def test_session_that_is_refused_a_slot_may_ask_again(world: World) -> None:
    world.slots.grant = RefusedError(Code.QUEUE_FULL, "too many wait")
    world.say("go depth 1")
    assert world.told.startswith("info string rookery queue-full: too many wait\n")
    assert "bestmove" in world.told
    world.say("isready")
    assert world.told.endswith("readyok\n")
    world.asked()
    world.say("isready")
    assert world.asked()[0] == "slot"


async def test_search_that_is_given_up_withdraws_what_it_was_for(world: World) -> None:
    world.say("go depth 1")
    world.say("stop")
    assert "bestmove" in world.told
    assert world.asked() == ["slot", "withdraw", "forget", "release"]


async def test_option_is_set_as_large_as_the_slot_is(world: World) -> None:
    motor = world.start()
    world.slots.room = Size(1, 64)
    world.say("setoption name Hash value 128")
    assert motor.told.endswith(b"setoption name Hash value 64\n")
    assert "option-clamped: Hash is 64 here, not 128" in world.told


async def test_options_behind_a_search_are_set_as_large_as_the_slot_is(world: World) -> None:
    motor = world.start()
    world.say("go depth 1", "setoption name Hash value 128", "isready", "go depth 2")
    world.slots.room = Size(1, 64)
    world.actor.engine_said(b"bestmove e2e4\n")
    assert motor.told.endswith(b"setoption name Hash value 64\ngo depth 2\n")


async def test_engine_that_dies_is_replaced_but_not_for_ever(world: World) -> None:
    world.start()
    for _ in range(MAX_DEATHS):
        world.say("go depth 1")
        world.actor.engine_ended("it exited")
        assert world.asked() == ["charge", "slot", "engine"]
        world.come()
        world.actor.engine_said(b"bestmove e2e4\n")
    assert world.connection.closed is None
    world.actor.engine_ended("it exited")
    assert world.connection.closed is Close.ENGINE_GONE
    assert world.actor.totals.engine_deaths == MAX_DEATHS + 1


async def test_clock_that_runs_after_pondering_is_told_what_the_wait_has_cost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = 0.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: clock)
    world.say("go ponder wtime 9000 btime 9000")
    clock = 4.0  # in the queue, and in the opponent's time
    world.say("ponderhit")
    clock = 5.0
    world.slots.grant = Grant.NOW
    world.actor.slot_granted()
    motor = world.come()
    assert motor.told.endswith(b"go wtime 8000 btime 8000\n")
    clock = 7.0
    world.actor.engine_ended("it exited")
    motor = world.come()
    assert motor.told.endswith(b"go wtime 6000 btime 6000\n")


async def test_slot_is_released_when_the_engine_has_died_and_none_is_needed(
    world: World,
) -> None:
    world.start()
    world.actor.engine_ended("it exited")
    assert world.asked() == ["charge", "release"]


async def test_engine_whose_machine_has_gone_has_not_died(world: World) -> None:
    """However often that happens, its session goes on."""
    for _ in range(MAX_DEATHS + 1):
        motor = world.start()
        motor.machine_left = True
        world.actor.engine_ended("the link is lost")
    assert world.connection.closed is None
    assert world.actor.totals.engine_deaths == 0
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
            ["charge", "release"],
        ),
        (  # It is cut.
            "go infinite",
            "engine-died: the engine is gone: it left",
            ["charge", "slot", "engine"],
        ),
    ],
)
async def test_none_is_promised_an_engine_that_no_machine_offers(
    world: World, line: str, told: str, asked: list[str]
) -> None:
    motor = world.start()
    world.say(line)
    world.pool.presence, motor.machine_left = Presence.AWAY, True
    world.actor.engine_ended("it left")
    assert world.told.splitlines()[-1] == f"info string rookery {told}"
    assert world.asked() == asked


async def test_no_engine_is_told_once_and_too_often_is_the_end(world: World) -> None:
    world.slots.grant = Grant.NOW
    world.say("go depth 1")
    for _ in range(MAX_DEATHS):
        world.pool.later(None)
        assert world.asked()[-1] == "engine"
    assert world.told.count("no engine yet") == 1
    world.pool.later(None)
    assert world.connection.closed is Close.ENGINE_GONE


async def test_no_engine_is_told_again_after_one_has_come(world: World) -> None:
    world.slots.grant = Grant.NOW
    world.say("go depth 1")
    world.pool.later(None)
    world.come()
    world.actor.engine_ended("it exited")
    world.pool.later(None)
    assert world.told.count("no engine yet") == 2


async def test_engine_that_will_never_come_is_the_end(world: World) -> None:
    world.slots.grant = Grant.NOW
    world.say("go depth 1")
    world.pool.presence = Presence.GONE
    world.pool.later(None)
    assert world.connection.closed is Close.ENGINE_GONE
    assert "engine-away: no machine offers 'odd' now" in world.told


async def test_client_is_heard_again_when_nothing_of_its_lines_waits_any_more(
    world: World,
) -> None:
    """Whatever becomes of the engine that was behind."""
    for act in (world.actor.park, lambda: world.actor.engine_ended("it exited")):
        motor = world.start()
        motor.unsent = MAX_AHEAD + 1
        world.say("ucinewgame")
        assert world.connection.holds == {Hold.ENGINE}
        act()
        assert world.connection.holds == set()


async def test_client_that_is_ahead_of_one_that_dies_is_heard_when_the_next_comes(
    world: World,
) -> None:
    motor = world.start()
    motor.unsent = MAX_AHEAD + 1
    world.say("go depth 1")
    world.actor.engine_ended("it exited")
    assert world.connection.holds == {Hold.ENGINE}
    world.come()
    assert world.connection.holds == set()


async def test_engine_that_is_parked_is_heard_no_more_and_replaced_when_needed(
    world: World,
) -> None:
    motor = world.start()
    assert world.actor.may_park(world.actor.idle_since)
    world.actor.park()
    assert (motor.listener, motor.asked_to_end) == (NULL_LISTENER, True)
    assert not world.actor.may_park(world.actor.idle_since)
    world.say("isready")
    assert world.asked() == ["charge", "slot", "engine"]


async def test_none_parks_an_engine_that_searches_or_one_that_is_looked_at() -> None:
    world = World(Quota(park_after=None))
    world.start()
    now = world.actor.idle_since
    assert not world.actor.may_park(now)
    world.actor.flow.keep_for_return()
    world.actor.client_gone(world.connection)
    assert world.actor.may_park(now)
    world.actor.speaker_said(b"go depth 1", Connection())
    assert not world.actor.may_park(now)


@pytest.mark.parametrize("takes_back", [False, True])
async def test_engine_is_handed_on_to_others_or_ends(world: World, takes_back: bool) -> None:
    world.pool.takes_back = takes_back
    motor = world.start()
    world.actor.vanish()
    assert motor.asked_to_end is not takes_back
    assert (world.actor.flow.engine is None) is takes_back
    asked = world.asked()
    assert ("ended" in asked) is takes_back
    assert asked.count("charge") == (1 if takes_back else 2)


async def test_engine_that_searches_is_handed_to_none(world: World) -> None:
    world.pool.takes_back = True
    motor = world.start()
    world.say("go depth 1")
    world.actor.vanish()
    assert motor.asked_to_end
    assert world.asked() == ["charge"]


async def test_engine_that_would_come_too_late_is_not_waited_for(world: World) -> None:
    world.slots.grant = Grant.NOW
    world.say("isready")
    world.asked()
    world.actor.vanish()
    assert world.asked() == ["forget", "ended"]


# --- what the client is told


async def test_lines_of_the_session_are_told_and_counted(world: World) -> None:
    world.actor.send_to_client(b"id name odd\nuciok\n")
    world.actor.flow.send_aside(b"rookery session new\n")  # The server's own.
    assert world.told == "id name odd\nuciok\nrookery session new\n"
    assert world.actor.totals.lines_told == 2


async def test_client_that_comes_back_hears_what_it_has_missed(world: World) -> None:
    actor = world.actor
    actor.flow.keep_for_return()
    actor.send_to_client(b"readyok\n")
    actor.client_gone(world.connection)
    assert actor.client is None
    actor.send_to_client(b"bestmove e2e4\n")
    actor.flow.send_aside(b"of a room\n")  # It is not owed.
    again = Connection()
    actor.change_channel(ClientChannel(again), b"hello\n", 1)
    assert actor.client is again
    assert (world.told, again.told) == ("readyok\n", b"hello\nbestmove e2e4\n")
    assert world.connection.closed is None  # It was gone before.
    assert actor.flow.replay
    assert actor.flow.replay.forgotten == 1


async def test_to_keep_twice_is_to_keep_once(world: World) -> None:
    world.actor.flow.keep_for_return()
    world.actor.send_to_client(b"readyok\n")
    world.actor.flow.keep_for_return()
    assert world.actor.flow.replay
    assert world.actor.flow.replay.after(0) == b"readyok\n"


async def test_client_that_has_missed_too_much_is_told_so(world: World) -> None:
    world.actor.flow.keep_for_return()
    world.actor.client_gone(world.connection)
    for _ in range(2 * MAX_REPLAY // 4096):
        world.actor.send_to_client(b"%b\n" % (b"x" * 4095))
    again = Connection()
    world.actor.change_channel(ClientChannel(again), b"hello\n", 0)
    assert again.told.startswith(b"hello\n" + GAP)


async def test_connection_that_is_taken_over_is_closed(world: World) -> None:
    world.actor.flow.keep_for_return()
    world.actor.change_channel(ClientChannel(Connection()), b"hello\n", 0)
    assert world.connection.closed is Close.TAKEN_OVER


async def test_what_is_known_is_not_told_to_a_client_that_is_behind_or_away(world: World) -> None:
    actor = world.actor
    actor.flow.keep_for_return()
    actor.flow.send_known(b"info depth 9\n")
    actor.client_paused()
    actor.flow.send_known(b"info depth 10\n")
    actor.client_gone(world.connection)
    actor.flow.send_known(b"info depth 11\n")
    assert (world.told, actor.totals.lines_told) == ("info depth 9\n", 1)
    assert actor.session.notices == {Code.CACHED: 1}
    assert actor.flow.replay
    assert actor.flow.replay.size == 0


async def test_last_lines_are_told_before_the_connection_closes(world: World) -> None:
    world.actor.client_paused()
    world.actor.send_to_client(b"readyok\n")
    world.actor.close(Close.POLICY, Code.ENDED, "enough")
    assert world.told == "readyok\ninfo string rookery ended: enough\n"
    assert world.connection.closed is Close.POLICY
    world.actor.close(Close.DONE, Code.ENDED, "late")  # It is over.
    assert world.actor.client is None
