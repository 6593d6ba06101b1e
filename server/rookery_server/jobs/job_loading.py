"""A job whose input is read: its items are stored as they come."""

import hashlib
from collections.abc import Sequence

from rookery_server.config.resources import Quota
from rookery_server.jobs.job_store import MIB, JobStore
from rookery_server.jobs.store_thread import StoreThread
from rookery_server.jobs.stored_job import StoredJob

STEP = 1000  # items that are stored at once


class JobConflictError(Exception):
    """A key was used for another job, or its job is still being read; the text says which.

    `wait` is the time in seconds after which the same request may succeed; None is never.
    """

    def __init__(self, text: str, *, wait: int | None = None) -> None:
        super().__init__(text)
        self.wait = wait

    @classmethod
    def of_key(cls, job: StoredJob, differences: Sequence[str]) -> "JobConflictError":
        """Return the error of a key that was used for a job with other members."""
        members = " and ".join(f"`{name}`" for name in differences)
        return cls(
            f"the key of the request was used for job {job.id}, whose {members} differ: "
            "use another key"
        )


class JobLoading:
    """A job whose input is read; `job` is the former one if it was posted before.

    Then nothing is stored: the input is only compared with that of the former one.
    """

    def __init__(
        self, store: StoreThread, job: StoredJob, server: int, quota: Quota, *, is_new: bool
    ) -> None:
        self.job = job
        self.is_new = is_new
        self.total = 0
        self.is_submitted = False
        self._store = store
        self._server = server
        self._quota = quota
        self._waiting: list[str] = []
        self._digest = hashlib.sha256()

    @property
    def most(self) -> int:
        """The bytes that a body may have at the very most; `add` counts what there really is."""
        return self._quota.stored_mb * MIB

    async def add(self, inputs: Sequence[str]) -> None:
        """Store further items.

        Raises:
            JobConflictError: the job that was posted before has fewer.
            TooMuchError: they are more than the account may store.
            StoreError: the database cannot be used, or others have given this server up.

        """
        self.total += len(inputs)
        self._digest.update("".join(f"{each}\n" for each in inputs).encode())
        if not self.is_new:
            if self.total > self.job.total:
                raise JobConflictError.of_key(self.job, [self.job.kind])
            return
        self._waiting += inputs
        while len(self._waiting) >= STEP:
            await self._store_some()

    async def submit(self) -> StoredJob:
        """Let the job begin: its input is complete.

        Raises:
            JobConflictError: the job that was posted before has other items.
            TooMuchError: it is more than the account may store.
            StoreError: the database cannot be used, or others have given this server up.

        """
        digest = self._digest.hexdigest()
        if not self.is_new:
            # One of an older version has no digest.
            if self.total != self.job.total or self.job.digest not in (None, digest):
                raise JobConflictError.of_key(self.job, [self.job.kind])
            return self.job
        while self._waiting:
            await self._store_some()
        self.job = await self._store.run(JobStore.submit, self.job.number, self._server, digest)
        self.is_submitted = True
        return self.job

    async def _store_some(self) -> None:
        some, self._waiting = self._waiting[:STEP], self._waiting[STEP:]
        first = self.total - len(self._waiting) - len(some)
        await self._store.run(JobStore.append, self.job, self._server, first, some, self._quota)
