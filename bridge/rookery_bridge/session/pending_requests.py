"""Requests of a GUI that are not answered yet: each `uci`, `isready` and `go`.

A request is answered once, by the server, the engine of this machine, or the bridge itself.  The
server answers in the order in which it was asked, whether the GUI has been answered otherwise or
not; so both orders are kept.  No I/O, no clock: times are seconds of the caller's clock, unless
UCI has them in ms.
"""

from collections import deque
from dataclasses import dataclass
from enum import StrEnum

from rookery_uci import FenError, Fields, Go, Info, Limits, Position, UciError, parse_reply, side_of

MAX_DELAY = 1.0  # s that are taken off at most: more is no delay, but trouble
FLOOR = 10  # ms that an engine is left with, if there were as many

# A move has to come a little before the flag falls; chosen so that a process that gets
# no CPU for a while on a busy machine is still in time.
_RESERVE = 0.15
_RESERVE_SHARE = 0.4
# A search whose connection is lost may wait for it this long.
_PATIENCE = 10.0
_PATIENCE_SHARE = 0.2
_MOVETIME_GRACE = 0.05  # s that an answer to `movetime` may be late before it is missed
_MOVETIME_LAST = 1.0  # s, the same while the connection seems to be good
_ELSEWHERE = 2.0  # s of a `movetime` that must be left for another server to be worth it
# Time that the network must leave an engine to be worth it.
_WORTH = 1.5
_WORTH_LEAST = 0.25
_NO_TIME = 2.0  # s of a clock, below which a silent server is not asked first whether it lives
_CALM = 10.0  # s from an outage, after which another has nothing to do with it


@dataclass(frozen=True, slots=True)
class MoveClock:
    """The seconds that there are for one move, from the `go`.

    `patience` is how long to wait for a lost connection, `last_call` when a move must
    be given whatever the connection is like, `elsewhere` until when a move that a server
    gives too early is worth less than another server's.
    """

    seconds: float
    patience: float
    last_call: float
    elsewhere: float

    @classmethod
    def of(cls, limits: Limits, *, white: bool) -> "MoveClock | None":
        """Return the clock of a search; None if none runs."""
        if limits.ponder or limits.infinite:
            return None
        time = limits.wtime if white else limits.btime
        clocks = []
        if limits.movetime is not None:
            seconds = max(limits.movetime, 0) / 1000
            patience, last = seconds + _MOVETIME_GRACE, seconds + _MOVETIME_LAST
            clocks.append(cls(seconds, patience, last, seconds - _ELSEWHERE))
        if time is not None:
            seconds = max(time, 0) / 1000
            last = seconds - min(_RESERVE, seconds * _RESERVE_SHARE)
            patience = min(seconds * _PATIENCE_SHARE, _PATIENCE)
            clocks.append(cls(seconds, patience, last, patience))
        return min(clocks, key=lambda clock: clock.last_call, default=None)

    def is_too_short(self, delay: float) -> bool:
        """Say whether a delay of so many seconds leaves an engine nothing to think with.

        A flag that has fallen cannot be saved.
        """
        return 0 < self.seconds < delay * _WORTH + _WORTH_LEAST


def reduce_times(limits: Limits, elapsed: float, delay: float, *, white: bool) -> Limits:
    """Return limits of which some time has passed, and a network delay will.

    An engine's clock does not run while lines are under way, and a GUI's does: so the delay is
    taken off the clock of the side to move.  Neither side is left with less than `FLOOR`.
    """
    own = "wtime" if white else "btime"
    delay = min(delay, MAX_DELAY)
    times = {}
    for name in ("wtime", "btime", "movetime"):
        if (time := getattr(limits, name)) is None:
            continue
        # The other side's clock stands still.
        gone = elapsed + delay if name in (own, "movetime") else 0.0
        times[name] = max(time - round(1000 * gone), min(time, FLOOR))
    return limits._replace(**times)


class AnswerWord(StrEnum):
    """The first words of the answers."""

    UCIOK = "uciok"
    READYOK = "readyok"
    BESTMOVE = "bestmove"


class PendingRequest:
    """A request since some time, and whether the GUI has its answer."""

    def __init__(self, word: AnswerWord, since: float) -> None:
        self.word = word
        self.since = since
        self.is_answered = False


class PendingSearch(PendingRequest):
    """A `go`: its position and limits, and all that is known of the search.

    `clock` is the time that there is for the move, None if no clock runs; `in_hurry` says that
    no server can answer in time, so that it is played on this machine; `is_kept` that the engine
    of this machine goes on with it though the server is back; `is_put_off` that the server's
    move for it is no answer; `left_at` since when a server that is there has left it to the
    engine of this machine; `move` is an engine's line that came before the GUI expected a move.
    """

    def __init__(self, limits: Limits, position: Position, since: float) -> None:
        super().__init__(AnswerWord.BESTMOVE, since)
        self.limits = limits
        self.position = position
        self._is_white = white_moves(position)
        self.clock = MoveClock.of(limits, white=self._is_white)
        self.stopped_at: float | None = None
        self.heard_at = since  # of its last `info`
        self.is_heard = False
        self.outages = 0  # of the server, one soon after the other
        self._lost_at = since
        self.in_hurry = False
        self.is_kept = False
        self.is_put_off = False
        self.left_at: float | None = None
        self.move = b""
        self.best_info = b""  # the last line of output with the best variation

    @property
    def is_short(self) -> bool:
        """True if its clock leaves no time for doubts about the connection."""
        clock = self.clock if self.limits.movetime is None else None
        return clock is not None and clock.seconds < _NO_TIME

    @property
    def has_flag(self) -> bool:
        """True if a game is lost if its move comes too late; not by `movetime`."""
        return (self.limits.wtime if self._is_white else self.limits.btime) is not None

    @property
    def is_open(self) -> bool:
        """True if the GUI expects no move before another command, whatever is found."""
        return (self.limits.ponder or self.limits.infinite) and self.stopped_at is None

    @property
    def is_played_here(self) -> bool:
        """True if its move is not, or no longer, the server's to give."""
        return self.in_hurry or self.left_at is not None or self.move != b""

    @property
    def ends(self) -> bool:
        """True if it comes to its move without another command of the GUI."""
        # There may be no such mate, and many engines search on for it.
        has_limit = self.limits._replace(mate=None).has_limit
        return self.stopped_at is not None or (has_limit and not self.is_open)

    def add_info(self, piece: bytes, now: float) -> bool:
        """Keep what its `info` lines tell; say whether a deadline may come earlier by them."""
        is_first = self.clock is not None and not (self.is_heard and self.best_info)
        self.heard_at = now
        self.is_heard = True
        if self.outages and now - self._lost_at > _CALM:
            self.outages = 0
        # Many lines are of other variations, or of the move that is looked at.
        if b" pv " in piece and (best := _best_line_in(piece)):
            self.best_info = best
        return is_first

    def may_go_on(self, now: float) -> bool:
        """Say whether a server that ends it too early is to be left for another."""
        clock = self.clock
        return self.stopped_at is None and (clock is None or now < self.since + clock.elsewhere)

    def count_outage(self, now: float) -> None:
        """Count that it is without a server."""
        self.outages += 1
        self._lost_at = now

    def ponderhit(self, now: float) -> None:
        """Start the clock: the move that was pondered on is played."""
        self.limits = self.limits._replace(ponder=False)
        self.clock = MoveClock.of(self.limits, white=self._is_white)
        self.since = now

    def command(self, now: float, delay: float) -> Go:
        """Return the `go` of now, over a network that takes `delay` seconds of each clock."""
        if self.clock is None and not self.limits.ponder:
            return Go(self.limits)
        elapsed = 0.0 if self.limits.ponder else now - self.since
        return Go(reduce_times(self.limits, elapsed, delay, white=self._is_white))

    def best_line(self) -> tuple[str, ...]:
        """Return the moves of the best variation in its newest `info`."""
        try:
            info = parse_reply(self.best_info.decode(errors="replace"))
        except UciError:
            return ()
        return info.pv if isinstance(info, Info) else ()


def white_moves(position: Position) -> bool:
    """Say whether White is to move."""
    try:
        is_white = position.fen is None or side_of(Fields.parse(position.fen)) == "w"
    except FenError:  # of which no clock matters
        is_white = True
    return is_white == (len(position.moves) % 2 == 0)


def _best_line_in(piece: bytes) -> bytes:
    """Return the last line with the best variation; nothing if there is none."""
    for line in reversed(piece.splitlines()):
        is_first = b" multipv " not in line or b" multipv 1 " in line
        if b" pv " in line and is_first and not line.startswith(b"info string "):
            return line
    return b""


class PendingRequests:
    """The requests of a conversation.

    `searches` are those without a move, in their order, and `others` those of `uci` and `isready`.
    """

    def __init__(self) -> None:
        self.searches: deque[PendingSearch] = deque()
        self.others: dict[PendingRequest, None] = {}
        # What the server has been asked, answered or not, in the order of its answers.
        self._asked: dict[AnswerWord, deque[PendingRequest]] = {
            word: deque() for word in AnswerWord
        }

    def add_other(self, word: AnswerWord, now: float) -> PendingRequest:
        """Add a `uci` or `isready` of the GUI, which the server is asked as well."""
        request = PendingRequest(word, now)
        self.others[request] = None
        self.ask_server(request)
        return request

    def ask_server(self, request: PendingRequest) -> None:
        """Add a request that the server is asked."""
        self._asked[request.word].append(request)

    @property
    def first(self) -> PendingRequest | None:
        """The request that is to be answered first."""
        return self.searches[0] if self.searches else next(iter(self.others), None)

    def is_asked(self, word: AnswerWord) -> bool:
        """Say whether the server owes any such answer."""
        return bool(self._asked[word])

    def is_asked_for(self, request: PendingRequest) -> bool:
        """Say whether the server owes the answer to a request."""
        return request in self._asked[request.word]

    @property
    def server_search(self) -> PendingSearch | None:
        """The search that the server is at: its `info` is about that."""
        asked = self._asked[AnswerWord.BESTMOVE]
        search = asked[0] if asked else None
        assert search is None or isinstance(search, PendingSearch)
        return search

    def pop_asked(self, word: AnswerWord) -> PendingRequest | None:
        """Return the request that the server has answered, if the GUI has no answer to it yet."""
        request = self._asked[word].popleft() if self._asked[word] else None
        return None if request is None or request.is_answered else request

    def mark_answered(self, request: PendingRequest, now: float) -> None:
        """Count a request as answered."""
        request.is_answered = True
        if isinstance(request, PendingSearch):
            self.searches.remove(request)
            if self.searches:  # Its turn is now.
                self.searches[0].since = max(self.searches[0].since, now)
        else:
            del self.others[request]

    def forget_asked(self, request: PendingRequest) -> None:
        """Count a request as one that the server has not heard."""
        if self.is_asked_for(request):  # A server may have answered what it says it did not hear.
            self._asked[request.word].remove(request)

    def restart(self) -> dict[AnswerWord, list[PendingRequest]]:
        """Forget what the old session was asked; return what a new one is to be asked."""
        unanswered = {
            word: [request for request in asked if not request.is_answered]
            for word, asked in self._asked.items()
        }
        self._asked = {word: deque(requests) for word, requests in unanswered.items()}
        return unanswered
