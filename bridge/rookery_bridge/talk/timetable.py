"""When the server must have said something, else the GUI is answered otherwise.  No I/O.

It reads what the conversation knows, and changes nothing of it.  Times are seconds of the
caller's clock; `inf` is never.
"""

from functools import partial
from math import inf

from rookery_bridge.talk.debt import Debt
from rookery_bridge.talk.fallback import Fallback
from rookery_bridge.talk.ledger import Ledger
from rookery_bridge.talk.link import Link
from rookery_bridge.talk.patience import answer_at, fall_back_at, give_up_at, pace_of
from rookery_bridge.talk.preference import Preferences
from rookery_bridge.talk.pulse import Pace
from rookery_bridge.talk.recall import Recall


class Timetable:
    """The times of one conversation: they follow what is owed, and how the connection is."""

    def __init__(
        self,
        preferences: Preferences,
        link: Link,
        ledger: Ledger,
        *,
        fallback: Fallback,
        recall: Recall,
    ) -> None:
        self._preferences = preferences
        self._link = link
        self._ledger = ledger
        self._fallback = fallback
        self._recall = recall

    def due(self, waiting: Debt | None, *, listens: bool) -> float:
        """Return when to look at the time again.

        `waiting` is what may be answered without the server; `listens` says that its
        silence means something.
        """
        times = [self.give_up_at(), self.fall_back_at()]
        if waiting:
            times.append(self.answer_at(waiting))
        if self._link.pulse and listens:
            times.append(self._link.pulse.due(self.pace))
        return min(times)

    @property
    def pace(self) -> Pace:
        """How soon a silence is noticed."""
        return pace_of(self._ledger.first, self._link.round_trip.seconds)

    def answer_at(self, debt: Debt) -> float:
        """Return when an answer that is no move is given without the server."""
        return answer_at(debt, self._link.outage)

    def give_up_at(self) -> float:
        """Return when the first search must have its move."""
        if not (self._ledger.searches and self._preferences.may_guess):
            return inf
        search = self._ledger.searches[0]
        plays = self._fallback.search is search or (search.in_hurry and self.may_fall_back)
        outage = self._link.outage
        if search.left_at is not None:  # To it no server comes back.
            if not (plays or self._will_fall_back):
                return inf if search.is_open else search.left_at
            outage = search.left_at
        give_up = partial(
            give_up_at,
            search,
            outage,
            steady=self._link.is_steady,
            engineless=self._link.lacks_engine,
        )
        if not plays:
            return give_up(plays=False)
        # One that does not even say what it is, or has never stopped, will say no move.
        without = max(give_up(plays=False), self._fallback.trusted_until)
        return min(give_up(plays=True), without)

    def fall_back_at(self) -> float:
        """Return when the engine of this machine begins with the first search."""
        if not (self._ledger.searches and self.may_fall_back):
            return inf
        search, link = self._ledger.searches[0], self._link
        if self._fallback.search is search or search.move:
            return inf
        if search.left_at is not None:
            return search.left_at
        trip = link.round_trip.seconds
        return fall_back_at(
            *(search, link.outage, trip), doubtful=link.is_doubtful, engineless=link.lacks_engine
        )

    @property
    def may_fall_back(self) -> bool:
        """Whether the engine of this machine may play, and knows the rules of the game."""
        rules = self._recall.unusual_rules()
        return self._preferences.fall_back and self._fallback.knows(rules)

    @property
    def _will_fall_back(self) -> bool:
        """Whether it may play, or has yet to say what it knows."""
        is_open = not self._fallback.is_known or self.may_fall_back
        return self._preferences.fall_back and is_open
