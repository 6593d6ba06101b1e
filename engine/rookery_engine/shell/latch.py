"""A gate that one thread waits at until another opens it.

It falls shut behind who passes.  So nobody but `open` gives the lock back: if who waited
did too, both could do it for one taking, which is an error.
"""

from _thread import allocate_lock  # `threading` would cost 5 ms at every start


class Gate:
    """Closed, it holds who waits back; it can be opened more than once.

    One thread at most waits.
    """

    def __init__(self) -> None:
        self._lock = allocate_lock()

    def close(self) -> None:
        """Let no one pass from now on."""
        self._lock.acquire(False)

    def closed(self) -> bool:
        """Say whether no one can pass."""
        return self._lock.locked()

    def open(self) -> None:
        """Let who waits pass, or who comes next."""
        try:
            self._lock.release()
        except RuntimeError:  # it is open; to look first would be too early, if two open at once
            return

    def wait(self) -> None:
        """Return when the gate is open, and leave it closed."""
        self._lock.acquire()
