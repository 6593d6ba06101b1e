"""The commands of a conversation: how lines are read, and what each does to the session's state.

The states and their tables are plain data.  No I/O.
"""

from enum import Enum, auto
from typing import NamedTuple

import rookery_uci as uci
from rookery_protocol.notices import CONTROL, Code, Notice

_FOR_SERVER = "what is for the server begins with 'rookery ': one space, and nothing before it"
_SHOWN = 60  # characters of a refused line that its notice repeats
_SHORTEST = 50  # ms that are left at least for a search that is done again

NO_SEARCH = Notice(Code.NO_SEARCH, "no engine has searched this: the move is any legal one")
POSITION_LOST = Notice(
    Code.POSITION_LOST,
    "the engine that had the position is gone, and after a command beyond UCI nobody else"
    " knows it: say 'position' again",
)

# --- the states of a session


class SessionState(Enum):
    """The answer that the client is owed."""

    IDLE = auto()  # nothing
    WAITING = auto()  # a bestmove, of a search that an engine has yet to begin
    SEARCHING = auto()  # a bestmove, in its own time
    STOPPING = auto()  # a bestmove, at once
    ENDED = auto()  # what the engine still has to say: `quit` was the last it heard


class Need(Enum):
    """The thing that a session needs from its actor before it can go on."""

    NOTHING = auto()
    ENGINE = auto()  # one to answer; `without_engine` does as well
    SEARCH = auto()  # the engine may search now: `begin_search`
    SIZE = auto()  # the slot has `wanted_size` now, or as much of it as there is: `resize_engine`


# For what happens a thousand times a second: Python 3.11 looks a member up in 70 ns.
IDLE, WAITING, SEARCHING, STOPPING, ENDED = SessionState
NOTHING = Need.NOTHING
RUNNING = (SEARCHING, STOPPING)

# Every change of state is a row here; all other words leave it alone.  `begin` is the
# actor's word: the search that waited begins.
AFTER_CLIENT = {
    (IDLE, "go"): WAITING,
    (WAITING, "begin"): SEARCHING,
    (SEARCHING, "stop"): STOPPING,
    (IDLE, "quit"): ENDED,
    (WAITING, "quit"): ENDED,
    (SEARCHING, "quit"): ENDED,
    (STOPPING, "quit"): ENDED,
}
AFTER_ENGINE = {
    (WAITING, "bestmove"): IDLE,  # the server's, if the search is given up
    (SEARCHING, "bestmove"): IDLE,
    (STOPPING, "bestmove"): IDLE,
    (SEARCHING, "death"): WAITING,
    (STOPPING, "death"): WAITING,
}

# What does not disturb a search.  `isready` is among them, and so overtakes what is
# postponed, because the search it would wait for may never end by itself.
SIGNALS = ("stop", "ponderhit")
ASIDE = ("uci", "isready", "debug")  # what says nothing of a search
WHILE_SEARCHING = {"stop", "ponderhit", "isready", "debug"}
# Words whose answer a client waits for, and what that answer may need to come.
AWAITED = ("go", "isready", *SIGNALS)
# What spectators are told of: all that the engine is told, but for questions.
SHARED = {"position", "go", "stop", "ponderhit", "setoption", "ucinewgame", "extra"}
# What may keep an engine busy for hours, and is no search.  UCI has none of these words, so
# what they do to an engine is its own affair (see engine_setup.py).
WORK = ("extra", "perft")
# What an engine that comes later is told then (see engine_setup.py).
REMEMBERED = {"setoption", "position", "ucinewgame", "debug"}

# --- reading lines

# Most lines are just a word, and need no reading.
_WORDS: dict[bytes, uci.Command] = {word.encode(): word for word in uci.Word}


class LineError(uci.UciError):
    """A line that cannot be understood; the notice tells its client, and the session goes on."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(text)
        self.notice = Notice(code, text)


class RefusedGo(NamedTuple):
    """A `go` that no engine hears, for its position was refused."""

    go: uci.Go
    refusal: Notice

    def __str__(self) -> str:
        return str(self.go)

    @property
    def reason(self) -> Notice:
        """The notice that the client hears at once."""
        text = f"nothing is searched without its position: {self.refusal.text}"
        return Notice(self.refusal.code, text)

    @property
    def move_line(self) -> bytes:
        """The line that the client hears when it expects a move."""
        is_count = self.go.limits.perft is not None
        return b"Nodes searched: 0\n" if is_count else b"bestmove 0000\n"

    def is_pending(self, word: str) -> bool:
        """Return whether its answer is not expected yet, once the client says a word."""
        limits = self.go.limits
        if limits.perft is not None or word == "stop":
            return False
        return limits.infinite or (limits.ponder and word != "ponderhit")


Command = uci.Command | RefusedGo  # as a session has it when it is reviewed


def parse_line(line: bytes) -> uci.Command | None:
    """Return the command of a line; None if it has none, which UCI asks to pass over.

    Raises:
        LineError: it is no line, or its command is not spelled as UCI has it.

    """
    if word := _WORDS.get(line):
        return word
    try:
        text = line.decode()
        command = uci.parse_command(text)
    except UnicodeDecodeError as error:
        raise LineError(Code.NOT_A_LINE, "a line is UTF-8 text") from error
    except uci.UciError as error:
        raise LineError(Code.BAD_COMMAND, shortened(str(error))) from error
    if CONTROL.search(text):
        raise LineError(Code.NOT_A_LINE, "a line has no control characters inside")
    if command is None and text.split(maxsplit=1)[:1] == ["rookery"]:
        raise LineError(Code.BAD_COMMAND, _FOR_SERVER)
    return command


def keyword(command: Command) -> str:
    """Return the word that the tables know a command by."""
    if isinstance(command, uci.Word):
        return command
    if isinstance(command, uci.Go) and command.limits.perft is not None:
        return "perft"  # a count of moves: it owes no bestmove
    if isinstance(command, RefusedGo):
        return "go"
    return type(command).__name__.lower()


def shortened(text: str) -> str:
    """Return a text as a notice may repeat it."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


# --- the limits of a search


def has_clock(limits: uci.Limits) -> bool:
    """Return whether a clock runs while a search with these limits does."""
    if limits.ponder or limits.infinite:
        return False
    return not (limits.wtime is limits.btime is limits.movetime is None)


def ends_by_itself(limits: uci.Limits) -> bool:
    """Return whether a search with these limits ends without a `stop`."""
    return limits.has_limit and not (limits.ponder or limits.infinite)


def with_less_time(go: uci.Go, elapsed: int, *names: str) -> uci.Go:
    """Return a `go` whose limits of those names are so many ms less, if a clock runs."""
    limits = go.limits
    if not has_clock(limits):
        return go
    clocks = {
        name: max(time - elapsed, _SHORTEST)
        for name in names
        if (time := getattr(limits, name)) is not None
    }
    return uci.Go(limits._replace(**clocks))
