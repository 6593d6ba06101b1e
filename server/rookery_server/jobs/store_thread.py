"""The thread of the jobs' database, which can undo and free what was begun there."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import TypeVar

from rookery_server.database.database_thread import DatabaseThread
from rookery_server.jobs.job_store import JobStore, OwnWork

T = TypeVar("T")


class StoreThread(DatabaseThread[JobStore]):
    """The store of jobs, opened when it is used first; `close` it."""

    def __init__(self, url: str) -> None:
        self._own = OwnWork()
        super().__init__("jobs", lambda: JobStore(url, self._own))

    async def run_to_end(self, action: Callable[[JobStore], T], undo: Callable[[T], None]) -> T:
        """Do the same as `run`; what is done for a caller that is cancelled is undone.

        Raises:
            StoreError: the database cannot be used now.

        """
        loop = asyncio.get_running_loop()
        doing = loop.run_in_executor(self._executor, self._attempt, action)
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            doing.add_done_callback(lambda done: None if done.exception() else undo(done.result()))
            raise

    def free(
        self, action: Callable[[JobStore], object], forget: Callable[[OwnWork], object]
    ) -> None:
        """Free something when there is time.

        It is forgotten first, even if the database cannot be opened: then the upkeep frees it.
        """

        def attempt() -> None:
            forget(self._own)
            self._attempt(action)

        with contextlib.suppress(RuntimeError):  # It was closed.
            self._executor.submit(attempt)
