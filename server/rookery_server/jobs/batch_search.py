"""The search of batches: one engine at a time, as `rookery_analysis.worker` uses it."""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial

from rookery_analysis.analysed_game import AnalysedGame
from rookery_analysis.engine_conversation import FaultyEngineError
from rookery_analysis.engine_supply import EngineSettings
from rookery_analysis.worker import STARTS, PendingSearches, Worker
from rookery_protocol.errors import ConfigError
from rookery_protocol.legality import STANDARD
from rookery_server.access.account import Account
from rookery_server.analysis.session_engines import SessionEngines
from rookery_server.jobs.job_batch import JobBatch
from rookery_server.jobs.job_items import PendingJobGame, PendingPositions
from rookery_server.jobs.stored_job import ItemResult, JobSettings, StoredJob
from rookery_server.log import about
from rookery_server.manager import SessionManager
from rookery_uci import CHESS960, VARIANT

logger = logging.getLogger(__name__)

LONGEST_SEARCH = 86_400.0  # s of one position, where no quota says less
MARGIN = 60.0  # s beside such a quota, by which the session itself ends a search


def engine_settings(settings: JobSettings, patience: float = LONGEST_SEARCH) -> EngineSettings:
    """Return how an engine of a job is set up."""
    return EngineSettings(lines=settings.lines, options=settings.options, patience=patience)


class BatchSearcher:
    """The engine of one worker, and the search of its batches."""

    def __init__(self, manager: SessionManager, reader: Executor) -> None:
        self._manager = manager
        self._reader = reader
        self._worker: Worker | None = None
        self._source: tuple[Account, str, JobSettings] | None = None  # of the engine

    def release_engine(self) -> None:
        """End the engine, if there is one."""
        if self._worker:
            self._worker.release_engine()
        self._worker = self._source = None

    async def search(self, batch: JobBatch) -> None:
        """Search all that is in a batch; its answers are in it as they are found.

        Raises:
            ServerError: the engine cannot be had, or not with these options.
            FaultyEngineError: it did not start, several times.
            UnreachableEngineError: there is no room for it now, or it cannot be reached.

        """
        self._change_job(batch.job)
        for pending in batch.items.positions:
            if pending.is_open:
                batch.answers += await self._search_positions(pending)
        for game in batch.items.games:
            batch.answers.append(await self._search_game(game))

    def _change_job(self, job: StoredJob) -> None:
        """Use another engine, unless the present one will do."""
        source = job.account, job.engine, job.settings
        if self._worker and self._source == source:
            return
        self.release_engine()
        now = asyncio.get_running_loop().time()
        name, role = job.account.name, job.account.role
        quota = self._manager.scheduler.usage_of(name, role, now).quota
        patience = (quota.longest_search or LONGEST_SEARCH) + MARGIN
        engines = SessionEngines(
            self._manager, job.account, job.engine, engine_settings(job.settings, patience)
        )
        self._worker = Worker(
            engines, job.settings.limits, None, reader=self._reader, report=_log_report
        )
        self._source = source

    async def _search_positions(self, pending: PendingPositions) -> Sequence[ItemResult]:
        """Search positions; return the answers that are not in them."""
        while True:
            worker = await self._ready_worker()
            if why := _objection(worker, pending):
                return pending.refusals(why)
            if await worker.search(pending):
                return ()
            if worker.lost:
                raise worker.lost

    async def _search_game(self, game: PendingJobGame) -> ItemResult:
        while True:
            worker = await self._ready_worker()
            assert worker.engine
            name = worker.engine.conversation.identity.name
            if analysed := await worker.analyse(game):
                return await self._answer_to_game(game, analysed, name)
            if worker.lost:
                raise worker.lost

    async def _answer_to_game(
        self, game: PendingJobGame, analysed: AnalysedGame, engine: str
    ) -> ItemResult:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._reader, partial(game.final_answer, analysed, engine)
        )

    async def _ready_worker(self) -> Worker:
        """Return the worker, with an engine."""
        assert self._worker
        faults = 0
        while self._worker.engine is None:
            try:
                await self._worker.start_engine()
            except FaultyEngineError:
                faults += 1
                if faults >= STARTS:
                    raise
        return self._worker


def _objection(worker: Worker, pending: PendingSearches) -> str:
    """Return why an engine cannot play by the rules of some positions; "" if it can."""
    assert worker.engine
    conversation = worker.engine.conversation
    name = conversation.identity.name
    if pending.chess960 and not conversation.has_option(CHESS960):
        return f"{name} plays no Chess960"
    if pending.variant != STANDARD:
        try:
            conversation.setoption(VARIANT, pending.variant)
        except ConfigError:
            return f"{name} does not play {pending.variant!r}"
    return ""


def _log_report(sentence: str) -> None:
    logger.info("%s", sentence, extra=about())
