"""The files of results: what is written stays, what was half written is cut off."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from rookery_protocol.errors import ConfigError, ServerError


class ResultFile:
    """One file that grows game by game."""

    def __init__(self, path: Path, length: int) -> None:
        """Open a file, and cut it to what is known to be whole.

        Raises:
            ConfigError: it cannot be opened, or it is shorter than what was written.

        """
        self.path = path
        self.length = length
        try:
            self._file: BinaryIO = path.open("r+b" if path.exists() else "w+b")
            found = self._file.seek(0, os.SEEK_END)
            if found < length:
                self._file.close()
                raise ConfigError(
                    f"{path} has {found} bytes, and {length} were written:"
                    " it is not what it was; say --restart to begin anew"
                )
            self._file.truncate(length)
            self._file.seek(length)
        except OSError as error:
            raise ConfigError(f"{path} cannot be written: {error.strerror}") from error

    def write(self, text: str) -> None:
        """Append a text."""
        data = text.encode(errors="replace")
        self._do(lambda: self._file.write(data))
        self.length += len(data)

    def sync(self) -> None:
        """Have all of it on the disk."""

        def flush() -> None:
            self._file.flush()
            os.fsync(self._file.fileno())

        self._do(flush)

    def close(self) -> None:
        """Close it; what was not synced is nobody's."""
        # What is left in the buffer may have no room either; that has been said already.
        with suppress(OSError):
            self._file.close()

    def _do(self, action: Callable[[], object]) -> None:
        try:
            action()
        except OSError as error:
            raise ServerError(
                f"{self.path} cannot be written: {error.strerror};"
                " when that is mended, the same command goes on where it was"
            ) from error
