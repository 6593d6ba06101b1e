"""What a conversation owes its client, and how that changes: plain tables, without any I/O."""

from enum import Enum, auto


class State(Enum):
    """What the client is owed."""

    IDLE = auto()  # nothing
    WAITING = auto()  # a bestmove, of a search that an engine has yet to begin
    SEARCHING = auto()  # a bestmove, in its own time
    STOPPING = auto()  # a bestmove, at once
    ENDED = auto()  # what the engine still has to say: `quit` was the last it heard


class Need(Enum):
    """What a session asks of those who have engines."""

    NOTHING = auto()
    ENGINE = auto()  # one to answer; if there is none at hand, `without_engine` will do
    SEARCH = auto()  # one that may search now: then `begin`


# For what happens a thousand times a second: Python 3.11 looks a member up in 70 ns.
IDLE, WAITING, SEARCHING, STOPPING, ENDED = State
NOTHING = Need.NOTHING
RUNNING = (SEARCHING, STOPPING)

# Every change of state is a row here; all other words leave it alone.  `begin` is the
# word of those who have engines: the search that waited begins.
AFTER_CLIENT = {
    (State.IDLE, "go"): State.WAITING,
    (State.WAITING, "begin"): State.SEARCHING,
    (State.SEARCHING, "stop"): State.STOPPING,
    (State.IDLE, "quit"): State.ENDED,
    (State.WAITING, "quit"): State.ENDED,
    (State.SEARCHING, "quit"): State.ENDED,
    (State.STOPPING, "quit"): State.ENDED,
}
AFTER_ENGINE = {
    (State.WAITING, "bestmove"): State.IDLE,  # the server's, if the search is given up
    (State.SEARCHING, "bestmove"): State.IDLE,
    (State.STOPPING, "bestmove"): State.IDLE,
    (State.SEARCHING, "death"): State.WAITING,
    (State.STOPPING, "death"): State.WAITING,
}

STEPS = {word for _, word in AFTER_CLIENT}  # the words that may change the state

# What does not disturb a search.  `isready` is among them, and so overtakes what is
# held back, because the search it would wait for may never end by itself.
SIGNALS = ("stop", "ponderhit")
ASIDE = ("uci", "isready", "debug")  # what says nothing of a search
WHILE_SEARCHING = {"stop", "ponderhit", "isready", "debug"}
# What a client waits for the answer to, and what that may need to come.
AWAITED = ("go", "isready", *SIGNALS)
# What those who watch are told of: all that the engine is told, but for questions.
SHARED = {"position", "go", "stop", "ponderhit", "setoption", "ucinewgame", "extra"}
# What may keep an engine busy for hours, and is no search.  UCI has none of these words, so
# what they do to an engine is its own affair (see recall.py).
WORK = ("extra", "perft")
# What an engine that comes later is told then (see recall.py).
RECALLED = {"setoption", "position", "ucinewgame", "debug"}
