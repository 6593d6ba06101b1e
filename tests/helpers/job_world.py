"""Sessions and jobs of a server in this process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from helpers.jobbing import new_job
from helpers.support import TIMEOUT
from rookery_server.background.work_runner import WorkRunner
from rookery_server.config.config import Config
from rookery_server.config.engines import own_engine, with_program
from rookery_server.jobs.job_service import JobService
from rookery_server.jobs.stored_job import NewJob, StoredJob
from rookery_server.manager import SessionManager


@dataclass
class World:
    """A server's sessions and its jobs."""

    manager: SessionManager
    service: JobService
    runner: WorkRunner

    async def post(self, inputs: list[str], new: NewJob | None = None) -> StoredJob:
        async with self.service.load(new or new_job()) as loading:
            await loading.add(inputs)
            return await loading.submit()

    async def answers(self, job: StoredJob) -> list[str]:
        async with asyncio.timeout(3 * TIMEOUT):
            pages = self.service.results(job, follow=True)
            return [text for page in [page async for page in pages] for _, text in page]

    async def job(self, job: StoredJob) -> StoredJob:
        found = await self.service.job_of(job.account, job.id)
        assert found
        return found

    def engines(self) -> list[int]:
        return [actor.flow.engine.pid for actor in self.manager.actors if actor.flow.engine]


def config_of(**fields: object) -> Config:
    return replace(Config(engines=(with_program(own_engine()),)), **fields)  # type: ignore[arg-type]


@asynccontextmanager
async def open_world(url: str, config: Config | None = None) -> AsyncIterator[World]:
    config = config or config_of()
    async with SessionManager(config) as manager:
        runner = WorkRunner(manager, config.jobs.workers)
        async with JobService(manager, runner, url) as service, runner:
            yield World(manager, service, runner)


class ListeningClient:
    """A connection that keeps what it hears."""

    relay = None
    address = "there"
    shows_life = True
    is_held = False

    def __init__(self) -> None:
        self.heard = b""

    def send_lines(self, piece: bytes) -> None:
        self.heard += piece

    def finish(self, code: object, reason: str) -> None:
        pass

    def hold_input(self, why: object) -> None:
        pass

    def release_input(self, why: object) -> None:
        pass
