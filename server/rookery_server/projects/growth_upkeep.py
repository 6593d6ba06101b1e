"""The upkeep of projects: which grow, which have new settings, and what was deleted."""

from collections.abc import Mapping

from rookery_server.background.work_runner import WorkRunner
from rookery_server.background.work_upkeep import WorkUpkeep
from rookery_server.projects.growth_source import GrowthSource
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.project_thread import ProjectThread
from rookery_server.projects.stored_project import ProjectSettings

REFRESHES = 20  # times that some nodes of a project get new priorities, until the next look


class GrowthUpkeep(WorkUpkeep[ProjectStore]):
    """The upkeep by one server."""

    def __init__(
        self, store: ProjectThread, url: str, runner: WorkRunner, source: GrowthSource
    ) -> None:
        """Make an upkeep.

        Args:
            store: the database.
            url: that of the database.
            runner: the workers.
            source: the projects that they grow.

        """
        super().__init__(store, url, runner, source)
        self._projects = source
        self._is_growing = False
        # By which all nodes of a project have their priorities.
        self._refreshed: dict[int, ProjectSettings] = {}

    async def _update_source(self) -> None:
        projects = await self._store.run(ProjectStore.active_projects)
        self._is_growing = bool(projects)
        self._projects.update(projects)
        await self._refresh({each.number: each.settings for each in projects})

    async def _refresh(self, wanted: Mapping[int, ProjectSettings]) -> None:
        """Have nodes weighed by the settings that their projects have now."""
        known = self._refreshed
        self._refreshed = {}
        for number, settings in wanted.items():
            if known.get(number) == settings or await self._refresh_nodes(number):
                self._refreshed[number] = settings

    async def _refresh_nodes(self, number: int) -> bool:
        """Refresh some nodes of a project; return whether that were the last."""
        for _ in range(REFRESHES):
            if not await self._store.run(ProjectStore.refresh, number):
                return True
        return False

    def _has_work(self) -> bool:
        return self._is_growing
