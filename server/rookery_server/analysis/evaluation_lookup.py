"""The cache of analyses of a server, for the analysis of games.

What sessions have searched need not be searched again, and what is found here is stored for
them.  If the database fails, that is reported once, and the job goes on without it.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from rookery_analysis.engine_supply import ReadyEngine
from rookery_analysis.evaluation import PositionEvaluation, choose_evaluation
from rookery_protocol.errors import ServerError
from rookery_server.analysis.hosted_engines import HostedEngine
from rookery_server.cache.cache_query import CacheQuery, keys_of
from rookery_server.cache.question import question_of
from rookery_server.config.engines import Policy
from rookery_server.config.sections import CacheConfig, database_url
from rookery_server.engines.offered_options import OfferedOptions
from rookery_uci import CHESS960, Limits, Position
from rookery_uci import key_of as name_of

LOCAL = "local"  # the account of a job on its own machine


class EvaluationLookup:
    """The database of analyses, in a thread of its own."""

    def __init__(
        self,
        config: CacheConfig,
        limits: Limits,
        options: dict[str, str],
        report: Callable[[str], None],
    ) -> None:
        """Open the database.

        Raises:
            ServerError: it cannot be used.

        """
        # Only here, because it takes 0.3 s and 28 MB, and most jobs have no cache.
        from rookery_server.cache.evaluation_store import EvaluationStore

        self._config = config
        self._limits = limits
        self._options = {name_of(name): value for name, value in options.items()}
        self._report = report
        self._works = True
        self._thread = ThreadPoolExecutor(1, "cache")
        self._store = self._thread.submit(
            EvaluationStore, database_url(config, os.environ)
        ).result()

    def close(self) -> None:
        """Close the database."""
        self._thread.submit(self._store.close).result()
        self._thread.shutdown()

    async def look_up(
        self, engine: ReadyEngine, positions: Sequence[Position], *, chess960: bool
    ) -> dict[int, PositionEvaluation]:
        """Return stored evaluations that are at least as good as the search would be."""
        found: dict[int, PositionEvaluation] = {}

        def find_all() -> None:
            queries = {
                index: query
                for index, position in enumerate(positions)
                if (query := self._query(engine, position, chess960=chess960))
            }
            keys = dict(zip(queries, keys_of(list(queries.values())), strict=True))
            known = self._store.evaluations_of_all({key for key in keys.values() if key})
            for index, key in keys.items():
                wanted = queries[index].question.lines
                good = (
                    each
                    for each in known.get(key or "", ())
                    if each.is_enough(self._limits, wanted)
                )
                if best := choose_evaluation(good, wanted):
                    found[index] = best

        await self._attempt(find_all)
        return found

    async def store(
        self, engine: ReadyEngine, searched: Sequence[tuple[Position, bytes]], *, chess960: bool
    ) -> None:
        """Store what is worth it by the configuration."""
        if not self._config.is_worth_asking(self._limits) or not searched:
            return

        def write_rows() -> None:
            rows = []
            for position, said in searched:
                if query := self._query(engine, position, chess960=chess960):
                    rows.append(query.evaluation(said, self._config.least_depth))
            self._store.store_rows([row for row in rows if row], {}, self._config.rows)

        await self._attempt(write_rows)

    # --- private

    async def _attempt(self, action: Callable[[], None]) -> None:
        if not self._works:
            return
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, action)
        except (ServerError, OSError) as error:
            self._works = False
            self._report(f"the cache is not used any more: {error}")

    def _query(
        self, engine: ReadyEngine, position: Position, *, chess960: bool
    ) -> CacheQuery | None:
        if not isinstance(engine, HostedEngine):
            return None
        chosen = self._options | {CHESS960: str(chess960).lower()}
        offer = OfferedOptions(engine.conversation.identity, Policy())
        question = question_of(self._limits, position, offer, chosen)
        account = "" if self._config.shared else LOCAL
        return CacheQuery(question, engine.build, account) if question else None
