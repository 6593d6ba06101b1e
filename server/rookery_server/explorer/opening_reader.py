"""The first moves of games, read as fast as Python can.

Nearly all moves of openings were met before, in the same position: a table has what they are, and
the position behind them, so that no board is needed.  A game that is not plain English PGN is
read by `rookery_analysis`, which takes longer and reads nearly anything.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import chess

from rookery_analysis.game import STANDARD_NAMES, parse_game
from rookery_analysis.pgn_splitter import GameText
from rookery_server.explorer.packing import key_of, pack_move, unpack_move

RESULTS = ("1-0", "1/2-1/2", "0-1")
MOST_RATING = 4000

_TAG = re.compile(r'^\[(\w+)\s+"(.*)"\]\s*$', re.MULTILINE)
_ESCAPE = re.compile(r'\\(["\\])')
_COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*|^%[^\n]*", re.MULTILINE)
_VARIATION = re.compile(r"\([^()]*\)")
_MOST_NESTED = 50
_NUMBER = re.compile(r"\d+\.+")
_SAN = re.compile(
    r"((?:[KQRBN][a-h]?[1-8]?x?|(?:[a-h]x)?)[a-h][1-8](?:=[QRBN])?|O-O(?:-O)?)([+#]?)[!?]*"
)
_MOST_KNOWN = 300_000  # moves; 90 MB
_START = key_of(chess.Board())


@dataclass(frozen=True, slots=True)
class OpeningGame:
    """A game: its tags, its moves in SAN, and the key and the move of its first positions."""

    tags: dict[str, str]
    sans: list[str]
    plies: list[tuple[int, int]]

    @property
    def result(self) -> int:
        """The index of its result in `RESULTS`."""
        return RESULTS.index(self.tags["Result"])

    @property
    def ratings(self) -> tuple[int, int]:
        """The ratings of White and Black; 0 is not known."""
        white, black = (self.tags.get(f"{side}Elo", "") for side in ("White", "Black"))
        return _number(white, MOST_RATING), _number(black, MOST_RATING)

    @property
    def rating(self) -> int:
        """The mean of the ratings that are known; 0 without any."""
        known = [each for each in self.ratings if each]
        return sum(known) // len(known) if known else 0

    @property
    def year(self) -> int:
        """The year; 0 is not known."""
        return _number(self.tags.get("Date", "")[:4], 9999)


class OpeningReader:
    """Reads games one after the other; what it has learnt of one helps with the next."""

    def __init__(self, plies: int) -> None:
        self._most = plies
        # The position and the word: the move, and the position behind it.
        self._known: dict[tuple[int, str], tuple[int, int]] = {}

    def read_game(self, text: GameText) -> OpeningGame | None:
        """Read a game; None if it has no result, no moves, or another beginning."""
        tags = {name: _ESCAPE.sub(r"\1", value) for name, value in _TAG.findall(text.data)}
        if not _is_usual(tags):
            return None
        sans, is_whole = _moves_in(text.data)
        plies = self._play(sans) if is_whole else None
        if plies is None:
            tags, sans = _read_slowly(text)
            plies = self._play(sans) if _is_usual(tags) else None
        return OpeningGame(tags, sans, plies) if plies else None

    def _play(self, sans: list[str]) -> list[tuple[int, int]] | None:
        """Return the first positions and their moves; None if a move is not legal."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        key, board = _START, None
        found: dict[int, int] = {}  # A position that is repeated counts once.
        moves: list[int] = []
        for san in sans[: self._most]:
            known = self._known.get((key, san))
            if known is None or board:
                board = board or _board_after(moves)
                try:
                    move = board.push_san(san)
                except ValueError:
                    return None
                known = pack_move(move), key_of(board)
                self._known[key, san] = known
            moves.append(known[0])
            found.setdefault(key, known[0])
            key = known[1]
        return list(found.items())


def _is_usual(tags: dict[str, str]) -> bool:
    is_standard = tags.get("Variant", "").lower() in STANDARD_NAMES
    return is_standard and "FEN" not in tags and tags.get("Result") in RESULTS


def _moves_in(data: str) -> tuple[list[str], bool]:
    """Return the moves of a game without variations, and whether all words were understood."""
    body = _COMMENT.sub(" ", _TAG.sub("", data))
    for _ in range(_MOST_NESTED):
        if "(" not in body:
            break
        body = _VARIATION.sub(" ", body)
    sans: list[str] = []
    for word in _NUMBER.sub(" ", body).split():
        if word in RESULTS:
            break
        if word.startswith("$"):
            continue
        if (san := _san_of(word)) is None:
            return sans, False
        sans.append(san)
    return sans, True


@lru_cache(1 << 16)
def _san_of(word: str) -> str | None:
    """Return a move without its sign; None if a word is no move in English."""
    form = _SAN.fullmatch(word)
    return form[1] + form[2] if form else None


def _read_slowly(text: GameText) -> tuple[dict[str, str], list[str]]:
    """Return the tags and the moves of a game as people write it, as far as it can be read."""
    game = parse_game(text, 1, "").pgn
    return dict(game.headers), list(_sans_of(game.board(), game.mainline_moves()))


def _sans_of(board: chess.Board, moves: Iterable[chess.Move]) -> Iterator[str]:
    for move in moves:
        if not move:
            return  # of a null move nothing is known
        yield board.san_and_push(move)


def _board_after(moves: list[int]) -> chess.Board:
    board = chess.Board()
    for move in moves:
        board.push(unpack_move(move))
    return board


def _number(text: str, most: int) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= 4
    return int(text) if is_number and int(text) <= most else 0
