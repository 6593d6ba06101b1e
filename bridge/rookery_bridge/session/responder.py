"""The answers to a GUI: each request has one, by the first that can give it.  No I/O.

The server answers mostly.  If it does not in time, the engine of this machine plays, or the
best move that is known is given.
"""

from rookery_bridge.session.answer_deadlines import AnswerDeadlines
from rookery_bridge.session.bridge_options import BridgeOptions, UciAnswer
from rookery_bridge.session.fallback import Fallback
from rookery_bridge.session.game_setup import GameSetup
from rookery_bridge.session.pending_requests import (
    AnswerWord,
    PendingRequest,
    PendingRequests,
    PendingSearch,
)
from rookery_bridge.session.server_link import SentLine, ServerLink
from rookery_protocol.notices import legible
from rookery_uci import UciError

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
        self.deadlines = AnswerDeadlines(
            self.pending, self.link, self.fallback, options, self.setup
        )
        self.for_gui: list[bytes] = []
        self._last_search: PendingSearch | None = None  # that has its move

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
        while now >= self.deadlines.give_up_at():
            self.guess_move(searches[0], now)
        if now >= self.deadlines.fall_back_at():
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
        if lack := self.fallback.pop_new_lack():
            self.tell_gui(f"the engine of this machine plays: {lack}")
