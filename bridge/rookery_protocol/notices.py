"""What bridge and server say to each other besides UCI.

A client speaks UCI, one line at a time.  Around it there is only this: the path
that names an engine (WebSocket), the first line that names one (TCP), and the
notices by which the server speaks for itself.  A notice travels as `info string`,
so that every GUI shows it and none stumbles over it.  No I/O, no state.
"""

import re
from dataclasses import dataclass, field, fields
from enum import IntEnum, StrEnum
from typing import Any
from urllib.parse import unquote

from rookery_uci import MAX_LINE, UciError, to_number

SUBPROTOCOL = "uci"
TOKEN_SUBPROTOCOL = "rookery.token."  # and the token: for browsers, which cannot set headers
ENGINES_PATH = "/engines/"
INTERACTIVE, BATCH = "interactive", "batch"  # sorts of work: who waits for it

# What no line has inside: control characters of both tables, and the line ends that only
# Unicode knows.
CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_NOTICE = re.compile(r"info string rookery ([a-z-]+): (.*)", re.DOTALL)


class Meaning(StrEnum):
    """What a notice says of the search that it is about, and so of the next `bestmove`."""

    NEWS = "news"  # nothing: it is the answer to what was asked
    ALTERED = "altered"  # it is the answer, by other options than were asked for
    NO_ENGINE = "no-engine"  # it has to wait: no engine is there yet
    CUT = "cut"  # it is an engine's, but perhaps by less of a search than was asked for
    PUT_OFF = "put-off"  # it is no answer; asked again later, it would be
    REFUSED = "refused"  # it is no answer, or none comes: something asked for is not done
    OVER = "over"  # the session ends: it is by what was searched until now, or none comes


class Code(StrEnum):
    """Why the server speaks for itself; `docs/protocol.md` says what to do about each.

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
    ROOM_TOO_SLOW = "room-too-slow", Meaning.OVER  # who watches has not read for too long
    ROOM_READ_ONLY = "room-read-only", Meaning.NEWS  # who watches says nothing to the engine
    ROOM_HANDED_OVER = "room-handed-over", Meaning.NEWS  # another speaks with the engine now
    ROOM_REFUSED = "room-refused", Meaning.NEWS  # what is asked of a room cannot be done now
    QUOTA_ROOMS = "quota-rooms", Meaning.NEWS  # the account has as many rooms as it may


class Close(IntEnum):
    """Why a WebSocket was closed (RFC 6455); on TCP the notice before it says why."""

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
    """The server speaks for itself: a code for programs and a sentence for people."""

    code: Code
    text: str

    @classmethod
    def parse(cls, line: str) -> "Notice | None":
        """Read a line; None if it is not the server that speaks in it."""
        form = _NOTICE.fullmatch(line)
        code = next((code for code in Code if form and code == form[1]), None)
        return None if form is None or code is None else cls(code, form[2])

    def __str__(self) -> str:
        return f"info string rookery {self.code}: {self.text}"

    def __bytes__(self) -> bytes:
        return str(self).encode()


class RoomWord(StrEnum):
    """What is said of a room; each has a name, an id, a line ... behind it, or nothing."""

    OPEN = "open"  # let others watch; the answer has the room's name
    CLOSE = "close"  # let nobody watch any more
    WATCH = "watch"  # be let in, by the room's name; the answer has the id of who watches
    LIST = "list"  # say who watches
    WATCHER = "watcher"  # one of them: an id and an account
    WATCHING = "watching"  # how many they are
    HAND = "hand"  # offer control to one of them
    OFFER = "offer"  # control is offered to that one
    ACCEPT = "accept"  # take the offer
    DECLINE = "decline"  # or not
    TAKE = "take"  # take control back, or the offer
    RETURN = "return"  # give control back
    CONTROL = "control"  # who has it: an id, or `owner`
    SAID = "said"  # what the engine is told by who has control


OWNER = "owner"  # who has control unless it has been handed over


@dataclass(frozen=True, slots=True)
class RoomLine:
    """What client and server say of a room, after `rookery room`: a word, and what it is about."""

    word: RoomWord
    about: str = field(default="", repr=False)

    @classmethod
    def parse(cls, words: list[str]) -> "RoomLine":
        """Read the words after `room`.

        Raises:
            UciError: they cannot be understood.

        """
        known = next((word for word in RoomWord if words and word == words[0]), None)
        if known is None:
            raise UciError(
                f"'rookery room' has {', '.join(_ASKED)}, not {words[0][:20] if words else ''!r}"
            )
        if known in _NEEDED and len(words) < 2:
            raise UciError(f"this wants 'rookery room {known} {_NEEDED[known]}'")
        return cls(known, " ".join(words[1:]))

    def __str__(self) -> str:
        return f"{self.word} {self.about}" if self.about else str(self.word)

    def __bytes__(self) -> bytes:
        return f"rookery room {self}\n".encode()


def shown(command: object) -> bytes:
    """Return the line by which those who watch hear of a command; none if it would be too long."""
    return without_overlong(bytes(RoomLine(RoomWord.SAID, str(command))))


_NEEDED = {RoomWord.WATCH: "NAME", RoomWord.HAND: "ID"}
_ASKED = tuple(
    RoomWord(word)
    for word in ("open", "close", "watch", "list", "hand", "take", "accept", "decline", "return")
)


NEW = "new"  # the session of who has none to come back to


@dataclass(frozen=True, slots=True)
class Hello:
    """What client and server say to each other: `rookery`, then keys and values.

    A client, before its first line of UCI:

    `engine`    the engine that it wants, where no path has named it
    `token`     who it is, where no header has said so
    `session`   `new` for a session that it may come back to; or the pass of the one that
                it comes back to
    `work`      `batch` if nobody waits for the answers, else `interactive`
    `heard`     how many lines that are no `info` it has heard in this session, all in all
    `cache`     `off` or `on`: whether analyses of this session are kept and told again
    `alive`     every how many seconds it wants to be asked whether it is there; 0 is never
    `room`      the last key: what it asks of a room, up to the end of the line

    The server answers with `session`, the pass to come back with; `heard`, how many lines
    of UCI it has heard in this session; and `grace`, the seconds that it waits.  Later, a
    `heard` of the client's is answered by the server's, and so is `cache`, by what holds.
    `alive` of the server's asks whether the client is there: it says the same.
    """

    engine: str | None = None
    token: str | None = field(default=None, repr=False)
    session: str | None = field(default=None, repr=False)
    heard: int | None = None
    grace: int | None = None
    work: str | None = None
    cache: str | None = None
    alive: int | None = None
    room: RoomLine | None = None

    @property
    def is_for_session(self) -> bool:
        """Whether it says anything besides who asks, and for which engine."""
        asks = (self.session, self.work, self.cache, self.room)
        numbers = (self.heard, self.grace, self.alive)
        return any(asks) or any(number is not None for number in numbers)

    @property
    def returns(self) -> bool:
        """Whether it is of a client that comes back to a session."""
        return self.session not in (None, NEW)

    def fault(self, *, may_return: bool = False) -> str:
        """Say why a client cannot say so; nothing if it can.

        `may_return`: it has a session that it may come back to.
        """
        if self.grace is not None:
            return "'grace' is for the server to say"
        if self.heard is not None and not (self.returns or (may_return and self.session is None)):
            return "nobody can come back to this session: 'rookery session new' comes first"
        return ""

    @classmethod
    def parse(cls, line: bytes) -> "Hello | None":
        """Read a line; None if it is none of these, and so UCI.

        Raises:
            UciError: it is one, but nothing that can be understood.

        """
        words = line.decode(errors="replace").split()
        if words[:1] != ["rookery"]:
            return None
        room = None
        if _ROOM in words[1::2]:
            place = 1 + 2 * words[1::2].index(_ROOM)
            room = RoomLine.parse(words[place + 1 :])
            words = words[:place]
        keys, values = words[1::2], words[2::2]
        if not (keys or room) or len(keys) > len(values):
            raise UciError(f"this wants 'rookery KEY VALUE ...' with {', '.join(_TOLD)}")
        found: dict[str, Any] = {}
        for key, value in zip(keys, values, strict=True):
            if key not in _KEYS:
                raise UciError(f"'rookery' has {', '.join(_TOLD)}, not {key[:20]!r}")
            if key in found:
                raise UciError(f"'rookery {key}' is said twice in one line")
            if key in _CHOICES and value not in _CHOICES[key]:
                choices = " or ".join(map(repr, _CHOICES[key]))
                raise UciError(f"'rookery {key}' needs {choices}, not {value[:20]!r}")
            found[key] = _count(key, value) if key in _COUNTS else value
        return cls(room=room, **found)

    def __str__(self) -> str:
        pairs = ((key, getattr(self, key)) for key in _KEYS)
        return " ".join(
            ("rookery", *(f"{key} {value}" for key, value in pairs if value is not None))
        )

    def __bytes__(self) -> bytes:
        return str(self).encode()


_KEYS = tuple(each.name for each in fields(Hello))
_TOLD = tuple(key for key in _KEYS if key != "grace")  # to the server
_COUNTS = ("heard", "grace", "alive")
_CHOICES = {"cache": ("on", "off"), "work": (INTERACTIVE, BATCH)}
_ROOM = "room"


def _count(key: str, text: str) -> int:
    number = to_number(text)
    if number is None or number < 0:
        raise UciError(f"'rookery {key}' needs a number from 0 on, not {text[:24]!r}")
    return number


_CONTROL = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
# The same beyond ASCII, in UTF-8: the line ends that only Unicode knows, and what turns the
# direction of writing.
_C1 = re.compile(b"\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")


def harmless(text: bytes) -> bytes:
    """Return text without control characters, which would steer the terminal of who reads it."""
    if not text.isascii():
        text = _C1.sub(b"", text.decode(errors="replace").encode())
    return text.translate(None, _CONTROL)


# How the server and the bridge speak for themselves, with any white space: who reads leniently
# must not be taken in, either.
_OWN = re.compile(rb"^[ \t]*info[ \t]+string[ \t]+rookery[ \t]*", re.MULTILINE)


def disowned(piece: bytes, name: bytes = b"engine") -> bytes:
    """Return an engine's lines so that none passes for the server's own word.

    What it says as if it were the server is said in its own name: people are shown it, and no
    program takes it for a notice.
    """
    if b"rookery" not in piece or not _OWN.search(piece):
        return piece
    return without_overlong(_OWN.sub(b"info string %b: " % name, piece))


SHOWN = 200  # characters of what a peer says for people


def legible(text: str, most: int = SHOWN) -> str:
    """Return what a peer says as a text that can be shown: one line, which steers no terminal."""
    text = text[: most + 1]
    clean = "".join(each if each.isprintable() else "?" for each in text)
    return clean if len(clean) <= most else f"{clean[: most - 3]}..."


def without_overlong(piece: bytes) -> bytes:
    """Leave out lines that have grown too long for a client: by being mended, or by what we add."""
    if len(piece) <= MAX_LINE:
        return piece
    return b"".join([line for line in piece.splitlines(keepends=True) if len(line) - 1 <= MAX_LINE])


def is_engine_name(name: str) -> bool:
    """Say whether an engine may be called so: it must be safe in a path and in a line.

    Behind an `@` stands whose it is, if it is one of a machine that has joined the server.
    """
    own, at, group = name.partition("@")
    return is_plain_name(own) and (not at or is_plain_name(group))


def is_plain_name(name: str) -> bool:
    """Say whether an engine of the machine's own may be called so, or a machine."""
    return _PLAIN_NAME.fullmatch(name) is not None


def group_of(engine: str) -> str:
    """Return whose machines have an engine; "" for one of the server's own."""
    return engine.partition("@")[2]


def authority(host: str, port: int) -> str:
    """Return host and port as URLs have them (RFC 3986, 3.2)."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def engine_path(name: str) -> str:
    """Return the WebSocket path of an engine."""
    return ENGINES_PATH + name


def engine_of(path: str) -> str | None:
    """Return the engine that a WebSocket path names; None if it names none.

    Browsers write `%40` for the `@` of an engine of a machine that has joined.
    """
    path = path.partition("?")[0]
    name = unquote(path.removeprefix(ENGINES_PATH)) if path.startswith(ENGINES_PATH) else path
    return name if path != name and is_engine_name(name) else None
