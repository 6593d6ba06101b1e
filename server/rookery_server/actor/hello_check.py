"""The check of what a connection asks for in its hello, before anything is done for it."""

from rookery_protocol.hello import Hello, RoomWord
from rookery_server.actor.actor import SessionActor


def watches(hello: Hello) -> bool:
    """Return whether a connection is to watch a room."""
    return hello.room is not None and hello.room.word is RoomWord.WATCH


def fault_of(actor: SessionActor, hello: Hello) -> str:
    """Return why nothing of what is asked can be done; "" if it can."""
    if fault := hello.fault(may_return=actor.may_return):
        return fault
    # Else the engine is another session's, whatever is named here.
    is_own = not (hello.returns or watches(hello))
    if is_own and hello.engine not in (None, actor.engine_name):
        return (
            f"the engine of this session is '{actor.engine_name}': "
            "another one is named in the path, or in the first line over TCP"
        )
    return ""
