"""How the GUI is paid what it is owed: each debt once, by whoever can.  No I/O.

The server pays mostly.  If it does not in time, the engine of this machine plays, or the
best move that is known is said.
"""

from rookery_bridge.session.best_guess import Expectation, position_of
from rookery_bridge.session.conversation_state import State
from rookery_bridge.session.legal_move import NO_MOVE
from rookery_bridge.session.pending import Debt, Kind, Search
from rookery_bridge.session.sent_lines import Entry
from rookery_uci import UciError


class Payer:
    """Settles the debts of one conversation."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._ledger, self._link = state.ledger, state.link
        self._gui, self._fallback = state.gui, state.fallback
        self._expectation = Expectation()

    def take_move(self, search: Search, piece: bytes, now: float) -> None:
        """Say an engine's move, or keep it until the GUI expects one.

        Who heard one before would hear none to its `ponderhit` or `stop`.  A program does not
        wait for that: it hears at once that no more will come of a search that is `infinite`.
        """
        is_early = search.is_open and search is self._ledger.searches[-1]
        is_kept = search.limits.ponder or self._state.preferences.may_guess
        if is_early and is_kept and not self._gui.is_quitting:
            search.move = piece
        else:
            self.pay(search, piece, now)

    def pay(self, search: Search, piece: bytes, now: float) -> None:
        """Say a move to the GUI: what is said of the search from now on goes nowhere."""
        self._ledger.settle(search, now)
        if self._fallback.search is search:
            self._fallback.dismiss()
        self._expectation.learn(search)
        self._gui.hear(piece)

    def end_remotely(self, search: Search) -> None:
        """Let the server stop searching what has been answered; twice would stop the next."""
        if self._ledger.is_asked_for(search) and search.stopped_at is None:
            self._link.say(Entry(b"stop", search))

    def answer_ourselves(self, search: Search, now: float) -> None:
        """Say the best move that is known."""
        move = self._expectation.move(search, self._state.recall)
        piece = search.move or f"bestmove {move}\n".encode()
        if not (search.in_hurry or search.move):
            if self._fallback.search is search and now >= self._fallback.trusted_until:
                self._gui.tell("the engine of this machine does not answer")
            self._gui.tell("no answer in time: this is the best move that is known")
            if info := search.best_info():  # What a GUI shows last is what the move is by.
                self._gui.hear(info + b"\n")
        self.pay(search, piece, now)
        self.end_remotely(search)

    def fall_back(self, search: Search, now: float) -> None:
        """Let the engine of this machine play."""
        try:
            position = position_of(search, self._state.recall)
        except UciError as error:
            self._gui.tell(f"nothing is searched without its position: {error}")
            search.move = f"bestmove {NO_MOVE}\n".encode()
            if not search.is_open:
                self.pay(search, search.move, now)
                self.end_remotely(search)
            return
        self._fallback.is_wanted = True
        is_away = self._link.outage is not None  # and may come back with an engine
        lacks_engine = self._link.lacks_engine and not is_away
        search.is_kept = lacks_engine or search.left_at is not None
        if is_away or search.is_kept:
            self._gui.tell("the engine of this machine goes on with the search")
        search.position = position
        self._fallback.play(search, self._state.recall, self._state.greeting.offered, now)
        self.tell_lack()

    def tell_lack(self) -> None:
        """Tell the GUI, once, what the engine of this machine cannot do as it has set it."""
        if lack := self._fallback.new_lack():
            self._gui.tell(f"the engine of this machine plays: {lack}")

    def answer_for_server(self, debt: Debt, now: float) -> None:
        """Answer for the server, which cannot."""
        self._ledger.settle(debt, now)
        is_short = debt.kind is Kind.READYOK
        self._gui.hear(b"readyok\n" if is_short else self._state.greeting.answer())
