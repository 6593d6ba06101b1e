"""A machine that has joined, and the connection over which it is asked for engines."""

import asyncio
import logging
from typing import Protocol

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Close
from rookery_server.access.account import Account
from rookery_server.joined.joined_engine import JoinedEngine, MachineConnection
from rookery_server.joined.joining_messages import (
    Beat,
    EngineTrouble,
    Joining,
    Leave,
    Message,
    MessageError,
    Sorry,
    Wanted,
    Welcome,
    parse,
    text_of,
    word_of,
)
from rookery_server.log import about

logger = logging.getLogger(__name__)


class JoinedMachine:
    """A machine, as long as it is joined or an engine of it runs; it may lose its control between.

    `account` is as whom it has joined.
    """

    def __init__(
        self, account: Account, joining: Joining, control: "ControlConnection", now: float
    ) -> None:
        self.account = account
        self.joining = joining
        self.control: ControlConnection | None = control
        self.began = now
        self.engines: set[JoinedEngine] = set()

    @property
    def label(self) -> str:
        """What people call it."""
        return f"{self.joining.machine} of {self.account.name}"

    @property
    def fields(self) -> dict[str, object]:
        """What each event of it has in the log."""
        return {"machine": self.joining.machine, "account": self.account.name}

    @property
    def is_full(self) -> bool:
        """Whether it takes no more sessions now."""
        return len(self.engines) >= self.joining.sessions

    @property
    def load(self) -> float:
        """How much of it is in use, 1.0 being all."""
        return len(self.engines) / self.joining.sessions

    def offers(self, engine: str) -> bool:
        """Say whether it can be asked for an engine, by the name that it has here."""
        return self.control is not None and self.has(engine)

    def has(self, engine: str) -> bool:
        """Say whether it has an engine, by the name that it has here."""
        name, _, group = engine.partition("@")
        return group == self.account.name and name in self.joining.engines

    def names(self) -> list[str]:
        """Return what its engines are called here."""
        return [f"{each}@{self.account.name}" for each in self.joining.engines]

    def want(self, engine: str, link: str) -> None:
        """Ask for an engine; it comes with a link that shows this secret."""
        if self.control:
            self.control.say(Wanted(engine.partition("@")[0], link))

    def complain(self, engine: str, why: str) -> None:
        """Say why one of its engines is not offered."""
        if self.control:
            self.control.say(
                EngineTrouble(engine.partition("@")[0], why[:200] or "it does not answer")
            )

    def drop(self, close: Close, reason: str, *, for_good: bool = False) -> None:
        """End its connections, all of them; `for_good` if it may not come back."""
        if self.control:
            self.control.finish(close, reason, for_good=for_good)
        for engine in list(self.engines):
            engine.complain(reason)


class Meeting(Protocol):
    """Where machines join."""

    def join(self, control: "ControlConnection", joining: Joining) -> JoinedMachine:
        """Take a machine.

        Raises:
            RefusedError: it may not join.

        """

    def sorry(self, machine: JoinedMachine, link: str, why: str) -> None:
        """Take note that a machine has no engine for a link."""

    def left(
        self, control: "ControlConnection", machine: JoinedMachine | None, *, for_good: bool
    ) -> None:
        """Take note that a control is gone."""


class ControlConnection:
    """The partner of a machine's connection over which it is asked for engines."""

    may_return = False

    def __init__(self, connection: MachineConnection, account: Account, meeting: Meeting) -> None:
        self.connection = connection
        self.account = account
        self._meeting = meeting
        self._loop = asyncio.get_running_loop()
        self.machine: JoinedMachine | None = None
        self._for_good = False
        self._over = False
        self.heard_at = self._loop.time()

    def say(self, message: Message) -> None:
        """Tell the machine something."""
        if not self._over:
            self.connection.tell(text_of(message))

    def finish(self, close: Close, reason: str, *, for_good: bool = False) -> None:
        """Close the connection; the machine is told why."""
        self._for_good = self._for_good or for_good
        self.connection.finish(close, reason)
        self._end()

    # --- for the connection

    def client_said(self, text: bytes) -> None:
        """Take a message."""
        if self._over or not text:
            return
        self.heard_at = self._loop.time()
        try:
            self._take(parse(text))
        except MessageError as error:
            fields = about(account=self.account.name)
            logger.warning("a machine of %s: %s", self.account.name, error, extra=fields)
            self.finish(Close.POLICY, str(error))
        except RefusedError as error:
            fields = about(account=self.account.name, code=error.notice.code)
            logger.warning(
                "a machine of %s may not join: %s", self.account.name, error, extra=fields
            )
            self.finish(Close.POLICY, str(error))

    def _take(self, message: Message) -> None:
        if isinstance(message, Joining) and self.machine is None:
            self.machine = self._meeting.join(self, message)
            self.say(Welcome(self.account.name))
        elif self.machine is None:
            raise MessageError("the first message of a machine says 'joining'")
        elif isinstance(message, Beat):
            self.say(Beat())
        elif isinstance(message, Sorry):
            self._meeting.sorry(self.machine, message.link, message.why)
        elif isinstance(message, Leave):
            self._for_good = True
            self._end()
        else:
            raise MessageError(f"a machine does not say {word_of(message)!r} now")

    def client_overlong(self) -> None:
        """Take note that a message was too long."""
        self.finish(Close.TOO_BIG, "a message has at most 65536 bytes")

    def client_sent_binary(self) -> None:
        """Take note of a message that is no text."""
        self.finish(Close.POLICY, "a message is text, not binary")

    def client_ended(self) -> None:
        """Take note that nothing more will be said."""
        self.finish(Close.DONE, "")

    def client_gone(self, client: object) -> None:
        """Take note that the connection is lost."""
        self._end()

    def client_paused(self) -> None:
        """End it: what it is told is little, and who does not read even that is gone."""
        self.finish(Close.POLICY, "nothing of what was asked has been read")

    def client_resumed(self) -> None:
        """Nothing is left to do."""

    def _end(self) -> None:
        if not self._over:
            self._over = True
            self._meeting.left(self, self.machine, for_good=self._for_good)
