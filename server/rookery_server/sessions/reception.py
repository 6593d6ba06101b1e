"""What clients ask of the server itself: a session to come back to, one of before, a room."""

from collections.abc import Callable

from rookery_server.errors import Refusal
from rookery_server.sessions.registry import Registry
from rookery_server.sessions.relay import Relay
from rookery_server.sessions.rooms import Rooms
from rookery_server.wire import BATCH, Close, Code, Hello, RoomWord

_NEW = "new"


class Reception:
    """Does what a hello asks for, once its sender is let in."""

    def __init__(
        self,
        registry: Registry[Relay],
        rooms: Rooms,
        admit: Callable[[Relay], Refusal | None],
        keeps: Callable[[], bool],
    ) -> None:
        """Begin with those that may be come back to.

        Args:
            registry: the sessions that may be come back to.
            rooms: the sessions that are watched.
            admit: counts a session, or says why it may not be.
            keeps: says whether analyses are kept at all.

        """
        self._registry = registry
        self._rooms = rooms
        self._admit = admit
        self._keeps = keeps

    def control(self, relay: Relay, hello: Hello) -> None:
        """Do what a client asks of the server itself."""
        if objection := _objection(relay, hello):
            relay.tell_notice(Code.BAD_COMMAND, objection)
            return
        if hello.cache is not None:
            may = relay.usage.quota.cache and self._keeps()
            relay.wants_cache = hello.cache == "on" and may
            relay.delivery.tell(b"%b\n" % bytes(Hello(cache="on" if relay.wants_cache else "off")))
        if hello.work is not None:
            relay.is_batch = hello.work == BATCH
        wants_session = hello.session == _NEW or (
            hello.room is not None and hello.room.word is not RoomWord.WATCH
        )
        if wants_session and (refusal := self._admit(relay)):
            relay.refuse(refusal)
            return
        if hello.session == _NEW:
            relay.delivery.keep()
            relay.delivery.tell(self._greeting(relay))
        elif hello.session is not None:
            self._rejoin(relay, hello.session, hello.heard or 0)
        elif hello.heard is not None:
            relay.delivery.heard(hello.heard)
            self._registry.confirm(relay)
            relay.delivery.tell(b"%b\n" % bytes(Hello(heard=relay.lines_heard)))
        if hello.room and not relay.is_over:
            self._rooms.asked(relay, hello.room)

    def _greeting(self, relay: Relay) -> bytes:
        hello = Hello(
            session=self._registry.enroll(relay, relay.account.name),
            heard=relay.lines_heard,
            grace=int(self._registry.grace),
        )
        return b"%b\n" % bytes(hello)

    def _rejoin(self, newcomer: Relay, text: str, heard: int) -> None:
        """Give a client its session back; the one that it has just opened vanishes."""
        ear = newcomer.delivery.ear
        relay = self._registry.find(text, newcomer.account.name)
        if relay is newcomer:
            text = "this connection has the session already: it is come back to over another one"
            newcomer.tell_notice(Code.BAD_COMMAND, text)
            return
        if relay is None or ear is None:
            newcomer.close(
                Close.UNKNOWN_SESSION,
                Code.UNKNOWN_SESSION,
                "there is no such session, or not any more; begin a new one",
            )
            return
        if relay.owed and heard > relay.owed.count:
            text = f"you cannot have heard {heard} lines that count: there were {relay.owed.count}"
            newcomer.close(Close.UNKNOWN_SESSION, Code.BAD_COMMAND, text)
            return
        newcomer.vanish()
        # A connection that is taken over may still have something to say: the newcomer
        # hears it, and as it is over, nothing comes of it.
        if relay.client:
            relay.client.relay = newcomer
        ear.client.relay = relay
        relay.account = newcomer.account
        self._registry.rejoin(relay)
        relay.take_over(ear, self._greeting(relay), heard)
        self._rooms.returned(relay)


def _objection(relay: Relay, hello: Hello) -> str:
    """Say why nothing of what is asked can be done; nothing if it can."""
    is_guest = hello.room is not None and hello.room.word is RoomWord.WATCH
    if is_guest or hello.session not in (None, _NEW):
        return ""  # The engine is another session's, whatever is named here.
    if hello.engine not in (None, relay.engine_name):
        return (
            f"the engine of this session is '{relay.engine_name}': "
            "another one is named in the path, or in the first line over TCP"
        )
    if hello.heard is not None and hello.session is None and not relay.owed:
        return "nobody can come back to this session: 'rookery session new' comes first"
    return ""
