"""A gate that one thread waits at until another opens it."""

from _thread import allocate_lock  # `threading` would cost 5 ms at every start


class Gate:
    """Closed, it holds those who wait back; it can be opened more than once."""

    def __init__(self) -> None:
        self._lock = allocate_lock()

    def close(self) -> None:
        """Let no one pass from now on."""
        self._lock.acquire(False)

    def closed(self) -> bool:
        """Say whether no one can pass."""
        return self._lock.locked()

    def open(self) -> None:
        """Let those who wait pass, and those who come later."""
        if self._lock.locked():
            self._lock.release()

    def wait(self) -> None:
        """Return when the gate is open."""
        with self._lock:
            pass
