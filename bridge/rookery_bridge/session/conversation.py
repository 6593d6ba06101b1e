"""A GUI's conversation with a server that may be away, without any I/O.

Each input (a line of the GUI, lines of the server or of the engine of this machine, a lost
connection, the time) returns its `Effects`: the lines for each side.  Sockets, pipes and clocks
belong to the callers, so every rule can be tested with plain lines.

The one idea: each `uci`, `isready` and `go` is a request that is answered once.  Mostly the
server answers, perhaps over its third connection or, if it was restarted, in another session
that was told all that counts.  If it cannot in time, the engine of this machine answers, or
the best move that is known is given; the server's later answer is dropped.
"""

from typing import NamedTuple

import rookery_uci as uci
from rookery_bridge.session.bridge_options import PARTS, BridgeOptions, path_objection
from rookery_bridge.session.pending_requests import AnswerWord, PendingRequest, PendingSearch
from rookery_bridge.session.responder import Responder
from rookery_bridge.session.server_link import SentLine
from rookery_protocol.hello import Hello
from rookery_protocol.notices import CONTROL, Code, Meaning, Notice, disowned, harmless

# s from one question of the server's to the next, whether this program is there.  A WebSocket's
# pings are as far apart: a program that stands still is noticed within 40 s.
ALIVE = 20

_SILENT = "the server does not answer"
_NO_SUCH_KEY = "not 'alive'"  # how a server refuses that which does not know it
_NEARLY = 10  # times as much as is too short: the engine of this machine gets ready
_NOTICE = b"info string rookery "
_OURS = b"info string rookery-bridge"
_COMMANDS: dict[bytes, uci.Command] = {word.encode(): word for word in uci.Word}
_ANSWERS = {b"readyok": AnswerWord.READYOK, b"bestmove": AnswerWord.BESTMOVE}


class Effects(NamedTuple):
    """The results of one input.

    `gui` are whole lines, each with its newline, `server` and `fallback` are lines without.
    `due` is when `tick` is to be called, None if that is as it was.
    """

    gui: bytes = b""
    server: tuple[bytes, ...] | list[bytes] = ()
    fallback: tuple[bytes, ...] | list[bytes] = ()
    due: float | None = None


class Conversation:
    """One GUI's conversation with one remote engine.

    `is_linked` says whether the server has answered over the present connection, `is_met`
    whether it was ever reached, `is_begun` whether the GUI is answered in any case; `is_quitting`
    that the GUI has said `quit`; `wants_fallback` that the engine of this machine may be needed
    soon; `must_leave` says why the connection is no good, or is empty; `tell_gui` tells the
    GUI something in the bridge's own name, with the next effects;
    `is_asked` that the server is to ask whether this program is there, because no transport does.
    """

    def __init__(self, options: BridgeOptions, now: float, *, is_asked: bool = False) -> None:
        self.options = options
        self.is_asked = is_asked
        self.is_linked = False
        self.is_met = False
        self.is_begun = False
        self.is_quitting = False
        self.wants_fallback = False
        self.must_leave = ""
        self.last_notice: Notice | None = None
        self._responder = responder = Responder(options, now)
        self._link, self._pending, self._setup = responder.link, responder.pending, responder.setup
        self._fallback, self._uci_answer = responder.fallback, responder.uci_answer
        self._for_gui, self.tell_gui = responder.for_gui, responder.tell_gui

    # --- state

    @property
    def has_pending(self) -> bool:
        """True if the GUI waits for an answer."""
        return self._pending.first is not None

    @property
    def has_pending_moves(self) -> bool:
        """True if the GUI will hear a move without another command."""
        searches = self._pending.searches
        return bool(searches) and all(search.ends for search in searches)

    def due(self) -> float:
        """Return when `tick` is to be called."""
        return self._responder.next_due(self._first_other(), listens=not self.must_leave)

    def take_effects(self, due: float | None = None) -> Effects:
        """Return the lines for each side, and forget them; `due` is computed unless it is given."""
        due = self.due() if due is None else due
        gui = b"".join(self._for_gui)
        self._for_gui.clear()
        self.wants_fallback = self._fallback.is_wanted
        server, self._link.lines = self._link.lines, []
        fallback, self._fallback.lines = self._fallback.lines, []
        return Effects(gui, server, fallback, due)

    # --- the GUI

    def receive_from_gui(self, line: bytes, now: float) -> Effects:
        """Receive a line of the GUI."""
        if not line.strip() or line.startswith(b"rookery "):  # Those are the bridge's own.
            return Effects()
        if self._link.is_dormant:
            self._link.wake(now)
        command = _COMMANDS.get(line) or _parse(line)
        if command is uci.Word.UCI or command is uci.Word.ISREADY:
            word = AnswerWord.UCIOK if command is uci.Word.UCI else AnswerWord.READYOK
            request = self._pending.add_other(word, now)
            self._link.send_counted(SentLine(line, request, asks=True))
        elif isinstance(command, uci.Go) and command.limits.perft is None:
            self._go(command.limits, line, now)
        elif command in (uci.Word.STOP, uci.Word.PONDERHIT):
            self._signal(command, line, now)
        elif isinstance(command, uci.SetOption):
            self._set_option(command, line)
        else:
            self._keep_setup(command, line)
            self._link.send_counted(SentLine(line))
        return self.tick(now)

    def _keep_setup(self, command: uci.Command | None, line: bytes) -> None:
        if isinstance(command, uci.Position):
            self._setup.set_position(command, line)
        elif command is None and uci.is_position(line.decode(errors="replace")):
            self._setup.set_unread_position(line)
        elif isinstance(command, uci.Extra) and command.word not in uci.SHOWING:
            self._setup.set_unread_position()
        elif isinstance(command, uci.Debug):
            self._setup.debug = command.on
        elif command is uci.Word.QUIT:
            self.is_quitting = True

    def _set_option(self, command: uci.SetOption, line: bytes) -> None:
        if self.options.set_option(command):
            return
        if why := path_objection(command, self._uci_answer.offered):
            self.tell_gui(why)
            return
        option = self._uci_answer.offered.get(uci.key_of(command.name))
        if command.value is None and option and option.type == "string":
            command = command._replace(value="")  # It is no button, and is emptied.
        self._setup.set_option(command, line)
        self._link.send_counted(SentLine(line))

    def _go(self, limits: uci.Limits, line: bytes, now: float) -> None:
        searches = self._pending.searches
        # Moves come in the order of the searches, so one that is played here is not overtaken.
        if searches and searches[0].is_played_here:
            self._responder.guess_move(searches[0], now)
        search = PendingSearch(limits, self._setup.position, now)
        searches.append(search)
        if not self.is_linked:
            search.count_outage(now)
        delay = self._link.round_trip.seconds if self.options.correct_clocks else 0.0
        clock = search.clock
        correct_clocks = self.options.correct_clocks and self.options.may_guess
        if clock and self._link.round_trip.is_long and correct_clocks:
            self._fallback.is_wanted |= clock.is_too_short(delay * _NEARLY)
            # Where no flag falls, a late move is better than one that no engine has searched.
            may_hurry = search.has_flag or self._responder.may_fall_back
            search.in_hurry = may_hurry and clock.is_too_short(delay) and len(searches) == 1
            if search.in_hurry:
                return
        self._fallback.is_wanted |= search.is_short and self._link.is_doubtful
        told = search.command(now, delay)
        self._pending.ask_server(search)
        told_line = line if told.limits == limits else str(told).encode()
        self._link.send_counted(SentLine(told_line, search, asks=True))

    def _signal(self, word: uci.Command, line: bytes, now: float) -> None:
        searches = self._pending.searches
        hit = None  # `stop` is for all of them, of which the server may have heard the first.
        if word is uci.Word.STOP:
            for search in searches:
                search.stopped_at = search.stopped_at or now
        else:
            # One that is to stop may still come before it.
            hit = next((it for it in searches if it.limits.ponder and not it.stopped_at), None)
            if hit:
                hit.ponderhit(now)
        self._fallback.signal(str(word).encode())
        self._link.send_counted(SentLine(line, hit))
        if searches and searches[0].move and not searches[0].is_open:
            self._responder.give_move(searches[0], searches[0].move, now)

    @property
    def _delay(self) -> float:
        """The seconds that the network takes of each clock."""
        return self._link.round_trip.seconds if self.options.correct_clocks else 0.0

    # --- the connection

    def hello(self) -> Hello:
        """Return the first line of a new connection."""
        self.must_leave = ""
        self.last_notice = None
        return self._link.hello()

    def lose_link(self, reason: str, now: float, *, for_good: bool = False) -> Effects:
        """Go on without a connection; `for_good`: it will not be made again."""
        if self.is_linked:
            self.is_linked = False
            self._link.lose_connection(now, silent=self.must_leave == _SILENT)
            for search in self._pending.searches:
                search.count_outage(now)
            self._fallback.is_wanted = True
            if not self.is_quitting:
                self.tell_gui(reason if for_good else f"{reason}; connecting again")
        return self.take_effects()

    def begin_without_server(self, now: float) -> Effects:
        """Let the engine of this machine play until the server is there."""
        self.is_begun = True
        self._fallback.is_wanted = True
        self._link.is_awaited = False
        return self.tick(now)

    def answer_all(self, now: float) -> Effects:
        """Answer all requests as well as can be: no engine will."""
        while self._pending.searches and self.options.may_guess:
            self._responder.guess_move(self._pending.searches[0], now)
        return self.answer_others(now)

    def answer_others(self, now: float) -> Effects:
        """Answer all requests but searches: the server will not."""
        while request := self._first_other():
            self._responder.answer_for_server(request, now)
        return self.take_effects()

    # --- the engine of this machine

    def receive_from_fallback(self, piece: bytes, now: float) -> Effects:
        """Receive whole lines of the engine of this machine."""
        for line in disowned(piece).split(b"\n")[:-1]:
            search = self._fallback.search
            if not self._fallback.receive_line(line) or search is None:
                continue
            if line.startswith(b"bestmove"):
                self._responder.give_engine_move(
                    search, line + b"\n", now, is_quitting=self.is_quitting
                )
                if search.is_answered:
                    self._responder.stop_server(search)
            else:
                search.add_info(line + b"\n", now)
                self._for_gui.append(line + b"\n")
        self._responder.tell_lack()
        return self.tick(now)

    def lose_fallback(self, reason: str, now: float) -> Effects:
        """Go on without the engine of this machine, which has ended."""
        self._fallback.lose_engine()
        self.options.lose_fallback()
        self.tell_gui(f"the engine of this machine cannot be used: {reason}")
        return self.tick(now)

    # --- time

    def tick(self, now: float) -> Effects:
        """Act on all deadlines that are over."""
        if now < (due := self.due()):
            return self.take_effects(due)
        heartbeat = self._link.heartbeat
        if heartbeat and not self.must_leave and now >= heartbeat.due(self._responder.pace):
            if heartbeat.is_asked:
                self.must_leave = _SILENT
            else:
                self._link.acknowledge(now)
        self._responder.act_on_searches(now)
        while (request := self._first_other()) and now >= self._responder.answer_at(request):
            self._responder.answer_for_server(request, now)
        return self.take_effects()

    def _first_other(self) -> PendingRequest | None:
        """Return the first request that is no search and may be answered without the server."""
        may_answer = self.is_begun and self.options.may_guess
        return next(iter(self._pending.others), None) if may_answer else None

    # --- the server

    def receive_from_server(self, piece: bytes, now: float) -> Effects:
        """Receive whole lines of the server."""
        piece = harmless(piece)
        if _OURS in piece:  # No line of a server's is as if the bridge had said it.
            piece = piece.replace(_OURS, b"info string the server says: rookery-bridge")
        if self.is_linked and not self.must_leave:
            assert self._link.heartbeat
            self._link.heartbeat.heard_at = now  # which makes no deadline earlier
            if _NOTICE not in piece and piece.startswith(b"info "):
                infos, piece = _split_infos(piece)
                changes = self._receive_info(infos, now)
                if not (piece or changes or self._for_gui[1:]):
                    return Effects(self._for_gui.pop() if self._for_gui else b"")
        for line in piece.split(b"\n")[:-1]:
            if self.must_leave:  # It is said again, or is of a session that was given up.
                break
            if line.startswith(b"rookery "):
                self._receive_control(line, now)
            elif self.is_linked:
                self._receive_line(line, now)
            else:
                self._receive_notice(_notice_in(line), now)
        return self.take_effects()

    def _receive_info(self, piece: bytes, now: float) -> bool:
        """Pass on `info` lines; say whether a deadline may come earlier by them."""
        search = self._pending.server_search
        changes, self._link.lacks_engine = self._link.lacks_engine, False
        if search:
            if search.is_answered or (search.is_kept and self._fallback.search is search):
                return changes
            if self._fallback.search is search:  # It was thought that nothing would come.
                self._fallback.stop_search()
                changes = True
            changes |= search.add_info(piece, now)
        self._for_gui.append(piece)
        return changes

    def _receive_control(self, line: bytes, now: float) -> None:
        try:
            hello = Hello.parse(line)
        except uci.UciError:
            return
        if hello and hello.alive:
            self._link.lines.append(bytes(Hello(alive=hello.alive)))
        if hello is None or hello.heard is None:
            return
        if not self._link.confirm(hello.heard):
            self._restart("the server has lost count of the lines", now)
        elif hello.session and not self.is_linked:  # It says so once over each connection.
            self._open_link(hello.session, now)
        else:
            self._link.measure_answer(now)

    def _open_link(self, ticket: str, now: float) -> None:
        """Send what the server has not heard, and let it go on."""
        self._link.open(ticket, now)
        self.is_linked = True
        if self.is_asked:
            self._link.lines.append(bytes(Hello(alive=ALIVE)))
        if self.is_begun:
            again = "again " if self.is_met else ""
            self.tell_gui(f"connected {again}after {now - self._link.lost_at:.1f} s")
        self.is_met = self.is_begun = True
        self._link.resend(self._still_wanted(self._link.unheard, now))
        here = self._fallback.search
        if here and not (here.in_hurry or here.is_kept):
            self._fallback.stop_search()
        self._link.acknowledge(now)

    def _still_wanted(self, entries: list[SentLine], now: float) -> list[SentLine]:
        """Return lines without those of answered requests, and with the time that there is now."""
        answered = [
            entry.request
            for entry in entries
            if entry.asks and entry.request and entry.request.is_answered
        ]
        for request in answered:
            self._pending.forget_asked(request)
        wanted = [entry for entry in entries if not entry.request or entry.request not in answered]
        for entry in wanted:
            if entry.asks and isinstance(entry.request, PendingSearch) and entry.request.clock:
                entry.line = str(entry.request.command(now, self._delay)).encode()
        return wanted

    def _restart(self, why: str, now: float) -> None:
        """Begin another session, which is asked all that the former one owes."""
        self.tell_gui(f"{why}; a new one is begun")
        self.must_leave = why
        self._uci_answer.restart()
        unanswered = self._pending.restart()
        entries = [SentLine(b"uci", each, asks=True) for each in unanswered[AnswerWord.UCIOK]]
        entries += [SentLine(line) for line in self._setup.lines()]
        for search in unanswered[AnswerWord.BESTMOVE]:
            assert isinstance(search, PendingSearch)
            search.is_put_off = False  # by the old session
            told = str(search.command(now, self._delay)).encode()
            entries += [SentLine(str(search.position).encode()), SentLine(told, search, asks=True)]
            entries += [SentLine(b"stop", search)] * (search.stopped_at is not None)
        entries += [SentLine(line) for line in self._setup.position_line()]
        entries += [
            SentLine(b"isready", each, asks=True) for each in unanswered[AnswerWord.READYOK]
        ]
        self._link.restart(entries + [SentLine(b"quit")] * self.is_quitting)

    def _receive_line(self, line: bytes, now: float) -> None:
        if line.startswith(b"info "):
            self._receive_info_or_notice(line, now)
            return
        word = _ANSWERS.get(line.split(maxsplit=1)[0]) if line.strip() else None
        self._link.count_line(now, acknowledge=word is AnswerWord.BESTMOVE)
        if word:
            self._receive_answer(word, line + b"\n", now)
        elif line.startswith(PARTS) and self._pending.is_asked(AnswerWord.UCIOK):
            if self._uci_answer.add_line(line):
                self._receive_answer(AnswerWord.UCIOK, self._uci_answer.lines(), now)
                if self._uci_answer.is_cut:
                    self.tell_gui("the server offers more options than any engine has: not all")
        else:
            self._for_gui.append(line + b"\n")

    def _receive_info_or_notice(self, line: bytes, now: float) -> None:
        notice = _notice_in(line)
        if notice and self.is_asked and notice.text.endswith(_NO_SUCH_KEY):
            self.is_asked = False  # It is an older server, and it does not ask.
            return
        if notice and notice.code.meaning is Meaning.PUT_OFF and self._is_cut_off(now):
            return  # It is of a move that is not played.
        search = self._pending.server_search
        if notice and notice.code is Code.NO_SEARCH and search and search.is_answered:
            return  # Another move was played.
        self._receive_notice(notice, now)
        if notice is None or notice.code is Code.CACHED:  # The others are of no search.
            self._receive_info(line + b"\n", now)
        elif notice.code is not Code.UNKNOWN_SESSION:
            self._for_gui.append(line + b"\n")

    def _receive_answer(self, word: AnswerWord, piece: bytes, now: float) -> None:
        if word is AnswerWord.BESTMOVE and self._is_cut_off(now):
            return  # It is pending still: the next server is asked for it.
        request = self._pending.pop_asked(word)
        self._link.lacks_engine &= word is not AnswerWord.BESTMOVE
        if isinstance(request, PendingSearch):
            if request.is_put_off and self.options.fall_back:
                request.left_at = now
                self._responder.act_on_searches(now)
                return
            while (first := self._pending.searches[0]) is not request:  # It is played here.
                self._responder.guess_move(first, now)
            self._responder.give_engine_move(request, piece, now, is_quitting=self.is_quitting)
        elif request:
            self._pending.mark_answered(request, now)
            self._for_gui.append(piece)

    def _is_cut_off(self, now: float) -> bool:
        """Say whether the server ends a search only because it ends itself."""
        search = self._pending.server_search
        is_ended = self._link.is_ending and not self.is_quitting
        return is_ended and search is not None and not search.is_answered and search.may_go_on(now)

    def _receive_notice(self, notice: Notice | None, now: float) -> None:
        if notice is None:
            return
        self.last_notice = notice
        code = notice.code
        if code is Code.UNKNOWN_SESSION:
            self._restart("the server does not know the session any more", now)
        elif code is Code.QUOTA_IDLE:
            self._link.is_dormant = True
            self._restart("the server ends sessions that do nothing", now)
        elif code is Code.NO_ANSWER:  # This program has stood still; the session is there.
            self.must_leave = notice.text
        elif code is Code.GAP:
            self._link.lines.append(b"quit")
            self._restart("the server could not keep all that was said", now)
        elif code.meaning is Meaning.NO_ENGINE:
            self._link.lacks_engine = self._fallback.is_wanted = True
        elif code.meaning is Meaning.OVER:
            self._link.is_ending = self._fallback.is_wanted = True
            self._leave_to_fallback(now)
        elif code.meaning is Meaning.PUT_OFF and (search := self._pending.server_search):
            self._fallback.is_wanted = True
            # Else it is a connection that is put off, and the search may go on without it.
            search.is_put_off |= self.is_linked

    def _leave_to_fallback(self, now: float) -> None:
        """Let the engine of this machine go on with a search that the server has ended itself."""
        search = self._pending.searches[-1] if self._pending.searches else None
        may_go_on = self.is_linked and self.options.fall_back
        if may_go_on and search and search.is_open and search.move:
            search.move, search.left_at = b"", now
            self._responder.act_on_searches(now)


def _parse(line: bytes) -> uci.Command | None:
    """Return the command of a line; None if there is none, or if the server will refuse it."""
    try:
        text = line.decode()
        return None if CONTROL.search(text) else uci.parse_command(text)
    except (UnicodeDecodeError, uci.UciError):
        return None


def _notice_in(line: bytes) -> Notice | None:
    return Notice.parse(line.decode(errors="replace")) if line.startswith(_NOTICE) else None


def _split_infos(piece: bytes) -> tuple[bytes, bytes]:
    """Split whole lines before the first that is no `info`."""
    if piece.count(b"\ninfo ") == piece.count(b"\n") - 1:
        return piece, b""
    end = 0
    while piece.startswith(b"info ", end):
        end = piece.index(b"\n", end) + 1
    return piece[:end], piece[end:]
