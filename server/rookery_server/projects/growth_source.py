"""Projects as work of low priority: each batch is one leaf of a tree.

A worker has two leaves of its project, one that is searched and one that waits with the engine.
Several workers at one project, of this server or of others, have different leaves.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from rookery_server.background.work import Batch, Work
from rookery_server.projects.growing_projects import KIND, GrowthCounts
from rookery_server.projects.growth_claims import GrowthClaims
from rookery_server.projects.leaf_batch import LeafBatch, LeafQueue
from rookery_server.projects.leaf_tables import LeafTables
from rookery_server.projects.stored_project import StoredProject
from rookery_server.tablebases.tables import SyzygyTables


class GrowthSource:
    """The projects that one server grows; `close` it when no worker is left."""

    kind = KIND

    def __init__(
        self, claims: GrowthClaims, counts: GrowthCounts, tables: SyzygyTables | None = None
    ) -> None:
        """Make a source without projects.

        Args:
            claims: those of this server.
            counts: the numbers for the metrics.
            tables: in which leaves are looked up, and which nothing else reads.

        """
        self.claims = claims
        self.counts = counts
        self._projects = claims.projects
        self._reader = ThreadPoolExecutor(1, "findings")
        self._tables = LeafTables(tables, self._reader)

    def close(self) -> None:
        """End the thread that reads tables, and what engines have found."""
        self._tables.close()
        self._reader.shutdown(wait=False)

    def update(self, projects: Sequence[StoredProject]) -> None:
        """Learn which projects grow."""
        self._projects.update(projects)

    def works(self) -> Sequence[Work]:
        """Return all projects that grow, with each of their engines."""
        return self._projects.works

    async def claim(self, work: Work, former: Batch | None) -> LeafBatch | None:
        """Claim a leaf; None if there is none, or the project does not grow any more."""
        if (project := self._projects.project(work.number)) is None:
            return None
        queue = LeafQueue()
        if isinstance(former, LeafBatch) and former.work.is_same(work) and former.queue.is_open:
            queue = former.queue
        claim = queue.next_reserve()
        if claim is None:
            growth = await self.claims.advance(project, (), 1)
            if growth is None or not growth.claims:
                return None
            (claim,) = growth.claims
        try:
            known = await self._tables.value_of(claim.leaf, project.root)
        except BaseException:
            self.claims.release_soon([claim])
            raise
        batch = LeafBatch(
            work, project, claim, queue, claims=self.claims, reader=self._reader, known=known
        )
        queue.append(batch)
        return batch

    async def fail(self, work: Work, why: str) -> None:
        """End the growth of a project that cannot go on."""
        if project := self._projects.project(work.number):
            await self.claims.fail(project, why)
