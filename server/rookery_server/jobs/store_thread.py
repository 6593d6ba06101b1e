"""The thread of the jobs' database, which can undo and free what was begun there."""

from rookery_server.database.database_thread import DatabaseThread
from rookery_server.jobs.job_store import JobStore, OwnWork
from rookery_server.jobs.stored_job import Claim


class StoreThread(DatabaseThread[JobStore]):
    """The store of jobs, opened when it is used first; `close` it."""

    def __init__(self, url: str) -> None:
        self._own = OwnWork()
        super().__init__("jobs", lambda: JobStore(url, self._own))

    def release_soon(self, claim: Claim, server: int) -> None:
        """Let others have a claim, when there is time."""
        self.free(
            lambda store: store.release(claim, server),
            lambda: self._own.claims.discard(claim.number),
        )

    def abandon_soon(self, job: int) -> None:
        """Remove a job whose input was cut off, when there is time."""
        self.free(lambda store: store.abandon(job), lambda: self._own.loading.discard(job))
