"""Engines that hang while they search, and those that only seem to."""

import asyncio
import os
import signal
from collections.abc import Sequence
from dataclasses import replace

import pytest
from helpers.support import Running, gone, odd, until

import rookery_uci as uci
from rookery_server.actor import backpressure
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.engines import running_engine
from rookery_server.manager import STILL
from rookery_server.session import deadlines
from rookery_server.session.commands import SessionState, ends_by_itself


@pytest.mark.parametrize("before", [(), ("isready",)])
@pytest.mark.parametrize("go", ["go movetime 1000", "go wtime 60000 btime 60000", "go depth 5"])
async def test_engine_that_hangs_in_a_search_is_noticed_unasked(
    config: Config, monkeypatch: pytest.MonkeyPatch, before: Sequence[str], go: str
) -> None:
    monkeypatch.setattr(deadlines, "SILENCE", 0.1)
    sessions = replace(config.sessions, ready_timeout=0.3)
    async with Running(replace(config, sessions=sessions)) as app, app.tcp() as client:
        client.say("isready")
        assert await client.hear() == "readyok"
        (pid,) = await app.one_engine()
        os.kill(pid, signal.SIGSTOP)
        client.say(*before, go)
        heard = await client.hear_until("bestmove")
        assert "it did not answer isready" in heard[0]
        assert sum(line == "readyok" for line in heard) == len(before)
        client.say("isready")
        assert await client.hear() == "readyok"


@pytest.mark.parametrize(("habit", "pipe"), [("shut", "input"), ("hush", "output")])
async def test_engine_that_closes_a_pipe_and_lives_on_is_replaced_at_once(
    config: Config, monkeypatch: pytest.MonkeyPatch, habit: str, pipe: str
) -> None:
    """It will never answer, so nobody waits as long as for one that may be busy."""
    monkeypatch.setattr(running_engine, "QUIT_PATIENCE", 0.05)
    monkeypatch.setattr(deadlines, "SILENCE", 0.1)  # after which it is asked whether it is there
    sessions = replace(config.sessions, ready_timeout=1000.0)
    config = replace(config, engines=(EngineConfig(habit, odd(habit)),), sessions=sessions)
    async with Running(config) as app, app.tcp() as client:
        client.say("go depth 5")
        heard = await client.hear_until("info string rookery")
        assert heard[-1].endswith(
            f"the engine is gone: it closed its {pipe}, and went on; another takes its place"
        )


async def test_search_in_silence_is_none_that_hangs_if_the_engine_answers(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be done elsewhere: behind ssh, or by another server."""
    monkeypatch.setattr(deadlines, "SILENCE", 0.1)
    engine = EngineConfig("patient", odd("patient"))
    sessions = replace(config.sessions, ready_timeout=1.0)
    config = replace(config, engines=(engine,), sessions=sessions)
    async with Running(config) as app, app.tcp() as client:
        client.say("go nodes 5")
        assert await client.hear_until("bestmove") == ["bestmove e2e4"]
        client.say("isready", "go nodes 5", "isready")
        assert await client.hear_until("bestmove") == ["readyok", "readyok", "bestmove e2e4"]


async def test_engine_that_waits_for_its_client_may_be_silent(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old engines hear nothing but `stop` and `ponderhit` then."""
    monkeypatch.setattr(deadlines, "SILENCE", 0.1)
    sessions = replace(config.sessions, ready_timeout=0.1)
    async with Running(replace(config, sessions=sessions)) as app, app.tcp() as client:
        client.say("go infinite")
        (pid,) = await app.one_engine()
        os.kill(pid, signal.SIGSTOP)
        looked = app.host._ticked
        await until(lambda: app.host._ticked > looked + 1.5)
        os.kill(pid, signal.SIGCONT)
        client.say("stop")
        assert await client.hear() == "bestmove a2a3"
        assert app.engine_pids() == [pid]


@pytest.mark.parametrize(("limits", "is_bounded"), [
    ("", False),
    ("infinite", False),
    ("searchmoves e2e4", False),
    ("ponder wtime 1 btime 1", False),
    ("btime 1", True),
    ("nodes 1", True),
    ("mate 1", True),
])  # fmt: skip
def test_search_that_ends_by_itself(limits: str, is_bounded: bool) -> None:
    assert ends_by_itself(uci.Limits.parse(limits)) == is_bounded


async def test_engine_is_not_blamed_for_what_was_not_heard_while_we_stood_still(
    config: Config,
) -> None:
    sessions = replace(config.sessions, ready_timeout=0.5, stop_timeout=0.5)
    async with Running(replace(config, sessions=sessions)) as app, app.tcp() as client:
        client.say("go infinite", "isready")
        assert await client.hear() == "readyok"
        (pid,) = await app.one_engine()
        os.kill(pid, signal.SIGSTOP)
        client.say("stop", "isready")
        await until(lambda: app.sessions[0].state is SessionState.STOPPING)
        (actor,) = app.host.actors
        app.host._ticked -= STILL
        actor.deadlines._stopped -= STILL
        app.host._tick()
        os.kill(pid, signal.SIGCONT)
        assert await client.hear_until("readyok") == ["bestmove a2a3", "readyok"]


@pytest.mark.parametrize("pause", [0.0, 0.02, None])
async def test_flood_that_does_not_stop_is_ended_however_slowly_it_is_read(
    config: Config, pause: float | None
) -> None:
    """A client that reads slowly, or not at all, gives the engine no time that it did not have."""
    engine = EngineConfig("endless", odd("endless"))
    sessions = replace(config.sessions, stop_timeout=0.5)
    config = replace(config, engines=(engine,), sessions=sessions)
    async with Running(config) as app, app.tcp() as client:
        client.say("go depth 99")
        await client.hear_until("info string I go on")
        (pid,) = app.engine_pids()
        if pause is None:
            client.writer.transport.pause_reading()
            await until(lambda: app.waiting() > backpressure.MAX_WAITING)

        async def read() -> None:
            while pause is not None and await client.reader.read(4096):
                await asyncio.sleep(pause)

        reading = asyncio.create_task(read(), name="read slowly")
        client.say("stop")
        await until(lambda: pid not in app.engine_pids())
        await gone(pid)
        reading.cancel()
