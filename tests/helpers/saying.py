"""A small language for tests of a session: plain lines of its client and its engine."""

from rookery_protocol.notices import Code, Notice
from rookery_server.config.resources import ANY_SIZE, Size
from rookery_server.session.commands import Need
from rookery_server.session.session import Session

MADE_UP = "info string rookery no-search: no engine has searched this: the move is any legal one"


def told(session: Session, room: Size = ANY_SIZE) -> list[str]:
    """Give a session what it needs, as far as there is room; return what the engine hears."""
    while session.attached and session.needs is not Need.NOTHING:
        if session.needs is Need.SIZE:
            session.resize(session.setup.size.within(room))
        else:
            session.begin_search()
    return session.for_engine().decode().splitlines()


def say(session: Session, *lines: str, room: Size = ANY_SIZE) -> list[str]:
    """Let the client say lines; return what the engine hears at once."""
    heard = []
    for line in lines:
        session.client_said(line.encode())
        heard += told(session, room)
    return heard


def answer(session: Session, *lines: str) -> list[str]:
    """Let the engine say lines; return what it hears at once."""
    session.engine_said("".join(f"{line}\n" for line in lines).encode())
    return told(session)


def heard(session: Session) -> list[str]:
    """Return what the client hears."""
    return session.for_client().decode().splitlines()


def codes(session: Session) -> list[Code]:
    """Return the codes of the notices that the client hears."""
    notices = [Notice.parse(line) for line in heard(session)]
    return [notice.code for notice in notices if notice]
