"""Lines that client and server exchange besides UCI: `rookery KEY VALUE ...`.  No I/O, no state."""

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from rookery_protocol.notices import without_overlong
from rookery_uci import UciError, to_number

INTERACTIVE, BATCH = "interactive", "batch"  # sorts of work, by whether a person waits for it


class RoomWord(StrEnum):
    """The words about a room; each has a name, an id, a line ... behind it, or nothing."""

    OPEN = "open"  # let others watch; the answer has the room's name
    CLOSE = "close"  # let no client watch any more
    WATCH = "watch"  # be let in, by the room's name; the answer has the id of the watcher
    LIST = "list"  # list the watchers
    WATCHER = "watcher"  # one of them: an id and an account
    WATCHING = "watching"  # how many they are
    HAND = "hand"  # offer control to one of them
    OFFER = "offer"  # control is offered to that one
    ACCEPT = "accept"  # take the offer
    DECLINE = "decline"  # or not
    TAKE = "take"  # take control back, or the offer
    RETURN = "return"  # give control back
    CONTROL = "control"  # the client that has it: an id, or `owner`
    SAID = "said"  # a line to the engine, by the client that has control
    FOLLOW = "follow"  # hear of the shared game and of the others that follow it
    TICKET = "ticket"  # what a follower comes back with
    GAME = "game"  # the shared game: a version, and a text
    WRITTEN = "written"  # the version that a game is now
    STALE = "stale"  # the version that it is, which is not the one that was named
    PLACE = "place"  # the moves to the position that the client with control looks at
    NAME = "name"  # the name by which a follower is shown
    MEMBER = "member"  # a follower: an id, a right, a name
    MEMBERS = "members"  # how many they are
    ALLOW = "allow"  # let one of them write
    DISALLOW = "disallow"  # or not any more
    REMOVE = "remove"  # end one that watches


OWNER = "owner"  # has control unless it has been handed over


@dataclass(frozen=True, slots=True)
class RoomLine:
    """The words after `rookery room`: one of ours, and the rest of the line."""

    word: RoomWord
    about: str = field(default="", repr=False)

    @classmethod
    def parse(cls, text: str) -> "RoomLine":
        """Read what comes after `room`; the blanks in a game stay as they are.

        Raises:
            UciError: it cannot be understood.

        """
        words = text.split()
        known = next((word for word in RoomWord if words and word == words[0]), None)
        if known is None:
            raise UciError(
                f"'rookery room' has {', '.join(_ASKED)}, not {words[0][:20] if words else ''!r}"
            )
        if known in _NEEDED and len(words) < 2:
            raise UciError(f"this wants 'rookery room {known} {_NEEDED[known]}'")
        if known is RoomWord.GAME:
            return cls(known, text.split(maxsplit=1)[1].strip())
        return cls(known, " ".join(words[1:]))

    def __str__(self) -> str:
        return f"{self.word} {self.about}" if self.about else str(self.word)

    def __bytes__(self) -> bytes:
        return f"rookery room {self}\n".encode()


def line_for_watchers(command: object) -> bytes:
    """Return the line that shows a command to the watchers; none if it would be too long."""
    return without_overlong(bytes(RoomLine(RoomWord.SAID, str(command))))


_NEEDED = {
    RoomWord.WATCH: "NAME",
    RoomWord.HAND: "ID",
    RoomWord.GAME: "VERSION TEXT",
    RoomWord.PLACE: "moves MOVE ...",
    RoomWord.ALLOW: "ID",
    RoomWord.DISALLOW: "ID",
    RoomWord.REMOVE: "ID",
}
_ASKED = tuple(
    RoomWord(word)
    for word in (
        *("open", "close", "watch", "list", "hand", "take", "accept", "decline", "return"),
        *("follow", "game", "place", "name", "allow", "disallow", "remove"),
    )
)


NEW = "new"  # a session, of a client that has none to come back to


@dataclass(frozen=True, slots=True)
class Hello:
    """A line of our own protocol: `rookery`, then keys and values.

    A client, before its first line of UCI:

    `engine`    the engine that it wants, where no path has named it
    `token`     the account's token, where no header has it
    `session`   `new` for a session that it may come back to; or the pass of the one that
                it comes back to
    `work`      `batch` if no person waits for the answers, else `interactive`
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
        """True if it says anything besides the token and the engine."""
        asks = (self.session, self.work, self.cache, self.room)
        numbers = (self.heard, self.grace, self.alive)
        return any(asks) or any(number is not None for number in numbers)

    @property
    def returns(self) -> bool:
        """True if the client comes back to a session."""
        return self.session not in (None, NEW)

    def fault(self, *, may_return: bool = False) -> str:
        """Return why a client cannot say so; nothing if it can.

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
        text = line.decode(errors="replace")
        words = text.split()
        if words[:1] != ["rookery"]:
            return None
        room = None
        if _ROOM in words[1::2]:
            place = 1 + 2 * words[1::2].index(_ROOM)
            room = RoomLine.parse("".join(text.split(maxsplit=place + 1)[place + 1 :]))
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
