"""Engines of one kind, started before anybody asks for them.

Starting a process and hearing its `uciok` takes from 65 ms to seconds; who asks should
not wait for it.  So there is always a spare engine that has answered `uci` and
`isready`, and another is started when it is taken.  An engine serves one session and is
ended after it: none ever remembers what another client did.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from rookery_server.engines.offer import Answer
from rookery_server.engines.process import EngineProcess, Listener

logger = logging.getLogger(__name__)

RETRY_AFTER = 5.0  # s until an engine that could not be started is tried again
MAX_ANSWER = 1 << 20  # bytes; the longest known answer to `uci` (of Fairy-Stockfish) is 20 KB

Start = Callable[[Listener], EngineProcess]  # raises OSError
Later = Callable[[EngineProcess | None], None]


class Pool:
    """Spare engines of one kind.

    `answer` is what they say to `uci`; None until the first has.  `patience` is the time in
    seconds that one has for it, and as long again to be ready.
    """

    def __init__(self, name: str, start: Start, size: int, patience: float) -> None:
        self.name = name
        self.answer: Answer | None = None
        self.patience = patience
        self.trouble = ""  # why the last one that failed did
        self._start = start
        self._size = size
        self._coming: deque[_Newcomer] = deque()  # and those that are ready, first
        self._asking: dict[Listener, Later] = {}  # who came first is first
        self._answered = asyncio.Event()
        self._retry: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def spares(self) -> int:
        """How many are ready."""
        return sum(each.ready for each in self._coming)

    def set_size(self, size: int) -> None:
        """Keep so many spare engines from now on; without any they are started when asked for."""
        self._size = size
        while len(self._coming) > max(size, len(self._asking)):
            self._coming.pop().engine.end()
        self._fill()

    async def open(self) -> None:
        """Start the first engine; return when it has answered, or has failed."""
        self._fill(at_least=1)
        await self._answered.wait()

    def close(self) -> None:
        """End the spare engines."""
        self._closed = True
        self._answered.set()
        if self._retry:
            self._retry.cancel()
        for listener in list(self._asking):
            self._fail(listener)
        for newcomer in self._coming:
            newcomer.engine.end()

    def take(self, listener: Listener, later: Later) -> EngineProcess | None:
        """Return an engine that is ready; None if one will be handed over later.

        Args:
            listener: who hears it from now on.
            later: takes the engine, or None if it could not be started; why is in
                `trouble`.  It is never called before this returns.

        """
        ready = next((each for each in self._coming if each.ready), None)
        if ready:
            self._coming.remove(ready)
            ready.engine.listener = listener
            self._fill()
            return ready.engine
        self._asking[listener] = later
        self._fill(at_least=len(self._asking))
        if self._closed:
            self._fail(listener)
        return None

    def forget(self, listener: Listener) -> None:
        """Take note that who asked for an engine wants it no more."""
        self._asking.pop(listener, None)

    def _fill(self, at_least: int = 0) -> None:
        """Start engines until there are enough."""
        while not self._closed and len(self._coming) < max(self._size, at_least):
            try:
                self._coming.append(_Newcomer(self, self._start))
            except OSError as error:
                self._failed(f"it cannot be started: {error.strerror}")
                break

    def came(self, newcomer: "_Newcomer") -> bool:
        """Take note that an engine has answered; say whether it is a spare one no more."""
        self.answer, self.trouble = newcomer.answer or self.answer, ""
        self._answered.set()
        if self._closed or newcomer not in self._coming:
            return True
        if not self._asking:
            return self._is_surplus(newcomer)
        self._coming.remove(newcomer)
        listener = next(iter(self._asking))
        later = self._asking.pop(listener)
        newcomer.engine.listener = listener
        later(newcomer.engine)
        self._fill(at_least=len(self._asking))
        return True

    def went(self, newcomer: "_Newcomer", reason: str) -> None:
        """Take note that an engine is gone before anybody had it."""
        if newcomer in self._coming:
            self._coming.remove(newcomer)
            if not self._closed:
                self._failed(reason)

    def _is_surplus(self, newcomer: "_Newcomer") -> bool:
        """End an engine that was started for somebody who is gone; say whether it was one."""
        surplus = len(self._coming) > self._size
        if surplus:
            self._coming.remove(newcomer)
            newcomer.engine.end()
        return surplus

    def _failed(self, reason: str) -> None:
        logger.error("engine %s: %s", self.name, reason)
        self.trouble = reason
        self._answered.set()
        for listener in list(self._asking)[: max(0, len(self._asking) - len(self._coming))]:
            self._fail(listener)
        # Not at once, and not over and over: it may fail each time.
        if not self._retry and self._size and not self._closed:
            self._retry = asyncio.get_running_loop().call_later(RETRY_AFTER, self._try_again)

    def _fail(self, listener: Listener) -> None:
        """Let who asked know that there is no engine: in a moment, for it may ask again."""
        asyncio.get_running_loop().call_soon(self._asking.pop(listener), None)

    def _try_again(self) -> None:
        self._retry = None
        self._fill()


class _Newcomer:
    """An engine that is being started: the pool hears it until somebody has it."""

    def __init__(self, pool: Pool, start: Start) -> None:
        self.answer: Answer | None = None
        self.ready = False
        self.engine = start(self)
        self._pool = pool
        self._heard = b""
        self._timer = self._expect("uciok")
        self.engine.tell(b"uci\n")

    def engine_said(self, piece: bytes) -> None:
        """Take what it answers."""
        if self.ready:
            return
        if self.answer:
            if b"readyok" in piece.split():
                self._timer.cancel()
                self.ready = True
                self._pool.came(self)
            return
        self._heard += piece
        if b"uciok" in piece.split():
            self.answer = Answer.parse(self._heard.decode().split("\n"))
            self._heard = b""
            self._timer.cancel()
            if not self._pool.came(self):
                self._timer = self._expect("readyok")
                self.engine.tell(b"isready\n")
        elif len(self._heard) > MAX_ANSWER:
            self.engine.complain("it says too much before uciok")

    def engine_ended(self, reason: str) -> None:
        """Take note that it is gone."""
        self._timer.cancel()
        self._pool.went(self, reason)

    def _expect(self, word: str) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self._pool.patience, self._late, word)

    def _late(self, word: str) -> None:
        self.engine.complain(f"it does not say {word} within {self._pool.patience:g} s")
