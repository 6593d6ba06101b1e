"""The gate that a search waits at."""

import threading

from rookery_engine.shell.latch import Gate


def test_open_gate_lets_pass_and_falls_shut() -> None:
    """Only `open` may give the lock back: who waited would give back what it has already."""
    gate = Gate()
    gate.close()
    gate.open()
    gate.wait()
    assert gate.closed()


def test_gate_may_be_opened_and_closed_twice() -> None:
    gate = Gate()
    gate.close()
    gate.close()
    assert gate.closed()
    gate.open()
    gate.open()
    assert not gate.closed()


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


def test_two_may_open_a_gate_at_once() -> None:
    """A benchmark and the `stop` that it has not seen yet do."""
    gate = Gate()
    gate._lock = _Overtaken()  # type: ignore[assignment]
    gate.close()
    gate.open()
    assert gate._lock.acquire(False)


def test_closed_gate_holds_who_waits_until_it_is_opened() -> None:
    gate = Gate()
    gate.close()
    passed = threading.Event()

    def go_through() -> None:
        gate.wait()
        passed.set()

    waiter = threading.Thread(target=go_through)
    waiter.start()
    assert not passed.is_set()
    gate.open()
    waiter.join()
    assert passed.is_set()
