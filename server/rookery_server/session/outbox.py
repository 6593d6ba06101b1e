"""What a client has yet to hear: newest state instead of a log.  No I/O.

An engine says far more than anyone needs to know late.  While lines wait here for a
slow client, a newer `info` replaces the older one of the same variation, though
never across a `bestmove`; every other line is kept, in order.  So what waits is
bounded by what is owed and by the number of variations, and a client that catches
up hears what is true now.
"""

from rookery_server.session.chunks import squeeze

_SQUEEZE_AT = 32768  # bytes; the least that is worth a walk over the lines


class Outbox:
    """The lines that wait for one client, oldest first, in pieces of whole lines."""

    __slots__ = ("_pieces", "_squeeze_at", "size")

    def __init__(self) -> None:
        self.size = 0  # bytes
        self._pieces: list[bytes] = []
        self._squeeze_at = _SQUEEZE_AT

    def put(self, piece: bytes) -> None:
        """Add lines at the end."""
        self._pieces.append(piece)
        self.size += len(piece)
        if self.size > self._squeeze_at:
            newest = self.take_newest()
            self._pieces, self.size = [newest], len(newest)
            # Twice what must be kept: so each line is walked over twice at most.
            self._squeeze_at = max(_SQUEEZE_AT, 2 * self.size)

    def peek(self) -> bytes:
        """Return all that waits, and keep it."""
        return b"".join(self._pieces)

    def take(self) -> bytes:
        """Return all that waits, and forget it."""
        if not self._pieces:
            return b""
        waiting = self.peek()
        self._pieces.clear()
        self.size, self._squeeze_at = 0, _SQUEEZE_AT
        return waiting

    def take_newest(self) -> bytes:
        """Return all that is still worth telling, and forget it."""
        return squeeze(self.take())
