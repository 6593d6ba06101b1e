"""Turns at starting engines, and the number that is taken together."""

import pytest

from rookery_server.engines.starting_engine import StartLimiter


class Kind:
    """Engines of one kind, that are wanted."""

    def __init__(self, limiter: StartLimiter, started: list[str], name: str, wanted: int) -> None:
        self.name = name
        self.wanted = wanted
        self.is_urgent = False
        self.fails = False
        self._started = started
        limiter.request_start(self)

    @property
    def may_start(self) -> bool:
        return self.wanted > 0

    def start_one(self) -> bool:
        self.wanted -= 1
        self._started.append(self.name)
        return not self.fails


def test_so_many_start_at_a_time() -> None:
    limiter, started = StartLimiter(2), list[str]()
    Kind(limiter, started, "a", 5)
    assert started == ["a", "a"]
    limiter.start_done()
    assert started == ["a", "a", "a"]


def test_kinds_take_turns() -> None:
    limiter, started = StartLimiter(1), list[str]()
    for name in "xabc":
        Kind(limiter, started, name, 1 if name == "x" else 2)
    for _ in range(6):
        limiter.start_done()
    assert started == ["x", "a", "b", "c", "a", "b", "c"]


def test_who_is_waited_for_is_first() -> None:
    limiter, started = StartLimiter(1), list[str]()
    kinds = [Kind(limiter, started, name, 1 if name == "x" else 2) for name in "xabc"]
    kinds[3].is_urgent = True
    for _ in range(6):
        limiter.start_done()
    assert started == ["x", "c", "c", "a", "b", "a", "b"]


def test_one_that_cannot_be_started_takes_no_place() -> None:
    limiter, started = StartLimiter(1), list[str]()
    busy = Kind(limiter, started, "a", 1)
    broken = Kind(limiter, started, "b", 3)
    broken.fails = True
    limiter.start_done()
    assert started == ["a", "b", "b", "b"]
    busy.wanted = 1
    limiter.request_start(busy)
    assert started[-1] == "a"


def test_error_of_one_starter_stops_no_other() -> None:
    class Breaks(Kind):
        def start_one(self) -> bool:
            super().start_one()
            raise RuntimeError

    limiter, started = StartLimiter(1), list[str]()
    with pytest.raises(RuntimeError):
        Breaks(limiter, started, "breaks", 1)
    Kind(limiter, started, "a", 1)
    assert started == ["breaks", "a"]
