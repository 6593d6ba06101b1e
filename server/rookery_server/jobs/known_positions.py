"""The positions of jobs that the cache knows as well as a search would.

They are looked up while a batch before them is searched, some at a time, so that no engine and
no client waits for that.  Games are searched as a whole.
"""

import asyncio
from collections.abc import Sequence

from rookery_analysis.analysed_game import PositionAnalysis
from rookery_analysis.evaluation import PositionEvaluation, choose_evaluation
from rookery_protocol.errors import RefusedError
from rookery_protocol.legality import STANDARD
from rookery_server.cache.cache_query import CacheQuery
from rookery_server.cache.cache_service import CacheService
from rookery_server.cache.question import question_of
from rookery_server.jobs.job_items import PendingPositions
from rookery_server.jobs.stored_job import StoredJob
from rookery_server.manager import SessionManager
from rookery_uci import CHESS960, VARIANT, key_of

TOGETHER = 32  # positions that are looked up at once: clients wait for their turn
PATIENCE = 1.0  # s with so many, after which the rest of a batch is searched


class KnownPositions:
    """The positions of jobs in the cache of one server."""

    def __init__(self, manager: SessionManager) -> None:
        self._manager = manager

    async def add_known(self, job: StoredJob, groups: Sequence[PendingPositions]) -> None:
        """Find what is known of positions: they have it as if it had been searched."""
        keeper, recorder = self._manager.keeper, self._manager.recorder
        limits, lines = job.settings.limits, job.settings.lines
        if not (keeper and recorder and recorder.config.is_worth_asking(limits)):
            return
        owner = "" if recorder.config.shared else job.account.name
        for pending in groups:
            queries = self._queries(job, pending, owner)
            for first in range(0, len(queries), TOGETHER):
                some = queries[first : first + TOGETHER]
                known = await _look_up(keeper, [query for _, query in some])
                if known is None:
                    return
                for (index, _), evaluations in zip(some, known, strict=True):
                    good = (each for each in evaluations if each.is_enough(limits, lines))
                    if best := choose_evaluation(good, lines):
                        pending.found[index] = _analysis_of(best)

    def _queries(
        self, job: StoredJob, pending: PendingPositions, owner: str
    ) -> list[tuple[int, CacheQuery]]:
        """Return the questions of positions, by their index; none if there is no use in asking."""
        manager, account = self._manager, job.account
        if not manager.quota_of(account).cache:
            return []
        try:
            engine = manager.fleet.engine_for(account, job.engine)
            offer = manager.offer(engine, account)
        except RefusedError:
            return []
        if (build := manager.fleet.pool(engine.name).build) is None:
            return []
        chosen = {
            key_of(name): value for name, value in job.settings.engine_settings.chosen().items()
        }
        chosen[CHESS960] = str(pending.chess960).lower()
        if pending.variant != STANDARD:
            chosen[VARIANT] = pending.variant
        found = []
        for index, position in enumerate(pending.positions()):
            question = question_of(job.settings.limits, position, offer, chosen)
            if question and not pending.is_over(index):
                board = pending.items[index].requested.board
                found.append((index, CacheQuery(question, build, owner, board)))
        return found


async def _look_up(
    keeper: CacheService, queries: Sequence[CacheQuery]
) -> list[list[PositionEvaluation]] | None:
    """Return the evaluations that answer each query; None if the cache is of no use now."""
    answer: asyncio.Future[list[list[PositionEvaluation]]]
    answer = asyncio.get_running_loop().create_future()

    def reply(found: list[list[PositionEvaluation]]) -> None:
        if not answer.done():
            answer.set_result(found)

    if not keeper.find_each(queries, reply):
        return None
    try:
        async with asyncio.timeout(PATIENCE):
            return await answer
    except TimeoutError:
        return None


def _analysis_of(known: PositionEvaluation) -> PositionAnalysis:
    best, *following = known.lines[0].pv
    return PositionAnalysis(known, best, following[0] if following else None)
