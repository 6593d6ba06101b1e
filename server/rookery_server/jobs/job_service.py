"""The jobs of a server: what accounts may do with them, and the work at them.

`async with JobService(...) as service:` goes on with what earlier runs have left.  What an
account asks for is done in the database, whichever server works at the job.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

from rookery_protocol.errors import ConfigError, RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.background.followers import Followers
from rookery_server.background.work_runner import WorkRunner
from rookery_server.background.work_upkeep import BUSY_POLL
from rookery_server.jobs.active_jobs import JobCounts
from rookery_server.jobs.job_claims import JobClaims
from rookery_server.jobs.job_loading import JobConflictError, JobLoading
from rookery_server.jobs.job_source import JobSource
from rookery_server.jobs.job_store import PAGE, JobStore
from rookery_server.jobs.job_upkeep import JobUpkeep
from rookery_server.jobs.store_thread import StoreThread
from rookery_server.jobs.stored_job import JobStage, NewJob, StoredJob
from rookery_server.log import about
from rookery_server.manager import SessionManager
from rookery_server.task_service import TaskService

logger = logging.getLogger(__name__)

READING_POLL = 1  # s after which a request may come again whose first one is still being read


class JobService(TaskService):
    """The jobs of all accounts."""

    def __init__(self, manager: SessionManager, runner: WorkRunner, url: str) -> None:
        """Make a service.

        Args:
            manager: has the engines, and the quotas of accounts.
            runner: works at jobs; it ends before this.
            url: of the database.

        """
        super().__init__()
        self.counts = JobCounts()
        self._manager = manager
        self._store = StoreThread(url)
        claims = JobClaims(self._store, self.counts, changed=self._job_changed)
        self._source = JobSource(manager, claims, self.counts)
        runner.add_source(self._source)
        self._upkeep = JobUpkeep(
            self._store,
            url,
            runner,
            self._source,
            quota_of=manager.quota_of,
            changed=self._job_changed,
        )
        self._followers = Followers()  # of the results of jobs

    def _loops(self) -> Mapping[str, Coroutine[None, None, None]]:
        return {"upkeep of jobs": self._upkeep.run()}

    async def _close(self) -> None:
        """Let other servers go on with the work."""
        self._source.close()
        await self._upkeep.close()
        await self._store.close()
        self._followers.wake_all()

    # --- new jobs

    def check(self, new: NewJob) -> None:
        """Check that an account may have an engine; its options are checked by the caller.

        Raises:
            RefusedError: it may not, or the number of threads cannot be read.

        """
        self._manager.fleet.engine_for(new.account, new.engine)
        try:
            new.settings.engine_settings.number("Threads")
        except ConfigError as error:
            raise RefusedError(Code.BAD_VALUE, str(error)) from error

    @asynccontextmanager
    async def load(self, new: NewJob) -> AsyncIterator["JobLoading"]:
        """Begin a job whose items follow; if they are not submitted at the end, there is none.

        Raises:
            RefusedError: the account may not have it.
            JobConflictError: its key was used for another job.
            TooMuchError: the account has as many jobs as it may.
            StoreError: the database cannot be used.

        """
        self.check(new)
        server, quota = await self._upkeep.open(), self._manager.quota_of(new.account)
        job, is_new = await self._store.run_to_end(
            lambda store: store.create(new, server, quota),
            lambda begun: self._abandon(begun[0]) if begun[1] else None,
        )
        if not is_new:
            _check_repeated(job, new)
        loading = JobLoading(self._store, job, server, quota, is_new=is_new)
        try:
            yield loading
        finally:
            if is_new and not loading.is_submitted:
                self._abandon(job)
        if is_new:
            logger.info(
                "job %s of %s: %d %s",
                job.id, job.account.name, loading.total, job.kind,
                extra=about(job=job.id, account=job.account.name, engine=job.engine),
            )  # fmt: skip
            self._upkeep.wake()

    def _abandon(self, job: StoredJob) -> None:
        """Remove a job whose input was cut off, when there is time."""
        self._store.abandon_soon(job.number)

    # --- for accounts

    async def jobs_of(self, account: Account, limit: int = 100) -> list[StoredJob]:
        """Return the newest jobs of an account."""
        if not self._upkeep.may_have_work:
            return []
        return await self._store.run(JobStore.jobs_of, account.name, limit)

    async def job_of(self, account: Account, id_: str) -> StoredJob | None:
        """Return a job of an account; None if it has none of that id."""
        if not self._upkeep.may_have_work:
            return None
        return await self._store.run(JobStore.job_of, account.name, id_)

    async def all_jobs(self, limit: int) -> tuple[list[StoredJob], int]:
        """Return jobs of all accounts, those first that are not over; and how many there are."""
        if not self._upkeep.may_have_work:
            return [], 0
        states = await self._store.run(JobStore.states)
        return await self._store.run(JobStore.all_jobs, limit), sum(states.values())

    async def jobs_by_id(self, beginning: str) -> list[StoredJob]:
        """Return the jobs of all accounts whose ids begin so; two of them at the most."""
        if not self._upkeep.may_have_work:
            return []
        return await self._store.run(JobStore.jobs_by_id, beginning)

    def rate_of(self, job: StoredJob) -> tuple[float | None, float | None]:
        """Return the positions that are done in a second, and the seconds that are left."""
        return self._upkeep.rate_of(job)

    async def pause(self, job: StoredJob) -> None:
        """Work at a job no more, until it is resumed."""
        await self._change(job, [JobStage.ACTIVE], JobStage.PAUSED)

    async def resume(self, job: StoredJob, account: Account) -> None:
        """Work at a job again that was paused or has failed, for an account as it is now."""
        await self._store.run(JobStore.change_account, job.number, account)
        await self._change(job, [JobStage.PAUSED, JobStage.FAILED], JobStage.ACTIVE)

    async def delete(self, job: StoredJob) -> None:
        """Remove a job with its results."""
        before = [JobStage.ACTIVE, JobStage.PAUSED, JobStage.FINISHED, JobStage.FAILED]
        await self._change(job, before, JobStage.DELETED)

    async def _change(self, job: StoredJob, before: Sequence[JobStage], after: JobStage) -> None:
        await self._store.run(JobStore.change_stage, job.number, before, after)
        text = "job %s of %s is %s"
        fields = about(job=job.id, account=job.account.name, engine=job.engine)
        logger.info(text, job.id, job.account.name, after, extra=fields)
        await self._upkeep.learn_works()
        self._job_changed(job)

    async def results(
        self, job: StoredJob, after: int = -1, *, follow: bool = False, annotated: bool = False
    ) -> AsyncIterator[list[tuple[int, str]]]:
        """Yield the results of a job behind an item, some at a time, in the order of the items.

        Without `follow` they end before the first that is not there yet; with it they end when
        all are told, or the job is over.  While there are none, it yields none now and then, so
        that its user may end it.
        """
        with self._followers.following([job.number]) as event:
            async for found in self._results_until(job, after, event, follow, annotated):
                yield found

    async def _results_until(
        self, job: StoredJob, after: int, event: asyncio.Event, follow: bool, annotated: bool
    ) -> AsyncIterator[list[tuple[int, str]]]:
        """Yield results, and wait for the next ones by an event or for a moment."""
        while self.is_open:
            event.clear()
            found = await self._store.run(JobStore.results, job.number, after, annotated=annotated)
            after = found[-1][0] if found else after
            yield found
            if len(found) == PAGE:
                continue
            if not follow or after + 1 >= job.total:
                return
            state = await self._store.run(JobStore.job_of, job.account.name, job.id)
            if state is None or state.stage is JobStage.FAILED:
                return
            if not found:
                with suppress(TimeoutError):
                    async with asyncio.timeout(BUSY_POLL):
                        await event.wait()

    def _job_changed(self, job: StoredJob) -> None:
        self._followers.wake(job.number)


def _check_repeated(job: StoredJob, new: NewJob) -> None:
    """Check that a job that was posted before by the same key is the one that is posted now."""
    if differences := job.differences_to(new):
        raise JobConflictError.of_key(job, differences)
    if job.stage is JobStage.LOADING:
        text = "the request with this key is still being read"
        raise JobConflictError(text, wait=READING_POLL)
