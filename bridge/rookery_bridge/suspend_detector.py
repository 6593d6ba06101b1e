"""Detection of a sleep of this machine: its clocks go on differently, or it was idle for long.

After a sleep, connections may be dead though both ends still believe in them.
"""

import os
import sys
import time

NAP = 5.0  # s at most between two times that it is asked
_JUMP = 3.0  # s; corrections of the wall clock are smaller, and cost a new connection at most
_COUNTS_SLEEP = os.name == "nt"  # whether `time.monotonic` goes on


class SuspendDetector:
    """Compares a clock that stands still during a sleep with one that does not.

    On Windows all go on, so there it is a sleep if it is asked much later than after `NAP`.
    """

    def __init__(self) -> None:
        self._offset = _offset()
        self._asked = time.monotonic()

    def has_slept(self) -> bool:
        """Say whether the machine has slept since this was asked last."""
        before, self._offset = self._offset, _offset()
        asked, self._asked = self._asked, time.monotonic()
        is_late = _COUNTS_SLEEP and self._asked - asked > NAP + _JUMP
        return is_late or abs(self._offset - before) > _JUMP


def _offset() -> float:
    """Return by how much the clocks differ, in seconds."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
    return time.time() - time.monotonic()
