"""The base of services with tasks that run as long as the service is open.

`async with Service(...) as service:` starts the tasks; at its end they are cancelled and waited
for, and then the service closes what it has.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping
from typing import Self


class TaskService(ABC):
    """A service that is closed until `async with`."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        """Start the tasks."""
        loops = self._loops()
        self._tasks = [asyncio.create_task(each, name=name) for name, each in loops.items()]
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the tasks, and close what there is; a second call does nothing."""
        tasks, self._tasks = self._tasks, []
        if not tasks:
            return
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await self._close()

    @property
    def is_open(self) -> bool:
        """True until the end begins."""
        return bool(self._tasks)

    @abstractmethod
    def _loops(self) -> Mapping[str, Coroutine[None, None, None]]:
        """Return what the tasks do until they are cancelled, by their names."""

    async def _close(self) -> None:  # noqa: B027  # Not every service has something to close.
        """Close what the tasks have used."""
