"""A log handler that writes in a thread of its own, so that logging never waits for a reader.

A reader that stalls would hold up the event loop, and with it every client.  So a line is only
put into a queue.  Where the queue is full, lines are lost until half of it has been written; then
a line says how many they were, in the place where they are missing.

The thread may hang in a write for ever, and the program can end all the same: nothing waits for
it longer than `PATIENCE`, and it holds no lock meanwhile.  (One of `sys.stderr` would be a fatal
error then, so it writes to the descriptor.)
"""

import logging
import os
import select
import threading
from collections import deque

logger = logging.getLogger(__name__)

MOST_LINES = 10_000  # in the queue: of a busy server, what it logs in minutes
MOST_BYTES = 1 << 20
PATIENCE = 0.5  # s for what is still queued: `logging.shutdown` flushes, then closes


class QueuedLogHandler(logging.Handler):
    """A handler that writes to a descriptor, and drops what cannot be written."""

    def __init__(self, descriptor: int, encoding: str = "utf-8") -> None:
        super().__init__()
        self._descriptor = descriptor
        self._encoding = encoding
        self._lines: deque[bytes] = deque()  # the first one is being written
        self._size = 0  # of all of them, in bytes
        self._lost = 0  # lines, since the queue was full
        self._is_over = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._write_lines, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Put a record into the queue, or count it among those that are lost."""
        try:
            line = self._line(record)
        except Exception:  # The caller's bug, which the library tells as it is set up to.
            self.handleError(record)
            return
        with self._changed:
            if self._is_over:
                return
            has_room = len(self._lines) < MOST_LINES and self._size + len(line) <= MOST_BYTES
            if self._lost or not has_room:
                self._lost += 1
            else:
                self._put(line)

    def flush(self) -> None:
        """Wait until all is written, but not for long."""
        with self._changed:
            self._changed.wait_for(lambda: not self._lines, PATIENCE)

    def close(self) -> None:
        """Write what is queued, and nothing more; do not wait for that for long."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
        self._thread.join(PATIENCE)
        super().close()

    def _put(self, line: bytes) -> None:
        self._lines.append(line)
        self._size += len(line)
        self._changed.notify_all()

    # --- in the thread

    def _write_lines(self) -> None:
        while line := self._next():
            self._write(line)
            with self._changed:
                del self._lines[0]
                self._size -= len(line)
                self._tell_lost()
                self._changed.notify_all()

    def _next(self) -> bytes:
        """Wait for a line, and return it; nothing if there will be none."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._is_over)
            return self._lines[0] if self._lines else b""

    def _tell_lost(self) -> None:
        """Say what is missing here, once there is room for what follows, too."""
        if self._lost and len(self._lines) <= MOST_LINES // 2 and self._size <= MOST_BYTES // 2:
            text = "lines are missing here, as nobody has read the log"
            record = logger.makeRecord(
                __name__, logging.WARNING, __file__, 0, "%d %s", (self._lost, text), None
            )
            self._lost = 0
            self._put(self._line(record))

    def _line(self, record: logging.LogRecord) -> bytes:
        return f"{self.format(record)}\n".encode(self._encoding, "backslashreplace")

    def _write(self, line: bytes) -> None:
        try:
            while line:
                try:
                    line = line[os.write(self._descriptor, line) :]
                except BlockingIOError:  # Others share it, and have it so.
                    select.select([], [self._descriptor], [])
        except OSError:
            pass  # The reader has left, or the disk is full: there is nobody to tell it.
