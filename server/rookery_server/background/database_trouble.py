"""Trouble with the database of some work: it is logged now and then, and waited for."""

import asyncio
import logging
import time

from rookery_server.database.database import StoreError
from rookery_server.log import Repetition

logger = logging.getLogger(__name__)

RETRY = 1.0  # s until a database that has failed is tried again


class DatabaseTrouble:
    """The trouble with one database, since it began."""

    def __init__(self, name: str) -> None:
        """Begin without any; `name` is the work's in the log."""
        self._name = name
        self._repetition = Repetition()

    def report(self, error: StoreError) -> None:
        """Log that the database has failed, unless that was logged a moment ago."""
        text = f"{self._name} have no database: {error}"
        if again := self._repetition.again(text, time.monotonic()):
            logger.warning("%s", again)

    async def wait_for_retry(self, error: StoreError) -> None:
        """Report a failure, and wait until the database may work again."""
        self.report(error)
        await asyncio.sleep(RETRY)

    def end(self) -> None:
        """Learn that the database works."""
        self._repetition.over()
