"""One conversation between a client and an engine, without any I/O.

Feed it what each side said; collect what each side should hear.  Sockets, pipes
and clocks belong to its callers, so every rule here can be tested with plain lines.

The one idea: an engine is only ever told what it can take at that moment.  Real
engines fall silent for ever on a second `go`, and on a `setoption` during a search;
so what would disturb a search is held back and given to the engine, in order, after
its `bestmove`.
"""

import re
from enum import Enum, auto

from rookery_engine import uci
from rookery_server.outbox import Outbox
from rookery_server.pieces import only_info
from rookery_server.review import Review
from rookery_server.wire import Code, Notice

MAX_HELD = 1 << 20  # bytes; a GUI that does not wait for its bestmove has two or three lines
_LINE_COST = 200  # bytes that a held line takes besides its text
_SHOWN = 60  # characters of a refused line that its notice repeats

# Control characters of both tables, and the line ends that only Unicode knows.
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")

# Most lines are just a word, and need no reading.
_WORDS: dict[bytes, uci.Command] = {word.encode(): word for word in uci.Word}


class State(Enum):
    """What the engine owes the client."""

    IDLE = auto()  # nothing
    SEARCHING = auto()  # a bestmove, in its own time
    STOPPING = auto()  # a bestmove, at once
    ENDED = auto()  # what it still has to say: `quit` was the last it heard


# Every change of state is a row here; all other words leave it alone.
AFTER_CLIENT = {
    (State.IDLE, "go"): State.SEARCHING,
    (State.SEARCHING, "stop"): State.STOPPING,
    (State.IDLE, "quit"): State.ENDED,
    (State.SEARCHING, "quit"): State.ENDED,
    (State.STOPPING, "quit"): State.ENDED,
}
AFTER_ENGINE = {
    (State.SEARCHING, "bestmove"): State.IDLE,
    (State.STOPPING, "bestmove"): State.IDLE,
}

# An engine's answer to `uci`.
_GREETING = (b"id ", b"option ", b"uciok")

# What does not disturb a search.  `isready` is among them, and so overtakes what is
# held back, because the search it would wait for may never end by itself.
_SIGNALS = ("stop", "ponderhit")
WHILE_SEARCHING = {"stop", "ponderhit", "isready", "debug", "uci"}


class Session:
    """The rules of one conversation.

    `outbox` holds what the client should hear; `for_engine` gives what the engine
    should.
    """

    __slots__ = (
        "_asked", "_debug", "_for_engine", "_held", "_held_size", "_review", "outbox", "state",
    )  # fmt: skip

    def __init__(self, review: Review) -> None:
        self.state = State.IDLE
        self.outbox = Outbox()
        self._review = review
        self._asked = 0  # times that the client waits for the answer to its `uci`
        self._debug = False
        self._for_engine = b""
        self._held: list[uci.Command] = []
        self._held_size = 0

    def for_engine(self) -> bytes:
        """Return the lines that the engine should hear now, and forget them."""
        piece, self._for_engine = self._for_engine, b""
        return piece

    def client_said(self, line: bytes) -> None:
        """Take a line of the client's: the engine hears it now or later, or it is refused."""
        command = _WORDS.get(line) or self._read(line)
        if command is not None:
            self._take(command)

    def engine_said(self, piece: bytes) -> None:
        """Take whole lines of the engine's: the client hears them."""
        # Nearly all lines are `info`, up to a million a second, and change nothing.
        if not only_info(piece):
            piece = b"".join(map(self._heard, piece.splitlines(keepends=True)))
        self.outbox.put(piece)

    def notice(self, code: Code, text: str) -> None:
        """Tell the client something in the server's own name."""
        self.outbox.put(b"%b\n" % bytes(Notice(code, text)))

    def stop(self) -> None:
        """End a search that is under way, as if the client had asked for it."""
        if self.state is State.SEARCHING:
            self._take(uci.Word.STOP)

    def quit(self) -> None:
        """End the conversation, as if the client had said `quit`."""
        self._take(uci.Word.QUIT)

    def _read(self, line: bytes) -> uci.Command | None:
        """Return what the engine hears of a line; if that is nothing, say why."""
        try:
            text = line.decode()
            command = uci.parse_command(text)
        except UnicodeDecodeError:
            self.notice(Code.NOT_A_LINE, "a line is UTF-8 text")
            return None
        except uci.UciError as error:
            self.notice(Code.BAD_COMMAND, _shorten(str(error)))
            return None
        if _CONTROL.search(text):
            self.notice(Code.NOT_A_LINE, "a line has no control characters inside")
            return None
        if command is None and text.strip() and self._debug:
            self.notice(Code.UNKNOWN_COMMAND, f"no UCI command in {_shorten(repr(text))}")
        return None if command is None else self._judge(command)

    def _judge(self, command: uci.Command) -> uci.Command | None:
        """Return what the engine hears for a command, if it may; say what is not as asked."""
        # What is judged must be heard: a review knows the options by what went before.
        if not self._is_for_now(_keyword(command)) and self._is_full():
            return None
        verdict = self._review.of(command)
        if verdict.notice:
            self.notice(verdict.notice.code, verdict.notice.text)
        return verdict.command

    def _take(self, command: uci.Command) -> None:
        word = _keyword(command)
        if self.state is State.ENDED:
            return
        if isinstance(command, uci.Debug):
            self._debug = command.on
        if self._is_for_now(word):
            # Who says stop expects peace: it ends the searches that wait, too.
            if self._held and word in _SIGNALS:
                self._hold(command)
            self._asked += word == "uci"
            self._for_engine += str(command).encode() + b"\n"
            self.state = AFTER_CLIENT.get((self.state, word), self.state)
        else:
            self._hold(command)

    def _hold(self, command: uci.Command) -> None:
        """Keep a command until the search has ended."""
        if not self._is_full():
            self._held.append(command)
            self._held_size += len(str(command)) + _LINE_COST

    def _is_full(self) -> bool:
        """Say whether no more can be held, and if so, the client too."""
        full = self._held_size >= MAX_HELD
        if full:
            self.notice(Code.TOO_MANY_LINES, "too many lines wait for a bestmove already")
        return full

    def _is_for_now(self, word: str) -> bool:
        if self.state is State.IDLE or word == "quit":
            return True
        # After `stop` the bestmove is near: what follows keeps its order, so that an
        # `isready` is answered when what came before it is done.
        if self.state is State.STOPPING and self._held:
            return False
        return word in WHILE_SEARCHING

    def _heard(self, line: bytes) -> bytes:
        """Return what the client hears of a line; a bestmove that it does ends the search."""
        if line.lstrip().startswith(_GREETING):
            return self._greeting(line)
        if not line.startswith(b"bestmove") or self.state is State.ENDED:
            return line if line != b"\n" else b""
        if self.state is State.IDLE:
            return b""
        self.state = AFTER_ENGINE[self.state, "bestmove"]
        held, self._held, self._held_size = self._held, [], 0
        for command in held:
            self._take(command)
        return line

    def _greeting(self, line: bytes) -> bytes:
        """Return the answer to `uci` when the engine has come to its end.

        The engine's own tells of options that the client does not have.
        """
        if b"uciok" not in line or not self._asked:
            return b""
        self._asked -= 1
        return self._review.offer.greeting


def _keyword(command: uci.Command) -> str:
    """Return the word that the tables know a command by."""
    if isinstance(command, uci.Word):
        return command
    if isinstance(command, uci.Go) and command.limits.perft is not None:
        return "perft"  # a count of moves: it owes no bestmove
    return type(command).__name__.lower()


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
