"""One conversation between a client and an engine, without any I/O.

Two ideas.  An engine is only ever told what it can take at that moment: real engines fall silent
for ever on a second `go`, and on a `setoption` during a search; so what would disturb a search is
postponed and given to the engine, in order, after its `bestmove`.  And the conversation is not
bound to one engine process: it begins without one, may outlive it, and knows what the next one has
to be told, so that to the client there is one engine that never dies, and exactly one `bestmove`
for each `go`.
"""

import rookery_uci as uci
from rookery_protocol.hello import line_for_watchers
from rookery_protocol.notices import Code, Notice, disowned, harmless
from rookery_server.config.resources import Size
from rookery_server.session.chunks import is_tidy, last_variation, only_info, runs, without_blanks
from rookery_server.session.commands import (
    AFTER_CLIENT,
    AFTER_ENGINE,
    ASIDE,
    ENDED,
    IDLE,
    NO_SEARCH,
    NOTHING,
    POSITION_LOST,
    REMEMBERED,
    RUNNING,
    SEARCHING,
    SHARED,
    SIGNALS,
    STOPPING,
    WAITING,
    WHILE_SEARCHING,
    WORK,
    Command,
    LineError,
    Need,
    RefusedGo,
    ends_by_itself,
    has_clock,
    keyword,
    parse_line,
    shortened,
    with_less_time,
)
from rookery_server.session.engine_setup import EngineSetup
from rookery_server.session.line_buffers import SearchLog
from rookery_server.session.pending_commands import FULL, PendingCommands, Readiness
from rookery_server.session.validator import NO_MOVE, Validator

_SERVERS = (b"rookery ", b"uciok")  # what only the server says
_NOTED = (b"bestmove", b"readyok", *_SERVERS)  # with what lines begin that are looked at
_ASKED, _ANSWERED = b"isready", b"readyok\n"  # as they nearly always are: by themselves
_UNNOTICED = 100  # ms that are no wait: a network takes as much


class Session:
    """The rules of one conversation.

    It takes what each side says and what happens to the engine, and changes only itself.  Its
    actor asks afterwards what is to be done: it `needs` something, and `for_engine` and
    `for_client` return the lines that each side should be told.
    """

    __slots__ = (
        "_debug", "_for_client", "_for_engine", "_has_ended", "_latest", "_pending",
        "_previous", "_refused_go", "_resized_option", "_undoable", "_variation", "attached",
        "go", "log", "notices", "ready", "setup", "shared", "state", "validator", "works",
    )  # fmt: skip

    def __init__(self, validator: Validator) -> None:
        """Begin without an engine; the validator knows what it will offer."""
        self.state, self.attached = IDLE, False
        self.ready = Readiness()
        self.works = False  # at a command that is no search: its end is not told
        self.notices: dict[Code, int] = {}  # how many of each, for the operator
        self.log: SearchLog | None = None  # of the search, if it may be worth keeping
        self.shared = False  # whether `for_client` has what the engine is told, too
        self.validator = validator
        self._debug = False
        self._has_ended = False  # what the client says: all that it has asked for is answered
        self._undoable = True  # nothing was done to the engine but what `undo` undoes
        self._for_client: list[bytes] = []
        self._for_engine = b""
        self._pending = PendingCommands()
        self.setup = EngineSetup(validator.offer)
        self._resized_option: str | None = None  # is set when the slot has the setup's size
        self._refused_go: RefusedGo | None = None  # its answer is not expected yet
        # The newest search, the last two pieces heard of it, and its main variation: an engine
        # may say for seconds only which move it looks at, so that the pieces do not have it.
        self.go = uci.Go()
        self._previous = self._latest = self._variation = b""

    # --- what each side is told

    def for_engine(self) -> bytes:
        """Return the lines to tell the engine now, and forget them."""
        piece, self._for_engine = self._for_engine, b""
        return piece

    def for_client(self) -> bytes:
        """Return the lines to tell the client now, and forget them."""
        pieces = self._for_client
        if len(pieces) <= 1:
            return pieces.pop() if pieces else b""
        piece = b"".join(pieces)
        pieces.clear()
        return piece

    def notice(self, code: Code, text: str) -> None:
        """Tell the client something in the server's own name."""
        self.notices[code] = self.notices.get(code, 0) + 1
        self._for_client.append(b"%b\n" % bytes(Notice(code, text)))

    def start_sharing(self) -> bytes:
        """Put what takes effect of the client's commands into `for_client`; return what holds now.

        Spectators hear it between what the engine says.
        """
        self.shared = True
        commands = [*self.setup.commands(), *filter(None, [self.setup.moved_by])]
        setup = b"".join(map(line_for_watchers, commands))
        if self.state in (IDLE, ENDED):
            return setup
        return setup + line_for_watchers(self.go) + self._previous + self._latest

    @property
    def unanswered(self) -> int:
        """The number of `isready` that are not answered, by engine or server."""
        return self.ready.owed + self._pending.count(uci.Word.ISREADY)

    # --- the client

    def client_said(self, line: bytes) -> None:
        """Process a line of the client's: the engine hears it now or later, or it is refused."""
        if line == _ASKED and self.state is IDLE and self.attached and not self._resized_option:
            self._tell_engine(uci.Word.ISREADY)  # As `_process` would, sooner.
            return
        try:
            command = parse_line(line)
        except LineError as error:
            self.notice(error.notice.code, error.notice.text)
            self.validator.skip(line, error.notice)
            return
        if command is None:
            if self._debug and line.strip():
                text = shortened(repr(line.decode()))
                self.notice(Code.UNKNOWN_COMMAND, f"no UCI command in {text}")
            return
        word = keyword(command)
        if isinstance(command, uci.Word):  # It is good, at any time.
            self._process(command, word)
        elif reviewed := self._review(command, word):
            self._process(reviewed, "go" if isinstance(reviewed, RefusedGo) else word)

    def stop(self) -> None:
        """End a search that is under way, as if the client had asked for it."""
        self.answer_refused_go()
        if self.state in (WAITING, SEARCHING):
            self._process(uci.Word.STOP, "stop")

    def stop_current(self) -> None:
        """End the search that is under way, and none that waits behind it."""
        if self.state is SEARCHING:
            self._carry_out(uci.Word.STOP, "stop")

    def end(self) -> None:
        """End the client's side: it hears all answers, and searches are cut."""
        self._has_ended = True
        self._process(uci.Word.QUIT, "quit")
        if self.state is SEARCHING:
            self._undoable = False  # It is cut off.
            self.stop()

    # --- the engine

    @property
    def needs(self) -> Need:
        """The thing that the session needs before it can go on."""
        if self.state is WAITING:
            return Need.SEARCH
        if self._resized_option:
            return Need.SIZE
        if not self.attached and self.state is IDLE and (self._pending.size or self.ready.owed):
            return Need.ENGINE
        return NOTHING

    @property
    def can_park(self) -> bool:
        """True if the engine owes nothing, and the client would not notice another one."""
        idle = self.state is IDLE and not (self.works or self._resized_option)
        return self.attached and idle and self.ready.is_even

    def detach(self) -> None:
        """Go on without the engine: another one hears what holds when it comes."""
        self.attached = False
        self._for_engine = b""
        self._resized_option = None  # It is among the options that the next engine hears.
        self.setup.lose_engine()

    def undo(self) -> bytes | None:
        """Return lines that make an engine that owes nothing as it was; None if none do."""
        quits = self.state is ENDED and self._for_engine in (b"", b"quit\n")
        if not (self.attached and (quits or self.state is IDLE)):
            return None
        if self._pending or self._resized_option or not (self.ready.is_even and self._undoable):
            return None
        return self.setup.undo(debug=self._debug)

    def attach(self, granted: Size) -> None:
        """Begin with a fresh engine, which may take so much of the machine."""
        self.attached, self.works = True, False
        self.ready.forget_engine()
        self._fit(granted)
        for command in (*self.validator.offer.setup, *self.setup.commands()):
            self._tell_engine(command)
        if self._debug:
            self._tell_engine(uci.Debug(True))
        self._for_engine += b"isready\n" * self.ready.owed
        if self.state is IDLE:
            self._resume_pending()

    def resize(self, granted: Size) -> None:
        """Set the option that asked for another size, as far as the slot has it now."""
        key, self._resized_option = self._resized_option, None
        assert key
        self._fit(granted)
        command = self.setup.options[key]
        if self.shared:
            self._for_client.append(line_for_watchers(command))
        self._tell_engine(command)
        self._resume_pending()

    @property
    def is_awaited(self) -> bool:
        """True if the engine has to answer in its own time, without being asked once more."""
        ends = ends_by_itself(self.go.limits) or self.ready.before_search > 0
        return ends and self.state is SEARCHING

    @property
    def is_due(self) -> bool:
        """True if the engine owes an answer at once, whatever else it has to say."""
        if self.state is IDLE:
            return not (self.works or self.ready.is_even)
        return self.state is STOPPING

    def probe(self, *, behind_work: bool = False) -> None:
        """Ask the engine whether it is there; the client hears nothing of it."""
        self.ready.probe(behind_work=behind_work)
        self._for_engine += b"isready\n"

    def begin_search(self, waited: int = 0) -> None:
        """Begin the search that waits, after so many ms."""
        self.state = AFTER_CLIENT[self.state, "begin"]
        self.validator.looks = 0  # at positions without an engine
        self._previous = self._latest = self._variation = b""
        if waited > _UNNOTICED:
            self.go = with_less_time(self.go, waited, "wtime", "btime")
        self.ready.before_search = self.ready.owed
        # What it still says of work is none of the search's: `bench` has moves.  A second question
        # would be taken for the client's, so in the moment that one is under way there is none.
        if self.works and not self.ready.is_probed:
            self.probe(behind_work=True)
        self._tell_engine(self.go)
        self._resume_pending()
        if self._has_ended:
            self.stop()

    def without_engine(self, *, for_good: bool = False) -> None:
        """Answer in the engine's stead, as there is none to be had now, or `for_good`.

        Then searches end at once, as for a client that wants to leave.  What else only an engine
        could do is no part of UCI, and is owed no answer.
        """
        for_good = for_good or uci.Word.QUIT in self._pending
        self._for_client += [b"readyok\n"] * self.ready.take_all()
        if for_good:
            self._give_up_waiting()
        elif self.state is WAITING and uci.Word.ISREADY not in self._pending:
            return
        pending, self._pending = self._pending, PendingCommands()
        for command in pending:
            if command is uci.Word.ISREADY:
                self._for_client.append(b"readyok\n")
                continue
            self._process(command, keyword(command))
            if for_good:
                self._give_up_waiting()
                if self._pending:  # Only an engine could do it.
                    self.setup.record_work(command)
                    self.setup.lose_engine()
                    self._pending = PendingCommands()

    def lose_engine(self, elapsed: int) -> None:
        """Go on without the engine, which is gone, so many ms after its search began.

        A search of a clock, or one that was to stop, ends with the best move so far; others wait.
        """
        self.detach()
        if (self.state, "death") not in AFTER_ENGINE:
            if self.setup.is_gone:
                self._give_up_waiting()
            return
        ends = self.state is STOPPING or self.setup.is_gone
        self.state = AFTER_ENGINE[self.state, "death"]
        if ends or (has_clock(self.go.limits) and self._variation.split()):
            self.give_up_search()
        else:
            self.go = with_less_time(self.go, elapsed, "wtime", "btime", "movetime")

    def give_up_search(self) -> None:
        """End a search that no engine will do, with the best move so far, or a notice and any."""
        if moves := self._variation.split():
            move = moves[0].decode()
        elif self.setup.moved_by:
            self.notice(POSITION_LOST.code, POSITION_LOST.text)
            move = NO_MOVE
        else:
            self.notice(NO_SEARCH.code, NO_SEARCH.text)
            move = self.validator.some_move(self.setup.position, self.setup.rules)
        self._for_client.append(f"bestmove {move}\n".encode())
        self.state = AFTER_ENGINE[self.state, "bestmove"]
        self._resume_pending()

    def answer_refused_go(self) -> None:
        """Answer a search whose position was refused, if there is one."""
        if self._refused_go:
            self._for_client.append(self._refused_go.move_line)
            self._refused_go = None

    def engine_said(self, piece: bytes) -> None:
        """Process whole lines of the engine's that do not pass: the client hears them."""
        if piece == _ANSWERED:
            if self.ready.is_for_client():
                self._for_client.append(piece)
        else:
            if not is_tidy(piece):
                piece = disowned(without_blanks(harmless(piece)))
            if self.log is not None:
                self.log.append(piece)
            piece = b"".join([part for part in runs(piece, _NOTED) if self._is_heard(part)])
            self._previous, self._latest = self._latest, piece
            self._variation = last_variation(piece) or self._variation
            if piece:
                self._for_client.append(piece)
        if self.state is IDLE:
            self._resume_pending()

    def passes(self, piece: bytes) -> bool:
        """Process lines of the engine's that change nothing; return whether these are such.

        Nearly all lines are `info`, up to a million a second, which the client hears as they are;
        unless there is something in `for_client`, which it hears first.
        """
        if self._for_client or not only_info(piece):
            return False
        if self.log is not None:
            self.log.append(piece)
        self._previous, self._latest = self._latest, piece
        self._variation = last_variation(piece) or self._variation
        return True

    # --- deciding

    def _review(self, command: uci.Command, word: str) -> Command | None:
        """Return what the engine hears for a command, if it may; say what is not as asked."""
        # What is reviewed must be heard: a validator knows the options by what went before.
        if not self._is_for_now(word) and self._pending.is_full_for(word):
            self.notice(FULL.code, FULL.text)
            self.validator.skip(command, FULL)
            return None
        verdict = self.validator.review(command)
        if isinstance(verdict, RefusedGo):
            return verdict
        if verdict.notice:
            self.notice(verdict.notice.code, verdict.notice.text)
        return verdict.command

    def _process(self, command: Command, word: str) -> None:
        """Carry a command out now, or postpone it."""
        if self.state is ENDED:
            return
        refused = self._refused_go
        if refused and not (word in ASIDE or (word in SIGNALS and refused.is_pending(word))):
            self.answer_refused_go()
        if word == "uci":  # What an engine offers is known, and the same at any time.
            self._for_client.append(self.validator.offer.greeting)
        elif word == "isready" and self.state is WAITING:
            self._for_client.append(b"readyok\n")
        elif not self._is_for_now(word):
            self._postpone(command, word)
        else:
            # A client that says stop expects peace: it ends the searches that wait, too.
            if word in SIGNALS and self._pending:
                self._postpone(command, word)
            self._carry_out(command, word)

    def _carry_out(self, command: Command, word: str) -> None:
        """Do what a command asks for: it disturbs nothing now."""
        if isinstance(command, uci.Debug):
            self._debug = command.on
        elif isinstance(command, uci.Position) and self.setup.moved_by and self.attached:
            for option in self.setup.reset():  # `bench` has set some of them for itself.
                self._tell_engine(option)
        elif word == "ponderhit":
            self.go = uci.Go(self.go.limits._replace(ponder=False))
        if word in REMEMBERED and (key := self.setup.record(command)) and self.attached:
            self._resized_option = key  # It is told to the engine when the slot has its size.
            return
        if self.shared and word in SHARED and not (word in SIGNALS and self.state is IDLE):
            self._for_client.append(line_for_watchers(command))
        if isinstance(command, uci.Go) and self.setup.is_gone:
            command = RefusedGo(command, POSITION_LOST)
        if isinstance(command, RefusedGo):
            self._for_client.append(b"%b\n" % bytes(command.reason))
            self._refused_go = command
            if not command.is_pending(word):
                self.answer_refused_go()
        elif isinstance(command, uci.Go) and word == "go":
            self.go, self._previous, self._latest, self._variation = command, b"", b"", b""
            self.state = AFTER_CLIENT[self.state, word]
        elif self.state is WAITING and word in SIGNALS:
            if word == "stop":  # Those behind it that were to stop end, too.
                self.give_up_search()
                while self.state is WAITING and uci.Word.STOP in self._pending:
                    self.give_up_search()
        else:
            self._pass_on(command, word)
            self.state = AFTER_CLIENT.get((self.state, word), self.state)

    def _pass_on(self, command: uci.Command, word: str) -> None:
        """Tell the engine a command, or keep it for one that comes later."""
        if self.attached:
            self._tell_engine(command)
            if word in WORK:
                self.works = True
                self.setup.record_work(command)
            if word in WORK or (word == "quit" and self.state is not IDLE):
                self._undoable = False
        elif word not in REMEMBERED and word not in ("quit", *SIGNALS):
            self._postpone(command, word)

    def _fit(self, granted: Size) -> None:
        for text in self.setup.fit(granted):
            self.notice(Code.OPTION_CLAMPED, text)

    def _tell_engine(self, command: uci.Command) -> None:
        if command is uci.Word.ISREADY:
            self.ready.owed += 1
        self._for_engine += str(command).encode() + b"\n"

    # --- what has to wait

    def _postpone(self, command: Command, word: str) -> None:
        """Keep a command until the search has ended, or an engine is there."""
        if not self._pending.add(command, word):
            self.notice(FULL.code, FULL.text)

    def _is_for_now(self, word: str) -> bool:
        pending = self._pending.size > 0 or self._resized_option is not None
        if word == "quit":  # What came before it is answered first.
            if self.state is IDLE:
                return not (pending or self.ready.owed)
            return self.attached and not self._has_ended
        if self.state is IDLE:
            # What waits for an engine, or for its size, keeps its order.
            return not pending or (self.attached and not self._resized_option)
        # After `stop` the bestmove is near: what follows keeps its order, so that an
        # `isready` is answered when what came before it is done.
        return word in WHILE_SEARCHING and not (self.state is STOPPING and pending)

    def _resume_pending(self) -> None:
        """Process what was postponed, up to a search that has yet to begin."""
        if not self._pending.size or (self.state in RUNNING and not self._pending.has_signal):
            return
        pending, self._pending = self._pending, PendingCommands()
        while pending and self.state is not WAITING and not self._resized_option:
            if self.state in RUNNING:
                pending.move_to(self._pending)  # It is for after the search.
            if pending:
                command = pending.pop_left()
                self._process(command, keyword(command))
        if pending:
            for command in reversed(list(self._pending)):
                pending.append_left(command)
            self._pending = pending

    # --- the end of a search

    def _is_heard(self, line: bytes) -> bool:
        """Return whether the client hears lines; a bestmove that it does hear ends the search."""
        if line.startswith(b"readyok"):
            return self.ready.is_for_client()
        if line.startswith(_SERVERS):
            return False  # And such lines are not counted.
        if not line.startswith(b"bestmove") or self.state is ENDED:
            return True
        if self.state not in RUNNING or self.ready.is_behind_work:
            return False
        self.state = AFTER_ENGINE[self.state, "bestmove"]
        return True

    def _give_up_waiting(self) -> None:
        while self.state is WAITING:
            self.give_up_search()
