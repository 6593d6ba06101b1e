"""A log of what was said, for `--log`: both directions, each line with its time.

    2026-11-22T05:37:26.123+00:00 gui > go wtime 60000 btime 60000
    2026-11-22T05:37:26.124+00:00 net > go wtime 59900 btime 60000
    2026-11-22T05:37:27.301+00:00 gui < bestmove e2e4 ponder e7e5

`gui` is what the GUI says and hears, `net` what the server does, `own` the engine of this
machine.  Of what the server says it has all but `info`, which the GUI hears anyway.  No secret
is in it: the token is not among the lines, and of those with the pass to a session only the
first words are written.  It never stops a game: if it cannot be written it ends.
"""

import logging
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


class TrafficLog:
    """The log in a file.

    Args:
        path: of the file; what is in it already stays.
        failed: takes why it cannot be written, once.

    """

    def __init__(self, path: str | Path, failed: Callable[[str], None]) -> None:
        self._failed = failed
        self._handler: _Handler | None = None
        try:
            file = Path(path).expanduser()
            self._handler = _Handler(
                file, maxBytes=LONGEST, backupCount=1, encoding="utf-8", errors="replace"
            )
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
    """Keeps what went wrong, for the standard one prints it each time."""

    failure = ""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # as in logging
        self.failure = str(sys.exc_info()[1])


def _text(line: bytes) -> str:
    if line.startswith(_OURS):
        line = b" ".join(line.split(maxsplit=_SHOWN)[:_SHOWN]) + b" ..."
    return CONTROL.sub("?", line.decode(errors="replace"))
