"""The pools of engines that joined machines offer: they come, are away for a while, and go.

Nothing of theirs is started before it is asked for, but once to hear what the engine
says to `uci`.  They start through gates of their own: a machine that is slow, or means harm,
holds up only those that want its engines.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from weakref import WeakValueDictionary

from rookery_protocol.engine_names import group_of
from rookery_protocol.errors import Refusal
from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.config.config import Config
from rookery_server.config.sections import Stock
from rookery_server.engines.pool import Pool, Presence
from rookery_server.engines.running_engine import EngineSpec
from rookery_server.engines.starting_engine import StartLimiter
from rookery_server.joined.joined_host import JoinedEngineHost
from rookery_server.log import about

logger = logging.getLogger(__name__)

GATE = 8  # engines of one group that start at a time: they are on their way for some round trips
TRY_AGAIN = 60.0  # s until an engine that did not answer is tried again
NO_STOCK = Stock(0, 0)


class JoinedPools:
    """Pools by the names of joined engines; those on offer are in `pools`.

    `changed` is called with a name whose engine may be another one now.
    """

    def __init__(self, config: Config, changed: Callable[[str], None]) -> None:
        self.machines = JoinedEngineHost(config.machines, self._update_offers)
        self.pools: dict[str, Pool] = {}  # whose engines have answered
        self._config = config
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._gates: dict[str, StartLimiter] = {}  # by group
        # Those whose engines have not answered yet, and when they were asked for that last.
        self._opening: dict[str, tuple[Pool, float]] = {}
        self._away: dict[str, float] = {}  # until when those that are away are waited for
        # Sessions may still know a pool that is gone: if it comes back it is the same.
        self._known: WeakValueDictionary[str, Pool] = WeakValueDictionary()
        self._closed = False

    def allows(self, name: str, account: Account) -> bool:
        """Return whether an account may use an engine on offer."""
        return name in self.pools and self.machines.allows(name, account)

    def names_for(self, account: Account) -> list[str]:
        """Return the engines on offer that an account may use."""
        return sorted(name for name in self.pools if self.machines.allows(name, account))

    def delay_of(self, pool: Pool) -> Refusal | None:
        """Return why an engine of a pool comes later: its machine is lost, or has no place."""
        if pool.is_put_off:
            text = f"the machines with {pool.name} have enough to do: an engine comes as one ends"
            return Code.WAITING, text
        if pool.presence is Presence.AWAY and (until := self._away.get(pool.name)):
            seconds = max(0.0, until - self._loop.time())
            text = (
                f"the machine with {pool.name} is lost: it is waited for, {seconds:.0f} s at most"
            )
            return Code.ENGINE_AWAY, text
        return None

    def reconfigure(self, config: Config) -> None:
        """Take another configuration."""
        self._config = config
        self.machines.config = config.machines

    def check(self, now: float) -> None:
        """Check which machines are silent, which engines have answered, and which are gone."""
        self.machines.drop_silent(now)
        for name, (pool, asked) in list(self._opening.items()):
            if pool.answer:
                self._offer_pool(name, pool, pool.answer.name)
            elif pool.trouble:
                trouble, pool.trouble = pool.trouble, ""
                self.machines.report_trouble(name, trouble)
            elif now - asked > TRY_AGAIN:
                self._open(name, pool)
        for name, until in list(self._away.items()):
            if now >= until:
                self._give_up(name)
        for pool in list(self.pools.values()):
            pool.adjust()

    def retire(self) -> None:
        """Start no more."""
        self._closed = True
        for pool in list(self._known.values()):
            pool.close()

    # --- within

    def _update_offers(self) -> None:
        """See which engines are on offer now."""
        if self._closed:
            return
        names = self.machines.names()
        for name in names:
            self._add_engine(name)
        for name in [*self.pools, *self._opening]:
            if name not in names and name not in self._away:
                self._remove_engine(name)

    def _add_engine(self, name: str) -> None:
        self._away.pop(name, None)
        self._changed(name)
        if pool := self.pools.get(name):
            pool.set_presence(Presence.HERE)
        elif name not in self._opening:
            pool = self._known[name] = self._known.get(name) or self._pool(name)
            pool.answer = None
            pool.set_presence(Presence.HERE)
            self._open(name, pool)

    def _open(self, name: str, pool: Pool) -> None:
        self._opening[name] = pool, self._loop.time()
        pool.start_first()

    def _offer_pool(self, name: str, pool: Pool, version: str) -> None:
        """Offer an engine that has answered with its name and version."""
        del self._opening[name]
        self.pools[name] = pool
        logger.info("engine %s is on offer: %s", name, version[:80], extra=about(engine=name))

    def _remove_engine(self, name: str) -> None:
        """Wait for an engine's machine, unless it has said that it goes."""
        if opening := self._opening.pop(name, None):
            opening[0].set_presence(Presence.GONE)
            return
        for_good = group_of(name) in self.machines.left_for_good
        grace = 0.0 if for_good else self._config.machines.grace
        self.pools[name].set_presence(Presence.AWAY)
        self._away[name] = self._loop.time() + grace
        if not grace:
            self._give_up(name)

    def _give_up(self, name: str) -> None:
        del self._away[name]
        pool = self.pools.pop(name)
        pool.set_presence(Presence.GONE)
        logger.info("engine %s is offered no more", name, extra=about(engine=name))

    def _pool(self, name: str) -> Pool:
        start = partial(self.machines.start, EngineSpec(name, ()))
        gate = self._gates.setdefault(group_of(name), StartLimiter(GATE))
        patience = self._config.server.start_timeout
        return Pool(name, start, NO_STOCK, gate, patience=patience, is_here=False)
