"""A batch: items of one job that a server has claimed, and the answers to them so far."""

import asyncio
from concurrent.futures import Executor

from rookery_server.background.work import Batch, Work
from rookery_server.background.work_engine import WorkEngine
from rookery_server.database.database import StoreError
from rookery_server.jobs.batch_search import BatchSearcher
from rookery_server.jobs.job_claims import JobClaims
from rookery_server.jobs.job_items import ReadItems
from rookery_server.jobs.job_pace import JobPace
from rookery_server.jobs.stored_job import Claim, ItemResult, StoredJob


class JobBatch(Batch):
    """The items of a claim; `written` are those whose answers the database has."""

    def __init__(
        self,
        work: Work,
        job: StoredJob,
        claim: Claim,
        items: ReadItems,
        *,
        claims: JobClaims,
        pace: JobPace,
        reader: Executor,
    ) -> None:
        """Make a batch that is still to be searched.

        Args:
            work: the job, as workers see it.
            job: the job.
            claim: what was claimed of it.
            items: the same, as it was read.
            claims: those of this server.
            pace: that of the job.
            reader: reads answers, apart from the event loop.

        """
        super().__init__(work)
        self.job = job
        self.claim = claim
        self.items = items
        self.answers = list(items.answers)  # to games, and to what needs no engine
        self.written: set[int] = set()
        self._claims = claims
        self._pace = pace
        self._reader = reader

    async def search(self, engine: WorkEngine) -> None:
        """Search all items; what is found of them is in the batch at once."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        searcher = BatchSearcher(engine, self.job.settings.limits, self._reader)
        for pending in self.items.positions:
            if pending.is_open:
                self.answers += await searcher.search_positions(pending)
        for game in self.items.games:
            self.answers.append(await searcher.search_game(game))
        self._pace.learn(len(self.claim.items), loop.time() - began)

    def new_answers(self) -> list[ItemResult]:
        """Return the answers that are not written yet."""
        found = [each for each in self.answers if each.number not in self.written]
        known = self.written | {each.number for each in found}
        for pending in self.items.positions:
            found += pending.answers(known, self.job.engine)
        return found

    async def write(self, *, is_last: bool) -> None:
        """Write new answers, however long the database takes to work again."""
        loop = asyncio.get_running_loop()
        new = await loop.run_in_executor(self._reader, self.new_answers)
        while not self.is_lost and (new or is_last):
            try:
                is_ours = await self._claims.write(self.claim, new, is_last=is_last)
            except StoreError as error:
                await self._claims.trouble.wait_for_retry(error)
                continue
            if is_ours:
                self.written.update(each.number for each in new)
            else:
                self.is_lost = True
            return

    def release(self) -> None:
        """Let others have what is not answered."""
        self._claims.release_soon(self.claim)
