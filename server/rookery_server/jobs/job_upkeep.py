"""The upkeep of jobs: which there are to work at, how fast they are, and which have expired."""

import time
from collections import deque
from collections.abc import Callable

from rookery_server.access.account import Account
from rookery_server.background.work_runner import WorkRunner
from rookery_server.background.work_upkeep import WorkUpkeep
from rookery_server.config.resources import Quota
from rookery_server.jobs.job_source import JobSource
from rookery_server.jobs.job_store import JobStore
from rookery_server.jobs.store_thread import StoreThread
from rookery_server.jobs.stored_job import JobStage, StoredJob

RATE_TIME = 60.0  # s over which the rate of a job is measured


class JobUpkeep(WorkUpkeep[JobStore]):
    """The upkeep by one server."""

    def __init__(
        self,
        store: StoreThread,
        url: str,
        runner: WorkRunner,
        source: JobSource,
        *,
        quota_of: Callable[[Account], Quota],
        changed: Callable[[StoredJob], None],
    ) -> None:
        """Make an upkeep.

        Args:
            store: the database.
            url: that of the database.
            runner: the workers.
            source: the jobs that they work at.
            quota_of: returns what an account may store.
            changed: is called with each job that there is work at, and may have new answers.

        """
        super().__init__(store, url, runner, source)
        self._jobs = source
        self._quota_of = quota_of
        self._changed = changed
        self._rates: dict[int, _Progress] = {}

    def rate_of(self, job: StoredJob) -> tuple[float | None, float | None]:
        """Return the positions that are done in a second, and the seconds that are left."""
        progress = self._rates.get(job.number)
        if progress is None or job.stage is not JobStage.ACTIVE:
            return None, None
        positions, items = progress.rates()
        return positions, (job.total - job.done) / items if items else None

    async def _update_source(self) -> None:
        jobs = await self._store.run(JobStore.active_jobs)
        self._jobs.counts.waiting = sum(each.total - each.done for each in jobs)
        now = time.monotonic()
        self._rates = {each.number: self._rates.get(each.number, _Progress()) for each in jobs}
        for each in jobs:
            self._rates[each.number].add(now, each)
            self._changed(each)
        self._jobs.update(jobs)

    def _has_work(self) -> bool:
        return self._jobs.counts.waiting > 0

    async def _clean(self) -> None:
        await self._store.run(JobStore.expire)
        for job in await self._store.run(JobStore.unlimited_jobs):
            seconds = int(self._quota_of(job.account).keep_results)
            await self._store.run(JobStore.expire_at, job.number, seconds)
        await super()._clean()


class _Progress:
    """The progress of one job in the last minute."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int, int]] = deque()  # s, positions, items

    def add(self, now: float, job: StoredJob) -> None:
        """Record how far it is now."""
        self._seen.append((now, job.positions, job.done))
        while now - self._seen[0][0] > RATE_TIME:
            self._seen.popleft()

    def rates(self) -> tuple[float | None, float | None]:
        """Return positions and items in a second."""
        (first, positions, items), (last, more, most) = self._seen[0], self._seen[-1]
        seconds = last - first
        if seconds <= 0 or most == items:
            return None, None
        return (more - positions) / seconds, (most - items) / seconds
