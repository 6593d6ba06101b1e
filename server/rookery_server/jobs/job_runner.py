"""The work at jobs: workers that claim items, search them in sessions, and write the answers.

Each worker has one session at a time.  While it is at a batch of about `BATCH_TIME`, the next
is claimed and read, so that its engine does not wait.  There are as many workers as there is
room beside the searches of clients; a worker ends after its batch when a client waits for an
engine.  What a server has claimed and not answered is free for others when it ends, or when it is
not heard of for a while.
"""

import asyncio
import gc
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from rookery_analysis.engine_conversation import FaultyEngineError, UnreachableEngineError
from rookery_protocol.backoff import Backoff
from rookery_protocol.engine_names import group_of
from rookery_protocol.errors import RefusedError, ServerError
from rookery_protocol.notices import Code
from rookery_server.analysis.session_engines import room_of
from rookery_server.config.sections import JobsConfig
from rookery_server.database.database import StoreError
from rookery_server.jobs.batch_search import BatchSearcher, engine_settings
from rookery_server.jobs.fair_share import FairShare
from rookery_server.jobs.job_batch import JobBatch
from rookery_server.jobs.job_items import read_items
from rookery_server.jobs.job_store import JobStore
from rookery_server.jobs.known_positions import KnownPositions
from rookery_server.jobs.store_thread import StoreThread
from rookery_server.jobs.stored_job import Claim, ItemResult, JobCounts, JobStage, StoredJob
from rookery_server.log import Repetition, about
from rookery_server.manager import SessionManager

logger = logging.getLogger(__name__)

BATCH_TIME = 2.0  # s of work in a batch; so much is lost when a server is killed
MOST_ITEMS = 2000  # of a batch
GROWTH = 8  # times that a batch may be larger than the one before
FLUSH_TIME = 1.0  # s from one write of a batch's answers to the next
RETRY = 1.0  # s until a database that has failed is tried again
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0  # s without an engine until one is asked for again
SWITCH_TIME = 0.0005  # s that a thread computes while another wants to
GARBAGE = 20_000  # new objects after which it is collected
START_TIME = 0.5  # s from one look for room to the next
_CLUSTER = "@"  # the place of engines of a Ray cluster; no group is called so


@dataclass(eq=False, slots=True)
class _Worker:
    """A worker's place, its engine, and the batch that it is at."""

    place: str  # the machines that have room for its engine
    searcher: BatchSearcher
    batch: JobBatch | None = None


@dataclass(slots=True)
class _Wait:
    """The time until an engine that could not be had is asked for again."""

    until: float = 0.0
    backoff: Backoff = field(
        default_factory=lambda: Backoff(first=FIRST_WAIT, longest=LONGEST_WAIT)
    )


@dataclass(slots=True)
class _Pace:
    """The items of a job that a worker does in a second, and the size of its last batch."""

    rate: float = 0.0
    size: int = 1

    def next_size(self) -> int:
        """Return how many items take about as long as a batch should."""
        wanted = int(self.rate * BATCH_TIME) if self.rate else 1
        self.size = max(1, min(wanted, MOST_ITEMS, GROWTH * self.size))
        return self.size

    def learn(self, items: int, seconds: float) -> None:
        """Record a batch."""
        rate = items / max(seconds, 0.001)
        self.rate = (self.rate + rate) / 2 if self.rate else rate


class JobRunner:
    """The workers of one server; `run` works until it is cancelled."""

    def __init__(
        self,
        manager: SessionManager,
        store: StoreThread,
        config: JobsConfig,
        counts: JobCounts,
        *,
        changed: Callable[[StoredJob], None],
    ) -> None:
        """Make a runner.

        Args:
            manager: opens the sessions.
            store: the database.
            config: the operator's bounds.
            counts: the numbers for the metrics.
            changed: is called when a job has new answers.

        """
        self._manager = manager
        self._store = store
        self.config = config
        self._counts = counts
        self._changed = changed
        self.server = 0  # the number of this run
        self.is_alone = True  # no other server works at jobs
        self._jobs: dict[int, StoredJob] = {}  # that have work
        self._workers: list[_Worker] = []  # the oldest first
        self._share = FairShare()
        self._paces: dict[int, _Pace] = {}
        self._waits: dict[tuple[str, str], _Wait] = {}  # by account and engine
        self._known = KnownPositions(manager)
        self._answers = ThreadPoolExecutor(1, "answers")
        self._group: asyncio.TaskGroup
        self._trouble = Repetition()  # with the database, in the log
        self._errors = Repetition()  # of ours, that are of no job
        self._is_ending = False

    async def run(self) -> None:
        """Work at jobs until this is cancelled, then let others have what is not done."""
        try:
            async with asyncio.TaskGroup() as self._group:
                try:
                    while True:
                        try:
                            self.start_workers()
                        except Exception:  # It would be the end of all jobs, unsaid.
                            self._report_error("at the start of jobs")
                        await asyncio.sleep(START_TIME)
                finally:
                    self._is_ending = True
        finally:
            self._answers.shutdown(wait=False)

    def update(self, jobs: Sequence[StoredJob]) -> None:
        """Learn which jobs there are to work at; stop the work at all others."""
        self._jobs = {each.number: each for each in jobs}
        self._share.update(jobs)
        for worker in self._workers:
            if worker.batch and worker.batch.job.number not in self._jobs:
                worker.batch.stop()
        self._paces = {number: pace for number, pace in self._paces.items() if number in self._jobs}
        self.start_workers()

    def start_workers(self) -> None:
        """Start as many workers as there is work and room for."""
        places = {self._place_of(each) for each in self._jobs.values() if each.has_work}
        for place in places:
            while self._has_room(place, self._count(place)) and self._choose(place, None):
                _favour_the_loop()
                worker = _Worker(place, BatchSearcher(self._manager, self._answers))
                self._workers.append(worker)
                self._counts.workers = len(self._workers)
                self._group.create_task(self._work(worker), name=f"job worker {len(self._workers)}")
                if self._count(place) > self._with_work(place):
                    break  # One more would find nothing to do, for a moment at least.

    # --- the choice

    def _place_of(self, job: StoredJob) -> str:
        """Return the machines whose room a job needs: this one's, a group's or a cluster's."""
        engine = self._manager.config.engine(job.engine)
        return _CLUSTER if engine and engine.ray else group_of(job.engine)

    def _count(self, place: str) -> int:
        return sum(worker.place == place for worker in self._workers)

    def _with_work(self, place: str) -> int:
        return sum(
            each.total - each.claimed + each.freed
            for each in self._jobs.values()
            if self._place_of(each) == place and each.has_work
        )

    def _has_room(self, place: str, others: int) -> bool:
        """Return whether there may be a worker at a place beside so many others."""
        manager = self._manager
        if self._is_ending or manager.is_draining or manager.scheduler.has_waiting_client:
            return False
        job = next((each for each in self._jobs.values() if self._place_of(each) == place), None)
        if job is None:
            return False
        room = room_of(manager, job.engine, engine_settings(job.settings).number("Threads"))
        room = min(room, self.config.workers or room)
        return others < room

    def _choose(self, place: str, current: int | None) -> StoredJob | None:
        now = time.monotonic()
        at_work = Counter(worker.batch.job.account.name for worker in self._workers if worker.batch)
        busy = {
            each.account.name
            for each in self._jobs.values()
            if at_work[each.account.name] >= self._most_workers_of(each)
        }
        jobs = [
            each
            for each in self._jobs.values()
            if each.has_work and self._place_of(each) == place and self._may_begin(each, now)
        ]
        return self._share.choose(jobs, current, busy)

    def _most_workers_of(self, job: StoredJob) -> int:
        """Return how many engines the account of a job may have at once."""
        now = asyncio.get_running_loop().time()
        account = job.account
        quota = self._manager.scheduler.usage_of(account.name, account.role, now).quota
        return max(1, quota.total.threads // engine_settings(job.settings).number("Threads"))

    def _may_begin(self, job: StoredJob, now: float) -> bool:
        """Return whether a job's engine may be asked for now."""
        wait = self._waits.get(_source_of(job))
        if wait and now < wait.until:
            return False
        try:
            self._manager.fleet.engine_for(job.account, job.engine)
        except RefusedError as error:
            # Another server may have it.
            return self.is_alone or error.notice.code is not Code.UNKNOWN_ENGINE
        return True

    def _put_off(self, job: StoredJob, why: Exception) -> None:
        """Ask for no such engine for a while."""
        wait = self._waits.setdefault(_source_of(job), _Wait())
        if not wait.until:
            logger.info("job %s waits: %s", job.id, why, extra=_fields(job))
        wait.until = time.monotonic() + wait.backoff.next_wait(1.0)

    # --- a worker

    async def _work(self, worker: _Worker) -> None:
        """Do batch after batch, as long as there is work and room."""
        following: asyncio.Task[JobBatch | None] | None = None
        try:
            batch = await self._next_batch(worker, None)
            while batch:
                worker.batch = batch
                following = self._group.create_task(
                    self._next_batch(worker, batch.job), name="next batch"
                )
                await self._do_batch(worker, batch)
                batch, following = await following, None
        except Exception:
            if worker.batch:
                self._report_bug(worker.batch.job, worker.batch.claim)
        finally:
            if following:
                following.add_done_callback(self._release_unbegun)
            worker.batch = None
            worker.searcher.release_engine()
            self._workers.remove(worker)
            self._counts.workers = len(self._workers)

    def _release_unbegun(self, task: "asyncio.Task[JobBatch | None]") -> None:
        if not task.cancelled() and not task.exception() and (batch := task.result()):
            self._release_soon(batch.claim)

    def _release_soon(self, claim: Claim | None) -> None:
        """Let others have a claim, even if this server ends now."""
        server = self.server
        if claim:
            self._store.free(
                lambda store: store.release(claim, server),
                lambda own: own.claims.discard(claim.number),
            )

    async def _next_batch(self, worker: _Worker, current: StoredJob | None) -> JobBatch | None:
        """Return the next batch; None if there is none, or after an error of ours."""
        try:
            return await self._find_batch(worker, current)
        except Exception:  # It would be the end of all jobs: this may be a task of the group.
            self._report_error("at the next batch")
            return None

    async def _find_batch(self, worker: _Worker, current: StoredJob | None) -> JobBatch | None:
        """Claim and read the next batch; None if there is no work or no room any more."""
        while self._has_room(worker.place, self._rank_of(worker)):
            job = self._choose(worker.place, current.number if current else None)
            if job is None:
                return None
            if claim := await self._claim(job):
                return await self._read_batch(job, claim)
            if job.number in self._jobs:  # It has no work, until the database says otherwise.
                self._jobs[job.number] = replace(job, claimed=job.total, freed=0)
        return None

    def _rank_of(self, worker: _Worker) -> int:
        """Return how many workers of the same place are older."""
        return [each for each in self._workers if each.place == worker.place].index(worker)

    async def _read_batch(self, job: StoredJob, claim: Claim) -> JobBatch | None:
        loop = asyncio.get_running_loop()
        try:
            items = await loop.run_in_executor(self._answers, read_items, job, claim)
            await self._known.add_known(job, items.positions)
        except Exception:
            self._report_bug(job, claim)
            return None
        return JobBatch(job, claim, items)

    def _report_error(self, where: str) -> None:
        """Log an error of ours, unless that was done a moment ago."""
        if text := self._errors.again(f"an error of the server {where}", time.monotonic()):
            logger.exception("%s", text)

    def _report_bug(self, job: StoredJob, claim: Claim) -> None:
        """Log an error of ours; the same items would most likely meet it again, so they wait."""
        logger.exception("an error of the server at job %s", job.id, extra=_fields(job))
        self._put_off(job, ServerError("an error of the server"))
        self._release_soon(claim)

    async def _claim(self, job: StoredJob) -> Claim | None:
        size = self._paces.setdefault(job.number, _Pace()).next_size()
        server = self.server
        try:
            claim = await self._store.run_to_end(
                lambda store: store.claim(job.number, server, size), self._release_soon
            )
        except StoreError as error:
            self.report_trouble(error)
            await asyncio.sleep(RETRY)
            return None
        if claim and claim.items and job.number in self._jobs:  # Until the database is asked again.
            end = max(job.claimed, claim.items[-1][0] + 1)
            self._jobs[job.number] = replace(job, claimed=end, freed=max(0, job.freed - 1))
        return claim

    def report_trouble(self, error: StoreError) -> None:
        """Log that the database has failed, unless that was logged a moment ago."""
        if text := self._trouble.again(f"jobs have no database: {error}", time.monotonic()):
            logger.warning("%s", text)

    async def _do_batch(self, worker: _Worker, batch: JobBatch) -> None:
        """Search a batch, and write its answers now and then, and at the end."""
        began = time.monotonic()
        batch.search = search = self._group.create_task(
            self._search(worker, batch), name="search batch"
        )
        try:
            while not search.done():
                await asyncio.wait({search}, timeout=FLUSH_TIME)
                if not search.done():
                    await self._write(batch, is_last=False)
        finally:
            search.cancel()
        is_whole = not search.cancelled() and search.result()
        seconds = time.monotonic() - began
        self._share.charge(batch.job, seconds)
        if is_whole:
            pace = self._paces.setdefault(batch.job.number, _Pace())
            pace.learn(len(batch.claim.items), seconds)
            self._waits.pop(_source_of(batch.job), None)
        else:
            worker.searcher.release_engine()  # It may still be at the search.
        await self._write(batch, is_last=is_whole)
        if not is_whole and not batch.is_lost:  # One that is lost may be another worker's by now.
            self._release_soon(batch.claim)

    async def _write(self, batch: JobBatch, *, is_last: bool) -> None:
        """Write new answers, however long the database takes to work again."""
        loop = asyncio.get_running_loop()
        new = await loop.run_in_executor(self._answers, batch.new_answers)
        server = self.server
        while not batch.is_lost and (new or is_last):
            try:
                job = await self._store.run(
                    JobStore.write_results, batch.claim, server, new, is_last=is_last
                )
            except StoreError as error:
                self.report_trouble(error)
                await asyncio.sleep(RETRY)
                continue
            self._trouble.over()
            if job is None:
                batch.stop()
                return
            self._note_written(batch, job, new)
            return

    def _note_written(self, batch: JobBatch, job: StoredJob, new: Sequence[ItemResult]) -> None:
        batch.written.update(each.number for each in new)
        self._counts.results += len(new)
        self._counts.errors += sum(each.is_error for each in new)
        if job.number in self._jobs:
            self._jobs[job.number] = job
        self._changed(job)

    async def _search(self, worker: _Worker, batch: JobBatch) -> bool:
        """Search all that is in a batch; return whether that could be done."""
        try:
            await worker.searcher.search(batch)
        except (UnreachableEngineError, FaultyEngineError) as error:
            self._put_off(batch.job, error)
            return False
        except ServerError as error:
            await self._fail(batch.job, str(error))
            return False
        except Exception:
            self._report_bug(batch.job, batch.claim)
            return False
        return True

    async def _fail(self, job: StoredJob, why: str) -> None:
        """End a job that can never be done."""
        logger.warning("job %s has failed: %s", job.id, why, extra=_fields(job))
        self._jobs.pop(job.number, None)
        try:
            await self._store.run(
                JobStore.change_stage, job.number, [JobStage.ACTIVE], JobStage.FAILED, why
            )
        except StoreError as error:  # It is tried again, and fails again.
            self.report_trouble(error)
        self._changed(job)


def _favour_the_loop() -> None:
    """Have the thread that reads answers give way to the loop, which keeps engines busy, sooner.

    As in the command that analyses files, where both were measured.
    """
    sys.setswitchinterval(SWITCH_TIME)
    gc.set_threshold(GARBAGE)


def _source_of(job: StoredJob) -> tuple[str, str]:
    return job.account.name, job.engine


def _fields(job: StoredJob) -> Mapping[str, object]:
    """Return the fields of a job in each event of the log."""
    return about(job=job.id, account=job.account.name, engine=job.engine)
