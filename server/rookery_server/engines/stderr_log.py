"""Engines' stderr, in the log."""

import asyncio
import logging
import os
import re
from collections import OrderedDict

from rookery_server.log import Repetition, about
from rookery_server.token_bucket import TokenBucket
from rookery_uci import LineBuffer

logger = logging.getLogger(__name__)

PIECE = 16384  # bytes read at once
RATE = 10.0  # lines a second that the log takes of one engine's processes together,
BURST = 100.0  # ... after so many at once: a start, or a traceback
LONGEST = 1000  # characters of a line
_REMEMBERED = 256  # lines of one engine that are known again
_NUMBER = re.compile(r"\d+")  # such as a process, or the time: not what tells two lines apart


class StderrLog:
    """The pipe to which the engines of one name write their stderr: its lines go to the log.

    One pipe serves them all, so that it costs no descriptor for each session.  Of a flood
    the log has enough to see what it is, and how many lines it has not.  A line that comes
    again and again is logged less and less: an engine that cannot start says why each time.
    """

    def __init__(self, engine: str) -> None:
        self._engine = engine
        self._loop = asyncio.get_running_loop()
        self._lines = LineBuffer()
        self._bucket = TokenBucket(RATE, BURST, self._loop.time())
        self._left_out = 0
        self._said: OrderedDict[str, Repetition] = OrderedDict()  # the last one is the newest
        self._reading, self.writing = os.pipe()
        os.set_blocking(self._reading, False)
        self._loop.add_reader(self._reading, self._readable)

    def close(self) -> None:
        """Close the pipe."""
        self._log_left_out()
        self._loop.remove_reader(self._reading)
        os.close(self._reading)
        os.close(self.writing)

    def _readable(self) -> None:
        now = self._loop.time()
        lines = self._lines.feed(os.read(self._reading, PIECE))
        for number, line in enumerate(lines):
            if self._bucket.wait(now):  # So it is for those that came together with it.
                self._left_out += len(lines) - number
                break
            self._bucket.spend(now)
            self._log_left_out()
            self._log(line.decode(errors="replace")[:LONGEST], now)

    def _log(self, text: str, now: float) -> None:
        """Log a line, unless it was logged of late."""
        kind = _NUMBER.sub("0", text)
        repetition = self._said.setdefault(kind, Repetition())
        self._said.move_to_end(kind)
        if len(self._said) > _REMEMBERED:
            self._said.popitem(last=False)
        left_out = repetition.again("", now)
        if left_out is not None:
            fields = about(engine=self._engine, stderr=text)
            logger.warning("engine %s: %r%s", self._engine, text, left_out, extra=fields)

    def _log_left_out(self) -> None:
        """Log how many lines the log does not have."""
        if self._left_out:
            fields = about(engine=self._engine, left_out=self._left_out)
            logger.warning(
                "engine %s: %d lines are left out here",
                *(self._engine, self._left_out),
                extra=fields,
            )
            self._left_out = 0
