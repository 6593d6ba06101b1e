"""Whose turn it is, of all who say much at once.

A line may take milliseconds: a game of 1,200 plies that is said anew takes 7.  If each who
says such lines had a turn in each round of the event loop, the others would wait for all of
them.  So there is one turn in a round, for whoever has waited for longest.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter

TURN = 0.001  # s; a game's next `position` and `go` take a tenth of it

# Goes on until a time by `perf_counter`; says whether there is more to do.
GoOn = Callable[[float], bool]


class Turns:
    """Lets those who have much to say go on one after the other."""

    def __init__(self) -> None:
        self._waiting: dict[GoOn, None] = {}  # who came first is first
        self._round: asyncio.Handle | None = None  # the next one, if this one's time is known
        self._until = 0.0  # when this round's time is over

    def enter(self, go_on: GoOn) -> None:
        """Let somebody go on: now, if this round has time for it, or in its turn."""
        if self._waiting or (self._round and perf_counter() > self._until):
            self.wait(go_on)
            return
        if not self._round:
            self._begin()
        if go_on(self._until):
            self.wait(go_on)

    def wait(self, go_on: GoOn) -> None:
        """Let somebody go on in its turn, and not now."""
        self._waiting[go_on] = None
        if not self._round:
            self._begin()

    def leave(self, go_on: GoOn) -> None:
        """Take note that somebody has nothing more to say."""
        self._waiting.pop(go_on, None)

    def _begin(self) -> None:
        self._until = perf_counter() + TURN
        self._round = asyncio.get_running_loop().call_soon(self._serve)

    def _serve(self) -> None:
        """Begin a round."""
        self._round = None
        if not self._waiting:
            return
        self._begin()
        while self._waiting and perf_counter() < self._until:
            go_on = next(iter(self._waiting))
            del self._waiting[go_on]
            if go_on(self._until):
                self._waiting[go_on] = None
