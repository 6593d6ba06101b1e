"""Gives memory back to the system when a crowd has left.

A session is tens of objects that know each other, so what ends is found by the garbage
collector; and what the collector frees, the allocator keeps for the next crowd.  Nobody
is served by that on a machine whose memory is for engines.  So when most of those who
were there are gone, and memory has grown since this was last done, it is collected and
handed back: each time that half of a crowd has left, not for each of its members.
"""

import functools
import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path

GROWN = 2  # MiB since the last crowd was gone, below which it is not worth the while
FEW = 10  # that are no crowd: what is in use beside them is what the server itself needs
# Looks after a crowd has left at which it is done again: engines and connections take time to
# end, and the last of a crowd may leave long after the half of it.
AFTERMATHS = (12, 36, 84)
_PAGE = os.sysconf("SC_PAGE_SIZE")


def settle() -> None:
    """Take what is there now to last: the collector need not look at it ever again.

    Modules and their functions are 60,000 objects; to walk over them takes 20 to 60 ms,
    in which everybody waits.  What nobody knows any more is freed before that: taken to last, the
    sessions that have just ended would.  And what gives memory back is loaded: loaded when it is
    needed, it would lie where a crowd has been, and its thousand objects hold as many pages there.
    """
    _trim()
    gc.collect()
    gc.freeze()


def resident() -> float:
    """Return the memory that the process has, in MiB; 0 if that cannot be known."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * _PAGE / 2**20
    except OSError:
        return 0.0


def give_back(*, alone: bool) -> None:
    """Free what nobody knows any more, and let the system have it.

    If nobody is there, then what was taken to last is looked at, too: a session was, if it had
    ended just before and only a timer still knew it.
    """
    if alone:
        gc.unfreeze()
    gc.collect()
    if alone:
        gc.freeze()
    # The cache of attribute names holds hundreds of strings that only it knows, each in a page
    # of its own: `datetime` makes a new "dst" for each date, and each has its own place there.
    if clear := getattr(sys, "_clear_type_cache", None):
        clear()
    if trim := _trim():
        trim(0)


class Tide:
    """Notices that a crowd has left; `look` now and again.

    `memory` says how much there is in use, in MiB, and `ebb` gives back what is not.
    """

    def __init__(self, ebb: Callable[[], None], memory: Callable[[], float] = resident) -> None:
        self._ebb = ebb
        self._memory = memory
        self._most = 0  # that were there at once since the last ebb
        self._since = AFTERMATHS[-1]  # looks since a crowd has left
        self._low = memory()

    def look(self, there: int) -> bool:
        """Give memory back if most have left, of those that there are so many of now."""
        self._most = max(self._most, there)
        self._since += 1
        if self._since in AFTERMATHS and there < FEW:
            self._give_back(there)
            return True
        if 2 * there > self._most or self._most == 0:
            return False
        if (now := self._memory()) < self._low:
            self._low = now
        if now <= self._low + GROWN:
            return False
        self._give_back(there)
        self._since = 0
        return True

    def _give_back(self, there: int) -> None:
        self._ebb()
        self._most = there
        if there < FEW:  # What a crowd's rest still has is to come back, too.
            self._low = self._memory()


@functools.cache
def _trim() -> Callable[[int], int] | None:
    """Return the function by which glibc gives pages back; other libraries do so unasked."""
    import ctypes  # Only here, for it takes a megabyte, and not every command is a server.

    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return None
    return trim
