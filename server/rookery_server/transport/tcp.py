"""Clients over plain TCP: lines, as on an engine's own input and output.

The first line may be a hello that names the client's token and the engine (`rookery token T
engine NAME`); if it is already UCI, the default engine is meant, so that where no token
is wanted `nc` alone is a client.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import cast

from rookery_protocol.errors import RefusedError
from rookery_protocol.hello import Hello
from rookery_protocol.notices import Close, Code, Notice
from rookery_server.access.account import Account
from rookery_server.actor.actor import SessionActor
from rookery_server.session.client_channel import LineHandler
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.eviction import SocketPeer
from rookery_server.transport.input_queue import InputQueue
from rookery_uci import TypedLines, UciError

MAX_HELLO = 8192  # bytes that a stranger may send

FAREWELL = 10.0  # s in which the last words must be sent; a peer may be dead, or not read
LINGER = 1.0  # s in which a client may read why it is refused, or why its session has ended
_LINE_END = re.compile(rb"[\r\n]")
# A web page can have a browser of this machine send a request here, with lines of UCI in
# it: its first line is of HTTP, or the beginning of TLS.
_FOREIGN = re.compile(rb"\s*[A-Za-z]+ .* HTTP/\d|\x16\x03")
_NO_LINES = Notice(
    Code.WRONG_PROTOCOL, "this port is for plain lines; browsers and WebSockets have the other one"
)


# Opens a session with the engine of a name, or the default one; see `SessionManager.open`.
Opener = Callable[[str | None, "TcpClient", Account, bool], SessionActor]


class TcpClient(asyncio.Protocol):
    """A TCP connection that carries the lines of a session."""

    shows_life = False  # The kernel is asked, which answers for a program that stands still.
    is_idle = False
    peer: SocketPeer

    def __init__(self, policy: ConnectionPolicy, opener: Opener, *, patience: float) -> None:
        self.address = ""
        self._policy = policy
        self._open = opener
        self.relay: LineHandler | None = None
        self._patience = patience
        self._deadline: asyncio.TimerHandle | None = None
        self._early = 0  # bytes before there is a relay
        self._has_ended = False  # the client's input
        self._is_over = False  # The last line is sent, and no input is read any more.
        self._lines = TypedLines()
        self._transport: asyncio.Transport
        self._input: InputQueue

    # --- for the session

    def send_lines(self, piece: bytes) -> None:
        """Send whole lines, in one write."""
        if not (self._is_over or self._transport.is_closing()):
            self._transport.write(piece)

    def finish(self, code: Close, reason: str) -> None:
        """Close the connection when everything is sent, or that takes too long.

        A client that may still be sending is given a moment to read it.
        """
        if self._is_over:
            return
        # TLS waits by itself until its peer has closed, too.
        may_send = not self._has_ended and self._transport.can_write_eof()
        if may_send and self._policy.may_linger(self):
            self._close_output()
            self._set_deadline(LINGER, self._close)
        else:
            self._close()

    @property
    def is_held(self) -> bool:
        """True if more has come than is read for now."""
        return not self._input.is_clear

    def hold_input(self, why: Hashable) -> None:
        """Read no more while there is this reason, or any other."""
        if not self._is_over:
            self._input.pause(why)

    def release_input(self, why: Hashable) -> None:
        """Read again, if there is no other reason to pause."""
        self._input.resume(why)

    # --- for the policy

    def evict(self, error: RefusedError) -> bool:
        """Make room for others, before the first line has come."""
        self._refuse(error.notice)
        return True

    # --- for asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection; the engine is started by its first line."""
        # By contract it is one, though uvloop's are no subclass of it.
        self._transport = cast(asyncio.Transport, transport)
        self._input = InputQueue(self._transport, self._read, self._policy.round_robin)
        error = self._policy.connect(self, transport)
        if not self._is_let_in():
            self._drop()
        elif error:
            self._refuse(error.notice)
        elif not self._policy.needs_no_hello(self):
            self._set_deadline(self._patience, self._refuse_late_hello)

    def data_received(self, data: bytes) -> None:
        """Read bytes: whole lines go to the session."""
        self._input.receive(data)

    def eof_received(self) -> bool:
        """Handle the end of input: what was asked before it is still answered."""
        self._has_ended = True
        is_whole = self._input.finish()
        if self._is_over or not is_whole:
            return False
        rest = self._lines.rest()
        if (self.relay and self.relay.may_return) or rest.startswith(b"rookery "):
            return False  # A connection is lost, perhaps within a line: the client comes back.
        if rest:
            self._read_line(rest)
        if self.relay is None:
            return False  # Close it.
        if self._transport.get_extra_info("ssl_object"):
            return False  # TLS has no half that could be left open.
        self.relay.client_ended()
        return True  # Leave it open to write.

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._clear_deadline()
        self._input.clear()
        self._policy.disconnect(self)
        if self.relay:
            self.relay.client_gone(self)

    def pause_writing(self) -> None:
        """Tell the session that the client reads more slowly than it is written to."""
        if self.relay:
            self.relay.client_paused()

    def resume_writing(self) -> None:
        """Tell the session that the client reads again."""
        if self.relay:
            self.relay.client_resumed()

    def _read(self, data: bytes) -> None:
        if self._is_over:
            return
        if self.relay is None and self._is_hello_too_long(data):
            self._refuse(Notice(Code.LINE_TOO_LONG, f"a first line has at most {MAX_HELLO} bytes"))
            return
        for line in self._lines.feed(data):
            self._read_line(line)
        if self._lines.overlong and self.relay:
            self.relay.client_overlong()

    def _read_line(self, line: bytes) -> None:
        if self._is_over or self._transport.is_closing():
            return
        if self.relay:
            self.relay.client_said(line)
            return
        if _FOREIGN.match(line):
            self._refuse(_NO_LINES)
            return
        try:
            self.relay, rest = self._begin_session(line)
        except UciError as error:
            self._refuse(Notice(Code.BAD_COMMAND, str(error)))
            return
        except RefusedError as error:
            self._refuse(error.notice)
            return
        self._clear_deadline()
        if rest is not None:
            self.relay.client_said(rest)

    def _is_let_in(self) -> bool:
        """Return whether the address may say anything; else it is not answered."""
        return True

    def _begin_session(self, line: bytes) -> tuple[LineHandler, bytes | None]:
        """Return the session that a first line begins, and what is left of the line for it.

        Raises:
            UciError: the line cannot be understood.
            RefusedError: the client may not have a session.

        """
        said = Hello.parse(line)
        hello = said or Hello()
        if fault := hello.fault():
            raise UciError(fault)
        account = self._policy.admit_token(self, hello.token)
        session = self._open(hello.engine, self, account, hello.returns)
        if said is None:
            return session, line
        # Its white space is normal then.
        rest = bytes(replace(hello, engine=None, token=None)) if hello.is_for_session else None
        return session, rest

    def _is_hello_too_long(self, data: bytes) -> bool:
        """Return whether more has come than a first line may have."""
        self._early += len(_LINE_END.split(data, 1)[0])
        return self._early > MAX_HELLO

    def _refuse_late_hello(self) -> None:
        self._refuse(Notice(Code.TOO_SLOW, f"no first line within {self._patience:g} s"))

    def _refuse(self, notice: Notice) -> None:
        """Send the reason, and close when the client has had time to read it."""
        self.send_lines(b"%b\n" % bytes(notice))
        if not self._policy.reject(self, notice.code):
            self._is_over = True
            self._clear_deadline()
            self._transport.close()
            return
        self._close_output()
        self._set_deadline(LINGER, self._transport.abort)

    def _drop(self) -> None:
        """Close the connection unread and unanswered."""
        self._policy.reject(self, Code.UNAUTHORIZED)
        self._is_over = True
        self._clear_deadline()
        self._transport.close()

    def _close_output(self) -> None:
        """Send no more, and drop what still comes.

        A connection that is closed while its peer still sends is reset, and the last lines
        would be lost with it.
        """
        self._is_over = True
        self._input.resume_all()
        if self._transport.can_write_eof() and not self._transport.is_closing():
            with contextlib.suppress(OSError):  # The peer may have left unnoticed.
                self._transport.write_eof()

    def _close(self) -> None:
        """Close when everything is sent, or that takes too long."""
        self._is_over = True
        self._transport.close()
        self._set_deadline(FAREWELL, self._transport.abort)

    def _set_deadline(self, seconds: float, act: Callable[[], None]) -> None:
        self._clear_deadline()
        self._deadline = asyncio.get_running_loop().call_later(seconds, act)

    def _clear_deadline(self) -> None:
        if self._deadline:
            self._deadline.cancel()
