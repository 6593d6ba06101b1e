"""The machines that have joined, as a host of engines.

Machines of one account are one group: what they offer under the same name is one engine of
the server's, `NAME@ACCOUNT`, and a session with it may be on any of them.  A machine that
comes back with the secret that it had before is the same one: its engines have run on.
"""

import asyncio
import errno
import logging
import secrets
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import NamedTuple

from rookery_protocol.engine_names import group_of, is_plain_name
from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Close, Code
from rookery_server.access.account import Account
from rookery_server.config.resources import Size
from rookery_server.config.sections import MachinesConfig
from rookery_server.engines.running_engine import EngineListener, EngineSpec, FullError
from rookery_server.engines.socket_engine import SocketEngine
from rookery_server.joined import joining_messages as messages
from rookery_server.joined.joined_link import JoinedLink, MachineConnection
from rookery_server.log import about

logger = logging.getLogger(__name__)

_LINK_BYTES = 24


class GroupCapacity(NamedTuple):
    """The resources that the machines of a group have for engines, and their number of sessions."""

    size: Size = Size(0, 0)
    sessions: int = 0


class JoinedMachine:
    """A machine, as long as it is joined or an engine of it runs.

    It may lose its control between.  `account` is the one that it has joined as.
    """

    def __init__(
        self, account: Account, joining: messages.Joining, control: "ControlConnection", now: float
    ) -> None:
        self.account = account
        self.joining = joining
        self.control: ControlConnection | None = control
        self.began = now
        self.engines: set[SocketEngine] = set()

    @property
    def label(self) -> str:
        """The machine's name for people."""
        return f"{self.joining.machine} of {self.account.name}"

    @property
    def fields(self) -> dict[str, object]:
        """The fields that each event of it has in the log."""
        return {"machine": self.joining.machine, "account": self.account.name}

    @property
    def load(self) -> float:
        """The part of its sessions that is in use; at 1.0 it takes no more."""
        return len(self.engines) / self.joining.sessions

    @property
    def names(self) -> list[str]:
        """The names that its engines have here."""
        return [f"{each}@{self.account.name}" for each in self.joining.engines]

    def disconnect(self, close: Close, reason: str, *, for_good: bool = False) -> None:
        """End its connections, all of them; `for_good` if it may not come back."""
        if self.control:
            self.control.finish(close, reason, for_good=for_good)
        for engine in list(self.engines):
            engine.kill(reason)


class JoinedEngineHost:
    """The host of all joined engines; `changed` is called when others are on offer."""

    def __init__(self, config: MachinesConfig, changed: Callable[[], None]) -> None:
        self.config = config
        self._changed = changed
        self._machines: dict[tuple[str, str], JoinedMachine] = {}  # by account and secret
        self._awaited: dict[bytes, tuple[JoinedMachine, JoinedLink]] = {}  # by secret
        self._controls: set[ControlConnection] = set()
        self._capacities: dict[str, GroupCapacity] = {}
        self.left_for_good: set[str] = set()  # groups whose last machine has said so
        self._emptied = asyncio.Event()
        self._emptied.set()

    def __iter__(self) -> Iterator[JoinedMachine]:
        return iter(list(self._machines.values()))

    def names(self) -> set[str]:
        """Return the engines that are on offer now."""
        return {name for each in self if each.control for name in each.names}

    def capacity_of(self, group: str) -> GroupCapacity:
        """Return what the machines of a group have for engines, or had while one was there."""
        here = [each.joining for each in self if each.control and each.account.name == group]
        if here:
            size = sum((Size(each.threads, each.hash_mb) for each in here), Size(0, 0))
            self._capacities[group] = GroupCapacity(size, sum(each.sessions for each in here))
        return self._capacities.get(group, GroupCapacity())

    def allows(self, engine: str, account: Account) -> bool:
        """Return whether an account may use an engine: by the operator's word, and its owners'."""
        group = group_of(engine)
        if account.name == group:
            return True
        users = self.config.users_of(group)
        if users is not None and not {account.name, account.role} & set(users):
            return False
        # Any that is free is asked, so each of them must allow it.  While none is there, what its
        # owner has said is not known.
        allowed = [each.joining.allow for each in self if engine in each.names]
        return all(not each or {account.name, account.role} & set(each) for each in allowed)

    def report_trouble(self, engine: str, why: str) -> None:
        """Tell the machines with an engine why it is not offered."""
        for machine in self:
            if machine.control and engine in machine.names:
                text = why[:200] or "it does not answer"
                machine.control.send_message(messages.EngineTrouble(engine.partition("@")[0], text))

    # --- as a host of engines

    async def open(self) -> None:
        """Do nothing: machines join by themselves."""

    def start(self, spec: EngineSpec, listener: EngineListener) -> SocketEngine:
        """Ask a machine for an engine.

        Raises:
            FullError: none that offers it takes one more now.
            OSError: none offers it.

        """
        machine = self._pick(spec.name)
        secret = secrets.token_urlsafe(_LINK_BYTES).lstrip("-_") or secrets.token_hex(_LINK_BYTES)
        key = _digest(secret)

        def on_gone(link: JoinedLink) -> None:
            link.engine.machine_left = machine.control is None
            self._awaited.pop(key, None)
            machine.engines.discard(link.engine)
            self._forget_if_gone(machine)
            if not any(each.engines for each in self):
                self._emptied.set()

        link = JoinedLink(
            spec.name,
            listener,
            threads=machine.joining.threads,
            where=machine.label,
            on_gone=on_gone,
        )
        self._emptied.clear()
        self._awaited[key] = machine, link
        machine.engines.add(link.engine)
        if machine.control:
            machine.control.send_message(messages.Wanted(spec.name.partition("@")[0], secret))
        return link.engine

    async def close(self) -> None:
        """Wait until every engine is gone, and let the machines go."""
        await self._emptied.wait()
        for control in list(self._controls):
            control.finish(Close.RESTART, "the server is shutting down")

    def _pick(self, engine: str) -> JoinedMachine:
        """Return the machine that has most left of those that offer an engine."""
        offering = [each for each in self if each.control and engine in each.names]
        free = [each for each in offering if each.load < 1]
        if not offering:
            raise OSError(errno.EHOSTUNREACH, "no machine offers it now")
        if not free:
            raise FullError(errno.EBUSY, "all machines that offer it have enough to do")
        # A machine that should have given a sign of life by now comes last.
        late = asyncio.get_running_loop().time() - messages.SILENCE / 2

        def is_late(machine: JoinedMachine) -> bool:
            return machine.control is not None and machine.control.heard_at < late

        return min(free, key=lambda each: (is_late(each), each.load))

    # --- for connections

    def open_control(self, connection: MachineConnection, account: Account) -> "ControlConnection":
        """Return the partner of a machine's connection."""
        control = ControlConnection(connection, account, self)
        self._controls.add(control)
        return control

    def open_link(self, secret: str, connection: MachineConnection, account: Account) -> JoinedLink:
        """Return the link that a machine comes with, as its connection's partner.

        Raises:
            RefusedError: it is not expected, or not from that account.

        """
        machine, link = self._awaited.get(_digest(secret), (None, None))
        if machine is None or link is None or machine.account != account:
            raise RefusedError(Code.UNKNOWN_SESSION, "no engine is expected with this link")
        del self._awaited[_digest(secret)]
        link.attach(connection)
        return link

    def drop_silent(self, now: float) -> None:
        """Disconnect those machines of which nothing has been heard for too long."""
        silence = messages.SILENCE
        reason = f"nothing was heard for {silence:g} s"
        for control in [each for each in self._controls if now - each.heard_at > silence]:
            machine, name = control.machine, control.account.name
            fields = about(**machine.fields) if machine else about(account=name)
            logger.warning("a machine of %s counts as gone: %s", name, reason, extra=fields)
            control.finish(Close.POLICY, reason)
            if machine:
                machine.disconnect(Close.POLICY, reason)

    def dismiss(self, is_good: Callable[[Account], bool], reason: str) -> None:
        """End the connections of those machines whose account is no longer good."""
        for machine in self:
            if not is_good(machine.account):
                fields = about(**machine.fields)
                logger.info("machine %s is dismissed: %s", machine.label, reason, extra=fields)
                machine.disconnect(Close.POLICY, reason, for_good=True)

    # --- for controls

    def add_machine(self, control: "ControlConnection", joining: messages.Joining) -> JoinedMachine:
        """Let a machine join; one that has come back goes on.

        Raises:
            RefusedError: it may not join.

        """
        account = control.account
        if not is_plain_name(account.name):
            raise RefusedError(
                Code.UNAUTHORIZED,
                f"the account of a machine has no '@' in its name, as {account.name!r} has",
            )
        key = account.name, joining.id
        machine = self._machines.get(key)
        if machine is None and len(self._machines) >= self.config.most:
            raise RefusedError(
                Code.TOO_MANY_CONNECTIONS, f"{len(self._machines)} machines have joined already"
            )
        if machine is None:
            now = asyncio.get_running_loop().time()
            machine = self._machines[key] = JoinedMachine(account, joining, control, now)
        else:
            former, machine.control = machine.control, control
            machine.joining, machine.account = joining, account
            if former:
                former.finish(Close.TAKEN_OVER, "the machine has come back over another connection")
        self.left_for_good.discard(account.name)
        logger.info(
            "machine %s has joined from %.60s: %s",
            machine.label,
            control.connection.address,
            ", ".join(joining.engines),
            extra=about(**machine.fields, address=control.connection.address[:60]),
        )
        self._changed()
        return machine

    def fail_link(self, machine: JoinedMachine, secret: str, why: str) -> None:
        """End the engine of a link that its machine does not come with."""
        asked, link = self._awaited.get(_digest(secret), (None, None))
        if asked is machine and link:
            link.engine.kill(f"{machine.label} says: {why}")

    def remove_control(self, control: "ControlConnection", *, for_good: bool) -> None:
        """Count a machine as away whose control is gone."""
        self._controls.discard(control)
        machine = control.machine
        if machine is None or machine.control is not control:
            return  # It has come back over another one.
        machine.control = None
        self.left_for_good.discard(machine.account.name)
        if for_good:
            self.left_for_good.add(machine.account.name)
        done = "leaves" if for_good else "is lost"
        logger.info("machine %s %s", machine.label, done, extra=about(**machine.fields))
        self._forget_if_gone(machine)
        self._changed()

    def _forget_if_gone(self, machine: JoinedMachine) -> None:
        key = machine.account.name, machine.joining.id
        if not machine.control and not machine.engines and self._machines.get(key) is machine:
            del self._machines[key]


class ControlConnection:
    """The partner of a machine's connection over which the machine is asked for engines."""

    may_return = False

    def __init__(
        self, connection: MachineConnection, account: Account, host: JoinedEngineHost
    ) -> None:
        self.connection = connection
        self.account = account
        self.machine: JoinedMachine | None = None
        self._host = host
        self._loop = asyncio.get_running_loop()
        self._is_over = False
        self.heard_at = self._loop.time()

    def send_message(self, message: messages.Message) -> None:
        """Send a message to the machine."""
        if not self._is_over:
            self.connection.send_lines(messages.text_of(message))

    def finish(self, close: Close, reason: str, *, for_good: bool = False) -> None:
        """Close the connection; the machine is told why."""
        self.connection.finish(close, reason)
        self._end(for_good=for_good)

    # --- for the connection

    def client_said(self, text: bytes) -> None:
        """Receive a message."""
        if self._is_over or not text:
            return
        self.heard_at = self._loop.time()
        try:
            self._obey(messages.parse(text))
        except messages.MessageError as error:
            fields = about(account=self.account.name)
            logger.warning("a machine of %s: %s", self.account.name, error, extra=fields)
            self.finish(Close.POLICY, str(error))
        except RefusedError as error:
            fields = about(account=self.account.name, code=error.notice.code)
            logger.warning(
                "a machine of %s may not join: %s", self.account.name, error, extra=fields
            )
            self.finish(Close.POLICY, str(error))

    def _obey(self, message: messages.Message) -> None:
        match message:
            case messages.Joining() if self.machine is None:
                self.machine = self._host.add_machine(self, message)
                self.send_message(messages.Welcome(self.account.name))
            case _ if self.machine is None:
                raise messages.MessageError("the first message of a machine says 'joining'")
            case messages.Beat():
                self.send_message(messages.Beat())
            case messages.Sorry(link, why):
                self._host.fail_link(self.machine, link, why)
            case messages.Leave():
                self._end(for_good=True)
            case _:
                word = messages.word_of(message)
                raise messages.MessageError(f"a machine does not say {word!r} now")

    def client_overlong(self) -> None:
        """Refuse a message that is too long."""
        self.finish(Close.TOO_BIG, "a message has at most 65536 bytes")

    def client_sent_binary(self) -> None:
        """Refuse a message that is no text."""
        self.finish(Close.POLICY, "a message is text, not binary")

    def client_ended(self) -> None:
        """End: nothing more will come."""
        self.finish(Close.DONE, "")

    def client_gone(self, client: object) -> None:
        """End: the connection is lost."""
        self._end()

    def client_paused(self) -> None:
        """End: what is sent is little, and a machine that does not read even that is gone."""
        self.finish(Close.POLICY, "nothing of what was asked has been read")

    def client_resumed(self) -> None:
        """Do nothing: there is nothing left to send."""

    def _end(self, *, for_good: bool = False) -> None:
        if not self._is_over:
            self._is_over = True
            self._host.remove_control(self, for_good=for_good)


def _digest(secret: str) -> bytes:
    """Return the key of a secret, so that the time of a look-up tells nothing about it."""
    return sha256(secret.encode()).digest()
