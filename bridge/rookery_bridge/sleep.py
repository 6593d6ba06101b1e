"""Whether this machine has slept: its clocks go on differently.

After a sleep, connections may be dead though both ends still believe in them.
"""

import time

_JUMP = 3.0  # s; corrections of the wall clock are smaller, and cost a new connection at most


class SleepWatch:
    """Compares a clock that stands still during a sleep with one that does not."""

    def __init__(self) -> None:
        self._offset = _offset()

    def has_slept(self) -> bool:
        """Say whether the machine has slept since this was asked last."""
        before, self._offset = self._offset, _offset()
        return abs(self._offset - before) > _JUMP


def _offset() -> float:
    """Return by how much the clocks differ, in seconds."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
    return time.time() - time.monotonic()
