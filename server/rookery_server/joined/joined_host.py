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

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Close, Code, group_of, is_plain_name
from rookery_server.access.account import Account
from rookery_server.config.machines import MachinesConfig
from rookery_server.config.resources import Size
from rookery_server.engines.running_engine import EngineListener, EngineSpec, FullError
from rookery_server.joined.joined_engine import JoinedEngine, MachineConnection
from rookery_server.joined.joined_machine import ControlConnection, JoinedMachine
from rookery_server.joined.joining_messages import SILENCE, Joining
from rookery_server.log import about

logger = logging.getLogger(__name__)

_LINK_BYTES = 24


class GroupCapacity(NamedTuple):
    """What the machines of a group have for engines together, and how many these may be."""

    size: Size = Size(0, 0)
    sessions: int = 0


class JoinedEngineHost:
    """The host of all joined engines; `changed` is called when others are on offer."""

    def __init__(self, config: MachinesConfig, changed: Callable[[], None]) -> None:
        self.config = config
        self._changed = changed
        self._machines: dict[tuple[str, str], JoinedMachine] = {}  # by account and secret
        self._awaited: dict[bytes, tuple[JoinedMachine, JoinedEngine]] = {}  # by their links
        self._controls: set[ControlConnection] = set()
        self._rooms: dict[str, GroupCapacity] = {}
        self._last_of: dict[str, bool] = {}  # of each group: whether it has gone for good
        self._running = 0
        self._emptied = asyncio.Event()
        self._emptied.set()

    def __iter__(self) -> Iterator[JoinedMachine]:
        return iter(list(self._machines.values()))

    # --- for those who ask what there is

    def names(self) -> set[str]:
        """Return the engines that are on offer now."""
        return {name for each in self if each.control for name in each.names()}

    def room_of(self, group: str) -> GroupCapacity:
        """Return what the machines of a group have for engines, or had as long as one was there."""
        here = [each.joining for each in self if each.control and each.account.name == group]
        if here:
            size = sum((each.size for each in here), Size(0, 0))
            self._rooms[group] = GroupCapacity(size, sum(each.sessions for each in here))
        return self._rooms.get(group, GroupCapacity())

    def has_gone_for_good(self, group: str) -> bool:
        """Say whether the last machine of a group has said that it goes."""
        return self._last_of.get(group, False)

    def allows(self, engine: str, account: Account) -> bool:
        """Say whether an account may use an engine: by the operator's word, and its owners'."""
        group = group_of(engine)
        if account.name == group:
            return True
        users = self.config.users_of(group)
        if users is not None and not {account.name, account.role} & set(users):
            return False
        # Whichever is free is asked, so each of them must.  While none is there, what its owner has
        # said is not known.
        theirs = [each for each in self if each.has(engine)]
        return all(_allows(each.joining, account) for each in theirs)

    # --- as a host of engines

    async def open(self) -> None:
        """Be ready; machines join by themselves."""

    def start(self, spec: EngineSpec, listener: EngineListener) -> JoinedEngine:
        """Ask a machine for an engine.

        Raises:
            FullError: none that offers it takes one more now.
            OSError: none offers it.

        """
        machine = self._pick(spec.name)
        link = secrets.token_urlsafe(_LINK_BYTES).lstrip("-_") or secrets.token_hex(_LINK_BYTES)
        key = _digest(link)

        def on_end(engine: JoinedEngine) -> None:
            engine.has_left = machine.control is None
            self._awaited.pop(key, None)
            machine.engines.discard(engine)
            self._forget_if_gone(machine)
            self._running -= 1
            if not self._running:
                self._emptied.set()

        engine = JoinedEngine(
            spec, listener, threads=machine.joining.threads, where=machine.label, on_end=on_end
        )
        self._running += 1
        self._emptied.clear()
        self._awaited[key] = machine, engine
        machine.engines.add(engine)
        machine.want(spec.name, link)
        return engine

    async def close(self) -> None:
        """Wait until every engine is gone, and let the machines go."""
        await self._emptied.wait()
        for control in list(self._controls):
            control.finish(Close.RESTART, "the server is shutting down")

    def _pick(self, engine: str) -> JoinedMachine:
        """Return the machine that has most left of those that offer an engine."""
        offering = [each for each in self if each.offers(engine)]
        free = [each for each in offering if not each.is_full]
        if not offering:
            raise OSError(errno.EHOSTUNREACH, "no machine offers it now")
        if not free:
            raise FullError(errno.EBUSY, "all machines that offer it have enough to do")
        now = asyncio.get_running_loop().time()
        return min(free, key=lambda each: (_is_quiet(each, now), each.load))

    # --- for connections

    def control(self, connection: MachineConnection, account: Account) -> ControlConnection:
        """Return the partner of a machine's connection."""
        control = ControlConnection(connection, account, self)
        self._controls.add(control)
        return control

    def link(self, secret: str, connection: MachineConnection, account: Account) -> JoinedEngine:
        """Return the engine that a machine comes with, as its connection's partner.

        Raises:
            RefusedError: it is not expected, or not from that account.

        """
        machine, engine = self._awaited.get(_digest(secret), (None, None))
        if machine is None or engine is None or machine.account != account:
            raise RefusedError(Code.UNKNOWN_SESSION, "no engine is expected with this link")
        del self._awaited[_digest(secret)]
        engine.linked(connection)
        return engine

    def look(self, now: float) -> None:
        """Let those machines go of which nothing has been heard for too long."""
        reason = f"nothing was heard for {SILENCE:g} s"
        for control in [each for each in self._controls if now - each.heard_at > SILENCE]:
            machine, name = control.machine, control.account.name
            fields = about(**machine.fields) if machine else about(account=name)
            logger.warning("a machine of %s counts as gone: %s", name, reason, extra=fields)
            control.finish(Close.POLICY, reason)
            if machine:
                machine.drop(Close.POLICY, reason)

    # --- for controls

    def join(self, control: ControlConnection, joining: Joining) -> JoinedMachine:
        """Take a machine; one that has come back goes on.

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
        self._last_of.pop(account.name, None)
        logger.info(
            "machine %s has joined from %.60s: %s",
            machine.label,
            control.connection.address,
            ", ".join(joining.engines),
            extra=about(**machine.fields, address=control.connection.address[:60]),
        )
        self._changed()
        return machine

    def sorry(self, machine: JoinedMachine, link: str, why: str) -> None:
        """Take note that a machine has no engine for a link."""
        asked, engine = self._awaited.get(_digest(link), (None, None))
        if asked is machine and engine:
            engine.complain(f"{machine.label} says: {why}")

    def left(
        self, control: ControlConnection, machine: JoinedMachine | None, *, for_good: bool
    ) -> None:
        """Take note that a control is gone."""
        self._controls.discard(control)
        if machine is None or machine.control is not control:
            return  # It has come back over another one.
        machine.control = None
        group = machine.account.name
        self._last_of[group] = for_good
        done = "leaves" if for_good else "is lost"
        logger.info("machine %s %s", machine.label, done, extra=about(**machine.fields))
        self._forget_if_gone(machine)
        self._changed()

    def dismiss(self, good: Callable[[Account], bool], reason: str) -> None:
        """End the connections of those machines whose account is no longer good."""
        for machine in self:
            if not good(machine.account):
                fields = about(**machine.fields)
                logger.info("machine %s is dismissed: %s", machine.label, reason, extra=fields)
                machine.drop(Close.POLICY, reason, for_good=True)

    def _forget_if_gone(self, machine: JoinedMachine) -> None:
        key = machine.account.name, machine.joining.id
        if not machine.control and not machine.engines and self._machines.get(key) is machine:
            del self._machines[key]


def _allows(joining: Joining, account: Account) -> bool:
    return not joining.allow or bool({account.name, account.role} & set(joining.allow))


def _is_quiet(machine: JoinedMachine, now: float) -> bool:
    """Say whether a machine should have given a sign of life by now."""
    return machine.control is not None and now - machine.control.heard_at > SILENCE / 2


def _digest(secret: str) -> bytes:
    """Return what a secret is found by, so that the time it takes tells nothing about it."""
    return sha256(secret.encode()).digest()
