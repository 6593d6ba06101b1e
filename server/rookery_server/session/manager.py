"""The sessions of a server, and the engines that they share."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable
from typing import NamedTuple

from rookery_protocol.errors import SHUTTING_DOWN, Refusal, RefusedError
from rookery_protocol.notices import Close, Code, Hello
from rookery_server.access.account import VISITOR, Account
from rookery_server.cache.cache_service import Keeper
from rookery_server.cache.paths import url_of
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import Size
from rookery_server.engines.engine_build import Build
from rookery_server.engines.offered_options import OfferedOptions
from rookery_server.engines.pool import Pool, Presence
from rookery_server.engines.running_engine import RunningEngine
from rookery_server.log import Repetition, about
from rookery_server.rooms.directory import Rooms
from rookery_server.scheduling.budget import Budget
from rookery_server.scheduling.catalog import Fleet
from rookery_server.scheduling.machine_resources import survey
from rookery_server.scheduling.quota import Usage
from rookery_server.scheduling.scheduler import Steward
from rookery_server.session.actor import Relay
from rookery_server.session.cache_recorder import Recorder
from rookery_server.session.client_channel import Client
from rookery_server.session.control_commands import Reception
from rookery_server.session.deadlines import Patience
from rookery_server.session.registry import Registry
from rookery_server.session.session import Session
from rookery_server.session.totals import Tally
from rookery_server.session.validator import Review

logger = logging.getLogger(__name__)

TICK = 0.5  # s from one look at all sessions to the next
STILL = 5.0  # s from one look to the next, after which nobody is blamed for what was not heard
STOP_PATIENCE = 1.5  # s for a bestmove after `stop`, when the time to finish is over
SHORTAGE = "hardly any descriptors are left: raise the limit of open files"
UNADMITTED = 10.0  # s in which a client that may come back to a session has to say so


class _Source(NamedTuple):
    """Where a session has its engine from; `objection` says why it may not have one."""

    name: str
    offer: OfferedOptions
    pool: Pool
    objection: Refusal | None = None


class Host:
    """Opens sessions, gives them engines, and ends them.

    `async with Host(config) as host:` starts the spare engines on entry; on exit it lets
    searches end with their bestmove, tells every client, and leaves no engine behind.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.patience = _patience(config)
        self.machine = survey()
        self.relays: set[Relay] = set()
        self.tally = Tally()
        self.keeper: Keeper | None = None  # of the analyses, if they are kept
        self._recorder: Recorder | None = None
        self.rooms = Rooms()
        self._registry: Registry[Relay] = Registry(config.sessions.grace)
        self._reception = Reception(
            self._registry, self.rooms, self.admit, keeps=lambda: self.keeper is not None
        )
        self._draining = False
        self._finishing = False  # and searches may end by themselves
        self._emptied = asyncio.Event()  # no session is left, and none will come
        self._served_by: dict[Relay, Pool] = {}
        self.fleet: Fleet
        self._steward: Steward
        self._ticking: asyncio.TimerHandle
        self._ticked = 0.0
        self._shortage = Repetition()  # of descriptors, in the log

    async def __aenter__(self) -> "Host":
        """Start the spare engines."""
        self._loop = asyncio.get_running_loop()
        self._steward = Steward(
            self.config,
            self.machine,
            self._loop.time(),
            lambda group: self.fleet.joined.room_of(group),
        )
        if self.config.cache.enabled:
            self.keeper = Keeper(self.config.cache, url_of(self.config.cache, os.environ))
            self._recorder = Recorder(self.config.cache, self.keeper)
        self.fleet = Fleet(
            self.config,
            self.machine,
            self.budget,
            sessions=lambda: len(self.relays),
            make_room=self.end_longest_left,
        )
        self._ticked = self._loop.time()
        self._ticking = self._loop.call_later(TICK, self._tick)
        try:
            await self.fleet.open()
        except BaseException:  # To be told to end meanwhile is one, too.
            await self.close()
            raise
        return self

    @property
    def is_draining(self) -> bool:
        """Whether no more sessions are taken."""
        return self._draining

    @property
    def budget(self) -> Budget:
        """What the machine has for engines."""
        return self._steward.budget

    @property
    def queue_length(self) -> int:
        """How many sessions wait for a slot."""
        return self._steward.waiting

    async def reconfigure(self, config: Config) -> None:
        """Take another configuration: for new sessions; those there are keep their engine."""
        await self.fleet.reconfigure(config)
        self.config = config
        self.patience = _patience(config)
        self._registry.grace = config.sessions.grace
        self._steward.reconfigure(config, self._loop.time())
        if self.keeper and self._recorder:
            self.keeper.configure(config.cache)
            self._recorder.config = config.cache

    async def finish(self) -> None:
        """Take no more sessions; let searches end by themselves, or until the time is over."""
        self._draining = self._finishing = True
        patience = self.config.server.drain_timeout
        logger.info("%d sessions may finish, within %g s", len(self.relays), patience)
        self.each(lambda relay: relay.drain(stop=False))
        self._see_whether_empty()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._emptied.wait()
        self._finishing = False

    def _see_whether_empty(self) -> None:
        if self._draining and not self.relays:
            self._emptied.set()

    async def __aexit__(self, *_: object) -> None:
        """Let searches end, tell the clients, end the engines."""
        logger.info("draining %d sessions", len(self.relays))
        await self.close()

    async def close(self) -> None:
        """Do so without a word, as if it had never been open."""
        self._draining = True
        self.fleet.retire()
        self.each(lambda relay: relay.drain())
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
        self.each(lambda relay: relay.abandon())

    def each(self, action: Callable[[Relay], None]) -> None:
        """Do something for each session: an error of ours in one does not keep it from others."""
        for relay in list(self.relays):
            try:
                action(relay)
            except Exception:
                text = "session %d: an error of the server"
                logger.exception(text, relay.number, extra=about(**relay.fields))

    def open(
        self, name: str | None, client: Client, account: Account, *, returns: bool = False
    ) -> Relay:
        """Begin a session with an engine; None is the default engine.

        `returns`: the client has said that it comes back to a session, and is to hear about that.

        Raises:
            RefusedError: there is no such engine, or it cannot be started.

        """
        # Whoever may come back to a session is let in to say so, and counted when it does not.
        may_come_back = returns or self._registry.knows(account.name)
        if self._draining and not (self._finishing and may_come_back):
            raise RefusedError(*SHUTTING_DOWN)
        now = self._loop.time()
        usage = self._steward.usage_of(account.name, account.role, now)
        source = self._source_for(account, name, usage)
        # Who is refused a session, and may only watch another's, is let in to say so.
        refusal = _objection(account, usage, now)
        may_come_back = may_come_back or (refusal is not None and len(self.rooms) > 0)
        if refusal and not may_come_back:
            raise RefusedError(*refusal, wait=usage.wait(refusal[0], now))
        session = Session(Review(source.offer))
        relay = Relay(session, client, self, source.name, account, usage)
        relay.objection = source.objection
        self.relays.add(relay)
        self._served_by[relay] = source.pool
        self.tally.started[source.name] += 1
        if may_come_back:
            self._loop.call_later(UNADMITTED, self._decide, relay)
        else:
            self._admit(relay)
        logger.info(
            "session %s of %s began: engine %s",
            relay.number,
            account.name,
            source.name,
            extra=about(**relay.fields),
        )
        return relay

    def _source_for(self, account: Account, name: str | None, usage: Usage) -> _Source:
        """Return where a session has its engine from; None is the default engine.

        An engine that is offered no more still serves the sessions that have it: whoever may come
        back to one of them, and names it, is let in to say so, and may do nothing else.

        Raises:
            RefusedError: there is no such engine, or it cannot be used.

        """
        try:
            engine = self.fleet.engine_for(account, name)
            offer = self.fleet.offer(engine, usage.quota)
        except RefusedError as error:
            for relay in self._registry.of(account.name):
                if relay.engine_name == name:
                    notice = error.notice
                    return _Source(
                        relay.engine_name,
                        relay.session.review.offer,
                        self._served_by[relay],
                        (notice.code, notice.text),
                    )
            raise
        return _Source(engine.name, offer, self.fleet.pool(engine.name))

    def offer(self, engine: EngineConfig, account: Account) -> OfferedOptions:
        """Return what an account has of an engine.

        Raises:
            RefusedError: it cannot be used.

        """
        usage = self._steward.usage_of(account.name, account.role, self._loop.time())
        return self.fleet.offer(engine, usage.quota)

    def objection(self, account: Account) -> RefusedError | None:
        """Say why an account could not open a session now; None is that it might."""
        if self._registry.knows(account.name) or len(self.rooms):
            return None
        now = self._loop.time()
        usage = self._steward.usage_of(account.name, account.role, now)
        refusal = _objection(account, usage, now)
        return RefusedError(*refusal, wait=usage.wait(refusal[0], now)) if refusal else None

    def end_longest_left(self) -> bool:
        """End the session that has had no connection for longest; say whether there was one.

        For those who are short of something that sessions hold: they ask before they
        refuse a client that is there.
        """
        left = self._registry.left()
        if left:
            _make_room(left[0])
        return bool(left)

    # --- for relays

    def admit(self, relay: Relay) -> Refusal | None:
        """Count a session whose client begins to speak UCI; say why it may not be."""
        if not relay.admitted:
            if refusal := relay.objection or self._objection(relay.account, relay.usage):
                return refusal
            self._admit(relay)
        return None

    def ask_for_slot(self, relay: Relay) -> None:
        """Get the right to have an engine: its supply hears of it, now or later."""
        now = self._loop.time()
        try:
            size = self._served_by[relay].whole(relay.session.fitting.size)
            self._steward.ask(relay, size, now)
        except RefusedError as error:
            relay.supply.no_slot((error.notice.code, error.notice.text))
            return
        if relay.supply.slot is None and not relay.is_over:
            self._steward.make_room(self.relays, now)
        if relay.supply.slot is None and not relay.is_over:
            relay.supply.must_wait()
            self._steward.tell(relay, now)

    def resize(self, relay: Relay, size: Size) -> Size:
        """Make a slot larger or smaller, as far as there is room; return its size now."""
        whole = self._served_by[relay].whole(size)
        return self._steward.resize(relay, whole, self._loop.time())

    def give_back(self, relay: Relay) -> None:
        """Take note that it needs its slot no more."""
        self._steward.give_back(relay, self._loop.time())

    def forget(self, relay: Relay) -> None:
        """Take note that it wants no engine any more, if it has asked for one."""
        self._served_by[relay].forget(relay)

    def withdraw(self, relay: Relay) -> None:
        """Take note that it needs no slot any more, if it waits for one, nor an engine."""
        self._steward.withdraw(relay)
        self._served_by[relay].forget(relay)

    def ask_for_engine(self, relay: Relay) -> None:
        """Get an engine: its supply hears of it, now or later."""
        pool = self._served_by[relay]

        def later(engine: RunningEngine | None) -> None:
            if engine:
                relay.supply.engine_came(engine)
            elif pool.presence is Presence.GONE:
                relay.supply.no_engine(f"no machine offers {pool.name!r} now", is_final=True)
            else:
                relay.supply.no_engine(pool.trouble)

        if engine := pool.take(relay, later):
            relay.supply.engine_came(engine)
        else:
            self.fleet.joined.tell(relay, pool)

    def is_offered(self, relay: Relay) -> bool:
        """Say whether its engine can be had now: no machine may offer it, or not any more."""
        return self._served_by[relay].presence is Presence.HERE

    def engine_hangs(self, relay: Relay) -> None:
        """Take note that its engine does not answer; those that it might get may not, either."""
        self._served_by[relay].doubt()

    def take_back(self, relay: Relay, engine: RunningEngine, undo: bytes) -> bool:
        """Say whether an engine serves others now, after what undoes its session."""
        pool = self._served_by[relay]
        return pool.reuse and pool.take_back(engine, undo)

    def objection_to_search(self, relay: Relay) -> Refusal | None:
        """Say why a search may not begin."""
        return relay.usage.objection_to_search(self._loop.time())

    def search_began(self, relay: Relay, engine: RunningEngine) -> None:
        """Take note that a search begins: what is known of its position may be told."""
        answer = self._served_by[relay].answer
        # What machines of others have found is not told to anybody as if it were known.
        if self._recorder and answer and engine.words:
            self._recorder.began(relay, Build(answer.name, engine.words, engine.files))

    def search_over(self, relay: Relay, engine: RunningEngine | None) -> None:
        """Take note that a search has ended; None if its engine had before."""
        self.tally.searched(relay.totals.last_search)
        if self._recorder:
            self._recorder.over(relay, self._loop.time() - relay.timekeeper.began)
        # Without such a quota it is soon enough at the end.
        if engine and relay.usage.quota.cpu_seconds is not None:
            self.charge(relay, engine)

    def charge(self, relay: Relay, engine: RunningEngine) -> None:
        """Count the CPU time that an engine has used since this was last called."""
        used = engine.cpu_seconds()
        relay.totals.used(used)
        if relay.usage.quota.cpu_seconds is not None:
            relay.usage.spend(used, self._loop.time())

    def control(self, relay: Relay, hello: Hello) -> None:
        """Do what a client asks of the server itself."""
        self._reception.control(relay, hello)

    def detached(self, relay: Relay) -> bool:
        """Say whether a session is kept, though its connection is lost."""
        may_return = self._finishing or not self._draining
        return may_return and self._registry.leave(relay, self._loop.time())

    def over(self, relay: Relay) -> None:
        """Take note that a session is over: nobody can come back to it."""
        if self._draining:
            why = Close.RESTART, *SHUTTING_DOWN
        else:
            why = Close.ROOM, Code.ROOM_CLOSED, "the session has ended"
        self.rooms.close(relay, *why)
        self._registry.forget(relay)
        relay.usage.sessions.discard(relay)

    def ended(self, relay: Relay) -> None:
        """Take note that a session is over, and its engine gone."""
        if relay not in self.relays:
            return
        self._log_end(relay)
        self.relays.discard(relay)
        del self._served_by[relay]
        self.tally.session_over(relay.totals, relay.session.notices)
        self._steward.leave(relay, self._loop.time())
        self._see_whether_empty()

    # --- within

    def _log_end(self, relay: Relay) -> None:
        totals = relay.totals
        totals.lines_heard = relay.lines_heard
        fields = {
            "seconds": round(self._loop.time() - totals.began, 3),
            "lines_heard": totals.lines_heard,
            "lines_told": totals.lines_told,
            "searches": totals.searches,
            "search_seconds": round(totals.search_seconds, 3),
            "cpu_seconds": round(totals.cpu_seconds, 2),
            "engine_deaths": totals.engine_deaths,
        }
        logger.info(
            "session %s of %s ended: %s",
            relay.number,
            relay.account.name,
            ", ".join(f"{name} {value:g}" for name, value in fields.items()),
            extra=about(**relay.fields, **fields),
        )

    def _admit(self, relay: Relay) -> None:
        relay.admitted = True
        relay.usage.sessions.add(relay)
        if len(self.relays) > min(self.config.connections.total, self.machine.sessions):
            self.end_longest_left()

    def _objection(self, account: Account, usage: Usage) -> Refusal | None:
        """Say why an account may not have one more session.

        Before a client is refused, a session that has lost its connection makes room; or as many
        as it takes, where the quota was made smaller.  None ends if the client is refused anyway.
        """
        if self._draining:
            return SHUTTING_DOWN
        now = self._loop.time()
        refusal = _objection(account, usage, now)
        if refusal and refusal[0] is Code.QUOTA_SESSIONS and not usage.objection_to_search(now):
            left = self._registry.left(account.name)
            if len(left) >= usage.surplus:
                for relay in left[: usage.surplus]:
                    _make_room(relay)
                refusal = None
        return refusal

    def _decide(self, relay: Relay) -> None:
        """Count or refuse a connection that was let in to come back to a session, and has not."""
        if not relay.is_over and (refusal := self.admit(relay)):
            relay.refuse(refusal)

    def _tick(self) -> None:
        """Look after all sessions, now and again."""
        now = self._loop.time()
        deaf, self._ticked = now - self._ticked > STILL, now
        self._ticking = self._loop.call_later(TICK, self._tick)
        self.each(lambda relay: relay.tick(now, deaf=deaf))
        self._steward.look(self.relays, now)
        if not deaf:
            self.rooms.look(now)
        self.fleet.look()
        self._see_to_descriptors(now)
        for relay in self._registry.expired(now):
            logger.info("session %s expired", relay.number, extra=about(**relay.fields))
            relay.vanish()

    def _see_to_descriptors(self, now: float) -> None:
        if not self.machine.is_short():
            self._shortage.over()
        elif self.end_longest_left() and (text := self._shortage.again(SHORTAGE, now)):
            logger.warning("%s", text)


def _make_room(relay: Relay) -> None:
    """End a session that has no connection."""
    text = "session %d has no connection, and makes room for another"
    logger.info(text, relay.number, extra=about(**relay.fields))
    relay.vanish()


def _objection(account: Account, usage: Usage, now: float) -> Refusal | None:
    """Say why an account may not open one more session."""
    if account == VISITOR:
        return Code.UNAUTHORIZED, "without a token you may only watch: 'rookery room watch NAME'"
    return usage.objection_to_session(now)


def _patience(config: Config) -> Patience:
    sessions = config.sessions
    return Patience(sessions.stop_timeout, sessions.ready_timeout, config.server.start_timeout)
