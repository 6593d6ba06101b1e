"""Lets the cache know what is searched, and clients what it knows.

The search begins at once, whatever the cache knows.  While it looks, what the engine
says stays in its pipe, for a moment at most, so that what is known is heard first.  What
is told so is for those who are there and listen; it is owed to nobody.
"""

import asyncio

from rookery_analysis.evaluation import Evaluation
from rookery_server.cache.cache_service import Keeper, Query
from rookery_server.config.cache import CacheConfig
from rookery_server.engines.engine_build import Build
from rookery_server.session.actor import Relay
from rookery_server.session.search_log import Record
from rookery_server.session.state import RUNNING


class Recorder:
    """Asks the keeper when a search begins, and tells it when one is over."""

    def __init__(self, config: CacheConfig, keeper: Keeper) -> None:
        self.config = config
        self._keeper = keeper
        self._loop = asyncio.get_running_loop()

    def began(self, relay: Relay, build: Build) -> None:
        """Take note of a search that has begun, with an engine of that build."""
        relay.query = relay.session.record = None
        if not relay.wants_cache or not self.config.is_worth_asking(relay.session.limits):
            return
        question = relay.session.question()
        if question is None:
            return
        account = "" if self.config.shared else relay.account.name
        query, record = Query(question, build, account), Record()
        relay.query, relay.session.record = query, record
        self._ask(relay, query, record)

    def over(self, relay: Relay, seconds: float) -> None:
        """Take note that a search has ended, which took so long."""
        query, record = relay.query, relay.session.record
        relay.query = relay.session.record = None
        if not query or not record or not relay.wants_cache:
            return
        if seconds >= self.config.least_seconds and (said := record.newest()):
            self._keeper.keep(query, said)

    def _ask(self, relay: Relay, query: Query, record: Record) -> None:
        def reply(lines: bytes) -> None:
            late.cancel()
            if relay.query is query and relay.session.state in RUNNING:
                relay.tell_known(Evaluation.told_late(lines, record.newest()))
            relay.flow.hear_engine()

        late = self._loop.call_later(self.config.patience, relay.flow.hear_engine)
        if self._keeper.ask(query, reply):
            relay.flow.hush_engine()
        else:
            late.cancel()
