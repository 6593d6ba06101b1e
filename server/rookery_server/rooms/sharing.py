"""The shared game of one room, among its owner and those spectators that follow it.

A follower is sent what is newer than what it has heard: the game, the place in it, and the list of
members.  Ten times a second at most, and less often if much has to be sent: what has changed twice
until then is sent once.  One that does not read is sent nothing until it does.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from rookery_protocol.hello import OWNER, RoomLine, RoomWord
from rookery_protocol.notices import Close, Code
from rookery_server.access.account import LOCAL, VISITOR, Account
from rookery_server.rooms.members import Member, Members
from rookery_server.rooms.shared_game import SharedGame
from rookery_uci import UciError

PAUSE = 0.1  # s from one round to the next
BYTES_PER_SECOND = 8_000_000  # that one room sends in the long run
PATIENCE = 1.0  # s until those that have not read are looked at again
GROUP = 16  # that are sent to before others are served

SHARING = frozenset(
    {
        *(RoomWord.FOLLOW, RoomWord.GAME, RoomWord.PLACE, RoomWord.NAME),
        *(RoomWord.ALLOW, RoomWord.DISALLOW, RoomWord.REMOVE),
    }
)
_FOR_OWNER = (RoomWord.ALLOW, RoomWord.DISALLOW, RoomWord.REMOVE)


class Party(Protocol):
    """A client of a room: its owner, or a spectator."""

    id: str
    account: Account

    @property
    def is_reading(self) -> bool:
        """True if lines that are sent are read soon."""

    def send_lines(self, piece: bytes) -> None:
        """Send lines."""

    def notice(self, code: Code, text: str) -> None:
        """Tell it something in the server's own name."""

    def finish(self, close: Close, code: Code, text: str) -> None:
        """Tell it why its connection is closed, and close it."""


@dataclass(slots=True)
class _Follower:
    """A party, and what it has heard of last."""

    party: Party
    version: int = -1
    places: int = -1
    changes: int = -1


class Sharing:
    """The shared game of one room; `control` returns the id of the party that has control."""

    def __init__(
        self, owner: Account, watchers: Mapping[str, Party], control: Callable[[], str]
    ) -> None:
        self.game = SharedGame(OWNER)
        self.members = Members(_member_of(owner))
        self._watchers = watchers
        self._control = control
        self._followers: dict[str, _Follower] = {}
        self._loop = asyncio.get_running_loop()
        self._next = 0.0  # when the next round may be, by the loop's clock
        self._round: asyncio.Handle | None = None  # the next step of this one, or the next one
        self._untold: list[_Follower] = []
        self._sent = 0  # bytes in this round
        self._is_closed = False

    def execute(self, party: Party, line: RoomLine) -> None:
        """Execute a command of a client of the room."""
        if line.word in _FOR_OWNER and party.id != OWNER:
            party.notice(Code.ROOM_REFUSED, f"only the owner may say 'rookery room {line.word}'")
            return
        try:
            match line.word:
                case RoomWord.FOLLOW:
                    self._follow(party, line.about)
                case _ if party.id not in self._followers:
                    text = f"'rookery room follow' comes before 'rookery room {line.word}'"
                    party.notice(Code.ROOM_REFUSED, text)
                case RoomWord.GAME:
                    self._write(party, line.about)
                case RoomWord.PLACE:
                    self._move(party, line.about)
                case RoomWord.NAME:
                    self.members.rename(party.id, line.about)
                case RoomWord.REMOVE:
                    self._remove(party, line.about)
                case RoomWord.ALLOW | RoomWord.DISALLOW:
                    self._allow(party, line.about, line.word is RoomWord.ALLOW)
        except UciError as error:
            party.notice(Code.BAD_COMMAND, str(error))
        self.schedule()

    def control_passed(self) -> None:
        """Forget the place: it is for the party that has control now to show one."""
        self.game.forget_place()
        self.schedule()

    def retell(self, id_: str) -> None:
        """Send a follower everything: what was sent last may be lost."""
        if follower := self._followers.get(id_):
            self._followers[id_] = _Follower(follower.party)
            self.schedule()

    def remove_follower(self, id_: str) -> None:
        """Forget the connection of a follower."""
        self._followers.pop(id_, None)
        self.members.remove(id_)
        self.schedule()

    def close(self) -> None:
        """Send nothing more."""
        self._is_closed = True
        if self._round:
            self._round.cancel()

    # --- commands

    def _follow(self, party: Party, ticket: str) -> None:
        if party.id not in self._followers and party.id != OWNER:
            self.members.join(party.id, _member_of(party.account), ticket)
        self._followers[party.id] = _Follower(party)
        member = self.members[party.id]
        if party.id != OWNER:
            party.send_lines(bytes(RoomLine(RoomWord.TICKET, member.ticket)))

    def _write(self, party: Party, about: str) -> None:
        may_write = self.members[party.id].may_write or party.id == self._control()
        if not may_write:
            text = "you follow the game, and do not write in it: its owner may allow that"
            party.notice(Code.ROOM_REFUSED, text)
        elif self.game.write(about, party.id):
            self._followers[party.id].version = self.game.version
            party.send_lines(bytes(RoomLine(RoomWord.WRITTEN, str(self.game.version))))
        else:
            self._tell(self._followers[party.id])  # the newest game, if it has not heard that
            party.send_lines(bytes(RoomLine(RoomWord.STALE, str(self.game.version))))

    def _move(self, party: Party, place: str) -> None:
        if party.id == self._control():
            self.game.move(place)
            self._followers[party.id].places = self.game.places
        else:
            text = "the place is that of the client that has control"
            party.notice(Code.ROOM_REFUSED, text)

    def _allow(self, owner: Party, id_: str, may_write: bool) -> None:
        writer = self._watchers.get(id_)
        if writer is None or id_ not in self.members:
            text = f"nobody follows as {id_[:20]!r}; 'rookery room member' lines say who does"
            owner.notice(Code.ROOM_REFUSED, text)
        elif may_write and writer.account == VISITOR:
            text = f"{id_} has shown no token, and so may only watch"
            owner.notice(Code.ROOM_REFUSED, text)
        else:
            self.members.allow(id_, may_write)

    def _remove(self, owner: Party, id_: str) -> None:
        if spectator := self._watchers.get(id_):
            self.members.expel(id_)
            text = "the owner has removed you from the room"
            spectator.finish(Close.ROOM, Code.ROOM_REMOVED, text)
        else:
            owner.notice(Code.ROOM_REFUSED, f"nobody watches as {id_[:20]!r}")

    # --- rounds

    def schedule(self) -> None:
        """Send soon what followers have not heard."""
        if self._round or self._is_closed or not any(map(self._is_behind, self._all)):
            return
        self._round = self._loop.call_at(self._next, self._begin_round)

    @property
    def _all(self) -> list[_Follower]:
        return list(self._followers.values())

    def _is_behind(self, follower: _Follower) -> bool:
        heard = follower.version, follower.places, follower.changes
        return heard != (self.game.version, self.game.places, self.members.changes)

    def _begin_round(self) -> None:
        self._untold = [each for each in self._all if self._is_behind(each)]
        self._sent = 0
        self._continue_round()

    def _continue_round(self) -> None:
        group, self._untold = self._untold[:GROUP], self._untold[GROUP:]
        for each in group:
            if self._followers.get(each.party.id) is each:
                self._tell(each)
        if self._untold:
            self._round = self._loop.call_soon(self._continue_round)
            return
        self._round = None
        is_waiting = any(map(self._is_behind, self._all))
        pause = PATIENCE if is_waiting and not self._sent else PAUSE
        self._next = self._loop.time() + max(pause, self._sent / BYTES_PER_SECOND)
        self.schedule()

    def _tell(self, follower: _Follower) -> None:
        """Send a follower what is new to it, if it reads."""
        party, game = follower.party, self.game
        if not party.is_reading:
            return
        lines = b""
        if follower.changes != self.members.changes:
            lines += self.members.lines(party.id)
        if follower.version != game.version:
            about = f"{game.version} {game.writer} {game.text}"
            lines += bytes(RoomLine(RoomWord.GAME, about))
        if follower.places != game.places:
            lines += bytes(RoomLine(RoomWord.PLACE, game.place))
        follower.changes, follower.version = self.members.changes, game.version
        follower.places = game.places
        if lines:
            self._sent += len(lines)
            party.send_lines(lines)


def _member_of(account: Account) -> Member:
    """Return a member by the name of its account, if that is the name of one."""
    is_nameless = account in (LOCAL, VISITOR)
    return Member(account.name, "" if is_nameless else account.name)
