"""An engine of a machine that has joined: one connection of the machine's, as an engine.

It is wanted first, and the machine comes with it; what it is told meanwhile waits.  When the
connection is gone the engine is.
"""

import asyncio
from collections.abc import Callable, Hashable
from typing import Protocol

from rookery_protocol.notices import Close
from rookery_server.engines.running import BaseEngine
from rookery_server.engines.running_engine import Backlog, EngineListener, EngineSpec
from rookery_server.joined.cpu_meter import RateMeter, SearchTime, clean

LINK_PATIENCE = 10.0  # s in which the machine has to come with a link
QUIT_PATIENCE = 2.0  # s from `quit` to the end of the link; the machine lets the engine go itself
TOGETHER = (
    0.25  # s from the loss of the link until it is told: by then a lost machine is known, too
)
MAX_ANSWER = 1 << 16  # bytes before `uciok`; the longest known answer has 20 KB
MAX_UNSENT = 1 << 21  # bytes that the machine may leave unread, as in engines/process_engine.py
RATE = 4e6  # bytes that it may say in a second, some 30,000 lines, in the long run
BURST = 16e6  # bytes at once


class MachineConnection(Protocol):
    """What a machine's connection offers, whatever it is made of."""

    address: str

    def tell(self, piece: bytes) -> None:
        """Send each line as a message, all in one write."""

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when all that was told is sent."""

    def hold(self, why: Hashable) -> None:
        """Hear no more while there is this reason, or any other."""

    def release(self, why: Hashable) -> None:
        """Hear again, if there is no other reason why not."""


class JoinedEngine(BaseEngine):
    """One running engine of a machine that has joined; also the partner of its connection.

    Args:
        spec: its name.
        listener: who hears it.
        threads: what its machine has.
        where: what people call the machine.
        on_end: is called once, when it is gone.

    """

    words = ()  # Nothing is known here of its files,
    files = ()  # so nothing that it finds is kept for others.
    may_return = False  # A link that is lost is not come back to.

    def __init__(
        self,
        spec: EngineSpec,
        listener: EngineListener,
        *,
        threads: int,
        where: str,
        on_end: Callable[["JoinedEngine"], None],
    ) -> None:
        super().__init__(listener)
        self.name = spec.name
        self.where = where
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._work = SearchTime(threads)
        self._meter = RateMeter(RATE, BURST, self._loop.time())
        self._link: MachineConnection | None = None
        self._unsent = bytearray()  # until the link is there, or is read again
        self._choked = False  # the machine does not read what it is told
        self._told = 0  # bytes, ever
        self._on_taken: Callable[[], None] | None = None
        self._answering = 0  # bytes that have come before `uciok`
        self._answered = False
        self._throttle: asyncio.TimerHandle | None = None
        self._timer: asyncio.TimerHandle | None = self._loop.call_later(LINK_PATIENCE, self._miss)
        self._reason: str | None = None  # why it is gone
        self.is_lost = False  # the link, and it was not closed for what came over it

    # --- as an engine

    @property
    def label(self) -> str:
        """What the log calls it."""
        return f"{self.name} on {self.where}"

    @property
    def is_sound(self) -> bool:
        """Whether nothing is known against it."""
        return self._reason is None and not (self.asked_to_end or self.is_lost)

    @property
    def has_come(self) -> bool:
        """Whether there is, or was, a link to it."""
        return self._link is not None

    def cpu_total(self) -> float:
        """Return the CPU time that it may have used in all."""
        return self._work.total(self._loop.time())

    def memory_mb(self) -> int:
        """Return 0: it has no memory of this machine's."""
        return 0

    def tell(self, piece: bytes) -> None:
        """Send whole lines to the engine."""
        if self.is_sound:
            self._send(piece)

    @property
    def unsent(self) -> int:
        """How many bytes wait here, because the machine does not read them."""
        return len(self._unsent)

    def backlog(self) -> Backlog:
        """Return how far it is; what its connection has taken counts as taken."""
        return Backlog(self._told - self.unsent, self.unsent)

    def when_taken(self, call: Callable[[], None]) -> None:
        """Call this once, as soon as nothing waits here."""
        self._on_taken = call

    def pause(self) -> None:
        """Hear no more for now: soon the machine has to wait, and leaves out what is old."""
        self.paused = True
        self._see_to_reading()

    def resume(self) -> None:
        """Hear it again."""
        self.paused = False
        self._see_to_reading()

    def look_away(self, seconds: float) -> None:
        """Do nothing: what it says comes in messages of many lines."""

    def end(self) -> None:
        """Ask the engine to quit; the link is closed if that takes too long."""
        if self.is_sound:
            self._send(b"quit\n")
            self._set_timer(QUIT_PATIENCE, self.kill)
            self.resume()  # It may be waiting to be heard.
        self.asked_to_end = True

    def complain(self, complaint: str) -> None:
        """End the engine at once, for a reason that its listener is told."""
        self._drop(complaint)

    def kill(self) -> None:
        """End the engine at once."""
        self._drop("the link was closed")

    # --- as the partner of a connection

    def linked(self, link: MachineConnection) -> None:
        """Take the connection that the engine is at the other end of."""
        self._link = link
        if self.asked_to_end:
            self._set_timer(QUIT_PATIENCE, self.kill)
        else:
            self._set_timer(None)
        unsent, self._unsent = bytes(self._unsent), bytearray()
        # The answer to its handshake goes first.
        self._loop.call_soon(link.tell, unsent)
        self._see_to_reading()
        self._taken()

    def client_said(self, text: bytes) -> None:
        """Take what the engine says: lines, many in one message."""
        if self._reason is not None or not text:
            return
        now = self._loop.time()
        piece = clean(text, self.name.encode())
        if not self._answered:
            self._see_to_answer(piece)
            if self._reason is not None:
                return
        self._work.said(piece, now)
        if wait := self._meter.take(len(piece), now):
            self._quiet(wait)
        if piece:
            self.listener.engine_said(piece)

    def client_overlong(self) -> None:
        """Take note that a message was too long."""
        self._drop("its machine sent more than a message may have")

    def client_sent_binary(self) -> None:
        """Take note of a message that is no text."""
        self._drop("its machine sent what is no text")

    def client_ended(self) -> None:
        """Take note that nothing more will be said."""
        self._drop("its machine said nothing more")

    def client_gone(self, client: object) -> None:
        """Take note that the connection is gone; what else is lost is known soon."""
        self.is_lost = self.is_lost or self._reason is None
        self._work.end(self._loop.time())
        reason = f"the link to {self.where} is lost"
        if self.asked_to_end or self._reason is not None:
            self._end(reason)
        else:
            self._set_timer(TOGETHER, lambda: self._end(reason))

    def client_paused(self) -> None:
        """Take note that the machine does not read what it is told."""
        self._choked = True

    def client_resumed(self) -> None:
        """Take note that it reads again."""
        self._choked = False
        if self._link and self._unsent:
            piece, self._unsent = bytes(self._unsent), bytearray()
            self._link.tell(piece)
        self._taken()

    # --- within

    def _taken(self) -> None:
        call, self._on_taken = self._on_taken, None
        if call:
            call()

    def _send(self, piece: bytes) -> None:
        self._work.told(piece, self._loop.time())
        self._told += len(piece)
        if self._link and not self._choked:
            self._link.tell(piece)
            return
        self._unsent += piece
        if len(self._unsent) > MAX_UNSENT:
            self._drop(f"its machine left {len(self._unsent)} bytes unread")

    def _see_to_answer(self, piece: bytes) -> None:
        self._answering += len(piece)
        self._answered = b"uciok" in piece.split()
        if self._answering > MAX_ANSWER:
            self._drop("it says too much before uciok")

    def _quiet(self, seconds: float) -> None:
        """Hear no more for so long: it says more than anybody could read."""
        if self._throttle is None:
            self._throttle = self._loop.call_later(seconds, self._loud)
            self._see_to_reading()

    def _loud(self) -> None:
        self._throttle = None
        self._see_to_reading()

    def _see_to_reading(self) -> None:
        if self._link is None:
            return
        if self.paused or self._throttle:
            self._link.hold(self)
        else:
            self._link.release(self)

    def _miss(self) -> None:
        self._drop(f"{self.where} has not come with it within {LINK_PATIENCE:g} s")

    def _drop(self, reason: str) -> None:
        """Close the link, and be gone."""
        if self._reason is None and self._link and not self.is_lost:
            self._link.finish(Close.ENGINE_GONE, reason)
        self._end(reason)

    def _end(self, reason: str) -> None:
        if self._reason is not None:
            return
        self._reason = reason
        self._work.end(self._loop.time())
        self._set_timer(None)
        if self._throttle:
            self._throttle.cancel()
        self._on_end(self)
        # Not at once: who ends it is not done yet.
        self._loop.call_soon(self._tell_end)

    def _tell_end(self) -> None:
        assert self._reason is not None
        self.listener.engine_ended(self._reason)

    def _set_timer(self, seconds: float | None, act: Callable[[], None] | None = None) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, act) if seconds and act else None
