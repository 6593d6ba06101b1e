"""Notices, by which the server speaks for itself, and the text that peers may show.

A notice travels as `info string`, so that every GUI shows it and none stumbles over it.  No I/O,
no state.
"""

import re
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from rookery_uci import MAX_LINE

# Characters that no line has inside: the control characters of ASCII and of Latin-1, and the
# line ends of Unicode.
CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")

_NOTICE = re.compile(r"info string rookery ([a-z-]+): (.*)", re.DOTALL)


class Meaning(StrEnum):
    """The meaning of a notice for its search, and so for the next `bestmove`."""

    NEWS = "news"  # nothing: it is the answer to what was asked
    ALTERED = "altered"  # it is the answer, by other options than were asked for
    NO_ENGINE = "no-engine"  # it has to wait: no engine is there yet
    CUT = "cut"  # it is an engine's, but perhaps by less of a search than was asked for
    PUT_OFF = "put-off"  # it is no answer; asked again later, it would be
    REFUSED = "refused"  # it is no answer, or none comes: something asked for is not done
    OVER = "over"  # the session ends: it is by what was searched until now, or none comes


class Code(StrEnum):
    """The codes of the notices; `docs/protocol.md` says what to do about each.

    Each has its `meaning`, by which programs decide: none of them lists codes for that.
    """

    meaning: Meaning

    def __new__(cls, text: str, meaning: Meaning) -> "Code":
        """Make a member that compares as its text."""
        code = str.__new__(cls, text)
        code._value_ = text
        code.meaning = meaning
        return code

    UNAUTHORIZED = "unauthorized", Meaning.OVER  # no token, or one that is not good
    TOO_MANY_TRIES = "too-many-tries", Meaning.OVER  # failed log-ins from one address
    TOKEN_IN_URL = "token-in-url", Meaning.OVER  # where it would be logged
    WRONG_HOST = "wrong-host", Meaning.OVER  # the server has not the name that it was called by
    WRONG_ORIGIN = "wrong-origin", Meaning.OVER  # a web page that may not use the server
    WRONG_PROTOCOL = "wrong-protocol", Meaning.OVER  # HTTP or TLS, where plain lines are expected
    TOO_SLOW = "too-slow", Meaning.OVER  # the first line did not come in time
    UNKNOWN_ENGINE = "unknown-engine", Meaning.OVER  # no engine of that name is on offer
    ENGINE_FAILED = "engine-failed", Meaning.OVER  # the engine could not be started
    ENGINE_DIED = "engine-died", Meaning.CUT  # the engine ended without being asked to
    NO_ENGINE = "no-engine", Meaning.NO_ENGINE  # it could not be started: another is tried
    ENGINE_AWAY = "engine-away", Meaning.NO_ENGINE  # no machine that has joined offers it now
    LINE_TOO_LONG = "line-too-long", Meaning.REFUSED
    NOT_A_LINE = "not-a-line", Meaning.REFUSED  # binary, broken UTF-8, or control characters inside
    UNKNOWN_COMMAND = "unknown-command", Meaning.NEWS  # no UCI command in the line
    BAD_COMMAND = "bad-command", Meaning.REFUSED  # a UCI command without what it needs
    COMMAND_REFUSED = "command-refused", Meaning.REFUSED  # the operator does not offer it
    FILE_REFUSED = "file-refused", Meaning.REFUSED  # it would use files of the server's machine
    UNKNOWN_OPTION = "unknown-option", Meaning.ALTERED  # the engine has none of that name
    OPTION_REFUSED = "option-refused", Meaning.ALTERED  # it is the operator's to set
    BAD_VALUE = "bad-value", Meaning.ALTERED  # the option cannot have that value
    OPTION_CLAMPED = "option-clamped", Meaning.ALTERED  # set, but not to as much as was asked for
    ILLEGAL_POSITION = "illegal-position", Meaning.REFUSED  # or a move of it is
    POSITION_MENDED = "position-mended", Meaning.NEWS  # what of it was read otherwise than said
    POSITION_TOO_LONG = "position-too-long", Meaning.REFUSED  # more moves than any game has
    POSITION_LOST = "position-lost", Meaning.REFUSED  # with the engine that alone knew it
    TOO_MANY_LINES = "too-many-lines", Meaning.REFUSED  # wait for a bestmove
    GAP = "gap", Meaning.CUT  # more was said while a session had no connection than is kept
    UNKNOWN_SESSION = "unknown-session", Meaning.OVER  # there is nothing to come back to
    ENDED = "ended", Meaning.OVER  # by the operator
    DRAINING = "draining", Meaning.OVER  # the server is being shut down
    WAITING = "waiting", Meaning.NO_ENGINE  # no slot is free: the place in the queue
    QUEUE_FULL = "queue-full", Meaning.PUT_OFF  # as many wait already as may
    NO_SEARCH = "no-search", Meaning.PUT_OFF  # the move is any legal one
    CACHED = "cached", Meaning.NEWS  # what is known of a position: so many lines after this one
    QUOTA_SESSIONS = "quota-sessions", Meaning.PUT_OFF  # the account has as many sessions as it may
    QUOTA_CPU = "quota-cpu", Meaning.PUT_OFF  # the account has used its CPU time of the last hour
    QUOTA_LINES = "quota-lines", Meaning.NEWS  # lines come faster than they are taken
    QUOTA_SEARCH = "quota-search", Meaning.CUT  # the search was stopped: it took as long as one may
    QUOTA_IDLE = "quota-idle", Meaning.OVER  # nothing was asked for too long
    NO_ANSWER = "no-answer", Meaning.OVER  # the client has not said that it is there, as it wanted
    TOO_MANY_CONNECTIONS = "too-many-connections", Meaning.PUT_OFF  # in all, or from one address
    TOO_MANY_STARTS = "too-many-starts", Meaning.PUT_OFF  # engines are started too often
    UNKNOWN_ROOM = "unknown-room", Meaning.OVER  # there is nothing to watch
    ROOM_FULL = "room-full", Meaning.OVER  # as many watch already as may
    ROOM_CLOSED = "room-closed", Meaning.OVER  # by its owner, or because the session is over
    ROOM_REMOVED = "room-removed", Meaning.OVER  # the owner has ended one that watches
    ROOM_TOO_SLOW = "room-too-slow", Meaning.OVER  # who watches has not read for too long
    ROOM_READ_ONLY = "room-read-only", Meaning.NEWS  # who watches says nothing to the engine
    ROOM_HANDED_OVER = "room-handed-over", Meaning.NEWS  # another speaks with the engine now
    ROOM_REFUSED = "room-refused", Meaning.NEWS  # what is asked of a room cannot be done now
    QUOTA_ROOMS = "quota-rooms", Meaning.NEWS  # the account has as many rooms as it may
    JOBS_OFF = "jobs-off", Meaning.REFUSED  # the operator has switched jobs off
    QUOTA_JOBS = "quota-jobs", Meaning.REFUSED  # the account has as many jobs as it may
    QUOTA_STORED = "quota-stored", Meaning.REFUSED  # its jobs have as many items or MiB as they may
    GAMES_OFF = "games-off", Meaning.REFUSED  # games are not shared here
    QUOTA_GAMES = "quota-games", Meaning.REFUSED  # the account shares as many games as it may
    LIBRARY_OFF = "library-off", Meaning.REFUSED  # files are not kept here
    QUOTA_LIBRARY = "quota-library", Meaning.REFUSED  # the account keeps as much as it may
    PROJECTS_OFF = "projects-off", Meaning.REFUSED  # analyses are not kept and grown here
    QUOTA_PROJECTS = "quota-projects", Meaning.REFUSED  # as many projects or nodes as may be


class Close(IntEnum):
    """The close codes of a WebSocket (RFC 6455); on TCP the notice before the end says why."""

    DONE = 1000  # `quit`, or end of input
    POLICY = 1008  # the account may not go on
    TOO_BIG = 1009
    UNKNOWN_SESSION = 4000  # there is nothing to come back to
    TAKEN_OVER = 4001  # the session goes on with another connection
    IDLE = 4002  # nothing was asked for too long, or a question was not answered
    ROOM = 4003  # there is nothing to watch, or not any more
    ENGINE_GONE = 1011
    RESTART = 1012


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice: a code for programs and a sentence for people."""

    code: Code
    text: str

    @classmethod
    def parse(cls, line: str) -> "Notice | None":
        """Read a line; None if it is no notice."""
        form = _NOTICE.fullmatch(line)
        code = next((code for code in Code if form and code == form[1]), None)
        return None if form is None or code is None else cls(code, form[2])

    def __str__(self) -> str:
        return f"info string rookery {self.code}: {self.text}"

    def __bytes__(self) -> bytes:
        return str(self).encode()


_CONTROL = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
# The same beyond ASCII, in UTF-8: the line ends of Unicode, and the marks that turn the direction
# of writing.
_C1 = re.compile(b"\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")


def harmless(text: bytes) -> bytes:
    """Return text without control characters, which would steer a terminal."""
    if not text.isascii():
        text = _C1.sub(b"", text.decode(errors="replace").encode())
    return text.translate(None, _CONTROL)


# A notice or a line of the bridge, with any white space: a lenient reader must not be deceived.
_OWN = re.compile(rb"^[ \t]*info[ \t]+string[ \t]+rookery[ \t]*", re.MULTILINE)


def disowned(piece: bytes, name: bytes = b"engine") -> bytes:
    """Return an engine's lines so that none passes for the server's own word.

    A line that looks like a notice is given the engine's own name: people are shown it, and no
    program takes it for a notice.
    """
    if b"rookery" not in piece or not _OWN.search(piece):
        return piece
    return without_overlong(_OWN.sub(b"info string %b: " % name, piece))


SHOWN = 200  # characters of a peer's text that people are shown


def printable(text: str, *, kept: str = "") -> str:
    """Return a text with a question mark for what steers a terminal, except characters to keep."""
    return "".join(each if each.isprintable() or each in kept else "?" for each in text)


def legible(text: str, most: int = SHOWN) -> str:
    """Return a peer's text as one line that can be shown and steers no terminal."""
    clean = printable(text[: most + 1])
    return clean if len(clean) <= most else f"{clean[: most - 3]}..."


def without_overlong(piece: bytes) -> bytes:
    """Leave out lines that have grown too long for a client, by being mended or extended."""
    if len(piece) <= MAX_LINE:
        return piece
    return b"".join([line for line in piece.splitlines(keepends=True) if len(line) - 1 <= MAX_LINE])
