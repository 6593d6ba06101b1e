"""A job whose input is read: its items are stored as they come."""

from collections.abc import Sequence

from rookery_server.config.resources import Quota
from rookery_server.jobs.job_store import JobStore
from rookery_server.jobs.store_thread import StoreThread
from rookery_server.jobs.stored_job import StoredAmount, StoredJob

STEP = 1000  # items that are stored at once
MIB = 1 << 20


class JobConflictError(Exception):
    """A key was used for another job, or its job is still being read; the text says which.

    `wait` is the time in seconds after which the same request may succeed; None is never.
    """

    def __init__(self, text: str, *, wait: int | None = None) -> None:
        super().__init__(text)
        self.wait = wait


class TooMuchError(Exception):
    """A job has more than its account may store; the text says of what."""


class JobLoading:
    """A job whose input is read; `job` is the former one if it was posted before."""

    def __init__(
        self,
        store: StoreThread,
        job: StoredJob,
        *,
        is_new: bool,
        quota: Quota,
        amount: StoredAmount,
    ) -> None:
        self.job = job
        self.is_new = is_new
        self.total = 0
        self.is_submitted = False
        self._store = store
        self._quota = quota
        self._amount = amount
        self._size = 0
        self._waiting: list[str] = []

    @property
    def room(self) -> int:
        """The bytes that may follow."""
        return max(0, self._quota.stored_mb * MIB - self._amount.size - self._size)

    async def add(self, inputs: Sequence[str]) -> None:
        """Store further items.

        Raises:
            TooMuchError: they are more than the account may store.
            StoreError: the database cannot be used.

        """
        self.total += len(inputs)
        self._size += sum(map(len, inputs))
        most = self._quota.stored_positions
        if self._amount.items + self.total > most:
            before = f", and {self._amount.items} are stored" if self._amount.items else ""
            raise TooMuchError(f"you may store {most} positions{before}")
        if self._size + self._amount.size > self._quota.stored_mb * MIB:
            raise TooMuchError(f"you may store {self._quota.stored_mb} MiB of positions and games")
        self._waiting += inputs
        while len(self._waiting) >= STEP:
            await self._store_some()

    async def submit(self) -> StoredJob:
        """Let the job begin: its input is complete.

        Raises:
            StoreError: the database cannot be used.

        """
        while self._waiting:
            await self._store_some()
        number, total, size = self.job.number, self.total, self._size
        self.job = await self._store.run(JobStore.submit, number, total, size)
        self.is_submitted = True
        return self.job

    async def _store_some(self) -> None:
        some, self._waiting = self._waiting[:STEP], self._waiting[STEP:]
        first = self.total - len(self._waiting) - len(some)
        number = self.job.number
        await self._store.run(JobStore.append, number, first, some)
