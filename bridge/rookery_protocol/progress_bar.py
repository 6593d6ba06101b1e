"""The progress of a job: one line that changes on a terminal, or a line now and then."""

import shutil
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TextIO

from rookery_protocol.notices import printable

_ON_TERMINAL, _IN_LOG = 0.2, 30.0  # s from one to the next
_BAR = 20  # characters


@dataclass(frozen=True, slots=True)
class JobCount:
    """The games and positions that are done, and how much of the input.

    `games` is None where there are none; `done` and `total` have a unit of the job's choice.
    """

    games: int | None
    positions: int
    done: int = 0
    total: int | None = None


class ProgressBar:
    """A line that shows a count; `report` writes a line that stays."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._is_terminal = self._stream.isatty()
        self._began = self._shown = time.monotonic()
        self._start = JobCount(0, 0)
        self._width = 0  # characters on the terminal's line

    def start(self, count: JobCount) -> None:
        """Begin with what is done already; rates count from now on."""
        self._start = count
        self._began = self._shown = time.monotonic()

    def report(self, text: str) -> None:
        """Write a line that stays, in which games and servers may be quoted."""
        self._clear()
        self._write(f"{printable(text)}\n")

    def update(self, count: JobCount) -> None:
        """Show a count, unless the last one was shown a moment ago."""
        now = time.monotonic()
        if now - self._shown < (_ON_TERMINAL if self._is_terminal else _IN_LOG):
            return
        self._shown = now
        text = describe(count, self._start, now - self._began)
        if not self._is_terminal:
            self.report(text)
            return
        text = text[: shutil.get_terminal_size().columns - 1]
        self._write("\r" + text.ljust(self._width))
        self._width = len(text)

    def finish(self, count: JobCount) -> None:
        """Write the last count."""
        self.report(describe(count, self._start, time.monotonic() - self._began))

    def _clear(self) -> None:
        if self._width:
            self._write("\r" + " " * self._width + "\r")
            self._width = 0

    def _write(self, text: str) -> None:
        # The job goes on if the stream is closed.
        with suppress(OSError):
            self._stream.write(text)
            self._stream.flush()


def describe(count: JobCount, start: JobCount, seconds: float) -> str:
    """Return the progress, the pace, and the time that is left.

    Args:
        count: all that is done.
        start: what was done when this run began.
        seconds: the duration of this run.

    """
    what = number_of(count.positions, "position")
    what = what if count.games is None else number_of(count.games, "game")
    text = f"{what}, {_rate(count, start, seconds)}"
    if not count.total:
        return text
    share = min(1.0, count.done / count.total)
    full = round(share * _BAR)
    text = f"[{'#' * full}{'-' * (_BAR - full)}] {100 * share:.0f} %, {text}"
    moved = count.done - start.done
    if moved > 0 and share < 1:
        text += f", {duration(seconds * (count.total - count.done) / moved)} left"
    return text


def number_of(count: int, what: str) -> str:
    """Return a count and its noun, which is given in the singular."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def duration(seconds: float) -> str:
    """Return a time in two units at most."""
    for unit, size, smaller, part in (
        ("d", 86400, "h", 3600),
        ("h", 3600, "min", 60),
        ("min", 60, "s", 1),
    ):
        if seconds >= size:
            whole = int(seconds // size)
            return f"{whole} {unit} {int((seconds - whole * size) // part)} {smaller}"
    return f"{int(seconds)} s"


def _rate(count: JobCount, start: JobCount, seconds: float) -> str:
    seconds = max(seconds, 0.001)
    positions = f"{(count.positions - start.positions) / seconds:.0f} positions a second"
    if count.games is None:
        return positions
    games = (count.games - (start.games or 0)) / seconds
    pace = f"{games:.1f} games a second" if games >= 1 else f"{games * 60:.1f} games a minute"
    return f"{pace}, {positions}"
