"""Work that is no search, such as `bench`; and batch work, for which no person waits."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from helpers.support import Running, code_of, gone, hear_until, odd, until

from rookery_protocol.notices import Code
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig, Policy
from rookery_server.config.resources import BudgetConfig, Quotas

DONE = "info string done"


@asynccontextmanager
async def working(config: Config, **quota: object) -> AsyncIterator[Running]:
    """Run a server with an engine that has an own `bench`, and one slot."""
    engine = EngineConfig("works", odd("works"), Policy(commands=("bench",)))
    sessions = replace(config.sessions, ready_timeout=0.3)
    config = replace(config, engines=(engine,), sessions=sessions, quotas=Quotas(quota))
    async with Running(replace(config, budget=BudgetConfig(threads=1))) as app:
        yield app


@pytest.fixture(autouse=True)
def short_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery_server.session.deadlines.REST", 1.0)


async def test_work_is_not_ended_as_idle_nor_as_late(config: Config) -> None:
    async with working(config, idle_timeout=0.2) as app, app.tcp() as client:
        client.say("isready")
        assert await client.hear() == "readyok"
        client.say("bench", "isready")
        assert await client.hear() == DONE
        assert await client.hear() == "readyok"
        assert code_of(await client.hear()) is Code.QUOTA_IDLE  # when it is done


async def test_work_is_not_parked(config: Config) -> None:
    async with working(config, park_after=0) as app, app.tcp() as first, app.tcp() as second:
        first.say("isready", "bench")
        assert await first.hear() == "readyok"
        second.say("go")
        assert code_of(await second.hear()) is Code.WAITING
        assert await first.hear() == DONE
        assert (await second.hear_until("bestmove"))[-1] == "bestmove e2e4"


async def test_work_ends_when_a_search_would(config: Config) -> None:
    async with working(config, longest_search=0.2) as app, app.tcp() as client:
        client.say("isready", "bench")
        assert await client.hear() == "readyok"
        assert "it worked for longer than a search may" in await client.hear()
        client.say("position startpos", "go")
        assert await client.hear() == "bestmove e2e4"


async def test_work_ends_though_its_client_does_not_read(config: Config) -> None:
    engine = EngineConfig("endless", odd("endless"), Policy(commands=("perft",)))
    quotas = Quotas({"longest_search": 0.2})
    async with (
        Running(replace(config, engines=(engine,), quotas=quotas)) as app,
        app.tcp() as client,
    ):
        client.say("go perft 1")
        await client.hear_until("info string I go on")
        (pid,) = app.engine_pids()
        client.writer.transport.pause_reading()
        await until(lambda: pid not in app.engine_pids())
        await gone(pid)


async def test_work_counts_as_cpu_time(config: Config) -> None:
    async with working(config, cpu_seconds=1) as app, app.tcp() as client:
        client.say("isready", "bench")
        assert await client.hear() == "readyok"
        assert code_of(await client.hear()) is Code.QUOTA_CPU
        assert code_of(await client.hear()) is Code.ENGINE_DIED


async def test_search_that_runs_counts_and_is_stopped_when_all_is_used_up(config: Config) -> None:
    engine = EngineConfig("rookery", (sys.executable, "-m", "rookery_engine"))
    quotas = Quotas({"cpu_seconds": 1})
    config = replace(config, engines=(engine,), quotas=quotas)
    async with Running(config) as app, app.tcp() as client:
        client.say("go infinite")
        heard = await client.hear_until("bestmove")
        assert Code.QUOTA_CPU in [code_of(line) for line in heard if "rookery" in line]
        client.say("go infinite")
        assert code_of(await client.hear()) is Code.QUOTA_CPU
        assert code_of(await client.hear()) is Code.NO_SEARCH
        assert (await client.hear()).startswith("bestmove")


async def test_batch_lets_others_go_first(config: Config) -> None:
    """Over either transport, in the first line or later."""
    async with working(config) as app, app.tcp() as busy:
        busy.say("go infinite", "isready")
        assert await busy.hear() == "readyok"
        async with app.tcp() as batch, app.websocket("works") as other, app.tcp() as third:
            batch.say("rookery engine works work batch", "go")
            await other.send("rookery work batch")
            await other.send("go")
            third.say("rookery engine works", "rookery work batch")
            third.say("rookery work interactive", "go")
            assert code_of(await batch.hear()) is Code.WAITING
            assert code_of(str(await other.recv())) is Code.WAITING
            assert code_of(await third.hear()) is Code.WAITING
            assert app.host.scheduler.waiting == 3
            busy.say("quit")
            assert (await third.hear_until("bestmove"))[-1] == "bestmove e2e4"
            assert app.host.scheduler.waiting == 2
            third.say("quit")
            assert (await batch.hear_until("bestmove"))[-1] == "bestmove e2e4"
            batch.say("quit")
            assert (await hear_until(other, "bestmove"))[-1] == "bestmove e2e4"


async def test_work_of_an_unknown_sort_is_refused(app: Running) -> None:
    async with app.tcp() as client:
        client.say("rookery work hard")
        assert "'rookery work' needs 'interactive' or 'batch', not 'hard'" in await client.hear()
