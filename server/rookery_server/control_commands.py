"""The commands for the server itself: `rookery session`, `rookery room` and the like."""

from collections.abc import Callable

from rookery_protocol.errors import Refusal
from rookery_protocol.hello import BATCH, NEW, Hello, RoomWord
from rookery_protocol.notices import Close, Code
from rookery_server.actor.actor import SessionActor
from rookery_server.rooms.directory import Rooms
from rookery_server.session.registry import Registry


class ControlCommands:
    """The commands of clients that may be admitted."""

    def __init__(
        self,
        registry: Registry[SessionActor],
        rooms: Rooms,
        admit: Callable[[SessionActor], Refusal | None],
        *,
        has_cache: bool,
    ) -> None:
        """Begin with the sessions that there are.

        Args:
            registry: the sessions that clients may come back to.
            rooms: the sessions that are watched.
            admit: counts a session, or returns why it may not be.
            has_cache: whether analyses are kept at all.

        """
        self._registry = registry
        self._rooms = rooms
        self._admit = admit
        self._has_cache = has_cache

    def execute(self, actor: SessionActor, hello: Hello) -> None:
        """Do what a client asks of the server itself."""
        if objection := _objection(actor, hello):
            actor.send_notice(Code.BAD_COMMAND, objection)
            return
        if hello.returns:
            # What else it asks is asked of the session that it comes back to.
            returned = self._rejoin(actor, hello.session or "", hello.heard or 0)
            if returned is None:
                return
            actor = returned
        elif _wants_session(hello) and (refusal := self._admit(actor)):
            actor.refuse(refusal)
            return
        if hello.cache is not None:
            may = actor.usage.quota.cache and self._has_cache
            actor.wants_cache = hello.cache == "on" and may
            self._reply(actor, Hello(cache="on" if actor.wants_cache else "off"))
        if hello.work is not None:
            actor.is_batch = hello.work == BATCH
        if hello.session == NEW:
            actor.flow.keep_for_return()
            self._reply(actor, self._greeting(actor))
        elif hello.heard is not None and not hello.returns:
            if actor.flow.replay:
                actor.flow.replay.acknowledge(hello.heard)
            self._registry.confirm(actor)
            self._reply(actor, Hello(heard=actor.totals.lines_heard))
        if hello.alive is not None:
            actor.ask_liveness(hello.alive)
        if hello.room and not actor.is_over:
            self._rooms.execute(actor, hello.room)

    def _reply(self, actor: SessionActor, hello: Hello) -> None:
        actor.flow.send_aside(b"%b\n" % bytes(hello))

    def _greeting(self, actor: SessionActor) -> Hello:
        return Hello(
            session=self._registry.enroll(actor, actor.account.name),
            heard=actor.totals.lines_heard,
            grace=int(self._registry.grace),
        )

    def _rejoin(self, newcomer: SessionActor, text: str, heard: int) -> SessionActor | None:
        """Give a client its session back, and return it; the one that it has just opened vanishes.

        Returns None if that cannot be: the client has been told why.
        """
        channel = newcomer.flow.channel
        actor = self._registry.session_of_pass(text, newcomer.account.name)
        if actor is newcomer:
            text = "this connection has the session already: it is come back to over another one"
        elif newcomer.totals.lines_heard or newcomer.flow.replay or newcomer.session.shared:
            text = "this connection has a session of its own: come back to another over a new one"
        else:
            text = ""
        if text:
            newcomer.send_notice(Code.BAD_COMMAND, text)
            return None
        if actor is None or channel is None:
            newcomer.close(
                Close.UNKNOWN_SESSION,
                Code.UNKNOWN_SESSION,
                "there is no such session, or not any more; begin a new one",
            )
            return None
        replay = actor.flow.replay
        if replay and heard > replay.count:
            text = f"you cannot have heard {heard} lines that count: there were {replay.count}"
            newcomer.close(Close.UNKNOWN_SESSION, Code.BAD_COMMAND, text)
            return None
        newcomer.vanish()
        # A connection that is taken over may still have something to say: the newcomer
        # hears it, and as it is over, nothing comes of it.
        if actor.client:
            actor.client.relay = newcomer
        channel.client.relay = actor
        actor.account = newcomer.account
        self._registry.end_grace(actor)
        greeting = b"%b\n" % bytes(self._greeting(actor))
        actor.change_channel(channel, greeting, heard)
        self._rooms.owner_returned(actor)
        return actor


def _wants_session(hello: Hello) -> bool:
    """Return whether what is asked needs a session that counts."""
    has_room = hello.room is not None and hello.room.word is not RoomWord.WATCH
    return hello.session == NEW or has_room


def _objection(actor: SessionActor, hello: Hello) -> str:
    """Return why nothing of what is asked can be done; "" if it can."""
    is_guest = hello.room is not None and hello.room.word is RoomWord.WATCH
    if fault := hello.fault(may_return=actor.may_return):
        return fault
    if is_guest or hello.returns:
        return ""  # The engine is another session's, whatever is named here.
    if hello.engine not in (None, actor.engine_name):
        return (
            f"the engine of this session is '{actor.engine_name}': "
            "another one is named in the path, or in the first line over TCP"
        )
    return ""
