"""A position as text: the meaning of a FEN, its correction, and its refusal.

The one rule of engine, server and bridge, as docs/position.md states it; the page has the
same in TypeScript, and tests/data/positions.json holds all of them to it.  A text that
can mean one position only is corrected; one that leaves a choice is refused.

Only the places of the pieces count.  A check of the side that is not to move depends on
moves, so that is left to callers that have a board.
"""

import re
from typing import NamedTuple

from rookery_uci.words import UciError, quote, to_number

# With 16 men no side has more than 250 moves, whatever they are.  Many engines, Stockfish among
# them, have room for 256, and write beyond it; 24 queens can have 261.  Networks have room for
# 32 men in all.
MOST_MEN = 16
MOST_COUNT = 9999  # of a counter: fits into every engine's numbers

_SIDES = {"": "w", "w": "w", "white": "w", "b": "b", "black": "b"}
_ROW = "PNBRQKpnbrqk12345678"  # of what a rank is written
_EMPTY = {ord("0") + count: "." * count for count in range(1, 9)}
_FILES = "abcdefgh"
_SQUARE = re.compile(r"[a-h][1-8]", re.IGNORECASE)
_COUNT = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")
_CHECKS = re.compile(r"[0-9]\+[0-9]|\+[0-9]\+[0-9]")  # of three-check: left, or given
_NAMES = (
    "placement", "side to move", "castling", "en passant square", "half-move clock", "move number",
)  # fmt: skip


class FenError(UciError):
    """A FEN that cannot be played; the text says what was expected."""


class Fields(NamedTuple):
    """The fields of a FEN as they were said, each "" if it is missing; then what is behind them.

    `checks` is a field of three-check alone.
    """

    placement: str = ""
    side: str = ""
    castling: str = ""
    en_passant: str = ""
    halfmoves: str = ""
    number: str = ""
    checks: str = ""
    rest: str = ""

    @classmethod
    def parse(cls, text: str) -> "Fields":
        """Divide a FEN into its fields; a missing one is recognized by the next."""
        words = [word.rstrip(";,") for word in text.strip("\"' \t").split()]
        found = dict(zip(("placement", "side"), words, strict=False))
        rest = words[2:]
        if rest and not (_SQUARE.fullmatch(rest[0]) or _COUNT.fullmatch(rest[0])):
            found["castling"] = rest.pop(0)
        if rest and not (_COUNT.fullmatch(rest[0]) or _CHECKS.fullmatch(rest[0])):
            found["en_passant"] = rest.pop(0)
        for name in ("checks", "halfmoves", "number", "checks"):
            form = _CHECKS if name == "checks" else _COUNT
            if rest and (form.fullmatch(rest[0]) or (rest[0] == "-" and name != "checks")):
                found[name] = rest.pop(0)
        return cls(**found, rest=" ".join(rest))


class Fen(NamedTuple):
    """A position of chess or Chess960, with all fields in their usual form.

    Castling is named by the rooks' files in Chess960 (Shredder-FEN: `HAha`).
    """

    placement: str
    side: str = "w"
    castling: str = "-"
    en_passant: str = "-"
    halfmoves: int = 0
    number: int = 1

    @classmethod
    def parse(cls, text: str, *, chess960: bool = False) -> "Fen":
        """Read a FEN, and mend what is harmless.

        Raises:
            FenError: it is none, or of a position that is not played.

        """
        said = Fields.parse(text)
        if not said.placement:
            raise FenError("a FEN needs at least the placement of the pieces")
        board = _squares(said.placement)
        side = side_of(said)
        _check_men(board)
        return cls(
            "/".join(_row(board[start : start + 8]) for start in range(0, 64, 8)),
            side,
            _castling(said.castling, board, chess960=chess960),
            _passed(said.en_passant.lower(), side, board),
            *counters_of(said),
        )

    def __str__(self) -> str:
        return " ".join(map(str, self))


def side_of(said: Fields) -> str:
    """Return the side to move, `w` or `b`.

    Raises:
        FenError: it is neither.

    """
    side = _SIDES.get(said.side.lower())
    if side is None:
        raise FenError(f"the side to move must be 'w' or 'b', not {quote(said.side)}")
    return side


def counters_of(said: Fields) -> tuple[int, int]:
    """Return the half-move clock and the move number; other text counts as missing."""
    return _count(said.halfmoves, 0), max(1, _count(said.number, 1))


def mended(said: str, read: str) -> str:
    """Return in words what of a FEN is read otherwise than it was said; "" if nothing is."""
    before, after = Fields.parse(said), Fields.parse(read)
    texts = [
        f"{name} {quote(old)} is read as {new}" if old else f"no {name} is read as {new}"
        for name, old, new in zip(_NAMES, before[:6], after[:6], strict=True)
        if old != new
    ]
    texts += [f"{quote(before.rest)} behind the FEN is left out"] * bool(before.rest)
    if not texts and said.split() != read.split():  # signs that are no part of a field
        texts = [f"{quote(said)} is read as {read}"]
    return "; ".join(texts)


def _squares(placement: str) -> str:
    """Return what stands on the 64 squares, from a8 to h1; `.` is nothing."""
    ranks = placement.rstrip("/").replace("~", "").split("/")  # `~`: it has been a pawn
    if len(ranks) != 8:
        raise FenError(f"a board needs 8 ranks between '/', not {len(ranks)}")
    for number, text in zip(range(8, 0, -1), ranks, strict=True):
        if not text or text.strip(_ROW):
            raise FenError(f"rank {number} needs pieces and digits, not {quote(text)}")
        if (squares := len(text.translate(_EMPTY))) != 8:
            raise FenError(f"rank {number} needs 8 squares, not {squares}")
    return "".join(ranks).translate(_EMPTY)


def _row(squares: str) -> str:
    """Write a rank."""
    for count in range(8, 0, -1):
        squares = squares.replace("." * count, str(count))
    return squares


def _check_men(board: str) -> None:
    """Refuse what engines have no room for, and what their moves are not made for."""
    for name, letters in (("white", "KPNBRQ"), ("black", "kpnbrq")):
        kings, *others = map(board.count, letters)
        if kings != 1:
            raise FenError(f"{name} needs one king, not {kings}")
        if kings + sum(others) > MOST_MEN:
            raise FenError(f"{name} has {kings + sum(others)} men, and {MOST_MEN} are the most")
    if "p" in (board[:8] + board[-8:]).lower():
        raise FenError("no pawn can stand on the first or last rank")


def _castling(text: str, board: str, *, chess960: bool) -> str:
    """Return the rights that king and rook stand for, one on either side of each king.

    `K` and `Q` are the outermost rook of that side (X-FEN).  Outside Chess960 king and rook
    must stand where chess has them: else castling could not be told from a king's step.
    """
    rights: dict[tuple[bool, bool], str] = {}  # by colour and wing
    for letter in text:
        black, name = letter.islower(), letter.lower()
        home = board[:8] if black else board[-8:]
        king, rook = (home.find("k"), "r") if black else (home.find("K"), "R")
        file = {"k": home.rfind(rook), "q": home.find(rook)}.get(name, _FILES.find(name))
        if king < 0 or file < 0 or home[file] != rook:
            continue
        is_long = file < king
        if (name == "k" and is_long) or (name == "q" and not is_long):
            continue
        if chess960:
            right = _FILES[file]
        elif king == 4 and file in (0, 7):
            right = "q" if is_long else "k"
        else:
            continue
        rights.setdefault((black, is_long), right if black else right.upper())
    return "".join(rights[wing] for wing in sorted(rights)) or "-"


def _passed(square: str, side: str, board: str) -> str:
    """Return the square that a pawn has just passed, if one can have done so."""
    pawn, rank, way = ("p", "6", 8) if side == "w" else ("P", "3", -8)
    if not _SQUARE.fullmatch(square) or square[1] != rank:
        return "-"
    at = 8 * (8 - int(rank)) + _FILES.find(square[0])
    is_one = board[at + way] == pawn and board[at] == board[at - way] == "."
    return square if is_one else "-"


def _count(text: str, default: int) -> int:
    number = to_number(text.partition(".")[0])
    return default if number is None or number < 0 else min(number, MOST_COUNT)
