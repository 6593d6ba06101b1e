"""The workers of one server: each has an engine, and does batch after batch of work.

While a worker searches a batch, the next is claimed and read, so that its engine does not wait.
There are as many workers as there is room beside the searches of clients; a worker ends after
its batch when a client waits for an engine, or before that if the search of the batch takes long.
"""

import asyncio
import gc
import logging
import sys
import time
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass

from rookery_analysis.engine_conversation import FaultyEngineError, UnreachableEngineError
from rookery_protocol.errors import ServerError
from rookery_server.background.work import Batch, Work, WorkSource
from rookery_server.background.work_agenda import WorkAgenda
from rookery_server.background.work_engine import WorkEngine
from rookery_server.log import Repetition, about
from rookery_server.manager import SessionManager
from rookery_server.task_service import TaskService

logger = logging.getLogger(__name__)

GIVE_WAY_TIME = 2.0  # s after which a long search is given up for a client that waits
FLUSH_TIME = 1.0  # s from one write of what a batch has found to the next
SWITCH_TIME = 0.0005  # s that a thread computes while another wants to
GARBAGE = 20_000  # new objects after which it is collected
START_TIME = 0.5  # s from one look for room to the next


@dataclass(eq=False, slots=True)
class _Worker:
    """A worker's place, its engine, and the batch that it is at."""

    place: str  # the machines that have room for its engine
    engine: WorkEngine
    batch: Batch | None = None
    next_work: Work | None = None  # of which a batch is claimed meanwhile
    search: "asyncio.Task[bool] | None" = None  # of that batch
    gave_way: bool = False  # its engine was given up for a client

    @property
    def current_work(self) -> Work | None:
        return self.batch.work if self.batch else None

    def stop(self) -> None:
        """Search the batch no more: nothing that is found would be written."""
        if self.batch:
            self.batch.is_lost = True
        if self.search:
            self.search.cancel()


class WorkRunner(TaskService):
    """The workers of one server, from `async with` to its end."""

    def __init__(self, manager: SessionManager, most_workers: int | None = None) -> None:
        """Make a runner without any work.

        Args:
            manager: opens the sessions of engines.
            most_workers: that there may be at once; None is as many as there is room for.

        """
        super().__init__()
        self._manager = manager
        self._agenda = WorkAgenda(manager, most_workers)
        self._workers: list[_Worker] = []  # the oldest first
        self._group: asyncio.TaskGroup
        self._woken = asyncio.Event()
        self._errors = Repetition()  # of ours, that are of no work
        self._is_ending = False

    def _loops(self) -> Mapping[str, Coroutine[None, None, None]]:
        return {"work of low priority": self._run()}

    def add_source(self, source: WorkSource) -> None:
        """Do the works of a source, too."""
        self._agenda.add_source(source)

    def reconfigure(self, most_workers: int | None) -> None:
        """Have another number of workers from now on."""
        self._agenda.most_workers = most_workers

    def update(self) -> None:
        """Learn from the sources which works there are; stop all work at others."""
        self._agenda.update()
        works = self._agenda.works()
        for worker in self._workers:
            current = worker.current_work
            if current and not any(each.is_same(current) for each in works):
                worker.stop()
        self._woken.set()

    def start_workers(self) -> None:
        """Start as many workers as there is work and room for."""
        for place in self._agenda.places():
            while self._has_room(place, self._count(place)) and self._choose(place):
                _favour_the_loop()
                worker = _Worker(place, WorkEngine(self._manager))
                self._workers.append(worker)
                name = f"worker {len(self._workers)}"
                self._group.create_task(self._work(worker), name=name)
                if self._count(place) > self._agenda.units_at(place):
                    break  # One more would find nothing to do, for a moment at least.

    async def _run(self) -> None:
        """Look for work until this is cancelled."""
        async with asyncio.TaskGroup() as self._group:
            try:
                while True:
                    self._woken.clear()
                    try:
                        self.start_workers()
                    except Exception:  # It would be the end of all work, unsaid.
                        self._report_error("at the start of work")
                    with suppress(TimeoutError):
                        async with asyncio.timeout(START_TIME):
                            await self._woken.wait()
            finally:
                self._is_ending = True

    # --- the choice

    def _count(self, place: str) -> int:
        return sum(worker.place == place for worker in self._workers)

    def _rank_of(self, worker: _Worker) -> int:
        """Return how many workers of the same place are older."""
        return [each for each in self._workers if each.place == worker.place].index(worker)

    def _has_room(self, place: str, others: int) -> bool:
        return not self._is_ending and self._agenda.has_room(place, others)

    def _choose(self, place: str, worker: _Worker | None = None) -> Work | None:
        """Return the work whose turn it is at a worker; None is a new one."""
        works = [
            each.next_work or each.current_work for each in self._workers if each is not worker
        ]
        current = worker.current_work if worker else None
        return self._agenda.choose(place, current, [each for each in works if each])

    # --- a worker

    async def _work(self, worker: _Worker) -> None:
        """Do batch after batch, as long as there is work and room."""
        following: asyncio.Task[Batch | None] | None = None
        try:
            batch = await self._next_batch(worker)
            while batch:
                worker.batch, worker.search = batch, None
                self._count_workers()
                following = self._group.create_task(self._next_batch(worker), name="next batch")
                await self._do_batch(worker, batch)
                if worker.gave_way:
                    break
                batch, following = await following, None
                # What was found may be the beginning of more.
                batch = batch or await self._next_batch(worker)
        except Exception:
            if worker.batch:
                self._report_bug(worker.batch.work)
                worker.batch.release()
        finally:
            if following:
                following.add_done_callback(_release_unbegun)
            worker.engine.release()
            self._workers.remove(worker)
            self._count_workers()

    async def _next_batch(self, worker: _Worker) -> Batch | None:
        """Return the next batch; None if there is none, or after an error of ours."""
        try:
            return await self._claim_batch(worker)
        except Exception:  # It would be the end of all work: this may be a task of the group.
            self._report_error("at the next batch")
            return None

    async def _claim_batch(self, worker: _Worker) -> Batch | None:
        """Claim and read the next batch; None if there is no work or no room any more."""
        while self._has_room(worker.place, self._rank_of(worker)):
            worker.next_work = work = self._choose(worker.place, worker)
            if work is None:
                return None
            try:
                if batch := await self._agenda.sources[work.kind].claim(work, worker.batch):
                    return batch
            except Exception:
                self._report_bug(work)
        return None

    async def _do_batch(self, worker: _Worker, batch: Batch) -> None:
        """Search a batch, and write what it finds now and then, and at the end."""
        began = time.monotonic()
        search = self._group.create_task(self._search(worker, batch), name="search batch")
        worker.search = search
        try:
            while not search.done():
                await asyncio.wait({search}, timeout=FLUSH_TIME)
                if not search.done():
                    await batch.write(is_last=False)
                    worker.gave_way = (
                        batch.gives_way
                        and time.monotonic() - began >= GIVE_WAY_TIME
                        and self._agenda.is_in_the_way(batch.work)
                    )
                    if batch.is_lost or worker.gave_way:
                        search.cancel()
                        break
        finally:
            search.cancel()
        await asyncio.wait({search})
        is_whole = not search.cancelled() and search.result()
        self._agenda.charge(batch.work, time.monotonic() - began)
        if is_whole:
            self._agenda.waits.end(batch.work)
        else:
            worker.engine.release()  # It may still be at the search.
        await batch.write(is_last=is_whole)
        if not is_whole and not batch.is_lost:  # One that is lost may be another worker's by now.
            batch.release()

    async def _search(self, worker: _Worker, batch: Batch) -> bool:
        """Search all that is in a batch; return whether that could be done."""
        work = batch.work
        try:
            worker.engine.set_up_for(work.account, work.engine, work.settings)
            await batch.search(worker.engine)
        except (UnreachableEngineError, FaultyEngineError) as error:
            if self._agenda.waits.add_for_engine(work, time.monotonic()):
                self._log_wait(work, error)
            return False
        except ServerError as error:
            await self._agenda.sources[work.kind].fail(work, str(error))
            return False
        except Exception:
            self._report_bug(work)
            return False
        return True

    def _count_workers(self) -> None:
        """Tell the sources how many workers are at their works."""
        current = [each.current_work for each in self._workers]
        for kind, source in self._agenda.sources.items():
            source.counts.workers = sum(each is not None and each.kind == kind for each in current)

    # --- errors of ours

    def _report_error(self, where: str) -> None:
        """Log an error of ours, unless that was done a moment ago."""
        if text := self._errors.again(f"an error of the server {where}", time.monotonic()):
            logger.exception("%s", text)

    def _report_bug(self, work: Work) -> None:
        """Log an error of ours; the work would most likely meet it again, so it waits."""
        logger.exception("an error of the server at %s", work, extra=about(**work.fields))
        if self._agenda.waits.add(work, time.monotonic()):
            self._log_wait(work, ServerError("an error of the server"))

    def _log_wait(self, work: Work, why: Exception) -> None:
        logger.info("%s waits: %s", work, why, extra=about(**work.fields))


def _release_unbegun(task: "asyncio.Task[Batch | None]") -> None:
    if not task.cancelled() and not task.exception() and (batch := task.result()):
        batch.release()


def _favour_the_loop() -> None:
    """Have the thread that reads answers give way to the loop, which keeps engines busy, sooner.

    As in the command that analyses files, where both were measured.
    """
    sys.setswitchinterval(SWITCH_TIME)
    gc.set_threshold(GARBAGE)
