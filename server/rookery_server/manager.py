"""The manager of a server's sessions, and of the engines that they share."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable
from dataclasses import asdict

from rookery_protocol.errors import SHUTTING_DOWN, Refusal, RefusedError
from rookery_protocol.hello import BATCH, NEW, Hello
from rookery_protocol.notices import Close, Code
from rookery_server.access.account import VISITOR, Account
from rookery_server.actor.actor import SessionActor
from rookery_server.actor.cache_recorder import CacheRecorder
from rookery_server.actor.hello_check import fault_of, watches
from rookery_server.cache.cache_service import CacheService
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import Quota
from rookery_server.config.sections import database_url
from rookery_server.engines.offered_options import OfferedOptions
from rookery_server.engines.pool import Pool
from rookery_server.log import Repetition, about
from rookery_server.rooms.directory import Rooms
from rookery_server.scheduling.catalog import Fleet
from rookery_server.scheduling.machine_resources import survey
from rookery_server.scheduling.quota import Usage
from rookery_server.scheduling.scheduler import Scheduler
from rookery_server.session.client_channel import Client
from rookery_server.session.deadlines import Patience
from rookery_server.session.registry import Registry
from rookery_server.session.session import Session
from rookery_server.session.totals import ServerTotals
from rookery_server.session.validator import Validator

logger = logging.getLogger(__name__)

TICK = 0.5  # s from one check of all sessions to the next
STILL = 5.0  # s from one check to the next, after which no peer is blamed for what was not heard
STOP_PATIENCE = 1.5  # s for a bestmove after `stop`, when the time to finish is over
SHORTAGE = "hardly any descriptors are left: raise the limit of open files"
UNADMITTED = 10.0  # s in which a client that may come back to a session has to say so


class SessionManager:
    """The sessions of one server: it opens them, and ends them with the server.

    `async with SessionManager(config) as manager:` starts the spare engines on entry; on exit it
    lets searches end with their bestmove, tells every client, and leaves no engine behind.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.patience = _patience(config)
        self.machine = survey()
        self.actors: set[SessionActor] = set()
        self.totals = ServerTotals()
        self.keeper: CacheService | None = None  # of the analyses, if they are kept
        self.recorder: CacheRecorder | None = None
        self.rooms = Rooms()
        self._registry: Registry[SessionActor] = Registry(config.sessions.grace)
        self.is_draining = False  # no more sessions are taken
        self._finishing = False  # and searches may end by themselves
        self._emptied = asyncio.Event()  # no session is left, and none will come
        self.fleet: Fleet
        self.scheduler: Scheduler
        self._ticking: asyncio.TimerHandle
        self._ticked = 0.0
        self._shortage = Repetition()  # of descriptors, in the log

    async def __aenter__(self) -> "SessionManager":
        """Start the spare engines."""
        self._loop = asyncio.get_running_loop()
        self.scheduler = Scheduler(
            self.config,
            self.machine,
            self._loop.time(),
            room_of=lambda group: self.fleet.joined.machines.capacity_of(group),
            call_soon=self._loop.call_soon,
        )
        if self.config.cache.enabled:
            self.keeper = CacheService(
                self.config.cache, database_url(self.config.cache, os.environ)
            )
            self.recorder = CacheRecorder(self.config.cache, self.keeper)
        self.fleet = Fleet(
            self.config,
            self.machine,
            self.scheduler.budget,
            sessions=lambda: len(self.actors),
            make_room=self.end_longest_detached,
        )
        self._ticked = self._loop.time()
        self._ticking = self._loop.call_later(TICK, self._tick)
        try:
            await self.fleet.open()
        except BaseException:  # A cancellation is one, too.
            await self.close()
            raise
        return self

    async def reconfigure(self, config: Config) -> None:
        """Take another configuration: for new sessions; those there are keep their engine."""
        await self.fleet.reconfigure(config)
        self.config = config
        self.patience = _patience(config)
        self._registry.grace = config.sessions.grace
        self.scheduler.reconfigure(config, self._loop.time())
        if self.keeper and self.recorder:
            self.keeper.config = self.recorder.config = config.cache

    async def finish(self) -> None:
        """Take no more sessions; let searches end by themselves, or until the time is over."""
        self.is_draining = self._finishing = True
        patience = self.config.server.drain_timeout
        logger.info("%d sessions may finish, within %g s", len(self.actors), patience)
        self.each(lambda actor: actor.drain(stop=False))
        self._check_empty()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._emptied.wait()
        self._finishing = False

    def _check_empty(self) -> None:
        if self.is_draining and not self.actors:
            self._emptied.set()

    async def __aexit__(self, *_: object) -> None:
        """Let searches end, tell the clients, end the engines."""
        logger.info("draining %d sessions", len(self.actors))
        await self.close()

    async def close(self) -> None:
        """Do the same without a line in the log, as if it had never been open."""
        self.is_draining = True
        self.fleet.retire()
        self.each(lambda actor: actor.drain())
        server = self.config.server
        patience = server.drain_timeout if server.drain == "stop" else STOP_PATIENCE
        late = self._loop.call_later(patience, self.abandon)
        await self.fleet.close()
        late.cancel()
        if self.keeper:
            await self._loop.run_in_executor(None, self.keeper.close)
        self._ticking.cancel()

    def abandon(self) -> None:
        """End every session now."""
        self.each(lambda actor: actor.refuse(SHUTTING_DOWN))

    def each(self, action: Callable[[SessionActor], None]) -> None:
        """Do something for each session: an error of ours in one does not keep it from others."""
        for actor in list(self.actors):
            try:
                action(actor)
            except Exception:
                actor.log.exception("session %d: an error of the server", actor.number)

    def open(
        self, name: str | None, client: Client, account: Account, *, returns: bool = False
    ) -> SessionActor:
        """Begin a session with an engine; None is the default engine.

        `returns`: the client has said that it comes back to a session, and is to hear about that.

        Raises:
            RefusedError: there is no such engine, or it cannot be started.

        """
        # A client that may come back to a session is let in to say so, and counted if it does not.
        may_come_back = returns or bool(self._registry.of(account.name))
        if self.is_draining and not (self._finishing and may_come_back):
            raise RefusedError(*SHUTTING_DOWN)
        now = self._loop.time()
        usage = self.scheduler.usage_of(account.name, account.role, now)
        offer, pool, objection = self._source_for(account, name, usage)
        # A client that is refused a session may still watch another's: it is let in to say so.
        refusal = _objection(account, usage, now)
        may_come_back = may_come_back or (refusal is not None and len(self.rooms) > 0)
        if refusal and not may_come_back:
            raise RefusedError(*refusal, wait=usage.wait(refusal[0], now))
        actor = self._begin_session(SessionActor(
            Session(Validator(offer)), client, self, pool, account, usage
        ))  # fmt: skip
        actor.objection = objection
        if may_come_back:
            self._loop.call_later(UNADMITTED, self._decide, actor)
        else:
            self._admit(actor)
        return actor

    def open_for_work(self, name: str, client: Client, account: Account) -> SessionActor:
        """Begin a session for work of the server's own: it counts as none of its account's.

        Raises:
            RefusedError: the account may not have the engine, or not now.

        """
        if self.is_draining:
            raise RefusedError(*SHUTTING_DOWN)
        now = self._loop.time()
        usage = self.scheduler.usage_of(account.name, account.role, now)
        offer, pool, objection = self._source_for(account, name, usage)
        if refusal := objection or usage.objection_to_search(now):
            raise RefusedError(*refusal, wait=usage.wait(refusal[0], now))
        actor = SessionActor(Session(Validator(offer)), client, self, pool, account, usage)
        actor.do_work()
        return self._begin_session(actor)

    def _begin_session(self, actor: SessionActor) -> SessionActor:
        self.actors.add(actor)
        self.totals.started[actor.engine_name] += 1
        text = "session %s of %s began: engine %s"
        actor.log.info(text, actor.number, actor.account.name, actor.engine_name)
        return actor

    def _source_for(
        self, account: Account, name: str | None, usage: Usage
    ) -> tuple[OfferedOptions, Pool, Refusal | None]:
        """Return what is offered of a session's engine, its pool, and why it may not be had, if so.

        None is the default engine.  An engine that is offered no more still serves the sessions
        that have it: a client that may come back to one of them, and names it, is let in to say so,
        and may do nothing else.

        Raises:
            RefusedError: there is no such engine, or it cannot be used.

        """
        try:
            engine = self.fleet.engine_for(account, name)
            offer = self.fleet.offer(engine, usage.quota)
        except RefusedError as error:
            for actor in self._registry.of(account.name):
                if actor.engine_name == name:
                    refusal = error.notice.code, error.notice.text
                    return actor.session.validator.offer, actor.pool, refusal
            raise
        return offer, self.fleet.pool(engine.name), None

    def offer(self, engine: EngineConfig, account: Account) -> OfferedOptions:
        """Return what an account has of an engine.

        Raises:
            RefusedError: it cannot be used.

        """
        usage = self.scheduler.usage_of(account.name, account.role, self._loop.time())
        return self.fleet.offer(engine, usage.quota)

    def quota_of(self, account: Account) -> Quota:
        """Return what an account may have now."""
        return self.scheduler.usage_of(account.name, account.role, self._loop.time()).quota

    def objection(self, account: Account) -> RefusedError | None:
        """Return why an account could not open a session now; None if it could."""
        if self._registry.of(account.name) or len(self.rooms):
            return None
        now = self._loop.time()
        usage = self.scheduler.usage_of(account.name, account.role, now)
        refusal = _objection(account, usage, now)
        return RefusedError(*refusal, wait=usage.wait(refusal[0], now)) if refusal else None

    def end_longest_detached(self) -> bool:
        """End the session that has had no connection for longest; say whether there was one.

        It is asked where something is short that sessions hold, before a client that is there is
        refused.
        """
        left = self._registry.left()
        if left:
            _make_room(left[0])
        return bool(left)

    # --- for actors

    def admit(self, actor: SessionActor) -> Refusal | None:
        """Count a session whose client begins to speak UCI; return why it may not be."""
        if not actor.admitted:
            if refusal := actor.objection or self._objection(actor.account, actor.usage):
                return refusal
            self._admit(actor)
        return None

    def set_aside(self, actor: SessionActor) -> None:
        """Count a session as none of its account's until it is admitted again.

        Meanwhile its engine is for whichever session waits for one.
        """
        actor.admitted = False
        actor.usage.sessions.discard(actor)

    def delay_of(self, pool: Pool) -> Refusal | None:
        """Return why engines of a pool come later than they are started, if they do."""
        return self.fleet.joined.delay_of(pool)

    def control(self, actor: SessionActor, hello: Hello) -> None:
        """Do what a client asks of the server itself."""
        # A client that only watches needs no session that counts.
        wants_session = hello.session == NEW or (hello.room is not None and not watches(hello))
        if fault := fault_of(actor, hello):
            actor.send_notice(Code.BAD_COMMAND, fault)
            return
        if hello.returns:
            # What else it asks is asked of the session that it comes back to.
            returned = self._rejoin(actor, hello.session or "", hello.heard or 0)
            if returned is None:
                return
            actor = returned
        elif wants_session and (refusal := self.admit(actor)):
            actor.refuse(refusal)
            return
        if hello.cache is not None:
            may = actor.usage.quota.cache and self.keeper is not None
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
            self.rooms.execute(actor, hello.room)

    def detached(self, actor: SessionActor) -> bool:
        """Return whether a session is kept, though its connection is lost."""
        may_return = self._finishing or not self.is_draining
        return may_return and self._registry.begin_grace(actor, self._loop.time())

    def over(self, actor: SessionActor) -> None:
        """Forget a session that is over: no client can come back to it."""
        if self.is_draining:
            why = Close.RESTART, *SHUTTING_DOWN
        else:
            why = Close.ROOM, Code.ROOM_CLOSED, "the session has ended"
        self.rooms.close(actor, *why)
        self._registry.forget(actor)
        actor.usage.sessions.discard(actor)

    def ended(self, actor: SessionActor) -> None:
        """Forget a session that is over, and whose engine is gone."""
        if actor not in self.actors:
            return
        self._log_end(actor)
        self.actors.discard(actor)
        self.totals.session_ended(actor.totals, actor.session.notices)
        self.scheduler.release(actor, self._loop.time())
        self._check_empty()

    # --- within

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
        self.rooms.owner_returned(actor)
        return actor

    def _log_end(self, actor: SessionActor) -> None:
        totals = asdict(actor.totals)
        fields = {"seconds": self._loop.time() - totals.pop("began")} | totals
        fields = {name: round(value, 3) for name, value in fields.items()}
        logger.info(
            "session %s of %s ended: %s",
            actor.number,
            actor.account.name,
            ", ".join(f"{name} {value:g}" for name, value in fields.items()),
            extra=about(**actor.fields, **fields),
        )

    def _admit(self, actor: SessionActor) -> None:
        actor.admitted = True
        actor.usage.sessions.add(actor)
        if len(self.actors) > min(self.config.connections.total, self.machine.sessions):
            self.end_longest_detached()

    def _objection(self, account: Account, usage: Usage) -> Refusal | None:
        """Return why an account may not have one more session.

        Before a client is refused, a session that has lost its connection makes room; or as many
        as it takes, where the quota was made smaller.  None ends if the client is refused anyway.
        """
        if self.is_draining:
            return SHUTTING_DOWN
        now = self._loop.time()
        refusal = _objection(account, usage, now)
        if refusal and refusal[0] is Code.QUOTA_SESSIONS and not usage.objection_to_search(now):
            left = self._registry.left(account.name)
            if len(left) >= usage.surplus:
                for actor in left[: usage.surplus]:
                    _make_room(actor)
                refusal = None
        return refusal

    def _decide(self, actor: SessionActor) -> None:
        """Count or refuse a connection that was let in to come back to a session, and has not."""
        if not actor.is_over and (refusal := self.admit(actor)):
            actor.refuse(refusal)

    def _tick(self) -> None:
        """Check all sessions, twice a second."""
        now = self._loop.time()
        deaf, self._ticked = now - self._ticked > STILL, now
        self._ticking = self._loop.call_later(TICK, self._tick)
        self.each(lambda actor: actor.tick(now, deaf=deaf))
        self.scheduler.check(now)
        self.scheduler.forget_usages({actor.usage for actor in self.actors}, now)
        if not deaf:
            self.rooms.check(now)
        self.fleet.check()
        for pool in self.fleet.joined.pools.values():
            if reason := self.delay_of(pool):
                for each in pool.waiting:
                    assert isinstance(each, SessionActor)
                    each.must_wait(reason)
        self._check_descriptors(now)
        for actor in self._registry.expired(now):
            actor.log.info("session %s expired", actor.number)
            actor.vanish()

    def _check_descriptors(self, now: float) -> None:
        if not self.machine.is_short():
            self._shortage.over()
        elif self.end_longest_detached() and (text := self._shortage.again(SHORTAGE, now)):
            logger.warning("%s", text)


def _make_room(actor: SessionActor) -> None:
    """End a session that has no connection."""
    actor.log.info("session %d has no connection, and makes room for another", actor.number)
    actor.vanish()


def _objection(account: Account, usage: Usage, now: float) -> Refusal | None:
    """Return why an account may not open one more session."""
    if account == VISITOR:
        return Code.UNAUTHORIZED, "without a token you may only watch: 'rookery room watch NAME'"
    return usage.objection_to_session(now)


def _patience(config: Config) -> Patience:
    sessions = config.sessions
    return Patience(sessions.stop_timeout, sessions.ready_timeout, config.server.start_timeout)
