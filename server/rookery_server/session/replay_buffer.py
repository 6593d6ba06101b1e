"""What a client must hear again if its connection was cut.  No I/O.

Everything that an engine says which is no `info` is owed: it must arrive once.  Such
lines are counted, by both sides alike, from the beginning of the session.  They are
kept here, with the newest `info` between them, and what another who has control has told
the engine (`rookery room said`, which is not counted), until the client says how many it
has heard; a client that comes back says it too, and hears all that came after.
"""

from rookery_protocol.notices import Code, Notice
from rookery_server.session.chunks import after_owed, count_owed, squeeze

_SQUEEZE_AT = 65536  # bytes; the least that is worth a walk over the lines
GAP = b"%b\n" % bytes(Notice(Code.GAP, "some of what was said meanwhile is lost"))
MAX_KEPT = 1 << 18  # bytes; a client that says what it has heard never comes near


class Owed:
    """The lines since what the client is known to have heard."""

    __slots__ = ("_pieces", "_squeeze_at", "count", "forgotten", "size")

    def __init__(self) -> None:
        self.count = 0  # of all lines that were ever owed
        self.forgotten = 0  # of them, heard or lost
        self._pieces: list[bytes] = []
        self.size = 0  # bytes that are kept
        self._squeeze_at = _SQUEEZE_AT

    def put(self, piece: bytes) -> None:
        """Add lines that the client is told."""
        self.count += count_owed(piece)
        self._pieces.append(piece)
        self.size += len(piece)
        if self.size > self._squeeze_at:
            self._keep(squeeze(b"".join(self._pieces)))
            while self.size > MAX_KEPT:
                self._drop_half()

    def heard(self, count: int) -> None:
        """Forget what the client has heard: so many lines that were owed."""
        if self.forgotten < count <= self.count:
            lines = b"".join(self._pieces)
            self._keep(lines[after_owed(lines, count - self.forgotten) :])
            self.forgotten = count

    def after(self, count: int) -> bytes:
        """Return what a client that has heard so many owed lines has yet to hear.

        If some of it is lost because it was too much, what is left.
        """
        lines = squeeze(b"".join(self._pieces))
        return lines[after_owed(lines, min(count, self.count) - self.forgotten) :]

    def go_on(self, count: int) -> None:
        """Go on with a client that has heard so many owed lines; if it misses some, it is told.

        From then on they do not count, for a client cannot count what it never hears.  That it
        misses some stands where they stood, so it hears that again until it has heard more.
        """
        if count < self.forgotten:
            self.count -= self.forgotten - count
            self.forgotten = count
            self._keep(GAP + b"".join(self._pieces))
        self.heard(count)

    def _keep(self, lines: bytes) -> None:
        self._pieces, self.size = [lines], len(lines)
        # Twice what must be kept: so most lines are walked over twice at most.
        self._squeeze_at = min(max(_SQUEEZE_AT, 2 * self.size), MAX_KEPT)

    def _drop_half(self) -> None:
        """Forget the older half of what is kept."""
        lines = b"".join(self._pieces)
        middle = lines.find(b"\n", len(lines) // 2) + 1
        older = lines[:middle] if middle else lines
        self.forgotten += count_owed(older)
        self._keep(lines[len(older) :])
