"""Carries lines between one client and one engine, by the rules of their session.

All is done in callbacks: a piece of the engine's output, whole lines in one `bytes`,
comes in and leaves in one write before anything else runs.  (A coroutine for each
direction and line would be many times slower, and lets one flooding engine starve the
others.)

A client that reads too slowly is first given time: the engine's output stays in its
pipe.  After `PATIENCE` the engine is heard again, so that it never waits long, and
the outbox keeps only what is still worth telling.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from rookery_server.account import LOCAL, Account
from rookery_server.policy import Policy
from rookery_server.process import EngineProcess
from rookery_server.session import Session, State
from rookery_server.wire import Close, Code

logger = logging.getLogger(__name__)

PATIENCE = 0.1  # s that an engine may have to wait for a slow client
MAX_WAITING = 1 << 20  # bytes that cannot be left out, after which the engine has to wait


class Client(Protocol):
    """What a connection offers, whatever it is made of."""

    def tell(self, piece: bytes) -> None:
        """Send whole lines, each ended by a newline, in one write."""

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when all that was told is sent."""


class Relay:
    """One client, one engine, one session.

    The connection calls `client_said`, `client_paused`, `client_resumed` and
    `client_gone`; the process calls `engine_said` and `engine_ended`.
    """

    def __init__(
        self,
        client: Client,
        policy: Policy,
        on_end: Callable[["Relay"], None],
        *,
        account: Account = LOCAL,
    ) -> None:
        self.account = account
        self.session = Session(policy)
        self.engine: EngineProcess  # set right after: it needs its listener first
        self._client: Client | None = client
        self._on_end = on_end
        self._paused = False
        self._patience: asyncio.TimerHandle | None = None
        self._draining = False

    def client_said(self, line: bytes) -> None:
        """Take a line from the client."""
        self.session.client_said(line)
        self._carry()

    def client_overlong(self) -> None:
        """Take note that the client sent more than a line may hold."""
        self._give_up(Close.TOO_BIG, Code.LINE_TOO_LONG, "a line has at most 65536 bytes")

    def client_sent_binary(self) -> None:
        """Take note of a message that is no text."""
        self.session.notice(Code.NOT_A_LINE, "a line is a text message, not a binary one")
        self._carry()

    def client_ended(self) -> None:
        """Take note that the client will say nothing more, but may still listen."""
        self.session.quit()
        self._carry()

    def client_gone(self) -> None:
        """Take note that the connection is lost: the engine ends."""
        self._client = None
        self._paused = False  # what the engine still says goes nowhere, and at once
        self.engine.end()

    def client_paused(self) -> None:
        """Take note that the client does not read as fast as it is told."""
        self._paused = True
        self.engine.pause()
        loop = asyncio.get_running_loop()
        self._patience = loop.call_later(PATIENCE, self.engine.resume)

    def client_resumed(self) -> None:
        """Take note that the client reads again: it hears the newest."""
        self._paused = False
        if self._patience:
            self._patience.cancel()
        self.engine.resume()
        self._tell_client(self.session.outbox.take_newest())

    def engine_said(self, piece: bytes) -> None:
        """Take whole lines of the engine's output."""
        self.session.engine_said(piece)
        self._carry()
        if self._paused and self.session.outbox.size > MAX_WAITING:
            self.engine.pause()

    def engine_ended(self, reason: str) -> None:
        """Take note that the engine's process is gone."""
        if self._patience:
            self._patience.cancel()
        if self.engine.asked_to_end:
            logger.info("engine %d ended", self.engine.pid)
            self._finish(Close.DONE, "")
        else:
            logger.warning("engine %d died: %s", self.engine.pid, reason)
            self._give_up(Close.ENGINE_GONE, Code.ENGINE_DIED, f"the engine is gone: {reason}")
        self._on_end(self)

    def drain(self) -> None:
        """Let a search that is under way end with its bestmove, then close."""
        self._draining = True
        self.session.stop()
        self._carry()

    def abandon(self) -> None:
        """Close now, whatever is still owed."""
        self._give_up(Close.RESTART, Code.DRAINING, "the server is shutting down")

    def dismiss(self, reason: str) -> None:
        """End the session of an account that may not go on."""
        if self._client:
            logger.info(
                "engine %d: %s is dismissed: %s", self.engine.pid, self.account.name, reason
            )
            self._give_up(Close.POLICY, Code.UNAUTHORIZED, reason)

    def _carry(self) -> None:
        """Give each side what it should hear."""
        if piece := self.session.for_engine():
            self.engine.tell(piece)
        if not self._paused:
            self._tell_client(self.session.outbox.take())
        if self.session.state is State.ENDED:
            self.engine.end()
        elif self._draining and self.session.state is State.IDLE:
            self.abandon()

    def _tell_client(self, piece: bytes) -> None:
        if piece and self._client:
            self._client.tell(piece)

    def _give_up(self, close: Close, code: Code, text: str) -> None:
        self.session.notice(code, text)
        self._finish(close, text)
        self.engine.end()

    def _finish(self, close: Close, reason: str) -> None:
        self._tell_client(self.session.outbox.take_newest())
        if self._client:
            self._client.finish(close, reason)
            self._client = None
