"""The engine of one worker, kept from batch to batch for as long as the same is wanted."""

import asyncio
from dataclasses import replace

from rookery_analysis.engine_conversation import FaultyEngineError
from rookery_analysis.engine_supply import EngineSettings, ReadyEngine
from rookery_analysis.worker import STARTS
from rookery_server.access.account import Account
from rookery_server.analysis.session_engines import SessionEngines
from rookery_server.manager import SessionManager

LONGEST_SEARCH = 86_400.0  # s of one position, where no quota says less
MARGIN = 60.0  # s beside such a quota, by which the session itself ends a search


class WorkEngine:
    """An engine that is set up when it is wanted; `set_up_for` says which one that is."""

    def __init__(self, manager: SessionManager) -> None:
        self._manager = manager
        self._wanted: tuple[Account, str, EngineSettings] | None = None
        self._supply: SessionEngines
        self._started: ReadyEngine | None = None
        self._cpu_seen = 0.0  # s of CPU that it had used when that was asked last

    @property
    def ready(self) -> ReadyEngine | None:
        """The present engine, whose end this object has to hear of."""
        started = self._started
        return started and replace(started, release=self.release)

    def set_up_for(self, account: Account, name: str, settings: EngineSettings) -> None:
        """Use another engine from now on, unless the present one will do."""
        now = asyncio.get_running_loop().time()
        quota = self._manager.scheduler.usage_of(account.name, account.role, now).quota
        patience = (quota.longest_search or LONGEST_SEARCH) + MARGIN
        wanted = account, name, replace(settings, patience=patience)
        if wanted != self._wanted:
            self.release()
            self._wanted = wanted
            self._supply = SessionEngines(self._manager, *wanted)

    async def acquire(self) -> ReadyEngine:
        """Return the present engine, or start one.

        Raises:
            ServerError: the engine cannot be had, or not with these options.
            FaultyEngineError: it did not start, several times.
            UnreachableEngineError: there is no room for it now, or it cannot be reached.

        """
        faults = 0
        while (ready := self.ready) is None:
            try:
                self._started = await self._supply.acquire()
                self._cpu_seen = 0.0
            except FaultyEngineError:
                faults += 1
                if faults >= STARTS:
                    raise
        return ready

    def cpu_seconds(self) -> float | None:
        """Return the CPU time of the engine since the last call; None if it cannot be known.

        A search that the engine has begun meanwhile has a part of it.
        """
        total = self._started.cpu_seconds() if self._started else None
        if total is None:
            return None
        used, self._cpu_seen = total - self._cpu_seen, total
        return used

    def release(self) -> None:
        """End the engine, if there is one."""
        if started := self._started:
            self._started = None
            started.release()
