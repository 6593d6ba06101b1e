"""Eviction of strangers, and connections as the policy sees them."""

import asyncio
import logging
import time
from collections.abc import Hashable, Mapping
from typing import NamedTuple, Protocol

from rookery_protocol.errors import RefusedError
from rookery_server.access.admission import EVICTED, Admission

logger = logging.getLogger(__name__)

FEW = 20  # strangers that go at a time
PAUSE = 0.05  # s between two times: 400 go in a second at most
WAIT = 1.0  # s after which the evicted clients may come again
RECENT = 60.0  # s for which evictions are reported, and between two warnings


class SocketPeer(NamedTuple):
    """The other end of a socket; `host` is empty where it has no address."""

    host: str
    certificate: Mapping[str, object] | None  # of a TLS client, as `ssl` returns it

    @classmethod
    def of(cls, transport: asyncio.BaseTransport) -> "SocketPeer":
        """Read what the transport knows of it."""
        name = transport.get_extra_info("peername")  # of a Unix socket there is none, or ""
        return cls(name[0] if name else "", transport.get_extra_info("peercert"))


class PolicedConnection(Hashable, Protocol):
    """A connection, as its transport has it; the policy sets its attributes."""

    peer: SocketPeer
    address: str  # of the client, seen through the proxies

    @property
    def is_idle(self) -> bool:
        """True if it has been answered, and may say more: its end is no loss."""

    def evict(self, error: RefusedError) -> bool:
        """Tell the peer the reason, as far as that is possible, and close the connection.

        Return whether it goes: one that has just said what it wants is answered first.
        """


class Evictor:
    """Evicts strangers, so that there is room for newer ones; `evicted` counts them.

    `Admission` decides which.  A few go at a time, so that a crowd whose members come back at
    once is no more work than the server has time for.
    """

    def __init__(self, admission: Admission[PolicedConnection]) -> None:
        self.evicted = 0
        self._admission = admission
        self._timer: asyncio.TimerHandle | None = None
        self._last = float("-inf")  # time of the last eviction
        self._warned = float("-inf")  # time of the last warning

    @property
    def is_busy(self) -> bool:
        """True if strangers have been evicted of late."""
        return time.monotonic() - self._last < RECENT

    def make_room(self, newcomer: PolicedConnection | None = None) -> None:
        """Evict the strangers that are too many: soon, or at once if there is no room at all.

        If the newcomer is one of them it is only forgotten: the caller tells it.
        """
        while self._admission.is_over_total and self._evict_next(newcomer):
            pass
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(PAUSE, self._evict_few)

    def close(self) -> None:
        """Evict no more."""
        if self._timer:
            self._timer.cancel()

    def _evict_few(self) -> None:
        self._timer = None
        for _ in range(FEW):
            if not self._evict_next():
                break
        if self._admission.is_crowded:
            self.make_room()

    def _evict_next(self, newcomer: PolicedConnection | None = None) -> bool:
        """Evict the stranger that has to go next; return whether there was one, and it went."""
        now = time.monotonic()
        stranger = self._admission.next_to_evict(now)
        if stranger is None:
            return False
        if stranger is newcomer:
            self._admission.remove(stranger)
            return True
        is_idle = stranger.is_idle
        if not stranger.evict(RefusedError(*EVICTED, wait=WAIT)):
            self._admission.renew(stranger, now)
            return False
        self._admission.remove(stranger)
        if is_idle:
            return True
        self.evicted += 1
        self._last = now
        self._warn(now)
        return True

    def _warn(self, now: float) -> None:
        if now - self._warned < RECENT:
            return
        self._warned = now
        logger.warning(
            "too many clients are logging in: %d, from %d networks; the oldest of the largest"
            " network are turned out, %d since the start, and a good token still comes in",
            len(self._admission.strangers),
            len(self._admission.strangers.networks),
            self.evicted,
        )
