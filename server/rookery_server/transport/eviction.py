"""RoundRobin strangers out, so that there is room for whoever comes next.

`access/admission` decides which.  A few go at a time, so that a crowd whose members come back at
once is no more work than the server has time for.
"""

import asyncio
import logging
from collections.abc import Hashable
from typing import Protocol

from rookery_protocol.errors import RefusedError
from rookery_server.access.admission import TURNED_OUT, Admission

logger = logging.getLogger(__name__)

FEW = 20  # that go at a time
PAUSE = 0.05  # s between two times: 400 go in a second at most
WAIT = 1.0  # s after which those who are turned out may come again
RECENT = 60.0  # s for which it is told that strangers were turned out, and between two warnings


class Guest(Hashable, Protocol):
    """A connection, as it comes in."""

    address: str  # whence it is, seen through the proxies

    def turn_out(self, error: RefusedError) -> bool:
        """Tell the peer why, as far as that is possible, and close the connection.

        Return whether it goes: one that has just shown what it wants is looked at first.
        """


class Usher:
    """RoundRobin out those that an admission wants gone; `turned_out` is how many those were."""

    def __init__(self, admission: Admission[Guest]) -> None:
        self.turned_out = 0
        self._admission = admission
        self._late: asyncio.TimerHandle | None = None
        self._last = float("-inf")  # when one was turned out
        self._warned = float("-inf")  # when that was last logged

    @property
    def is_busy(self) -> bool:
        """Whether strangers have been turned out of late."""
        return asyncio.get_running_loop().time() - self._last < RECENT

    def make_room(self) -> None:
        """Turn out those who are too many: soon, or at once if there is no room at all."""
        while self._admission.is_over_total and self._turn_out():
            pass
        if self._late is None:
            self._late = asyncio.get_running_loop().call_later(PAUSE, self._turn_out_few)

    def close(self) -> None:
        """Turn out no more."""
        if self._late:
            self._late.cancel()

    def _turn_out_few(self) -> None:
        self._late = None
        for _ in range(FEW):
            if not self._turn_out():
                break
        if self._admission.is_crowded:
            self.make_room()

    def _turn_out(self) -> bool:
        """Turn out the next who has to go, if any; return whether there was one that went."""
        now = asyncio.get_running_loop().time()
        stranger = self._admission.to_turn_out(now)
        if stranger is None:
            return False
        if not stranger.turn_out(RefusedError(*TURNED_OUT, wait=WAIT)):
            self._admission.asked(stranger, now)
            return False
        self._admission.leave(stranger)
        self.turned_out += 1
        self._note(now)
        return True

    def _note(self, now: float) -> None:
        self._last = now
        if now - self._warned < RECENT:
            return
        self._warned = now
        logger.warning(
            "too many clients are logging in: %d, from %d networks; the oldest of the largest"
            " network are turned out, %d since the start, and a good token still comes in",
            self._admission.strangers,
            self._admission.stranger_networks,
            self.turned_out,
        )
