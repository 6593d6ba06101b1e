"""Engines of this machine, for workers."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rookery_server.batch.seat import Seat, Setup
from rookery_server.batch.talk import FaultError, Talk
from rookery_server.config import EngineConfig
from rookery_server.engines.build import Build
from rookery_server.engines.engine import EngineSpec
from rookery_server.engines.process import EngineProcess, Reaper
from rookery_server.errors import ConfigError

_LEAVING = 5.0  # s in which all engines are gone, for they are made to


class LocalSeats:
    """Starts engines, and sees them off."""

    def __init__(self, engine: EngineConfig, setup: Setup, patience: float) -> None:
        self._engine = engine
        self._setup = setup
        self._patience = patience

    async def __aenter__(self) -> Self:
        self._reaper = Reaper(asyncio.get_running_loop())
        self._running: set[EngineProcess] = set()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._running:
            process.end() if error is None else process.kill()
        try:
            async with asyncio.timeout(_LEAVING):
                await self._reaper.wait_until_none()
        finally:
            self._reaper.close()

    async def take(self) -> Seat:
        """Start an engine."""
        listener = _Listener(self._patience)
        spec = EngineSpec(self._engine.name, self._engine.command, self._engine.build)
        try:
            process = EngineProcess(spec, listener, self._reaper)
        except OSError as error:
            command = " ".join(self._engine.command)
            raise ConfigError(f"{command} cannot be started: {error.strerror}") from error
        self._running.add(process)
        listener.process = process
        listener.on_end = lambda: self._running.discard(process)
        try:
            await self._setup.apply(listener.talk)
        except (FaultError, ConfigError, asyncio.CancelledError):
            process.kill()
            raise
        build = Build(listener.talk.answer.name, process.words, process.files)
        return Seat(listener.talk, process.kill, build)


class _Listener:
    """Hears the process for the talk."""

    process: EngineProcess

    def __init__(self, patience: float) -> None:
        self.talk = Talk(lambda piece: self.process.tell(piece), patience, self._leave_alone)
        self.on_end: Callable[[], None] = lambda: None

    def _leave_alone(self, seconds: float) -> None:
        self.process.pause()
        asyncio.get_running_loop().call_later(seconds, self.process.resume)

    def engine_said(self, piece: bytes) -> None:
        """Take whole lines."""
        self.talk.hear(piece)

    def engine_ended(self, reason: str) -> None:
        """Take note that the process is gone."""
        self.on_end()
        self.talk.ended(FaultError(reason))
