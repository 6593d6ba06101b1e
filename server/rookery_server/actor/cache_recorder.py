"""The part that sessions have in the cache: what is searched is kept, and known answers are told.

The search begins at once, whatever the cache knows.  While it looks, what the engine
says stays in its pipe, for a moment at most, so that what is known is heard first.  It is told
only to a client that is there and reads; it is owed to none.
"""

import asyncio

from rookery_analysis.evaluation import PositionEvaluation
from rookery_server.actor.engine_holder import EngineHolder
from rookery_server.cache.cache_query import CacheQuery
from rookery_server.cache.cache_service import CacheService
from rookery_server.config.sections import CacheConfig
from rookery_server.engines.engine_build import Build
from rookery_server.engines.running_engine import RunningEngine
from rookery_server.session.commands import RUNNING
from rookery_server.session.line_buffers import SearchLog


class CacheRecorder:
    """The questions and answers of all sessions of a server."""

    def __init__(self, config: CacheConfig, keeper: CacheService) -> None:
        self.config = config
        self._keeper = keeper
        self._loop = asyncio.get_running_loop()

    def search_began(self, actor: EngineHolder, engine: RunningEngine) -> None:
        """Ask the cache for the position of a search that begins with this engine."""
        session = actor.session
        actor.query = session.log = None
        if not actor.wants_cache or not self.config.is_worth_asking(session.go.limits):
            return
        if (question := session.setup.question(session.go.limits)) is None or (
            answer := actor.pool.answer
        ) is None:
            return
        build = Build(answer.name, engine.words, engine.files)
        account = "" if self.config.shared else actor.account.name
        actor.query = query = CacheQuery(question, build, account)
        session.log = log = SearchLog()
        if not actor.hears_known:
            return
        flow = actor.flow

        def reply(lines: bytes) -> None:
            late.cancel()
            if actor.query is query and session.state in RUNNING:
                flow.send_known(PositionEvaluation.for_client_later(lines, log.newest()))
            flow.resume_engine_if_read()

        late = self._loop.call_later(self.config.patience, flow.resume_engine_if_read)
        if self._keeper.look_up(query, reply):
            flow.pause_engine()
        else:
            late.cancel()

    def search_ended(self, actor: EngineHolder, seconds: float) -> None:
        """Keep what a search has found that took so long, if it is worth it."""
        query, log = actor.query, actor.session.log
        actor.query = actor.session.log = None
        if not query or not log or not actor.wants_cache:
            return
        if seconds >= self.config.least_seconds and (said := log.newest()):
            self._keeper.store(query, said)
