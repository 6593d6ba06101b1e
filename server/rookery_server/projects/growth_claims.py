"""The claims of this server at leaves: they are made, stored and given up in the database."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence

from rookery_server.access.account import Account
from rookery_server.background.work import WorkClaims
from rookery_server.config.resources import Quota
from rookery_server.database.database import StoreError
from rookery_server.log import about
from rookery_server.projects.growing_projects import GrowingProjects, GrowthCounts
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.project_thread import ProjectThread
from rookery_server.projects.stored_project import DamageError, EndCause, GrowthEnd, StoredProject
from rookery_server.projects.tree_growth import Claim, FinishedSearch, Growth

logger = logging.getLogger(__name__)

MOST_FAILURES = 3  # in a row, of leaves at which engines have died; with more, it is not the leaf


class GrowthClaims(WorkClaims):
    """The claims of one server."""

    def __init__(
        self,
        store: ProjectThread,
        counts: GrowthCounts,
        *,
        quota_of: Callable[[Account], Quota],
        changed: Callable[[StoredProject], None],
    ) -> None:
        """Make no claims yet.

        Args:
            store: the database.
            counts: the numbers for the metrics.
            quota_of: returns what an account may store.
            changed: is called when a project has grown, or does not grow any more.

        """
        super().__init__("projects")
        self.projects = GrowingProjects()
        self._store = store
        self._counts = counts
        self._quota_of = quota_of
        self._changed = changed
        self._failures: Counter[int] = Counter()  # in a row, by project
        # First come, first served, also while the database fails: another order, another tree.
        self._turn = asyncio.Lock()

    async def advance(
        self, project: StoredProject, finished: Sequence[FinishedSearch], most: int
    ) -> Growth | None:
        """Store what was found, and claim so many leaves, however long the database takes.

        Returns:
            None if the project does not grow any more: then nothing is stored.

        Raises:
            RefusedFindingError: no search can have found this.

        """
        async with self._turn:
            growth = await self._advance(project, finished, most)
        self.trouble.end()
        self.projects.learn(project.number, growth, most)
        self._changed(growth.project if growth else project)
        return growth

    def release_soon(self, claims: Sequence[Claim]) -> None:
        """Let others have claims, even if this server ends now."""
        server = self.server
        if claims:
            self._store.release_soon(claims, server)

    async def fail(self, project: StoredProject, why: str) -> None:
        """End the growth of a project for which its engines cannot search."""
        self._log_failure(project, why)
        self.projects.remove(project.number)
        try:
            end = GrowthEnd(EndCause.ENGINE, why)
            await self._store.run(ProjectStore.fail, project.number, end)
        except StoreError as error:  # It is tried again, and fails again.
            self.trouble.report(error)
        finally:  # The worker may be stopped meanwhile: what it has asked for is done all the same.
            self._changed(project)

    async def count_leaf(self, project: StoredProject, failure: str | None) -> None:
        """Count a leaf that was stored; a project of which leaf after leaf fails fails.

        Args:
            project: that of the leaf.
            failure: why no engine can search it, if none can.

        """
        self._counts.leaves += 1
        if failure is None:
            del self._failures[project.number]
            return
        self._counts.failed += 1
        self._failures[project.number] += 1
        if (count := self._failures[project.number]) >= MOST_FAILURES:
            del self._failures[project.number]
            await self.fail(project, f"{count} searches in a row have failed: {failure}")

    async def _advance(
        self, project: StoredProject, finished: Sequence[FinishedSearch], most: int
    ) -> Growth | None:
        """Store and claim, again and again as long as the database fails."""
        number, quota = project.number, self._quota_of(project.account)
        while True:
            try:
                return await self._store.run_to_end(
                    lambda store: store.advance(number, self.server, finished, most, quota),
                    lambda growth: self.release_soon(growth.claims if growth else ()),
                )
            except DamageError as error:
                self._log_failure(project, str(error))
                return None
            except StoreError as error:
                await self.trouble.wait_for_retry(error)

    def _log_failure(self, project: StoredProject, why: str) -> None:
        fields = about(project=project.id, account=project.account.name)
        logger.warning("project %s has failed: %s", project.id, why, extra=fields)
