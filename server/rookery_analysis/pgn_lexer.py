"""The tokens of PGN, however files write them.  No I/O.

The lexer reads lines, or parts of long ones, and tells a comment, a tag and a move apart by how
they are written alone.  `server/web/src/game/lexer.ts` reads in the same way.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto
from itertools import islice
from typing import NamedTuple

MAX_TOKEN = 1 << 14  # characters; one that is longer is cut
_MAX_ENDS = 16  # of a tag: places where it may end that are tried


class TokenKind(Enum):
    """The kinds of tokens."""

    TAG = auto()  # its text is the name
    COMMENT = auto()  # or a part of one: more follows unless `closed`
    NAG = auto()  # `$` and a number
    OPEN = auto()
    CLOSE = auto()
    RESULT = auto()
    WORD = auto()  # a move, a number, or anything else
    BRACE = auto()  # that closes nothing


class PgnToken(NamedTuple):
    """A token, and its place in `PgnLexer.data`."""

    kind: TokenKind
    text: str
    start: int
    end: int
    value: str = ""  # of a tag
    closed: bool = True


_SIGNS = {"(": TokenKind.OPEN, ")": TokenKind.CLOSE, "}": TokenKind.BRACE}
_DASH = "-\u2010-\u2015\u2212"
_TAG = re.compile(r"\[\s*([^\W_]\w*(?:[^\s\w\"\[\](){}]\w*)*)(?:\s*(?:[=:]\s*)?([\"“”„«])|\s+('))")
# Without quotes only what is known to be a tag: moves, too, may have something in brackets.
_LOOSE_TAG = re.compile(
    r"\[\s*(Event|Site|Date|Round|White|Black|Result|WhiteElo|BlackElo|ECO|[Ff][Ee][Nn]|SetUp|Variant"
    r"|EventDate|PlyCount|TimeControl|Annotator|Opening)(?:\s([^\"\[\]]*))?\]"
)
_END_OF_TAG = {'"': re.compile(r'"\s*(\]|$)'), "'": re.compile(r"'\s*(\]|$)")}
_END_OF_QUOTE = re.compile(r"[\"”“»']\s*(\]|$)")
_BRACKET = re.compile(r"\[([^\]]*)\]")
_RESULT = re.compile(
    rf"(?:1\s?[{_DASH}:]\s?0|0\s?[{_DASH}:]\s?1|(?:1/2|½|0?[.,]5)(?:[{_DASH}:](?:1/2|½|0?[.,]5))?)"
    rf"(?![\w/{_DASH}:])|\*"
)
_SPACE = re.compile(r"[\s\x00\x1a\u200b\ufeff\"\]]+")
_WORD = re.compile(
    r"[^\s\x00\x1a(){}\[\];$\"*]+(?:(?<=[18])\((?:[^\W\d]|[♔-♟])[\ufe0e\ufe0f]?\)[^\s(){}]*)?"
)
_NAG = re.compile(r"\$(\d*)")


class PgnLexer:
    """The state between the lines of a file; `data` is the text of the last tokens."""

    def __init__(self) -> None:
        self.data = ""
        self.carried = 0  # characters of `data` that were in the piece before
        self.in_comment = False
        self._in_remark = False  # behind a semicolon, up to the end of the line
        self.in_escape = False  # a line that begins with a percent sign, and is left out
        self._is_within = False  # a line that has begun in an earlier piece
        self.rest = ""  # of `data`: a token that goes on in the next piece

    def tokens_of(self, text: str, *, ends: bool = True) -> Iterator[PgnToken]:
        """Yield the tokens of a line, or of a part of a long line."""
        if not self._is_within:
            self.in_escape = not self.in_comment and text.startswith("%")
        self._is_within = not ends
        self.carried = len(self.rest)
        self.data, self.rest = self.rest + text, ""
        if not self.in_escape:
            yield from self._tokens(ends=ends)
        self._in_remark = self._in_remark and not ends

    def _tokens(self, *, ends: bool) -> Iterator[PgnToken]:
        data, at = self.data, 0
        while at < len(data):
            if self.in_comment:
                token = self._comment(at, at)
            elif self._in_remark:
                token = PgnToken(TokenKind.COMMENT, data[at:].strip(), at, len(data))
            else:
                found = _SPACE.match(data, at)
                at = found.end() if found else at
                if at == len(data):
                    break
                token = self._token(at)
                if not ends and token.end == len(data) < at + MAX_TOKEN and not self.in_comment:
                    self.rest = data[at:]
                    self._in_remark = False
                    break
            at = token.end
            yield token

    def close_comment(self) -> None:
        """End a comment that the file does not close."""
        self.in_comment = False

    def _comment(self, at: int, start: int) -> PgnToken:
        """Return a comment, or a part of one, whose text begins at `start`."""
        data = self.data
        close = data.find("}", start)
        is_closed = close >= 0
        self.in_comment = not is_closed
        end = close if is_closed else len(data)
        return PgnToken(TokenKind.COMMENT, data[start:end], at, end + is_closed, closed=is_closed)

    def _token(self, at: int) -> PgnToken:
        """Return the token that begins at an index, which is no blank."""
        data = self.data
        first = data[at]
        if first.isalpha() and (word := _WORD.match(data, at)):
            return PgnToken(TokenKind.WORD, word[0], at, word.end())
        if first == "{":
            return self._comment(at, at + 1)
        if kind := _SIGNS.get(first):
            return PgnToken(kind, first, at, at + 1)
        if first == ";":
            self._in_remark = True
            return PgnToken(TokenKind.COMMENT, data[at + 1 :].strip(), at, len(data))
        if first == "$" and (nag := _NAG.match(data, at)):
            return PgnToken(TokenKind.NAG, nag[1], at, nag.end())
        if first == "[":
            return self._bracket(at)
        if result := _RESULT.match(data, at):
            return PgnToken(TokenKind.RESULT, result[0], at, result.end())
        word = _WORD.match(data, at)
        end = word.end() if word else at + 1
        return PgnToken(TokenKind.WORD, data[at:end], at, end)

    def _bracket(self, at: int) -> PgnToken:
        """Return a tag; anything else in brackets is a comment."""
        data = self.data
        if head := _TAG.match(data, at):
            name, quote = head[1], head[2] or head[3]
            ends = _END_OF_TAG.get(quote, _END_OF_QUOTE)
            value, end = _value(data, head.end(), ends)
            return PgnToken(TokenKind.TAG, name, at, end, value)
        if loose := _LOOSE_TAG.match(data, at):
            return PgnToken(TokenKind.TAG, loose[1], at, loose.end(), (loose[2] or "").strip())
        if found := _BRACKET.match(data, at):
            text = found[0] if found[1].startswith("%") else found[1]
            return PgnToken(TokenKind.COMMENT, text, at, found.end())
        return PgnToken(TokenKind.COMMENT, data[at + 1 :].strip(), at, len(data))


def _value(data: str, start: int, ends: re.Pattern[str]) -> tuple[str, int]:
    """Return the value of a tag, and the end of the tag.

    The closing quote may be missing, and others may stand inside; one behind a backslash is no
    end unless there is no other.
    """
    first: re.Match[str] | None = None
    for found in islice(ends.finditer(data, start), _MAX_ENDS):
        first = first or found
        at = found.start()
        while data[at - 1] == "\\" and at > start:
            at -= 1
        if (found.start() - at) % 2 == 0:
            first = found
            break
    if first is None:
        close = data.find("]", start)
        end = len(data) if close < 0 else close
        return data[start:end].strip(), min(end + 1, len(data))
    value = re.sub(r'\\(["\\])', r"\1", data[start : first.start()])
    return value, first.end()
