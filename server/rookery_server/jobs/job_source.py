"""Jobs as work of low priority: each batch is some items of one job.

What a server has claimed and not answered is free for others when it ends, or when it is not
heard of for a while.
"""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from rookery_server.background.work import Batch, Work
from rookery_server.jobs.active_jobs import KIND, JobCounts
from rookery_server.jobs.job_batch import JobBatch
from rookery_server.jobs.job_claims import JobClaims
from rookery_server.jobs.job_items import read_items
from rookery_server.jobs.job_pace import JobPace
from rookery_server.jobs.known_positions import KnownPositions
from rookery_server.jobs.stored_job import Claim, StoredJob
from rookery_server.log import about
from rookery_server.manager import SessionManager

logger = logging.getLogger(__name__)


class JobSource:
    """The jobs that one server works at; `close` it when no worker is left."""

    kind = KIND

    def __init__(self, manager: SessionManager, claims: JobClaims, counts: JobCounts) -> None:
        """Make a source without jobs.

        Args:
            manager: has the cache of what was searched before.
            claims: those of this server.
            counts: the numbers for the metrics.

        """
        self.claims = claims
        self.counts = counts
        self._paces: dict[int, JobPace] = {}
        self._known = KnownPositions(manager)
        self._reader = ThreadPoolExecutor(1, "answers")

    def close(self) -> None:
        """End the thread that reads answers."""
        self._reader.shutdown(wait=False)

    def update(self, jobs: Sequence[StoredJob]) -> None:
        """Learn which jobs there are to work at."""
        self.claims.jobs.update(jobs)
        known = {each.number for each in jobs}
        self._paces = {number: pace for number, pace in self._paces.items() if number in known}

    def works(self) -> Sequence[Work]:
        """Return all jobs that are not over."""
        return self.claims.jobs.works

    async def claim(self, work: Work, _: Batch | None) -> JobBatch | None:
        """Claim items of a job, and read them; None if there are none, or no database."""
        pace = self._paces.setdefault(work.number, JobPace())
        job = self.claims.jobs.job(work.number)
        if job is None or (claim := await self.claims.claim(job.number, pace.next_size())) is None:
            return None
        try:
            return await self._read_batch(work, job, claim, pace)
        except Exception:
            self.claims.release_soon(claim)
            raise

    async def fail(self, work: Work, why: str) -> None:
        """End a job that can never be done."""
        logger.warning("job %s has failed: %s", work.id, why, extra=about(**work.fields))
        if job := self.claims.jobs.job(work.number):
            await self.claims.fail(job, why)

    async def _read_batch(
        self, work: Work, job: StoredJob, claim: Claim, pace: JobPace
    ) -> JobBatch:
        loop = asyncio.get_running_loop()
        items = await loop.run_in_executor(self._reader, read_items, job, claim)
        await self._known.add_known(job, items.positions)
        return JobBatch(work, job, claim, items, claims=self.claims, pace=pace, reader=self._reader)
