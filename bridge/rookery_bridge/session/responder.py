"""The answers to a GUI: each request has one, by the first that can give it in time.

The server answers mostly.  If it does not in time, the engine of this machine plays, or the
best move that is known is given.  No I/O, no clock: times are seconds of the caller's clock, `inf`
is never, and an `outage` is since when there has been no server, None while there is one.
"""

from math import inf

from rookery_bridge.session.bridge_options import BridgeOptions, UciAnswer
from rookery_bridge.session.fallback import Fallback
from rookery_bridge.session.game_setup import GameSetup
from rookery_bridge.session.pending_requests import (
    AnswerWord,
    MoveClock,
    PendingRequest,
    PendingRequests,
    PendingSearch,
)
from rookery_bridge.session.server_link import IDLE, WAITING, HeartbeatPace, SentLine, ServerLink
from rookery_protocol.notices import legible
from rookery_uci import UciError

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

_LONGEST = 1000  # characters of our own: a server's text and paths of this machine may be in it
_NO_MOVE = "0000"


class Responder:
    """The state of one conversation, with all that answers a request.

    `for_gui` are the lines for the GUI.
    """

    def __init__(self, options: BridgeOptions, now: float) -> None:
        self.options = options
        self.link = ServerLink(now)
        self.pending = PendingRequests()
        self.setup = GameSetup()
        self.fallback = Fallback()
        self.uci_answer = UciAnswer(options)
        self.for_gui: list[bytes] = []
        self._last_search: PendingSearch | None = None  # that has its move
        self._told_lack = ""

    def tell_gui(self, text: str) -> None:
        """Tell the GUI something in the bridge's own name."""
        self.for_gui.append(f"info string rookery-bridge: {legible(text, _LONGEST)}\n".encode())

    def give_engine_move(
        self, search: PendingSearch, piece: bytes, now: float, *, is_quitting: bool
    ) -> None:
        """Give an engine's move, or keep it until the GUI expects one.

        A GUI that hears one earlier would hear none to its `ponderhit` or `stop`.  A program does
        not wait for that: it hears at once that no more will come of a search that is `infinite`.
        """
        is_early = search.is_open and search is self.pending.searches[-1]
        is_kept = search.limits.ponder or self.options.may_guess
        if is_early and is_kept and not is_quitting:
            search.move = piece
        else:
            self.give_move(search, piece, now)

    def give_move(self, search: PendingSearch, piece: bytes, now: float) -> None:
        """Give a move to the GUI: later lines of the search are dropped."""
        self.pending.mark_answered(search, now)
        if self.fallback.search is search:
            self.fallback.stop_search()
        self._last_search = search
        self.for_gui.append(piece)

    def stop_server(self, search: PendingSearch) -> None:
        """Stop a search that has been answered; twice would stop the next."""
        if self.pending.is_asked_for(search) and search.stopped_at is None:
            self.link.send_counted(SentLine(b"stop", search))

    def guess_move(self, search: PendingSearch, now: float) -> None:
        """Give the best move that is known."""
        piece = search.move or f"bestmove {self._best_guess(search)}\n".encode()
        if not (search.in_hurry or search.move):
            if self.fallback.search is search and now >= self.fallback.trusted_until:
                self.tell_gui("the engine of this machine does not answer")
            self.tell_gui("no answer in time: this is the best move that is known")
            if search.best_line():  # The last line that a GUI shows explains the move.
                self.for_gui.append(search.best_info + b"\n")
        self.give_move(search, piece, now)
        self.stop_server(search)

    def _best_guess(self, search: PendingSearch) -> str:
        """Return the best move known for a search: a legal one, if there is any."""
        from rookery_protocol.legality import choose_move  # Loading it takes 0.1 s.

        return choose_move(
            search.position,
            (*search.best_line()[:1], *self._expected_move(search)),
            among=search.limits.searchmoves,
            chess960=self.setup.is_chess960,
            variant=self.setup.variant,
        )

    def _expected_move(self, search: PendingSearch) -> tuple[str, ...]:
        """Return the move that the last search expected here, if it did."""
        if self._last_search is None:
            return ()
        position = self._last_search.position
        moves = (*position.moves, *self._last_search.best_line())
        played = len(search.position.moves)
        is_expected = position._replace(moves=moves[:played]) == search.position
        return moves[played : played + 1] if is_expected else ()

    def answer_for_server(self, request: PendingRequest, now: float) -> None:
        """Answer `uci` or `isready` for the server, which cannot."""
        self.pending.mark_answered(request, now)
        is_ready = request.word is AnswerWord.READYOK
        self.for_gui.append(b"readyok\n" if is_ready else self.uci_answer.lines())

    def act_on_searches(self, now: float) -> None:
        """Give the moves, and begin the search here, that are due."""
        searches = self.pending.searches
        while now >= self.give_up_at():
            self.guess_move(searches[0], now)
        if now >= self.fall_back_at():
            self._play_here(searches[0], now)

    def _play_here(self, search: PendingSearch, now: float) -> None:
        """Let the engine of this machine search."""
        from rookery_protocol.legality import position_for_engine  # Loading it takes 0.1 s.

        try:
            position = position_for_engine(
                search.position, chess960=self.setup.is_chess960, variant=self.setup.variant
            )
        except UciError as error:
            self.tell_gui(f"nothing is searched without its position: {error}")
            search.move = f"bestmove {_NO_MOVE}\n".encode()
            if not search.is_open:
                self.give_move(search, search.move, now)
                self.stop_server(search)
            return
        self.fallback.is_wanted = True
        is_away = self.link.outage is not None  # and may come back with an engine
        lacks_engine = self.link.lacks_engine and not is_away
        search.is_kept = lacks_engine or search.left_at is not None
        if is_away or search.is_kept:
            self.tell_gui("the engine of this machine goes on with the search")
        search.position = position
        self.fallback.start_search(search, self.setup, self.uci_answer.offered, now)
        self.tell_lack()

    def tell_lack(self) -> None:
        """Tell the GUI, once, what the engine of this machine cannot do as it has set it."""
        told, self._told_lack = self._told_lack, self.fallback.lack
        if self.fallback.lack not in ("", told):
            self.tell_gui(f"the engine of this machine plays: {self.fallback.lack}")

    # --- deadlines

    def next_due(self, other: PendingRequest | None, *, listens: bool) -> float:
        """Return when to look at the time again.

        `other` is a request that is no search and may be answered without the server; `listens`
        says that the server's silence means something.
        """
        due = min(self.give_up_at(), self.fall_back_at())
        if other:
            due = min(due, self.answer_at(other))
        if self.link.heartbeat and listens:
            due = min(due, self.link.heartbeat.due(self.pace))
        return due

    @property
    def may_fall_back(self) -> bool:
        """True if the engine of this machine may play, and knows the rules of the game."""
        return self.options.fall_back and self.fallback.knows(self.setup.unusual_rules())

    @property
    def pace(self) -> HeartbeatPace:
        """The pace at which a silence is noticed, by what is to be answered first."""
        searches = self.pending.searches
        request = searches[0] if searches else next(iter(self.pending.others), None)
        if request is None:
            return IDLE
        if not isinstance(request, PendingSearch):
            return WAITING
        if request.stopped_at is not None:
            return HeartbeatPace.within(_STOP_PACE, self.link.round_trip.seconds)
        clock = request.clock
        if clock is None or clock.seconds < _TOO_SHORT_TO_RETURN:
            return WAITING
        return HeartbeatPace.within(clock.patience, self.link.round_trip.seconds)

    def answer_at(self, request: PendingRequest) -> float:
        """Return when `uci` or `isready` is answered without the server."""
        outage = self.link.outage
        return inf if outage is None else max(request.since, outage + READY)

    def give_up_at(self) -> float:
        """Return when the first search must have its move."""
        if not (self.pending.searches and self.options.may_guess):
            return inf
        search = self.pending.searches[0]
        plays = self.fallback.search is search or (search.in_hurry and self.may_fall_back)
        outage = None if self.link.heartbeat else self.link.outage  # spares a call for each line
        if search.left_at is not None:  # To it no server comes back.
            # An engine that has yet to say its options may know the rules of the game.
            is_able = not self.fallback.is_known or self.may_fall_back
            if not (plays or (self.options.fall_back and is_able)):
                return inf if search.is_open else search.left_at
            outage = search.left_at
        without = self._give_up_at(search, outage, plays=False)
        if not plays:
            return without
        # An engine without `uciok`, or that has never stopped, will give no move.
        without = max(without, self.fallback.trusted_until)
        return min(self._give_up_at(search, outage, plays=True), without)

    def _give_up_at(self, search: PendingSearch, outage: float | None, *, plays: bool) -> float:
        """Return when a move must be given; `plays`: the engine of this machine searches for it."""
        due = inf
        is_endless = search.limits.infinite or search.limits.ponder
        if search.stopped_at is not None:
            due = search.stopped_at + (_STOP_LAST if outage is None else _STOP)
        if clock := search.clock:
            is_in_vain = clock.seconds <= _SHORT and not search.best_line()
            # A connection that was never lost is believed in.
            if is_in_vain and self.link.is_steady and not search.in_hurry:
                due = min(due, search.since + _UNSEARCHED)
            else:
                share = _HURRY_SHARE if search.in_hurry else 1.0
                due = min(due, search.since + share * clock.last_call)
            if not plays and search.in_hurry:
                due = min(due, search.since)
            elif not plays and outage is not None:
                patience = min(clock.patience, _RETURN)
                due = min(due, max(search.since + clock.patience, outage + patience))
            elif not plays and self.link.lacks_engine:
                due = min(due, search.since + max(clock.patience, clock.seconds * _QUEUE_SHARE))
        elif not plays and outage is not None and not is_endless:
            news = max(search.since, search.heard_at)
            due = min(due, max(news + _UNTIMED, outage + _UNTIMED_RETURN))
        return due

    def fall_back_at(self) -> float:
        """Return when the engine of this machine begins with the first search."""
        if not (self.pending.searches and self.may_fall_back):
            return inf
        search = self.pending.searches[0]
        if self.fallback.search is search or search.move:
            return inf
        if search.left_at is not None:
            return search.left_at
        if search.in_hurry:
            return search.since
        clock, outage = search.clock, self.link.outage
        if outage is not None:
            wait = _LOCAL_UNTIMED if search.outages < 2 else _LOCAL
            return max(search.since, outage + (_local_wait(clock) if clock else wait))
        if self.link.lacks_engine and clock:  # A clock does not wait for an engine of the server.
            return search.since + _local_wait(clock)
        # There is no time to find out whether a doubtful connection lives.
        if self.link.is_doubtful and search.is_short and not search.is_heard:
            return search.since + _TRIPS * self.link.round_trip.seconds + _SIGN
        return inf


def _local_wait(clock: MoveClock) -> float:
    return min(clock.patience * _LOCAL_SHARE, _LOCAL)
