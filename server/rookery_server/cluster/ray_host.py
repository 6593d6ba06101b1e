"""The host of engines on a Ray cluster, which knows nothing of Ray itself.

A driver in a child process has Ray start one actor for each engine (driver.py), and each actor
connects its engine with a listener of this machine (node_listener.py).  Ray decides where an
engine is placed, and notices when a node is lost; to its session it is then an engine that has
died.
"""

import asyncio
import contextlib
import errno
import json
import logging
import sys
from itertools import count

from rookery_protocol.errors import ConfigError
from rookery_server.cluster.engine_actor import StartOrder
from rookery_server.cluster.node_listener import NodeListener
from rookery_server.config.engines import RAY_SIZE, ResourceLimits
from rookery_server.config.sections import RayConfig
from rookery_server.engines.process_engine import LocalEngineHost
from rookery_server.engines.running_engine import EngineListener, EngineSpec, RunningEngine
from rookery_server.engines.socket_engine import SocketEngine
from rookery_server.log import Repetition

logger = logging.getLogger(__name__)

RETRY_AFTER = 5.0  # s after which a cluster that could not be joined is tried again
BESIDE_HASH = 128  # MiB that an engine takes besides its hash, set aside with it
JOIN_TIMEOUT = 30.0  # s for the driver to join the cluster when the server starts


class RayEngineHost:
    """The host of a cluster's engines; `local` runs the driver.

    `cpus` is how many the nodes had for engines when it was joined; 0 before that.
    """

    def __init__(self, config: RayConfig, local: LocalEngineHost) -> None:
        self.cpus = 0
        self._config = config
        self._listener = NodeListener()
        self._local = local
        self._driver: RunningEngine | None = None
        self._numbers = count(1)
        self._engines: dict[int, SocketEngine] = {}
        self._trouble = ""  # why the last driver could not join
        self._repetition = Repetition()  # of that, in the log
        self._tried = 0.0  # when
        self._joined = asyncio.Event()  # or the driver has failed to
        self._emptied = asyncio.Event()
        self._emptied.set()

    async def open(self) -> None:
        """Listen, and join the cluster; if that fails, engines cannot be started until it does."""
        config = self._config
        try:
            await self._listener.open(config.listen, config.port)
        except OSError as error:
            raise ConfigError(
                f"ray.listen: cannot listen on {config.listen} port {config.port}: {error}"
            ) from error
        self._join()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(JOIN_TIMEOUT):
                await self._joined.wait()

    def start(self, spec: EngineSpec, listener: EngineListener) -> SocketEngine:
        """Have an engine started; lines that are sent to it meanwhile wait.

        Raises:
            ConnectionError: the cluster could not be joined a moment ago.

        """
        now = asyncio.get_running_loop().time()
        if self._driver is None and self._trouble and now - self._tried < RETRY_AFTER:
            raise ConnectionError(errno.EHOSTUNREACH, self._trouble)
        driver = self._driver or self._join()
        number = next(self._numbers)
        engine = SocketEngine(
            spec.words, listener, name=spec.name, on_gone=lambda _: self._engine_gone(number)
        )
        self._engines[number] = engine
        self._emptied.clear()
        size = spec.size or RAY_SIZE
        order = StartOrder(
            number=number,
            command=spec.command,
            words=spec.words,
            limits=spec.limits,
            threads=size.threads,
            memory=(size.hash_mb + BESIDE_HASH) << 20,
            host=self._config.listen,
            port=self._listener.port,
            token=self._listener.expect(engine),
        )
        driver.send_lines(f"{order}\n".encode())
        return engine

    async def close(self) -> None:
        """Wait until every engine is gone; each has been asked to end."""
        await self._emptied.wait()
        if self._driver:
            self._driver.end()
        await self._listener.close()

    # --- as the driver's listener

    def engine_said(self, piece: bytes) -> None:
        """Receive reports of the driver."""
        for line in piece.decode().splitlines():
            match json.loads(line):
                case {"cpus": int(cpus)}:
                    logger.info("joined the Ray cluster at %s", self._config.address)
                    self.cpus = cpus
                    self._trouble = ""
                    self._repetition.over()
                    self._joined.set()
                case {"failed": str(reason)}:
                    self._trouble = f"the Ray cluster cannot be joined: {reason}"
                    self._tried = asyncio.get_running_loop().time()
                case {"lost": int(number), "reason": str(reason)} if number in self._engines:
                    self._engines[number].fail(reason)

    def engine_ended(self, reason: str) -> None:
        """Give up the engines that wait: the driver is gone, and the next engine has another."""
        driver, self._driver = self._driver, None
        self._joined.set()
        if driver and not driver.asked_to_end:
            trouble = self._trouble or f"the driver of the Ray cluster is gone: {reason}"
            if text := self._repetition.again(trouble, asyncio.get_running_loop().time()):
                logger.warning("%s: %s", self._config.address, text)
            for engine in list(self._engines.values()):
                if not engine.has_started:
                    engine.fail(trouble)

    # --- within

    def _join(self) -> RunningEngine:
        """Start a driver."""
        program = (sys.executable, "-m", "rookery_server.cluster.driver")
        command = (*program, self._config.address, str(self._config.token))
        self._driver = self._local.start(
            EngineSpec("ray", command, limits=ResourceLimits(nice=0)), self
        )
        return self._driver

    def _engine_gone(self, number: int) -> None:
        engine = self._engines.pop(number)
        self._listener.expect_no_more(engine)
        if self._driver:
            self._driver.send_lines(b'{"stop": %d}\n' % number)
        if not self._engines:
            self._emptied.set()
