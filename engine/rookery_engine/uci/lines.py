"""A stream of bytes to lines, however the stream was divided."""

MAX_LINE = 65536  # bytes; a game of 600 moves takes 6 KB, so ten times that

_LINE_ENDS = bytes.maketrans(b"\r", b"\n")


class LineBuffer:
    """Cuts a stream of bytes into lines, however the stream was divided.

    A line ends with carriage return, line feed or any combination of them; blank
    lines are no lines.  A line longer than `limit` bytes is left out and counted
    in `overlong`, so that no peer can fill the memory.
    """

    __slots__ = ("_skipping", "_tail", "limit", "overlong")

    def __init__(self, limit: int = MAX_LINE) -> None:
        self.limit = limit
        self.overlong = 0
        self._tail = bytearray()
        self._skipping = False  # inside a line that is already too long

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes, each without its line ending."""
        if b"\r" in data:
            data = data.translate(_LINE_ENDS)
        lines = data.split(b"\n")
        rest = lines.pop()
        if lines:
            lines[0] = self._finish(lines[0])
            if len(data) > self.limit:
                lines = [line for line in lines if self._fits(line)]
            if b"" in lines:
                lines = [line for line in lines if line]
        self._keep(rest)
        return lines

    def rest(self) -> bytes:
        """Return what came after the last line ending: at end of input it is a line."""
        return self._finish(b"")

    def _finish(self, end: bytes) -> bytes:
        line = bytes(self._tail) + end if self._tail else end
        self._tail.clear()
        if self._skipping:
            self._skipping = False
            return b""
        return line if self._fits(line) else b""

    def _fits(self, line: bytes) -> bool:
        if len(line) <= self.limit:
            return True
        self.overlong += 1
        return False

    def _keep(self, rest: bytes) -> None:
        if self._skipping:
            return
        self._tail += rest
        if len(self._tail) > self.limit:
            self._tail.clear()
            self._skipping = True
            self.overlong += 1
