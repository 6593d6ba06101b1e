"""What an engine says, as it is read from a pipe or a connection.

Most engines write line by line, and to be woken for each line costs ten times as much
as to carry it.  So an engine that says one short piece after the other is left alone
for a moment, in which its lines gather where it writes them; until it is told something,
for then somebody waits for what it says.
"""

import time

from rookery_protocol.notices import without_overlong
from rookery_uci import LineBuffer

SHORT = 1024  # bytes of a piece that holds only a few lines
STEADY = 0.0015  # s from one piece to the next, if more than a look at each is too much
QUICK = 0.0005  # s from one to the next, if they come so quickly that the pipe may fill
BURST = 8  # short pieces that come steadily before the engine is left alone
NAP = 0.002  # s for which it is
SHORT_NAP = 0.001  # s, if they come quickly: the pipe holds what an engine says in it


class StdoutReader:
    """Makes pieces of whole lines of what comes, and tells when to look away for a moment."""

    __slots__ = ("_heard_at", "_lines", "_steady", "_steady_since")

    def __init__(self) -> None:
        self._lines = LineBuffer()
        self._heard_at = 0.0  # s, when it last said something
        self._steady = 0  # pieces that came steadily, one after the other
        self._steady_since = 0.0  # s, when that began

    def lines(self, data: bytes) -> bytes:
        """Return the lines that are complete now, each ended by a newline, as valid UTF-8."""
        piece = self._lines.feed_piece(data)
        if not piece.isascii():  # WebSocket clients must get valid UTF-8.
            piece = without_overlong(piece.decode(errors="replace").encode())
        return piece

    def nap_after(self, said: int) -> float:
        """Return for how long an engine that has said so many bytes is left alone, in seconds."""
        now = time.monotonic()  # that of uvloop has steps of 1 ms
        gap = now - self._heard_at
        self._heard_at = now
        if said >= SHORT or gap >= STEADY:
            self._steady = 0
            self._steady_since = now
            return 0.0
        self._steady += 1
        if self._steady < BURST:
            return 0.0
        return SHORT_NAP if now - self._steady_since < QUICK * self._steady else NAP

    def expect_answer(self) -> None:
        """Take note that the engine is told something: what it says next is awaited."""
        self._heard_at = 0.0

    def begin(self) -> None:
        """Take note that the engine is heard again."""
        self._steady = 0
        self._steady_since = time.monotonic()
