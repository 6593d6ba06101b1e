"""What the engine writes: its replies to stdout, and all that was said to a log file.

Several threads reply, so a reply is one write, and they take turns.
"""

import os
from _thread import allocate_lock  # `threading` costs 5 ms at every start
from collections.abc import Sequence
from typing import BinaryIO

from rookery_engine.uci import Info

HEARD, SAID = b">> ", b"<< "

_lock = allocate_lock()  # a line on a full pipe is written in pieces
_log: BinaryIO | None = None
_writes = 0


def say(reply: object) -> None:
    """Write a reply."""
    write(str(reply))


def write(text: str) -> int:
    """Write one or several lines at once; return the number of this writing."""
    with _lock:
        return _write(text)


def conclude(last: str, *, number: int, before: Sequence[str]) -> None:
    """Write a reply that must follow others; write those again if something came between.

    `number` is that of the writing it must follow, `before` what was written then.
    """
    with _lock:
        lines = [last] if number == _writes else [*before, last]
        _write("\n".join(lines))


def _write(text: str) -> int:
    global _writes
    data = f"{text}\n".encode(errors="replace")
    if _log is not None:
        note(SAID, data)
    _writes += 1
    try:
        written = os.write(1, data)
        while written < len(data):
            written += os.write(1, data[written:])
    except OSError:  # no one listens any more
        os._exit(1)
    return _writes


def note(mark: bytes, lines: bytes) -> None:
    """Put what was heard or said into the log, if there is one."""
    log = _log
    if log is None or log.closed:
        return
    try:
        log.write(b"".join([mark + line + b"\n" for line in lines.splitlines()]))
    except OSError as error:
        stop_log()
        os.write(1, f"{Info(string=f'the log file is given up: {error.strerror}')}\n".encode())


def start_log(path: str) -> None:
    """Add all that is heard and said from now on to a file; an empty path ends it.

    Raises:
        OSError: the file cannot be written; the log goes on where it was.
        ValueError: this can be no path; likewise.

    """
    global _log
    # Not by pathlib, which costs 10 ms at a start.
    new = open(path, "ab", buffering=0) if path else None  # noqa: PTH123, SIM115
    stop_log()
    _log = new


def stop_log() -> None:
    """Close the log."""
    global _log
    log, _log = _log, None
    if log is not None:
        log.close()
