"""A remote engine that stays: connects, connects again, and falls back, as a conversation asks.

What decides is in `conversation`; this carries its lines between the network, the engine
of this machine and whoever uses the bridge, and wakes it when it is time.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from threading import Thread

from rookery_bridge.address_probe import better_address
from rookery_bridge.engine_process import LocalEngine
from rookery_bridge.session.bridge_options import Preferences
from rookery_bridge.session.conversation import Conversation
from rookery_bridge.session.legal_move import warm
from rookery_bridge.suspend_detector import NAP, SleepWatch
from rookery_bridge.traffic_log import Record
from rookery_protocol.address import Address
from rookery_protocol.backoff import Backoff
from rookery_protocol.dialer import FINAL_CODES, DialError, no_answer
from rookery_protocol.line_connection import LineConnection, LineReceiver, dial_lines
from rookery_protocol.notices import Code, Hello
from rookery_protocol.tls_trust import Trust

QUIT_TIMEOUT = 2.0  # s that the engine has for its last words
START_PATIENCE = 2.0  # s in which a server must be reached for the first time
FIRST_TIMEOUT = 10.0  # s for the first connection: the engine may have to be started
RETURN_TIMEOUT = 3.0  # s for the others
FORBIDDEN_WAIT = 60.0  # s until a server that has refused is asked again
LEAST_WAIT = 0.2  # s between two attempts though the GUI is in a hurry

# What a server says that may be another a moment later, even to who comes first.
_PASSING = (Code.DRAINING, Code.TOO_MANY_CONNECTIONS, Code.TOO_MANY_STARTS)


class Bridge:
    """One GUI and one remote engine, over as many connections as it takes.

    Args:
        hear: takes what the GUI should hear: whole lines, each ended by a newline.
        fallback: the command of an engine of this machine; none if it is empty.
        must_reach: end if the server cannot be reached at first.  Otherwise the engine of
            this machine begins.
        patience: s that a lost server has to come back; then `run` raises why it did not.

    """

    def __init__(
        self,
        address: Address,
        trust: Trust,
        hear: LineReceiver,
        preferences: Preferences,
        *,
        fallback: Sequence[str] = (),
        must_reach: bool = True,
        patience: float = inf,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        # Over TCP nothing else would show a server that this program stands still.
        is_asked = not address.is_websocket
        self._conversation = Conversation(preferences, self._began, is_asked=is_asked)
        self._address = address
        self._trust = trust
        self._hear = hear
        self._command = fallback
        self._must_reach = must_reach
        self._complained: set[Code | None] = set()  # of what, since the server was there
        self._patience = patience
        self._failing_since: float | None = None  # every attempt to connect
        self._reaching: asyncio.Timeout | None = None  # the limit of an attempt to connect
        self._remote: LineConnection | None = None
        self._local: LocalEngine | None = None
        self._running: asyncio.Task[None] | None = None  # the same
        self._tasks: asyncio.TaskGroup
        self._spoken = asyncio.Event()  # the GUI has said something
        self._changed = asyncio.Event()  # the conversation is in another state than it was
        self._state: tuple[object, ...] = ()
        self._backoff = Backoff()
        self._sleep = SleepWatch()
        self._alarm: asyncio.TimerHandle | None = None
        self._is_warm = False
        self._record: Record | None = None
        self._recorded = ""  # in which file
        self._see_to_record()

    def say(self, line: bytes) -> None:
        """Take a line of the GUI's, without its newline."""
        self._note("gui >", line)
        self._conversation.gui_said(line, self._loop.time())
        self._spoken.set()
        self._see_to_limit()
        self._see_to_record()
        self._carry()
        if line.startswith(b"go") and not self._is_warm:
            # Loading the rules takes 0.1 s, which a lost connection may not leave.
            self._is_warm = True
            Thread(target=warm, name="load rules", daemon=True).start()

    @property
    def is_quitting(self) -> bool:
        """Whether the GUI has said `quit`."""
        return self._conversation.is_quitting

    @property
    def owes_moves(self) -> bool:
        """Whether the GUI will hear a move without another word of its own."""
        return self._conversation.owes_moves

    @property
    def is_met(self) -> bool:
        """Whether the engine was ever reached."""
        return self._conversation.is_met

    async def run(self) -> None:
        """Carry lines until the GUI quits.

        Raises:
            DialError: the engine cannot be had, and no other.

        """
        failure = None
        async with asyncio.TaskGroup() as self._tasks:
            patience = self._loop.call_at(self._began + START_PATIENCE, self._begin_without)
            try:
                self._set_alarm()
                await self._stay_connected()
            except DialError as error:
                failure = error  # It would leave the group in an exception group.
            finally:
                patience.cancel()
                self._stop()
        if failure and not (self.is_met or self.is_quitting):
            raise await self._explained(failure)
        if failure:
            raise failure

    async def _explained(self, error: DialError) -> DialError:
        """Return why the server was never reached, with the address that would do."""
        better = None
        if error.code in (None, Code.WRONG_PROTOCOL):
            better = await better_address(self._address)
        if better is None:
            return error
        text = f"use {better}, which is what answers on that port ({error})"
        return DialError(text, error.code, is_final=error.is_final)

    def _stop(self) -> None:
        if self._alarm:
            self._alarm.cancel()
        if self._running:
            self._running.cancel()
        if self._remote and not self.is_quitting:  # Ctrl-C
            self._remote.send_line(b"quit")
        self._leave()
        if self._record:
            self._record.close()

    # --- the connection

    async def _stay_connected(self) -> None:
        while True:
            wait = 0.0
            try:
                wait = await self._converse()
            except DialError as error:
                wait = self._wait_after(error)
            if self.is_quitting and self._conversation.is_begun:
                self._conversation.answer_early(self._loop.time())
                self._carry()
                return
            self._carry()
            await self._wait(wait)

    async def _converse(self) -> float:
        """Use one connection while it is good; return the seconds to wait for the next."""
        conversation = self._conversation
        hello = conversation.greeting()
        try:
            closed = await self._open(hello)
            began = self._loop.time()
            if conversation.is_linked:
                self._failing_since = None
                self._complained.clear()
                await self._until(closed, lambda: self.is_quitting)
                if self.is_quitting:
                    await self._until_closed(closed)
            reason = closed.result() if closed.done() else ""
        finally:
            self._leave()
        self._see_to_refusal(reason, is_closed=closed.done())
        if not conversation.is_linked:
            if not hello.returns:  # There is nothing that it could not know any more.
                raise DialError(f"it begins no session: {conversation.must_leave or reason}")
            return 0.0  # The session is not known any more, and a new one will be begun.
        now = self._loop.time()
        self._backoff.held(now - began)
        conversation.link_lost(conversation.must_leave or f"{_LOST}{_because(reason)}", now)
        return self._backoff.next(random.random())  # noqa: S311  # no secret

    async def _open(self, hello: Hello) -> asyncio.Task[str]:
        """Connect, and wait for the server's answer; return what waits for the end.

        Raises:
            DialError: the server cannot be reached, or has refused.

        """
        began = self._loop.time()
        until = began + (RETURN_TIMEOUT if self._conversation.is_met else FIRST_TIMEOUT)
        try:
            async with asyncio.timeout_at(until) as self._reaching:
                self._see_to_limit()
                self._remote = await dial_lines(
                    self._address, self._trust, self._heard, hello, help_text=_DOCTOR
                )
                self._reaching.reschedule(until)  # There is a server, which starts the engine.
                self._reaching = None
                closed = self._tasks.create_task(self._remote.wait_end(), name="await close")
                closed.add_done_callback(lambda _: self._changed.set())
                await self._until(closed, lambda: self._conversation.is_linked)
        except TimeoutError as error:
            raise DialError(no_answer(self._loop.time() - began, _DOCTOR)) from error
        finally:
            self._reaching = None
        return closed

    def _see_to_limit(self) -> None:
        """See that a GUI that has quit does not wait long for a server that may not be there."""
        if not self._reaching or not self.is_quitting:
            return
        needs_it = self._conversation.owes or not self._conversation.is_begun
        limit = self._loop.time() + (QUIT_TIMEOUT if needs_it else 0.0)
        if limit < (self._reaching.when() or inf):
            self._reaching.reschedule(limit)

    def _begin_without(self) -> None:
        """Begin with the engine of this machine, if the server was not reached in time."""
        conversation = self._conversation
        if self._must_reach or conversation.is_begun or self._remote:
            return
        conversation.tell(f"{self._address} is not reached within {START_PATIENCE:g} s yet")
        conversation.go_without(self._loop.time())
        self._carry()

    async def _until(self, closed: asyncio.Task[str], condition: Callable[[], bool]) -> None:
        """Wait until a condition holds, or the connection is no good any more."""
        while not closed.done() and not condition() and not self._conversation.must_leave:
            self._changed.clear()
            await self._changed.wait()

    async def _until_closed(self, closed: asyncio.Task[str]) -> None:
        """Leave the engine some time for its last words."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(QUIT_TIMEOUT):
                await asyncio.shield(closed)

    def _see_to_refusal(self, reason: str, *, is_closed: bool) -> None:
        """Find out whether the server has refused to begin, or to go on.

        Raises:
            DialError: it has.

        """
        conversation = self._conversation
        notice = conversation.last_notice
        code = notice.code if notice and is_closed else None
        if conversation.must_leave or (self.is_quitting and conversation.is_linked):
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
        conversation = self._conversation
        now = self._loop.time()
        is_over = self._is_final(error.code) and not conversation.preferences.fall_back
        was_linked = conversation.is_linked
        conversation.link_lost(str(error), now, for_good=is_over and conversation.is_met)
        if not (conversation.is_met or self._must_reach or self._complained):
            self._complain(error)
            conversation.go_without(now)
        elif not conversation.is_begun:
            is_late = now - self._began > START_PATIENCE
            may_pass = not error.is_final and (error.code is None or error.code in _PASSING)
            if is_late or not may_pass:
                raise error
        elif is_over:  # All else may be the network's, in a hotel for example.
            conversation.answer_all(now)
            self._carry()
            raise error
        elif self._was_patient(now) and not self._is_final(error.code):
            raise error
        elif error.is_final and not was_linked:  # It gets better by itself hardly ever.
            self._complain(error)
        if self._is_final(error.code) or error.code is Code.TOO_MANY_TRIES:
            return FORBIDDEN_WAIT
        return self._backoff.next(random.random())  # noqa: S311  # no secret

    def _complain(self, error: DialError) -> None:
        """Tell the GUI why the server cannot be had, once for each kind of reason."""
        if error.code not in self._complained:
            self._complained.add(error.code)
            self._conversation.tell(f"cannot reach {self._address}: {error}")

    def _is_final(self, code: Code | None) -> bool:
        """Say whether the server is not to be asked again, at least for a while."""
        # Who is answered in any case goes on without an engine that always dies.
        always_dies = code is Code.ENGINE_DIED and not self._conversation.preferences.may_guess
        return code in FINAL_CODES or always_dies

    def _was_patient(self, now: float) -> bool:
        """Say whether the server has had its time to come back."""
        self._failing_since = now if self._failing_since is None else self._failing_since
        return now - self._failing_since > self._patience

    def _leave(self) -> None:
        if self._remote:
            self._remote.abort()
            self._remote = None

    async def _wait(self, seconds: float) -> None:
        """Wait before the next attempt; not as long if the GUI says something."""
        conversation = self._conversation
        notice = conversation.last_notice
        is_idle = notice is not None and notice.code is Code.QUOTA_IDLE
        # What was said while the server took its leave is not said again.
        is_endless = is_idle and not conversation.owes
        self._spoken.clear()
        await asyncio.sleep(min(seconds, LEAST_WAIT))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if is_endless else seconds - LEAST_WAIT):
                await self._spoken.wait()
                # A server that has refused locks out who asks it with each line.
                while seconds >= FORBIDDEN_WAIT and not self.is_quitting:
                    self._spoken.clear()
                    await self._spoken.wait()

    # --- carrying

    def _heard(self, piece: bytes) -> None:
        self._note("net <", piece, sparing=True)
        self._conversation.server_said(piece, self._loop.time())
        self._carry()

    def _local_said(self, piece: bytes) -> None:
        self._conversation.fallback_said(piece, self._loop.time())
        self._carry()

    def _local_lost(self, reason: str) -> None:
        self._local = None
        self._conversation.fallback_lost(reason, self._loop.time())
        self._carry()

    def _carry(self) -> None:
        """Give each side what it should hear."""
        conversation = self._conversation
        if piece := conversation.for_gui():
            self._note("gui <", piece)
            self._hear(piece)
        if lines := conversation.for_server():
            self._note("net >", b"\n".join(lines))
            for line in lines:
                if self._remote:
                    self._remote.send_line(line)
        if conversation.wants_fallback and self._may_start_local():
            self._local = LocalEngine(self._command, self._local_said, self._local_lost)
            self._running = self._tasks.create_task(self._local.run(), name="run fallback")
        if self._local and (lines := conversation.for_fallback()):
            self._note("own >", b"\n".join(lines))
            self._local.tell(lines)
        state = conversation.is_linked, conversation.is_quitting, conversation.must_leave
        if state != self._state:
            self._state = state
            self._changed.set()
        self._set_alarm()

    # --- the log

    def _note(self, who: str, piece: bytes, *, sparing: bool = False) -> None:
        if self._record:
            self._record.add(who, piece, sparing=sparing)

    def _see_to_record(self) -> None:
        """Write down what is said where the user wants it now."""
        wanted = self._conversation.preferences.log_file
        if wanted == self._recorded:
            return
        if self._record:
            self._record.close()
        self._recorded, self._record = wanted, None
        if not wanted:
            return
        try:
            self._record = Record(Path(wanted).expanduser(), self._record_failed)
        except (RuntimeError, ValueError) as error:  # a ~ of nobody's, a NUL
            self._record_failed(f"{wanted}: {error}")

    def _record_failed(self, why: str) -> None:
        self._record = None
        self._conversation.tell(f"the log is not written: {why}")

    def _may_start_local(self) -> bool:
        may = self._conversation.preferences.fall_back
        return may and bool(self._command) and self._local is None

    def _set_alarm(self) -> None:
        """See that the conversation is woken when it is time; too early does no harm."""
        due = min(self._conversation.due(), self._loop.time() + NAP)
        if self._alarm and not self._alarm.cancelled() and self._alarm.when() <= due:
            return
        if self._alarm:
            self._alarm.cancel()
        self._alarm = self._loop.call_at(due, self._wake)

    def _wake(self) -> None:
        self._alarm = None
        if self._sleep.has_slept() and self._conversation.is_linked:
            self._conversation.must_leave = "this machine has slept"
        self._conversation.tick(self._loop.time())
        self._carry()


_DOCTOR = "'rookery-bridge doctor'"
_LOST = "the connection was lost"
_NO_WORD = (
    "it hung up without a word of Rookery's: it is a port of something else, wants TLS (tls://,"
    " wss://), or is being ended; 'rookery-bridge doctor' says more"
)


def _because(reason: str) -> str:
    return f" ({reason})" if reason else ""
