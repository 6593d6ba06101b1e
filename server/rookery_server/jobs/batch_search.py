"""The search of a batch's positions and games, as `rookery_analysis.worker` does it."""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial

from rookery_analysis.analysed_game import AnalysedGame
from rookery_analysis.worker import PendingSearches, Worker
from rookery_protocol.errors import ConfigError
from rookery_protocol.legality import STANDARD
from rookery_server.background.work_engine import WorkEngine
from rookery_server.jobs.job_items import PendingJobGame, PendingPositions
from rookery_server.jobs.stored_job import ItemResult
from rookery_server.log import about
from rookery_uci import CHESS960, VARIANT, Limits

logger = logging.getLogger(__name__)


class BatchSearcher:
    """The search of one batch, with one engine after the other if need be."""

    def __init__(self, engine: WorkEngine, limits: Limits, reader: Executor) -> None:
        """Make a searcher.

        Args:
            engine: that of a worker, set up for the job.
            limits: of the search of each position.
            reader: reads answers, apart from the event loop.

        """
        self._worker = Worker(engine, limits, None, reader=reader, report=_log_report)
        self._reader = reader

    async def search_positions(self, pending: PendingPositions) -> Sequence[ItemResult]:
        """Search positions; return the answers that are not in them.

        Raises:
            ServerError: the engine cannot be had, or not with these options.
            FaultyEngineError: it did not start, several times.
            UnreachableEngineError: there is no room for it now, or it cannot be reached.

        """
        while True:
            worker = await self._ready_worker()
            if why := _objection(worker, pending):
                return pending.refusals(why)
            if await worker.search(pending):
                return ()
            if worker.lost:
                raise worker.lost

    async def search_game(self, game: PendingJobGame) -> ItemResult:
        """Search a game; return its answer.  It fails as `search_positions` does."""
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
        if self._worker.engine is None:
            await self._worker.start_engine()
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
