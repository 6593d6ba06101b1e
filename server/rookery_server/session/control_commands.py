"""What clients ask of the server itself: a session to come back to, one of before, a room."""

from collections.abc import Callable

from rookery_protocol.errors import Refusal
from rookery_protocol.notices import BATCH, NEW, Close, Code, Hello, RoomWord
from rookery_server.rooms.directory import Rooms
from rookery_server.session.actor import Relay
from rookery_server.session.registry import Registry


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
        if hello.returns:
            # What else it asks is asked of the session that it comes back to.
            returned = self._rejoin(relay, hello.session or "", hello.heard or 0)
            if returned is None:
                return
            relay = returned
        elif _wants_session(hello) and (refusal := self._admit(relay)):
            relay.refuse(refusal)
            return
        if hello.cache is not None:
            may = relay.usage.quota.cache and self._keeps()
            relay.wants_cache = hello.cache == "on" and may
            relay.delivery.tell(b"%b\n" % bytes(Hello(cache="on" if relay.wants_cache else "off")))
        if hello.work is not None:
            relay.is_batch = hello.work == BATCH
        if hello.session == NEW:
            relay.delivery.keep()
            relay.delivery.tell(self._greeting(relay))
        elif hello.heard is not None and not hello.returns:
            relay.delivery.heard(hello.heard)
            self._registry.confirm(relay)
            relay.delivery.tell(b"%b\n" % bytes(Hello(heard=relay.lines_heard)))
        if hello.alive is not None:
            relay.be_asked(hello.alive)
        if hello.room and not relay.is_over:
            self._rooms.asked(relay, hello.room)

    def _greeting(self, relay: Relay) -> bytes:
        hello = Hello(
            session=self._registry.enroll(relay, relay.account.name),
            heard=relay.lines_heard,
            grace=int(self._registry.grace),
        )
        return b"%b\n" % bytes(hello)

    def _rejoin(self, newcomer: Relay, text: str, heard: int) -> Relay | None:
        """Give a client its session back, and return it; the one that it has just opened vanishes.

        Returns None if that cannot be: the client has been told why.
        """
        ear = newcomer.delivery.ear
        relay = self._registry.find(text, newcomer.account.name)
        if relay is newcomer:
            text = "this connection has the session already: it is come back to over another one"
            newcomer.tell_notice(Code.BAD_COMMAND, text)
            return None
        if newcomer.lines_heard or newcomer.owed or newcomer.session.shared:
            text = "this connection has a session of its own: come back to another over a new one"
            newcomer.tell_notice(Code.BAD_COMMAND, text)
            return None
        if relay is None or ear is None:
            newcomer.close(
                Close.UNKNOWN_SESSION,
                Code.UNKNOWN_SESSION,
                "there is no such session, or not any more; begin a new one",
            )
            return None
        if relay.owed and heard > relay.owed.count:
            text = f"you cannot have heard {heard} lines that count: there were {relay.owed.count}"
            newcomer.close(Close.UNKNOWN_SESSION, Code.BAD_COMMAND, text)
            return None
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
        return relay


def _wants_session(hello: Hello) -> bool:
    """Say whether what is asked needs a session that counts."""
    has_room = hello.room is not None and hello.room.word is not RoomWord.WATCH
    return hello.session == NEW or has_room


def _objection(relay: Relay, hello: Hello) -> str:
    """Say why nothing of what is asked can be done; nothing if it can."""
    is_guest = hello.room is not None and hello.room.word is RoomWord.WATCH
    if fault := hello.fault(may_return=relay.owed is not None):
        return fault
    if is_guest or hello.returns:
        return ""  # The engine is another session's, whatever is named here.
    if hello.engine not in (None, relay.engine_name):
        return (
            f"the engine of this session is '{relay.engine_name}': "
            "another one is named in the path, or in the first line over TCP"
        )
    return ""
