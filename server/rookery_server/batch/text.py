"""The games of a PGN file as texts, one at a time: however long the file, little is held.

A game's text has what python-chess needs to read it, and as many lines as in the file, so
that an error in it can be named by its line.  What nobody could read anyway is left out
while it passes by: of a comment what is beyond 64 KiB, of a game what is beyond 1 MiB.

Files are worse than the standard.  A new game begins with tags behind moves, or with
whatever stands behind a result and a blank line; blank lines elsewhere mean nothing.  A
comment that nobody has closed ends where the next game has its `[Event`.

http://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

MAX_GAME = 1 << 20  # bytes; a game of 500 moves with a comment each has 100 KB
MAX_COMMENT = 1 << 16  # bytes
_PIECE = 1 << 16  # bytes of a line that are read at once

_TAG = re.compile(rb'\[\s*([A-Za-z0-9_]+)\s+"')
_OVER = re.compile(rb"(1-0|0-1|1/2-1/2|\*)\s*$")
_OPEN = ord("{")
_BOM = b"\xef\xbb\xbf"
_BLANK = b"%\n"  # is skipped wherever it stands, and a blank line would end the game


class Lines(Protocol):
    """What texts are read from."""

    def readline(self, size: int, /) -> bytes:
        """Return the next line, or so many bytes of it; nothing at the end."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a file between two games: bytes and lines before it, and games."""

    offset: int = 0
    lines: int = 0
    games: int = 0


@dataclass(frozen=True, slots=True)
class Text:
    """A game as it stands in a file: its line (from 1), and the mark behind it.

    `flaw` is what is wrong with it so far; `whole` is False if some of it was left out
    without which it is another game.
    """

    data: bytes
    line: int
    end: Mark
    flaw: str | None = None
    whole: bool = True


class _Part(Enum):
    """What is read of a game."""

    NOTHING = auto()
    TAGS = auto()
    MOVES = auto()


def split(lines: Lines, mark: Mark | None = None) -> Iterator[Text]:
    """Yield the games of a file that stands at a mark, its beginning if none is given."""
    mark = mark or Mark()
    splitter = _Splitter(mark)
    while piece := lines.readline(_PIECE):
        if mark.offset == 0 and splitter.offset == 0:
            splitter.offset = len(_BOM) if piece.startswith(_BOM) else 0
            piece = piece.removeprefix(_BOM)
        if text := splitter.take(piece):
            yield text
    if text := splitter.finish():
        yield text


class _Splitter:
    """Takes pieces of lines; gives a text whenever a game has ended."""

    def __init__(self, mark: Mark) -> None:
        self.offset = mark.offset
        self._line = mark.lines  # lines before this one
        self._games = mark.games
        self._within = False  # a line that has begun in an earlier piece
        self._begin()

    def _begin(self) -> None:
        self._part = _Part.NOTHING
        self._kept = bytearray()
        self._first = 0  # the game's line
        self._comment: int | None = None  # bytes of the comment that is open
        self._is_remark = False  # behind a semicolon, up to the end of the line
        self._has_blank = False  # the line before this one was blank
        self._is_over = False  # a result has been read
        self._flaw: str | None = None
        self._whole = True

    def take(self, piece: bytes) -> Text | None:
        """Take the next piece; return the game that has ended before it."""
        text = None
        if not self._within:
            if self._ends_before(piece):
                text = self._finish_game()
            self._take_beginning(piece)
        elif self._part is not _Part.NOTHING:
            self._keep_moves(piece)
        self.offset += len(piece)
        self._within = not piece.endswith(b"\n")
        if not self._within:
            self._line += 1
            self._is_remark = False
        return text

    def finish(self) -> Text | None:
        """Return the last game, if there is one."""
        return self._finish_game() if self._part is not _Part.NOTHING else None

    def _finish_game(self) -> Text:
        if self._comment is not None:
            self._flaw = self._flaw or "a comment is not closed"
        self._games += 1
        end = Mark(self.offset, self._line, self._games)
        text = Text(bytes(self._kept), self._first, end, self._flaw, self._whole)
        self._begin()
        return text

    def _ends_before(self, line: bytes) -> bool:
        """Say whether the game has ended before a line."""
        if self._part is _Part.NOTHING:
            return False
        tag = _TAG.match(line)
        starts = tag is not None and tag[1] == b"Event" and self._has_blank
        if self._part is _Part.TAGS or self._comment is not None:
            return starts
        return tag is not None or (self._is_over and self._has_blank and not line.isspace())

    def _take_beginning(self, line: bytes) -> None:
        """Take a line, or the first piece of a long one."""
        if line.isspace():
            self._has_blank = True
            if self._part is not _Part.NOTHING:
                self._keep(_BLANK if self._comment is None else b"\n")
            return
        if self._part is _Part.NOTHING:
            if line.startswith((b"%", b";")):
                return
            self._first = self._line + 1
            self._part = _Part.TAGS if line.startswith(b"[") else _Part.MOVES
        if self._part is _Part.TAGS and line.startswith((b"[", b"%", b";")):
            self._keep(line)
        else:
            self._part = _Part.MOVES
            self._keep_moves(line)
        self._has_blank = False

    def _keep_moves(self, piece: bytes) -> None:
        """Keep moves, and of comments what is not too long."""
        if self._part is _Part.TAGS:
            self._keep(piece)
            return
        if not self._keep_simple(piece):
            at = 0
            while at < len(piece):
                keep = self._keep_outside if self._comment is None else self._keep_comment
                at = keep(piece, at)
        if self._comment is None and not self._is_remark:
            self._is_over = _OVER.search(piece[-16:]) is not None

    def _keep_simple(self, piece: bytes) -> bool:
        """Keep a whole piece if none of it is too long; say whether it was."""
        if b";" in piece or self._is_remark or (self._comment or 0) + len(piece) > MAX_COMMENT:
            return False
        self._keep(piece)
        # Braces do not nest: the last one says how things stand.
        last = max(piece.rfind(b"{"), piece.rfind(b"}"))
        if last >= 0:
            self._comment = len(piece) - last if piece[last] == _OPEN else None
        elif self._comment is not None:
            self._comment += len(piece)
        return True

    def _keep_outside(self, piece: bytes, at: int) -> int:
        """Keep what is in no comment, from an index up to the one that is returned."""
        found = piece.find(b"{", at)
        remark = piece.find(b";", at, found if found >= 0 else len(piece))
        if self._is_remark or remark >= 0 or found < 0:
            self._is_remark = self._is_remark or remark >= 0
            self._keep(piece[at:])
            return len(piece)
        self._keep(piece[at:found])
        self._comment = 0
        return found

    def _keep_comment(self, piece: bytes, at: int) -> int:
        assert self._comment is not None
        close = piece.find(b"}", at)
        end = len(piece) if close < 0 else close
        part = piece[at : min(end, at + max(0, MAX_COMMENT - self._comment))]
        self._comment += end - at
        if self._comment > MAX_COMMENT:
            self._flaw = self._flaw or f"a comment is longer than {MAX_COMMENT >> 10} KiB, and cut"
            part += b"\n" if piece.endswith(b"\n") and close < 0 else b""
        self._keep(part)
        if close < 0:
            return end
        self._keep(b"}")
        self._comment = None
        return end + 1

    def _keep(self, part: bytes) -> None:
        if len(self._kept) + len(part) > MAX_GAME:
            self._whole = False
            self._flaw = f"it is longer than {MAX_GAME >> 20} MiB"
            part = part[: MAX_GAME - len(self._kept)]
        self._kept += part
