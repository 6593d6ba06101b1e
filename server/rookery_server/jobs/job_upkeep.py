"""The upkeep of jobs: this server's sign of life in the database, and what is due there.

It registers this run of the server once there are jobs, learns now and then which jobs there is
work at, frees what servers that are gone have begun, and removes what has expired.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rookery_server.access.account import Account
from rookery_server.background.work_runner import WorkRunner
from rookery_server.config.resources import Quota
from rookery_server.database.database import StoreError
from rookery_server.jobs.job_claims import JobClaims
from rookery_server.jobs.job_source import JobSource
from rookery_server.jobs.job_store import JobStore
from rookery_server.jobs.store_thread import StoreThread
from rookery_server.jobs.stored_job import JobCounts, JobStage, StoredJob

logger = logging.getLogger(__name__)

BUSY_POLL, IDLE_POLL = 1.0, 5.0  # s from one look at the database to the next
SHOW_TIME = 5.0  # s from one sign of this server to the next; others wait for 30
PURGES = 100  # times that some of what was deleted is removed, until the next sign
RATE_TIME = 60.0  # s over which the rate of a job is measured


class JobUpkeep:
    """The upkeep by one server; `run` goes on until it is cancelled."""

    def __init__(
        self,
        store: StoreThread,
        file: Path | None,
        runner: WorkRunner,
        source: JobSource,
        claims: JobClaims,
        counts: JobCounts,
        *,
        quota_of: Callable[[Account], Quota],
        changed: Callable[[StoredJob], None],
    ) -> None:
        """Make an upkeep.

        Args:
            store: the database.
            file: that of SQLite, which is made with the first job; None is another database.
            runner: the workers.
            source: the jobs that they work at.
            claims: what this server has begun of them.
            counts: the numbers for the metrics.
            quota_of: returns what an account may store.
            changed: is called with each job that there is work at, and may have new answers.

        """
        self._store = store
        self._file = file
        self._runner = runner
        self._source = source
        self._claims = claims
        self._counts = counts
        self._quota_of = quota_of
        self._changed = changed
        self._server: int | None = None  # the number of this run, once the database is open
        self._shown_at = 0.0
        self._opening = asyncio.Lock()
        self._woken = asyncio.Event()
        self._rates: dict[int, _Progress] = {}

    @property
    def may_have_jobs(self) -> bool:
        """False as long as no job was ever stored: no file is made to say so."""
        return self._server is not None or self._file is None or self._file.exists()

    async def open(self) -> int:
        """Enter this run of the server into the database; return its number."""
        async with self._opening:
            if self._server is None:
                self._server = await self._store.run(JobStore.register_server)
                self._claims.server = self._server
                self._shown_at = 0.0  # At once: an earlier run may have left something.
            return self._server

    async def close(self) -> None:
        """Let other servers go on with what this one has begun."""
        if self._server is not None:
            with suppress(StoreError):
                await self._store.run(JobStore.remove_server, self._server)

    def wake(self) -> None:
        """Look at the database at once."""
        self._woken.set()

    async def run(self) -> None:
        """Look at the database now and then, whatever happens."""
        while True:
            self._woken.clear()
            try:
                if self.may_have_jobs:
                    await self._show_and_clean()
                    await self.learn_jobs()
            except StoreError as error:
                self._claims.report_trouble(error)
            except Exception:  # It would be the end of all jobs, unsaid.
                logger.exception("an error of the server at the upkeep of jobs")
            self._counts.database_errors = self._store.errors
            poll = BUSY_POLL if self._counts.waiting else IDLE_POLL
            with suppress(TimeoutError):
                async with asyncio.timeout(poll):
                    await self._woken.wait()

    async def learn_jobs(self) -> None:
        """Learn of all jobs that there is work at.

        Raises:
            StoreError: the database cannot be used.

        """
        jobs = await self._store.run(JobStore.active_jobs)
        self._counts.by_state = await self._store.run(JobStore.states)
        self._counts.waiting = sum(each.total - each.done for each in jobs)
        now = time.monotonic()
        self._rates = {each.number: self._rates.get(each.number, _Progress()) for each in jobs}
        for each in jobs:
            self._rates[each.number].add(now, each)
            self._changed(each)
        self._source.update(jobs)
        self._runner.update()

    def rate_of(self, job: StoredJob) -> tuple[float | None, float | None]:
        """Return the positions that are done in a second, and the seconds that are left."""
        progress = self._rates.get(job.number)
        if progress is None or job.stage is not JobStage.ACTIVE:
            return None, None
        positions, items = progress.rates()
        return positions, (job.total - job.done) / items if items else None

    async def _show_and_clean(self) -> None:
        """Show that this server is there, and remove what has expired, now and then."""
        server = await self.open()
        now = time.monotonic()
        if self._shown_at and now - self._shown_at < SHOW_TIME:
            return
        is_known, others = await self._store.run(JobStore.show_server, server, now)
        self._shown_at = now
        self._source.is_alone = not others
        if not is_known:
            logger.warning("this server was given up by others: what it had begun is begun anew")
            self._server = None
            await self.open()
        await self._store.run(JobStore.expire)
        for job in await self._store.run(JobStore.unlimited_jobs):
            seconds = int(self._quota_of(job.account).keep_results)
            await self._store.run(JobStore.expire_at, job.number, seconds)
        for _ in range(PURGES):
            if not await self._store.run(JobStore.purge):
                break


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
