"""What a GUI is owed, and what the server is to hear, whatever becomes of the connection.

Feed it what each side said and when; collect what each side should hear.  Sockets, pipes
and clocks belong to its callers, so every rule can be tested with plain lines.

The one idea: each `uci`, `isready` and `go` is a debt that is paid once.  Mostly the
server pays, perhaps over its third connection or, if it was restarted, in another session
that was told all that counts.  If it cannot in time, the engine of this machine does, or
the best move that is known is said; what the server says to it later goes nowhere.
"""

import rookery_uci as uci
from rookery_bridge.session.answer_deadlines import Timetable
from rookery_bridge.session.bridge_options import Preferences
from rookery_bridge.session.conversation_state import State
from rookery_bridge.session.heartbeat import Health, Pulse
from rookery_bridge.session.line_kind import NOTICE, command_in, is_only_info, notice_in
from rookery_bridge.session.local_paths import objection
from rookery_bridge.session.pending import Debt, Kind, Search
from rookery_bridge.session.replay import begun_anew, said_again
from rookery_bridge.session.responder import Payer
from rookery_bridge.session.sent_lines import Entry
from rookery_bridge.session.server_link import Link
from rookery_bridge.session.uci_answer import Greeting
from rookery_bridge.session.wait_times import is_short
from rookery_protocol.notices import Code, Hello, Meaning, Notice, disowned, harmless

_SILENT = "the server does not answer"
# s from one question of the server's to the next, whether this program is there.  A WebSocket's
# pings are as far apart: who stands still is noticed within 40 s.
ALIVE = 20
_NO_SUCH_KEY = "not 'alive'"  # how a server refuses that which does not know it
_NEARLY = 10  # times as much as is too short: the engine of this machine gets ready

_KINDS = {b"readyok": Kind.READYOK, b"bestmove": Kind.BESTMOVE}
_OURS = b"info string rookery-bridge"


class Conversation:
    """One GUI's conversation with one remote engine.

    `is_met` says whether the server was ever reached, `is_begun` whether the GUI is answered
    in any case; `must_leave` says why the connection is no good, or is empty; `is_asked` that the
    server is to ask whether this program is there, because no transport does.
    """

    def __init__(self, preferences: Preferences, now: float, *, is_asked: bool = False) -> None:
        self.preferences = preferences
        self.is_asked = is_asked
        self.is_met = False
        self.is_begun = False
        self.must_leave = ""
        self.last_notice: Notice | None = None
        self._state = state = State(preferences, Link(now), Greeting(preferences))
        self._link, self._greeting, self._gui = state.link, state.greeting, state.gui
        self._ledger, self._recall, self._fallback = state.ledger, state.recall, state.fallback
        self._timetable = Timetable(state)
        self._payer = Payer(state)

    # --- what each side should hear

    def for_gui(self) -> bytes:
        """Return the lines for the GUI, each with its newline, and forget them."""
        return self._gui.lines()

    def for_server(self) -> list[bytes]:
        """Return the lines for the server, and forget them."""
        return self._link.lines()

    def for_fallback(self) -> list[bytes]:
        """Return the lines for the engine of this machine, and forget them."""
        return self._fallback.for_engine()

    @property
    def is_quitting(self) -> bool:
        """Whether the GUI has said `quit`."""
        return self._gui.is_quitting

    @property
    def wants_fallback(self) -> bool:
        """Whether the engine of this machine may be needed soon."""
        return self._fallback.is_wanted

    @property
    def owes_moves(self) -> bool:
        """Whether the GUI will hear a move without another word of its own."""
        return self._ledger.ends

    def tell(self, text: str) -> None:
        """Tell the GUI something in the bridge's own name."""
        self._gui.tell(text)

    # --- the GUI

    def gui_said(self, line: bytes, now: float) -> None:
        """Take a line of the GUI's."""
        if not line.strip() or line.startswith(b"rookery "):  # Those are the bridge's own.
            return
        self._link.wake(now)
        command = command_in(line)
        if command is uci.Word.UCI:
            self._ask(Debt(Kind.UCIOK, now), line)
        elif command is uci.Word.ISREADY:
            self._ask(Debt(Kind.READYOK, now), line)
        elif isinstance(command, uci.Go) and command.limits.perft is None:
            self._go(command.limits, line, now)
        elif command in (uci.Word.STOP, uci.Word.PONDERHIT):
            self._signal(command, line, now)
        elif isinstance(command, uci.SetOption):
            self._set(command, line)
        else:
            self._note(command, line)
            self._link.say(Entry(line))
        self.tick(now)

    def _note(self, command: uci.Command | None, line: bytes) -> None:
        if isinstance(command, uci.Position):
            self._recall.place(command, line)
        elif command is None and uci.is_position(line.decode(errors="replace")):
            self._recall.misplace(line)
        elif isinstance(command, uci.Extra) and command.word not in uci.SHOWING:
            self._recall.move()
        elif isinstance(command, uci.Debug):
            self._recall.debug(command)
        elif command is uci.Word.QUIT:
            self._gui.is_quitting = True

    def _set(self, command: uci.SetOption, line: bytes) -> None:
        if self.preferences.take(command):
            return
        if why := objection(command, self._greeting.offered):
            self._gui.tell(why)
            return
        self._recall.option(command, line)
        self._link.say(Entry(line))

    def _go(self, limits: uci.Limits, line: bytes, now: float) -> None:
        searches = self._ledger.searches
        # Moves come in the order of the searches, so one that is played here is not overtaken.
        if searches and searches[0].is_played_here:
            self._payer.answer_ourselves(searches[0], now)
        search = Search(limits, self._recall.position, now)
        if self._link.outage is not None:
            search.lost(now)
        self._ledger.owe(search)
        clock = search.clock
        correct_clocks = self.preferences.correct_clocks and self.preferences.may_guess
        if clock and self._link.round_trip.is_long and correct_clocks:
            self._fallback.is_wanted |= clock.is_too_short(self._state.delay * _NEARLY)
            # Where no flag falls, a late move is better than one that nobody has looked at.
            may_hurry = search.has_flag or self._state.may_fall_back
            is_too_short = clock.is_too_short(self._state.delay)
            search.in_hurry = may_hurry and is_too_short and len(searches) == 1
            if search.in_hurry:
                return
        self._fallback.is_wanted |= self._link.is_doubtful and is_short(search)
        told = search.command(now, self._state.delay)
        self._ask_server(search, line if told.limits == limits else str(told).encode())

    def _signal(self, word: uci.Command, line: bytes, now: float) -> None:
        searches = self._ledger.searches
        hit = None  # `stop` is for all of them, of which the server may have heard the first.
        if word is uci.Word.STOP:
            for search in searches:
                search.stopped_at = search.stopped_at or now
        else:
            # One that is to stop may still come before it.
            pondering = [each for each in searches if each.limits.ponder and not each.stopped_at]
            if hit := next(iter(pondering), None):
                hit.ponderhit(now)
        self._fallback.signal(str(word).encode())
        self._link.say(Entry(line, hit))
        if searches and searches[0].move and not searches[0].is_open:
            self._payer.pay(searches[0], searches[0].move, now)

    def _ask(self, debt: Debt, line: bytes) -> None:
        self._ledger.owe(debt)
        self._ask_server(debt, line)

    def _ask_server(self, debt: Debt, line: bytes) -> None:
        self._ledger.ask(debt)
        self._link.say(Entry(line, debt, asks=True))

    # --- the connection

    def greeting(self) -> Hello:
        """Return what to say first over a new connection."""
        self.must_leave = ""
        self.last_notice = None
        return self._link.greeting()

    @property
    def is_linked(self) -> bool:
        """Whether the server has answered over the present connection."""
        return self._link.pulse is not None

    @property
    def owes(self) -> bool:
        """Whether the GUI waits for an answer."""
        return self._ledger.first is not None

    def server_said(self, piece: bytes, now: float) -> None:
        """Take whole lines of the server's."""
        piece = _in_its_own_name(harmless(piece))
        if self._link.pulse and not self.must_leave:
            self._link.pulse.heard(now)
            if is_only_info(piece) and NOTICE not in piece:
                self._info(piece, now)
                return
        for line in piece.split(b"\n")[:-1]:
            if self.must_leave:  # It is said again, or is of a session that was given up.
                return
            if line.startswith(b"rookery "):
                self._control(line, now)
            elif self._link.pulse:
                self._hear(line, now)
            else:
                self._hear_notice(notice_in(line), now)

    def link_lost(self, reason: str, now: float, *, for_good: bool = False) -> None:
        """Take note that the connection is gone; `for_good`: and will not be made again."""
        if self._link.pulse is None:
            return
        self._link.lost(now, silent=self.must_leave == _SILENT)
        for search in self._ledger.searches:
            search.lost(now)
        self._fallback.is_wanted = True
        if not self._gui.is_quitting:
            self._gui.tell(reason if for_good else f"{reason}; connecting again")

    def go_without(self, now: float) -> None:
        """Begin without a server: the engine of this machine plays until it is there."""
        self.is_begun = True
        self._fallback.is_wanted = True
        self._link.is_awaited = False
        self._greeting.offered.clear()
        self.tick(now)

    def answer_all(self, now: float) -> None:
        """Pay what is owed as well as can be: nobody else will."""
        while self._ledger.searches and self.preferences.may_guess:
            self._payer.answer_ourselves(self._ledger.searches[0], now)
        self.answer_early(now)

    def answer_early(self, now: float) -> None:
        """Pay what is owed besides moves: the server will not."""
        while debt := self._first_waiting():
            self._payer.answer_for_server(debt, now)

    # --- the engine of this machine

    def fallback_said(self, piece: bytes, now: float) -> None:
        """Take whole lines of the engine of this machine."""
        for line in disowned(piece).split(b"\n")[:-1]:
            search = self._fallback.search
            if not self._fallback.said(line) or search is None:
                continue
            if line.startswith(b"bestmove"):
                self._payer.take_move(search, line + b"\n", now)
                if search.paid:
                    self._payer.end_remotely(search)
            else:
                search.heard(line + b"\n", now)
                self._gui.hear(line + b"\n")
        self._payer.tell_lack()
        self.tick(now)

    def fallback_lost(self, reason: str, now: float) -> None:
        """Take note that the engine of this machine has ended."""
        self._fallback.lost()
        self.preferences.fallback_is_lost()
        self._gui.tell(f"the engine of this machine cannot be used: {reason}")
        self.tick(now)

    # --- time

    def tick(self, now: float) -> None:
        """See whether anything has taken too long."""
        searches, timetable = self._ledger.searches, self._timetable
        if self._link.pulse:
            self._see_to_link(self._link.pulse, now)
        while now >= timetable.give_up_at():
            self._payer.answer_ourselves(searches[0], now)
        if now >= timetable.fall_back_at():
            self._payer.fall_back(searches[0], now)
        while (debt := self._first_waiting()) and now >= timetable.answer_at(debt):
            self._payer.answer_for_server(debt, now)

    def due(self) -> float:
        """Return when to look at the time again."""
        return self._timetable.due(self._first_waiting(), listens=not self.must_leave)

    def _first_waiting(self) -> Debt | None:
        """Return the first of the answers that may be given without the server."""
        may_answer = self.is_begun and self.preferences.may_guess
        return self._ledger.first_waiting if may_answer else None

    def _see_to_link(self, pulse: Pulse, now: float) -> None:
        health = pulse.health(now, self._timetable.pace)
        if health is Health.UNSURE:
            self._link.acknowledge(now)
        elif health is Health.DEAD:
            self.must_leave = _SILENT

    # --- hearing

    def _control(self, line: bytes, now: float) -> None:
        try:
            hello = Hello.parse(line)
        except uci.UciError:
            return
        if hello and hello.alive:
            self._link.say_now(bytes(Hello(alive=hello.alive)))
        if hello is None or hello.heard is None:
            return
        if not self._link.journal.confirm(hello.heard):
            self._start_over("the server has lost count of the lines", now)
        elif hello.session and not self.is_linked:  # It says so once over each connection.
            self._arrive(hello.session, now)
        else:
            self._link.acknowledged(now)

    def _arrive(self, ticket: str, now: float) -> None:
        """Say what the server has not heard, and let it go on."""
        self._link.opened(ticket, now)
        if self.is_asked:
            self._link.say_now(bytes(Hello(alive=ALIVE)))
        if self.is_begun:
            again = "again " if self.is_met else ""
            self._gui.tell(f"connected {again}after {now - self._link.lost_at:.1f} s")
        self.is_met = self.is_begun = True
        for entry in self._link.journal.revise(lambda entries: self._still_wanted(entries, now)):
            self._link.say_now(entry.line)
        here = self._fallback.search
        if here and not (here.in_hurry or here.is_kept):
            self._fallback.dismiss()
        self._link.acknowledge(now)

    def _still_wanted(self, entries: list[Entry], now: float) -> list[Entry]:
        """Leave out what has been answered otherwise, and say how much time there is now."""
        return said_again(self._ledger.without_settled(entries), now, self._state.delay)

    def _hear(self, line: bytes, now: float) -> None:
        if line.startswith(b"info "):
            notice = notice_in(line)
            if notice and self.is_asked and notice.text.endswith(_NO_SUCH_KEY):
                self.is_asked = False  # It is an older server, and it does not ask.
                return
            if notice and notice.code.meaning is Meaning.PUT_OFF and self._is_cut_off(now):
                return  # It is of a move that is not played.
            self._hear_notice(notice, now)
            if notice and notice.code is Code.UNKNOWN_SESSION:
                return
            if notice and notice.code is not Code.CACHED:  # It is of no search.
                self._gui.hear(line + b"\n")
            else:
                self._info(line + b"\n", now)
            return
        is_time = self._link.count()
        kind = _KINDS.get(line.split(maxsplit=1)[0]) if line.strip() else None
        if self._ledger.is_asked(Kind.UCIOK) and self._greeting.is_part(line):
            if self._greeting.hear(line):
                self._hear_payment(Kind.UCIOK, self._greeting.answer(), now)
                if self._greeting.is_cut:
                    self._gui.tell("the server offers more options than any engine has: not all")
        elif kind:
            self._hear_payment(kind, line + b"\n", now)
        else:
            self._gui.hear(line + b"\n")
        if kind is Kind.BESTMOVE or is_time:
            self._link.acknowledge(now)

    def _info(self, piece: bytes, now: float) -> None:
        self._link.lacks_engine = False
        if search := self._ledger.searched:
            if search.paid or (search.is_kept and self._fallback.search is search):
                return
            if self._fallback.search is search:  # It was thought that nothing would come.
                self._fallback.dismiss()
            search.heard(piece, now)
        self._gui.hear(piece)

    def _hear_payment(self, kind: Kind, piece: bytes, now: float) -> None:
        if kind is Kind.BESTMOVE and self._is_cut_off(now):
            return  # It is owed still: whichever server is next is asked for it.
        debt = self._ledger.answered(kind)
        self._link.lacks_engine &= kind is not Kind.BESTMOVE
        if isinstance(debt, Search):
            self._hear_move(debt, piece, now)
        elif debt:
            self._ledger.settle(debt, now)
            self._gui.hear(piece)

    def _hear_move(self, search: Search, piece: bytes, now: float) -> None:
        if search.is_put_off and self.preferences.fall_back:
            search.left_at = now
            self.tick(now)
            return
        while (first := self._ledger.searches[0]) is not search:  # It is played on this machine.
            self._payer.answer_ourselves(first, now)
        self._payer.take_move(search, piece, now)

    def _is_cut_off(self, now: float) -> bool:
        """Say whether the server ends a search only because it ends itself."""
        search = self._ledger.searched
        is_ended = self._link.is_ending and not self._gui.is_quitting
        return is_ended and search is not None and not search.paid and search.may_go_on(now)

    def _hear_notice(self, notice: Notice | None, now: float) -> None:
        if notice is None:
            return
        self.last_notice = notice
        code = notice.code
        if code is Code.UNKNOWN_SESSION:
            self._start_over("the server does not know the session any more", now)
        elif code is Code.QUOTA_IDLE:
            self._link.is_dormant = True
            self._start_over("the server ends sessions that do nothing", now)
        elif code is Code.NO_ANSWER:  # This program has stood still; the session is there.
            self.must_leave = notice.text
        elif code is Code.GAP:
            self._link.say_now(b"quit")
            self._start_over("the server could not keep all that was said", now)
        elif code.meaning is Meaning.NO_ENGINE:
            self._link.lacks_engine = self._fallback.is_wanted = True
        elif code.meaning is Meaning.OVER:
            self._link.is_ending = self._fallback.is_wanted = True
            self._leave_to_fallback(now)
        elif code.meaning is Meaning.PUT_OFF and (search := self._ledger.searched):
            self._fallback.is_wanted = True
            # Else it is a connection that is put off, and the search may go on without it.
            search.is_put_off |= self.is_linked

    def _leave_to_fallback(self, now: float) -> None:
        """Have the engine of this machine go on with what a server that ends has ended before."""
        search = self._ledger.searches[-1] if self._ledger.searches else None
        may_go_on = self.is_linked and self.preferences.fall_back
        if may_go_on and search and search.is_open and search.move:
            search.move, search.left_at = b"", now
            self.tick(now)

    def _start_over(self, why: str, now: float) -> None:
        """Begin another session, with all that counts of this one."""
        self._gui.tell(f"{why}; a new one is begun")
        self.must_leave = why
        self._greeting.begin_anew()
        entries = begun_anew(self._ledger.begin_anew(), self._recall, now, self._state.delay)
        entries += [Entry(b"quit")] * self._gui.is_quitting
        self._link.begin_anew(entries)


def _in_its_own_name(piece: bytes) -> bytes:
    """Have no line of a server's be as if the bridge had said it."""
    if _OURS not in piece:
        return piece
    return piece.replace(_OURS, b"info string the server says: rookery-bridge")
