"""Input of clients, read in turns, so that much input of one client does not delay the others.

The kernel hands over up to 256 KiB in one piece.  That is a hundred thousand short lines
or pings, which take seconds; and one line may take milliseconds: a game of 1,200 plies that
is said anew takes 7.  So what is more than a little is read in turns, one turn in a round of the
event loop, and all other work comes between.  What is left waits here, and the transport is
paused until it is read.  A peer that leaves meanwhile cannot be noticed by reading; so the
kernel is asked.
"""

import asyncio
from collections.abc import Callable, Hashable, Set
from time import perf_counter

from rookery_server.transport.liveness import is_gone

PIECE = 512  # bytes read between two looks at the clock: 80 pings, which take 2 ms
CHECK_PAUSE = 1.0  # s between two checks of whether the peer of a paused connection is there
TURN = 0.001  # s; a game's next `position` and `go` take a tenth of it

_NONE: frozenset[Hashable] = frozenset()  # once for all: each empty one has 216 bytes

# Reads until a time by `perf_counter`; returns whether there is more to read.
Step = Callable[[float], bool]


class RoundRobin:
    """The turns of all queues: the one that has waited for longest goes first."""

    def __init__(self) -> None:
        self._waiting: dict[Step, None] = {}  # in the order of their turns
        self._next_round: asyncio.Handle | None = None  # while this round's end is known
        self._until = 0.0  # the end of this round

    def run_or_enqueue(self, step: Step) -> None:
        """Run a step now, if this round has time for it, or else in its turn."""
        if self._waiting or (self._next_round and perf_counter() > self._until):
            self.enqueue(step)
            return
        if not self._next_round:
            self._start_round()
        if step(self._until):
            self.enqueue(step)

    def enqueue(self, step: Step) -> None:
        """Run a step in its turn, and not now."""
        self._waiting[step] = None
        if not self._next_round:
            self._start_round()

    def remove(self, step: Step) -> None:
        """Run a step no more; one that does not wait is no error."""
        self._waiting.pop(step, None)

    def _start_round(self) -> None:
        self._until = perf_counter() + TURN
        self._next_round = asyncio.get_running_loop().call_soon(self._run_round)

    def _run_round(self) -> None:
        self._next_round = None
        if not self._waiting:
            return
        self._start_round()
        while self._waiting and perf_counter() < self._until:
            step = next(iter(self._waiting))
            del self._waiting[step]
            if step(self._until):
                self._waiting[step] = None


class InputQueue:
    """The input of one connection, which `read` gets piece by piece, in order.

    `is_clear` says that nothing waits, and that what comes next may be read at once.
    """

    __slots__ = (
        "_check", "_is_paused", "_may_half_close", "_pauses", "_read", "_round_robin", "_transport",
        "_waiting", "is_clear",
    )  # fmt: skip

    def __init__(
        self,
        transport: asyncio.Transport,
        read: Callable[[bytes], None],
        round_robin: RoundRobin,
        *,
        may_half_close: bool = True,
    ) -> None:
        """Make the queue of a connection.

        Args:
            transport: the connection.
            read: takes the bytes.
            round_robin: the turns of all connections.
            may_half_close: whether a peer that has ended its input may still listen.

        """
        self.is_clear = True
        self._is_paused = False  # whether the transport reads nothing
        self._transport = transport
        self._round_robin = round_robin
        self._read = read
        self._may_half_close = may_half_close
        self._check: asyncio.TimerHandle | None = None  # of the peer, while it is not read
        self._waiting = bytearray()
        self._pauses = _NONE  # the reasons to read nothing for now

    def receive(self, data: bytes, *, is_costly: bool = False) -> None:
        """Read bytes that have come: now if they are few, and not costly; else in their turn."""
        if self.is_clear and len(data) <= PIECE and not is_costly:
            self._read(data)
            return
        is_first = not self._waiting
        self._waiting += data
        self.is_clear = False
        if is_first and not self._pauses:
            self._round_robin.run_or_enqueue(self._read_for_a_turn)
            self._update()

    def pause(self, reason: Hashable) -> None:
        """Read no more until this reason is gone, and every other; a repetition is harmless."""
        self._pauses |= {reason}
        self._update()
        if not self._check:
            self._check = asyncio.get_running_loop().call_later(CHECK_PAUSE, self._check_peer)

    def resume(self, reason: Hashable) -> None:
        """Drop a reason to pause; when none is left, read on."""
        self._resume({reason})

    def resume_all(self) -> None:
        """Drop all reasons to pause; read on."""
        self._resume(self._pauses)

    def finish(self) -> bool:
        """Read what waits, for one turn at most: nothing will follow; return whether that was all.

        Only TLS tells of the end while input waits, and it closes then: the rest is dropped.
        """
        if self._waiting:
            self._read_for_a_turn(perf_counter() + TURN)
        is_whole = not self._waiting
        self.clear()
        return is_whole

    def detach(self) -> bytes:
        """Forget the reader, and have the transport read; return what waits."""
        rest = bytes(self._waiting)
        self._pauses = _NONE
        self.clear()
        self._update()
        return rest

    def read_by(self, read: Callable[[bytes], None]) -> None:
        """Have all that comes next read by another reader."""
        self._read = read

    def clear(self) -> None:
        """Forget what waits, and the reader, which knows this queue: nothing more comes."""
        self._read = _drop
        self._waiting.clear()
        self.is_clear = not self._pauses
        self._round_robin.remove(self._read_for_a_turn)
        if self._check:
            self._check.cancel()
            self._check = None

    def _resume(self, reasons: Set[Hashable]) -> None:
        self._pauses -= reasons
        if self._waiting and not self._pauses:
            self._round_robin.enqueue(self._read_for_a_turn)
        self._update()

    def _check_peer(self) -> None:
        self._check = None
        if self.is_clear or self._transport.is_closing():
            return
        if is_gone(self._transport, may_half_close=self._may_half_close):
            self._transport.abort()
        else:
            self._check = asyncio.get_running_loop().call_later(CHECK_PAUSE, self._check_peer)

    def _read_for_a_turn(self, until: float) -> bool:
        while self._waiting and not self._pauses:
            piece = bytes(self._waiting[:PIECE])
            del self._waiting[:PIECE]
            try:
                self._read(piece)
            except Exception:  # The event loop handles it only where it has called itself.
                self._transport.abort()
                raise
            if perf_counter() > until:
                break
        self._update()
        return bool(self._waiting) and not self._pauses

    def _update(self) -> None:
        """Let the transport read while nothing waits and there is no reason to pause."""
        self.is_clear = not (self._pauses or self._waiting)
        if self.is_clear is not self._is_paused or self._transport.is_closing():
            return
        self._is_paused = not self.is_clear
        if self._is_paused:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()


def _drop(_: bytes) -> None:
    """Read nothing."""
