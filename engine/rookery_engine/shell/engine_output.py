"""Output of the engine: its replies to stdout, and everything read and written to a log file.

Several threads reply, so a reply is one write, and they take turns.
"""

import os
import sys
from _thread import allocate_lock  # `threading` costs 5 ms at every start
from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO

from rookery_uci import Info

INPUT, OUTPUT = b">> ", b"<< "
MAX_INFO = 500  # characters of an `info string`: GUIs read lines into buffers

_lock = allocate_lock()  # a line on a full pipe is written in pieces
_log_lock = allocate_lock()  # one thread may log while another changes the log
_log: BinaryIO | None = None
_writes = 0


def write_reply(reply: object) -> None:
    """Write a reply."""
    write(str(reply))


def write_info(text: str) -> None:
    """Write an `info string`; it is cut short, since it may quote a line of megabytes."""
    write_reply(Info(string=text if len(text) <= MAX_INFO else f"{text[:MAX_INFO]}..."))


def write(text: str) -> int:
    """Write one or several lines at once; return the number of this write."""
    with _lock:
        return _write(text)


def write_after(last: str, *, number: int, before: Sequence[str]) -> None:
    """Write a reply that must follow others; repeat those if something was written between.

    `number` is that of the write it must follow, `before` the lines of that write.
    """
    with _lock:
        lines = [last] if number == _writes else [*before, last]
        _write("\n".join(lines))


def _write(text: str) -> int:
    global _writes
    data = f"{text}\n".encode(errors="replace")
    if _log is not None:
        data += _add_to_log(OUTPUT, data)
    _writes += 1
    _write_bytes(data)
    return _writes


def _write_bytes(data: bytes) -> None:
    """Write all bytes to stdout; end the process if its reader is gone."""
    written = 0
    try:
        while written < len(data):
            try:
                written += os.write(1, data[written:] if written else data)
            except BlockingIOError:  # another process made the pipe non-blocking, and it is full
                _wait_for_room()
    except OSError:
        os._exit(1)


def _wait_for_room() -> None:
    from select import select  # hardly ever needed

    select((), (1,), ())


def has_reader() -> bool:
    """Say whether stdout still has a reader, as far as the system tells."""
    if sys.platform == "win32":
        return True  # The next write shows it.
    else:  # noqa: RET505  # so that mypy knows
        from select import POLLERR, POLLHUP, POLLNVAL, poll

        output = poll()
        output.register(1, 0)
        return not any(event & (POLLERR | POLLHUP | POLLNVAL) for _, event in output.poll(0))


def log_input(line: bytes) -> None:
    """Add a line from stdin to the log, if there is one."""
    complaint = _add_to_log(INPUT, line) if _log is not None else b""
    if complaint:
        with _lock:
            _write_bytes(complaint)


def _add_to_log(mark: bytes, lines: bytes) -> bytes:
    """Add lines to the log, if there still is one; return the complaint if that failed."""
    with _log_lock:
        if _log is None:
            return b""
        try:
            _log.write(b"".join([mark + line + b"\n" for line in lines.splitlines()]))
        except OSError as error:
            _replace_log(None)
            return f"{Info(string=f'the log file is given up: {error.strerror}')}\n".encode()
    return b""


def start_log(path: str) -> None:
    """Add everything read and written from now on to a file; an empty path ends it.

    Raises:
        OSError: the file cannot be written; the log goes on where it was.
        ValueError: this can be no path; likewise.

    """
    # Not by pathlib, which costs 10 ms at a start; as bytes, so the name is the one that was sent.
    name = path.encode(errors="surrogateescape")
    new = open(name, "ab", buffering=0) if path else None  # noqa: PTH123, SIM115
    with _log_lock:
        _replace_log(new)


def _replace_log(new: BinaryIO | None) -> None:
    """Replace the log by another, and close it."""
    global _log
    old, _log = _log, new
    if old is not None:
        with suppress(OSError):  # a full disk may be reported only now; it is closed all the same
            old.close()
