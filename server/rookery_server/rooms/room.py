"""The watchers of a session, which of them has control, and what each hears.  No I/O.

One party speaks with the engine: the owner of the session, or the watcher that the owner has
handed control to, which spends what is the owner's.  What the engine says is for all.  Only
answers to questions are for the party that has asked, and what the engine is told is shown to
those that have not said it.
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

_NAME_BYTES = 18  # 144 bits are not guessed: a client that knows the name has been told it
_NOTICE = b"info string rookery "
_SAID = bytes(RoomLine(RoomWord.SAID))[:-1] + b" "
_ANSWERS = (b"id ", b"option ", b"uciok")  # to `uci`
_NOTED = (b"readyok", *_ANSWERS, _SAID, _NOTICE)  # with what lines begin that are not for all
_NOBODY = "gone"  # no id

# Notices that say what becomes of the search; others are for the party that has said something.
_OF_THE_SEARCH = (Meaning.NO_ENGINE, Meaning.CUT, Meaning.PUT_OFF, Meaning.OVER)
_PUBLIC = tuple(
    b"%b%b:" % (_NOTICE, code.encode())
    for code in Code
    if code.meaning in _OF_THE_SEARCH and code is not Code.UNAUTHORIZED  # the owner's own affair
)


class Shares(NamedTuple):
    """The parts of some lines, by the parties that hear them.

    `control` is for the watcher that has it; `ready` are the watchers that had it when they asked
    `isready`, once for each answer that has come since.
    """

    owner: bytes
    control: bytes
    watchers: bytes
    ready: tuple[str, ...] = ()


_ALL = ("owner", "control", "watchers")


class Room(Generic[T]):
    """The watchers of a session, by short ids that only this room knows.

    `control` is the id of the watcher that speaks with the engine, None if the owner does;
    `offered` that of the watcher to which control is offered, if there is one.  `asked` is always
    how many `isready` the session has yet to answer.
    """

    __slots__ = ("_asked", "_ids", "control", "name", "offered", "snapshot", "watchers")

    def __init__(self) -> None:
        self.name = secrets.token_urlsafe(_NAME_BYTES)
        self.watchers: dict[str, T] = {}
        self.control: str | None = None
        self.offered: str | None = None
        self.snapshot = Snapshot()
        self._ids = 0
        # The parties that asked `isready` before control went on, and how often, oldest first.
        self._asked: deque[tuple[str | None, int]] = deque()

    def succeed(self, former: "Room[T]") -> None:
        """Take the place of a closed room: of those that asked there only the owner is here."""
        self._asked = deque((party and _NOBODY, count) for party, count in former._asked)

    # --- watchers

    def add_watcher(self, watcher: T) -> str:
        """Add a watcher; return its id."""
        self._ids += 1
        self.watchers[str(self._ids)] = watcher
        return str(self._ids)

    def remove_watcher(self, id_: str, asked: int) -> bool:
        """Remove a watcher; return whether control goes to the owner."""
        self.watchers.pop(id_, None)
        if self.offered == id_:
            self.offered = None
        return self.return_control(id_, asked)

    # --- control

    def offer_control(self, id_: str) -> Refusal | None:
        """Offer control to a watcher, and to no other any more; return why it cannot be."""
        if id_ not in self.watchers:
            return Code.ROOM_REFUSED, (
                f"nobody watches as {id_[:20]!r}: 'rookery room list' says who does"
            )
        if id_ == self.control:
            return Code.ROOM_REFUSED, f"{id_} has control already"
        self.offered = id_
        return None

    def accept_control(self, id_: str, asked: int) -> bool:
        """Give control to a watcher; return whether it was offered."""
        if self.offered != id_:
            return False
        self.offered = None
        self._pass_control(id_, asked)
        return True

    def decline_control(self, id_: str) -> bool:
        """Withdraw an offer; return whether it was made."""
        declined = self.offered == id_
        if declined:
            self.offered = None
        return declined

    def return_control(self, id_: str, asked: int) -> bool:
        """Give control to the owner if a watcher has it; return whether it has."""
        return self.control == id_ and self.reclaim_control(asked)

    def reclaim_control(self, asked: int) -> bool:
        """Give control to the owner; return whether a watcher had it."""
        self.offered = None
        had = self.control is not None
        if had:
            self._pass_control(None, asked)
        return had

    # --- what each hears

    def split(self, piece: bytes) -> Shares:
        """Divide lines among those that hear them; each must be given once, and in order."""
        if only_info(piece) and _NOTICE not in piece:
            return Shares(piece, piece, piece)
        shares: dict[str, list[bytes]] = {share: [] for share in _ALL}
        ready = []
        for line in runs(piece, _NOTED):
            asker = self._asker() if line.startswith(b"readyok") else None
            if asker is not None and asker != self.control:
                ready.append(asker)
            else:
                for share in self._hearers_of(line, asker):
                    shares[share].append(line)
        owner, control, watchers = (b"".join(shares[share]) for share in _ALL)
        return Shares(owner, control, watchers, tuple(ready))

    def status(self) -> bytes:
        """Return the lines that say which party has control, and how many watch."""
        return bytes(RoomLine(RoomWord.CONTROL, self.control or OWNER)) + self.count()

    def count(self) -> bytes:
        """Return the line that says how many watch."""
        return bytes(RoomLine(RoomWord.WATCHING, str(len(self.watchers))))

    def _hearers_of(self, line: bytes, asker: str | None) -> tuple[str, ...]:
        if line.startswith(b"readyok"):
            return ("owner",) if asker is None else ("control",)
        if line.startswith(_ANSWERS):
            return ("owner",)
        if line.startswith(_SAID):
            return _ALL if self.control is not None else ("control", "watchers")
        if line.startswith(_NOTICE) and not line.startswith(_PUBLIC):
            return "owner", "control"
        return _ALL

    def _pass_control(self, to: str | None, asked: int) -> None:
        known = sum(count for _, count in self._asked)
        if asked > known:
            self._asked.append((self.control, asked - known))
        self.control = to

    def _asker(self) -> str | None:
        """Return the party that has asked what is answered now."""
        if not self._asked:
            return self.control
        party, count = self._asked.popleft()
        if count > 1:
            self._asked.appendleft((party, count - 1))
        return party
