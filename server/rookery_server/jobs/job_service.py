"""The jobs of a server: what accounts may do with them, and the work at them.

`async with JobService(...) as service:` goes on with what earlier runs have left.  What an
account asks for is done in the database, whichever server works at the job.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType

from rookery_protocol.errors import ConfigError, RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.config.config import Config
from rookery_server.config.resources import Quota
from rookery_server.database.database import StoreError
from rookery_server.jobs.batch_search import engine_settings
from rookery_server.jobs.job_runner import JobRunner
from rookery_server.jobs.job_store import PAGE, JobStore
from rookery_server.jobs.store_thread import StoreThread
from rookery_server.jobs.stored_job import (
    JobCounts,
    JobStage,
    NewJob,
    StoredAmount,
    StoredJob,
)
from rookery_server.log import about
from rookery_server.manager import SessionManager
from rookery_uci import SetOption

logger = logging.getLogger(__name__)

BUSY_POLL, IDLE_POLL = 1.0, 5.0  # s from one look at the database to the next
SHOW_TIME = 5.0  # s from one sign of this server to the next; others wait for 30
PURGES = 100  # times that some of what was deleted is removed, until the next sign
STEP = 1000  # items that are stored at once
READING_POLL = 1  # s after which a request may come again whose first one is still being read
RATE_TIME = 60.0  # s over which the rate of a job is measured
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


class JobService:
    """The jobs of all accounts."""

    def __init__(self, config: Config, manager: SessionManager, url: str) -> None:
        self.counts = JobCounts()
        self._manager = manager
        self._file = Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:") else None
        self._store = StoreThread(url)
        self._runner = JobRunner(
            manager, self._store, config.jobs, self.counts, changed=self._job_changed
        )
        self._server: int | None = None  # the number of this run, once the database is open
        self._shown_at = 0.0
        self._opening = asyncio.Lock()
        self._woken = asyncio.Event()
        self._followers: dict[int, set[asyncio.Event]] = {}  # of the results of jobs
        self._rates: dict[int, _Progress] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "JobService":
        """Begin to work."""
        self._tasks = [
            asyncio.create_task(self._runner.run(), name="jobs"),
            asyncio.create_task(self._keep_up(), name="jobs of the database"),
        ]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        """Stop the work, and let other servers go on with it; a second call does nothing."""
        tasks, self._tasks = self._tasks, []
        if not tasks:
            return
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        if (server := self._server) is not None:
            with suppress(StoreError):
                await self._store.run(JobStore.remove_server, server)
        await self._store.close()
        for events in self._followers.values():
            for event in events:
                event.set()

    def reconfigure(self, config: Config) -> None:
        """Take another configuration."""
        self._runner.config = config.jobs

    @property
    def is_open(self) -> bool:
        """True until the server ends."""
        return bool(self._tasks)

    # --- new jobs

    def check(self, new: NewJob) -> None:
        """Check that an account may have an engine, and with these options.

        Raises:
            RefusedError: it may not; the code says what of it.

        """
        engine = self._manager.fleet.engine_for(new.account, new.engine)
        offer = self._manager.offer(engine, new.account)
        settings = engine_settings(new.settings)
        for name, value in settings.chosen().items():
            verdict = offer.review(SetOption(name, value))
            is_asked = name in dict(new.settings.options) or (
                name == "MultiPV" and new.settings.lines > 1
            )
            if is_asked and verdict.notice:
                raise RefusedError(verdict.notice.code, verdict.notice.text)
        try:
            settings.number("Threads")
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
        server = await self._open()
        quota = self._quota_of(new.account)
        amount = await self._store.run(JobStore.amount_of, new.account.name)
        known = None
        if new.request is not None:
            known = await self._store.run(JobStore.job_by_request, new)
        if known is None and amount.jobs >= quota.stored_jobs:
            raise TooMuchError(
                f"you have {amount.jobs} jobs, and may have {quota.stored_jobs}: delete one"
            )
        job, is_new = await self._store.run(JobStore.create, new, server)
        if not is_new:
            if not job.is_same(new):
                raise JobConflictError("the key of the request was used for another job")
            if job.stage is JobStage.LOADING:
                text = "the request with this key is still being read"
                raise JobConflictError(text, wait=READING_POLL)
        loading = JobLoading(self._store, job, is_new=is_new, quota=quota, amount=amount)
        try:
            yield loading
        finally:
            if is_new and not loading.is_submitted:
                self._store.submit(
                    lambda store: store.change_stage(
                        job.number, [JobStage.LOADING], JobStage.DELETED
                    )
                )
        if is_new:
            logger.info(
                "job %s of %s: %d %s",
                job.id, job.account.name, loading.total, job.kind,
                extra=about(job=job.id, account=job.account.name, engine=job.engine),
            )  # fmt: skip
            self._woken.set()

    def _quota_of(self, account: Account) -> Quota:
        now = asyncio.get_running_loop().time()
        return self._manager.scheduler.usage_of(account.name, account.role, now).quota

    # --- for accounts

    async def jobs_of(self, account: Account, limit: int = 100) -> list[StoredJob]:
        """Return the newest jobs of an account."""
        if not self._may_have_any:
            return []
        return await self._store.run(JobStore.jobs_of, account.name, limit)

    async def job_of(self, account: Account, id_: str) -> StoredJob | None:
        """Return a job of an account; None if it has none of that id."""
        if not self._may_have_any:
            return None
        return await self._store.run(JobStore.job_of, account.name, id_)

    def rate_of(self, job: StoredJob) -> tuple[float | None, float | None]:
        """Return the positions that are done in a second, and the seconds that are left."""
        progress = self._rates.get(job.number)
        if progress is None or job.stage is not JobStage.ACTIVE:
            return None, None
        positions, items = progress.rates()
        return positions, (job.total - job.done) / items if items else None

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
        await self._look()
        self._job_changed(job)

    async def results(
        self, job: StoredJob, after: int = -1, *, follow: bool = False, annotated: bool = False
    ) -> AsyncIterator[list[tuple[int, str]]]:
        """Yield the results of a job behind an item, some at a time, in the order of the items.

        Without `follow` they end before the first that is not there yet; with it they end when
        all are told, or the job is over.  While there are none, it yields none now and then, so
        that its user may end it.
        """
        event = asyncio.Event()
        followers = self._followers.setdefault(job.number, set())
        followers.add(event)
        try:
            async for found in self._results_until(job, after, event, follow, annotated):
                yield found
        finally:
            followers.discard(event)
            if not followers:
                self._followers.pop(job.number, None)

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
        for event in self._followers.get(job.number, ()):
            event.set()

    # --- the database

    @property
    def _may_have_any(self) -> bool:
        """False as long as no job was ever stored: no file is made to say so."""
        return self._server is not None or self._file is None or self._file.exists()

    async def _open(self) -> int:
        """Enter this run of the server into the database; return its number."""
        async with self._opening:
            if self._server is None:
                self._server = await self._store.run(JobStore.register_server)
                self._runner.server = self._server
                self._shown_at = 0.0  # At once: an earlier run may have left something.
            return self._server

    async def _keep_up(self) -> None:
        """Look at the database now and then."""
        while True:
            self._woken.clear()
            if self._may_have_any:
                try:
                    await self._show_and_clean()
                    await self._look()
                except StoreError as error:
                    self._runner.report_trouble(error)
            self.counts.database_errors = self._store.errors
            poll = BUSY_POLL if self.counts.waiting else IDLE_POLL
            with suppress(TimeoutError):
                async with asyncio.timeout(poll):
                    await self._woken.wait()

    async def _show_and_clean(self) -> None:
        """Show that this server is there, and remove what has expired, now and then."""
        server = await self._open()
        now = time.monotonic()
        if self._shown_at and now - self._shown_at < SHOW_TIME:
            return
        is_known, others = await self._store.run(JobStore.show_server, server)
        self._shown_at = now
        self._runner.is_alone = not others
        if not is_known:
            logger.warning("this server was given up by others: what it had begun is begun anew")
            self._server = None
            await self._open()
        await self._store.run(JobStore.expire)
        for job in await self._store.run(JobStore.unlimited_jobs):
            seconds = int(self._quota_of(job.account).keep_results)
            await self._store.run(JobStore.expire_at, job.number, seconds)
        for _ in range(PURGES):
            if not await self._store.run(JobStore.purge):
                break

    async def _look(self) -> None:
        """Learn of all jobs that there is work at."""
        jobs = await self._store.run(JobStore.active_jobs)
        self.counts.by_state = await self._store.run(JobStore.states)
        self.counts.waiting = sum(each.total - each.done for each in jobs)
        now = time.monotonic()
        self._rates = {each.number: self._rates.get(each.number, _Progress()) for each in jobs}
        for each in jobs:
            self._rates[each.number].add(now, each)
            self._job_changed(each)
        self._runner.update(jobs)


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
