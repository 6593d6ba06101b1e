"""Whether a client is there, where it has asked to be asked.  No I/O and no clock.

A program may stand still on a machine that does not: its kernel still acknowledges what is sent
to it, and only the program itself could say that it is there.
"""

from enum import Enum, auto

LEAST, MOST = 1, 3600  # s from one question to the next


class Sign(Enum):
    """What to do about a client."""

    NOTHING = auto()
    ASK = auto()
    GONE = auto()  # it has not answered


class Pulse:
    """One connection's questions: every so many seconds, and so long for the answer.

    Whatever the client says is an answer.
    """

    __slots__ = ("_asked_at", "is_heard", "seconds")

    def __init__(self, seconds: int, now: float) -> None:
        """Begin with a question that is asked now."""
        self.seconds = min(max(seconds, LEAST), MOST)
        self.is_heard = False  # since the last question
        self._asked_at = now  # s

    def look(self, now: float) -> Sign:
        """Say whether it is time to ask, or whether the client is gone."""
        if now - self._asked_at < self.seconds:
            return Sign.NOTHING
        if not self.is_heard:
            return Sign.GONE
        self.is_heard = False
        self._asked_at = now
        return Sign.ASK
