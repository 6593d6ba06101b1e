"""One connection that watches a session: what it hears, and what it may say.

It is told the newest as far as it reads.  Who is far behind is told nothing for a while,
and then, instead of what it has missed, where things stand.
"""

import asyncio
from typing import Protocol

import rookery_uci as uci
from rookery_protocol.notices import Close, Code, Notice
from rookery_server.access.account import Account
from rookery_server.scheduling.token_bucket import TokenBucket
from rookery_server.session.client_channel import Client, ClientChannel, Hold

MAX_BEHIND = 1 << 17  # bytes that wait for one who reads slowly
_LINES_PER_SECOND = 20.0  # that one who only watches may say in the long run
_LINES_BURST = 500  # at once: a GUI starts with 30 and more of `setoption`


class Stage(Protocol):
    """The room that one watches."""

    greeting: bytes

    def has_control(self, spectator: "Spectator") -> bool:
        """Say whether one may speak with the engine."""

    def speak(self, spectator: "Spectator", line: bytes) -> None:
        """Let the engine hear a line of the one who has control."""

    def ask(self, spectator: "Spectator", line: bytes) -> None:
        """Do what is asked of the server itself: `rookery ...`."""

    def catch_up(self, spectator: "Spectator") -> None:
        """Tell where things stand."""

    def fall_behind(self, spectator: "Spectator") -> None:
        """Take note that one hears no more what is said."""

    def leave(self, spectator: "Spectator") -> None:
        """Take note that one watches no more."""


class Spectator:
    """A connection's partner while it watches."""

    may_return = False  # nothing is kept: a spectator that comes back hears where things stand

    def __init__(self, channel: ClientChannel, account: Account, stage: Stage) -> None:
        self.client = channel.client
        self.account = account
        self.id = ""
        self._stage = stage
        self._loop = asyncio.get_running_loop()
        self.began = self._loop.time()
        # When it did not read any more.
        self.paused_at: float | None = self.began if channel.paused else None
        self._channel = channel
        self._is_behind = False
        self._is_over = False
        self._lines = TokenBucket(_LINES_PER_SECOND, _LINES_BURST, self.began)
        self._slow: asyncio.TimerHandle | None = None  # until it is heard again

    # --- for the room

    def tell(self, piece: bytes) -> None:
        """Let it hear lines, if it reads at all."""
        if self._is_behind or self._is_over:
            return
        self._channel.send_lines(piece)
        if self._channel.outbox.size > MAX_BEHIND:
            self._is_behind = True
            self._channel.outbox.clear()
            self._stage.fall_behind(self)

    def notice(self, code: Code, text: str) -> None:
        """Tell it something in the server's own name."""
        self.tell(b"%b\n" % bytes(Notice(code, text)))

    def finish(self, close: Close, code: Code, text: str) -> None:
        """Say why it watches no more, and close its connection."""
        if self._is_over:
            return
        self._is_behind = False
        self.notice(code, text)
        self._end(close, text)

    # --- for the connection

    def client_said(self, line: bytes) -> None:
        """Take a line from the client."""
        if self._is_over or not line:
            return
        if self._channel.liveness:
            self._channel.liveness.is_heard = True
        self._slow_down()
        if line.startswith(b"rookery "):
            self._stage.ask(self, line)
            return
        command = command_of(line)
        if command is uci.Word.QUIT:
            self._quit()
        elif command is uci.Word.UCI:
            self.tell(self._stage.greeting)
        elif self._stage.has_control(self):
            self._stage.speak(self, line)
        elif command is uci.Word.ISREADY:
            self.tell(b"readyok\n")
        elif line.strip():
            self.notice(
                Code.ROOM_READ_ONLY,
                "you watch, and say nothing to the engine; who has control may hand it to you",
            )

    def client_overlong(self) -> None:
        """Take note that the client sent more than a line may hold."""
        self.finish(Close.TOO_BIG, Code.LINE_TOO_LONG, "a line has at most 65536 bytes")

    def client_sent_binary(self) -> None:
        """Take note of a message that is no text."""
        self.notice(Code.NOT_A_LINE, "a line is a text message, not a binary one")

    def client_ended(self) -> None:
        """Take note that the client will say nothing more: it may be gone for good."""
        if not self._is_over:
            self._quit()

    def client_gone(self, client: Client) -> None:
        """Take note that the connection is lost."""
        self._is_over = True
        self._hear_on()
        self._stage.leave(self)

    def client_paused(self) -> None:
        """Take note that the client does not read as fast as it is told."""
        self._channel.paused = True
        self.paused_at = self._loop.time()

    def client_resumed(self) -> None:
        """Take note that the client reads again: it hears the newest."""
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
        self._hear_on()  # Else the end of a WebSocket would wait, too.
        self._stage.leave(self)

    def _slow_down(self) -> None:
        """Hear no more for a while, if lines come faster than they may."""
        if wait := self._lines.take(self._loop.time()):
            self.client.hold(Hold.WATCHING)
            if self._slow:  # Of several waits the last is the longest.
                self._slow.cancel()
            self._slow = self._loop.call_later(wait, self._hear_on)

    def _hear_on(self) -> None:
        """Hear again who was too fast."""
        if self._slow:
            self._slow.cancel()
            self._slow = None
            self.client.release(Hold.WATCHING)


def command_of(line: bytes) -> uci.Command | None:
    """Return the command of a line as a session reads it; None if it cannot be read."""
    try:
        return uci.parse_command(line.decode())
    except (UnicodeDecodeError, uci.UciError):
        return None
