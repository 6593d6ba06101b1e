"""Who waits for whom in one session, so that nobody is told more than he can take.

A client that reads too slowly is first given time: the engine's output stays in its
pipe.  After `PATIENCE` the engine is heard again, so that it never waits long, and
only what is still worth telling is kept.  A client that says too much, or leaves its
answers unread, is not heard for a while.
"""

import asyncio
from typing import TYPE_CHECKING

from rookery_server.sessions.ear import Client
from rookery_server.wire import Close, Code

if TYPE_CHECKING:
    from rookery_server.sessions.relay import Relay

PATIENCE = 0.1  # s that an engine may have to wait for a slow client
MAX_WAITING = 1 << 20  # bytes that cannot be left out, after which the engine has to wait
MAX_UNREAD = 1 << 24  # bytes of answers that a client may leave unread


class Flow:
    """The brakes of one relay."""

    __slots__ = ("_limited", "_loop", "_patience", "_relay", "_slowed")

    def __init__(self, relay: "Relay") -> None:
        self._relay = relay
        self._loop = asyncio.get_running_loop()
        self._patience: asyncio.TimerHandle | None = None
        self._limited = relay.usage.quota.lines_per_second is not None
        self._slowed = False  # and the client knows

    # --- a client that reads slowly

    def pause(self) -> None:
        """Take note that the client does not read as fast as it is told."""
        if self._relay.ear:
            self._relay.ear.paused = True
            self.hush_engine()
            self._patience = self._loop.call_later(PATIENCE, self.hear_engine_again)

    def resume(self) -> None:
        """Take note that the client reads again: it hears the newest."""
        self.end()
        self.hear_engine_again()
        if ear := self._relay.ear:
            ear.resume()
            ear.client.resume_reading()

    def see_to_backlog(self) -> None:
        """Let the engine wait if too much waits that cannot be left out."""
        ear = self._relay.ear
        if ear and ear.paused and ear.waiting > MAX_WAITING:
            self.hush_engine()

    def hush_engine(self) -> None:
        """Leave what the engine says in its pipe for now."""
        if self._relay.engine:
            self._relay.engine.pause()

    def hear_engine(self) -> None:
        """Hear the engine again, unless it waits for a slow client."""
        if not (self._relay.ear and self._relay.ear.paused):
            self.hear_engine_again()

    def hear_engine_again(self) -> None:
        """Hear the engine again, whether its client reads or not."""
        if self._relay.engine:
            self._relay.engine.resume()

    def end(self) -> None:
        """Take note that nobody waits any more."""
        if self._patience:
            self._patience.cancel()

    # --- a client that says too much

    def hold_back(self) -> None:
        """Hear no more for now of a client that says too much, or does not hear the answers."""
        ear = self._relay.ear
        if ear is None:
            return
        if self._limited and not self._relay.is_over:
            self.slow_down(ear.client)
        if ear.waiting <= MAX_WAITING:
            return
        ear.client.pause_reading()
        if ear.waiting > MAX_UNREAD:
            text = f"more than {MAX_UNREAD >> 20} MiB of answers wait, and none is read"
            self._relay.close(Close.POLICY, Code.TOO_SLOW, text)

    def slow_down(self, client: Client) -> None:
        """Hear no more for a while, if lines come faster than they may."""
        if not self._limited:
            return
        wait = self._relay.usage.take_line(self._loop.time())
        if wait:
            if not self._slowed:
                self._slowed = True
                self._relay.tell_notice(
                    Code.QUOTA_LINES, "lines come too fast: they are taken more slowly"
                )
            client.pause_reading()
            self._loop.call_later(wait, self._hear_client_again, client)

    def _hear_client_again(self, client: Client) -> None:
        ear = self._relay.ear
        if ear is None or client is not ear.client or ear.waiting <= MAX_WAITING:
            client.resume_reading()
