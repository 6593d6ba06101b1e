"""The works of all sources, and which of them a worker may begin now.

Workers at engines of this machine, of each group of machines that have joined, and of a Ray
cluster each have a room of their own, which is what clients leave.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence

from rookery_protocol.engine_names import group_of
from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.analysis.session_engines import room_of
from rookery_server.background.fair_share import FairShare
from rookery_server.background.work import Work, WorkSource
from rookery_server.background.work_waits import WorkWaits
from rookery_server.manager import SessionManager

_CLUSTER = "@"  # the place of engines of a Ray cluster; no group is called so


class WorkAgenda:
    """The works of one server."""

    def __init__(self, manager: SessionManager, most_workers: int | None) -> None:
        """Make an agenda without sources.

        Args:
            manager: opens the sessions of engines.
            most_workers: that there may be at a place; None is as many as there is room for.

        """
        self.most_workers = most_workers
        self.waits = WorkWaits()
        self._manager = manager
        self._sources: dict[str, WorkSource] = {}
        self._share = FairShare()

    @property
    def sources(self) -> Mapping[str, WorkSource]:
        """The sources, by the kinds of their works."""
        return self._sources

    def add_source(self, source: WorkSource) -> None:
        """Add a source."""
        self._sources[source.kind] = source

    def update(self) -> None:
        """Learn which works there are."""
        works = self.works()
        self._share.update(works)
        self.waits.keep_only(works)

    def works(self) -> list[Work]:
        """Return all works that are not over."""
        return [work for source in self._sources.values() for work in source.works()]

    def places(self) -> set[str]:
        """Return the places at which there is something to do."""
        return {self._place_of(each) for each in self.works() if each.units}

    def units_at(self, place: str) -> int:
        """Return how many batches may be claimed at a place, as far as is known."""
        return sum(each.units for each in self.works() if self._place_of(each) == place)

    def has_room(self, place: str, others: int) -> bool:
        """Return whether there may be a worker at a place beside so many others."""
        manager = self._manager
        if manager.is_draining or manager.scheduler.has_waiting_client:
            return False
        work = next((each for each in self.works() if self._place_of(each) == place), None)
        if work is None:
            return False
        room = room_of(manager, work.engine, work.threads)
        return others < min(room, self.most_workers or room)

    def choose(self, place: str, current: Work | None, others: Sequence[Work]) -> Work | None:
        """Return the work whose turn it is.

        Args:
            place: that of the worker.
            current: the work at which it is now.
            others: the works of the other workers.

        """
        now = time.monotonic()
        at_work = [current, *others] if current else others
        workers = Counter(each.account.name for each in at_work)
        works = self.works()
        busy = {
            each.account.name
            for each in works
            if workers[each.account.name] >= self._most_workers_of(each)
        }
        free = [
            each
            for each in works
            if each.units and self._place_of(each) == place and self._may_begin(each, now)
        ]
        return self._share.choose(free, current, busy, others)

    def is_in_the_way(self, work: Work) -> bool:
        """Return whether a client waits for an engine on the same machines."""
        return self._manager.scheduler.has_client_waiting_for(group_of(work.engine))

    def charge(self, work: Work, seconds: float) -> None:
        """Count the time of a worker."""
        self._share.charge(work, seconds)

    def _place_of(self, work: Work) -> str:
        """Return the machines whose room a work needs: this one's, a group's or a cluster's."""
        engine = self._manager.config.engine(work.engine)
        return _CLUSTER if engine and engine.ray else group_of(work.engine)

    def _most_workers_of(self, work: Work) -> int:
        """Return how many engines the account of a work may have at once."""
        now = asyncio.get_running_loop().time()
        account = work.account
        quota = self._manager.scheduler.usage_of(account.name, account.role, now).quota
        return max(1, quota.total.threads // work.threads)

    def _may_begin(self, work: Work, now: float) -> bool:
        """Return whether the engine of a work may be asked for now."""
        if not self.waits.are_over(work, now):
            return False
        try:
            self._manager.fleet.engine_for(work.account, work.engine)
        except RefusedError as error:
            # Another server may have it.
            is_alone = self._sources[work.kind].claims.is_alone
            return is_alone or error.notice.code is not Code.UNKNOWN_ENGINE
        return True
