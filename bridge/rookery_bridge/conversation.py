"""What a GUI is owed, and what the server is to hear, whatever becomes of the connection.

Feed it what each side said and when; collect what each side should hear.  Sockets, pipes
and clocks belong to its callers, so every rule can be tested with plain lines.

The one idea: each `uci`, `isready` and `go` is a debt that is paid once.  Mostly the
server pays, perhaps over its third connection or, if it was restarted, in another session
that was told all that counts.  If it cannot in time, the engine of this machine does, or
the best move that is known is said; what the server says to it later goes nowhere.
"""

from collections import deque
from math import inf

from rookery_bridge.clock import RoundTrip
from rookery_bridge.debt import Debt, Kind, Search
from rookery_bridge.fallback import Fallback
from rookery_bridge.journal import Entry, Journal
from rookery_bridge.legal import choose_move
from rookery_bridge.locality import objection
from rookery_bridge.patience import answer_at, fall_back_at, give_up_at, pace_of
from rookery_bridge.preference import Preferences
from rookery_bridge.pulse import Health, Pulse
from rookery_bridge.recall import CHESS960, VARIANT, Recall, key_of
from rookery_engine import uci
from rookery_server.wire import Code, Hello, Notice

_ACKNOWLEDGE = 16  # lines that are heard until the server is told, outside of searches
_LOCAL_RESERVE = 0.05  # s that the engine of this machine is told less than there are
_NEARLY = 10  # times as much as is too short: the engine of this machine gets ready

_WORDS: dict[bytes, uci.Command] = {word.encode(): word for word in uci.Word}
_KINDS = {b"readyok": Kind.READYOK, b"bestmove": Kind.BESTMOVE}
_NOTICE = b"info string rookery "
_NO_NAME = [b"id name Rookery bridge, without its server", b"id author the Rookery developers"]
# A peer's text is shown by terminals and GUIs: no control characters but the line's end.
_CONTROL = bytes(code for code in (*range(9), *range(11, 32), 127))


class Conversation:
    """One GUI's conversation with one remote engine.

    `is_met` says whether the server was ever reached, `is_quitting` whether the GUI has
    said `quit`; `must_leave` says why the connection is no good, or is empty.
    """

    def __init__(self, preferences: Preferences, now: float) -> None:
        self.preferences = preferences
        self.is_met = False
        self.is_quitting = False
        self.must_leave = ""
        self.wants_fallback = False  # it may be needed soon
        self.last_notice: Notice | None = None
        self._journal = Journal()
        self._recall = Recall()
        self._round_trip = RoundTrip()
        self._fallback = Fallback()
        self._pulse: Pulse | None = None  # of the connection, once the server has answered
        self._lost_at = now
        self._is_steady = True  # the connection was never lost
        self._searches: deque[Search] = deque()  # whose moves are owed, in their order
        self._waiting: dict[Debt, None] = {}  # answers to `uci` and `isready` that are owed
        # What the server has been asked for, paid or not, in the order of its answers.
        self._asked: dict[Kind, deque[Debt]] = {kind: deque() for kind in Kind}
        self._answer: list[bytes] = []  # to `uci`, as far as it has come
        self._offered: dict[str, uci.Option] = {}
        self._expected = uci.Position()  # as the last search expected the game to go on
        self._unacknowledged = 0
        self._for_gui: list[bytes] = []
        self._for_server: list[bytes] = []

    # --- what each side should hear

    def for_gui(self) -> bytes:
        """Return the lines for the GUI, each with its newline, and forget them."""
        pieces, self._for_gui = self._for_gui, []
        return b"".join(pieces)

    def for_server(self) -> list[bytes]:
        """Return the lines for the server, and forget them."""
        lines, self._for_server = self._for_server, []
        return lines

    def for_fallback(self) -> list[bytes]:
        """Return the lines for the engine of this machine, and forget them."""
        return self._fallback.for_engine()

    def tell(self, text: str) -> None:
        """Tell the GUI something in the bridge's own name."""
        self._for_gui.append(f"info string rookery-bridge: {text}\n".encode())

    # --- the GUI

    def gui_said(self, line: bytes, now: float) -> None:
        """Take a line of the GUI's."""
        if not line.strip() or line.startswith(b"rookery "):  # Those are the bridge's own.
            return
        command = _WORDS.get(line) or _read(line)
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
            self._say(Entry(line))
        self.tick(now)

    def _note(self, command: uci.Command | None, line: bytes) -> None:
        if isinstance(command, uci.Position):
            self._recall.place(command, line)
        elif isinstance(command, uci.Debug):
            self._recall.debug(command)
        elif command is uci.Word.QUIT:
            self.is_quitting = True

    def _set(self, command: uci.SetOption, line: bytes) -> None:
        if self.preferences.take(command):
            return
        if why := objection(command, self._offered):
            self.tell(why)
            return
        self._recall.option(command, line)
        self._say(Entry(line))

    def _go(self, limits: uci.Limits, line: bytes, now: float) -> None:
        # Moves come in the order of the searches, so one that is played here is not overtaken.
        if self._searches and self._searches[0].in_hurry:
            self._answer_ourselves(self._searches[0], now)
        search = Search(limits, self._recall.position, now)
        self._searches.append(search)
        clock = search.clock
        correct_clocks = self.preferences.correct_clocks and self.preferences.may_guess
        if clock and self._round_trip.is_long and correct_clocks:
            search.in_hurry = clock.is_too_short(self._delay) and len(self._searches) == 1
            if search.in_hurry:
                return
            self.wants_fallback |= clock.is_too_short(self._delay * _NEARLY)
        told = search.command(now, self._delay)
        self._ask(search, line if told.limits == limits else str(told).encode())

    def _signal(self, word: uci.Command, line: bytes, now: float) -> None:
        if word is uci.Word.STOP:
            for search in self._searches:
                search.stopped_at = search.stopped_at or now
        elif self._searches and self._searches[0].limits.ponder:
            self._searches[0].ponderhit(now)
        self._fallback.signal(str(word).encode())
        self._say(Entry(line, self._searches[-1] if self._searches else None))

    # --- the connection

    def greeting(self) -> Hello:
        """Return what to say first over a new connection."""
        self.must_leave = ""
        self.last_notice = None
        self._for_server = []
        ticket = self._journal.ticket
        return Hello(session=ticket or "new", heard=self._journal.heard if ticket else None)

    @property
    def is_linked(self) -> bool:
        """Whether the server has answered over the present connection."""
        return self._pulse is not None

    def server_said(self, piece: bytes, now: float) -> None:
        """Take whole lines of the server's."""
        piece = piece.translate(None, _CONTROL)
        if self._pulse:
            self._pulse.heard(now)
            if _is_only_info(piece) and _NOTICE not in piece:
                self._info(piece)
                return
        for line in piece.split(b"\n")[:-1]:
            if line.startswith(b"rookery "):
                self._control(line, now)
            elif self._pulse:
                self._hear(line, now)
            else:
                self.last_notice = _notice_in(line) or self.last_notice
                self._see_to_notice(now)

    def link_lost(self, reason: str, now: float) -> None:
        """Take note that the connection is gone."""
        if self._pulse is None:
            return
        self._pulse = None
        self._lost_at = now
        self._is_steady = False
        self.wants_fallback = True
        if not self.is_quitting:
            self.tell(f"{reason}; connecting again")

    def go_without(self, now: float) -> None:
        """Begin without a server: the engine of this machine plays until it is there."""
        self.is_met = True
        self.wants_fallback = True
        self._lost_at = now - 3600.0
        self._offered.clear()
        self.tick(now)

    def answer_all(self, now: float) -> None:
        """Pay what is owed as well as can be: nobody else will."""
        while self._searches and self.preferences.may_guess:
            self._answer_ourselves(self._searches[0], now)
        self.answer_early()

    def answer_early(self) -> None:
        """Pay what is owed besides moves: the server will not."""
        while debt := self._first_waiting():
            self._pay_early(debt)

    # --- the engine of this machine

    def fallback_said(self, piece: bytes, now: float) -> None:
        """Take whole lines of the engine of this machine."""
        for line in piece.split(b"\n")[:-1]:
            search = self._fallback.search
            if not self._fallback.said(line) or search is None:
                continue
            if line.startswith(b"bestmove"):
                self._pay_search(search, line, now)
                self._end_remotely(search)
            else:
                search.heard(line + b"\n")
                self._pass_on(line + b"\n")
        self.tick(now)

    def fallback_lost(self, reason: str, now: float) -> None:
        """Take note that the engine of this machine has ended."""
        self._fallback.lost()
        self.preferences.fallback_is_lost()
        self.tell(f"the engine of this machine cannot be used: {reason}")
        self.tick(now)

    # --- time

    def tick(self, now: float) -> None:
        """See whether anything has taken too long."""
        if self._pulse:
            self._see_to_link(self._pulse, now)
        while self._searches and now >= self._give_up_at():
            self._answer_ourselves(self._searches[0], now)
        if self._searches and now >= self._fall_back_at():
            self._fall_back(self._searches[0], now)
        while (debt := self._first_waiting()) and now >= answer_at(debt, self._outage):
            self._pay_early(debt)

    def due(self) -> float:
        """Return when to look at the time again."""
        debt = self._first_waiting()
        times = [answer_at(debt, self._outage)] if debt else []
        if self._pulse and not self.must_leave:
            times.append(self._pulse.due(pace_of(self._first_debt(), self._round_trip.seconds)))
        if self._searches:
            times += [self._give_up_at(), self._fall_back_at()]
        return min(times, default=inf)

    @property
    def _outage(self) -> float | None:
        """Since when there has been no server; None while there is one."""
        return None if self._pulse else self._lost_at

    @property
    def _delay(self) -> float:
        """What the network takes of each clock, in seconds."""
        return self._round_trip.seconds if self.preferences.correct_clocks else 0.0

    def _first_waiting(self) -> Debt | None:
        """Return the first of the answers that may be given without the server."""
        may_answer = self.is_met and self.preferences.may_guess
        return next(iter(self._waiting), None) if may_answer else None

    def _first_debt(self) -> Debt | None:
        return self._searches[0] if self._searches else next(iter(self._waiting), None)

    def _give_up_at(self) -> float:
        if not self.preferences.may_guess:
            return inf
        search = self._searches[0]
        plays = self._fallback.search is search or (search.in_hurry and self.preferences.fall_back)
        return give_up_at(search, self._outage, plays=plays, steady=self._is_steady)

    def _fall_back_at(self) -> float:
        search = self._searches[0]
        if not self.preferences.fall_back or self._fallback.search is search:
            return inf
        return fall_back_at(search, self._outage)

    def _see_to_link(self, pulse: Pulse, now: float) -> None:
        pace = pace_of(self._first_debt(), self._round_trip.seconds)
        health = pulse.health(now, pace)
        if health is Health.UNSURE:
            self._acknowledge(now)
        elif health is Health.DEAD:
            self.must_leave = "the server does not answer"

    # --- saying

    def _say(self, entry: Entry) -> None:
        self._journal.say(entry)
        if self._pulse:
            self._for_server.append(entry.line)

    def _ask(self, debt: Debt, line: bytes) -> None:
        self._asked[debt.kind].append(debt)
        if not isinstance(debt, Search):
            self._waiting[debt] = None
        self._say(Entry(line, debt, asks=True))

    def _acknowledge(self, now: float) -> None:
        """Say what has been heard; the answer says what the server has, and that it is there."""
        if self._pulse:
            self._pulse.asked(now)
            self._unacknowledged = 0
            self._for_server.append(bytes(Hello(heard=self._journal.heard)))

    # --- hearing

    def _control(self, line: bytes, now: float) -> None:
        try:
            hello = Hello.parse(line)
        except uci.UciError:
            return
        if hello is None or hello.heard is None:
            return
        if not self._journal.confirm(hello.heard):
            self._start_over("the server has lost count of the lines", now)
        elif hello.session:
            self._arrive(hello.session, now)
        elif self._pulse and (trip := self._pulse.answered(now)) is not None:
            self._round_trip.measured(trip)

    def _arrive(self, ticket: str, now: float) -> None:
        """Say what the server has not heard, and let it go on."""
        self._journal.ticket = ticket
        self._pulse = Pulse(now)
        if self.is_met:
            self.tell(f"connected again after {now - self._lost_at:.1f} s")
        self.is_met = True
        for entry in self._journal.revise(lambda entries: self._still_wanted(entries, now)):
            self._for_server.append(entry.line)
        if self._fallback.search and not self._fallback.search.in_hurry:
            self._fallback.dismiss()
        self._acknowledge(now)

    def _still_wanted(self, entries: list[Entry], now: float) -> list[Entry]:
        """Leave out what has been answered otherwise, and say how much time there is now."""
        settled = [entry.debt for entry in entries if entry.asks and entry.debt and entry.debt.paid]
        for debt in settled:
            self._asked[debt.kind].remove(debt)
        wanted = [entry for entry in entries if entry.debt not in settled or entry.debt is None]
        for entry in wanted:
            if entry.asks and isinstance(entry.debt, Search) and entry.debt.clock:
                entry.line = str(entry.debt.command(now, self._delay)).encode()
        return wanted

    def _hear(self, line: bytes, now: float) -> None:
        if line.startswith(b"info "):
            if notice := _notice_in(line):
                self.last_notice = notice
                self._see_to_notice(now)
                if notice.code is Code.UNKNOWN_SESSION:
                    return
            self._info(line + b"\n")
            return
        self._journal.heard += 1
        self._unacknowledged += 1
        kind = _KINDS.get(line.split(maxsplit=1)[0]) if line.strip() else None
        if self._asked[Kind.UCIOK] and line.startswith((b"id ", b"option ", b"uciok")):
            self._hear_answer(line)
        elif kind:
            self._hear_payment(kind, line, now)
        else:
            self._pass_on(line + b"\n")
        if kind is Kind.BESTMOVE or self._unacknowledged >= _ACKNOWLEDGE:
            self._acknowledge(now)

    def _info(self, piece: bytes) -> None:
        searching = self._asked[Kind.BESTMOVE]
        if searching:
            search = searching[0]
            if search.paid:
                return
            assert isinstance(search, Search)
            search.heard(piece)
        self._pass_on(piece)

    def _pass_on(self, piece: bytes) -> None:
        self._for_gui.append(piece)

    def _hear_payment(self, kind: Kind, line: bytes, now: float) -> None:
        debt = self._asked[kind].popleft() if self._asked[kind] else None
        if debt is None or debt.paid:
            return
        if isinstance(debt, Search):
            self._pay_search(debt, line, now)
        else:
            self._settle(debt)
            self._pass_on(line + b"\n")

    def _hear_answer(self, line: bytes) -> None:
        """Keep what the server offers; the GUI hears all of it at once, and the bridge's part."""
        if not line.startswith(b"uciok"):
            self._answer.append(line)
            return
        heard, self._answer = self._answer, []
        self._offered = _options_in(heard)
        own = [str(option).encode() for option in self.preferences.options()]
        self._greeting_lines = [*heard, *own, b"uciok"]
        debt = self._asked[Kind.UCIOK].popleft()
        if not debt.paid:
            self._settle(debt)
            self._pass_on(b"\n".join(self._greeting_lines) + b"\n")

    _greeting_lines: list[bytes] = []  # noqa: RUF012  # of nobody yet; never changed in place

    def _see_to_notice(self, now: float) -> None:
        code = self.last_notice.code if self.last_notice else None
        if code is Code.UNKNOWN_SESSION:
            self._start_over("the server does not know the session any more", now)
        elif code is Code.QUOTA_IDLE:
            self._start_over("the server ends sessions that do nothing", now)
        elif code is Code.GAP:
            self._for_server.append(b"quit")
            self._start_over("the server could not keep all that was said", now)

    def _start_over(self, why: str, now: float) -> None:
        """Begin another session, with all that counts of this one."""
        self.tell(f"{why}; a new one is begun")
        self.must_leave = why
        unpaid = {kind: [debt for debt in self._asked[kind] if not debt.paid] for kind in Kind}
        self._answer = []
        entries = [Entry(b"uci", debt, asks=True) for debt in unpaid[Kind.UCIOK]]
        entries += [Entry(line) for line in self._recall.setup()]
        for search in unpaid[Kind.BESTMOVE]:
            assert isinstance(search, Search)
            told = str(search.command(now, self._delay)).encode()
            entries += [Entry(str(search.position).encode()), Entry(told, search, asks=True)]
            entries += [Entry(b"stop", search)] * (search.stopped_at is not None)
        entries += [Entry(line) for line in self._recall.position_line()]
        entries += [Entry(b"isready", debt, asks=True) for debt in unpaid[Kind.READYOK]]
        entries += [Entry(b"quit")] * self.is_quitting
        self._asked = {kind: deque(debts) for kind, debts in unpaid.items()}
        self._journal.begin_anew(entries)

    # --- paying

    def _pay_search(self, search: Search, line: bytes, now: float) -> None:
        search.paid = True
        self._searches.remove(search)
        if self._fallback.search is search:
            self._fallback.dismiss()
        if self._searches:
            self._searches[0].since = max(self._searches[0].since, now)
        moves = (*search.position.moves, *search.best_line())
        self._expected = search.position._replace(moves=moves)
        self._pass_on(line + b"\n")

    def _end_remotely(self, search: Search) -> None:
        """Let the server stop searching what has been answered."""
        if search in self._asked[Kind.BESTMOVE]:
            self._say(Entry(b"stop", search))

    def _answer_ourselves(self, search: Search, now: float) -> None:
        """Say the best move that is known."""
        played = len(search.position.moves)
        expected = self._expected.moves[played : played + 1]
        if self._expected._replace(moves=self._expected.moves[:played]) != search.position:
            expected = ()
        move = choose_move(
            search.position,
            (*search.best_line()[:1], *expected),
            chess960=self._recall.value(CHESS960).lower() == "true",
            variant=self._recall.value(VARIANT).lower(),
        )
        if not search.in_hurry:
            self.tell("no answer in time: this is the best move that is known")
            if info := search.best_info():  # What a GUI shows last is what the move is by.
                self._pass_on(info + b"\n")
        self._pay_search(search, f"bestmove {move}".encode(), now)
        self._end_remotely(search)

    def _fall_back(self, search: Search, now: float) -> None:
        """Let the engine of this machine play."""
        self.wants_fallback = True
        if not search.in_hurry:
            self.tell("the engine of this machine goes on with the search")
        go = search.command(now, _LOCAL_RESERVE if search.limits.movetime is None else 0.0)
        position = str(search.position).encode()
        self._fallback.play(search, [*self._recall.rules(), position, str(go).encode()])
        if search.stopped_at:
            self._fallback.signal(b"stop")

    def _settle(self, debt: Debt) -> None:
        debt.paid = True
        del self._waiting[debt]

    def _pay_early(self, debt: Debt) -> None:
        """Answer for the server, which cannot."""
        self._settle(debt)
        if debt.kind is Kind.READYOK:
            self._pass_on(b"readyok\n")
            return
        own = [str(option).encode() for option in self.preferences.options()]
        lines = self._greeting_lines or [*_NO_NAME, *own, b"uciok"]
        self._pass_on(b"\n".join(lines) + b"\n")


def _read(line: bytes) -> uci.Command | None:
    try:
        return uci.parse_command(line.decode(errors="replace"))
    except uci.UciError:
        return None  # The server says what is wrong with it.


def _is_only_info(piece: bytes) -> bool:
    lines = piece.count(b"\n")
    return piece.startswith(b"info ") and piece.count(b"\ninfo ") == lines - 1


def _notice_in(line: bytes) -> Notice | None:
    return Notice.parse(line.decode(errors="replace")) if line.startswith(_NOTICE) else None


def _options_in(lines: list[bytes]) -> dict[str, uci.Option]:
    options = {}
    for line in lines:
        try:
            option = uci.parse_reply(line.decode(errors="replace"))
        except uci.UciError:
            continue
        if isinstance(option, uci.Option):
            options[key_of(option.name)] = option
    return options
