"""The base of services over a store that is cleaned now and then.

`async with Service(...) as service:` cleans while the service is open.  As long as nothing was ever
stored, nothing is cleaned: no file of a database is made to say that it is empty.
"""

import asyncio
import time
from abc import abstractmethod
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, Generic

from rookery_server.database.database import StoreError, file_of
from rookery_server.database.database_thread import DatabaseThread, S
from rookery_server.task_service import TaskService


@dataclass(slots=True)
class StoreCounts:
    """The numbers for the metrics."""

    stored: int = 0
    database_errors: int = 0


class StoreService(TaskService, Generic[S]):
    """A service for what accounts store, in the thread of a store."""

    name: ClassVar[str]  # of the thread and the task
    cleaning: ClassVar[float]  # s from one cleaning to the next
    counts: StoreCounts

    def __init__(
        self, url: str, open_store: Callable[[str], S], clock: Callable[[], float] = time.time
    ) -> None:
        """Make a service.

        Args:
            url: of the database.
            open_store: opens the store in it.
            clock: returns the seconds of the epoch.

        """
        super().__init__()
        self._clock = clock
        self._store = DatabaseThread(self.name, lambda: open_store(url))
        self._file = file_of(url)

    def _loops(self) -> Mapping[str, Coroutine[None, None, None]]:
        return {self.name: self._keep_clean()}

    async def _close(self) -> None:
        await self._store.close()

    @property
    def _may_have_rows(self) -> bool:
        """False as long as nothing was ever stored."""
        return self._file is None or self._file.exists()

    def _now(self) -> int:
        return int(self._clock())

    @abstractmethod
    async def _clean(self) -> int:
        """Remove what is over; return how much is stored.

        Raises:
            StoreError: the database cannot be used now.

        """

    async def _keep_clean(self) -> None:
        """Clean now and then, whatever happens."""
        while True:
            if self._may_have_rows:
                with suppress(StoreError):  # The next request tells the operator.
                    self.counts.stored = await self._clean()
            self.counts.database_errors = self._store.errors
            await asyncio.sleep(self.cleaning)
