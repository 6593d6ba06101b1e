"""A latch that holds one thread back until another opens it.

It closes again behind the thread that passes.  So only `open` releases the lock: if the waiting
thread did too, both could release it for one acquisition, which is an error.
"""

from _thread import allocate_lock  # `threading` would cost 5 ms at every start


class Latch:
    """A lock for one waiting thread at most; it can be opened more than once."""

    def __init__(self) -> None:
        self._lock = allocate_lock()

    def close(self) -> None:
        """Hold back the next thread that waits."""
        self._lock.acquire(False)

    def is_closed(self) -> bool:
        """Say whether a thread that waits is held back."""
        return self._lock.locked()

    def open(self) -> None:
        """Let the waiting thread pass, or the next one."""
        try:
            self._lock.release()
        except RuntimeError:  # it is open; to look first would be too early, if two open at once
            return

    def wait(self) -> None:
        """Return when the latch is open, and leave it closed."""
        self._lock.acquire()
