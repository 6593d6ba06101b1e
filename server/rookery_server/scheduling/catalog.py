"""The engines of a server, by name: spare ones, what each offers, and where they complain."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from weakref import WeakSet

from rookery_protocol.engine_names import group_of
from rookery_protocol.errors import ConfigError, RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.cluster.ray_host import RayEngineHost
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import LOCAL, Quota, Size
from rookery_server.config.sections import Stock
from rookery_server.engines.offered_options import OfferedOptions
from rookery_server.engines.pool import Pool
from rookery_server.engines.process_engine import LocalEngineHost
from rookery_server.engines.running_engine import (
    EngineHost,
    EngineListener,
    EngineSpec,
    RunningEngine,
)
from rookery_server.engines.starting_engine import PER_CPU, StartLimiter
from rookery_server.log import about
from rookery_server.scheduling.fair_queue import Budget
from rookery_server.scheduling.joined_catalog import JoinedPools
from rookery_server.scheduling.machine_resources import DESCRIPTORS_PER_SESSION, SHORT, Machine

logger = logging.getLogger(__name__)

MAX_OFFERS = 1000  # that are remembered: one for each engine and ceiling
SPARE_SHARE = 16  # of the memory is for spare engines that are more than asked for
_LONGEST_NAME = 130  # characters of a name that a refusal repeats: an engine's, and its account's
_LISTED = 2000  # characters of the names that a refusal lists
COMMON_HASH = 16  # MiB that most engines have by themselves


class Fleet:
    """Pools of engines that start through one gate.

    `sessions` says how many sessions there are; `make_room` ends one without a client,
    if there is one: it is asked when an engine cannot be started.
    """

    def __init__(
        self,
        config: Config,
        machine: Machine,
        budget: Budget,
        *,
        sessions: Callable[[], int],
        make_room: Callable[[], object],
    ) -> None:
        self.pools: dict[str, Pool] = {}
        self._config = config
        self._machine = machine
        self._budget = budget
        self._sessions = sessions
        self._make_room = make_room
        self._gate = StartLimiter(PER_CPU * machine.threads)
        self.joined = JoinedPools(config, self._forget_offers)
        self._local = LocalEngineHost()
        self._ray = RayEngineHost(config.ray, self._local) if config.ray else None
        self._hosting = contextlib.AsyncExitStack()
        # Of engines that are offered no more: as long as sessions or engines know them.
        self._retired: WeakSet[Pool] = WeakSet()
        # What is offered, or why it cannot be; so that is logged once.
        self._offers: dict[tuple[str, Size], OfferedOptions | str] = {}

    @property
    def has_engine(self) -> bool:
        """True if a session can have any engine now, as far as is known."""
        return bool(self.joined.pools) or not all(map(self.trouble, self.pools))

    def spares(self) -> dict[str, int]:
        """Return how many spare engines of each name are ready, of this machine's."""
        return {name: pool.spares for name, pool in self.pools.items()}

    def engines_for(self, account: Account) -> list[EngineConfig]:
        """Return the engines on offer that an account may use, the default one first."""
        joined = self.joined.names_for(account)
        return [*self._config.engines, *(EngineConfig(name, ()) for name in joined)]

    def engine_for(self, account: Account, name: str | None) -> EngineConfig:
        """Return an engine on offer; None is the default engine.

        Raises:
            RefusedError: there is none of that name for this account, or not now.

        """
        if engine := self._config.engine(name):
            return engine
        name = name or ""
        if self.joined.allows(name, account):
            return EngineConfig(name, ())
        offered = ", ".join(each.name for each in self.engines_for(account))
        if len(offered) > _LISTED:
            offered = f"{offered[:_LISTED].rpartition(',')[0]} and more"
        asked = repr(name[:_LONGEST_NAME])
        if group_of(name) and name not in self.joined.pools:
            raise RefusedError(
                Code.ENGINE_AWAY, f"no machine offers {asked} now; there are: {offered}"
            )
        raise RefusedError(Code.UNKNOWN_ENGINE, f"there is no engine {asked}; there are: {offered}")

    def cpus_of(self, name: str, machine: int) -> int:
        """Return how many CPUs there are for an engine, `machine` of them on this one."""
        if group := group_of(name):
            return self.joined.machines.capacity_of(group).size.threads
        engine = self._config.engine(name)
        return self._ray.cpus if self._ray and engine and engine.ray else machine

    def pool(self, name: str) -> Pool:
        """Return where an engine on offer comes from."""
        return self.pools[name] if name in self.pools else self.joined.pools[name]

    async def open(self) -> None:
        """Start the spare engines; return when one of each name has answered, or has failed."""
        async with contextlib.AsyncExitStack() as stack:
            # Each may use those before it.
            hosts: tuple[EngineHost | None, ...] = self.joined.machines, self._local, self._ray
            for host in filter(None, hosts):
                await host.open()
                stack.push_async_callback(host.close)
            self._hosting = stack.pop_all()
        self.pools |= await self._opened(self._config, self._config.engines)
        self._check_offers()

    async def reconfigure(self, config: Config) -> None:
        """Apply another configuration: a session that has an engine keeps it.

        It holds when its engines have answered, and all of it at once: meanwhile clients have
        those of before.
        """
        former = self._config.engines
        new = [engine for engine in config.engines if engine not in former]
        fresh = await self._opened(config, new)
        self._config, self._offers = config, {}
        self.joined.reconfigure(config)
        for engine in former:
            if engine not in config.engines:
                retired = self.pools.pop(engine.name)
                retired.set_stock(Stock(0, 0))
                self._retired.add(retired)
        self.pools |= fresh
        for pool in self.pools.values():
            pool.set_stock(config.sessions.stock)
        self._check_offers()

    def check(self) -> None:
        """Keep as many spare engines as are wanted by now."""
        for name, pool in self.pools.items():
            if pool.trouble and not pool.spares and self._budget.has_place(name):
                pool.start_first()  # Though none asks: as long as it fails, no client is sent here.
            pool.adjust()
        self.joined.check(asyncio.get_running_loop().time())

    def retire(self) -> None:
        """End the spare engines; no more come."""
        for pool in (*self.pools.values(), *self._retired):
            pool.close()
        self.joined.retire()

    async def close(self) -> None:
        """Wait until every engine is gone."""
        await self._hosting.aclose()

    def trouble(self, name: str) -> str:
        """Return why an engine cannot be used; nothing if it can."""
        pool = self.pool(name)
        try:
            self._make_offer(self._config.engine(name) or EngineConfig(name, ()), LOCAL)
        except ConfigError as error:
            return str(error)
        return "" if pool.spares else pool.trouble

    def offer(self, engine: EngineConfig, quota: Quota) -> OfferedOptions:
        """Return what an account of that quota has of an engine.

        Raises:
            RefusedError: it cannot be used.

        """
        try:
            return self._make_offer(engine, quota)
        except ConfigError as error:
            raise RefusedError(
                Code.ENGINE_FAILED, f"engine {engine.name} cannot be used: {error}"
            ) from error

    def _make_offer(self, engine: EngineConfig, quota: Quota) -> OfferedOptions:
        pool = self.pool(engine.name)
        if pool.answer is None:
            raise ConfigError(pool.trouble)
        key = engine.name, quota.each
        if key not in self._offers:
            if len(self._offers) > MAX_OFFERS:
                self._offers.clear()
            most = quota.each.within(engine.most)
            if not pool.group:  # A machine that has joined shows itself what it has.
                most = most.within(self._budget.total)
            try:
                self._offers[key] = OfferedOptions(pool.answer, engine.policy, most)
            except ConfigError as error:
                fields = about(engine=engine.name, reason=str(error))
                logger.warning("engine %s: %s", engine.name, error, extra=fields)
                self._offers[key] = str(error)
        offer = self._offers[key]
        if isinstance(offer, str):
            raise ConfigError(offer)
        return offer

    def _forget_offers(self, name: str) -> None:
        """Forget the offers of an engine, which may answer otherwise from now on."""
        self._offers = {key: offer for key, offer in self._offers.items() if key[0] != name}

    def _check_offers(self) -> None:
        """Log what the operator says of options that the engines do not have."""
        for name in self.pools:
            self.trouble(name)

    async def _opened(self, config: Config, engines: Iterable[EngineConfig]) -> dict[str, Pool]:
        pools = {engine.name: self._pool(config, engine) for engine in engines}
        try:
            async with asyncio.TaskGroup() as tasks:
                for pool in pools.values():
                    tasks.create_task(pool.open(), name=f"start {pool.name}")
        except BaseException:  # The server is to end meanwhile.
            for pool in pools.values():
                pool.close()
            raise
        return pools

    def _pool(self, config: Config, engine: EngineConfig) -> Pool:
        beside = engine.build if config.cache.enabled else ()
        spec = EngineSpec(engine.name, engine.command, beside, engine.limits, engine.most)
        host: EngineHost = self._ray if engine.ray and self._ray else self._local

        def start(listener: EngineListener) -> RunningEngine:
            try:
                return host.start(spec, listener)
            except OSError as error:
                if error.errno in SHORT:
                    self._make_room()
                raise

        return Pool(
            engine.name,
            start,
            config.sessions.stock,
            self._gate,
            patience=config.server.start_timeout,
            reuse=engine.reuse,
            room=self._room_for_spares,
            changed=self._forget_offers,
            is_here=not engine.ray,
            left=lambda: self._budget.left(engine.name),
        )

    def _room_for_spares(self, pool: Pool) -> int:
        """Return how many spare engines the machine has room for: what else has it comes first."""
        free = self._budget.free
        pools = max(1, len(self.pools))
        memory = self._machine.memory_mb // SPARE_SHARE // pools
        if free.memory_mb is not None:
            memory = min(memory, free.memory_mb)
        descriptors = self._machine.spare(self._sessions()) // DESCRIPTORS_PER_SESSION // pools
        return min(free.threads, free.hash_mb // COMMON_HASH, memory // pool.memory_mb, descriptors)
