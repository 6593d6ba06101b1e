"""The link of a machine that has joined with one of its engines, and the distrust of it.

The machine at the other end belongs to its owner: it may send anything.  What it sends is for
the sessions that have its engine, and must not pass for the server's own word, nor steer
the terminal of a reader.
"""

import asyncio
from collections.abc import Callable, Hashable
from typing import Protocol

from rookery_protocol.notices import Close, disowned, harmless, without_overlong
from rookery_server.engines.running_engine import EngineListener
from rookery_server.engines.socket_engine import SocketEngine
from rookery_server.token_bucket import TokenBucket
from rookery_uci import to_number

LINK_PATIENCE = 10.0  # s in which the machine has to come with a link
MAX_ANSWER = 1 << 16  # bytes before `uciok`; the longest known answer has 20 KB
RATE = 4e6  # bytes that it may say in a second, some 30,000 lines, in the long run
BURST = 16e6  # bytes at once
_ENGINE, _FLOOD = "its engine is paused", "it says too much"  # why a connection is not read
_THREADS = b"setoption name threads value "


class MachineConnection(Protocol):
    """A connection of a machine, whatever it is made of."""

    address: str

    def send_lines(self, piece: bytes) -> None:
        """Send each line as a message, all in one write."""

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when all that was told is sent."""

    def hold_input(self, why: Hashable) -> None:
        """Read no more while there is this reason, or any other."""

    def release_input(self, why: Hashable) -> None:
        """Read again, if there is no other reason why not."""


class JoinedLink:
    """The connection of a `SocketEngine`, and the partner of the WebSocket that it is made of.

    The machine is asked for it, and comes with it; lines that are sent meanwhile wait.
    """

    may_return = False  # A link that is lost is not resumed.
    unsent = 0  # What the machine does not read waits in the engine.

    def __init__(
        self,
        name: str,
        listener: EngineListener,
        *,
        threads: int,
        where: str,
        on_gone: Callable[["JoinedLink"], None],
    ) -> None:
        """Make the engine, and wait for the machine.

        Args:
            name: of the engine.
            listener: of the engine.
            threads: of the machine.
            where: the machine, for people.
            on_gone: called once, when the engine is gone, before its listener hears so.

        """
        # Nothing is known here of its files, so nothing that it finds is kept for others.
        self.engine = SocketEngine(
            (), listener, name=name, on_gone=self._engine_gone, cpu_total=self._cpu_total
        )
        self.engine.label = f"{name} on {where}"
        self._where = where
        self._on_gone = on_gone
        self._loop = asyncio.get_running_loop()
        self._search_time = SearchTime(threads)
        self._bytes = TokenBucket(RATE, BURST, self._loop.time())
        self._connection: MachineConnection  # once the machine has come
        self._is_closed = False
        self._throttle: asyncio.TimerHandle | None = None  # until then it is not read
        self._timer = self._loop.call_later(LINK_PATIENCE, self._give_up)
        self._answer_size = 0  # bytes that have come before `uciok`
        self._has_answered = False

    def attach(self, connection: MachineConnection) -> None:
        """Use the connection that the machine has come with."""
        self._timer.cancel()
        self._connection = connection
        # The answer to its handshake goes first.
        self._loop.call_soon(self._connect)

    def _connect(self) -> None:
        if not self._is_closed:
            self.engine.connected(self)

    # --- as the connection of the engine

    def send_lines(self, piece: bytes) -> None:
        """Send whole lines."""
        self._search_time.sent(piece, self._loop.time())
        self._connection.send_lines(piece)

    def set_reading(self, *, on: bool) -> None:
        """Read from now on, or do not: soon the machine has to wait, and leaves out what is old."""
        (self._connection.release_input if on else self._connection.hold_input)(_ENGINE)

    def close(self, reason: str) -> None:
        """Close the connection when all is sent, or it takes too long."""
        if not self._is_closed:
            self._is_closed = True
            self._connection.finish(Close.ENGINE_GONE, reason)

    abort = close

    # --- as the partner of the WebSocket

    def client_said(self, text: bytes) -> None:
        """Receive lines of the engine, many in one message."""
        if self._is_closed or not text:
            return
        now = self._loop.time()
        piece = clean(text, self.engine.name.encode())
        if not self._has_answered:
            self._check_answer(piece)
        self._search_time.received(piece, now)
        if (wait := self._bytes.spend(now, len(piece))) and self._throttle is None:
            # It says more than a client could read.
            self._connection.hold_input(_FLOOD)
            self._throttle = self._loop.call_later(wait, self._end_throttle)
        self.engine.lines_received(piece)

    def client_overlong(self) -> None:
        """End the engine: a message was too long."""
        self.engine.kill("its machine sent more than a message may have")

    def client_sent_binary(self) -> None:
        """End the engine: a message was no text."""
        self.engine.kill("its machine sent what is no text")

    def client_ended(self) -> None:
        """End the engine: nothing more will come."""
        self.engine.kill("its machine said nothing more")

    def client_gone(self, client: object) -> None:
        """End the engine: the connection is gone."""
        self._is_closed = True
        self._search_time.end(self._loop.time())
        self.engine.connection_lost(f"the link to {self._where} is lost")

    def client_paused(self) -> None:
        """Keep what is sent: the machine does not read it."""
        self.engine.sending_paused()

    def client_resumed(self) -> None:
        """Send what was kept: the machine reads again."""
        self.engine.sending_resumed()

    # --- within

    def _cpu_total(self) -> float:
        return self._search_time.total(self._loop.time())

    def _give_up(self) -> None:
        self.engine.kill(f"{self._where} has not come with it within {LINK_PATIENCE:g} s")

    def _check_answer(self, piece: bytes) -> None:
        self._answer_size += len(piece)
        self._has_answered = b"uciok" in piece.split()
        if self._answer_size > MAX_ANSWER:
            self.engine.kill("it says too much before uciok")

    def _end_throttle(self) -> None:
        self._throttle = None
        self._connection.release_input(_FLOOD)

    def _engine_gone(self, engine: SocketEngine) -> None:
        self._search_time.end(self._loop.time())
        self._timer.cancel()
        if self._throttle:
            self._throttle.cancel()
        self._on_gone(self)


def clean(text: bytes, name: bytes) -> bytes:
    """Return lines as clients may have them, each ended by a newline.

    Args:
        text: what the machine has sent: lines with a newline between them.
        name: of the engine.  What the machine says for itself is said in this name, so that it
            is shown to people and no program takes it for the server's.

    """
    return without_overlong(disowned(harmless(text) + b"\n", name))


class SearchTime:
    """The time that an engine has searched, times its threads: the CPU time that it may have used.

    Its machine could say anything, so what is counted is what can be seen from here.
    No clock: `now` is in seconds.
    """

    __slots__ = ("_began", "_most", "_threads", "_total")

    def __init__(self, most: int) -> None:
        """Begin; the machine has so many threads."""
        self._most = most
        self._threads = 1
        self._total = 0.0
        self._began: float | None = None

    def sent(self, piece: bytes, now: float) -> None:
        """Count from the lines that the engine is sent."""
        for line in piece.splitlines():
            if line.startswith(b"go"):
                self._began = now
            elif line.lower().startswith(_THREADS):
                number = to_number(line[len(_THREADS) :].decode(errors="replace"))
                self._threads = min(max(1, number or 1), self._most)

    def received(self, piece: bytes, now: float) -> None:
        """Stop counting at a line of the engine that ends its search."""
        if self._began is not None and (b"\nbestmove" in piece or piece.startswith(b"bestmove")):
            self.end(now)

    def end(self, now: float) -> None:
        """Stop counting: it does not search any more."""
        self._total, self._began = self.total(now), None

    def total(self, now: float) -> float:
        """Return the CPU time in seconds."""
        running = 0.0 if self._began is None else now - self._began
        return self._total + running * self._threads
