"""One line that says what is going on: on a terminal always the newest, elsewhere each once."""

import sys
from contextlib import suppress
from typing import TextIO

_CLEAR = "\r\x1b[K"


class Status:
    """Where it is shown; `end` leaves the last one there."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._is_terminal = self._stream.isatty()
        self._last = ""

    def show(self, text: str) -> None:
        """Show what is going on now."""
        if text == self._last:
            return
        self._last = text
        self._write(f"{_CLEAR}{text}" if self._is_terminal else f"{text}\n")

    def end(self) -> None:
        """Go to the next line."""
        if self._is_terminal and self._last:
            self._write("\n")

    def _write(self, text: str) -> None:
        # Machines are offered whether anybody hears of it or not.
        with suppress(OSError):
            self._stream.write(text)
            self._stream.flush()
