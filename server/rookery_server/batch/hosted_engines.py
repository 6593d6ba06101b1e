"""Engines of a host, for workers: of this machine, or of a Ray cluster."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack

from rookery_analysis.engine_source import Seat, Setup
from rookery_analysis.uci_conversation import START_PATIENCE, FaultError, LostError, Talk
from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import disowned
from rookery_server.cluster.ray_host import RayEngineHost
from rookery_server.config.machines import RayConfig
from rookery_server.engines.engine_build import Build
from rookery_server.engines.process_engine import LocalEngineHost
from rookery_server.engines.running_engine import EngineHost, EngineSpec, RunningEngine
from rookery_server.scheduling import machine_resources

_LEAVING = 5.0  # s in which all engines are gone, for they are made to
_PLACED = 10.0  # s without a place, after which people are told


class HostSeats:
    """Has engines started by a host, and sees them off.

    Hosts are opened in their order, and the last one has the engines: it may need those
    before it.
    """

    def __init__(
        self,
        hosts: Sequence[EngineHost],
        spec: EngineSpec,
        setup: Setup,
        *,
        patience: float,
        note: Callable[[str], None],
    ) -> None:
        """Make it.

        Args:
            hosts: who has the engines, after those whom he needs.
            spec: what is started.
            setup: what each engine is told first.
            patience: s that one has for a position.
            note: takes what people may want to know.

        """
        self._hosts = hosts
        self._spec = spec
        self._setup = setup
        self._patience = patience
        self._note = note
        self._running: set[RunningEngine] = set()
        self._opened = AsyncExitStack()

    @property
    def room(self) -> int:
        """For how many engines there are CPUs."""
        return machine_resources.threads(machine_resources.ROOT, machine_resources.affinity())

    async def open(self) -> None:
        """Be ready to start engines."""
        for host in self._hosts:
            # First, for what is cut short has to be seen off, too.
            self._opened.push_async_callback(host.close)
            await host.open()

    async def close(self) -> None:
        """End all engines that are left, at once."""
        for engine in list(self._running):
            engine.kill()
        async with asyncio.timeout(_LEAVING):
            await self._opened.aclose()

    async def take(self) -> Seat:
        """Start an engine; where there is no place for one, wait for it."""
        listener = _Listener(self._patience, self._running.discard)
        try:
            engine = self._hosts[-1].start(self._spec, listener)
        except ConnectionError as error:
            raise LostError(f"{error.strerror}") from error
        except OSError as error:
            command = " ".join(self._spec.command)
            raise ConfigError(f"{command} cannot be started: {error.strerror}") from error
        listener.engine = engine
        self._running.add(engine)
        timer = asyncio.get_running_loop().call_later(_PLACED, self._tell_of_waiting, engine)
        try:
            await self._setup.apply(listener.talk)
            async with asyncio.timeout(START_PATIENCE):
                files = await engine.known_files()
        except TimeoutError as error:
            engine.kill()
            raise FaultError(f"its files are not read within {START_PATIENCE:g} s") from error
        except BaseException:
            engine.kill()
            raise
        finally:
            timer.cancel()
        build = Build(listener.talk.answer.name, engine.words, files)
        return Seat(listener.talk, engine.kill, build)

    def _tell_of_waiting(self, engine: RunningEngine) -> None:
        if not engine.has_come:
            self._note("there is no place for one more engine at the moment: it is waited for")


class LocalSeats(HostSeats):
    """Engines of this machine."""

    def __init__(
        self, spec: EngineSpec, setup: Setup, *, patience: float, note: Callable[[str], None]
    ) -> None:
        super().__init__([LocalEngineHost(quiet=True)], spec, setup, patience=patience, note=note)


class RaySeats(HostSeats):
    """Engines of a cluster, each with what `spec.size` says set aside for it."""

    def __init__(
        self,
        cluster: RayConfig,
        spec: EngineSpec,
        setup: Setup,
        *,
        patience: float,
        note: Callable[[str], None],
    ) -> None:
        local = LocalEngineHost(quiet=True)  # for the driver
        self._cluster = RayEngineHost(cluster, local)
        self._threads = spec.size.threads if spec.size else 1
        super().__init__([local, self._cluster], spec, setup, patience=patience, note=note)

    @property
    def room(self) -> int:
        """For how many engines the cluster had CPUs when it was joined."""
        return max(1, self._cluster.cpus // self._threads)


class _Listener:
    """Hears an engine for the talk."""

    engine: RunningEngine

    def __init__(self, patience: float, on_end: Callable[[RunningEngine], None]) -> None:
        self.talk = Talk(
            lambda piece: self.engine.tell(piece),
            patience,
            doze=lambda seconds: self.engine.look_away(seconds),
            is_there=lambda: self.engine.has_come,
        )
        self._on_end = on_end

    def engine_said(self, piece: bytes) -> None:
        """Take whole lines, none of them a server's."""
        self.talk.hear(disowned(piece))

    def engine_ended(self, reason: str) -> None:
        """Take note that the engine is gone."""
        self._on_end(self.engine)
        self.talk.ended(LostError(reason) if self.engine.is_lost else FaultError(reason))
