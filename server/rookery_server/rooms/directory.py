"""The rooms of a server: a client that knows a room's name may watch the session behind it.

The name is a capability: it lets its holder watch, and nothing else.  It is found by its
digest, so that how long a search takes tells nothing of names that are near.
"""

import hashlib

from rookery_protocol.hello import OWNER, RoomLine, RoomWord
from rookery_protocol.notices import Close, Code
from rookery_server.actor.actor import SessionActor
from rookery_server.rooms.broadcaster import Broadcaster, Spectator
from rookery_server.rooms.sharing import SHARING


class Rooms:
    """All rooms of one server."""

    def __init__(self) -> None:
        self._by_name: dict[bytes, Broadcaster] = {}
        self._by_actor: dict[SessionActor, Broadcaster] = {}

    def __len__(self) -> int:
        return len(self._by_actor)

    def of(self, actor: SessionActor) -> Broadcaster | None:
        """Return the broadcaster of a session; None if it has no room."""
        return self._by_actor.get(actor)

    def spectators(self) -> list[Spectator]:
        """Return all spectators of all rooms."""
        rooms = self._by_actor.values()
        return [each for audience in rooms for each in audience.room.watchers.values()]

    def execute(self, actor: SessionActor, line: RoomLine) -> None:
        """Execute a command of a session's client for its room, or for another's."""
        audience = self._by_actor.get(actor)
        match line.word:
            case RoomWord.WATCH:
                self._watch(actor, line.about)
            case RoomWord.HAND if audience:
                audience.offer_control(line.about)
            case word if audience and word in SHARING:
                audience.sharing.execute(audience.owner, line)
            case word if line.about and word not in SHARING | {RoomWord.HAND}:
                text = f"nothing comes behind 'rookery room {word}': it is the last in its line"
                actor.send_notice(Code.BAD_COMMAND, text)
            case RoomWord.OPEN:
                self._open(actor)
            case word if word not in _OWNERS:
                words = ", ".join(["open", *_OWNERS])
                text = f"the owner of a session may say 'rookery room' {words}"
                actor.send_notice(Code.ROOM_REFUSED, text)
            case _ if audience is None:
                text = "nobody may watch yet: 'rookery room open' opens a room"
                actor.send_notice(Code.ROOM_REFUSED, text)
            case RoomWord.LIST:
                audience.tell_list()
            case RoomWord.TAKE:
                audience.reclaim_control()
            case RoomWord.CLOSE:
                text = "its owner has closed the room"
                self.close(actor, Close.ROOM, Code.ROOM_CLOSED, text)
                audience.tell_owner(RoomWord.CLOSE)

    def owner_returned(self, actor: SessionActor) -> None:
        """Tell an owner that has come back how things stand in its room."""
        if audience := self._by_actor.get(actor):
            # It says over its new connection that it follows.
            audience.sharing.remove_follower(OWNER)
            audience.tell_status()

    def close(self, actor: SessionActor, close: Close, code: Code, text: str) -> None:
        """Close the room of a session."""
        if audience := self._by_actor.pop(actor, None):
            del self._by_name[_digest(audience.room.name)]
            # It stays the session's gallery: a spectator may have asked what is yet to be answered.
            audience.close(close, code, text)
            actor.session.shared = False

    def check(self, now: float) -> None:
        """End spectators that do not read."""
        for audience in list(self._by_actor.values()):
            audience.check(now)

    def _open(self, actor: SessionActor) -> None:
        audience = self._by_actor.get(actor)
        if audience is None:
            most = actor.usage.quota.rooms
            own = sum(each.account.name == actor.account.name for each in self._by_actor)
            if own >= most:
                text = f"you have {own} rooms open, and may have {most}: close one"
                actor.send_notice(Code.QUOTA_ROOMS, text)
                return
            audience = actor.gallery = self._by_actor[actor] = Broadcaster(actor)
            self._by_name[_digest(audience.room.name)] = audience
            actor.log.info("session %d: others may watch", actor.number)
        audience.tell_status()

    def _watch(self, newcomer: SessionActor, name: str) -> None:
        """Let a client watch; the session that it has just opened vanishes."""
        channel = newcomer.flow.channel
        audience, own = self._by_name.get(_digest(name)), self._by_actor.get(newcomer)
        if channel is None or newcomer.totals.lines_heard or newcomer.flow.replay or own:
            newcomer.send_notice(
                Code.ROOM_REFUSED,
                "'rookery room watch' is the first that a connection says: open another one",
            )
            return
        if audience is None:
            text = "there is no such room, or not any more: ask who has given you its name"
            newcomer.close(Close.ROOM, Code.UNKNOWN_ROOM, text)
            return
        most = audience.actor.usage.quota.spectators
        if len(audience.room.watchers) >= most:
            text = f"{most} watch already, and no more may: try again later"
            newcomer.close(Close.ROOM, Code.ROOM_FULL, text)
            return
        spectator = Spectator(channel, newcomer.account, audience)
        newcomer.vanish()
        channel.client.relay = spectator
        audience.add_spectator(spectator)


_OWNERS = (
    *(RoomWord.CLOSE, RoomWord.LIST, RoomWord.HAND, RoomWord.TAKE),
    *(word for word in RoomWord if word in SHARING),
)


def _digest(name: str) -> bytes:
    return hashlib.sha256(name.encode(errors="replace")).digest()
