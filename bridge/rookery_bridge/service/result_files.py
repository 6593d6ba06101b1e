"""Files of results, which are there only when they are whole; or standard output."""

from pathlib import Path
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import IO

from rookery_protocol.atomic_file import move_into_place
from rookery_protocol.console import print_line

STANDARD_OUTPUT = "-"
_PART = ".part"  # the end of the name until it is whole
_IN_MEMORY = 1 << 23  # bytes


class ResultFile:
    """A file that takes the place of a former one at the end of a `with` without an error.

    `-` is standard output: lines are printed at once, and what is written to `file` at the end.

    Raises:
        OSError: it cannot be written.

    """

    file: IO[bytes]

    def __init__(self, path: str) -> None:
        self._path = None if path == STANDARD_OUTPUT else Path(path)

    def __enter__(self) -> "ResultFile":
        if self._path:
            self.file = self._part(self._path).open("wb")
        else:
            self.file = SpooledTemporaryFile(_IN_MEMORY)  # It is closed below.
        return self

    def write_line(self, text: str) -> None:
        """Write a line."""
        if self._path:
            self.file.write(text.encode() + b"\n")
        else:
            print_line(text)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self.file:
            if self._path is None and error is None:
                self.file.seek(0)
                for line in self.file:
                    print_line(line.decode(errors="replace").rstrip("\r\n"))
        if self._path and error is None:
            self._finish(self._path)

    def _finish(self, path: Path) -> None:
        part = self._part(path)
        try:
            move_into_place(part, path)
        except OSError as error:
            text = (
                f"{error.strerror}; the results are whole in {part}: close {path.name} where it is"
                " open, and rename that file"
            )
            raise OSError(error.errno, text, str(path)) from error

    @staticmethod
    def _part(path: Path) -> Path:
        return path.with_name(path.name + _PART)
