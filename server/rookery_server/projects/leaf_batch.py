"""Leaves of a project that a worker searches, one after the other.

While one is searched the next waits with the engine, which goes on with it at once.  What was found
is stored meanwhile, and another leaf claimed with that: it is in reserve until the worker comes for
it.
"""

import asyncio
import logging
from concurrent.futures import Executor

from rookery_analysis.engine_conversation import (
    EngineConversation,
    FaultyEngineError,
    UnreachableEngineError,
)
from rookery_protocol.errors import ConfigError, ServerError
from rookery_server.background.work import Batch, Work
from rookery_server.background.work_engine import WorkEngine
from rookery_server.growth.finding import RefusedFindingError
from rookery_server.log import about
from rookery_server.projects.growth_claims import GrowthClaims
from rookery_server.projects.leaf_search import (
    limits_of,
    options_of,
    position_of,
    read_finding,
    spent_on,
)
from rookery_server.projects.stored_project import StoredProject
from rookery_server.projects.tree_growth import Claim, FinishedSearch, Growth
from rookery_uci.uci_client import UciSearch

logger = logging.getLogger(__name__)

TRIES = 2  # of a leaf, as of the positions of jobs: one failure may be an accident


class LeafQueue:
    """The leaves that one worker has, in their order; the first is searched.

    `is_lost`: the project does not grow any more.  `failure` is why the first could not be
    searched: then those behind it are not searched either, for they would grow another tree.
    """

    def __init__(self) -> None:
        self.is_lost = False
        self.failure: Exception | None = None
        self._batches: list[LeafBatch] = []
        self._reserve: list[Claim] = []
        self._conversation: EngineConversation | None = None  # that was asked for them

    @property
    def is_open(self) -> bool:
        """True if leaves may be added."""
        return not self.is_lost and self.failure is None

    def append(self, batch: "LeafBatch") -> None:
        """Add a leaf, and have the engine search it after the others."""
        self._batches.append(batch)
        if self._conversation:
            batch.request_search(self._conversation)

    def request_searches(self, conversation: EngineConversation) -> None:
        """Have an engine search all leaves, unless it was asked already."""
        if conversation is not self._conversation:
            self._conversation = conversation
            for each in self._batches:
                each.request_search(conversation)

    def remove(self, batch: "LeafBatch") -> None:
        """Remove a leaf that is stored or given up."""
        if batch in self._batches:
            self._batches.remove(batch)

    # --- the reserve

    @property
    def wanted(self) -> int:
        """The number of leaves to claim when the first is stored."""
        return 1 if len(self._batches) > 1 and not self._reserve else 0

    def add_reserve(self, growth: Growth) -> None:
        """Keep what was claimed when a leaf was stored."""
        self._reserve += growth.claims

    def next_reserve(self) -> Claim | None:
        """Return a leaf that was claimed; None if there is none."""
        return self._reserve.pop(0) if self._reserve else None

    def unused_reserve(self) -> list[Claim]:
        """Return what was claimed if the worker does not come for it."""
        unused = [] if self._batches and self.is_open else self._reserve
        self._reserve = [each for each in self._reserve if each not in unused]
        return unused


class LeafBatch(Batch):
    """One leaf."""

    gives_way = True

    def __init__(
        self,
        work: Work,
        project: StoredProject,
        claim: Claim,
        queue: LeafQueue,
        *,
        claims: GrowthClaims,
        reader: Executor,
        known: int | None = None,
    ) -> None:
        """Make a leaf that is still to be searched.

        Args:
            work: the project with one of its engines, as workers see it.
            project: the project.
            claim: of the leaf.
            queue: that of its worker.
            claims: those of this server.
            reader: reads answers, apart from the event loop.
            known: the value of the leaf by a tablebase; it is not searched then.

        """
        super().__init__(work)
        self.claim = claim
        self.queue = queue
        self._project = project
        self._claims = claims
        self._reader = reader
        self._answer: asyncio.Future[UciSearch] | None = None
        self._refusal: ConfigError | None = None
        self._faults = 0
        self._finished = None if known is None else FinishedSearch(claim.number, known)
        self._failure: str | None = None  # why no engine can search it

    def request_search(self, conversation: EngineConversation) -> None:
        """Have an engine search the leaf, when it has done what it was asked for before."""
        if self._finished:
            return
        leaf, root = self.claim.leaf, self._project.root
        try:
            options = options_of(leaf, root, conversation)
        except ConfigError as error:
            self._refusal = error
            return
        self._answer = conversation.search(
            position_of(leaf, root), limits_of(leaf), new_game=True, options=options
        )

    async def search(self, engine: WorkEngine) -> None:
        """Wait until the leaf is known, or has turned out to be one at which engines die."""
        if self.queue.failure:
            raise self.queue.failure
        try:
            while self._finished is None and not self.queue.is_lost:
                ready = await engine.acquire()
                self.queue.request_searches(ready.conversation)
                await self._read_answer(engine)
        except (FaultyEngineError, UnreachableEngineError, ServerError) as error:
            self.queue.failure = error
            raise
        finally:
            # Those behind it are of the same project.
            self.queue.is_lost |= self.is_lost
            self.is_lost |= self.queue.is_lost
            if self.is_lost:
                engine.release()  # It may be at the search of the next leaf.

    async def _read_answer(self, engine: WorkEngine) -> None:
        if self._refusal:
            raise self._refusal
        assert self._answer
        loop = asyncio.get_running_loop()
        claim, root = self.claim, self._project.root
        try:
            search = await self._answer
            finding = await loop.run_in_executor(
                self._reader, read_finding, search, claim.leaf, root, self.work.part
            )
        except FaultyEngineError as fault:
            engine.release()
            self._faults += 1
            if self._faults >= TRIES:
                self._give_leaf_up(str(fault))
        else:
            used = engine.cpu_seconds()
            spent = spent_on(search) * self.work.threads if used is None else round(1000 * used)
            self._finished = FinishedSearch(claim.number, finding, spent)

    def _give_leaf_up(self, why: str) -> None:
        text = "%s: node %d is not searched again: %s"
        fields = about(**self.work.fields)
        logger.warning(text, self.work, self.claim.leaf.number, why, extra=fields)
        self._finished, self._failure = FinishedSearch(self.claim.number, None), why

    async def write(self, *, is_last: bool) -> None:
        """Store what was found, and claim another leaf, however long the database takes."""
        if self.is_lost or not is_last or self._finished is None:
            return
        wanted = self.queue.wanted
        try:
            growth = await self._claims.advance(self._project, [self._finished], wanted)
        except RefusedFindingError as error:
            self._give_leaf_up(str(error))
            growth = await self._claims.advance(self._project, [self._finished], wanted)
        self.queue.remove(self)
        self.is_lost = growth is None or self.claim.number in growth.lost
        if growth:
            self.queue.add_reserve(growth)
        else:
            self.queue.is_lost = True
        self._claims.release_soon(self.queue.unused_reserve())
        if not self.is_lost:
            await self._claims.count_leaf(self._project, self._failure)

    def release(self) -> None:
        """Let others have the leaf, and what was claimed beside it."""
        self.queue.remove(self)
        self._claims.release_soon([self.claim, *self.queue.unused_reserve()])
