"""A stream of bytes to lines, however the stream was divided.

A line ends with carriage return, line feed or any combination of them, so that a
blank line may only be half of an ending, and is no line.
"""

MAX_LINE = 65536  # bytes; a game of 600 moves takes 6 KB, so ten times that

_LINE_ENDS = bytes.maketrans(b"\r", b"\n")
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")  # of UTF-8 and, without NUL, of UTF-16


class LineBuffer:
    """Keeps what came after the last line ending until the rest of that line comes.

    A line longer than `limit` bytes is left out and counted in `overlong`, so that
    no peer can fill the memory.
    """

    __slots__ = ("_skipping", "_tail", "limit", "overlong")

    def __init__(self, limit: int = MAX_LINE) -> None:
        self.limit = limit
        self.overlong = 0
        self._tail = bytearray()
        self._skipping = False  # inside a line that is already too long

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes, without their line endings."""
        return [line for line in self.feed_piece(data).split(b"\n") if line]

    def feed_piece(self, data: bytes) -> bytes:
        """Return the same lines as one piece, each ended by a newline; some may be blank."""
        if b"\r" in data:
            data = data.translate(_LINE_ENDS)
        end = data.rfind(b"\n") + 1
        piece = data[:end]
        if piece and (self._tail or self._skipping):
            piece = self._complete(piece)
        if end < len(data):
            self._keep(data[end:])
        if len(piece) > self.limit:
            lines = piece.splitlines(keepends=True)
            piece = b"".join([line for line in lines if self._fits(line[:-1])])
        return piece

    @property
    def waits(self) -> bool:
        """True if a line has begun and not ended."""
        return bool(self._tail) or self._skipping

    def rest(self) -> bytes:
        """Return what came after the last line ending: at end of input it is a line."""
        line = bytes(self._tail)
        self._tail.clear()
        return line

    def _complete(self, piece: bytes) -> bytes:
        """Put what was kept before a piece of whole lines."""
        if self._skipping:
            self._skipping = False
            return piece[piece.index(b"\n") + 1 :]
        return LineBuffer.rest(self) + piece

    def _keep(self, rest: bytes) -> None:
        if self._skipping:
            return
        self._tail += rest
        if not self._fits(self._tail):
            self._tail.clear()
            self._skipping = True

    def _fits(self, line: bytes | bytearray) -> bool:
        if len(line) <= self.limit:
            return True
        self.overlong += 1
        return False


class TypedLines(LineBuffer):
    """The lines that a GUI, a shell or a person sends.

    A shell may put a byte order mark before the first line, or send UTF-16: the mark and all
    NUL bytes are left out, which leaves the letters of UCI.
    """

    __slots__ = ("_has_begun",)

    def __init__(self, limit: int = MAX_LINE) -> None:
        super().__init__(limit)
        self._has_begun = False  # a first line has been there

    def feed_piece(self, data: bytes) -> bytes:
        """Return the lines that `data` completes, as one piece."""
        piece = super().feed_piece(data.replace(b"\0", b""))
        if piece and not self._has_begun:
            self._has_begun = True
            return _without_mark(piece)
        return piece

    def rest(self) -> bytes:
        """Return what came after the last line ending: at end of input it is a line."""
        line = super().rest()
        return line if self._has_begun else _without_mark(line)


def _without_mark(data: bytes) -> bytes:
    """Return the beginning of a stream without its byte order mark."""
    for mark in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :]
    return data
