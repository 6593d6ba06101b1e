"""One registered engine, and the searches that it does, one after the other.

The newest is what somebody looks at: one that is under way when another comes is
stopped, and ends with what it has found.
"""

import asyncio
import logging
from collections.abc import Callable

from rookery_bridge.lichess.job_lines import Findings, Script
from rookery_bridge.lichess.provider_engine import Engine, Source
from rookery_protocol.lichess_api import Work

logger = logging.getLogger(__name__)

READY_TIMEOUT = 30.0  # s for `uciok` and `readyok`: a large hash takes a while
MAX_ANSWER = 1 << 20  # bytes to `uci`, as a server has it of engines
STOP_TIMEOUT = 5.0  # s from `stop` to `bestmove`; then the engine is ended

Put = Callable[[bytes], None]


class EngineLostError(Exception):
    """The engine is gone, or answers no more; the text says why."""


class Player:
    """An engine that is started when it is needed, and ended when it has not been for long.

    Searches have numbers, from 1 on, in the order in which they were asked for.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.script = Script()
        self._engine: Engine | None = None
        self._running: asyncio.Task[None] | None = None
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()  # None: the engine is gone
        self._lost = ""
        self._is_up = False  # it has answered `uci`
        self._used_at = 0.0  # s of the loop's clock
        self._turn = asyncio.Lock()
        self._asked = 0  # searches
        self._stopped = 0  # all up to this one are to end
        self._searching = 0  # the one that the engine is at; 0 is none, or one that is stopped
        self._patience = asyncio.timeout(None)

    @property
    def is_busy(self) -> bool:
        """Whether it searches or is about to."""
        return self._turn.locked()

    @property
    def idle(self) -> float:
        """The seconds since the engine was last of use; 0 if it is, or is not up."""
        if self._engine is None or self.is_busy:
            return 0.0
        return asyncio.get_running_loop().time() - self._used_at

    async def start(self) -> None:
        """Start the engine, unless it is up.

        Raises:
            EngineLostError: it cannot be started.

        """
        if self._engine and not self._lost:
            return
        await self.rest()
        self._lost, self._lines, self.script = "", asyncio.Queue(), Script()
        self._is_up = False
        self._engine = self.source.make(self._heard, self._was_lost)
        # It outlives the search that has started it; `rest` ends it.
        self._running = asyncio.create_task(self._run(self._engine), name=f"run {self.source.name}")
        try:
            async with asyncio.timeout(READY_TIMEOUT):
                await self._introduce()
        except TimeoutError as error:
            await self.rest()  # It is not up, and what it has is not known.
            raise EngineLostError(f"it does not answer 'uci' within {READY_TIMEOUT:g} s") from error
        except EngineLostError:
            await self.rest()
            raise
        finally:
            self._used_at = asyncio.get_running_loop().time()

    async def _introduce(self) -> None:
        size = 0
        while not self._is_up:
            line = await self._next()
            size += len(line) + 1
            if size > MAX_ANSWER:
                raise EngineLostError(f"it answers 'uci' with more than {MAX_ANSWER} bytes")
            self._is_up = self.script.introduced(line)

    async def rest(self) -> None:
        """End the engine; it is started again when it is needed."""
        engine, self._engine = self._engine, None
        if (running := self._running) is None:
            return
        if engine:  # Else it is told to end already, and may be at it.
            running.cancel()
        # To await it would raise that it was cancelled, as if this were; or hide that this is.
        await asyncio.wait([running])
        self._running = None
        if not running.cancelled():
            running.result()

    def enter(self) -> int:
        """Ask for a search, whose number is returned; those before it end."""
        self.stop(self._asked)
        self._asked += 1
        return self._asked

    def stop(self, number: int | None = None) -> None:
        """End all searches up to one, or all that were asked for, each with its bestmove."""
        self._stopped = max(self._stopped, self._asked if number is None else number)
        if self._engine and 0 < self._searching <= self._stopped:
            self._searching = 0
            self._engine.send_lines([b"stop"])
            self._patience.reschedule(asyncio.get_running_loop().time() + STOP_TIMEOUT)

    async def search(self, number: int, work: Work, put: Put) -> Findings:
        """Search, and put what goes out: the last is always a bestmove.

        Raises:
            EngineLostError: the engine was lost; what it had found is out.

        """
        findings = Findings()
        async with self._turn:
            try:
                async with asyncio.timeout(None) as self._patience:
                    await self._search(number, work, findings, put)
            except TimeoutError as error:
                await self.rest()
                raise EngineLostError("it does not answer") from error
            except (EngineLostError, asyncio.CancelledError):
                await self.rest()
                raise
            finally:
                if last := findings.ending():
                    put(last)
                self._searching = 0
                self._used_at = asyncio.get_running_loop().time()
        return findings

    async def _search(self, number: int, work: Work, findings: Findings, put: Put) -> None:
        if number <= self._stopped:
            return
        await self.start()
        assert self._engine
        while not self._lines.empty():  # It goes on about a search before this one.
            self._lines.get_nowait()
        loop = asyncio.get_running_loop()
        if lines := self.script.prepare(work):
            self._patience.reschedule(loop.time() + READY_TIMEOUT)
            self._engine.send_lines(lines)
            while await self._next() != b"readyok":
                pass
            self._patience.reschedule(None)
        if number <= self._stopped:  # Meanwhile nobody wants it any more.
            return
        self._searching = number
        self._engine.send_lines(self.script.search(work))
        while not findings.is_over:
            if line := findings.heard(await self._next()):
                put(line)

    # --- the engine

    async def _run(self, engine: Engine) -> None:
        """Run an engine; whatever goes wrong is the end of this one, and of no other."""
        try:
            await engine.run()
        except Exception as error:
            logger.exception("%s: running the engine has failed", self.source.name)
            while isinstance(error, ExceptionGroup):
                error = error.exceptions[0]
            self._was_lost(f"{type(error).__name__}: {error}")

    async def _next(self) -> bytes:
        """Return the next line of the engine's.

        Raises:
            EngineLostError: there is none.

        """
        line = await self._lines.get()
        if line is None:
            raise EngineLostError(self._lost)
        return line

    def _heard(self, piece: bytes) -> None:
        if self._is_up and not self.is_busy:
            return  # Nobody has asked it anything, so nobody would take it out of the queue.
        for line in piece.split(b"\n")[:-1]:
            self._lines.put_nowait(line)

    def _was_lost(self, reason: str) -> None:
        self._lost = reason
        self._lines.put_nowait(None)
