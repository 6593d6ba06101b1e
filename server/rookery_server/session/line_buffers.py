"""Buffers of an engine's lines that keep only what is still worth something.  No I/O.

An engine says far more than a client needs to know late.  While lines wait, a newer `info`
replaces the older one of the same variation, though never across a `bestmove`; every other
line is kept, in order.  A buffer keeps pieces of whole lines as they are, and walks over their
lines only when it has grown to twice what it must keep: so each line is walked over twice at most.
"""

from rookery_protocol.notices import Code, Notice
from rookery_server.session.chunks import after_owed, count_owed, newest_exact, squeeze

_SQUEEZE_OUTBOX_AT = 32768  # bytes; the least that is worth a walk over the lines
_SQUEEZE_REPLAY_AT = 65536  # bytes, likewise
MAX_REPLAY = 1 << 18  # bytes; a client that says what it has heard never comes near
GAP = b"%b\n" % bytes(Notice(Code.GAP, "some of what was said meanwhile is lost"))
_MAX_LOG = 65536  # bytes
_FLOOD = 8192  # bytes of a piece that says it all anew


class Outbox:
    """The lines that wait for one client that reads slowly, oldest first.

    Their size is bounded by what is owed and by the number of variations, and a client that
    catches up hears what is true now.
    """

    __slots__ = ("_pieces", "_squeeze_at", "size")

    def __init__(self) -> None:
        self.size = 0  # bytes
        self._pieces: list[bytes] = []
        self._squeeze_at = _SQUEEZE_OUTBOX_AT

    def append(self, piece: bytes) -> None:
        """Add lines at the end."""
        self._pieces.append(piece)
        self.size += len(piece)
        if self.size > self._squeeze_at:
            newest = self.take_newest()
            self._pieces, self.size = [newest], len(newest)
            self._squeeze_at = max(_SQUEEZE_OUTBOX_AT, 2 * self.size)

    def clear(self) -> None:
        """Forget all lines."""
        self._pieces.clear()
        self.size, self._squeeze_at = 0, _SQUEEZE_OUTBOX_AT

    def take_newest(self) -> bytes:
        """Return all lines that are still worth sending, and forget them."""
        if not self._pieces:
            return b""
        waiting = squeeze(b"".join(self._pieces))
        self.clear()
        return waiting


class ReplayBuffer:
    """The lines that a client must hear again if its connection is cut.

    Each line of an engine that is no `info` is owed: it must arrive once.  Client and server
    alike count such lines from the beginning of the session.  They are kept here, with the
    newest `info` between them, and with what a spectator in control has told the engine
    (`rookery room said`, which is not counted), until the client says how many it has heard.  A
    client that comes back says it too, and hears all that came after.
    """

    __slots__ = ("_pieces", "_squeeze_at", "count", "forgotten", "size")

    def __init__(self) -> None:
        self.count = 0  # of all lines that were ever owed
        self.forgotten = 0  # of them, heard or lost
        self._pieces: list[bytes] = []
        self.size = 0  # bytes that are kept
        self._squeeze_at = _SQUEEZE_REPLAY_AT

    def append(self, piece: bytes) -> None:
        """Add lines that the client is told."""
        self.count += count_owed(piece)
        self._pieces.append(piece)
        self.size += len(piece)
        if self.size > self._squeeze_at:
            self._replace(squeeze(b"".join(self._pieces)))
            while self.size > MAX_REPLAY:
                self._drop_half()

    def acknowledge(self, count: int) -> None:
        """Forget what the client has heard: so many lines that were owed."""
        if self.forgotten < count <= self.count:
            lines = b"".join(self._pieces)
            self._replace(lines[after_owed(lines, count - self.forgotten) :])
            self.forgotten = count

    def after(self, count: int) -> bytes:
        """Return the lines that a client has missed that has heard so many owed lines.

        If some of it is lost because it was too much, the rest.
        """
        lines = squeeze(b"".join(self._pieces))
        return lines[after_owed(lines, min(count, self.count) - self.forgotten) :]

    def resume(self, count: int) -> None:
        """Go on with a client that has heard so many owed lines; tell it if others are lost.

        From then on lost lines do not count, for a client cannot count what it never hears.  The
        notice of the gap stands where they stood, so that it is heard again until the client has
        heard more.
        """
        if count < self.forgotten:
            self.count -= self.forgotten - count
            self.forgotten = count
            self._replace(GAP + b"".join(self._pieces))
        self.acknowledge(count)

    def _replace(self, lines: bytes) -> None:
        self._pieces, self.size = [lines], len(lines)
        self._squeeze_at = min(max(_SQUEEZE_REPLAY_AT, 2 * self.size), MAX_REPLAY)

    def _drop_half(self) -> None:
        """Forget the older half of what is kept."""
        lines = b"".join(self._pieces)
        middle = lines.find(b"\n", len(lines) // 2) + 1
        older = lines[:middle] if middle else lines
        self.forgotten += count_owed(older)
        self._replace(lines[len(older) :])


class SearchLog:
    """The lines of one search, as far as they may be worth keeping in the cache.

    The newest exact line of each variation is looked for at the end of the search.
    """

    __slots__ = ("_pieces", "_size")

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0  # bytes

    def append(self, piece: bytes) -> None:
        """Add lines that the engine has said."""
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > _MAX_LOG:
            # To look through a flood would cost as much as to carry it.
            self._pieces = self._pieces[-2:] if len(piece) >= _FLOOD else [self.newest()]
            self._size = sum(map(len, self._pieces))

    def newest(self) -> bytes:
        """Return the newest line of each variation that has an exact score."""
        return newest_exact(b"".join(self._pieces))
