"""One line that says what is going on: on a terminal always the newest, elsewhere each once.

A terminal that does not take it (one that was told to stand still, say) holds nothing up: then the
newest is written as soon as it can be, and what was before it is left out.
"""

import asyncio
import sys
from contextlib import suppress
from typing import TextIO

from rookery_protocol.console import is_full
from rookery_protocol.notices import legible

_LONGEST = 1000  # characters: the names of all engines, or what a server says
_CLEAR = "\r\x1b[K"


class StatusLine:
    """The line, shown within an event loop; `end` leaves the last one there."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._is_terminal = self._stream.isatty()
        self._last = ""
        self._loop: asyncio.AbstractEventLoop | None = None  # that waits until there is room

    def show_line(self, text: str) -> None:
        """Show what is going on now."""
        if text == self._last:
            return
        self._last = text
        if self._loop is None and is_full(self._stream):
            self._loop = asyncio.get_running_loop()
            self._loop.add_writer(self._stream, self._catch_up)
        if self._loop is None:
            self._write_last()

    def end(self) -> None:
        """Go to the next line."""
        if self._loop:
            self._loop.remove_writer(self._stream)
        elif self._is_terminal and self._last and not is_full(self._stream):
            self._write("\n")

    def _catch_up(self) -> None:
        assert self._loop
        self._loop.remove_writer(self._stream)
        self._loop = None
        self._write_last()

    def _write_last(self) -> None:
        text = legible(self._last, _LONGEST)
        self._write(f"{_CLEAR}{text}" if self._is_terminal else f"{text}\n")

    def _write(self, text: str) -> None:
        # Engines are offered whether the line can be seen or not.
        with suppress(OSError):
            self._stream.write(text)
            self._stream.flush()
