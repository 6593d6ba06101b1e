"""The client side of a session in this process, without a connection.

The API and the broker ask engines in sessions like those of clients elsewhere, so that slots,
quotas, engines of all machines and the replacement of dead ones are what they are for everybody.
"""

import asyncio
from collections.abc import Hashable
from typing import Protocol

from rookery_protocol.notices import Close, Notice
from rookery_server.actor.actor import SessionActor
from rookery_server.session.client_channel import LineHandler

_NOTICE = b"info string rookery "


class SessionListener(Protocol):
    """The party that hears what a session says.

    It is told while the session is at work: what it answers, it has to answer later.
    """

    def hear_line(self, line: bytes) -> None:
        """Process a line of the engine's, without its newline."""

    def hear_notice(self, notice: Notice) -> None:
        """Process a notice of the server's."""

    def session_ended(self, code: Close, reason: str) -> None:
        """Process the end of a session that was not asked for."""


class OwnSession:
    """A session, as its client in this process has it; `listener` may be another each time."""

    shows_life = True
    is_held = False

    def __init__(self, address: str, listener: SessionListener | None = None) -> None:
        self.relay: LineHandler | None = None
        self.actor: SessionActor | None = None  # None before its start, and after its end
        self.address = address
        self.listener = listener

    def start(self, actor: SessionActor) -> None:
        """Speak with a session."""
        self.relay = self.actor = actor

    def send_commands(self, *commands: object) -> None:
        """Send lines to the session, unless it is over."""
        if self.actor:
            self.actor.client_said_together([str(each).encode() for each in commands])

    def end(self) -> None:
        """End the session, and the search if it is under way."""
        actor, self.actor, self.relay = self.actor, None, None
        self.listener = None
        if actor:
            actor.client_said(b"stop")
            actor.client_said(b"quit")

    def end_soon(self) -> None:
        """Do the same when the session has done what it is at."""
        asyncio.get_running_loop().call_soon(self.end)

    # --- for the session

    def send_lines(self, piece: bytes) -> None:
        """Tell the listener whole lines."""
        for line in piece.split(b"\n")[:-1]:
            if (listener := self.listener) is None:
                return
            notice = None
            if line.startswith(_NOTICE):
                notice = Notice.parse(line.decode(errors="replace"))
            if notice:
                listener.hear_notice(notice)
            else:
                listener.hear_line(line)

    def finish(self, code: Close, reason: str) -> None:
        """Tell the listener that the session is over."""
        self.relay = self.actor = None
        listener, self.listener = self.listener, None
        if listener:
            listener.session_ended(code, reason)

    def hold_input(self, why: Hashable) -> None:
        """Say nothing for now: more than a few lines at a time is never said."""

    def release_input(self, why: Hashable) -> None:
        """Speak again."""
