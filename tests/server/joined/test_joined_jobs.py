"""Jobs whose engines are on a machine that has joined."""

import json
from dataclasses import replace
from pathlib import Path

from helpers.job_world import World
from helpers.jobbing import fens, items_of, new_job, timeless
from helpers.joining import joining, offered, url_of
from helpers.support import Running, until

from rookery_server.config.config import Config
from rookery_server.config.engines import own_engine, with_program
from rookery_server.config.sections import CacheConfig, JobsConfig
from rookery_uci import Limits

COUNT = 60
NODES = Limits(nodes=20_000)


async def test_job_goes_on_with_another_machine_when_one_is_lost(
    config: Config, tmp_path: Path
) -> None:
    engine = with_program(own_engine())
    offer = "--engine", f"far={' '.join(engine.command)}"
    cache, jobs = CacheConfig(file=tmp_path / "jobs"), JobsConfig(workers=1)
    config = replace(config, engines=(engine,), cache=cache, jobs=jobs)
    async with Running(config) as server:
        assert server.jobs
        world = World(server.host, server.jobs, server.work_runner)
        async with joining(url_of(server), *offer, "--name", "one") as machine:
            await offered(server, "far@local")
            job = await world.post(items_of(fens(COUNT)), new_job(limits=NODES, engine="far@local"))
            await until(lambda: world.service.counts.results > 0)
            await machine.kill()
        assert world.service.counts.results < COUNT
        async with joining(url_of(server), *offer, "--name", "two"):
            answers = await world.answers(job)
        here = await world.post(items_of(fens(COUNT)), new_job(limits=NODES))
        expected = [text.replace('"rookery"', '"far@local"') for text in await world.answers(here)]
    assert [json.loads(text)["index"] for text in answers] == list(range(COUNT))
    assert list(map(timeless, answers)) == list(map(timeless, expected))
