"""The projects that grow, as this server knows them between two looks at the database."""

from collections.abc import Sequence
from dataclasses import dataclass

from rookery_analysis.engine_supply import EngineSettings
from rookery_server.background.work import Work, WorkCounts
from rookery_server.projects.stored_project import ProjectStage, StoredProject
from rookery_server.projects.tree_growth import Growth

KIND = "project"  # of work
PRIORITY = -1000  # below all jobs of the same account, whose priorities are from -10 to 10


@dataclass(slots=True)
class GrowthCounts(WorkCounts):
    """The numbers for the metrics, since the server has begun."""

    leaves: int = 0  # whose searches were stored
    failed: int = 0  # among them, those at which engines have died


class GrowingProjects:
    """The projects, and those among them in which there is nothing to claim now."""

    def __init__(self) -> None:
        self._projects: dict[int, StoredProject] = {}
        self._exhausted: set[int] = set()

    @property
    def works(self) -> Sequence[Work]:
        """All projects, with each of their engines, as workers see them."""
        return [work for each in self._projects.values() for work in self._works_of(each)]

    def project(self, number: int) -> StoredProject | None:
        """Return a project; None if it does not grow any more."""
        return self._projects.get(number)

    def update(self, projects: Sequence[StoredProject]) -> None:
        """Learn all projects anew."""
        self._projects = {each.number: each for each in projects}
        self._exhausted.clear()

    def learn(self, number: int, growth: Growth | None, wanted: int) -> None:
        """Learn what became of a project.

        Args:
            number: that of the project.
            growth: what became of it; None if it does not grow any more.
            wanted: the number of leaves that were to be claimed.

        """
        if number not in self._projects:
            return
        if growth is None or growth.project.stage is not ProjectStage.ACTIVE:
            self.remove(number)
            return
        self._projects[number] = growth.project
        if len(growth.claims) < wanted:
            self._exhausted.add(number)
        else:
            self._exhausted.discard(number)

    def remove(self, number: int) -> None:
        """Forget a project."""
        self._projects.pop(number, None)
        self._exhausted.discard(number)

    def _works_of(self, project: StoredProject) -> list[Work]:
        # A tree has about as many leaves to search as it has positions.
        units = 0 if project.number in self._exhausted else 1 + project.positions
        return [
            Work(
                KIND,
                project.number,
                project.id,
                project.account,
                engine.name,
                EngineSettings(options=engine.options),
                PRIORITY,
                units,
                part,
            )
            for part, engine in enumerate(project.settings.engines)
            if not engine.is_retired
        ]
