"""The streams of a program: lines for people on stdout and stderr.

A reader may have left, a disk may be full, a stream may have been closed before the program
began, and an encoding may lack a letter.  None of that is an error of ours: `print_line` raises
an `OutputError`, and `complain` needs no reader.  `flush_streams` leaves nothing at the end on
which Python would stumble.
"""

import contextlib
import errno
import io
import os
import select
import sys
from collections.abc import Sequence
from typing import TextIO

from rookery_protocol.notices import printable

_STDIN, _STDOUT, _STDERR = range(3)  # descriptors


class OutputError(Exception):
    """A line could not be printed."""


class ReaderGoneError(OutputError):
    """The reader of stdout has left, and so will not hear of that either."""


def prepare_streams() -> None:
    """Open all three streams, whatever the program was started with, and let them show any text.

    A descriptor that is closed would be that of the next file or connection that is opened.  To
    print on a stream that was closed is an error now as it would have been.
    """
    for descriptor, mode in (
        (_STDIN, os.O_RDONLY),
        (_STDOUT, os.O_RDONLY),
        (_STDERR, os.O_WRONLY),
    ):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest that is free, and those below it are taken.
            os.set_inheritable(os.open(os.devnull, mode), True)  # as it is there
    sys.stdin = sys.stdin or _opened(_STDIN, "r")
    sys.stdout = sys.stdout or _opened(_STDOUT, "w")
    sys.stderr = sys.stderr or _opened(_STDERR, "w")
    if isinstance(sys.stdout, io.TextIOWrapper):  # Else a caller has put something there.
        # In a file, Windows would have the letters of a few languages only.
        is_file = sys.platform == "win32" and not sys.stdout.isatty()
        sys.stdout.reconfigure(encoding="utf-8" if is_file else None, errors="replace")


def _opened(descriptor: int, mode: str) -> io.TextIOWrapper:
    found = open(descriptor, mode, closefd=False)  # noqa: SIM115  # for good
    assert isinstance(found, io.TextIOWrapper)
    return found


def print_line(text: str) -> None:
    """Print a text on stdout, now; characters that cannot be shown are a `?`.

    A client's or a server's text may be in it, and a terminal obeys control characters.  A
    file may be of an encoding that has not all letters: Windows has such.

    Raises:
        ReaderGoneError: the reader has left.
        OutputError: it cannot be written.

    """
    encoding = sys.stdout.encoding or "utf-8"
    clean = printable(text, kept="\n")
    try:
        sys.stdout.write(clean.encode(encoding, "replace").decode(encoding) + "\n")
        sys.stdout.flush()
    except OSError as error:
        _drop(sys.stdout)
        # On Windows it is error 22.
        if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
            raise ReaderGoneError("nobody reads stdout") from error
        raise OutputError(f"cannot write to stdout: {error.strerror}") from error


def print_line_at_once(text: str) -> None:
    """Print a line or a few on stdout, if that need not wait for the reader.

    Raises:
        OutputError: it would have to wait, or cannot be written.

    """
    if is_full(sys.stdout):
        raise OutputError("stdout is full, and nobody reads it")
    print_line(text)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows, the first of them the head, in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print_line(line.rstrip())


def is_full(stream: TextIO) -> bool:
    """Say whether a line would have to wait for the reader."""
    try:
        return not select.select([], [stream], [], 0)[1]
    except (OSError, ValueError):
        return False  # It is no file of the system's.


def complain(text: str) -> None:
    """Print a text on stderr, if it can be printed; control characters are a `?`."""
    try:
        sys.stderr.write(printable(text, kept="\n") + "\n")
        sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)


def flush_streams() -> None:
    """Flush the streams, or drop the rest: Python would end with a status of its own."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _drop(stream)


def _drop(stream: TextIO) -> None:
    """Let the unwritten rest, and all that follows, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
        with contextlib.suppress(OSError):
            stream.flush()
    finally:
        os.close(nowhere)
