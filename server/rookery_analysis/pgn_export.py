"""Games as PGN that other programs read back whole: pgn-extract, ChessBase, lichess.  No I/O.

Lines have 79 characters at most, but for tags, which cannot be broken.  pgn-extract refuses
games with a null move in the main line: such a one ends before it, and goes on in a variation
that repeats the last move.
"""

import re

import chess
import chess.pgn

from rookery_protocol.legality import STANDARD, set_up
from rookery_uci import UciError

WIDTH = 80
# Of a comment: commands are not broken, and no line begins as an escaped one or a tag does.
_GLUED = re.compile(r"(?<!\s)\s+(?=[%;]|\[(?!%))")
_WORD = re.compile(r"(?:\[%[^\]]{0,60}\]|\S| (?=[%;]|\[(?!%)))+")
_UNREADABLE = {"FEN": "UnreadableFEN", "SetUp": "UnreadableSetUp", "Variant": "UnreadableVariant"}
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def written(game: chess.pgn.Game) -> str:
    """Return a game as PGN."""
    return _without_null(game).accept(_Exporter(columns=WIDTH))


def without_moves(game: chess.pgn.Game) -> str:
    """Return a game of which no move can be read: its tags, and what is said of it.

    Programs refuse a game whose position they cannot set up, so such a tag has another name.
    """
    is_usual = _begins_as_chess(game.headers)
    copy = chess.pgn.Game()
    copy.comment = game.comment
    for name, value in game.headers.items():
        copy.headers[name if is_usual else _UNREADABLE.get(name, name)] = value
    return copy.accept(_Exporter(columns=WIDTH))


def _begins_as_chess(headers: chess.pgn.Headers) -> bool:
    if headers.get("SetUp") == "1" and "FEN" not in headers:
        return False
    try:
        board = headers.board()
        set_up(headers.get("FEN"), chess960=board.chess960, variant=board.uci_variant or STANDARD)
    except (ValueError, UciError):
        return False
    return board.uci_variant == STANDARD


def tag(name: str, value: str) -> str:
    """Return the line of a tag."""
    value = " ".join(_UNPRINTABLE.sub(" ", value).split("\n"))
    escaped = value.replace("\\", r"\\").replace('"', r"\"")
    return f'[{name} "{escaped}"]'


def plain(comment: str) -> str:
    """Return a comment without what would end it."""
    text = comment.replace("{", "(").replace("}", ")")
    return _UNPRINTABLE.sub(" ", text).strip()


class _Exporter(chess.pgn.StringExporter):
    """Writes a game."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Write a tag."""
        self.found_headers = True
        self.write_line(tag(tagname, tagvalue))

    def visit_comment(self, comment: str) -> None:
        """Write a comment, on as many lines as it needs."""
        self.write_token("{ ")
        for number, line in enumerate(_GLUED.sub(" ", plain(comment)).split("\n")):
            if number:
                self.flush_current_line()
            for word in _WORD.findall(line):
                self.write_token(word + " ")
        self.write_token("} ")
        self.force_movenumber = True

    def write_token(self, token: str) -> None:
        """Write a word, on the next line if there is no room."""
        if len(self.current_line) + len(token.rstrip()) >= WIDTH:
            self.flush_current_line()
        self.current_line += token


def _without_null(game: chess.pgn.Game) -> chess.pgn.Game:
    """Have the main line end before its first null move; it goes on in a variation."""
    last = next((node.parent for node in game.mainline() if not node.move), None)
    if isinstance(last, chess.pgn.ChildNode):
        again = chess.pgn.ChildNode(last.parent, last.move)
        last.parent.variations.remove(again)  # which is where its parent has put it
        last.parent.variations.insert(1, again)
        again.variations, last.variations = last.variations, []
        for node in again.variations:
            node.parent = again
    return game
