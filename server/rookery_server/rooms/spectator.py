"""One connection that watches a session: what it hears, and what it may say.

It is sent the newest as far as it reads.  One that is far behind is sent nothing for a while,
and then, instead of what it has missed, the state of the session.
"""

import asyncio
from typing import Protocol

import rookery_uci as uci
from rookery_protocol.notices import Close, Code, Notice
from rookery_server.access.account import Account
from rookery_server.session.client_channel import Client, ClientChannel, Hold
from rookery_server.token_bucket import TokenBucket

MAX_BEHIND = 1 << 17  # bytes that wait for one that reads slowly
_LINES_PER_SECOND = 20.0  # that one without control may say in the long run
_LINES_BURST = 500  # at once: a GUI starts with 30 and more of `setoption`


class WatchedRoom(Protocol):
    """The room that a spectator is in."""

    greeting: bytes

    def has_control(self, spectator: "Spectator") -> bool:
        """Return whether a spectator may speak with the engine."""

    def speaker_said(self, spectator: "Spectator", line: bytes) -> None:
        """Process a line of the spectator that has control."""

    def execute(self, spectator: "Spectator", line: bytes) -> None:
        """Execute a command for the server itself: `rookery ...`."""

    def catch_up(self, spectator: "Spectator") -> None:
        """Send the state of the session."""

    def fall_behind(self, spectator: "Spectator") -> None:
        """Go on without a spectator that reads too slowly to hear what is said."""

    def remove_spectator(self, spectator: "Spectator") -> None:
        """Remove a spectator."""


class Spectator:
    """The line handler of a connection that watches."""

    may_return = False  # nothing is kept: a spectator that comes back hears where things stand

    def __init__(self, channel: ClientChannel, account: Account, stage: WatchedRoom) -> None:
        self.client = channel.client
        self.account = account
        self.id = ""
        self._stage = stage
        self._loop = asyncio.get_running_loop()
        self.began = self._loop.time()
        # Since when it does not read.
        self.paused_at: float | None = self.began if channel.paused else None
        self._channel = channel
        self._is_behind = False
        self._is_over = False
        self._lines = TokenBucket(_LINES_PER_SECOND, _LINES_BURST, self.began)
        self._slow: asyncio.TimerHandle | None = None  # until it is read again

    # --- for the room

    def send_lines(self, piece: bytes) -> None:
        """Send lines, if they are read at all."""
        if self._is_behind or self._is_over:
            return
        self._channel.send_lines(piece)
        if self._channel.outbox.size > MAX_BEHIND:
            self._is_behind = True
            self._channel.outbox.clear()
            self._stage.fall_behind(self)

    def notice(self, code: Code, text: str) -> None:
        """Tell it something in the server's own name."""
        self.send_lines(b"%b\n" % bytes(Notice(code, text)))

    def finish(self, close: Close, code: Code, text: str) -> None:
        """Return why it watches no more, and close its connection."""
        if self._is_over:
            return
        self._is_behind = False
        self.notice(code, text)
        self._end(close, text)

    # --- for the connection

    def client_said(self, line: bytes) -> None:
        """Process a line of the client's."""
        if self._is_over or not line:
            return
        if self._channel.liveness:
            self._channel.liveness.is_heard = True
        self._slow_down()
        if line.startswith(b"rookery "):
            self._stage.execute(self, line)
            return
        command = command_of(line)
        if command is uci.Word.QUIT:
            self._quit()
        elif command is uci.Word.UCI:
            self.send_lines(self._stage.greeting)
        elif self._stage.has_control(self):
            self._stage.speaker_said(self, line)
        elif command is uci.Word.ISREADY:
            self.send_lines(b"readyok\n")
        elif line.strip():
            self.notice(
                Code.ROOM_READ_ONLY,
                "you watch, and say nothing to the engine; who has control may hand it to you",
            )

    def client_overlong(self) -> None:
        """Refuse a line that is longer than any may be."""
        self.finish(Close.TOO_BIG, Code.LINE_TOO_LONG, "a line has at most 65536 bytes")

    def client_sent_binary(self) -> None:
        """Refuse a message that is no text."""
        self.notice(Code.NOT_A_LINE, "a line is a text message, not a binary one")

    def client_ended(self) -> None:
        """Stop watching: the client says nothing more, and may be gone for good."""
        if not self._is_over:
            self._quit()

    def client_gone(self, client: Client) -> None:
        """Stop watching: the connection is lost."""
        self._is_over = True
        self._release()
        self._stage.remove_spectator(self)

    def client_paused(self) -> None:
        """Send less: the client reads more slowly than lines are sent."""
        self._channel.paused = True
        self.paused_at = self._loop.time()

    def client_resumed(self) -> None:
        """Send the newest: the client reads again."""
        self.paused_at = None
        self._channel.resume()
        if self._is_behind and not self._is_over:
            self._is_behind = False
            self._stage.catch_up(self)

    # --- for the room, now and again

    def ask_liveness(self, seconds: int) -> None:
        """Ask it every so many seconds whether it is there; 0 is never."""
        self._channel.ask_every(seconds, self._loop.time())

    def check(self, now: float) -> None:
        """End it if it has not said that it is there, as it wanted to be asked."""
        if not self._channel.check_liveness(now):
            self.finish(Close.IDLE, Code.NO_ANSWER, "no answer to 'rookery alive'")

    # --- within

    def _quit(self) -> None:
        self._end(Close.DONE, "")

    def _end(self, close: Close, text: str) -> None:
        self._is_over = True
        self._channel.finish(close, text)
        self._release()  # Else the end of a WebSocket would wait, too.
        self._stage.remove_spectator(self)

    def _slow_down(self) -> None:
        """Read nothing for a while, if lines come faster than they may."""
        if wait := self._lines.spend(self._loop.time()):
            self.client.hold_input(Hold.WATCHING)
            if self._slow:  # Of several waits the last is the longest.
                self._slow.cancel()
            self._slow = self._loop.call_later(wait, self._release)

    def _release(self) -> None:
        """Read again from a client that was too fast."""
        if self._slow:
            self._slow.cancel()
            self._slow = None
            self.client.release_input(Hold.WATCHING)


def command_of(line: bytes) -> uci.Command | None:
    """Return the command of a line as a session reads it; None if it cannot be read."""
    try:
        return uci.parse_command(line.decode())
    except (UnicodeDecodeError, uci.UciError):
        return None
