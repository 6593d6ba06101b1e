"""A log of what was said, for `--log`: both directions, each line with its time.

    2026-11-22T05:37:26.123+00:00 gui > go wtime 60000 btime 60000
    2026-11-22T05:37:26.124+00:00 net > go wtime 59900 btime 60000
    2026-11-22T05:37:27.301+00:00 gui < bestmove e2e4 ponder e7e5

`gui` is what the GUI says and hears, `net` what the server does, `own` the engine of this
machine.  Of what the server says it has all but `info`, which the GUI hears anyway.  No secret
is in it: the token is not among the lines, and of those with the pass to a session only the
first words are written.  It never stops a game: if it cannot be written it ends.

A file has the lines of one bridge at a time.  Two could not continue it in a new file: each would
rename what the other one writes, which Windows refuses.
"""

import errno
import io
import logging
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

from rookery_protocol.notices import CONTROL

LONGEST = 8 << 20  # bytes; then it goes on in a new file, and one former is kept
_OURS = b"rookery "
_SHOWN = 2  # words of a line that may have a secret
_MOST = 100  # files that are tried; then two bridges share one
_LOCKED = (1 << 31) - 2  # the byte that Windows locks: the last that it can, and no log is so long


class TrafficLog:
    """The log in a file.  While another bridge writes that one, it is `elsewhere`.

    Args:
        path: of the file; what is in it already stays.
        failed: takes why it cannot be written, once.

    """

    def __init__(self, path: str | Path, failed: Callable[[str], None]) -> None:
        self._failed = failed
        self._handler: _Handler | None = None
        self.elsewhere: Path | None = None
        try:
            file = Path(path).expanduser()
            self._handler, found = _open_own(file)
            self.elsewhere = found if found != file else None
        except (OSError, RuntimeError, ValueError) as error:  # also a ~ of no account, a NUL
            failed(f"{path}: {getattr(error, 'strerror', None) or error}")
        else:
            self._handler.setFormatter(logging.Formatter("%(message)s"))

    def add(self, who: str, piece: bytes, *, sparing: bool = False) -> None:
        """Write lines, each with its newline; `sparing` leaves out those of `info`."""
        handler = self._handler
        if handler is None:
            return
        start = f"{datetime.now().astimezone().isoformat(timespec='milliseconds')} {who} "
        lines = [
            start + _text(line)
            for line in piece.split(b"\n")
            if line and not (sparing and line.startswith(b"info "))
        ]
        if not lines:
            return
        handler.emit(logging.makeLogRecord({"msg": "\n".join(lines)}))
        if handler.failure:
            self.close()
            self._failed(handler.failure)

    def close(self) -> None:
        """End it."""
        handler, self._handler = self._handler, None
        if handler:
            with suppress(OSError):  # What was not written yet cannot be.
                handler.close()


class _Handler(RotatingFileHandler):
    """Keeps what went wrong, for the standard one prints it each time.

    `is_own`: no other bridge writes the file.
    """

    failure = ""
    is_own = False

    def __init__(self, file: Path) -> None:
        super().__init__(file, maxBytes=LONGEST, backupCount=1, encoding="utf-8", errors="replace")

    def _open(self) -> io.TextIOWrapper:
        stream = super()._open()
        self.is_own = _lock(stream.fileno())
        return stream

    def doRollover(self) -> None:  # noqa: N802  # as in logging
        """Go on in a new file; in the same one, if Windows says that a program has it open."""
        try:
            super().doRollover()
        except PermissionError as error:
            if getattr(error, "winerror", None) is None:
                raise
            self.maxBytes += LONGEST  # for the next attempt

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # as in logging
        self.failure = str(sys.exc_info()[1])


def _open_own(file: Path) -> tuple[_Handler, Path]:
    """Open the file, or the first of `FILE-2`, `FILE-3` and so on that no other bridge writes."""
    found, handler = file, _Handler(file)
    for number in range(2, _MOST):
        if handler.is_own:
            break
        handler.close()
        found = file.with_name(f"{file.stem}-{number}{file.suffix}")
        handler = _Handler(found)
    return handler, found


def _lock(descriptor: int) -> bool:
    """Lock a file until it is closed; return False if another program has done that."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        return True  # What goes to /dev/null disturbs no other.
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_END)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Some file systems of networks have no locks.
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES)
    return True


def _text(line: bytes) -> str:
    if line.startswith(_OURS):
        line = b" ".join(line.split(maxsplit=_SHOWN)[:_SHOWN]) + b" ..."
    return CONTROL.sub("?", line.decode(errors="replace"))
