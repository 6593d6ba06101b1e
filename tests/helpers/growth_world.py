"""Sessions and projects of a server in this process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from helpers.job_world import config_of
from helpers.support import TIMEOUT
from rookery_server.background.work_runner import WorkRunner
from rookery_server.config.config import Config
from rookery_server.growth.node import Node
from rookery_server.manager import SessionManager
from rookery_server.projects.project_service import ProjectService
from rookery_server.projects.stored_project import StoredProject
from rookery_server.tablebases.tables import SyzygyTables


@dataclass
class GrowthWorld:
    """A server's sessions and its projects."""

    manager: SessionManager
    service: ProjectService
    runner: WorkRunner

    async def project(self, project: StoredProject) -> StoredProject:
        found = await self.service.project_of(project.account, project.id)
        assert found
        return found

    async def until_grown(self, project: StoredProject, leaves: int) -> StoredProject:
        """Wait until so many searches are stored, or the project grows no more."""
        with self.service.following([project]) as event:
            async with asyncio.timeout(5 * TIMEOUT):
                while True:
                    event.clear()
                    found = await self.project(project)
                    if found.leaves >= leaves or found.stage != "active":
                        return found
                    await event.wait()

    async def nodes(self, project: StoredProject) -> list[Node]:
        """Return the whole tree."""
        return await self.service.read_tree(project, lambda tree: tree.nodes_behind(0, 100_000))

    def engines(self) -> list[int]:
        return [actor.flow.engine.pid for actor in self.manager.actors if actor.flow.engine]


@asynccontextmanager
async def open_growth(
    url: str,
    config: Config | None = None,
    workers: int | None = 1,
    tables: SyzygyTables | None = None,
) -> AsyncIterator[GrowthWorld]:
    config = config or config_of()
    async with SessionManager(config) as manager:
        runner = WorkRunner(manager, workers)
        async with ProjectService(manager, runner, url, tables) as service, runner:
            yield GrowthWorld(manager, service, runner)
