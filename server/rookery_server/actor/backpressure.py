"""The two ends of one session, its client's channel and its engine, and backpressure between them.

A client that reads too slowly is first given time: the engine's output stays in its
pipe.  After `PATIENCE` the engine is read again, so that it never waits long, and
only what is still worth sending is kept.  An engine that owes an answer at once, after `stop` or
to `isready`, is read in any case: else its silence would prove nothing.

A client that says more than it may, leaves its answers unread, or is far ahead of its engine, is
not read for a while: what it says then waits where it is, in the connection and at last with the
client, and nothing is lost.
"""

import asyncio

from rookery_protocol.notices import Close, Code
from rookery_server.engines.running_engine import RunningEngine
from rookery_server.scheduling.quota import Usage
from rookery_server.session.client_channel import Client, ClientChannel, Hold
from rookery_server.session.line_buffers import ReplayBuffer
from rookery_server.session.session import Session
from rookery_server.session.totals import Totals

PATIENCE = 0.1  # s that an engine may have to wait for a slow client
MAX_WAITING = 1 << 20  # bytes that cannot be left out, after which the engine has to wait
MAX_WAITING_DUE = 1 << 22  # bytes, the same for one that owes an answer; then it has to hurry
MAX_UNREAD = 1 << 24  # bytes of answers that a client may leave unread

# Bytes that may wait for the engine before its client does.  A GUI that starts says 2 KB, and a
# game's longest `position` has 6; a client that says more at once is served no worse by waiting.
MAX_AHEAD = 8192


class Backpressure:
    """The ends that a session has now, either of which may be None, and their brakes.

    A connection may be lost, or taken over by a newer one.  For a client that has said that it
    may come back, `replay` keeps all that it must hear once until it says that it has heard it.
    """

    def __init__(self, client: Client, session: Session, usage: Usage, totals: Totals) -> None:
        self.channel: ClientChannel | None = ClientChannel(client)
        self.engine: RunningEngine | None = None
        self.replay: ReplayBuffer | None = None
        self._session = session
        self._usage = usage
        self._totals = totals
        self._loop = asyncio.get_running_loop()
        self._patience: asyncio.TimerHandle | None = None  # while the engine waits for its client
        self._played = 0  # moves that are counted
        self._was_notified = False  # that its lines come too fast
        # Clients that are not read: for what they have said too fast, or for the engine.
        self._slow: dict[Client, asyncio.TimerHandle] = {}
        self._ahead: tuple[Client, ...] = ()

    # --- the client's channel

    def send_aside(self, piece: bytes) -> None:
        """Send lines that are none of the session's, if the client is there."""
        if self.channel:
            self.channel.send_lines(piece)

    def send_known(self, lines: bytes) -> None:
        """Send what the cache knows; a client that is behind needs no more lines."""
        if lines and self.channel and not self.channel.paused:
            self._totals.lines_told += lines.count(b"\n")
            self.channel.client.send_lines(lines)
            notices = self._session.notices
            notices[Code.CACHED] = notices.get(Code.CACHED, 0) + 1

    def keep_for_return(self) -> None:
        """Keep what the client is owed, so that it may come back for it."""
        self.replay = self.replay or ReplayBuffer()

    def change_channel(self, channel: ClientChannel, greeting: bytes, count: int) -> None:
        """Go on with another channel, whose client has heard so many owed lines."""
        assert self.replay
        self.close_channel(b"", Close.TAKEN_OVER, "another connection has taken over")
        self.channel = channel
        if channel.paused:
            self.pause()
        else:
            self.resume_engine()
        channel.send_lines(greeting)
        self.replay.resume(count)
        if piece := self.replay.after(count):
            channel.send_lines(piece)

    def close_channel(self, piece: bytes, close: Close, reason: str) -> None:
        """Send the last lines, if there are any, and close the connection."""
        if channel := self.channel:
            if piece:
                channel.send_lines(piece)
            channel.finish(close, reason)
            self.channel = None

    # --- a client that reads slowly

    def pause(self) -> None:
        """Keep what the client does not read, and give it some time."""
        if channel := self.channel:
            channel.paused = True
            self.pause_engine()
            self._patience = self._patience or self._loop.call_later(PATIENCE, self.resume_engine)

    def resume(self) -> None:
        """Send the newest: the client reads again."""
        self.resume_engine()
        if channel := self.channel:
            channel.resume()
            channel.client.release_input(Hold.ANSWERS)

    def pause_engine(self) -> None:
        """Leave what the engine says in its pipe for now, unless it owes an answer at once."""
        if self.engine and not self._session.is_due:
            self.engine.pause()

    def limit_backlog(self) -> None:
        """Let the engine wait if too much waits that cannot be left out."""
        if self.engine and self._is_backlog_full:
            self.engine.pause()

    def resume_due_engine(self) -> None:
        """Read an engine that owes an answer at once, unless it has said far too much instead."""
        if not self._is_backlog_full:
            self.resume_engine()

    def resume_engine_if_read(self) -> None:
        """Read the engine again, unless it waits for a slow client, which it does not for long."""
        if self._patience is None:
            self.resume_engine()

    def resume_engine(self) -> None:
        """Read the engine again, whether its client reads or not."""
        if self._patience:
            self._patience.cancel()
            self._patience = None
        if self.engine:
            self.engine.resume()

    @property
    def _is_backlog_full(self) -> bool:
        """True if more waits for the client than may, of what cannot be left out."""
        most = MAX_WAITING_DUE if self._session.is_due else MAX_WAITING
        return self.channel is not None and self.channel.outbox.size > most

    # --- a client that says too much

    @property
    def client_waits(self) -> bool:
        """True if a client is not read because the engine is behind."""
        return bool(self._ahead)

    def wait_for_reader(self) -> bool:
        """Read nothing from a client that leaves answers unread; return whether it is too much."""
        channel = self.channel
        if channel is None or channel.outbox.size <= MAX_WAITING:
            return False
        channel.client.hold_input(Hold.ANSWERS)
        return channel.outbox.size > MAX_UNREAD

    def release_clients(self) -> None:
        """Read clients again that were ahead: nothing waits for the engine, or there is none."""
        ahead, self._ahead = self._ahead, ()
        for client in ahead:
            client.release_input(Hold.ENGINE)

    def keep_pace(self, client: Client) -> bool:
        """Read nothing for a while of a client that is too fast for its engine, or its quota.

        Returns whether it says more than it may for the first time, so that it should be told.
        """
        if self.engine and self.engine.unsent > MAX_AHEAD and client not in self._ahead:
            self._ahead = (*self._ahead, client)
            self.engine.call_when_sent(self.release_clients)
            client.hold_input(Hold.ENGINE)
        played = self._session.validator.played
        wait = self._usage.take_line(self._loop.time(), played - self._played)
        self._played = played
        if not wait:
            return False
        client.hold_input(Hold.QUOTA)
        if former := self._slow.get(client):  # Of several waits the last is the longest.
            former.cancel()
        self._slow[client] = self._loop.call_later(wait, self._release_slow, client)
        is_first, self._was_notified = not self._was_notified, True
        return is_first

    def _release_slow(self, client: Client) -> None:
        self._slow.pop(client).cancel()
        client.release_input(Hold.QUOTA)

    def close(self) -> None:
        """Release all that wait."""
        self.resume_engine()
        self.release_clients()
        for client in list(self._slow):
            self._release_slow(client)
