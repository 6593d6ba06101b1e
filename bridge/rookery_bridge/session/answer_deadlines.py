"""When the server must have said something, else the GUI is answered otherwise.  No I/O.

It reads what the conversation knows, and changes nothing of it.  Times are seconds of the
caller's clock; `inf` is never.
"""

from functools import partial
from math import inf

from rookery_bridge.session.conversation_state import State
from rookery_bridge.session.heartbeat import Pace
from rookery_bridge.session.pending import Debt
from rookery_bridge.session.wait_times import answer_at, fall_back_at, give_up_at, pace_of


class Timetable:
    """The times of one conversation: they follow what is owed, and how the connection is."""

    def __init__(self, state: State) -> None:
        self._state = state

    def due(self, waiting: Debt | None, *, listens: bool) -> float:
        """Return when to look at the time again.

        `waiting` is what may be answered without the server; `listens` says that its
        silence means something.
        """
        times = [self.give_up_at(), self.fall_back_at()]
        if waiting:
            times.append(self.answer_at(waiting))
        if self._state.link.pulse and listens:
            times.append(self._state.link.pulse.due(self.pace))
        return min(times)

    @property
    def pace(self) -> Pace:
        """How soon a silence is noticed."""
        return pace_of(self._state.ledger.first, self._state.link.round_trip.seconds)

    def answer_at(self, debt: Debt) -> float:
        """Return when an answer that is no move is given without the server."""
        return answer_at(debt, self._state.link.outage)

    def give_up_at(self) -> float:
        """Return when the first search must have its move."""
        state, link = self._state, self._state.link
        if not (state.ledger.searches and state.preferences.may_guess):
            return inf
        search = state.ledger.searches[0]
        plays = state.fallback.search is search or (search.in_hurry and state.may_fall_back)
        outage = link.outage
        if search.left_at is not None:  # To it no server comes back.
            if not (plays or self._will_fall_back):
                return inf if search.is_open else search.left_at
            outage = search.left_at
        give_up = partial(
            give_up_at,
            search,
            outage,
            steady=link.is_steady,
            engineless=link.lacks_engine,
        )
        if not plays:
            return give_up(plays=False)
        # One that does not even say what it is, or has never stopped, will say no move.
        without = max(give_up(plays=False), state.fallback.trusted_until)
        return min(give_up(plays=True), without)

    def fall_back_at(self) -> float:
        """Return when the engine of this machine begins with the first search."""
        state, link = self._state, self._state.link
        if not (state.ledger.searches and state.may_fall_back):
            return inf
        search = state.ledger.searches[0]
        if state.fallback.search is search or search.move:
            return inf
        if search.left_at is not None:
            return search.left_at
        trip = link.round_trip.seconds
        return fall_back_at(
            *(search, link.outage, trip), doubtful=link.is_doubtful, engineless=link.lacks_engine
        )

    @property
    def _will_fall_back(self) -> bool:
        """Whether it may play, or has yet to say what it knows."""
        state = self._state
        is_open = not state.fallback.is_known or state.may_fall_back
        return state.preferences.fall_back and is_open
