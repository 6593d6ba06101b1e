"""Whether an engine gets on with what it was told, or has stopped reading it.

An engine that is behind is not late: each line takes it as long as it takes.  It is as long as
it reads on.  One that works or talks meanwhile has longer, but not for ever: what spins looks
the same.  This looks at no clock and at no engine: it is told how things are.
"""

from enum import Enum, auto

PATIENCE = 4  # times as long for an engine that works or talks, though it does not read


class Pace(Enum):
    """How an engine gets on."""

    LEVEL = auto()  # it has taken all
    BEHIND = auto()  # and takes more, or works
    RESTING = auto()  # behind, and has taken nothing since it was last looked at
    STUCK = auto()  # for too long


class Progress:
    """What one engine had taken when it was last looked at."""

    __slots__ = ("_since", "_taken")

    def __init__(self) -> None:
        self._taken = -1
        self._since = 0.0  # when it last took something, in seconds by the caller's clock

    def look(self, taken: int, left: int, now: float, *, patience: float, alive: bool) -> Pace:
        """Say how the engine gets on.

        Args:
            taken: bytes that it has taken so far.
            left: bytes that it has been told besides.
            now: the time, in seconds.
            patience: seconds that it may take for what it has read last.
            alive: whether it has worked or talked since this was last asked.

        """
        if not left or taken != self._taken:
            self._taken, self._since = taken, now
            return Pace.BEHIND if left else Pace.LEVEL
        silence = now - self._since
        if alive and silence <= PATIENCE * patience:
            return Pace.BEHIND
        return Pace.STUCK if silence > patience else Pace.RESTING
