"""Engines of a host for the analysis of games: of this machine, or of a Ray cluster."""

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

from rookery_analysis.engine_conversation import (
    START_PATIENCE,
    EngineConversation,
    FaultyEngineError,
    UnreachableEngineError,
)
from rookery_analysis.engine_supply import EngineSettings, ReadyEngine
from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import disowned
from rookery_server.cluster.ray_host import RayEngineHost
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import Size
from rookery_server.config.sections import RayConfig
from rookery_server.engines.engine_build import Build
from rookery_server.engines.process_engine import LocalEngineHost
from rookery_server.engines.running_engine import EngineHost, EngineSpec, RunningEngine
from rookery_server.scheduling import machine_resources

# As Ray itself looks for it: https://docs.ray.io/en/latest/ray-security/token-auth.html
TOKEN_VARIABLE = "RAY_AUTH_TOKEN_PATH"  # noqa: S105  # its name
USUAL_TOKEN = ".ray/auth_token"  # noqa: S105  # in the home folder

_END_TIMEOUT = 5.0  # s in which all engines are gone: they were killed
_PLACE_TIMEOUT = 10.0  # s without a place, after which the operator is told


class HostedEngine(ReadyEngine):
    """An engine of a host, with what it says; its `build` is known when it is set up."""

    build: Build
    engine: RunningEngine

    def __init__(self, patience: float, on_end: Callable[[RunningEngine], None]) -> None:
        conversation = EngineConversation(
            lambda piece: self.engine.send_lines(piece),
            patience,
            pause_reading=lambda seconds: self.engine.pause_for(seconds),
            has_engine=lambda: self.engine.has_started,
        )
        super().__init__(conversation, lambda: self.engine.kill())
        self._on_end = on_end

    def engine_said(self, piece: bytes) -> None:
        """Read whole lines; none of them may pass for a server's."""
        self.conversation.receive(disowned(piece))

    def engine_ended(self, reason: str) -> None:
        """End the conversation."""
        self._on_end(self.engine)
        is_lost = self.engine.is_lost
        self.conversation.end(
            UnreachableEngineError(reason) if is_lost else FaultyEngineError(reason)
        )


class HostedEngines:
    """A source of engines that a host starts.

    The engines of a cluster have their threads and memory reserved for them.
    """

    def __init__(
        self,
        engine: EngineConfig,
        settings: EngineSettings,
        cluster: RayConfig | None,
        *,
        report: Callable[[str], None],
    ) -> None:
        """Create a source.

        Args:
            engine: the engine.
            settings: the options of each engine.
            cluster: where engines run; None for this machine.
            report: shows a sentence to the operator.

        Raises:
            ConfigError: the settings do not say what is to be reserved on the cluster.

        """
        size = Size(settings.number("Threads"), settings.number("Hash")) if cluster else None
        self._spec = EngineSpec(engine.name, engine.command, engine.build, size=size)
        self._settings = settings
        self._report = report
        local = LocalEngineHost(quiet=True)
        self._ray = RayEngineHost(cluster, local) if cluster else None
        # Each is opened after the one that it needs, and the last one has the engines.
        self._hosts: list[EngineHost] = [local, self._ray] if self._ray else [local]
        self._running: set[RunningEngine] = set()
        self._opened = AsyncExitStack()

    @property
    def capacity(self) -> int:
        """The number of engines for which there are CPUs."""
        if self._ray and self._spec.size:
            return max(1, self._ray.cpus // self._spec.size.threads)
        return available_cpus()

    async def open(self) -> None:
        """Prepare the hosts."""
        for host in self._hosts:
            # First, because a host whose opening was cut short has to be closed, too.
            self._opened.push_async_callback(host.close)
            await host.open()

    async def close(self) -> None:
        """Kill all engines that are left, and close the hosts."""
        for engine in list(self._running):
            engine.kill()
        async with asyncio.timeout(_END_TIMEOUT):
            await self._opened.aclose()

    async def acquire(self) -> HostedEngine:
        """Start an engine; if there is no place for one, wait for it."""
        hosted = HostedEngine(self._settings.patience, self._running.discard)
        try:
            hosted.engine = engine = self._hosts[-1].start(self._spec, hosted)
        except ConnectionError as error:
            raise UnreachableEngineError(f"{error.strerror}") from error
        except OSError as error:
            command = " ".join(self._spec.command)
            raise ConfigError(f"{command} cannot be started: {error.strerror}") from error
        self._running.add(engine)
        timer = asyncio.get_running_loop().call_later(_PLACE_TIMEOUT, self._report_wait, engine)
        try:
            await self._settings.apply(hosted.conversation)
            async with asyncio.timeout(START_PATIENCE):
                files = await engine.known_files()
        except TimeoutError as error:
            engine.kill()
            raise FaultyEngineError(
                f"its files are not read within {START_PATIENCE:g} s"
            ) from error
        except BaseException:
            engine.kill()
            raise
        finally:
            timer.cancel()
        hosted.build = Build(hosted.conversation.identity.name, engine.words, files)
        return hosted

    def _report_wait(self, engine: RunningEngine) -> None:
        if not engine.has_started:
            self._report("there is no place for one more engine at the moment: it is waited for")


def available_cpus() -> int:
    """Return the number of CPUs of this machine that the process may use."""
    return machine_resources.threads(machine_resources.ROOT, machine_resources.affinity())


def cluster_at(
    address: str, *, token: Path | None, listen: str | None, known: RayConfig | None
) -> RayConfig:
    """Return the cluster at an address, after a check that it can be used here.

    Args:
        address: `HOST:PORT` of its head.
        token: the file with its token; None for the place where Ray itself would look.
        listen: the address of this machine for its nodes; None for the one from
            which this machine reaches the head.
        known: the configuration's cluster, for what is not given.

    Raises:
        ConfigError: it cannot be used.

    """
    usual = Path(os.environ.get(TOKEN_VARIABLE) or Path.home() / USUAL_TOKEN)
    token = token or (known and known.token) or usual
    listen = listen or (known and known.listen) or _own_address_towards(address)
    found = RayConfig(address, token, listen, known.port if known else 0)
    found.check_usable()
    return found


def _own_address_towards(address: str) -> str:
    """Return the address of this machine from which it would reach another."""
    host, _, port = address.rpartition(":")
    try:
        (family, _, _, _, there), *_ = socket.getaddrinfo(
            host.strip("[]"), int(port), type=socket.SOCK_DGRAM
        )
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect(there)  # of UDP: nothing is sent
            return str(way.getsockname()[0])
    except OSError as error:
        raise ConfigError(f"--ray: there is no way to {address}: {error.strerror}") from error
