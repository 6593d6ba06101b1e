"""Who owes what: the bridge to the GUI, and the server to the bridge.  No I/O.

A debt to the GUI is paid once.  The server pays in the order in which it was asked, whether the
debt has been paid otherwise or not; so both are kept.
"""

from collections import deque

from rookery_bridge.session.pending import Debt, Kind, Search
from rookery_bridge.session.sent_lines import Entry


class Ledger:
    """The debts of a conversation.  `searches` are those whose moves the GUI is owed, in order."""

    def __init__(self) -> None:
        self.searches: deque[Search] = deque()
        self._waiting: dict[Debt, None] = {}  # answers to `uci` and `isready` that are owed
        # What the server has been asked for, paid or not, in the order of its answers.
        self._asked: dict[Kind, deque[Debt]] = {kind: deque() for kind in Kind}

    def owe(self, debt: Debt) -> None:
        """Take note of what the GUI has asked for."""
        if isinstance(debt, Search):
            self.searches.append(debt)
        else:
            self._waiting[debt] = None

    def ask(self, debt: Debt) -> None:
        """Take note that the server is asked for it."""
        self._asked[debt.kind].append(debt)

    @property
    def first_waiting(self) -> Debt | None:
        """The first of the answers that are owed besides moves."""
        return next(iter(self._waiting), None)

    @property
    def first(self) -> Debt | None:
        """What is owed first."""
        return self.searches[0] if self.searches else self.first_waiting

    def is_asked(self, kind: Kind) -> bool:
        """Say whether the server owes any answer of that kind."""
        return bool(self._asked[kind])

    def is_asked_for(self, debt: Debt) -> bool:
        """Say whether the server owes this one."""
        return debt in self._asked[debt.kind]

    @property
    def searched(self) -> Search | None:
        """What the server searches, as far as it has said: its `info` is about that."""
        debt = next(iter(self._asked[Kind.BESTMOVE]), None)
        assert debt is None or isinstance(debt, Search)
        return debt

    @property
    def ends(self) -> bool:
        """Whether moves are owed, and all come without another word of the GUI's."""
        return bool(self.searches) and all(search.ends for search in self.searches)

    def answered(self, kind: Kind) -> Debt | None:
        """Take note that the server has paid; return what, if the GUI is owed it still."""
        debt = self._asked[kind].popleft() if self._asked[kind] else None
        return None if debt is None or debt.paid else debt

    def settle(self, debt: Debt, now: float) -> None:
        """Take note that the GUI has been answered."""
        debt.paid = True
        if isinstance(debt, Search):
            self.searches.remove(debt)
            if self.searches:  # It is its turn now.
                self.searches[0].since = max(self.searches[0].since, now)
        else:
            del self._waiting[debt]

    def without_settled(self, entries: list[Entry]) -> list[Entry]:
        """Leave out, of lines that the server has not heard, what was answered otherwise."""
        settled = [entry.debt for entry in entries if entry.asks and entry.debt and entry.debt.paid]
        for debt in settled:
            if self.is_asked_for(debt):  # A server may have answered what it says it has not heard.
                self._asked[debt.kind].remove(debt)
        return [entry for entry in entries if entry.debt not in settled or entry.debt is None]

    def begin_anew(self) -> dict[Kind, list[Debt]]:
        """Forget what the old session owes; return what a new one is to be asked for."""
        unpaid = {kind: [debt for debt in self._asked[kind] if not debt.paid] for kind in Kind}
        self._asked = {kind: deque(debts) for kind, debts in unpaid.items()}
        return unpaid
