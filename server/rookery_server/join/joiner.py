"""The offer of this machine's engines to a server, until it is asked to end.

It holds one connection to the server, the control, and dials again whenever it is lost.
Over it the server asks for engines, by their names and nothing else; for each there is a
link, which is the client of a session of this machine's own host.  That checks every line by the
policy, the quota and the budget of the machine's owner, as a server does with its clients:
the owner need not trust the server.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from rookery_protocol.backoff import Backoff
from rookery_protocol.dialer import CLOSE_TIMEOUT, DialError
from rookery_protocol.errors import RefusedError, ServerError
from rookery_protocol.line_connection import BoundedConnection
from rookery_protocol.notices import Code, legible
from rookery_server.access.account import Account
from rookery_server.config.config import Config
from rookery_server.join.engine_link import EngineLink, JoinTarget
from rookery_server.joined import joining_messages as messages
from rookery_server.log import Repetition
from rookery_server.manager import SessionManager
from rookery_server.token_bucket import TokenBucket
from rookery_server.transport.liveness import prepare

logger = logging.getLogger(__name__)

FIRST_WAIT = 0.5  # s before the second attempt to reach the server; each further one is twice that
LONGEST_WAIT = 30.0  # s
STEADY = 5.0  # s that a connection must have held to count as a good one
DEAD_AFTER = 20  # s without progress on a connection
STARTS = 4.0  # engines that the server may ask for in a second, in the long run
TROUBLES = 1.0  # that the server may have written to the log in a second, in the long run
SERVER = Account("server")  # as whom the server has its sessions here
_ID_BYTES = 16


@dataclass(frozen=True, slots=True)
class Proposal:
    """The offer of this machine's owner: its name there, the number of sessions, and for whom."""

    machine: str
    sessions: int | None = None  # as many as there are threads
    allow: tuple[str, ...] = ()


class Joiner:
    """The machine as the server has it; `show` is called with a line on what is going on.

    `run` returns when `end` has been called, or no further attempt can succeed.
    """

    def __init__(
        self, config: Config, server: JoinTarget, proposal: Proposal, show: Callable[[str], None]
    ) -> None:
        self._config = config
        self._server = server
        self._proposal = proposal
        self._show = show
        self._id = secrets.token_hex(_ID_BYTES)
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._control: ClientConnection | None = None
        self._links: set[EngineLink] = set()
        self._coming = 0  # links that are on their way
        self._group = ""  # once the server has said over this control that it is welcome
        self._starting: asyncio.Task[object] | None = None  # of `run`, until there is a host
        self._host: SessionManager
        self._joining: messages.Joining
        self._starts: TokenBucket
        self._troubles: TokenBucket
        self._repetitions: dict[str, Repetition] = {}  # of these, by engine
        self._tasks: asyncio.TaskGroup

    def end(self) -> None:
        """Begin to end: searches are stopped, and the server gets their best moves."""
        if not self._ended.done():
            self._ended.set_result(None)

    def abandon(self) -> None:
        """End every session now; before there can be any, cancel `run`."""
        if self._starting is None:
            self._host.abandon()
        elif not self._starting.cancelling():  # Once more would break off its end.
            self._starting.cancel()

    async def run(self) -> None:
        """Offer the engines.

        Raises:
            ServerError: no engine answers, or the server will have none of it.

        """
        failure: ServerError | None = None  # Inside it would be one of a group.
        self._starting = asyncio.current_task()
        async with asyncio.TaskGroup() as self._tasks, SessionManager(self._config) as self._host:
            self._starting = None
            try:
                self._joining = self._offer()
                now = asyncio.get_running_loop().time()
                self._starts = TokenBucket(STARTS, self._joining.sessions + STARTS, now)
                self._troubles = TokenBucket(TROUBLES, messages.MAX_ENGINES, now)
                staying = self._tasks.create_task(self._stay(), name="stay joined")
                await self._ended
                await self._send(messages.Leave())
                staying.cancel()
            except ServerError as error:
                failure = error
        if failure:
            raise failure

    def _offer(self) -> messages.Joining:
        """Return what there is to offer.

        Raises:
            ServerError: nothing, or more than a machine may.

        """
        engines = []
        for engine in self._config.engines:
            if trouble := self._host.fleet.trouble(engine.name):
                logger.warning("engine %s is not offered: %s", engine.name, trouble)
            else:
                engines.append(engine.name)
        if not engines:
            raise ServerError("no engine answers, so there is nothing to offer")
        total = self._host.scheduler.budget.total
        joining = messages.Joining(
            machine=self._proposal.machine,
            id=self._id,
            version=version("rookery-chess"),
            threads=total.threads,
            hash_mb=total.hash_mb,
            sessions=self._proposal.sessions or min(total.threads, messages.MAX_SESSIONS),
            engines=tuple(engines),
            allow=self._proposal.allow,
        )
        try:
            # As the server will, which says no more than that it is wrong.
            messages.parse(messages.text_of(joining))
        except messages.MessageError as error:
            raise ServerError(f"no server takes this machine so: {error}") from error
        return joining

    # --- the control

    async def _stay(self) -> None:
        """Join the server, over and over."""
        backoff = Backoff(first=FIRST_WAIT, longest=LONGEST_WAIT, steady=STEADY)
        is_first = True
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            try:
                await self._join()
                is_first = False
                reason = "the connection was lost"
            except DialError as error:
                reason = str(error)
                if error.code is Code.UNAUTHORIZED or (is_first and error.is_final):
                    if not self._ended.done():
                        self._ended.set_exception(ServerError(reason))
                    return
            backoff.count_connection(loop.time() - began)
            wait = backoff.next_wait(random.random())  # noqa: S311  # no secret
            self._show(f"{self._server.url}: {reason}; trying again in {wait:.0f} s")
            await asyncio.sleep(wait)

    async def _join(self) -> None:
        """Stay joined until the connection is lost.

        Raises:
            DialError: the server cannot be reached, refuses, or has ended it.

        """
        self._show(f"{self._server.url}: connecting")
        control = await self._server.dial(BoundedConnection)
        try:
            prepare(control.transport, DEAD_AFTER)
            self._control = control
            await self._send(self._joining)
            beating = self._tasks.create_task(self._beat(), name="beat")
            try:
                await self._receive(control)
            finally:
                beating.cancel()
        except ConnectionClosed as closed:
            reason = closed.rcvd.reason if closed.rcvd else ""
            raise DialError(legible(reason) or "the connection was lost") from closed
        except TimeoutError as error:
            raise DialError(
                f"the server says or hears nothing for {messages.SILENCE:g} s"
            ) from error
        except messages.MessageError as error:
            raise DialError(f"the server says what cannot be understood: {error}") from error
        finally:
            self._control, self._group = None, ""
            await _leave(control)

    async def _receive(self, control: ClientConnection) -> None:
        while True:
            async with asyncio.timeout(messages.SILENCE):
                text = await control.recv(decode=False)
                await self._obey(messages.parse(text))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(messages.BEAT)
            await self._send(messages.Beat())
            self._show_use()

    async def _send(self, message: messages.Message) -> None:
        """Send a message to the server, if it reads it."""
        if self._control:
            with suppress(ConnectionClosed, TimeoutError):
                async with asyncio.timeout(messages.SILENCE):
                    await self._control.send(messages.text_of(message).decode())

    async def _obey(self, message: messages.Message) -> None:
        """Act on a message of the server, at a bounded cost.

        A request that is refused is answered before more is read: from a server that
        does not read nothing more is read, until its connection counts as dead.
        """
        match message:
            case messages.Welcome(group) if not self._group:
                self._group = group
                self._show_use()
            case messages.Wanted(engine, link):
                if objection := self._objection(engine):
                    await self._send(messages.Sorry(link, objection))
                    return
                self._coming += 1
                self._tasks.create_task(self._open_link(engine, link), name=f"link {engine}")
            case messages.EngineTrouble(engine, why) if engine in self._joining.engines:
                now = asyncio.get_running_loop().time()
                if self._troubles.try_spend(now):
                    repetition = self._repetitions.setdefault(engine, Repetition())
                    if text := repetition.again(why, now):
                        logger.warning("engine %s is not offered there: %s", engine, text)

    def _show_use(self) -> None:
        if not self._group:
            return
        names = ", ".join(f"{each}@{self._group}" for each in self._joining.engines)
        self._show(
            f"{self._server.url}: joined, offers {names};"
            f" {self._in_use} of {self._joining.sessions} sessions in use"
        )

    # --- links

    @property
    def _in_use(self) -> int:
        """The number of sessions: the server gives the place of one that ends to the next."""
        return sum(not link.is_over for link in self._links)

    def _objection(self, engine: str) -> str:
        """Return why the server does not get an engine that it wants; else count it as started."""
        if error := self._host.objection(SERVER):
            return str(error)
        if engine not in self._joining.engines:
            return f"there is no engine {engine}"
        if self._in_use + self._coming >= self._joining.sessions:
            return "all sessions are in use"
        if not self._starts.try_spend(asyncio.get_running_loop().time()):
            return "engines are started too often"
        return ""

    async def _open_link(self, engine: str, secret: str) -> None:
        """Run the server's session with an engine, or send why that is not possible."""
        try:
            link = await self._server.dial(EngineLink, {messages.LINK_HEADER: secret})
        except DialError as error:
            await self._send(messages.Sorry(secret, str(error)))
            return
        finally:
            self._coming -= 1
        prepare(link.transport, DEAD_AFTER)
        self._links.add(link)
        try:
            link.attach(self._host.open(engine, link, SERVER))
            self._show_use()
            await link.until_finished()
        except RefusedError as error:
            await link.close(reason=str(error)[:100])
        finally:
            self._links.discard(link)
            self._show_use()


async def _leave(control: ClientConnection) -> None:
    """Close a connection; one that the server does not read would never be closed by itself."""
    with suppress(TimeoutError):
        async with asyncio.timeout(2 * CLOSE_TIMEOUT):
            await control.close()
    control.transport.abort()
