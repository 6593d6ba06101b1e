"""What a client has yet to hear: newest state instead of a log.  No I/O.

An engine says far more than anyone needs to know late.  While lines wait here for a
slow client, a newer `info` replaces the older one of the same variation, though
never across a `bestmove`; every other line is kept, in order.  So what waits is
bounded by what is owed and by the number of variations, and a client that catches
up hears what is true now.
"""

import re

_MULTIPV = re.compile(rb" multipv (\d+)")
_SQUEEZE_AT = 256  # lines; the least that is worth a walk over the list


class Outbox:
    """The lines that wait for one client, oldest first."""

    __slots__ = ("_lines", "_squeeze_at")

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._squeeze_at = _SQUEEZE_AT

    def __len__(self) -> int:
        return len(self._lines)

    def put(self, lines: list[bytes]) -> None:
        """Add lines at the end."""
        self._lines += lines
        if len(self._lines) > self._squeeze_at:
            self._lines = squeeze(self._lines)
            # Twice what must be kept: so each line is walked over twice at most.
            self._squeeze_at = max(_SQUEEZE_AT, 2 * len(self._lines))

    def take(self) -> list[bytes]:
        """Return all that waits, and forget it."""
        lines, self._lines = self._lines, []
        self._squeeze_at = _SQUEEZE_AT
        return lines

    def take_newest(self) -> list[bytes]:
        """Return all that is still worth telling, and forget it."""
        return squeeze(self.take())


def squeeze(lines: list[bytes]) -> list[bytes]:
    """Leave out each `info` that a later one replaces before the search ends."""
    kept = []
    replaced: set[bytes] = set()
    for line in reversed(lines):
        if line.startswith(b"bestmove"):
            replaced.clear()
        subject = subject_of(line)
        if subject is None:
            kept.append(line)
        elif subject not in replaced:
            replaced.add(subject)
            kept.append(line)
    kept.reverse()
    return kept


def subject_of(line: bytes) -> bytes | None:
    """Return what an `info` line tells the newest of, or None if each such line counts.

    A line with a `pv` is about its variation; `refutation` and `currline` are about
    themselves; what is left (`currmove`, `nodes` ...) is the progress of the search.
    """
    if not line.startswith(b"info ") or line.startswith(b"info string"):
        return None
    if b" pv " in line:
        variation = _MULTIPV.search(line)
        return b"pv " + (variation[1] if variation else b"1")
    if b" refutation " in line:
        return b"refutation"
    if b" currline " in line:
        return b"currline"
    return b"progress"
