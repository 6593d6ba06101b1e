"""A remote engine that stays: the shell around a conversation.

The conversation decides; the bridge connects, connects again, starts the engine of this machine,
sends the lines that the conversation returns, and calls it when a deadline is over.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from importlib import import_module
from math import inf
from threading import Thread

from rookery_bridge.engine_process import LocalEngine
from rookery_bridge.server_inquiry import better_address
from rookery_bridge.session.bridge_options import BridgeOptions
from rookery_bridge.session.conversation import Conversation, Effects
from rookery_bridge.suspend_detector import NAP, SuspendDetector
from rookery_bridge.traffic_log import TrafficLog
from rookery_protocol.address import Address
from rookery_protocol.backoff import Backoff
from rookery_protocol.dialer import FINAL_CODES, DialError, no_answer
from rookery_protocol.hello import Hello
from rookery_protocol.line_connection import LineConnection, LineReceiver, dial_lines
from rookery_protocol.notices import Code
from rookery_protocol.tls_trust import Trust

QUIT_TIMEOUT = 2.0  # s that the engine has for its last words
START_PATIENCE = 2.0  # s in which a server must be reached for the first time
FIRST_TIMEOUT = 10.0  # s for the first connection: the engine may have to be started
RETURN_TIMEOUT = 3.0  # s for the others, and more after each that took too long
FORBIDDEN_WAIT = 60.0  # s until a server that has refused is asked again
LEAST_WAIT = 0.2  # s between two attempts though the GUI is in a hurry

# What a server says that may be another a moment later, even to who comes first.
_PASSING = (Code.DRAINING, Code.TOO_MANY_CONNECTIONS, Code.TOO_MANY_STARTS)


class Bridge:
    """One GUI and one remote engine, over as many connections as it takes.

    `conversation` says how far they are.

    Args:
        address: of the engine.
        trust: the token that is shown, and how the server is authenticated.
        receive: the receiver of the lines for the GUI: whole lines, each ended by a newline.
        options: the bridge's own options.
        fallback: the command of an engine of this machine; none if it is empty.
        must_reach: end if the server cannot be reached at first.  Otherwise the engine of
            this machine begins.
        patience: s that a lost server has to come back; then `run` raises why it did not.

    """

    def __init__(
        self,
        address: Address,
        trust: Trust,
        receive: LineReceiver,
        options: BridgeOptions,
        *,
        fallback: Sequence[str] = (),
        must_reach: bool = True,
        patience: float = inf,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        # Over TCP nothing else would show a server that this program stands still.
        is_asked = not address.is_websocket
        self.conversation = Conversation(options, self._began, is_asked=is_asked)
        self._options = options
        self._address = address
        self._trust = trust
        self._receive = receive
        self._command = fallback
        self._must_reach = must_reach
        self._complained: set[Code | None] = set()  # of what, since the server was there
        self._patience = patience
        self._failing_since: float | None = None  # every attempt to connect
        self._return_timeout = RETURN_TIMEOUT  # s for the next attempt
        self._dialing: asyncio.Timeout | None = None  # the limit of an attempt to connect
        self._connection: LineConnection | None = None
        self._local: LocalEngine | None = None
        self._local_task: asyncio.Task[None] | None = None
        self._tasks: asyncio.TaskGroup
        self._spoken = asyncio.Event()  # the GUI has sent a line
        self._changed = asyncio.Event()  # the conversation is in another state than it was
        self._state: tuple[object, ...] = ()
        self._backoff = Backoff()
        self._suspend = SuspendDetector()
        self._alarm: asyncio.TimerHandle | None = None
        self._has_rules = False  # they are loaded, or being loaded
        self._log: TrafficLog | None = None
        self._log_file = ""
        self._open_log()

    def receive_line(self, line: bytes) -> None:
        """Receive a line of the GUI, without its newline."""
        if self._log:
            self._log.add("gui >", line)
        effects = self.conversation.receive_from_gui(line, self._loop.time())
        self._spoken.set()
        if self._dialing:
            self._limit_dialing()
        if self._options.log_file != self._log_file:
            self._open_log()
        self._apply(effects)
        if not self._has_rules and line.startswith(b"go"):
            # Loading the rules takes 0.1 s, which a lost connection may not leave.
            self._has_rules = True
            rules = ("rookery_protocol.legality",)
            Thread(target=import_module, args=rules, name="load rules", daemon=True).start()

    async def run(self) -> None:
        """Converse until the GUI quits.

        Raises:
            DialError: the engine cannot be had, and no other.

        """
        failure = None
        async with asyncio.TaskGroup() as self._tasks:
            patience = self._loop.call_at(self._began + START_PATIENCE, self._begin_without)
            try:
                self._apply(self.conversation.take_effects())
                await self._stay_connected()
            except DialError as error:
                failure = error  # It would leave the group in an exception group.
            finally:
                patience.cancel()
                self._stop()
        if failure and not (self.conversation.is_met or self.conversation.is_quitting):
            raise await self._with_better_address(failure)
        if failure:
            raise failure

    async def _with_better_address(self, error: DialError) -> DialError:
        """Return why the server was never reached, with the address that answers."""
        is_unclear = error.code in (None, Code.WRONG_PROTOCOL)
        better = await better_address(self._address) if is_unclear else None
        if better is None:
            return error
        text = f"use {better}, which is what answers on that port ({error})"
        return DialError(text, error.code, is_final=error.is_final)

    def _stop(self) -> None:
        if self._alarm:
            self._alarm.cancel()
        if self._local_task:
            self._local_task.cancel()
        if self._connection and not self.conversation.is_quitting:  # Ctrl-C
            self._connection.send_line(b"quit")
        self._leave()
        if self._log:
            self._log.close()

    # --- the connection

    async def _stay_connected(self) -> None:
        while True:
            wait = 0.0
            try:
                wait = await self._converse()
            except DialError as error:
                wait = self._wait_after(error)
            if self.conversation.is_quitting and self.conversation.is_begun:
                self._apply(self.conversation.answer_others(self._loop.time()))
                return
            await self._wait(wait)

    async def _converse(self) -> float:
        """Use one connection while it is good; return the seconds to wait for the next."""
        conversation = self.conversation
        hello = conversation.hello()
        try:
            closed = await self._open(hello)
            began = self._loop.time()
            if conversation.is_linked:
                self._failing_since = None
                self._return_timeout = RETURN_TIMEOUT
                self._complained.clear()
                await self._until(closed, lambda: conversation.is_quitting)
                if conversation.is_quitting:  # The engine may have last words.
                    await asyncio.wait({closed}, timeout=QUIT_TIMEOUT)
            reason = closed.result() if closed.done() else ""
        finally:
            self._leave()
        self._check_refusal(reason, is_closed=closed.done())
        if not conversation.is_linked:
            if not hello.returns:  # There is nothing that it could not know any more.
                raise DialError(f"it begins no session: {conversation.must_leave or reason}")
            return 0.0  # The session is not known any more, and a new one will be begun.
        now = self._loop.time()
        self._backoff.count_connection(now - began)
        why = conversation.must_leave or f"{_LOST}{_because(reason)}"
        self._apply(conversation.lose_link(why, now))
        return self._backoff.next_wait(random.random())  # noqa: S311  # no secret

    async def _open(self, hello: Hello) -> asyncio.Task[str]:
        """Connect, and wait for the server's answer; return what waits for the end.

        Raises:
            DialError: the server cannot be reached, or has refused.

        """
        began = self._loop.time()
        until = began + (self._return_timeout if self.conversation.is_met else FIRST_TIMEOUT)
        try:
            async with asyncio.timeout_at(until) as self._dialing:
                self._limit_dialing()
                self._connection = await dial_lines(
                    self._address, self._trust, self._receive_piece, hello, help_text=_DOCTOR
                )
                self._dialing.reschedule(until)  # There is a server, which may be slow.
                self._limit_dialing()
                closed = self._tasks.create_task(self._connection.wait_end(), name="await close")
                closed.add_done_callback(lambda _: self._changed.set())
                await self._until(closed, lambda: self.conversation.is_linked)
        except TimeoutError as error:
            # The next attempt begins anew: over a slow way (DNS, TLS) it needs more time.
            self._return_timeout = min(2 * self._return_timeout, FIRST_TIMEOUT)
            raise DialError(no_answer(self._loop.time() - began, _DOCTOR)) from error
        finally:
            self._dialing = None
        return closed

    def _limit_dialing(self) -> None:
        """Let a GUI that has quit not wait long for a server that may not be there."""
        if not self._dialing or not self.conversation.is_quitting:
            return
        needs_it = self.conversation.has_pending or not self.conversation.is_begun
        # A server that hears no `quit` keeps the engine for a bridge that may come back.
        may_wait = needs_it or self._connection is not None
        limit = self._loop.time() + (QUIT_TIMEOUT if may_wait else 0.0)
        if limit < (self._dialing.when() or inf):
            self._dialing.reschedule(limit)

    def _begin_without(self) -> None:
        """Begin with the engine of this machine, if the server was not reached in time."""
        conversation = self.conversation
        if self._must_reach or conversation.is_begun:
            return
        conversation.tell_gui(f"{self._address} is not reached within {START_PATIENCE:g} s yet")
        self._apply(conversation.begin_without_server(self._loop.time()))

    async def _until(self, closed: asyncio.Task[str], condition: Callable[[], bool]) -> None:
        """Wait until a condition holds, or the connection is no good any more."""
        while not closed.done() and not condition() and not self.conversation.must_leave:
            self._changed.clear()
            await self._changed.wait()

    def _check_refusal(self, reason: str, *, is_closed: bool) -> None:
        """Raise the reason if the server has refused to begin, or to go on.

        Raises:
            DialError: the server has refused.

        """
        conversation = self.conversation
        notice = conversation.last_notice
        code = notice.code if notice and is_closed else None
        if conversation.must_leave or (conversation.is_quitting and conversation.is_linked):
            return
        if not conversation.is_met and notice is None:
            raise DialError(f"{_NO_WORD}{_because(reason)}")
        if not conversation.is_linked or self._is_final(code):
            raise DialError(reason or (notice.text if notice else _LOST), code)

    def _wait_after(self, error: DialError) -> float:
        """Return the seconds to wait after a failure.

        Raises:
            DialError: the engine cannot be had, and no other.

        """
        conversation = self.conversation
        now = self._loop.time()
        is_over = self._is_final(error.code) and not self._options.fall_back
        was_linked = conversation.is_linked
        if self._failing_since is None:
            self._failing_since = now
        for_good = is_over and conversation.is_met
        self._apply(conversation.lose_link(str(error), now, for_good=for_good))
        if not (conversation.is_met or self._must_reach or self._complained):
            self._complain(error)
            self._apply(conversation.begin_without_server(now))
        elif not conversation.is_begun:
            is_late = now - self._began > START_PATIENCE
            may_pass = not error.is_final and (error.code is None or error.code in _PASSING)
            if is_late or not may_pass:
                raise error
        elif is_over:  # All else may be the network's, in a hotel for example.
            self._apply(conversation.answer_all(now))
            raise error
        elif now - self._failing_since > self._patience and not self._is_final(error.code):
            raise error
        elif error.is_final and not was_linked:  # It gets better by itself hardly ever.
            self._complain(error)
        if self._is_final(error.code) or error.code is Code.TOO_MANY_TRIES:
            return FORBIDDEN_WAIT
        return self._backoff.next_wait(random.random())  # noqa: S311  # no secret

    def _complain(self, error: DialError) -> None:
        """Tell the GUI why the server cannot be had, once for each kind of reason."""
        if error.code not in self._complained:
            self._complained.add(error.code)
            self._tell_gui(f"cannot reach {self._address}: {error}")

    def _is_final(self, code: Code | None) -> bool:
        """Say whether the server is not to be asked again, at least for a while."""
        # A GUI that is answered in any case goes on without an engine that always dies.
        always_dies = code is Code.ENGINE_DIED and not self._options.may_guess
        return code in FINAL_CODES or always_dies

    def _leave(self) -> None:
        if self._connection:
            self._connection.abort()
            self._connection = None

    async def _wait(self, seconds: float) -> None:
        """Wait before the next attempt; not as long if the GUI says something."""
        conversation = self.conversation
        notice = conversation.last_notice
        is_idle = notice is not None and notice.code is Code.QUOTA_IDLE
        # Lines that came while the server ended the session are not sent again.
        is_endless = is_idle and not conversation.has_pending
        self._spoken.clear()
        await asyncio.sleep(min(seconds, LEAST_WAIT))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if is_endless else seconds - LEAST_WAIT):
                await self._spoken.wait()
                # A server that has refused locks out a client that asks it with each line.
                while seconds >= FORBIDDEN_WAIT and not conversation.is_quitting:
                    self._spoken.clear()
                    await self._spoken.wait()

    # --- lines

    def _receive_piece(self, piece: bytes) -> None:
        """Receive whole lines of the server."""
        if self._log:
            self._log.add("net <", piece, sparing=True)
        effects = self.conversation.receive_from_server(piece, self._loop.time())
        if effects.due is not None or self._log:
            self._apply(effects)
        elif effects.gui:
            self._receive(effects.gui)

    def _receive_from_fallback(self, piece: bytes) -> None:
        self._apply(self.conversation.receive_from_fallback(piece, self._loop.time()))

    def _lose_fallback(self, reason: str) -> None:
        self._local = None
        self._apply(self.conversation.lose_fallback(reason, self._loop.time()))

    def _tell_gui(self, text: str) -> None:
        self.conversation.tell_gui(text)
        self._apply(self.conversation.take_effects())

    def _apply(self, effects: Effects) -> None:
        """Send the lines that the conversation returns, and set the alarm."""
        gui, server, fallback, due = effects
        if due is not None:
            conversation = self.conversation
            state = conversation.is_linked, conversation.is_quitting, conversation.must_leave
            if state != self._state:
                self._state = state
                self._changed.set()
            self._set_alarm(due)
            if fallback or conversation.wants_fallback:
                self._use_local_engine(fallback)
            if server:
                self._send_to_server(server)
        if gui:  # It is last, because a program may send its next lines at once.
            if self._log:
                self._log.add("gui <", gui)
            self._receive(gui)

    def _send_to_server(self, lines: Sequence[bytes]) -> None:
        if self._log:
            self._log.add("net >", b"\n".join(lines))
        if self._connection:
            for line in lines:
                self._connection.send_line(line)

    def _use_local_engine(self, lines: Sequence[bytes]) -> None:
        """Start the engine of this machine if it may be needed, and send it lines."""
        may_start = self._options.fall_back and self._command and self._local is None
        if may_start and self.conversation.wants_fallback:
            self._local = LocalEngine(
                self._command, self._receive_from_fallback, self._lose_fallback
            )
            lines = [b"uci", *lines]
            self._local_task = self._tasks.create_task(self._local.run(), name="run fallback")
        if lines and self._local:
            if self._log:
                self._log.add("own >", b"\n".join(lines))
            self._local.send_lines(lines)

    # --- the log

    def _open_log(self) -> None:
        """Write the log to the file that the user has chosen now."""
        if self._log:
            self._log.close()
        self._log_file, self._log = self._options.log_file, None
        if self._log_file:
            self._log = TrafficLog(self._log_file, self._lose_log)
            if self._log.elsewhere:
                text = (
                    f"another bridge writes {self._log_file}, so the log is {self._log.elsewhere}"
                )
                self._loop.call_soon(self._tell_gui, text)

    def _lose_log(self, why: str) -> None:
        self._log = None
        self._log_file = self._options.log_file = ""  # The GUI may set the same file again.
        # It may be in the middle of other effects.
        self._loop.call_soon(self._tell_gui, f"the log is not written: {why}")

    # --- time

    def _set_alarm(self, due: float) -> None:
        """Set the alarm, if it would ring too late; too early does no harm."""
        due = min(due, self._loop.time() + NAP)
        if self._alarm:
            if self._alarm.when() <= due:
                return
            self._alarm.cancel()
        self._alarm = self._loop.call_at(due, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if self._suspend.has_slept() and self.conversation.is_linked:
            self.conversation.must_leave = "this machine has slept"
        self._apply(self.conversation.tick(self._loop.time()))


_DOCTOR = "'rookery-bridge doctor'"
_LOST = "the connection was lost"
_NO_WORD = (
    "it hung up without a word of Rookery's: it is a port of something else, wants TLS (tls://,"
    " wss://), or is being ended; 'rookery-bridge doctor' says more"
)


def _because(reason: str) -> str:
    return f" ({reason})" if reason else ""
