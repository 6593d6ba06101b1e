"""How long to wait for a server before a GUI is answered otherwise.  No I/O, no clock.

All times are seconds of the caller's clock.  An `outage` is since when there has been no
server; None while there is one.
"""

from math import inf

from rookery_bridge.session.heartbeat import IDLE, WAITING, Pace
from rookery_bridge.session.pending import Debt, Search
from rookery_bridge.session.remaining_time import Clock

READY = 4.0  # s without a server until `isready` is answered by the bridge
_RETURN = 2.0  # s that a server always has to come back, if the clock allows it
_STOP = 2.0  # s from `stop` until a move is given without the server
_STOP_LAST = 4.5  # s, the same with a server that does not say one
_UNTIMED = 30.0  # s without news of a search with neither clock nor `stop`, until it ends
_UNTIMED_RETURN = 5.0  # s that the server has to come back even then
# With so little time a good move that is late by a little may be forgiven, and one that
# nobody has looked at saves nothing: so much is waited for an engine that is there.
_SHORT = 0.15
_UNSEARCHED = 2.0
# Of a clock, for an engine that the server has not yet.  There is no other bound: who gives up
# loses the place in the queue, and has a move that nobody has looked at.
_QUEUE_SHARE = 0.2
_HURRY_SHARE = 0.4  # of a last call, for the engine of this machine when no other can
_LOCAL = 1.0  # s without a server until the engine of this machine plays, with a clock
_LOCAL_SHARE = 0.25  # of the patience that a clock allows
_LOCAL_UNTIMED = 3.0  # s, the same without a clock, in the first outage of a search
_NO_TIME = 2.0  # s of a clock, below which a silent server is not asked first whether it lives
_TRIPS = 2.5  # round trips, and
_SIGN = 0.1  # s besides, until the first `info` of a search must have come
_STOP_PACE = 1.0
_TOO_SHORT_TO_RETURN = 0.5  # s of a clock that is over before another connection is there


def give_up_at(
    search: Search, outage: float | None, *, plays: bool, steady: bool, engineless: bool
) -> float:
    """Return when a move must be given; `plays`: the engine of this machine is at it.

    `steady` says that the connection was never lost, and so is believed in.  `engineless` says
    that the server has no engine yet.
    """
    times = [_stop_at(search, outage)]
    if clock := search.clock:
        is_in_vain = clock.seconds <= _SHORT and not search.best_line()
        if is_in_vain and steady and not search.in_hurry:
            times.append(search.since + _UNSEARCHED)
        else:
            share = _HURRY_SHARE if search.in_hurry else 1.0
            times.append(search.since + share * clock.last_call)
        if not plays and search.in_hurry:
            times.append(search.since)
        elif not plays and outage is not None:
            patience = min(clock.patience, _RETURN)
            times.append(max(search.since + clock.patience, outage + patience))
        elif not plays and engineless:
            times.append(search.since + max(clock.patience, clock.seconds * _QUEUE_SHARE))
    elif outage is not None and not plays and not (search.limits.infinite or search.limits.ponder):
        news = max(search.since, search.heard_at)
        times.append(max(news + _UNTIMED, outage + _UNTIMED_RETURN))
    return min(times)


def fall_back_at(
    search: Search, outage: float | None, round_trip: float, *, doubtful: bool, engineless: bool
) -> float:
    """Return when the engine of this machine begins with a search.

    `doubtful` says that the connection is slow, or was lost before: with a short clock there
    is no time to find out whether it lives.  `engineless` says that the server has no engine
    yet: a clock does not wait for one.
    """
    if search.in_hurry:
        return search.since
    clock = search.clock
    if outage is None:
        if engineless and clock:
            return search.since + _local_wait(clock)
        if doubtful and is_short(search) and not search.is_heard:
            return search.since + _TRIPS * round_trip + _SIGN
        return inf
    wait = _LOCAL_UNTIMED if search.outages < 2 else _LOCAL
    if clock:
        wait = _local_wait(clock)
    return max(search.since, outage + wait)


def _local_wait(clock: Clock) -> float:
    return min(clock.patience * _LOCAL_SHARE, _LOCAL)


def is_short(search: Search) -> bool:
    """Say whether a search is against a clock that leaves no time for doubts."""
    clock = search.clock if search.limits.movetime is None else None
    return clock is not None and clock.seconds < _NO_TIME


def answer_at(debt: Debt, outage: float | None) -> float:
    """Return when `uci` or `isready` is answered without the server."""
    return inf if outage is None else max(debt.since, outage + READY)


def pace_of(debt: Debt | None, round_trip: float) -> Pace:
    """Return how soon to notice that a server is silent, by what is owed first."""
    if debt is None:
        return IDLE
    if not isinstance(debt, Search):
        return WAITING
    if debt.stopped_at is not None:
        return Pace.within(_STOP_PACE, round_trip)
    clock = debt.clock
    if clock is None or clock.seconds < _TOO_SHORT_TO_RETURN:
        return WAITING
    return Pace.within(clock.patience, round_trip)


def _stop_at(search: Search, outage: float | None) -> float:
    if search.stopped_at is None:
        return inf
    return search.stopped_at + (_STOP_LAST if outage is None else _STOP)
