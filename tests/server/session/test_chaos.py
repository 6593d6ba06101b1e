"""Sessions over a network that cuts connections: each `go` has one `bestmove`, in order.

`pytest tests/server/session/test_chaos.py --cuts 500` cuts that often with each engine.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from helpers.proxy import CUTS, Proxy
from helpers.returning import Returning
from helpers.support import Running, empty, ends, numbered, until

from rookery_protocol.errors import SHUTTING_DOWN
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig, own_engine

HANGS = 30.0  # s without an answer, though come back to again and again


@pytest.fixture(params=["numbered", "own"])
async def server(request: pytest.FixtureRequest, config: Config) -> AsyncIterator[Running]:
    if request.param == "own":
        engine = replace(own_engine(), name="numbered")
    else:
        engine = EngineConfig("numbered", numbered())
    async with Running(Config((engine,), config.server)) as running:
        running.is_numbered = request.param == "numbered"
        yield running


@pytest.mark.timeout(1800)
async def test_random_cuts(server: Running, request: pytest.FixtureRequest) -> None:
    cuts, seed = request.config.getoption("--cuts"), request.config.getoption("--seed") or 1
    chance = random.Random(seed)
    before = ends()
    assert server.tcp_port
    async with (
        Proxy(server.tcp_port, seed=seed, delay=0.3) as tcp,
        Proxy(server.port, seed=seed + 1, delay=0.3) as websocket,
    ):
        proxies = {"tcp": tcp, "websocket": websocket}
        client = Returning({name: proxy.port for name, proxy in proxies.items()})
        await client.connect()
        done = 0

        async def cutter() -> None:
            nonlocal done
            while done < cuts:
                await asyncio.sleep(chance.random() * 0.4)
                client.transport = chance.choice(["tcp", "websocket"])
                for proxy in proxies.values():
                    proxy.delay = chance.choice([0.0, 0.02, 0.3])
                    done += proxy.cut(chance.choice(CUTS))
                    if chance.random() < 0.2:
                        proxy.forget_lost()

        cutting = asyncio.create_task(cutter(), name="cut")
        number, longest, searches, readies = 0, 0.0, 0, 0
        while not cutting.done():
            began, wanted = time.monotonic(), len(client.answers)
            bests: list[str] = []
            for _ in range(chance.randint(1, 3)):
                number += 1
                endless = chance.random() < 0.3
                await client.say(
                    "position startpos moves e2e4",
                    f"go nodes {number}{' infinite' if endless else ''}",
                )
                ready = chance.random() < 0.5
                await client.say(*["isready"] * ready, *["stop"] * endless)
                bests.append(f"bestmove n{number}")
                readies += ready
                wanted += 1 + ready
            searches += len(bests)
            async with asyncio.timeout(HANGS):
                await client.until(wanted)
            longest = max(longest, time.monotonic() - began)
            heard = [line for line in client.answers[-wanted:] if line.startswith("bestmove")]
            if server.is_numbered:
                assert heard[-len(bests) :] == bests
        await cutting
        client.lose()
    kinds = {line.split()[0] for line in client.answers}
    print(f"{done} cuts, {client.returns} returns, {searches} searches, longest {longest:.2f} s")
    assert sum(line.startswith("bestmove") for line in client.answers) == searches
    assert client.answers.count("readyok") == readies
    assert kinds <= {"bestmove", "readyok"}
    assert client.notices == []
    for actor in list(server.host.actors):
        actor.refuse(SHUTTING_DOWN)
    await empty(server)
    await until(lambda: ends() <= before)
