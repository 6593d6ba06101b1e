"""What a client says, taken in turns: nobody keeps the others waiting by saying much at once.

The kernel hands over up to 256 KiB in one piece.  That is a hundred thousand short lines
or pings, which take seconds; so it is taken in turns (turns.py), and whoever else has
something to do comes first.  What is left waits here, and no more is read until it is
taken.  A peer that leaves meanwhile cannot be heard to do so; so the kernel is asked.
"""

import asyncio
from collections.abc import Callable, Hashable, Set
from time import perf_counter

from rookery_server.transport.round_robin import Turns
from rookery_server.transport.socket_options import is_gone

PIECE = 512  # bytes taken between two looks at the clock: 80 pings, which take 2 ms
LOOK = 1.0  # s from one look at whether a peer that is not heard is there to the next


class Intake:
    """The input of one connection, which `take` gets piece by piece, in order."""

    __slots__ = (
        "_holds",
        "_look",
        "_may_end",
        "_paused",
        "_take",
        "_transport",
        "_turns",
        "_waiting",
    )

    def __init__(
        self,
        transport: asyncio.Transport,
        take: Callable[[bytes], None],
        turns: Turns,
        *,
        may_end: bool = True,
    ) -> None:
        """Make the intake of a connection.

        Args:
            transport: the connection.
            take: takes the bytes.
            turns: who else says much.
            may_end: whether a peer that says no more may listen.

        """
        self._transport = transport
        self._turns = turns
        self._take = take
        self._may_end = may_end
        self._look: asyncio.TimerHandle | None = None  # at the peer, while it is not heard
        self._waiting = bytearray()
        self._holds: frozenset[Hashable] = frozenset()  # why nothing is taken for now
        self._paused = False  # whether the transport reads no more

    @property
    def is_clear(self) -> bool:
        """Whether what comes next may be taken at once."""
        return not self._waiting and not self._holds

    def put(self, data: bytes, *, is_dear: bool = False) -> None:
        """Take bytes that have come: now if they are few, and not dear; else in their turn."""
        if self.is_clear and len(data) <= PIECE and not is_dear:
            self._take(data)
            return
        first = not self._waiting
        self._waiting += data
        if first and not self._holds:
            self._turns.enter(self._go_on)
            self._see_to_reading()

    def hold(self, why: Hashable) -> None:
        """Take no more until this reason is gone, and every other; to say it twice is no harm."""
        self._holds |= {why}
        self._see_to_reading()
        if not self._look:
            self._look = asyncio.get_running_loop().call_later(LOOK, self._look_at_peer)

    def release(self, why: Hashable) -> None:
        """Take note that a reason is gone; when none is left, go on."""
        self._release({why})

    def release_all(self) -> None:
        """Take note that no reason is left; go on."""
        self._release(self._holds)

    def finish(self) -> None:
        """Take all that waits: nothing will follow."""
        data = bytes(self._waiting)
        self.clear()
        if data:
            self._take(data)

    def clear(self) -> None:
        """Forget what waits: the connection is gone."""
        self._waiting.clear()
        self._turns.leave(self._go_on)
        if self._look:
            self._look.cancel()
            self._look = None

    def _release(self, reasons: Set[Hashable]) -> None:
        self._holds -= reasons
        if self._waiting and not self._holds:
            self._turns.wait(self._go_on)
        self._see_to_reading()

    def _look_at_peer(self) -> None:
        self._look = None
        if self.is_clear or self._transport.is_closing():
            return
        if is_gone(self._transport, may_end=self._may_end):
            self._transport.abort()
        else:
            self._look = asyncio.get_running_loop().call_later(LOOK, self._look_at_peer)

    def _go_on(self, until: float) -> bool:
        """Take what waits until this turn is over; say whether more is to be taken."""
        while self._waiting and not self._holds:
            piece = bytes(self._waiting[:PIECE])
            del self._waiting[:PIECE]
            try:
                self._take(piece)
            except Exception:  # The event loop sees to it only where it has called itself.
                self._transport.abort()
                raise
            if perf_counter() > until:
                break
        self._see_to_reading()
        return bool(self._waiting) and not self._holds

    def _see_to_reading(self) -> None:
        paused = bool(self._holds or self._waiting)
        if paused is self._paused or self._transport.is_closing():
            return
        self._paused = paused
        if paused:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()
