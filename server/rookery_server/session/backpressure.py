"""Who waits for whom in one session, so that nobody is told more than he can take.

A client that reads too slowly is first given time: the engine's output stays in its
pipe.  After `PATIENCE` the engine is heard again, so that it never waits long, and
only what is still worth telling is kept.  One that owes an answer at once, after `stop` or to
`isready`, does not wait at all: else nobody could tell whether it would ever give it.

A client that says more than it may, leaves its answers unread, or is far ahead of its engine, is
not heard for a while: what it says then waits where it is, in the connection and at last with the
client, and nothing is lost.
"""

import asyncio
from typing import TYPE_CHECKING

from rookery_protocol.notices import Close, Code
from rookery_server.session.client_channel import Client, Hold

if TYPE_CHECKING:
    from rookery_server.session.actor import Relay

PATIENCE = 0.1  # s that an engine may have to wait for a slow client
MAX_WAITING = 1 << 20  # bytes that cannot be left out, after which the engine has to wait
MAX_WAITING_DUE = 1 << 22  # bytes, the same for one that owes an answer; then it has to hurry
MAX_UNREAD = 1 << 24  # bytes of answers that a client may leave unread

# Bytes that may wait for the engine before its client does.  A GUI that starts says 2 KB, and a
# game's longest `position` has 6; who says more at once is no worse served by waiting.
MAX_AHEAD = 8192


class Flow:
    """The brakes of one relay."""

    __slots__ = (
        "_ahead",
        "_delivery",
        "_limited",
        "_loop",
        "_patience",
        "_played",
        "_relay",
        "_slow",
        "_slowed",
        "_supply",
    )

    def __init__(self, relay: "Relay") -> None:
        self._relay = relay
        self._delivery = relay.delivery
        self._supply = relay.supply
        self._loop = asyncio.get_running_loop()
        self._patience: asyncio.TimerHandle | None = None  # while the engine waits for its client
        self._limited = relay.usage.quota.lines_per_second is not None
        self._played = 0  # moves that are counted
        self._slowed = False  # and the client knows
        # Those who are not heard: for what they have said too fast, or for the engine.
        self._slow: dict[Client, asyncio.TimerHandle] = {}
        self._ahead: tuple[Client, ...] = ()

    # --- a client that reads slowly

    def begin(self) -> None:
        """Take note of another connection, whose client may not read, either."""
        if (ear := self._delivery.ear) and ear.paused:
            self.pause()
        else:
            self._lose_patience()
            self.hear_engine_again()

    def pause(self) -> None:
        """Take note that the client does not read as fast as it is told."""
        if ear := self._delivery.ear:
            ear.paused = True
            self._lose_patience()
            self.hush_engine()
            self._patience = self._loop.call_later(PATIENCE, self._run_out_of_patience)

    def resume(self) -> None:
        """Take note that the client reads again: it hears the newest."""
        self._lose_patience()
        self.hear_engine_again()
        if ear := self._delivery.ear:
            ear.resume()
            ear.client.release(Hold.ANSWERS)

    def see_to_backlog(self) -> None:
        """Let the engine wait if too much waits that cannot be left out."""
        ear, engine = self._delivery.ear, self._supply.engine
        if ear and engine and ear.paused and ear.waiting > self._most_waiting:
            engine.pause()

    def hush_engine(self) -> None:
        """Leave what the engine says in its pipe for now, unless it owes an answer at once."""
        engine = self._supply.engine
        if engine and not self._relay.session.is_due:
            engine.pause()

    def hear_in_time(self) -> None:
        """Hear an engine that owes an answer at once, unless it has said far too much instead."""
        ear = self._delivery.ear
        if ear is None or ear.waiting <= self._most_waiting:
            self.hear_engine_again()

    @property
    def _most_waiting(self) -> int:
        """How many bytes that cannot be left out may wait for a client."""
        return MAX_WAITING_DUE if self._relay.session.is_due else MAX_WAITING

    def hear_engine(self) -> None:
        """Hear the engine again, unless it waits for a slow client, which it does not for long."""
        if self._patience is None:
            self.hear_engine_again()

    def hear_engine_again(self) -> None:
        """Hear the engine again, whether its client reads or not."""
        if engine := self._supply.engine:
            engine.resume()

    def end(self) -> None:
        """Take note that nobody waits any more."""
        self._lose_patience()
        self.engine_took()
        for client, timer in self._slow.items():
            timer.cancel()
            client.release(Hold.QUOTA)
        self._slow.clear()

    def _lose_patience(self) -> None:
        if self._patience:
            self._patience.cancel()
            self._patience = None

    def _run_out_of_patience(self) -> None:
        self._patience = None
        self.hear_engine_again()

    # --- a client that says too much

    @property
    def client_waits(self) -> bool:
        """Whether a client is not heard because the engine is behind."""
        return bool(self._ahead)

    def hold_back(self) -> None:
        """Hear no more for now of a client that says too much, or does not hear the answers."""
        ear = self._delivery.ear
        if ear is None:
            return
        self.keep_pace(ear.client)
        if ear.waiting <= MAX_WAITING:
            return
        ear.client.hold(Hold.ANSWERS)
        if ear.waiting > MAX_UNREAD:
            text = f"more than {MAX_UNREAD >> 20} MiB of answers wait, and none is read"
            self._relay.close(Close.POLICY, Code.TOO_SLOW, text)

    def keep_pace(self, client: Client) -> None:
        """Hear no more for a while of who says more than it may, or than the engine can take."""
        if self._relay.is_over:
            return
        if self._limited:
            self._slow_down(client)
        engine = self._supply.engine
        if engine and engine.unsent > MAX_AHEAD and client not in self._ahead:
            self._ahead = (*self._ahead, client)
            engine.when_taken(self.engine_took)
            client.hold(Hold.ENGINE)

    def engine_took(self) -> None:
        """Take note that the engine has taken what waited for it, or that none is there."""
        ahead, self._ahead = self._ahead, ()
        for client in ahead:
            client.release(Hold.ENGINE)

    def _slow_down(self, client: Client) -> None:
        played = self._relay.session.review.played
        wait = self._relay.usage.take_line(self._loop.time(), played - self._played)
        self._played = played
        if wait:
            if not self._slowed:
                self._slowed = True
                self._relay.tell_notice(
                    Code.QUOTA_LINES, "lines come too fast: they are taken more slowly"
                )
            client.hold(Hold.QUOTA)
            if former := self._slow.get(client):  # Of several waits the last is the longest.
                former.cancel()
            self._slow[client] = self._loop.call_later(wait, self._may_go_on, client)

    def _may_go_on(self, client: Client) -> None:
        del self._slow[client]
        client.release(Hold.QUOTA)
