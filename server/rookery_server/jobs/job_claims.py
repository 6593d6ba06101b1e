"""The claims of this server at jobs: they are made, written to and given up in the database."""

from collections.abc import Callable, Sequence

from rookery_server.background.work import WorkClaims
from rookery_server.database.database import StoreError
from rookery_server.jobs.active_jobs import ActiveJobs, JobCounts
from rookery_server.jobs.job_store import JobStore
from rookery_server.jobs.store_thread import StoreThread
from rookery_server.jobs.stored_job import Claim, ItemResult, JobStage, StoredJob


class JobClaims(WorkClaims):
    """The claims of one server; `jobs` learn what becomes of them."""

    def __init__(
        self, store: StoreThread, counts: JobCounts, *, changed: Callable[[StoredJob], None]
    ) -> None:
        """Make no claims yet.

        Args:
            store: the database.
            counts: the numbers for the metrics.
            changed: is called when a job has new answers.

        """
        super().__init__("jobs")
        self.jobs = ActiveJobs()
        self._store = store
        self._counts = counts
        self._changed = changed

    async def claim(self, job: int, size: int) -> Claim | None:
        """Claim so many items; None if there are none, or after a pause if that has failed."""
        server = self.server
        try:
            claim = await self._store.run_to_end(
                lambda store: store.claim(job, server, size), self.release_soon
            )
        except StoreError as error:
            await self.trouble.wait_for_retry(error)
            return None
        if claim:
            self.jobs.learn_claim(claim)
        else:
            self.jobs.learn_end(job)
        return claim

    def release_soon(self, claim: Claim | None) -> None:
        """Let others have a claim, even if this server ends now."""
        if claim:
            self._store.release_soon(claim, self.server)

    async def write(self, claim: Claim, new: Sequence[ItemResult], *, is_last: bool) -> bool:
        """Write results; return False if the claim is not this server's any more.

        Raises:
            StoreError: the database cannot be used now.

        """
        job = await self._store.run(
            JobStore.write_results, claim, self.server, new, is_last=is_last
        )
        self.trouble.end()
        if job is None:
            return False
        self._counts.results += len(new)
        self._counts.errors += sum(each.is_error for each in new)
        self.jobs.learn(job)
        self._changed(job)
        return True

    async def fail(self, job: StoredJob, why: str) -> None:
        """End a job that can never be done."""
        self.jobs.remove(job.number)
        try:
            await self._store.run(
                JobStore.change_stage, job.number, [JobStage.ACTIVE], JobStage.FAILED, why
            )
        except StoreError as error:  # It is tried again, and fails again.
            self.trouble.report(error)
        finally:  # The worker may be stopped meanwhile: what it has asked for is done all the same.
            self._changed(job)
