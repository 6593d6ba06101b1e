"""A game as it is written: tags, and a tree of words that nobody has played yet.  No I/O.

`server/web/src/game/script.ts` reads in the same way.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from rookery_analysis import notation
from rookery_analysis.notation import Move
from rookery_analysis.pgn_lexer import Kind, Lexer, Token

MOST_NESTED = 50  # variations within each other that are kept
MOST_NAG = 255  # by the standard
_LONGEST_RESULT = 64  # characters

_HALF = re.compile(r"(?:1/2|½|0?[.,]5)(?:[-:](?:1/2|½|0?[.,]5))?|=|draws?|drawn|remis")
_WON = re.compile(r"1[-:]0|1[-:]0f|\+[-:/]-|white wins|white won|1")
_LOST = re.compile(r"0[-:]1|0[-:]1f|-[-:/]\+|black wins|black won")
# Tags that say what game it is, however their names are written.
_USUAL = {
    name.lower(): name for name in ("Event", "White", "Black", "Result", "FEN", "SetUp", "Variant")
}
_BOTH_LOST = re.compile(r"0[-:]0")  # which PGN has no result for
_DASHES = re.compile("[\u2010-\u2015\u2212]")


@dataclass(slots=True)
class Node:
    """A move as it is written, or the beginning of a game; what follows it, and what is said."""

    move: Move | None = None
    line: int = 0
    parent: "Node | None" = None
    instead_of: "Node | None" = None  # the move to which it is a variation
    children: "list[Node]" = field(default_factory=list)
    nags: list[int] = field(default_factory=list)
    before: list[str] = field(default_factory=list)  # comments
    comments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Script:
    """What stands in a text; `flaws` are what could not be read, with their lines."""

    tags: list[tuple[str, str]] = field(default_factory=list)
    root: Node = field(default_factory=Node)
    result: str | None = None
    first_number: int | None = None
    flaws: list[tuple[int, str]] = field(default_factory=list)

    def nodes(self) -> Iterator[Node]:
        """Yield all moves, each behind the one before it."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            if node.move:
                yield node
            stack.extend(reversed(node.children))


def result_in(text: str) -> str | None:
    """Return a result as PGN has it; None for what is none."""
    text = _DASHES.sub("-", text.strip().lower())
    if len(text) > _LONGEST_RESULT:
        return None
    text = re.sub(r"\s*([-:/])\s*", r"\1", text)
    if _HALF.fullmatch(text):
        return "1/2-1/2"
    if _WON.fullmatch(text):
        return "1-0"
    if _LOST.fullmatch(text):
        return "0-1"
    return "*" if text == "*" else None


def read(data: str, first: int) -> Script:
    """Read a game's text, whose first line has that number."""
    reader = _Reader()
    for line, token, _ in _without_inner_braces(_tokens(data, first)):
        reader.take(token, line)
    reader.finish()
    return reader.script


def _tokens(data: str, first: int) -> Iterator[tuple[int, Token, str]]:
    """Yield the tokens of a text, each with its line, and as it is written."""
    lexer = Lexer()
    for number, line in enumerate(data.split("\n"), start=first):
        for token in lexer.take(line):
            yield number, token, lexer.data[token.start : token.end]
        if lexer.in_comment:
            yield number, Token(Kind.COMMENT, "\n", 0, 0, closed=False), ""


def _without_inner_braces(
    tokens: Iterator[tuple[int, Token, str]],
) -> Iterator[tuple[int, Token, str]]:
    """Yield tokens, with what is between the braces of `{a {b} c}` as comments.

    By the standard the comment ends at the first brace that closes.  What follows is one only
    if another brace closes it before anything else than words comes.
    """
    is_open, depth = False, 0
    held: list[tuple[int, Token, str]] = []
    for line, token, written in tokens:
        if depth and not is_open and token.kind is Kind.BRACE:
            text = " ".join(["}", *(each for _, _, each in held)])
            held, depth = [], depth - 1
            yield line, Token(Kind.COMMENT, text, 0, 0), written
            continue
        if depth and not is_open and token.kind in (Kind.WORD, Kind.NAG, Kind.OPEN, Kind.CLOSE):
            held.append((line, token, written))
            continue
        yield from held
        held, depth = [], depth if is_open else 0
        if token.kind is Kind.COMMENT:
            depth += token.text.count("{")
            is_open = not token.closed
        yield line, token, written
    yield from held


class _Reader:
    """Builds a script of tokens."""

    def __init__(self) -> None:
        self.script = Script()
        self._node = self.script.root
        self._stack: list[Node] = []  # the moves to come back to
        self._instead_of: Node | None = None  # until the first move of a variation
        self._before: list[str] = []
        self._comment: list[str] | None = None  # parts of the one that is open
        self._skipped = 0  # variations that are open and left out
        self._is_over = False

    def take(self, token: Token, line: int) -> None:
        """Take the next token."""
        kind = token.kind
        if kind is Kind.TAG:
            self._take_tag(token)
        elif kind is Kind.COMMENT:
            self._take_comment(token)
        elif kind in (Kind.OPEN, Kind.CLOSE):
            self._take_bracket(kind, line)
        elif self._skipped:
            return
        elif kind is Kind.NAG:
            self._add_nag(int(token.text[:4] or -1))
        elif kind is Kind.RESULT:
            self._take_result(token.text)
        elif kind is Kind.WORD:
            self._take_word(token.text, line)

    def finish(self) -> None:
        """End what is open."""
        if self._comment is not None:
            self._take_comment(Token(Kind.COMMENT, "", 0, 0))
        self._take_double_loss()

    def _take_double_loss(self) -> None:
        """Take a `0-0` behind the moves for a result, where the tag says that both have lost."""
        said = dict(self.script.tags).get("Result", "")
        if self.script.result is not None or not _BOTH_LOST.fullmatch(said.strip()):
            return
        last = self.script.root
        while last.children:
            last = last.children[0]
        if last.move and last.parent and _BOTH_LOST.fullmatch(last.move.word):
            last.parent.children.remove(last)
            last.parent.comments += last.comments

    def _take_tag(self, token: Token) -> None:
        name = re.sub(r"\W", "_", unicodedata.normalize("NFKD", token.text), flags=re.ASCII)
        if name := name.strip("_"):
            name = _USUAL.get(name.lower(), name)
            value = "".join(c if c.isprintable() or c >= "\ud800" else " " for c in token.value)
            self.script.tags.append((name[:255], _whole(value)))

    def _take_comment(self, token: Token) -> None:
        if self._comment is None:
            self._comment = []
        self._comment.append(token.text)
        if not token.closed:
            return
        text, self._comment = "".join(self._comment).strip(), None
        if not text or self._skipped:
            return
        said = self._before if self._instead_of else self._node.comments
        said.append(_whole(text))

    def _take_bracket(self, kind: Kind, line: int) -> None:
        if self._skipped:
            self._skipped += 1 if kind is Kind.OPEN else -1
        elif kind is Kind.OPEN:
            at = self._node
            if at.parent is None or self._instead_of or len(self._stack) >= MOST_NESTED:
                why = (
                    f"variations are nested deeper than {MOST_NESTED}"
                    if len(self._stack) >= MOST_NESTED
                    else "a variation has no move before it"
                )
                self.script.flaws.append((line, f"{why}, and one is left out"))
                self._skipped = 1
                return
            self._stack.append(at)
            self._instead_of, self._node = at, at.parent
        elif self._stack:
            self._node = self._stack.pop()
            self._node.comments += self._before  # of a variation without a move
            self._instead_of, self._before = None, []

    def _take_result(self, text: str) -> None:
        if not self._stack and not self._is_over:
            self.script.result = result_in(text)
            self._is_over = True

    def _add_nag(self, nag: int) -> None:
        if 0 <= nag <= MOST_NAG and self._node.parent and not self._instead_of:
            self._node.nags.append(nag)

    def _take_word(self, word: str, line: int) -> None:
        number, rest = notation.number_in(word)
        if number is not None:
            if self.script.first_number is None and not self.script.root.children:
                self.script.first_number = number
            word = rest.lstrip(".…")
        if not word or (notation.is_noise(word) and notation.glyph_in(word) is None):
            return
        if nag := notation.glyph_in(word):
            self._add_nag(nag)
            return
        if not self._stack and self._is_over:
            why = f"{word[:20]!r} stands behind the result, and is left out"
            self.script.flaws.append((line, why))
            return
        if (result := result_in(word)) and not self._stack and not word[0].isdigit():
            self._take_result(result)
            return
        self._play(notation.read(word), line)

    def _play(self, move: Move, line: int) -> None:
        node = Node(move, line, self._node, self._instead_of, before=self._before)
        if move.nag:
            node.nags.append(move.nag)
        self._node.children.append(node)
        self._node, self._instead_of, self._before = node, None, []


def _whole(text: str) -> str:
    """Return a text with a sign for each byte that could not be decoded."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
