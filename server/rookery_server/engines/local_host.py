"""The engines of this machine: the host that a server has unless it is told of another."""

import asyncio

from rookery_server.engines.base import EngineSpec, Listener
from rookery_server.engines.local_process import EngineProcess
from rookery_server.engines.reaper import Reaper
from rookery_server.engines.stderr_log import StderrLog


class LocalEngines:
    """Starts engines as processes; what they complain of goes to the log, or nowhere."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Make it; `quiet` is that nobody wants to know what engines complain of."""
        self._quiet = quiet
        self._stderr: dict[str, StderrLog] = {}  # one for all engines of a name
        self._reaper: Reaper

    async def open(self) -> None:
        """Listen for the ends of processes from now on."""
        self._reaper = Reaper(asyncio.get_running_loop())

    def start(self, spec: EngineSpec, listener: Listener) -> EngineProcess:
        """Start a process.

        Raises:
            OSError: the program cannot be started.

        """
        if self._quiet:
            return EngineProcess(spec, listener, self._reaper)
        if spec.name not in self._stderr:
            self._stderr[spec.name] = StderrLog(spec.name)
        stderr = self._stderr[spec.name].writing
        return EngineProcess(spec, listener, self._reaper, stderr=stderr)

    async def close(self) -> None:
        """Wait until every process is gone."""
        await self._reaper.wait_until_none()
        self._reaper.close()
        for log in self._stderr.values():
            log.close()
