"""One conversation between a client and an engine, without any I/O.

Feed it what each side said; collect what each side should hear.  Sockets, pipes
and clocks belong to its callers, so every rule here can be tested with plain lines.

Two ideas.  An engine is only ever told what it can take at that moment: real engines
fall silent for ever on a second `go`, and on a `setoption` during a search; so what
would disturb a search is held back and given to the engine, in order, after its
`bestmove`.  And the conversation is not bound to one engine process: it begins without
one, may outlive it, and knows what the next one has to be told, so that to the client
there is one engine that never dies, and exactly one `bestmove` for each `go`.
"""

import rookery_uci as uci
from rookery_protocol.notices import Code, Notice, disowned, harmless, shown
from rookery_server.cache.query import Question
from rookery_server.session.chunks import only_info, runs, without_blanks
from rookery_server.session.commands import LineError, keyword, read, shortened
from rookery_server.session.current_search import Command, Search, Void
from rookery_server.session.engine_setup import Recall
from rookery_server.session.pending_commands import FULL, Held
from rookery_server.session.readiness import Readiness
from rookery_server.session.resource_fit import Fitting
from rookery_server.session.search_log import Record
from rookery_server.session.state import (
    AFTER_CLIENT,
    AFTER_ENGINE,
    ASIDE,
    ENDED,
    IDLE,
    NOTHING,
    RECALLED,
    RUNNING,
    SEARCHING,
    SHARED,
    SIGNALS,
    STEPS,
    STOPPING,
    WAITING,
    WHILE_SEARCHING,
    WORK,
    Need,
)
from rookery_server.session.validator import NO_MOVE, Review

_MADE_UP = Code.NO_SEARCH, "no engine has searched this: the move is any legal one"
_GONE = Notice(
    Code.POSITION_LOST,
    "the engine that had the position is gone, and after a command beyond UCI nobody else"
    " knows it: say 'position' again",
)
_SERVERS = (b"rookery ", b"uciok")  # what only the server says
_NOTED = (b"bestmove", b"readyok", *_SERVERS)  # with what lines begin that are looked at
_ASKED, _ANSWERED = b"isready", b"readyok\n"  # as they nearly always are: by themselves


class Session:
    """The rules of one conversation.

    `for_client` and `for_engine` give what each side should hear.  Whoever owns the
    session sees to what it `needs`, and says `attach`, `begin` and `lose_engine`; its
    `fitting` is what the engine takes of the machine.
    """

    __slots__ = (
        "_debug",
        "_for_client",
        "_for_engine",
        "_has_ended",
        "_held",
        "_recall",
        "_search",
        "_undoable",
        "_void",
        "attached",
        "fitting",
        "notices",
        "ready",
        "record",
        "review",
        "shared",
        "state",
        "works",
    )

    def __init__(self, review: Review) -> None:
        """Begin without an engine; the review knows what it will offer."""
        self.state, self.attached = IDLE, False
        self.ready = Readiness()
        self.works = False  # at a command that is no search: nobody is told when it is done
        self.notices: dict[Code, int] = {}  # how many of each, for the operator
        self.record: Record | None = None  # of the search, if somebody wants it
        self.shared = False  # whether `for_client` has what the engine is told, too
        self.review = review
        self._debug = False
        self._has_ended = False  # what the client says: all that it has asked for is answered
        self._undoable = True  # nothing was done to the engine but what `undo` undoes
        self._for_client: list[bytes] = []
        self._for_engine = b""
        self._held = Held()
        self._recall = Recall()
        self._search = Search()
        self._void: Void | None = None  # its answer is not expected yet
        self.fitting = Fitting(review.offer, self._recall)

    # --- what each side should hear

    def for_engine(self) -> bytes:
        """Return the lines that the engine should hear now, and forget them."""
        piece, self._for_engine = self._for_engine, b""
        return piece

    def for_client(self) -> bytes:
        """Return the lines that the client should hear now, and forget them."""
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

    # --- who watches

    def share(self) -> bytes:
        """Say from now on in `for_client` what takes effect of the client's commands.

        So it stands in its place between what the engine says.  Returns what holds now,
        in the same form.
        """
        self.shared = True
        told = b"".join(map(shown, self._recall.shown()))
        if self.state in (IDLE, ENDED):
            return told
        return told + shown(self._search.go) + self._search.said

    @property
    def unanswered(self) -> int:
        """How many `isready` have yet to be answered, by whomsoever."""
        return self.ready.owed + self._held.count(uci.Word.ISREADY)

    # --- the client

    def client_said(self, line: bytes) -> None:
        """Take a line of the client's: the engine hears it now or later, or it is refused."""
        if line == _ASKED and self.state is IDLE and self.attached:  # As `_take` would, sooner.
            self._tell_engine(uci.Word.ISREADY)
            return
        try:
            command = read(line)
        except LineError as error:
            self.notice(error.notice.code, error.notice.text)
            self.review.miss(line, error.notice)
            return
        if command is None:
            if self._debug and line.strip():
                text = shortened(repr(line.decode()))
                self.notice(Code.UNKNOWN_COMMAND, f"no UCI command in {text}")
        elif isinstance(command, uci.Word):  # It is good, at any time.
            self._take(command)
        elif judged := self._judge(command):
            self._take(judged)

    def stop(self) -> None:
        """End a search that is under way, as if the client had asked for it."""
        self.answer_void()
        if self.state in (WAITING, SEARCHING):
            self._take(uci.Word.STOP)

    def stop_one(self) -> None:
        """End the search that is under way, and none that waits behind it."""
        if self.state is SEARCHING:
            self._obey(uci.Word.STOP, "stop")

    def end(self) -> None:
        """Take note that the client says nothing more: it hears all answers, searches are cut."""
        self._has_ended = True
        self._take(uci.Word.QUIT)
        if self.state is SEARCHING:
            self._undoable = False  # It is cut off.
            self.stop()

    # --- the engine

    @property
    def needs(self) -> Need:
        """What is wanted of those who have engines."""
        if self.state is WAITING:
            return Need.SEARCH
        if not self.attached and self.state is IDLE and (self._held or self.ready.owed):
            return Need.ENGINE
        return NOTHING

    @property
    def limits(self) -> uci.Limits:
        """The limits of the search that was asked for last."""
        return self._search.go.limits

    def question(self) -> Question | None:
        """Return what that search asks; None if its answer is good for itself alone."""
        return self._recall.question(self.limits, self.review.offer)

    @property
    def leaving(self) -> bool:
        """Whether the client has said all that it has to say."""
        return uci.Word.QUIT in self._held

    @property
    def can_park(self) -> bool:
        """Whether its engine owes nothing, and nobody would notice another one."""
        idle = self.state is IDLE and not self.works
        return self.attached and idle and self.ready.is_even

    def park(self) -> None:
        """Take note that its engine is gone because it was not needed."""
        self.attached = False
        self._recall.lose_engine()
        self._for_engine = b""

    def undo(self) -> bytes | None:
        """Return what makes the engine as it was before the client had it; None if nothing does.

        So it is when it owes something, or has heard what is no part of UCI.
        """
        quits = self.state is ENDED and self._for_engine in (b"", b"quit\n")
        if not (self.attached and (quits or self.state is IDLE)):
            return None
        if self._held or not (self.ready.is_even and self._undoable):
            return None
        return self._recall.undo(self.review.offer, debug=self._debug)

    def attach(self) -> None:
        """Take note that a fresh engine is there: it hears what it has to know."""
        self.attached, self.works = True, False
        self.ready.forget_engine()
        self._fit()
        for command in (*self.review.offer.setup(), *self._recall.commands()):
            self._tell_engine(command)
        if self._debug:
            self._tell_engine(uci.Debug(True))
        self._for_engine += b"isready\n" * self.ready.owed
        if self.state is IDLE:
            self._release()

    @property
    def is_awaited(self) -> bool:
        """Whether the engine has to answer in its own time: nobody will ask it to."""
        return self.state is SEARCHING and (self._search.is_bounded or self.ready.before_search > 0)

    @property
    def is_due(self) -> bool:
        """Whether the engine owes an answer at once, whatever else it has to say."""
        if self.state is IDLE:
            return not (self.works or self.ready.is_even)
        return self.state is STOPPING

    def probe(self) -> None:
        """Ask the engine whether it is there; the client hears nothing of it."""
        self.ready.probe()
        self._for_engine += b"isready\n"

    def begin(self, waited: int = 0) -> None:
        """Let the search that waits begin, after so many ms."""
        self.state = AFTER_CLIENT[self.state, "begin"]
        self.review.begin()
        self._search.begin(waited)
        self.ready.begin_search()
        self._tell_engine(self._search.go)
        self._release()
        if self._has_ended:
            self.stop()

    def without_engine(self) -> None:
        """Answer in the engine's stead, as there is none to be had now."""
        self._for_client += [b"readyok\n"] * self.ready.take_all()
        if self.state is WAITING and uci.Word.ISREADY not in self._held:
            return
        held, self._held = self._held, Held()
        for command in held:
            if command is uci.Word.ISREADY:
                self._for_client.append(b"readyok\n")
            else:
                self._take(command)

    def do_without_engine(self) -> None:
        """Answer all in the engine's stead, as none will come: searches end at once.

        What else only an engine could do is no part of UCI, and nobody is owed an answer.
        """
        self._for_client += [b"readyok\n"] * self.ready.take_all()
        self._give_up_waiting()
        held, self._held = self._held, Held()
        while held:
            command = held.take()
            if command is uci.Word.ISREADY:
                self._for_client.append(b"readyok\n")
            else:
                self._take(command)
                self._give_up_waiting()
                if self._held:  # Only an engine could do it.
                    self._recall.work(command)
                    self._recall.lose_engine()
                self._held = Held()

    def lose_engine(self, elapsed: int) -> None:
        """Take note that the engine is gone, so many ms after its search began.

        A search of a clock, or one that was to stop, ends with the best move so far; any
        other will begin anew.
        """
        self.attached = False
        self._for_engine = b""
        self._recall.lose_engine()
        if (self.state, "death") not in AFTER_ENGINE:
            if self._recall.is_gone:
                self._give_up_waiting()
            return
        ends = self.state is STOPPING or self._recall.is_gone
        self.state = AFTER_ENGINE[self.state, "death"]
        if ends or (self._search.is_urgent and self._search.best_move()):
            self.give_up()
        else:
            self._search.lose(elapsed)

    def give_up(self) -> None:
        """End a search that no engine will do, with the best move so far."""
        if move := self._search.best_move():
            self._end_search(move)
        else:
            self._make_up_move()

    def answer_void(self) -> None:
        """Answer a search whose position was refused, if there is one."""
        if self._void:
            self._for_client.append(self._void.answer)
            self._void = None

    def _give_up_waiting(self) -> None:
        while self.state is WAITING:
            self.give_up()

    def _give_up_all(self) -> None:
        """End the search that waits, and those behind it that were to stop, too."""
        self.give_up()
        while self.state is WAITING and uci.Word.STOP in self._held:
            self.give_up()

    def engine_said(self, piece: bytes) -> None:
        """Take whole lines of the engine's that do not pass: the client hears them."""
        if piece == _ANSWERED:
            if self.ready.answer():
                self._for_client.append(piece)
        else:
            self._take_apart(disowned(without_blanks(harmless(piece))))
        if self.state is IDLE:
            self._release()

    def _take_apart(self, piece: bytes) -> None:
        if self.record is not None:
            self.record.put(piece)
        piece = b"".join([part for part in runs(piece, _NOTED) if self._is_heard(part)])
        self._search.put(piece)
        if piece:
            self._for_client.append(piece)

    def passes(self, piece: bytes) -> bool:
        """Take lines of the engine's that change nothing, and say whether these are such.

        Nearly all lines are `info`, up to a million a second.  The client hears them as they
        are, and nothing else comes of them; unless there is something in `for_client`, which
        it hears first.
        """
        if self._for_client or not only_info(piece):
            return False
        if self.record is not None:
            self.record.put(piece)
        self._search.put(piece)
        return True

    # --- deciding

    def _judge(self, command: uci.Command) -> Command | None:
        """Return what the engine hears for a command, if it may; say what is not as asked."""
        # What is judged must be heard: a review knows the options by what went before.
        word = keyword(command)
        if not self._is_for_now(word) and self._is_full(word):
            self.review.miss(command, FULL)
            return None
        verdict = self.review.of(command)
        if isinstance(verdict, Void):
            return verdict
        if verdict.notice:
            self.notice(verdict.notice.code, verdict.notice.text)
        return verdict.command

    def _take(self, command: Command) -> None:
        word = keyword(command)
        if self.state is ENDED:
            return
        if self._void and not (word in ASIDE or (word in SIGNALS and self._void.is_held(word))):
            self.answer_void()
        if word == "uci":  # What an engine offers is known, and the same at any time.
            self._for_client.append(self.review.offer.greeting)
        elif word == "isready" and self.state is WAITING:
            self._for_client.append(b"readyok\n")
        elif not self._is_for_now(word):
            self._hold(command)
        else:
            # Who says stop expects peace: it ends the searches that wait, too.
            if self._held and word in SIGNALS:
                self._hold(command)
            self._obey(command, word)

    def _obey(self, command: Command, word: str) -> None:
        """Do what a command asks for: it disturbs nothing now."""
        if isinstance(command, uci.Debug):
            self._debug = command.on
        if isinstance(command, uci.Position) and self._recall.moved_by:
            self._set_again()
        if word in RECALLED:
            self._recall.take(command)
        if word == "ponderhit":
            self._search.ponderhit()
        if isinstance(command, uci.SetOption) and self.attached and self.fitting.concerns(command):
            self._fit()
            command = self.fitting.fitted(command)
        if self.shared and word in SHARED and not (word in SIGNALS and self.state is IDLE):
            self._for_client.append(shown(command))
        if isinstance(command, uci.Go) and self._recall.is_gone:
            command = Void(command, _GONE)
        if isinstance(command, Void):
            self._for_client.append(b"%b\n" % bytes(command.reason))
            self._void = command
            if not command.is_held(word):
                self.answer_void()
            return
        if isinstance(command, uci.Go) and word == "go":
            self._search = Search(command)
        elif self.state is WAITING and word in SIGNALS:
            if word == "stop":
                self._give_up_all()
            return
        elif self.attached:
            self._tell_engine(command)
            if word in WORK:
                self.works = True
                self._recall.work(command)
            if word in WORK or (word == "quit" and self.state is not IDLE):
                self._undoable = False
        elif word not in RECALLED and word not in ("quit", *SIGNALS):
            self._hold(command)
        if word in STEPS:
            self.state = AFTER_CLIENT.get((self.state, word), self.state)

    def _set_again(self) -> None:
        """Set the options as they are: `bench` has set some of them for itself."""
        if self.attached:
            self._fit()
            for command in self._recall.reset(self.review.offer):
                self._tell_engine(command)

    def _fit(self) -> None:
        """Get room for the engine as it is to be, or make do with what there is."""
        for text in self.fitting.fit():
            self.notice(Code.OPTION_CLAMPED, text)

    def _tell_engine(self, command: uci.Command) -> None:
        if command is uci.Word.ISREADY:
            self.ready.ask()
        self._for_engine += str(command).encode() + b"\n"

    def _hold(self, command: Command) -> None:
        """Keep a command until the search has ended, or an engine is there."""
        if command is uci.Word.QUIT:  # It always has room: who goes is not to be kept.
            if command not in self._held:
                self._held.put(command)
        elif not self._is_full(keyword(command)):
            self._held.put(command)

    def _is_full(self, word: str) -> bool:
        """Say whether no more of a kind can be held, and if so, the client too."""
        full = self._held.is_full_for(word)
        if full:
            self.notice(FULL.code, FULL.text)
        return full

    def _is_for_now(self, word: str) -> bool:
        if word == "quit":  # What came before it is answered first.
            if self.state is IDLE:
                return not (self._held or self.ready.owed)
            return self.attached and not self._has_ended
        if self.state is IDLE:
            # What waits for an engine keeps its order.
            return self.attached or not self._held
        # After `stop` the bestmove is near: what follows keeps its order, so that an
        # `isready` is answered when what came before it is done.
        if self.state is STOPPING and self._held:
            return False
        return word in WHILE_SEARCHING

    def _release(self) -> None:
        """Take what was held back, up to a search that has yet to begin."""
        if not self._held.size or (self.state in RUNNING and not self._held.has_signal):
            return
        held, self._held = self._held, Held()
        while held and self.state is not WAITING:
            if self.state in RUNNING:
                held.move(self._held)  # It is for after the search.
            if held:
                self._take(held.take())
        if held:
            for command in reversed(list(self._held)):
                held.put_back(command)
            self._held = held

    # --- hearing

    def _is_heard(self, line: bytes) -> bool:
        """Say whether the client hears a line, or several that are none of those that are noted.

        A bestmove that it does hear ends the search.
        """
        if line.startswith(b"readyok"):
            return self.ready.answer()
        if line.startswith(_SERVERS):
            return False  # And such lines are not counted.
        if not line.startswith(b"bestmove") or self.state is ENDED:
            return True
        if self.state not in (SEARCHING, STOPPING):
            return False
        self.state = AFTER_ENGINE[self.state, "bestmove"]
        return True

    def _end_search(self, move: str) -> None:
        """Say a bestmove in the engine's stead."""
        self._for_client.append(f"bestmove {move}\n".encode())
        self.state = AFTER_ENGINE[self.state, "bestmove"]
        self._release()

    def _make_up_move(self) -> None:
        """End a search with a move that no engine has found, and say so: some GUIs need one."""
        if self._recall.moved_by:
            self.notice(_GONE.code, _GONE.text)
            self._end_search(NO_MOVE)
            return
        self.notice(*_MADE_UP)
        self._end_search(self.review.some_move(self._recall.position, self._recall.rules))
