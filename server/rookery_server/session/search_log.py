"""What an engine has said of one search, as far as it may be worth keeping.  No I/O.

Nothing is read while the search goes on: pieces are put on a heap, which is made smaller
when it is large, and the newest exact line of each variation is looked for at the end.
"""

from rookery_server.session.chunks import newest_exact

_MOST = 65536  # bytes of the heap
_FLOOD = 8192  # bytes of a piece that says it all anew


class Record:
    """The pieces of a search."""

    __slots__ = ("_pieces", "_size")

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0  # bytes

    def put(self, piece: bytes) -> None:
        """Add lines that the engine has said."""
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > _MOST:
            # To look through a flood would cost as much as to carry it.
            self._pieces = self._pieces[-2:] if len(piece) >= _FLOOD else [self.newest()]
            self._size = sum(map(len, self._pieces))

    def newest(self) -> bytes:
        """Return the newest line of each variation that has an exact score."""
        return newest_exact(b"".join(self._pieces))
