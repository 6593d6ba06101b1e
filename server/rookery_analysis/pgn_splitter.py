"""The games of a PGN file as texts, one at a time: memory does not grow with the file.

A game's text has as many lines as in the file, so that an error in it can be named by its
line.  Of a comment, all beyond 64 KiB is left out while it is read, and of a game all beyond
1 MiB.

Files are worse than the standard.  A new game begins with tags behind moves, with the first
move's number behind others, or with anything behind a result and a blank line; blank
lines elsewhere mean nothing.  A comment that is never closed ends where the next game has
its `[Event`.

http://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from rookery_analysis.pgn_lexer import PgnLexer, PgnToken, TokenKind
from rookery_analysis.text_decoding import ByteReader, TextLines, TextPiece

MAX_GAME = 1 << 20  # bytes; a game of 500 moves with a comment each has 100 KB
MAX_COMMENT = 1 << 16  # characters

_EVENT = re.compile(r'\[\s*Event\s+"')
_FIRST = re.compile(r"0*1\.?(?![.…\d])")  # the number before White's first move
# Parts of a line in which something may begin or end: brackets, results, the number 1.
_SPECIAL = re.compile(
    r"[\[\]{}();*%½]|[015][-:/\u2010-\u2015\u2212]|(?<!\w)0*1(?:[.…]|[^\W\d_]|\s|$)"
)
_NUMBER = re.compile(r"\d+[.…]*$")


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a file between two games: the bytes, lines and games before it.

    `coding` is that of lines that are not UTF-8, if there were any.
    """

    offset: int = 0
    lines: int = 0
    games: int = 0
    coding: str | None = None


@dataclass(frozen=True, slots=True)
class GameText:
    """A game as a file has it: its first line (from 1), and the mark behind it.

    `flaw` is what is wrong with it so far; `whole` is False if some of it was left out
    without which it is another game.  `guessed` is the encoding that was guessed here.
    """

    data: str
    line: int
    end: Mark
    flaw: str | None = None
    whole: bool = True
    guessed: str | None = None


class _Part(Enum):
    """The part of a game that was read last."""

    NOTHING = auto()
    TAGS = auto()
    MOVES = auto()


def split_games(
    file: ByteReader, mark: Mark | None = None, lines: TextLines | None = None
) -> Iterator[GameText]:
    """Yield the games of a file from a mark on, which is the beginning if none is given.

    Args:
        file: the file, if its lines are not given.
        mark: the file's present place.
        lines: the file's lines from there on.

    """
    mark = mark or Mark()
    lines = lines or TextLines(file, mark.coding, offset=mark.offset)
    splitter = _Splitter(mark, lines)
    for piece in lines:
        yield from splitter.split_piece(piece)
    if text := splitter.finish():
        yield text


class _Splitter:
    """The game that is being read, and the place in the file."""

    def __init__(self, mark: Mark, lines: TextLines) -> None:
        self._source = lines
        self._coding = mark.coding
        self._offset = mark.offset
        self._line = mark.lines  # lines before this one
        self._games = mark.games
        self._lexer = PgnLexer()
        self._is_within = False  # a line that has begun in an earlier piece
        self._rest_at = 0  # the place in the file of what the lexer has kept
        self._reset()

    def _reset(self) -> None:
        self._part = _Part.NOTHING
        self._kept = bytearray()
        self._first = 0  # the game's line
        self._comment = 0  # characters of the comment that is open
        self._has_blank = False  # a line before this one was blank
        self._has_event = False
        self._depth = 0  # variations that are open
        self._words = 0  # of the main line
        self._is_from_one = False  # the first number is 1
        self._is_over = False  # a result was read,
        self._has_result = False  # or one in a variation
        self._flaw: str | None = None
        self._is_whole = True

    def split_piece(self, piece: TextPiece) -> Iterator[GameText]:
        """Read the next piece; yield the games that end in it."""
        text, ends = piece.text.rstrip("\r\n") if piece.ends else piece.text, piece.ends
        if not self._is_within and not text.strip():
            self._has_blank = True
            self._comment += self._lexer.in_comment
        else:
            if self._closes_comment(text):
                self._flaw = self._flaw or "a comment is not closed"
                self._lexer.close_comment()
                yield self._finish_game(piece.offset)
            yield from self._read_text(piece, text)
        if ends:
            if self._part is not _Part.NOTHING:
                self._append("\n")
            self._line += 1
        self._offset = piece.offset_of(len(piece.text))
        self._is_within = not ends

    def finish(self) -> GameText | None:
        """Return the last game, if there is one."""
        if self._part is _Part.NOTHING:
            return None
        if self._lexer.in_comment:
            self._flaw = self._flaw or "a comment is not closed"
        return self._finish_game(self._offset)

    def _closes_comment(self, text: str) -> bool:
        """Return whether a game begins here although a comment is open."""
        is_open = self._lexer.in_comment and self._has_blank and not self._is_within
        return is_open and _EVENT.match(text) is not None

    def _read_text(self, piece: TextPiece, text: str) -> Iterator[GameText]:
        lexer, kept = self._lexer, 0
        if self._part is _Part.MOVES and self._is_plain(piece, text):
            self._append(text)
            self._has_blank = self._is_over = False
            self._words += 2
            return
        for token in lexer.tokens_of(text, ends=piece.ends):
            if self._part is not _Part.NOTHING and self._ends_before(token):
                self._append(lexer.data[kept : token.start])
                yield self._finish_game(self._place_of(token.start, piece))
                kept = token.start
            if self._part is _Part.NOTHING and not self._begin_game(token):
                kept = token.end
                continue
            if token.kind is TokenKind.COMMENT and self._is_long(token):
                self._append(lexer.data[kept : token.start])
                self._append_comment(token)
                kept = token.end
            self._advance(token)
        if self._part is not _Part.NOTHING and not lexer.in_escape:
            self._append(lexer.data[kept : len(lexer.data) - len(lexer.rest)])
        if lexer.rest and not lexer.carried:
            self._rest_at = self._place_of(len(lexer.data) - len(lexer.rest), piece)

    def _is_plain(self, piece: TextPiece, text: str) -> bool:
        """Return whether a line has only moves, and others before it, as most lines do."""
        is_whole = piece.ends and not self._is_within and not self._lexer.in_comment
        return is_whole and self._words > 0 and not self._is_over and not _SPECIAL.search(text)

    def _is_long(self, token: PgnToken) -> bool:
        """Return whether a comment is not in one piece, or too long."""
        return bool(self._comment) or not token.closed or len(token.text) > MAX_COMMENT

    def _place_of(self, index: int, piece: TextPiece) -> int:
        """Return the place in the file of an index of the lexer's data."""
        carried = self._lexer.carried
        return self._rest_at if index < carried else piece.offset_of(index - carried)

    def _begin_game(self, token: PgnToken) -> bool:
        """Begin a game, unless the token is a remark before the first one."""
        if token.kind is TokenKind.COMMENT and self._lexer.data[token.start] != "{":
            return False
        self._first = self._line + 1
        self._part = _Part.TAGS if token.kind is TokenKind.TAG else _Part.MOVES
        return True

    def _finish_game(self, offset: int) -> GameText:
        self._games += 1
        coding = self._source.coding
        guessed = coding if coding != self._coding else None
        self._coding = coding
        end = Mark(offset, self._line, self._games, coding)
        data = self._kept.decode(errors="surrogatepass" if self._is_whole else "replace")
        text = GameText(data, self._first, end, self._flaw, self._is_whole, guessed)
        self._reset()
        return text

    def _ends_before(self, token: PgnToken) -> bool:
        """Return whether the game ends before a token."""
        if token.kind is TokenKind.TAG:
            is_event = token.text == "Event" and (self._has_blank or self._has_event)
            return is_event or self._part is _Part.MOVES
        if self._part is _Part.TAGS or token.kind in (
            TokenKind.RESULT,
            TokenKind.CLOSE,
            TokenKind.BRACE,
        ):
            return False
        if self._comment:
            return False
        if self._is_over and self._has_blank:
            return True
        if token.kind is not TokenKind.WORD or not _FIRST.match(token.text):
            return False
        if self._has_result and self._has_blank:
            return True
        is_again = self._is_from_one and self._words > 1 and not self._depth
        return self._is_over or is_again

    def _advance(self, token: PgnToken) -> None:
        """Update the place in the game after a token."""
        if token.kind is TokenKind.COMMENT and self._is_among_tags(token):
            return
        self._has_blank = False
        if token.kind is TokenKind.TAG:
            self._has_event = self._has_event or token.text == "Event"
            return
        self._part = _Part.MOVES
        if token.kind is TokenKind.OPEN:
            self._depth += 1
        elif token.kind is TokenKind.CLOSE:
            self._depth = max(0, self._depth - 1)
        elif token.kind is TokenKind.RESULT:
            self._has_result = True
            self._is_over = not self._depth
        elif token.kind is TokenKind.WORD and not self._depth:
            self._is_over = False
            if not self._words and _FIRST.match(token.text):
                self._is_from_one = True
            self._words += not _NUMBER.match(token.text)

    def _is_among_tags(self, token: PgnToken) -> bool:
        """Return whether a comment stands between tags: no blank line is before it."""
        begins = self._lexer.data[token.start] in "{;["
        return self._part is _Part.TAGS and not (self._has_blank and begins)

    def _append_comment(self, token: PgnToken) -> None:
        """Append a part of a comment, unless it is too long."""
        data = self._lexer.data[token.start : token.end]
        body = len(token.text)
        room = MAX_COMMENT - self._comment
        self._comment += max(1, body)
        if body > room:
            self._flaw = self._flaw or f"a comment is longer than {MAX_COMMENT >> 10} KiB, and cut"
            data = data[: max(0, room)] + data[body:]
        self._append(data)
        if token.closed:
            self._comment = 0

    def _append(self, part: str) -> None:
        data = part.encode(errors="surrogatepass")
        if len(self._kept) + len(data) > MAX_GAME:
            self._is_whole = False
            self._flaw = f"it is longer than {MAX_GAME >> 20} MiB"
            data = data[: MAX_GAME - len(self._kept)]
        self._kept += data
