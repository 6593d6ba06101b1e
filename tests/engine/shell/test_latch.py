"""The latch that a search waits at."""

import threading

from rookery_engine.shell.latch import Latch


def test_open_latch_lets_one_thread_pass_and_closes() -> None:
    """Only `open` may release the lock: the waiting thread would release it twice."""
    latch = Latch()
    latch.close()
    latch.open()
    latch.wait()
    assert latch.is_closed()


def test_latch_may_be_opened_and_closed_twice() -> None:
    latch = Latch()
    latch.close()
    latch.close()
    assert latch.is_closed()
    latch.open()
    latch.open()
    assert not latch.is_closed()


class _Overtaken:
    """A lock that is given back by another thread as soon as one has looked at it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def acquire(self, blocking: bool = True) -> bool:
        return self._lock.acquire(blocking)

    def release(self) -> None:
        self._lock.release()

    def locked(self) -> bool:
        locked = self._lock.locked()
        if locked:
            self._lock.release()
        return locked


def test_two_may_open_a_latch_at_once() -> None:
    """A benchmark and the `stop` that it has not seen yet do."""
    latch = Latch()
    latch._lock = _Overtaken()  # type: ignore[assignment]
    latch.close()
    latch.open()
    assert latch._lock.acquire(False)


def test_closed_latch_holds_the_waiting_thread_until_it_is_opened() -> None:
    latch = Latch()
    latch.close()
    passed = threading.Event()

    def go_through() -> None:
        latch.wait()
        passed.set()

    waiter = threading.Thread(target=go_through)
    waiter.start()
    assert not passed.is_set()
    latch.open()
    waiter.join()
    assert passed.is_set()
