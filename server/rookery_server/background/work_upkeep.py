"""The upkeep of one kind of work: a sign of life in its database, and what is due there.

It registers this run of the server once there is any such work, learns now and then what there is
to do, and has freed what servers that are gone have begun.
"""

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Generic, TypeVar

from rookery_server.background.work import WorkSource
from rookery_server.background.work_runner import WorkRunner
from rookery_server.background.work_store import WorkStore
from rookery_server.database.database import StoreError, file_of
from rookery_server.database.database_thread import DatabaseThread

logger = logging.getLogger(__name__)

PURGES = 100  # times that some of what was deleted is removed, until the next sign
BUSY_POLL, IDLE_POLL = 1.0, 5.0  # s from one look at the database to the next
SHOW_TIME = 5.0  # s from one sign of this server to the next; others wait for 30


S = TypeVar("S", bound=WorkStore)


class WorkUpkeep(ABC, Generic[S]):
    """The upkeep by one server; `run` goes on until it is cancelled."""

    def __init__(
        self, store: DatabaseThread[S], url: str, runner: WorkRunner, source: WorkSource
    ) -> None:
        """Make an upkeep.

        Args:
            store: the database.
            url: that of the database; a file of SQLite is made with the first work.
            runner: the workers.
            source: the work.

        """
        self._store = store
        self._file = file_of(url)
        self._runner = runner
        self._kind = source.kind
        self._claims = source.claims
        self._counts = source.counts
        self._shown_at = 0.0
        self._opening = asyncio.Lock()
        self._woken = asyncio.Event()

    @property
    def may_have_work(self) -> bool:
        """False as long as nothing was ever stored: no file is made to say so."""
        return bool(self._claims.server) or self._file is None or self._file.exists()

    async def open(self) -> int:
        """Enter this run of the server into the database; return its number."""
        async with self._opening:
            if not self._claims.server:
                register = self._store.run(lambda store: store.register_server())
                self._claims.server = await register
                self._shown_at = 0.0  # At once: an earlier run may have left something.
            return self._claims.server

    async def close(self) -> None:
        """Let other servers go on with what this one has begun."""
        if server := self._claims.server:
            with suppress(StoreError):
                await self._store.run(lambda store: store.remove_server(server))

    def wake(self) -> None:
        """Look at the database at once."""
        self._woken.set()

    async def run(self) -> None:
        """Look at the database now and then, whatever happens."""
        while True:
            self._woken.clear()
            try:
                if self.may_have_work:
                    await self._show_and_clean()
                    await self.learn_works()
            except StoreError as error:
                self._claims.trouble.report(error)
            except Exception:  # It would be the end of all work, unsaid.
                logger.exception("an error of the server at the upkeep of %ss", self._kind)
            self._counts.database_errors = self._store.errors
            poll = BUSY_POLL if self._has_work() else IDLE_POLL
            with suppress(TimeoutError):
                async with asyncio.timeout(poll):
                    await self._woken.wait()

    async def learn_works(self) -> None:
        """Learn of all works that are not over.

        Raises:
            StoreError: the database cannot be used.

        """
        await self._update_source()
        self._runner.update()
        self._counts.by_state = await self._store.run(lambda store: store.states())

    @abstractmethod
    def _has_work(self) -> bool:
        """Return whether there is something to do, which may end soon."""

    @abstractmethod
    async def _update_source(self) -> None:
        """Tell the source which works there are by the database."""

    async def _clean(self) -> None:
        """Remove from the database what is due."""
        for _ in range(PURGES):
            if not await self._store.run(lambda store: store.purge()):
                break

    async def _show_and_clean(self) -> None:
        """Show that this server is there, and remove what is due, now and then."""
        server = await self.open()
        now = time.monotonic()
        if self._shown_at and now - self._shown_at < SHOW_TIME:
            return
        is_known, others = await self._store.run(lambda store: store.show_server(server, now))
        self._shown_at = now
        self._claims.is_alone = not others
        if not is_known:
            logger.warning("this server was given up by others: what it had begun is begun anew")
            self._claims.server = 0
            await self.open()
        await self._clean()
