"""Reader of stdin that ends a search on a lone `stop` at once.

After a search Python's code is no longer in the processor's cache, and takes 0.1 ms to
parse one word.  So this word is recognised here, without Python and without the GIL.
"""

import cython
from cython.cimports.cpython.exc import PyErr_CheckSignals, PyErr_SetFromErrno
from cython.cimports.libc.errno import EINTR, errno
from cython.cimports.libc.string import memcmp
from cython.cimports.rookery_engine.core.system import now, read_bytes, rest
from cython.cimports.rookery_engine.core.types import i64

STOP = cython.declare(cython.p_char, b"stop\n")
STOP_SIZE = cython.declare(i64, 5)
BUSY_AT_MOST = cython.declare(i64, 5_000_000)  # ns; then the best move waits for a pipe


class StdinReader:
    """A buffer to read into, and the search that `stop` ends."""

    def read(self, file: cython.int, *, alert: cython.bint) -> bytes:
        """Read the bytes that a file has, at least one; b"" at its end.

        `stop` is returned too, as a command.  Without `alert` the bytes are the rest of a
        line, and never a command.

        Raises:
            OSError: the file cannot be read.

        """
        length: i64
        while True:
            with cython.nogil:
                length = read_bytes(file, self.bytes, SIZE)
                if alert and length == STOP_SIZE and memcmp(self.bytes, STOP, STOP_SIZE) == 0:
                    end_search(self.signals)
            if length >= 0:
                return self.bytes[:length]
            if errno != EINTR:
                PyErr_SetFromErrno(OSError)
            PyErr_CheckSignals()


def end_search(signals):
    """Set the signal, and do not take the GIL until the best move is written.

    A thread that finds the GIL taken, or has to wake one that waits for it, needs 0.1 ms more.
    """
    signals.stop = True
    until = now() + BUSY_AT_MOST
    while signals.busy and now() < until:
        rest()
