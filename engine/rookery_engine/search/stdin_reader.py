"""What the GUI says, read such that a lone `stop` ends a search at once.

After a search Python's code is no longer in the processor's cache, and takes 0.1 ms to
understand one word.  So this word is known here, without Python and without the GIL.
"""

import cython
from cython.cimports.cpython.exc import PyErr_CheckSignals, PyErr_SetFromErrno
from cython.cimports.libc.errno import EINTR, errno
from cython.cimports.libc.string import memcmp
from cython.cimports.rookery_engine.core.system import now, read_bytes, rest
from cython.cimports.rookery_engine.core.types import i64

STOP = cython.declare(cython.p_char, b"stop\n")
STOP_SIZE = cython.declare(i64, 5)
BUSY_AT_MOST = cython.declare(i64, 5_000_000)  # ns; a best move is said sooner, or waits for a pipe


class StdinReader:
    """A buffer to read into, and the search that `stop` ends."""

    def read(self, file: cython.int, *, alert: cython.bint) -> bytes:
        """Read what there is in a file, at least a byte; b"" at its end.

        `stop` is returned too, to be taken as a command.  Not `alert`: what comes is the
        rest of a line, and no command whatever it is.

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
    """Set the signal, and leave the GIL alone for the moment that the best move then takes.

    A thread that finds the GIL taken, or has to wake one that waits for it, takes 0.1 ms more.
    """
    signals.stop = True
    until = now() + BUSY_AT_MOST
    while signals.busy and now() < until:
        rest()
