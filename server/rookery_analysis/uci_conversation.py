"""One engine, asked one position after the other: its side of the conversation.

What carries the lines stands in `hosted.py` and `remote.py`.  More may be asked before the
answer to what was asked before: it is told as soon as that is there, so that the engine
does not wait for who works on its answers.  Of what an engine says of a search only the
newest line of each variation counts, and is looked for when the search is over.
"""

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rookery_analysis.poll_delay import Nap
from rookery_analysis.printable import brief
from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import Meaning, Notice
from rookery_uci import (
    CHESS960,
    BestMove,
    EngineIdentity,
    Limits,
    Option,
    Position,
    SetOption,
    UciError,
    key_of,
    parse_reply,
)

START_PATIENCE = 20.0  # s to answer `uci`, and again to be ready
MAX_ANSWER = 1 << 20  # bytes of any other answer, as of one to `uci` where engines are offered
MOST_LINES = 500  # variations of which the newest lines are kept, as many as engines have MultiPV
MOST_HEARD = 1 << 16  # bytes of a search; then all but the newest lines are forgotten

_BEST_MOVE = b"bestmove"
_ENDS = {
    word: re.compile(rb"^[ \t]*" + word + rb"(?=\s)[^\n]*", re.MULTILINE)
    for word in (b"uciok", b"readyok", _BEST_MOVE)
}
_VARIATION = re.compile(rb" multipv (\d+) ")
_OTHERS = (b" multipv 2 ", b" multipv 0 ")  # There are engines that count from 0.
_BOUND = (b" lowerbound", b" upperbound")
_NOTICE = b"info string rookery "
# What a notice means after which the answer is not all that was asked for.
_FAILINGS = (Meaning.REFUSED, Meaning.ALTERED, Meaning.CUT, Meaning.PUT_OFF)
_UNGRANTED = (Meaning.REFUSED, Meaning.ALTERED)  # the same of what was set up


class FaultError(Exception):
    """An engine has died, hangs, or says what is no answer; the text says which."""


class LostError(Exception):
    """The server of an engine is gone, which is no fault of the engine or of a position."""


class BusyError(LostError):
    """A server has no room for one more now, and will have some day; the text is its own."""


@dataclass(frozen=True, slots=True)
class Said:
    """What an engine has said of a position: its newest lines, and its move, if it has one."""

    lines: bytes
    best: str | None

    @classmethod
    def read(cls, heard: bytes) -> "Said":
        """Read all that it has said, `bestmove` last."""
        lines, _, move = heard.rpartition(b"\n")
        return cls(_newest(lines), _read_move(move))


@dataclass(slots=True)
class _Ask:
    """What is asked: lines, the word with which the answer ends, and how long that may take."""

    lines: bytes
    word: bytes
    patience: float
    answer: asyncio.Future[bytes]  # all that was said, up to the line with that word
    heard: bytearray = field(default_factory=bytearray)
    most: int = MOST_HEARD

    @property
    def is_search(self) -> bool:
        return self.word is _BEST_MOVE


class Talk:
    """Speaks UCI with one engine: `tell` carries a piece to it, `hear` takes one of its own.

    `patience` is how long it may take for a position, in seconds.  `doze`, where there is
    one, leaves what it says where it is for so many seconds.  As long as it is not `is_there`
    it waits for a place, and no time counts.
    """

    def __init__(
        self,
        tell: Callable[[bytes], None],
        patience: float,
        *,
        doze: Callable[[float], None] | None = None,
        is_there: Callable[[], bool] = lambda: True,
    ) -> None:
        self.answer = EngineIdentity()
        self.is_terse = False  # the engine: it says nothing of a search but what counts
        self._tell = tell
        self._patience = patience
        self._doze = doze
        self._is_there = is_there
        self._nap = Nap()
        self._asked: deque[_Ask] = deque()  # the first is being answered
        self._began = 0.0  # s, when that one was told
        # One timer for all positions: it rings for the first, and then looks what is asked.
        self._clock: asyncio.TimerHandle | None = None
        self._rings = 0.0  # s, when it does
        self._asked_patience: float | None = None  # s; None is that no time counts
        self._deadline = 0.0  # s
        self._is_waiting = False  # others of the server go first
        self._refusal: Notice | None = None
        self._is_over = False  # its session: what it still answers is to nothing that was asked
        self._end: Exception | None = None

    # --- for who asks

    async def greet(self) -> None:
        """Have the engine say what it is.

        Raises:
            FaultError: it does not.
            LostError: its server has gone, or has no room for it.

        """
        heard = await self._ask("uci", b"uciok", START_PATIENCE)
        self.answer = EngineIdentity.parse(heard.decode(errors="replace").splitlines())

    async def set_up(self, options: Sequence[SetOption]) -> None:
        """Set options, and wait until the engine is ready.

        Raises:
            ConfigError: the server does not grant them.
            FaultError: it does not become ready.
            LostError: its server has gone, or has no room for it.

        """
        said = "".join(f"{option}\n" for option in options)
        await self._ask(f"{said}isready", b"readyok", START_PATIENCE)
        if self._refusal and self._refusal.code.meaning in _UNGRANTED:
            raise ConfigError(f"the server does not do what was asked: {_said(self._refusal)}")

    async def begin(self, *, chess960: bool) -> None:
        """Have it forget the game before, so that each game is searched as if it were the first."""
        rules = f"setoption name UCI_Chess960 value {str(chess960).lower()}\n"
        lines = f"{rules if self.has(CHESS960) else ''}ucinewgame\nisready"
        await self._ask(lines, b"readyok", START_PATIENCE)

    def search(self, position: Position, limits: Limits) -> asyncio.Future[bytes]:
        """Have a position searched when what was asked before is answered; `Said` reads the answer.

        Awaiting it raises:
            FaultError: it was not searched.
            LostError: its server has gone, or has no room for it.

        """
        patience = self._patience + (limits.movetime or 0) / 1000
        return self._ask(f"{position}\ngo {limits}", _BEST_MOVE, patience)

    def choose(self, name: str, value: str) -> SetOption:
        """Return what sets an option of the engine's.

        Raises:
            ConfigError: it has no such option, or it cannot have that value.

        """
        option = self._option(key_of(name))
        if option is None:
            raise ConfigError(f"{self.answer.name or 'the engine'} has no option {name!r}")
        try:
            return SetOption(option.name, option.read_value(value))
        except UciError as error:
            raise ConfigError(str(error)) from error

    def has(self, name: str) -> bool:
        """Say whether the engine has an option."""
        return self._option(key_of(name)) is not None

    # --- for who carries

    def hear(self, piece: bytes) -> None:
        """Take whole lines of the engine, each with its newline."""
        if _NOTICE in piece:
            self._hear_notices(piece)
        if not self._asked or self._is_over:
            return
        ask = self._asked[0]
        if self._is_waiting and b" pv " in piece:
            self._is_waiting = False
            self._start_clock(self._patience)
        end = _ENDS[ask.word].search(piece) if ask.word in piece else None
        ask.heard += piece if end is None else piece[: end.end()]
        if end:
            self._answered(ask)
        elif ask.is_search and len(ask.heard) > ask.most:
            ask.heard = bytearray(_newest(bytes(ask.heard)))
            ask.most = MOST_HEARD + 2 * len(ask.heard)
        elif not ask.is_search and len(ask.heard) > MAX_ANSWER:
            word = ask.word.decode()
            self.ended(FaultError(f"it says more than {MAX_ANSWER} bytes before {word}"))

    def ended(self, why: Exception) -> None:
        """Take note that it will say no more."""
        if self._refusal and self._refusal.code.meaning is Meaning.PUT_OFF:  # That is why.
            why = BusyError(_said(self._refusal))
        self._end = self._end or why
        if self._clock:
            self._clock.cancel()
        for ask in self._asked:
            _fail(ask.answer, self._end)
        self._asked.clear()

    # --- within

    def _ask(self, lines: str, word: bytes, patience: float) -> asyncio.Future[bytes]:
        """Say lines when it is their turn; the answer ends with a line that begins with a word."""
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        if self._end:
            _fail(answer, self._end)
            return answer
        self._asked.append(_Ask(f"{lines}\n".encode(), word, patience, answer))
        if len(self._asked) == 1:
            self._begin()
        return answer

    def _begin(self) -> None:
        """Tell the engine what is next."""
        ask = self._asked[0]
        self._refusal = None
        self._is_waiting = False
        self._start_clock(ask.patience)
        self._began = self._deadline - ask.patience
        self._tell(ask.lines)
        if ask.is_search and self._doze and not self.is_terse and (length := self._nap.length):
            self._doze(length)

    def _answered(self, ask: _Ask) -> None:
        self._stop_clock()
        self._asked.popleft()
        refusal = self._refusal
        if ask.is_search:
            self._nap.learn(time.monotonic() - self._began)
        if self._asked:
            self._begin()
        if ask.answer.done():  # Who wanted it has been told to stop.
            return
        if refusal and refusal.code.meaning is Meaning.PUT_OFF:
            _fail(ask.answer, BusyError(_said(refusal)))
        elif refusal and ask.is_search:
            _fail(ask.answer, FaultError(f"the server says: {_said(refusal)}"))
        else:
            ask.answer.set_result(bytes(ask.heard))

    def _hear_notices(self, piece: bytes) -> None:
        for line in piece.splitlines():
            if not line.startswith(_NOTICE):
                continue
            notice = Notice.parse(line.decode(errors="replace"))
            if notice and notice.code.meaning is Meaning.NO_ENGINE:
                self._is_waiting = True
                self._stop_clock()  # Others go first, as long as they like.
            elif notice and notice.code.meaning in _FAILINGS:
                self._refusal = self._refusal or notice  # What comes after it comes of it.
            elif notice and notice.code.meaning is Meaning.OVER:
                self._is_over = True  # The end of the connection says what it is.

    def _start_clock(self, patience: float) -> None:
        self._asked_patience = patience
        self._deadline = time.monotonic() + patience
        if self._clock is None or self._deadline < self._rings:
            self._set_clock(patience)

    def _stop_clock(self) -> None:
        self._asked_patience = None

    def _set_clock(self, seconds: float) -> None:
        if self._clock:
            self._clock.cancel()
        self._rings = time.monotonic() + seconds
        self._clock = asyncio.get_running_loop().call_later(seconds, self._look_at_clock)

    def _look_at_clock(self) -> None:
        self._clock = None
        patience = self._asked_patience
        if patience is None:
            return
        if not self._is_there():
            self._start_clock(patience)
        elif (left := self._deadline - time.monotonic()) > 0:
            self._set_clock(left)
        else:
            word = self._asked[0].word.decode()
            self.ended(FaultError(f"it does not say {word} within {patience:g} s"))

    def _option(self, key: str) -> Option | None:
        return next((each for each, _ in self.answer.options if key_of(each.name) == key), None)


def _fail(answer: asyncio.Future[bytes], why: Exception) -> None:
    if not answer.done():
        answer.set_exception(why)
        answer.exception()  # One that nobody gets to wait for is no fault of ours.


def _said(notice: Notice) -> str:
    return f"{notice.code}: {brief(notice.text)}"


def _newest(lines: bytes) -> bytes:
    """Return the newest line of each variation that has a score and is no bound."""
    newest: dict[bytes, bytes] = {}
    # Of most searches one line is all, and it is the last one.
    is_one = not any(other in lines for other in _OTHERS)
    for line in reversed(lines.splitlines()):
        if b" pv " not in line or not line.startswith(b"info "):
            continue
        found = _VARIATION.search(line)
        number = found[1] if found else b"1"
        if (
            number not in newest
            and len(newest) < MOST_LINES
            and not any(bound in line for bound in _BOUND)
        ):
            newest[number] = line
            if is_one:
                break
    return b"".join(line + b"\n" for line in newest.values())


def _read_move(line: bytes) -> str | None:
    try:
        reply = parse_reply(line.decode(errors="replace"))
    except UciError:
        return None
    return reply.move if isinstance(reply, BestMove) else None
