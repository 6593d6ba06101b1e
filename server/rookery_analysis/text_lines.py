"""The lines of a file of games as text, whatever their encoding and their ends.

A line ends with LF, CR LF, CR CR LF (written twice in text mode) or CR.  Each is decoded for
itself: UTF-8, or else the encoding of the file, which is guessed at the first line that is
not UTF-8.  A place in the text is known as one in the file, so that reading goes on there.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from rookery_analysis.charset import WIDE, decoded, guess

MOST_PIECE = 1 << 16  # characters of a line that are read at once
SAMPLE = 1 << 20  # bytes by which the encoding is guessed
_END = re.compile(r"\r{0,2}\n|\r")
_ERRORS = dict.fromkeys(WIDE, "surrogatepass")


class Bytes(Protocol):
    """A file or a pipe."""

    def read1(self, size: int, /) -> bytes:
        """Return what is there, so many bytes at most; nothing at the end."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A line, or a part of a long one: `ends` says that its end is in it.

    `offset` is where it begins in the file.
    """

    text: str
    offset: int
    coding: str
    ends: bool

    def offset_of(self, index: int) -> int:
        """Return where in the file a character is."""
        errors = _ERRORS.get(self.coding, "surrogateescape")
        return self.offset + len(self.text[:index].encode(self.coding, errors))


class Lines:
    """Reads pieces of a file from an offset on.

    `coding` is that of the file: one of `WIDE`, or that of lines which are not UTF-8, or None
    if it is to be guessed.  With `strictly`, it is that of all lines.
    """

    def __init__(
        self, file: Bytes, coding: str | None, *, offset: int = 0, strictly: bool = False
    ) -> None:
        self.coding = coding
        self.file = file
        self._offset = offset
        self._strictly = strictly
        is_wide = coding in WIDE
        # What is not wide is ASCII but for letters: as Latin 1, each byte is a character.
        self._units = coding if is_wide and coding else "latin-1"
        errors = "surrogatepass" if is_wide else "strict"
        self._decoder = codecs.getincrementaldecoder(self._units)(errors)
        self._buffer = ""
        self._at = 0  # how much of the buffer has been given
        self._is_over = False

    def __iter__(self) -> Iterator[Piece]:
        """Yield what is left."""
        while True:
            found = _END.search(self._buffer, self._at)
            size = len(self._buffer) - self._at
            if found and self._is_end(found):
                yield self._piece(found.end(), ends=True)
            elif not found and size >= MOST_PIECE:
                yield self._piece(self._cut(), ends=False)
            elif not self._is_over:
                self._fill()
            elif size:
                yield self._piece(len(self._buffer), ends=True)
            else:
                return

    def _is_end(self, found: re.Match[str]) -> bool:
        """Say whether an end of a line is whole: CR may be the beginning of a longer one."""
        is_known = found[0].endswith("\n") or found.end() + 2 <= len(self._buffer)
        return is_known or self._is_over

    def _fill(self) -> None:
        data = self.file.read1(MOST_PIECE)
        self._is_over = not data
        try:
            more = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError:  # Half a character, at the end of the file.
            more = ""
        self._buffer = self._buffer[self._at :] + more
        self._at = 0

    def _cut(self) -> int:
        """Return where a long line can be cut: behind a blank, if there is one."""
        end = self._at + MOST_PIECE
        return self._buffer.rfind(" ", self._at, end) + 1 or end

    def _piece(self, end: int, *, ends: bool) -> Piece:
        text = self._buffer[self._at : end]
        self._at = end
        coding = self._units
        if coding == "latin-1":
            text, coding = self._decode(text)
        piece = Piece(text, self._offset, coding, ends)
        self._offset = piece.offset_of(len(text))
        return piece

    def _decode(self, text: str) -> tuple[str, str]:
        if text.isascii():
            return text, "ascii"
        raw = text.encode("latin-1")
        if self._strictly and self.coding:
            return raw.decode(self.coding, errors="surrogateescape"), self.coding
        found = decoded(raw, self.coding)
        if found is None:
            self.coding = guess(self._sample(text))
            found = decoded(raw, self.coding)
        assert found
        return found

    def _sample(self, line: str) -> Iterator[bytes]:
        """Yield a line and those behind it, which are read and kept."""
        while not self._is_over and len(self._buffer) - self._at < SAMPLE:
            self._fill()
        sample = line + self._buffer[self._at : self._at + SAMPLE]
        return (line.encode("latin-1") for line in re.split(r"[\r\n]+", sample))
