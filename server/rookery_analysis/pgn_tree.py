"""A game as it is written: tags, and a tree of moves that were not tried on a board.  No I/O.

`server/web/src/game/parser.ts` reads in the same way.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from rookery_analysis import notation
from rookery_analysis.notation import WrittenMove
from rookery_analysis.pgn_lexer import PgnLexer, PgnToken, TokenKind

MAX_NESTED = 50  # variations within each other
MAX_NAG = 255  # by the standard
_MAX_RESULT = 64  # characters

_HALF = re.compile(r"(?:1/2|½|0?[.,]5)(?:[-:](?:1/2|½|0?[.,]5))?|=|draws?|drawn|remis")
_WON = re.compile(r"1[-:]0|1[-:]0f|\+[-:/]-|white wins|white won|1")
_LOST = re.compile(r"0[-:]1|0[-:]1f|-[-:/]\+|black wins|black won")
# Tags that identify the game, however their names are written.
_USUAL = {
    name.lower(): name for name in ("Event", "White", "Black", "Result", "FEN", "SetUp", "Variant")
}
# What may stand behind an inner brace, and belong to the comment.
_PERHAPS_COMMENT = (TokenKind.WORD, TokenKind.NAG, TokenKind.OPEN, TokenKind.CLOSE)
_BOTH_LOST = re.compile(r"0[-:]0")  # which PGN has no result for
_DASHES = re.compile("[\u2010-\u2015\u2212]")


@dataclass(slots=True)
class MoveNode:
    """A move as it is written, or the beginning of a game, with all that follows it."""

    move: WrittenMove | None = None
    line: int = 0
    parent: "MoveNode | None" = None
    instead_of: "MoveNode | None" = None  # the move that a variation replaces
    children: "list[MoveNode]" = field(default_factory=list)
    nags: list[int] = field(default_factory=list)
    before: list[str] = field(default_factory=list)  # comments
    comments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class GameTree:
    """The content of a text; `flaws` are the words that could not be read, with their lines."""

    tags: list[tuple[str, str]] = field(default_factory=list)
    root: MoveNode = field(default_factory=MoveNode)
    result: str | None = None
    first_number: int | None = None
    flaws: list[tuple[int, str]] = field(default_factory=list)

    def nodes(self) -> Iterator[MoveNode]:
        """Yield all moves, each behind the one before it."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            if node.move:
                yield node
            stack.extend(reversed(node.children))


def result_in(text: str) -> str | None:
    """Return a result as PGN writes it; None if the text is none."""
    text = _DASHES.sub("-", text.strip().lower())
    if len(text) > _MAX_RESULT:
        return None
    text = re.sub(r"\s*([-:/])\s*", r"\1", text)
    if _HALF.fullmatch(text):
        return "1/2-1/2"
    if _WON.fullmatch(text):
        return "1-0"
    if _LOST.fullmatch(text):
        return "0-1"
    return "*" if text == "*" else None


def read_tree(data: str, first: int) -> GameTree:
    """Read a game's text; `first` is the number of its first line."""
    builder = _TreeBuilder()
    for line, token in _without_inner_braces(_tokens(data, first)):
        builder.add_token(token, line)
    builder.finish()
    return builder.tree


def _tokens(data: str, first: int) -> Iterator[tuple[int, PgnToken]]:
    """Yield the tokens of a text, each with its line."""
    lexer = PgnLexer()
    for number, line in enumerate(data.split("\n"), start=first):
        for token in lexer.tokens_of(line):
            yield number, token
        if lexer.in_comment:
            yield number, PgnToken(TokenKind.COMMENT, "\n", 0, 0, closed=False)


def _without_inner_braces(
    tokens: Iterator[tuple[int, PgnToken]],
) -> Iterator[tuple[int, PgnToken]]:
    """Yield tokens, with all between the braces of `{a {b} c}` as comments.

    By the standard the comment ends at the first closing brace.  The words behind it are a
    comment only if another brace closes them before any other token.
    """
    is_open, depth = False, 0
    held: list[tuple[int, PgnToken]] = []
    for line, token in tokens:
        is_behind = depth and not is_open
        if is_behind and token.kind is TokenKind.BRACE:
            words = (
                f"${each.text}" if each.kind is TokenKind.NAG else each.text for _, each in held
            )
            yield line, PgnToken(TokenKind.COMMENT, " ".join(["}", *words]), 0, 0)
            held, depth = [], depth - 1
        elif is_behind and token.kind in _PERHAPS_COMMENT:
            held.append((line, token))
        else:
            yield from held
            held, depth = [], depth if is_open else 0
            if token.kind is TokenKind.COMMENT:
                depth += token.text.count("{")
                is_open = not token.closed
            yield line, token
    yield from held


class _TreeBuilder:
    """The tree so far, and the place in it of the next token."""

    def __init__(self) -> None:
        self.tree = GameTree()
        self._node = self.tree.root
        self._stack: list[MoveNode] = []  # the moves to return to
        self._instead_of: MoveNode | None = None  # until the first move of a variation
        self._before: list[str] = []
        self._comment: list[str] | None = None  # parts of the one that is open
        self._skipped = 0  # variations that are open and left out
        self._is_over = False

    def add_token(self, token: PgnToken, line: int) -> None:
        """Add the next token."""
        kind = token.kind
        if kind is TokenKind.TAG:
            self._add_tag(token)
        elif kind is TokenKind.COMMENT:
            self._add_comment(token)
        elif kind in (TokenKind.OPEN, TokenKind.CLOSE):
            self._add_bracket(kind, line)
        elif self._skipped:
            return
        elif kind is TokenKind.NAG:
            self._add_nag(int(token.text[:4] or -1))
        elif kind is TokenKind.RESULT:
            self._add_result(token.text)
        elif kind is TokenKind.WORD:
            self._add_word(token.text, line)

    def finish(self) -> None:
        """End an open comment, and read a double loss."""
        if self._comment is not None:
            self._add_comment(PgnToken(TokenKind.COMMENT, "", 0, 0))
        # A `0-0` behind the moves is the result if the tag says that both have lost.
        said = dict(self.tree.tags).get("Result", "")
        if self.tree.result is not None or not _BOTH_LOST.fullmatch(said.strip()):
            return
        last = self.tree.root
        while last.children:
            last = last.children[0]
        if last.move and last.parent and _BOTH_LOST.fullmatch(last.move.word):
            last.parent.children.remove(last)
            last.parent.comments += last.comments

    def _add_tag(self, token: PgnToken) -> None:
        name = re.sub(r"\W", "_", unicodedata.normalize("NFKD", token.text), flags=re.ASCII)
        if name := name.strip("_"):
            name = _USUAL.get(name.lower(), name)
            value = "".join(c if c.isprintable() or c >= "\ud800" else " " for c in token.value)
            self.tree.tags.append((name[:255], _without_surrogates(value)))

    def _add_comment(self, token: PgnToken) -> None:
        if self._comment is None:
            self._comment = []
        self._comment.append(token.text)
        if not token.closed:
            return
        text, self._comment = "".join(self._comment).strip(), None
        if not text or self._skipped:
            return
        said = self._before if self._instead_of else self._node.comments
        said.append(_without_surrogates(text))

    def _add_bracket(self, kind: TokenKind, line: int) -> None:
        if self._skipped:
            self._skipped += 1 if kind is TokenKind.OPEN else -1
        elif kind is TokenKind.OPEN:
            at = self._node
            if at.parent is None or self._instead_of or len(self._stack) >= MAX_NESTED:
                why = (
                    f"variations are nested deeper than {MAX_NESTED}"
                    if len(self._stack) >= MAX_NESTED
                    else "a variation has no move before it"
                )
                self.tree.flaws.append((line, f"{why}, and one is left out"))
                self._skipped = 1
                return
            self._stack.append(at)
            self._instead_of, self._node = at, at.parent
        elif self._stack:
            self._node = self._stack.pop()
            self._node.comments += self._before  # of a variation without a move
            self._instead_of, self._before = None, []

    def _add_result(self, text: str) -> None:
        if not self._stack and not self._is_over:
            self.tree.result = result_in(text)
            self._is_over = True

    def _add_nag(self, nag: int) -> None:
        if 0 <= nag <= MAX_NAG and self._node.parent and not self._instead_of:
            self._node.nags.append(nag)

    def _add_word(self, word: str, line: int) -> None:
        number, rest = notation.number_in(word)
        if number is not None:
            if self.tree.first_number is None and not self.tree.root.children:
                self.tree.first_number = number
            word = rest.lstrip(".…")
        if nag := notation.NAGS.get(word):
            self._add_nag(nag)
            return
        if not word or notation.is_noise(word):
            return
        if not self._stack and self._is_over:
            why = f"{word[:20]!r} stands behind the result, and is left out"
            self.tree.flaws.append((line, why))
            return
        if (result := result_in(word)) and not self._stack and not word[0].isdigit():
            self._add_result(result)
            return
        self._add_move(notation.parse_move(word), line)

    def _add_move(self, move: WrittenMove, line: int) -> None:
        node = MoveNode(move, line, self._node, self._instead_of, before=self._before)
        if move.nag:
            node.nags.append(move.nag)
        self._node.children.append(node)
        self._node, self._instead_of, self._before = node, None, []


def _without_surrogates(text: str) -> str:
    """Return a text with a sign for each byte that could not be decoded."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
