"""Lets so many engines start at a time; the others wait for their turn.

Engines that start use all the CPU they get.  Fifty at once on two CPUs are each fifty
times as slow as one, so that all are late, are given up, and are started again: it
never ends.  One after the other they are all there in the same time, the first of them soon.

It looks at no clock and starts nothing: starters do, when it is their turn.
"""

from typing import Protocol

PER_CPU = 2  # that start at once: one loads from disk while the other computes


class Starter(Protocol):
    """Who starts engines of one kind."""

    @property
    def is_urgent(self) -> bool:
        """Whether somebody waits for the next one."""

    @property
    def may_start(self) -> bool:
        """Whether one more is wanted now."""

    def start_one(self) -> bool:
        """Start one; say whether it has a place from now on, until `leave`."""


class Gate:
    """The places of engines that are starting."""

    def __init__(self, width: int) -> None:
        """Make a gate for so many at a time."""
        self._width = width
        self._starting = 0
        self._waiting: dict[Starter, None] = {}  # in the order of their turns
        self._is_serving = False

    def enter(self, starter: Starter) -> None:
        """Let a starter start what it wants, now or as there are places."""
        self._waiting[starter] = None
        self._serve()

    def leave(self) -> None:
        """Take note that an engine is starting no more."""
        self._starting -= 1
        self._serve()

    def _serve(self) -> None:
        if self._is_serving:  # What is started may fail at once, and come here again.
            return
        self._is_serving = True
        try:
            while self._starting < self._width and (starter := self._next()):
                # It goes to the end: starters take turns.
                del self._waiting[starter]
                self._waiting[starter] = None
                if starter.start_one():
                    self._starting += 1
        finally:
            self._is_serving = False

    def _next(self) -> Starter | None:
        """Return whose turn it is: those for whom somebody waits are first."""
        ready = [starter for starter in self._waiting if starter.may_start]
        for starter in [starter for starter in self._waiting if starter not in ready]:
            del self._waiting[starter]
        return next((starter for starter in ready if starter.is_urgent), next(iter(ready), None))
