"""Signs of life from who says more than is heard for now: its answers to pings are behind that."""

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable

from websockets.asyncio.connection import Connection
from websockets.typing import DataLike


class Keepalive(Connection):
    """A connection of the library whose reading is held now and again.

    The library would take it for dead: it waits for the answers to its pings, which are among
    what is not read yet.
    """

    @property
    @abstractmethod
    def is_held(self) -> bool:
        """Whether nothing is heard for now."""

    def count_as_alive(self) -> None:
        """Wait for no answers to the pings until now."""
        for answered, _ in self.pending_pings.values():
            if not answered.done():
                answered.set_result(0.0)
        self.pending_pings.clear()

    async def ping(self, data: DataLike | None = None) -> Awaitable[float]:
        """Ask for a sign of life, unless more is said than is heard: that is one."""
        if self.is_held:
            answered: asyncio.Future[float] = self.loop.create_future()
            answered.set_result(0.0)
            return answered
        return await super().ping(data)
