"""The pause of a worker that is to try again for an engine."""

import asyncio
from collections.abc import Callable

from rookery_analysis.uci_conversation import BusyError

FIRST, LONGEST = 1.0, 120.0  # s


class Pause:
    """Grows with each failure in a row."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._is_told = False  # that there is no room
        self.seconds = 0.0

    async def elapse(self) -> None:
        """Let it go by."""
        await asyncio.sleep(self.seconds)

    def grow(self) -> None:
        """Take note that an engine was lost: the next one has time, the more the more are."""
        self.seconds = min(2 * self.seconds or FIRST, LONGEST)

    def grow_for_room(self, busy: BusyError) -> None:
        """Take note that a server has no room; say once what is waited for, and not each time."""
        self.grow()
        if not self._is_told:
            self._is_told = True
            self._note(
                f"{busy}; a worker waits until there is room; if it always does, fewer --workers"
                " do as well"
            )

    def end(self) -> None:
        """Take note that all is well."""
        self.seconds, self._is_told = 0.0, False
