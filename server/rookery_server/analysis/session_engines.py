"""Engines for the server's own work: each is a session in this process, without a connection.

So engines of this machine, of machines that have joined and of a Ray cluster are all the same
here, and slots, quotas of CPU time, spare engines and the replacement of dead ones are what
they are for every session.  Such a session waits behind those of clients, and counts as none
of its account's.
"""

import asyncio
from collections.abc import Callable, Hashable

from rookery_analysis.engine_conversation import (
    BusyServerError,
    EngineConversation,
    FaultyEngineError,
    UnreachableEngineError,
)
from rookery_analysis.engine_supply import EngineSettings, ReadyEngine
from rookery_protocol.engine_names import group_of
from rookery_protocol.errors import ConfigError, RefusedError
from rookery_protocol.notices import Close, Code, Meaning
from rookery_server.access.account import Account
from rookery_server.actor.actor import SessionActor
from rookery_server.manager import SessionManager
from rookery_server.session.client_channel import LineHandler
from rookery_server.session.commands import RUNNING

# Refusals that time mends: the engine may be had later.
_PASSING = (Code.DRAINING, Code.ENGINE_AWAY, Code.ENGINE_FAILED)


class SessionEngines:
    """A source of engines of one name, for one account."""

    def __init__(
        self, manager: SessionManager, account: Account, engine: str, settings: EngineSettings
    ) -> None:
        self._manager = manager
        self._account = account
        self._engine = engine
        self._settings = settings
        self._clients: set[SessionClient] = set()

    @property
    def capacity(self) -> int:
        """The number of engines for which there is room."""
        return room_of(self._manager, self._engine, self._settings.number("Threads"))

    async def open(self) -> None:
        """Prepare nothing: sessions are opened one by one."""

    async def close(self) -> None:
        """End all sessions that are left."""
        for client in list(self._clients):
            client.end()

    async def acquire(self) -> ReadyEngine:
        """Open a session, and set its engine up.

        Raises:
            ConfigError: the account may not have the engine, or not with these options.
            BusyServerError: it may later.
            FaultyEngineError: the engine did not start this time.
            UnreachableEngineError: likewise, because of its machine.

        """
        client = SessionClient(self._settings.patience, self._clients.discard)
        try:
            client.start(self._manager.open_for_work(self._engine, client, self._account))
        except RefusedError as error:
            raise _failure_of(error) from error
        self._clients.add(client)
        try:
            await self._settings.apply(client.conversation)
        except BaseException:
            client.end()
            raise
        return ReadyEngine(client.conversation, client.end, client.cpu_seconds)


class SessionClient:
    """A client of a session's in this process, which speaks for an `EngineConversation`."""

    shows_life = True
    is_held = False
    address = "this server"

    def __init__(self, patience: float, when_over: Callable[["SessionClient"], None]) -> None:
        self.relay: LineHandler | None = None
        self.conversation = EngineConversation(
            self._send_soon,
            patience,
            pause_reading=self._pause_soon,
            has_engine=lambda: self._actor is not None and self._actor.flow.engine is not None,
            ahead=1,  # The session tells the engine as soon as its search has ended.
        )
        self._actor: SessionActor | None = None
        self._loop = asyncio.get_running_loop()
        self._when_over = when_over

    def start(self, actor: SessionActor) -> None:
        """Speak with a session."""
        self.relay = self._actor = actor

    def end(self) -> None:
        """End the session, and the search if it is under way."""
        actor = self._actor
        self._forget_session()
        if actor:
            actor.work_said(b"stop")
            actor.work_said(b"quit")

    def cpu_seconds(self) -> float | None:
        """Return the CPU time of the session's engines so far; None if it cannot be known now."""
        return self._actor.cpu_seconds() if self._actor else None

    def _forget_session(self) -> None:
        self.relay = self._actor = None
        self._when_over(self)

    def _send_soon(self, piece: bytes) -> None:
        # What is asked next may be decided while the session is at work.
        self._loop.call_soon(self._send_to_session, piece)

    def _send_to_session(self, piece: bytes) -> None:
        if self._actor:
            self._actor.work_said(piece)

    def _pause_soon(self, seconds: float) -> None:
        # The lines of the request are still to be sent.
        self._loop.call_soon(self._pause_engine, seconds)

    def _pause_engine(self, seconds: float) -> None:
        if self._actor and self._actor.flow.engine:
            self._actor.flow.engine.pause_for(seconds)

    # --- for the session

    def send_lines(self, piece: bytes) -> None:
        """Read whole lines."""
        self.conversation.receive(piece)

    def finish(self, code: Close, reason: str) -> None:
        """End the conversation: the session is over."""
        self._forget_session()
        if code is Close.ENGINE_GONE:
            self.conversation.end(FaultyEngineError(reason))
        elif code is Close.POLICY:
            self.conversation.end(ConfigError(reason))
        else:
            self.conversation.end(UnreachableEngineError(reason or "the session has ended"))

    def hold_input(self, why: Hashable) -> None:
        """Say nothing for now: more than two requests at a time are never said."""

    def release_input(self, why: Hashable) -> None:
        """Speak again."""


def _failure_of(error: RefusedError) -> Exception:
    """Return what a refused session means for the work that it was wanted for."""
    code = error.notice.code
    if code in _PASSING or code.meaning is Meaning.PUT_OFF:
        return BusyServerError(f"{code}: {error}")
    return ConfigError(f"{code}: {error}")


def room_of(manager: SessionManager, engine: str, threads: int) -> int:
    """Return for how many engines with so many threads there is room beside clients' searches.

    It is 1 at least, for else work would wait for as long as clients keep a machine busy.
    """
    cpus = manager.machine.threads
    count = manager.fleet.cpus_of(engine, cpus)
    if not group_of(engine):
        count = min(count, manager.scheduler.budget.total.threads)
    if count == cpus:
        count -= sum(
            actor.session.setup.size.threads
            for actor in manager.actors
            if not actor.is_batch and not actor.group and actor.session.state in RUNNING
        )
    most = max(1, count // threads)
    bound = manager.scheduler.budget.bounds.get(engine)
    return most if bound is None else min(most, bound)
