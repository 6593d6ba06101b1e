"""The upkeep of the jobs' database by one server: its sign of life, and the end of what is over."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from rookery_server.access.account import Account
from rookery_server.config.resources import Quota
from rookery_server.database.database import StoreError
from rookery_server.jobs.job_runner import JobRunner
from rookery_server.jobs.job_store import JobStore
from rookery_server.jobs.store_thread import StoreThread
from rookery_server.jobs.stored_job import JobCounts

logger = logging.getLogger(__name__)

BUSY_POLL, IDLE_POLL = 1.0, 5.0  # s from one look at the database to the next
SHOW_TIME = 5.0  # s from one sign of this server to the next; others wait for 30
PURGES = 100  # times that some of what was deleted is removed, until the next sign


class JobUpkeep:
    """The entry of this run of the server in the database; `run` keeps it until cancelled."""

    def __init__(
        self,
        store: StoreThread,
        runner: JobRunner,
        counts: JobCounts,
        quota_of: Callable[[Account], Quota],
        *,
        url: str,
    ) -> None:
        """Make the upkeep.

        Args:
            store: the database.
            runner: the workers, which are told the number of this run.
            counts: the numbers for the metrics.
            quota_of: returns the present quota of an account.
            url: the URL of the database.

        """
        self._store = store
        self._runner = runner
        self._counts = counts
        self._quota_of = quota_of
        self._file = Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:") else None
        self._server: int | None = None  # the number of this run, once the database is open
        self._shown_at = 0.0
        self._opening = asyncio.Lock()
        self._woken = asyncio.Event()

    @property
    def may_have_jobs(self) -> bool:
        """False as long as no job was ever stored: no file is made to say so."""
        return self._server is not None or self._file is None or self._file.exists()

    async def open(self) -> int:
        """Enter this run of the server into the database; return its number.

        Raises:
            StoreError: the database cannot be used.

        """
        async with self._opening:
            if self._server is None:
                self._server = await self._store.run(JobStore.register_server)
                self._runner.server = self._server
                self._shown_at = 0.0  # At once: an earlier run may have left something.
            return self._server

    async def release_all(self) -> None:
        """Let other servers go on with what this one has begun."""
        if (server := self._server) is not None:
            with suppress(StoreError):
                await self._store.run(JobStore.remove_server, server)

    def wake(self) -> None:
        """Look at the database now: there is a new job."""
        self._woken.set()

    async def run(self, look: Callable[[], Awaitable[None]]) -> None:
        """Keep the entry, and look at the jobs, now and then."""
        while True:
            self._woken.clear()
            if self.may_have_jobs:
                try:
                    await self._show_and_clean()
                    await look()
                except StoreError as error:
                    self._runner.report_trouble(error)
            self._counts.database_errors = self._store.errors
            poll = BUSY_POLL if self._counts.waiting else IDLE_POLL
            with suppress(TimeoutError):
                async with asyncio.timeout(poll):
                    await self._woken.wait()

    async def _show_and_clean(self) -> None:
        """Show that this server is there, and remove what has expired, now and then."""
        server = await self.open()
        now = time.monotonic()
        if self._shown_at and now - self._shown_at < SHOW_TIME:
            return
        is_known, others = await self._store.run(JobStore.show_server, server)
        self._shown_at = now
        self._runner.is_alone = not others
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
