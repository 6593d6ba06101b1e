"""How far a job is, for people: one line that changes on a terminal, or a line now and then."""

import shutil
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TextIO

from rookery_analysis.printable import safe

_ON_TERMINAL, _IN_LOG = 0.2, 30.0  # s from one to the next
_BAR = 20  # characters


@dataclass(frozen=True, slots=True)
class Count:
    """How much is done: games, positions searched, and bytes of the input of so many, if known."""

    games: int
    positions: int
    done: int = 0
    total: int | None = None


class Bar:
    """Shows a count; `note` says something that stays."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._is_terminal = self._stream.isatty()
        self._began = self._shown = time.monotonic()
        self._start = Count(0, 0)
        self._width = 0  # of what stands on the terminal's line

    def start(self, count: Count) -> None:
        """Take note of what is done already; rates are those from now on."""
        self._start = count
        self._began = self._shown = time.monotonic()

    def note(self, text: str) -> None:
        """Say something on a line of its own, in which games and servers may be quoted."""
        self._clear()
        self._write(f"{safe(text)}\n")

    def show(self, count: Count) -> None:
        """Say how far it is, if it is time for that."""
        now = time.monotonic()
        if now - self._shown < (_ON_TERMINAL if self._is_terminal else _IN_LOG):
            return
        self._shown = now
        text = describe(count, self._start, now - self._began)
        if not self._is_terminal:
            self.note(text)
            return
        text = text[: shutil.get_terminal_size().columns - 1]
        self._write("\r" + text.ljust(self._width))
        self._width = len(text)

    def finish(self, count: Count) -> None:
        """Say what has been done in all."""
        self.note(describe(count, self._start, time.monotonic() - self._began))

    def _clear(self) -> None:
        if self._width:
            self._write("\r" + " " * self._width + "\r")
            self._width = 0

    def _write(self, text: str) -> None:
        # The job goes on whether anybody hears of it or not.
        with suppress(OSError):
            self._stream.write(text)
            self._stream.flush()


def describe(count: Count, start: Count, seconds: float) -> str:
    """Say how far it is, how fast, and how long it will still take.

    Args:
        count: what is done.
        start: what was done when this run began.
        seconds: how long it has run.

    """
    text = f"{number_of(count.games, 'game')}, {_rate(count, start, seconds)}"
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
    """Say how many there are of something, in its singular."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def duration(seconds: float) -> str:
    """Say how long something takes, in two units at most."""
    for unit, size, smaller, part in (
        ("d", 86400, "h", 3600),
        ("h", 3600, "min", 60),
        ("min", 60, "s", 1),
    ):
        if seconds >= size:
            whole = int(seconds // size)
            return f"{whole} {unit} {int((seconds - whole * size) // part)} {smaller}"
    return f"{int(seconds)} s"


def _rate(count: Count, start: Count, seconds: float) -> str:
    seconds = max(seconds, 0.001)
    games = (count.games - start.games) / seconds
    positions = (count.positions - start.positions) / seconds
    pace = f"{games:.1f} games a second" if games >= 1 else f"{games * 60:.1f} games a minute"
    return f"{pace}, {positions:.0f} positions a second"
