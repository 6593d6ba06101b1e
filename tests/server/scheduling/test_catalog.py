"""The engines of a server, when its configuration is read again."""

import asyncio
import gc
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.support import Running, closing, code_of, hear_until, odd, program, until

from rookery_protocol.notices import Close, Code
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig, Policy, ResourceLimits
from rookery_server.config.resources import BudgetConfig
from rookery_server.scheduling.catalog import Fleet
from rookery_server.session.deadlines import MAX_DEATHS


async def test_configuration_holds_when_its_engines_have_answered(
    config: Config, tmp_path: Path
) -> None:
    may_answer = tmp_path / "may answer"
    waits = f'until [ -e \'{may_answer}\' ]; do sleep 0.02; done; exec "$0" "$@"'
    slow = EngineConfig("slow", ("sh", "-c", waits, *odd("polite")))
    polite = EngineConfig("polite", odd("polite"))
    before = replace(config, engines=(polite, EngineConfig("flood", odd("flood"))))
    after = replace(config, engines=(slow, polite))
    async with Running(before) as app:
        reloading = asyncio.ensure_future(app.reconfigure(after))
        await until(lambda: reloading.done() or app.host.fleet._gate._starting)
        assert not reloading.done()
        async with app.tcp() as client:  # The default is still that of before.
            client.say("rookery engine slow", "isready")
            assert "unknown-engine" in await client.hear()
        async with app.tcp() as client:
            client.say("isready")
            assert await client.hear_until("readyok")
        assert [app.host.fleet.trouble(name) for name in ("polite", "flood")] == ["", ""]
        may_answer.touch()
        await reloading
        assert list(app.host.fleet.pools) == ["polite", "slow"]
        async with app.tcp() as client:
            client.say("rookery engine slow", "isready")
            assert await client.hear_until("readyok")


async def test_engine_that_is_offered_no_more_is_forgotten_with_its_last_session(
    config: Config,
) -> None:
    polite, former = EngineConfig("polite", odd("polite")), EngineConfig("x", odd("polite"))
    async with Running(replace(config, engines=(polite, former))) as app:
        fleet = app.host.fleet
        async with app.tcp() as client:
            client.say("rookery engine x", "isready")
            assert await client.hear_until("readyok")
            for nice in range(3):  # Each is another engine of that name.
                other = replace(former, limits=ResourceLimits(nice=10 + nice))
                await app.reconfigure(replace(config, engines=(polite, other)))
            await app.reconfigure(replace(config, engines=(polite,)))
            await until(lambda: retired(fleet) == 1)
            client.say("isready")
            assert await client.hear_until("readyok") == ["readyok"]
        await until(lambda: retired(fleet) == 0)


def retired(fleet: Fleet) -> int:
    """Return how many pools of engines that are offered no more are kept."""
    gc.collect()
    return len(fleet._retired)


async def test_misspelt_option_is_logged_once_however_many_ask(
    config: Config, caplog: pytest.LogCaptureFixture
) -> None:
    bad = EngineConfig("polite", odd("polite"), Policy(hidden=("No Such Option",)))
    async with Running(replace(config, engines=(bad,))) as app:
        for _ in range(3):
            async with app.tcp() as client:
                client.say("isready")
                assert "engine-failed" in await client.hear()
        assert "No Such Option" in app.host.fleet.trouble("polite")
    assert caplog.text.count("No Such Option") == 1


async def test_engine_that_is_replaced_in_place_is_offered_as_what_it_is(
    config: Config, tmp_path: Path
) -> None:
    engine = EngineConfig("x", (str(program(tmp_path / "engine", *odd("polite"))),))
    async with Running(replace(config, engines=(engine,))) as app:
        async with app.tcp() as client:
            client.say("uci")
            assert "UCI_Variant" not in "".join(await client.hear_until("uciok"))
            program(tmp_path / "engine", *odd("variants"))
            client.say("isready")  # It takes the spare one; the next is another.
            await client.hear_until("readyok")
            await until(lambda: app.host.fleet.spares()["x"])
        async with app.tcp() as client:
            client.say("uci")
            assert "UCI_Variant" in "".join(await client.hear_until("uciok"))


async def test_session_goes_on_when_its_engine_can_be_started_again(
    config: Config, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried for as long as an engine has to start, and not a few times at once."""
    engine = EngineConfig("x", (str(program(tmp_path / "engine", *odd("polite"))),))
    sessions = replace(config.sessions, warm=0, warm_most=0)
    config = replace(config, engines=(engine,), sessions=sessions)
    async with Running(config) as app, app.tcp() as client:
        client.say("isready")
        await client.hear_until("readyok")
        (pid,) = app.engine_pids()
        (tmp_path / "engine").rename(tmp_path / "away")
        os.kill(pid, signal.SIGKILL)
        client.say("isready")
        (actor,) = app.host.actors
        await until(lambda: actor.deadlines.misses > MAX_DEATHS + 1)
        assert caplog.text.count("it exited with status 127") == 1
        (tmp_path / "away").rename(tmp_path / "engine")
        heard = await client.hear_until("readyok")
    assert sum("no engine yet" in line for line in heard) == 1


async def test_session_ends_when_no_engine_can_be_started(config: Config, tmp_path: Path) -> None:
    engine = EngineConfig("x", (str(program(tmp_path / "engine", *odd("polite"))),))
    server = replace(config.server, start_timeout=1.0)
    sessions = replace(config.sessions, warm=0, warm_most=0)
    config = replace(config, engines=(engine,), server=server, sessions=sessions)
    async with Running(config) as app, app.websocket("x") as client:
        await client.send("isready")
        await hear_until(client, "readyok")
        (tmp_path / "engine").unlink()
        os.kill(app.engine_pids()[0], signal.SIGKILL)
        await client.send("isready")
        lines, code = await closing(client)
    assert code == Close.ENGINE_GONE
    assert code_of(lines[-1]) is Code.ENGINE_FAILED


async def test_memory_of_an_engine_is_waited_for(config: Config) -> None:
    """Hash is the least of it: a hundred engines with 16 MiB each take many times as much."""
    config = replace(config, engines=config.engines[:1], budget=BudgetConfig(memory_mb=20))
    async with Running(config) as app, app.tcp() as first, app.tcp() as second:
        pool = app.host.fleet.pool(config.engines[0].name)
        await until(lambda: pool.memory_mb > 1)
        pool.memory_mb = 100  # These are small ones.
        first.say("go infinite", "isready")
        assert await first.hear() == "readyok"
        assert app.host.scheduler.budget.free.memory_mb == 0
        second.say("go infinite")
        assert "waiting" in await second.hear()
        first.say("quit")
        second.say("stop")
        await second.hear_until("bestmove")


@pytest.mark.parametrize("reuse", [False, True])
async def test_of_an_engine_there_are_no_more_processes_than_may_be(
    config: Config, reuse: bool
) -> None:
    engine = EngineConfig("one", odd("polite"), reuse=reuse, processes=1)
    config = replace(config, engines=(engine, config.engines[0]))
    async with Running(config) as app, app.tcp() as first, app.tcp() as second:
        pool = app.host.fleet.pool("one")
        await until(lambda: pool.spares)
        first.say("go infinite", "isready")
        assert await first.hear() == "readyok"
        assert (pool.spares, pool.wanted, pool.kept) == (0, 0, 0)
        second.say("go infinite")
        assert "waiting" in await second.hear()
        first.say("stop")
        await first.hear_until("bestmove")
        pids = app.engine_pids()
        first.say("quit")
        second.say("isready")
        await until(lambda: len(app.host.actors) == 1 and app.engine_pids())
        assert (app.engine_pids() == pids) is reuse
        second.say("stop")
        await second.hear_until("bestmove")
        second.say("quit")
        await until(lambda: pool.spares == 1)
