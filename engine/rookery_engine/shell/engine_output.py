"""What the engine writes: its replies to stdout, and all that was said to a log file.

Several threads reply, so a reply is one write, and they take turns.
"""

import os
from _thread import allocate_lock  # `threading` costs 5 ms at every start
from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO

from rookery_uci import Info

HEARD, SAID = b">> ", b"<< "
MOST_TOLD = 500  # characters of what is told in words: GUIs read lines into buffers

_lock = allocate_lock()  # a line on a full pipe is written in pieces
_log_lock = allocate_lock()  # one thread may hear while another changes the log
_log: BinaryIO | None = None
_writes = 0


def say(reply: object) -> None:
    """Write a reply."""
    write(str(reply))


def tell(text: str) -> None:
    """Tell in words what UCI has no reply for; a complaint may quote a line of megabytes."""
    say(Info(string=text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD]}..."))


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
        data += _note(SAID, data)
    _writes += 1
    _put(data)
    return _writes


def _put(data: bytes) -> None:
    """Write all of it; the process ends if no one listens any more."""
    written = 0
    try:
        while written < len(data):
            try:
                written += os.write(1, data[written:] if written else data)
            except BlockingIOError:  # who shares the pipe has made it so, and it is full
                _wait_for_room()
    except OSError:
        os._exit(1)


def _wait_for_room() -> None:
    from select import select  # hardly ever needed

    select((), (1,), ())


def is_heard() -> bool:
    """Say whether somebody can still read what is written, as far as the system tells."""
    try:
        from select import POLLERR, POLLHUP, POLLNVAL, poll
    except ImportError:  # on Windows, where the next writing shows it
        return True
    output = poll()
    output.register(1, 0)
    return not any(event & (POLLERR | POLLHUP | POLLNVAL) for _, event in output.poll(0))


def hear(line: bytes) -> None:
    """Put what was heard into the log, if there is one."""
    complaint = _note(HEARD, line) if _log is not None else b""
    if complaint:
        with _lock:
            _put(complaint)


def _note(mark: bytes, lines: bytes) -> bytes:
    """Put lines into the log, if there still is one; return what to say if that failed."""
    with _log_lock:
        if _log is None:
            return b""
        try:
            _log.write(b"".join([mark + line + b"\n" for line in lines.splitlines()]))
        except OSError as error:
            _change_log(None)
            return f"{Info(string=f'the log file is given up: {error.strerror}')}\n".encode()
    return b""


def start_log(path: str) -> None:
    """Add all that is heard and said from now on to a file; an empty path ends it.

    Raises:
        OSError: the file cannot be written; the log goes on where it was.
        ValueError: this can be no path; likewise.

    """
    # Not by pathlib, which costs 10 ms at a start; as bytes, so the name is the one that was sent.
    name = path.encode(errors="surrogateescape")
    new = open(name, "ab", buffering=0) if path else None  # noqa: PTH123, SIM115
    with _log_lock:
        _change_log(new)


def _change_log(new: BinaryIO | None) -> None:
    """Put a log in the place of the one there is, which is closed."""
    global _log
    old, _log = _log, new
    if old is not None:
        with suppress(OSError):  # a full disk may be told of only now; it is closed all the same
            old.close()
