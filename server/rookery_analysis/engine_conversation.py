"""A UCI conversation with one engine over time: patience, futures, and a server's notices.

`rookery_uci.uci_client` decides what is sent and what counts.  This adds what needs a clock
or a server: a request that takes too long is the engine's fault, but no time counts while the
engine waits for a place; a notice says that a server does not do all that was asked.  The
lines are carried by `remote_engines` here, or by the host of an engine elsewhere.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from rookery_protocol.errors import ConfigError
from rookery_protocol.legality import STANDARD
from rookery_protocol.notices import Meaning, Notice, legible
from rookery_uci import CHESS960, VARIANT, EngineIdentity, Limits, Position, SetOption, UciError
from rookery_uci.uci_client import UciClient, UciRequest, UciSearch

START_PATIENCE = 20.0  # s to answer `uci`, and again to be ready

_NOTICE = b"info string rookery "
# What a notice means after which the answer is not all that was asked for.
_FAILINGS = (Meaning.REFUSED, Meaning.ALTERED, Meaning.CUT, Meaning.PUT_OFF)
_UNGRANTED = (Meaning.REFUSED, Meaning.ALTERED)  # the same of options

_Request = TypeVar("_Request", bound=UciRequest)


class FaultyEngineError(Exception):
    """An engine has died, hangs, or gives no answer that can be read; the text says which."""


class UnreachableEngineError(Exception):
    """An engine cannot be reached any more, which is no fault of its own or of a position."""


class BusyServerError(UnreachableEngineError):
    """A server has no room for one more engine now, and will have some day; the text is its own."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A request, how long it may take in seconds, and the future of its answer."""

    request: UciRequest
    patience: float
    answer: asyncio.Future[Any]  # of the request itself


class EngineConversation:
    """The requests to one engine; `receive` takes its lines.

    `patience` is how long it may take for a position, in seconds.  `pause_reading`, if given,
    leaves what it says in its pipe for so many seconds.  As long as `has_engine` is false
    the conversation waits for a place, and no time counts.  `ahead` is that of a `UciClient`.
    """

    def __init__(
        self,
        send: Callable[[bytes], None],
        patience: float,
        *,
        pause_reading: Callable[[float], None] | None = None,
        has_engine: Callable[[], bool] = lambda: True,
        ahead: int = 0,
    ) -> None:
        self.is_terse = False  # the engine says nothing of a search but what counts
        self._send = send
        self._patience = patience
        self._pause_reading = pause_reading
        self._has_engine = has_engine
        self._client = UciClient(ahead=ahead)
        self._poll_delay = PollDelay()
        self._pending: deque[_Pending] = deque()  # the first is with the engine
        self._began = 0.0  # s, when that one was sent
        self._timer: asyncio.TimerHandle | None = None  # None is that no time counts
        self._is_queued = False  # other sessions of the server go first
        self._refusal: Notice | None = None
        self._is_over = False  # the server's session: later answers are to nothing that was asked
        self._end: Exception | None = None
        self._has_variant = False  # other rules than the usual were set once

    @property
    def identity(self) -> EngineIdentity:
        """The name and the options of the engine."""
        return self._client.identity

    def has_option(self, name: str) -> bool:
        """Return whether the engine has an option."""
        return self._client.option(name) is not None

    def setoption(self, name: str, value: str) -> SetOption:
        """Return the command that sets an option of the engine.

        Raises:
            ConfigError: the engine has no such option, or it cannot have that value.

        """
        try:
            return self._client.setoption(name, value)
        except UciError as error:
            raise ConfigError(str(error)) from error

    # --- requests

    async def handshake(self) -> None:
        """Ask the engine what it is.

        Raises:
            FaultyEngineError: it does not say.
            UnreachableEngineError: its server is gone, or has no room for it.

        """
        await self._submit(self._client.handshake(), START_PATIENCE)

    async def configure(self, options: Sequence[SetOption]) -> None:
        """Set options, and wait until the engine is ready.

        Raises:
            ConfigError: the server does not grant them.
            FaultyEngineError: the engine does not become ready.
            UnreachableEngineError: its server is gone, or has no room for it.

        """
        await self._submit(self._client.prepare(options), START_PATIENCE)
        if self._refusal and self._refusal.code.meaning in _UNGRANTED:
            raise ConfigError(f"the server does not do what was asked: {_text_of(self._refusal)}")

    async def start_game(self, *, chess960: bool, variant: str = STANDARD) -> None:
        """Clear the engine's memory of the game before, so that results do not depend on it.

        The caller has checked that an engine plays a variant.
        """
        wanted = []
        if self.has_option(CHESS960):
            wanted.append(self.setoption(CHESS960, str(chess960)))
        if variant != STANDARD or (self._has_variant and self.has_option(VARIANT)):
            self._has_variant = True
            wanted.append(self.setoption(VARIANT, variant))
        rules = self._client.changed(wanted)
        await self._submit(self._client.prepare(rules, new_game=True), START_PATIENCE)

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        new_game: bool = False,
        options: Sequence[SetOption] = (),
    ) -> asyncio.Future[UciSearch]:
        """Search a position when all requests before it are answered.

        With `new_game` the engine forgets all that it has searched before.  Options that have
        another value by then are set first.

        Awaiting the future raises:
            FaultyEngineError: the position was not searched.
            UnreachableEngineError: the server is gone, or has no room.

        """
        patience = self._patience + (limits.movetime or 0) / 1000
        search = self._client.search(position, limits, new_game=new_game, options=options)
        return self._submit(search, patience)

    # --- the engine's side

    def receive(self, piece: bytes) -> None:
        """Read whole lines of the engine, each with its newline."""
        if _NOTICE in piece:
            self._read_notices(piece)
        if not self._pending or self._is_over:
            return
        if self._is_queued and b" pv " in piece:
            self._is_queued = False
            self._start_timer(self._patience)
        try:
            self._client.receive(piece)
        except UciError as error:
            self.end(FaultyEngineError(str(error)))
        while self._pending and self._pending[0].request.is_over:
            self._finish(self._pending[0])

    def end(self, why: Exception) -> None:
        """Fail all requests: the engine says no more."""
        if self._refusal and self._refusal.code.meaning is Meaning.PUT_OFF:  # That is why.
            why = BusyServerError(_text_of(self._refusal))
        self._end = self._end or why
        self._stop_timer()
        for pending in self._pending:
            _fail(pending.answer, self._end)
        self._pending.clear()

    # --- private

    def _submit(self, request: _Request, patience: float) -> asyncio.Future[_Request]:
        answer: asyncio.Future[_Request] = asyncio.get_running_loop().create_future()
        if self._end:
            _fail(answer, self._end)
            return answer
        self._pending.append(_Pending(request, patience, answer))
        if len(self._pending) == 1:
            self._begin_first()
        else:
            self._send_all()
        return answer

    def _send_all(self) -> None:
        if data := self._client.data_to_send():
            self._send(data)

    def _begin_first(self) -> None:
        pending = self._pending[0]
        self._refusal = None
        self._is_queued = False
        self._start_timer(pending.patience)
        self._began = time.monotonic()
        self._send_all()
        delay = self._poll_delay.length
        is_search = isinstance(pending.request, UciSearch)
        if is_search and delay and self._pause_reading and not self.is_terse:
            self._pause_reading(delay)

    def _finish(self, pending: _Pending) -> None:
        self._stop_timer()
        self._pending.popleft()
        refusal = self._refusal
        is_search = isinstance(pending.request, UciSearch)
        if is_search:
            self._poll_delay.learn(time.monotonic() - self._began)
        if self._pending:
            self._begin_first()
        if pending.answer.done():  # Its worker was told to stop.
            return
        if refusal and refusal.code.meaning is Meaning.PUT_OFF:
            _fail(pending.answer, BusyServerError(_text_of(refusal)))
        elif refusal and is_search:
            _fail(pending.answer, FaultyEngineError(f"the server says: {_text_of(refusal)}"))
        else:
            pending.answer.set_result(pending.request)

    def _read_notices(self, piece: bytes) -> None:
        for line in piece.splitlines():
            if not line.startswith(_NOTICE):
                continue
            notice = Notice.parse(line.decode(errors="replace"))
            if notice and notice.code.meaning is Meaning.NO_ENGINE:
                self._is_queued = True
                self._stop_timer()  # Others go first, as long as they like.
            elif notice and notice.code.meaning in _FAILINGS:
                self._refusal = self._refusal or notice  # Later ones follow from the first.
            elif notice and notice.code.meaning is Meaning.OVER:
                self._is_over = True  # The end of the connection says why.

    # --- patience

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._time_out, seconds)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _time_out(self, seconds: float) -> None:
        if self._has_engine():
            word = self._pending[0].request.last_word.decode()
            self.end(FaultyEngineError(f"it does not say {word} within {seconds:g} s"))
        else:
            self._start_timer(seconds)


class PollDelay:
    """The time without reading after `go`: only the last lines of an engine count.

    An engine writes line by line, and to wake Python for a line costs more than to read it: it
    drives the engine's tables out of the processor's cache.  Lines gather in the pipe for most
    of the time that a search is likely to take.  A search that ends before that is noticed
    late, so the guess follows short searches at once and long ones slowly.
    Engines that are silent by themselves (`Minimal`) need no delay.
    """

    SHARE = 0.6  # of a search; with more, searches that end early cost more than lines behind it
    GROWTH = 1.1  # of the guess, from one search to the next
    SHORTEST = 0.001  # s; a timer takes about as long
    LONGEST = 0.05  # s; of longer searches the few lines cost nothing

    def __init__(self) -> None:
        self._usual = 0.0  # s that a search takes at least, as it seems

    @property
    def length(self) -> float:
        """The delay in the next search, in seconds; 0 for none."""
        length = self.SHARE * self._usual
        return min(length, self.LONGEST) if length >= self.SHORTEST else 0.0

    def learn(self, seconds: float) -> None:
        """Record how long a search took until its end was noticed."""
        self._usual = min(seconds, self.GROWTH * self._usual) if self._usual else seconds


def _fail(answer: asyncio.Future[Any], why: Exception) -> None:
    if not answer.done():
        answer.set_exception(why)
        answer.exception()  # Its worker may be gone: then asyncio must not complain.


def _text_of(notice: Notice) -> str:
    return f"{notice.code}: {legible(notice.text)}"
