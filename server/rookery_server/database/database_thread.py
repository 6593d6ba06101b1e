"""The thread of a store in the database: the event loop never waits for it.

A store that has failed is opened anew at the next call.
"""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, Generic, ParamSpec, Protocol, TypeVar

from rookery_server.database.database import StoreError


class Store(Protocol):
    """Tables of the database, with what may be done to them."""

    def close(self) -> None:
        """Close the database."""


S = TypeVar("S", bound=Store)
P = ParamSpec("P")
T = TypeVar("T")


class DatabaseThread(Generic[S]):
    """A store, opened when it is used first; `close` it."""

    def __init__(self, name: str, open_store: Callable[[], S]) -> None:
        self.errors = 0
        self._open_store = open_store
        self._executor = ThreadPoolExecutor(1, name)
        self._store: S | None = None

    async def run(
        self, action: Callable[Concatenate[S, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do something with the store, after all that was asked before.

        It is done even if the caller is cancelled.

        Raises:
            StoreError: the database cannot be used now.

        """
        return await self.run_to_end(
            lambda store: action(store, *args, **kwargs), undo=lambda _: None
        )

    async def run_to_end(self, action: Callable[[S], T], undo: Callable[[T], None]) -> T:
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

    def free(self, action: Callable[[S], object], forget: Callable[[], object]) -> None:
        """Free something when there is time.

        It is forgotten first, even if the database cannot be opened: then the upkeep frees it.
        """

        def attempt() -> None:
            forget()
            self._attempt(action)

        with contextlib.suppress(RuntimeError):  # It was closed.
            self._executor.submit(attempt)

    async def close(self) -> None:
        """Close the database when all is done."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._executor, self._close)
        self._executor.shutdown(wait=False)

    def _attempt(self, action: Callable[[S], T]) -> T:
        try:
            if self._store is None:
                self._store = self._open_store()
            return action(self._store)
        except StoreError:
            self.errors += 1
            self._close()
            raise

    def _close(self) -> None:
        store, self._store = self._store, None
        if store:
            with contextlib.suppress(StoreError):
                store.close()
