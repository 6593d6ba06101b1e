"""One search of a session's, and what is known of it so far."""

import asyncio
import contextlib
import re
from functools import lru_cache

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Close, Code, Meaning, Notice
from rookery_uci import BestMove, Info, UciError, parse_reply

NO_MOVES = ("0000", "(none)", "NULL")
PUT_OFF = 1.0  # s after which what is put off may be asked again, if nothing else is known

_VARIATION = re.compile(rb" multipv (\d+)")
_BOUND = re.compile(rb" (?:lower|upper)bound ")
_CACHED = re.compile(r"(\d+) lines? follow")
_OBJECTIONS = (Meaning.REFUSED, Meaning.PUT_OFF, Meaning.OVER)


class PendingSearch:
    """A search, from its request to its `bestmove`; await `wait`."""

    def __init__(self) -> None:
        self.best: BestMove | None = None
        self.notices: list[str] = []  # what the server has to say of the answer
        self.has_news = False  # since it was last asked for
        self._news = asyncio.Event()
        self._newest: dict[int, bytes] = {}  # by the number of the variation, with a score
        self._last: dict[int, bytes] = {}  # the same, but a bound is newer than a score before it
        self._counted = b""  # the last line with nodes
        self._skipped = 0  # lines that follow, which are none of this search
        self._objection: Notice | None = None
        self._error: RefusedError | None = None
        self._is_over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def is_over(self) -> bool:
        """True if no more will be found."""
        return self._is_over.done()

    @property
    def is_good(self) -> bool:
        """True if it has ended by itself, with an answer."""
        return self.is_over and self._error is None

    async def wait(self) -> None:
        """Wait for the end.

        Raises:
            RefusedError: there will be no answer.

        """
        await asyncio.shield(self._is_over)
        if self._error:
            raise self._error

    async def wait_for_news(self, least: float, most: float) -> bool:
        """Wait for the end, or for news after `least` seconds; return whether it has ended.

        After `most` seconds there need be no news.

        Raises:
            RefusedError: there will be no answer.

        """
        if least:
            await asyncio.wait([self._is_over], timeout=least)
        if not (self.is_over or self.has_news):
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(most):
                    await self._news.wait()
        if self._error:
            raise self._error
        return self.is_over

    def lines(self) -> list[Info]:
        """Return the variations that are known, the best first.

        A search may end while the score of its best move is only a bound: then that is the first
        line, not the move that was best before.
        """
        self.has_news = False
        infos: list[Info] = []
        for _, line in sorted(self._newest.items()):
            if not (info := _info_of(line)) or not info.pv or info.score is None:
                break
            infos.append(info)
        best, last = self.best and self.best.move, self._last_of_first()
        if infos and infos[0].pv[0] != best and last and last.pv[:1] == (best,) and last.score:
            others = [each for each in infos if each.pv[0] != best]
            infos = [last, *others][: len(infos)]
        return infos

    def progress(self) -> tuple[int | None, int | None, int | None]:
        """Return the depth of the first variation, and the nodes and milliseconds of the search."""
        first, counted = self._last_of_first() or Info(), _info_of(self._counted) or Info()
        nodes = [each.nodes for each in (first, counted) if each.nodes is not None]
        time = [each.time for each in (first, counted) if each.time is not None]
        return first.depth, max(nodes, default=None), max(time, default=None)

    def _last_of_first(self) -> Info | None:
        return _info_of(self._last[min(self._last)]) if self._last else None

    # --- for the session

    def hear_line(self, line: bytes) -> None:
        """Keep the newest line of each variation; a bound counts only while there is no score."""
        if self._skipped:
            self._skipped -= 1
        elif line.startswith(b"info "):
            if b" nodes " in line and not line.startswith(b"info string "):
                self._counted = line
            if b" pv " in line and b" score " in line:
                self._keep_variation(line)
        elif line.startswith(b"bestmove"):
            self._end(line)

    def _keep_variation(self, line: bytes) -> None:
        found = _VARIATION.search(line)
        number = int(found[1]) if found else 1
        self._last[number] = line
        if number not in self._newest or not _BOUND.search(line):
            self._newest[number] = line
            self.has_news = True
            self._news.set()

    def hear_notice(self, notice: Notice) -> None:
        """Keep what the server has to say of the search."""
        meaning = notice.code.meaning
        if meaning in _OBJECTIONS:
            self._objection = self._objection or notice  # Later ones come of the first.
        elif meaning in (Meaning.CUT, Meaning.ALTERED):
            self.notices.append(f"{notice.code}: {notice.text}")
            if notice.code is Code.ENGINE_DIED:
                self._newest.clear()
                self._last.clear()
                self._counted = b""
        elif notice.code is Code.CACHED and (count := _CACHED.match(notice.text)):
            self._skipped = int(count[1])

    def session_ended(self, code: Close, reason: str) -> None:
        """Fail: there will be no `bestmove`."""
        if not self._objection:
            restarts = code is Close.RESTART
            self._objection = Notice(Code.DRAINING if restarts else Code.ENGINE_FAILED, reason)
        self._finish(_error_of(self._objection))

    def _end(self, line: bytes) -> None:
        if self._objection:
            code, text = self._objection.code, "; ".join([self._objection.text, *self.notices])
            self._finish(_error_of(Notice(code, text)))
            return
        try:
            reply = parse_reply(line.decode(errors="replace"))
        except UciError:
            reply = None
        self.best = reply if isinstance(reply, BestMove) else BestMove(NO_MOVES[0])
        self._finish(None)

    def _finish(self, error: RefusedError | None) -> None:
        if not self._is_over.done():
            self._error = error
            self._is_over.set_result(None)
            self._news.set()


@lru_cache(16)
def _info_of(line: bytes) -> Info | None:
    """Return what an engine reports in a line; None if it is no report.

    One answer looks at the same line several times.
    """
    try:
        info = parse_reply(line.decode(errors="replace"))
    except UciError:
        return None
    return info if isinstance(info, Info) else None


def _error_of(notice: Notice) -> RefusedError:
    put_off = notice.code.meaning is Meaning.PUT_OFF
    return RefusedError(notice.code, notice.text, wait=PUT_OFF if put_off else None)
