"""One engine, asked one position after the other: its side of the conversation.

What carries the lines stands in `local.py` and `remote.py`.  Of what an engine says of a
search only the newest line of each variation is kept, and read when the search is over:
a line costs 1 microsecond here, and 20 if it is parsed.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rookery_engine.uci import (
    BestMove,
    Limits,
    Option,
    Position,
    SetOption,
    UciError,
    parse_reply,
)
from rookery_server.engines.offer import CHESS960, Answer, key_of, read_value
from rookery_server.errors import ConfigError
from rookery_server.wire import Code, Notice

START_PATIENCE = 20.0  # s to answer `uci`, and again to be ready

_VARIATION = re.compile(rb" multipv (\d+) ")
_BOUND = (b" lowerbound", b" upperbound")
_NOTICE = b"info string rookery "
# Of the notices of a server these say that the answer is not to what was asked.
_REFUSALS = frozenset(
    {
        Code.ILLEGAL_POSITION, Code.POSITION_TOO_LONG, Code.COMMAND_REFUSED, Code.BAD_COMMAND,
        Code.OPTION_REFUSED, Code.OPTION_CLAMPED, Code.UNKNOWN_OPTION, Code.BAD_VALUE,
        Code.QUOTA_CPU, Code.QUOTA_SEARCH, Code.LINE_TOO_LONG, Code.ENGINE_FAILED,
    }
)  # fmt: skip


class FaultError(Exception):
    """An engine has died, hangs, or says what is no answer; the text says which."""


class LostError(Exception):
    """The server of an engine is gone, which is no fault of the engine or of a position."""


@dataclass(frozen=True, slots=True)
class Said:
    """What an engine has said of a position: its newest lines, and its move, if it has one."""

    lines: bytes
    best: str | None


class Talk:
    """Speaks UCI with one engine: `tell` carries a piece to it, `hear` takes one of its own.

    `patience` is how long it may take for a position, in seconds.
    """

    def __init__(self, tell: Callable[[bytes], None], patience: float) -> None:
        self.answer = Answer()
        self._tell = tell
        self._patience = patience
        self._newest: dict[int, bytes] = {}
        self._awaited = b""  # the word that ends what is waited for
        self._heard: list[bytes] = []  # other lines, until `uciok`
        self._done: asyncio.Future[bytes] | None = None
        self._clock: asyncio.Timeout | None = None
        self._given: float | None = None  # s, of the clock
        self._refusal = ""
        self._end: Exception | None = None

    # --- for who asks

    async def greet(self) -> None:
        """Have the engine say what it is."""
        await self._ask("uci", b"uciok", START_PATIENCE)
        self.answer = Answer.parse(line.decode(errors="replace") for line in self._heard)
        self._heard.clear()

    async def set_up(self, options: Sequence[SetOption]) -> None:
        """Set options, and wait until the engine is ready."""
        said = "".join(f"{option}\n" for option in options)
        await self._ask(f"{said}isready", b"readyok", START_PATIENCE)
        if self._refusal:
            raise ConfigError(f"the server does not do what was asked: {self._refusal}")

    async def begin(self, *, chess960: bool) -> None:
        """Have it forget the game before, so that each game is searched as if it were the first."""
        rules = f"setoption name UCI_Chess960 value {str(chess960).lower()}\n"
        lines = f"{rules if self.has(CHESS960) else ''}ucinewgame\nisready"
        await self._ask(lines, b"readyok", START_PATIENCE)

    async def search(self, position: Position, limits: Limits) -> Said:
        """Have a position searched.

        Raises:
            FaultError: it was not.
            LostError: its server has gone.

        """
        self._newest.clear()
        self._refusal = ""
        patience = self._patience + (limits.movetime or 0) / 1000
        move = await self._ask(f"{position}\ngo {limits}", b"bestmove", patience)
        if self._refusal:
            raise FaultError(f"the server says: {self._refusal}")
        lines = b"".join(line + b"\n" for line in self._newest.values())
        return Said(lines, _read_move(move))

    def choose(self, name: str, value: str) -> SetOption:
        """Return what sets an option of the engine's.

        Raises:
            ConfigError: it has no such option, or it cannot have that value.

        """
        option = self._option(key_of(name))
        if option is None:
            raise ConfigError(f"{self.answer.name or 'the engine'} has no option {name!r}")
        try:
            return SetOption(option.name, read_value(option, value))
        except UciError as error:
            raise ConfigError(str(error)) from error

    def has(self, name: str) -> bool:
        """Say whether the engine has an option."""
        return self._option(key_of(name)) is not None

    # --- for who carries

    def hear(self, piece: bytes) -> None:
        """Take whole lines of the engine."""
        for line in piece.splitlines():
            if line.startswith(b"info "):
                self._hear_info(line)
            elif self._done and not self._done.done():
                if line.split(maxsplit=1)[:1] == [self._awaited]:
                    self._done.set_result(line)
                elif self._awaited == b"uciok":
                    self._heard.append(line)

    def ended(self, why: Exception) -> None:
        """Take note that it will say no more."""
        self._end = why
        if self._done and not self._done.done():
            self._done.set_exception(why)

    # --- within

    def _hear_info(self, line: bytes) -> None:
        if line.startswith(_NOTICE):
            self._hear_notice(line)
        elif b" pv " in line and not any(bound in line for bound in _BOUND):
            found = _VARIATION.search(line)
            self._newest[int(found[1]) if found else 1] = line
            if self._given is not None:
                self._restart_clock()

    def _hear_notice(self, line: bytes) -> None:
        notice = Notice.parse(line.decode(errors="replace"))
        if notice and notice.code is Code.WAITING and self._clock:
            self._given = self._patience
            self._clock.reschedule(None)  # Others go first, as long as they like.
        elif notice and notice.code in _REFUSALS:
            self._refusal = f"{notice.code}: {notice.text}"

    def _restart_clock(self) -> None:
        if self._clock and self._given is not None:
            self._clock.reschedule(asyncio.get_running_loop().time() + self._given)
        self._given = None

    async def _ask(self, lines: str, word: bytes, patience: float) -> bytes:
        """Say lines, and wait for one that begins with a word."""
        if self._end:
            raise self._end
        self._awaited = word
        self._done = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(patience) as self._clock:
                self._tell(f"{lines}\n".encode())
                return await self._done
        except TimeoutError:
            raise FaultError(f"it does not say {word.decode()} within {patience:g} s") from None
        finally:
            self._done = self._clock = self._given = None

    def _option(self, key: str) -> Option | None:
        return next((each for each, _ in self.answer.options if key_of(each.name) == key), None)


def _read_move(line: bytes) -> str | None:
    try:
        reply = parse_reply(line.decode(errors="replace"))
    except UciError:
        return None
    return reply.move if isinstance(reply, BestMove) else None
