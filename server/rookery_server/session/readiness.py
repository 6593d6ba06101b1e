"""Which `isready` an engine has yet to answer.  No I/O.

An engine answers them in their order.  One of them may be our own: who asks whether an engine
that searches in silence is there does not tell its client.
"""


class Readiness:
    """What one session's engine owes."""

    __slots__ = ("_before_ours", "answered", "before_search", "owed")

    def __init__(self) -> None:
        self.owed = 0  # of the client's
        self.before_search = 0  # of those, what came before the search that is under way
        self.answered = 0  # of all
        self._before_ours = -1  # of those owed, what comes before our own; -1 without one

    @property
    def is_probed(self) -> bool:
        """Whether our own is not answered."""
        return self._before_ours >= 0

    @property
    def is_even(self) -> bool:
        """Whether it owes nothing."""
        return not (self.owed or self.is_probed)

    def ask(self) -> None:
        """Take note that the client has asked."""
        self.owed += 1

    def probe(self) -> None:
        """Take note that we have asked."""
        self._before_ours = self.owed

    def begin_search(self) -> None:
        """Take note that the engine is told to search, behind what it owes."""
        self.before_search = self.owed

    def forget_engine(self) -> None:
        """Take note that the engine is gone: the next one owes what the client has asked for."""
        self._before_ours = -1

    def take_all(self) -> int:
        """Return how many the client is owed, for they are answered in the engine's stead."""
        owed, self.owed = self.owed, 0
        return owed

    def answer(self) -> bool:
        """Take note of a `readyok`; say whether it is the client's."""
        if not self.owed and self._before_ours < 0:
            return False  # Nobody has asked.
        self.answered += 1
        if self._before_ours == 0:
            self._before_ours = -1
            return False
        if self._before_ours > 0:
            self._before_ours -= 1
        self.owed -= 1
        if self.before_search > 0:
            self.before_search -= 1
        return True
