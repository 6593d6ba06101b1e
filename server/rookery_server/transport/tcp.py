"""Clients over plain TCP: lines, as on an engine's own input and output.

The first line may be a hello that says who asks and for which engine (`rookery token T
engine NAME`); if it is already UCI, the default engine is meant, so that where no token
is wanted `nc` alone is a client.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Protocol, cast

from rookery_protocol.errors import RefusedError
from rookery_protocol.hello import Hello
from rookery_protocol.notices import Close, Code, Notice
from rookery_server.access.account import Account
from rookery_server.session.actor import SessionActor
from rookery_server.session.client_channel import Client, LineHandler
from rookery_server.transport.connection_policy import Entrance
from rookery_server.transport.input_queue import InputQueue
from rookery_server.transport.liveness import prepare
from rookery_uci import TypedLines, UciError

MAX_HELLO = 8192  # bytes that a stranger may send

FAREWELL = 10.0  # s in which the last words must be sent; a peer may be dead, or not read
LINGER = 1.0  # s in which one who is refused, or whose session has ended, may read why
_LINE_END = re.compile(rb"[\r\n]")
# A web page can have a browser of this machine send a request here, with lines of UCI in
# it: its first line is of HTTP, or the beginning of TLS.
_FOREIGN = re.compile(rb"\s*[A-Za-z]+ .* HTTP/\d|\x16\x03")
_NO_LINES = Notice(
    Code.WRONG_PROTOCOL, "this port is for plain lines; browsers and WebSockets have the other one"
)


class Opener(Protocol):
    """Begins sessions, with the engine of a name or the default one; see `SessionManager.open`."""

    def __call__(
        self, name: str | None, client: Client, account: Account, *, returns: bool
    ) -> SessionActor:
        """Begin one.

        Raises:
            RefusedError: it may not begin.

        """


class TcpClient(asyncio.Protocol):
    """A TCP connection that speaks lines with a relay."""

    shows_life = False  # The kernel is asked, which answers for a program that stands still.

    def __init__(self, entrance: Entrance, opener: Opener, *, patience: float) -> None:
        self.address = ""
        self._entrance = entrance
        self._open = opener
        self.relay: LineHandler | None = None
        self._patience = patience
        self._deadline: asyncio.TimerHandle | None = None
        self._early = 0  # bytes before there is a relay
        self._ended = False  # whether the client says no more
        self._over = False  # whether it has heard the last, and is not listened to
        self._lines = TypedLines()
        self._transport: asyncio.Transport
        self._input: InputQueue

    # --- for the relay

    def send_lines(self, piece: bytes) -> None:
        """Send whole lines, in one write."""
        if not (self._over or self._transport.is_closing()):
            self._transport.write(piece)

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when all that was told is sent, or it takes too long.

        A client that may still be sending is given a moment to read it.
        """
        if self._over:
            return
        # TLS waits by itself until its peer has said goodbye.
        may_send = not self._ended and self._transport.can_write_eof()
        if may_send and self._entrance.sees_out(self):
            self._part()
            self._set_deadline(LINGER, self._leave)
        else:
            self._leave()

    @property
    def is_held(self) -> bool:
        """Whether more has come than is heard for now."""
        return not self._input.is_clear

    def hold_input(self, why: Hashable) -> None:
        """Hear no more while there is this reason, or any other."""
        if not self._over:
            self._input.pause(why)

    def release_input(self, why: Hashable) -> None:
        """Hear again, if there is no other reason why not."""
        self._input.resume(why)

    # --- for the entrance

    def turn_out(self, error: RefusedError) -> bool:
        """Make room for others, before the first line has come."""
        self._refuse(error.notice)
        return True

    # --- for asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection; the engine is started by its first line."""
        # By contract it is one, though uvloop's are no subclass of it.
        self._transport = cast(asyncio.Transport, transport)
        self._input = InputQueue(self._transport, self._take, self._entrance.turns)
        prepare(transport, self._entrance.dead_after)
        try:
            self._entrance.arrive(self, transport)
        except RefusedError as error:
            self._refuse(error.notice)
        else:
            if not self._entrance.excuse(self):
                self._set_deadline(self._patience, self._too_late)

    def data_received(self, data: bytes) -> None:
        """Take bytes: whole lines go to the relay."""
        self._input.receive(data)

    def eof_received(self) -> bool:
        """Take note of the end of input: what was asked before it is still answered."""
        self._ended = True
        self._input.finish()
        if self._over:
            return False
        rest = self._lines.rest()
        if (self.relay and self.relay.may_return) or rest.startswith(b"rookery "):
            return False  # A connection is lost, perhaps within a line: the client comes back.
        if rest:
            self._hear(rest)
        if self.relay is None:
            return False  # Close it.
        if self._transport.get_extra_info("ssl_object"):
            return False  # TLS has no half that could be left open.
        self.relay.client_ended()
        return True  # Leave it open to write.

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note that the connection is gone."""
        self._clear_deadline()
        self._input.clear()
        self._entrance.leave(self)
        if self.relay:
            self.relay.client_gone(self)

    def pause_writing(self) -> None:
        """Take note that the client does not read as fast as it is told."""
        if self.relay:
            self.relay.client_paused()

    def resume_writing(self) -> None:
        """Take note that the client reads again."""
        if self.relay:
            self.relay.client_resumed()

    def _take(self, data: bytes) -> None:
        if self._over:
            return
        if self.relay is None and self._is_too_much(data):
            self._refuse(Notice(Code.LINE_TOO_LONG, f"a first line has at most {MAX_HELLO} bytes"))
            return
        for line in self._lines.feed(data):
            self._hear(line)
        if self._lines.overlong and self.relay:
            self.relay.client_overlong()

    def _hear(self, line: bytes) -> None:
        if self._over or self._transport.is_closing():
            return
        if self.relay:
            self.relay.client_said(line)
            return
        if _FOREIGN.match(line):
            self._refuse(_NO_LINES)
            return
        try:
            said = Hello.parse(line)
            hello = said or Hello()
            if fault := hello.fault():
                raise UciError(fault)
            account = self._entrance.admit_hello(self, hello.token, self._transport)
            self.relay = self._open(hello.engine, self, account, returns=hello.returns)
        except UciError as error:
            self._refuse(Notice(Code.BAD_COMMAND, str(error)))
            return
        except RefusedError as error:
            self._refuse(error.notice)
            return
        self._clear_deadline()
        if said is None:
            self.relay.client_said(line)
        elif hello.is_for_session:  # Its white space may be any here.
            self.relay.client_said(bytes(replace(hello, engine=None, token=None)))

    def _is_too_much(self, data: bytes) -> bool:
        """Say whether more has come than a first line may have."""
        self._early += len(_LINE_END.split(data, 1)[0])
        return self._early > MAX_HELLO

    def _too_late(self) -> None:
        self._refuse(Notice(Code.TOO_SLOW, f"no first line within {self._patience:g} s"))

    def _refuse(self, notice: Notice) -> None:
        """Say why, and close when it can be assumed to be read."""
        self.send_lines(b"%b\n" % bytes(notice))
        if not self._entrance.refused(self, notice.code):
            self._over = True
            self._clear_deadline()
            self._transport.close()
            return
        self._part()
        self._set_deadline(LINGER, self._transport.abort)

    def _part(self) -> None:
        """Say no more, and drop what is still said.

        A connection that is closed while its peer still sends is reset, and the last words
        would be lost with it.
        """
        self._over = True
        self._input.resume_all()
        if self._transport.can_write_eof() and not self._transport.is_closing():
            with contextlib.suppress(OSError):  # The peer may have left, and we have not heard yet.
                self._transport.write_eof()

    def _leave(self) -> None:
        """Close when all is sent, or it takes too long."""
        self._over = True
        self._transport.close()
        self._set_deadline(FAREWELL, self._transport.abort)

    def _set_deadline(self, seconds: float, act: Callable[[], None]) -> None:
        self._clear_deadline()
        self._deadline = asyncio.get_running_loop().call_later(seconds, act)

    def _clear_deadline(self) -> None:
        if self._deadline:
            self._deadline.cancel()
