"""The times at which a GUI is answered without the server.  No I/O, no clock.

It reads the state of a conversation, and changes nothing.  Times are seconds of the caller's
clock; `inf` is never.  An `outage` is since when there has been no server; None while there is
one.
"""

from functools import partial
from math import inf

from rookery_bridge.session.bridge_options import BridgeOptions
from rookery_bridge.session.fallback import Fallback
from rookery_bridge.session.game_setup import GameSetup
from rookery_bridge.session.pending_requests import (
    MoveClock,
    PendingRequest,
    PendingRequests,
    PendingSearch,
)
from rookery_bridge.session.server_link import IDLE, WAITING, HeartbeatPace, ServerLink

READY = 4.0  # s without a server until `isready` is answered by the bridge
_RETURN = 2.0  # s that a server always has to come back, if the clock allows it
_STOP = 2.0  # s from `stop` until a move is given without the server
_STOP_LAST = 4.5  # s, the same with a server that gives none
_UNTIMED = 30.0  # s without news of a search with neither clock nor `stop`, until it ends
_UNTIMED_RETURN = 5.0  # s that the server has to come back even then
# With so little time a good move that is late by a little may be forgiven, and one that
# no engine has searched saves nothing: so much is waited for an engine that is there.
_SHORT = 0.15
_UNSEARCHED = 2.0
# Of a clock, for an engine that the server has not yet.  There is no other bound: to give up
# loses the place in the queue, for a move that no engine has searched.
_QUEUE_SHARE = 0.2
_HURRY_SHARE = 0.4  # of a last call, for the engine of this machine when no other can
_LOCAL = 1.0  # s without a server until the engine of this machine plays, with a clock
_LOCAL_SHARE = 0.25  # of the patience that a clock allows
_LOCAL_UNTIMED = 3.0  # s, the same without a clock, in the first outage of a search
_TRIPS = 2.5  # round trips, and
_SIGN = 0.1  # s besides, until the first `info` of a search must have come
_STOP_PACE = 1.0
_TOO_SHORT_TO_RETURN = 0.5  # s of a clock that is over before another connection is there


class AnswerDeadlines:
    """The deadlines of one conversation."""

    def __init__(
        self,
        pending: PendingRequests,
        link: ServerLink,
        fallback: Fallback,
        options: BridgeOptions,
        setup: GameSetup,
    ) -> None:
        self._pending = pending
        self._link = link
        self._fallback = fallback
        self._options = options
        self._setup = setup

    def next_due(self, other: PendingRequest | None, *, listens: bool) -> float:
        """Return when to look at the time again.

        `other` is a request that is no search and may be answered without the server; `listens`
        says that the server's silence means something.
        """
        due = min(self.give_up_at(), self.fall_back_at())
        if other:
            due = min(due, self.answer_at(other))
        if self._link.heartbeat and listens:
            due = min(due, self._link.heartbeat.due(self.pace))
        return due

    @property
    def may_fall_back(self) -> bool:
        """True if the engine of this machine may play, and knows the rules of the game."""
        return self._options.fall_back and self._fallback.knows(self._setup.unusual_rules())

    @property
    def pace(self) -> HeartbeatPace:
        """The pace at which a silence is noticed, by what is to be answered first."""
        searches = self._pending.searches
        request = searches[0] if searches else next(iter(self._pending.others), None)
        if request is None:
            return IDLE
        if not isinstance(request, PendingSearch):
            return WAITING
        if request.stopped_at is not None:
            return HeartbeatPace.within(_STOP_PACE, self._link.round_trip.seconds)
        clock = request.clock
        if clock is None or clock.seconds < _TOO_SHORT_TO_RETURN:
            return WAITING
        return HeartbeatPace.within(clock.patience, self._link.round_trip.seconds)

    def answer_at(self, request: PendingRequest) -> float:
        """Return when `uci` or `isready` is answered without the server."""
        outage = self._link.outage
        return inf if outage is None else max(request.since, outage + READY)

    def give_up_at(self) -> float:
        """Return when the first search must have its move."""
        if not (self._pending.searches and self._options.may_guess):
            return inf
        search = self._pending.searches[0]
        plays = self._fallback.search is search or (search.in_hurry and self.may_fall_back)
        outage = None if self._link.heartbeat else self._link.outage
        if search.left_at is not None:  # To it no server comes back.
            if not (plays or self._will_fall_back):
                return inf if search.is_open else search.left_at
            outage = search.left_at
        give_up = partial(
            _give_up_at,
            search,
            outage,
            steady=self._link.is_steady,
            engineless=self._link.lacks_engine,
        )
        if not plays:
            return give_up(plays=False)
        # An engine without `uciok`, or that has never stopped, will give no move.
        without = max(give_up(plays=False), self._fallback.trusted_until)
        return min(give_up(plays=True), without)

    @property
    def _will_fall_back(self) -> bool:
        """True if the engine of this machine may play, or has yet to say its options."""
        is_open = not self._fallback.is_known or self.may_fall_back
        return self._options.fall_back and is_open

    def fall_back_at(self) -> float:
        """Return when the engine of this machine begins with the first search."""
        if not (self._pending.searches and self.may_fall_back):
            return inf
        search = self._pending.searches[0]
        if self._fallback.search is search or search.move:
            return inf
        if search.left_at is not None:
            return search.left_at
        if search.in_hurry:
            return search.since
        clock, outage = search.clock, self._link.outage
        if outage is not None:
            wait = _LOCAL_UNTIMED if search.outages < 2 else _LOCAL
            return max(search.since, outage + (_local_wait(clock) if clock else wait))
        if self._link.lacks_engine and clock:  # A clock does not wait for an engine of the server.
            return search.since + _local_wait(clock)
        # There is no time to find out whether a doubtful connection lives.
        if self._link.is_doubtful and search.is_short and not search.is_heard:
            return search.since + _TRIPS * self._link.round_trip.seconds + _SIGN
        return inf


def _give_up_at(
    search: PendingSearch, outage: float | None, *, plays: bool, steady: bool, engineless: bool
) -> float:
    """Return when a move must be given; `plays`: the engine of this machine searches for it.

    `steady` says that the connection was never lost, and so is believed in.  `engineless` says
    that the server has no engine yet.
    """
    due = inf
    if search.stopped_at is not None:
        due = search.stopped_at + (_STOP_LAST if outage is None else _STOP)
    if clock := search.clock:
        is_in_vain = clock.seconds <= _SHORT and not search.best_line()
        if is_in_vain and steady and not search.in_hurry:
            due = min(due, search.since + _UNSEARCHED)
        else:
            share = _HURRY_SHARE if search.in_hurry else 1.0
            due = min(due, search.since + share * clock.last_call)
        if not plays and search.in_hurry:
            due = min(due, search.since)
        elif not plays and outage is not None:
            patience = min(clock.patience, _RETURN)
            due = min(due, max(search.since + clock.patience, outage + patience))
        elif not plays and engineless:
            due = min(due, search.since + max(clock.patience, clock.seconds * _QUEUE_SHARE))
    elif outage is not None and not plays and not (search.limits.infinite or search.limits.ponder):
        news = max(search.since, search.heard_at)
        due = min(due, max(news + _UNTIMED, outage + _UNTIMED_RETURN))
    return due


def _local_wait(clock: MoveClock) -> float:
    return min(clock.patience * _LOCAL_SHARE, _LOCAL)
