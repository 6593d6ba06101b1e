"""A session that others watch: who they are, who has control, who hears what.  No I/O.

One of them all speaks with the engine: the owner of the session, or the one to whom it
has handed control, who spends what is the owner's.  What the engine says is for all.
Only answers to questions are for who has asked, and what the engine is told is shown to
those who have not said it.
"""

import secrets
from collections import deque
from typing import Generic, NamedTuple, TypeVar

from rookery_protocol.errors import Refusal
from rookery_protocol.hello import OWNER, RoomLine, RoomWord
from rookery_protocol.notices import Code, Meaning
from rookery_server.rooms.snapshot import Snapshot
from rookery_server.session.chunks import only_info, runs

T = TypeVar("T")

_NAME_BYTES = 18  # nobody guesses 144 bits, so who knows the name has been told it
_NOTICE = b"info string rookery "
_SAID = bytes(RoomLine(RoomWord.SAID))[:-1] + b" "
_ANSWERS = (b"id ", b"option ", b"uciok")  # to `uci`
_NOTED = (b"readyok", *_ANSWERS, _SAID, _NOTICE)  # with what lines begin that are not for all
_NOBODY = "gone"  # no id

# Notices that say what becomes of the search; others are for who has said something.
_OF_THE_SEARCH = (Meaning.NO_ENGINE, Meaning.CUT, Meaning.PUT_OFF, Meaning.OVER)
_PUBLIC = tuple(
    b"%b%b:" % (_NOTICE, code.encode())
    for code in Code
    if code.meaning in _OF_THE_SEARCH and code is not Code.UNAUTHORIZED  # the owner's own affair
)


class Shares(NamedTuple):
    """What of some lines is for whom.

    `control` is for who has it, if that is not the owner; `ready` are those who had it
    when they asked `isready`, once for each answer that has come since.
    """

    owner: bytes
    control: bytes
    watchers: bytes
    ready: tuple[str, ...] = ()


_ALL = ("owner", "control", "watchers")


class Room(Generic[T]):
    """Who watches a session, by short ids that only this room knows.

    `control` is the id of who speaks with the engine, `offered` of who is asked to; None
    is the owner, and nobody.  `asked` is, wherever it is wanted, how many `isready` the
    session has yet to answer.
    """

    __slots__ = ("_asked", "_ids", "control", "name", "offered", "snapshot", "watchers")

    def __init__(self) -> None:
        self.name = secrets.token_urlsafe(_NAME_BYTES)
        self.watchers: dict[str, T] = {}
        self.control: str | None = None
        self.offered: str | None = None
        self.snapshot = Snapshot()
        self._ids = 0
        # Who has asked `isready` before control went on, and how often, the oldest first.
        self._asked: deque[tuple[str | None, int]] = deque()

    def succeed(self, former: "Room[T]") -> None:
        """Take the place of a closed room: of those who have asked there only the owner is here."""
        self._asked = deque((who and _NOBODY, count) for who, count in former._asked)

    # --- who watches

    def join(self, watcher: T) -> str:
        """Let somebody watch; return the id."""
        self._ids += 1
        self.watchers[str(self._ids)] = watcher
        return str(self._ids)

    def leave(self, id_: str, asked: int) -> bool:
        """Take note that somebody watches no more; say whether control goes to the owner."""
        self.watchers.pop(id_, None)
        if self.offered == id_:
            self.offered = None
        return self.give_back(id_, asked)

    # --- who has control

    def hand(self, id_: str) -> Refusal | None:
        """Offer control to somebody; an earlier offer is void."""
        if id_ not in self.watchers:
            return Code.ROOM_REFUSED, (
                f"nobody watches as {id_[:20]!r}: 'rookery room list' says who does"
            )
        if id_ == self.control:
            return Code.ROOM_REFUSED, f"{id_} has control already"
        self.offered = id_
        return None

    def accept(self, id_: str, asked: int) -> bool:
        """Give control to who accepts the offer; say whether it had been made."""
        if self.offered != id_:
            return False
        self.offered = None
        self._hand_on(id_, asked)
        return True

    def decline(self, id_: str) -> bool:
        """Take note that somebody does not want control; say whether it was offered."""
        declined = self.offered == id_
        if declined:
            self.offered = None
        return declined

    def give_back(self, id_: str, asked: int) -> bool:
        """Give control to the owner if that one has it; say whether it has."""
        return self.control == id_ and self.take(asked)

    def take(self, asked: int) -> bool:
        """Give control to the owner; say whether somebody else had it."""
        self.offered = None
        had = self.control is not None
        if had:
            self._hand_on(None, asked)
        return had

    # --- who hears what

    def split(self, piece: bytes) -> Shares:
        """Say what of the lines is for whom; each must be given once, and in order."""
        if only_info(piece) and _NOTICE not in piece:
            return Shares(piece, piece, piece)
        shares: dict[str, list[bytes]] = {share: [] for share in _ALL}
        ready = []
        for line in runs(piece, _NOTED):
            asker = self._asker() if line.startswith(b"readyok") else None
            if asker is not None and asker != self.control:
                ready.append(asker)
            else:
                for share in self._for_whom(line, asker):
                    shares[share].append(line)
        owner, control, watchers = (b"".join(shares[share]) for share in _ALL)
        return Shares(owner, control, watchers, tuple(ready))

    def status(self) -> bytes:
        """Return the lines that say who has control, and how many watch."""
        return bytes(RoomLine(RoomWord.CONTROL, self.control or OWNER)) + self.count()

    def count(self) -> bytes:
        """Return the line that says how many watch."""
        return bytes(RoomLine(RoomWord.WATCHING, str(len(self.watchers))))

    def _for_whom(self, line: bytes, asker: str | None) -> tuple[str, ...]:
        if line.startswith(b"readyok"):
            return ("owner",) if asker is None else ("control",)
        if line.startswith(_ANSWERS):
            return ("owner",)
        if line.startswith(_SAID):
            return _ALL if self.control is not None else ("control", "watchers")
        if line.startswith(_NOTICE) and not line.startswith(_PUBLIC):
            return "owner", "control"
        return _ALL

    def _hand_on(self, to: str | None, asked: int) -> None:
        known = sum(count for _, count in self._asked)
        if asked > known:
            self._asked.append((self.control, asked - known))
        self.control = to

    def _asker(self) -> str | None:
        """Return who has asked what is answered now."""
        if not self._asked:
            return self.control
        who, count = self._asked.popleft()
        if count > 1:
            self._asked.appendleft((who, count - 1))
        return who
