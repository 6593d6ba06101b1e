"""Moves as files write them: short, long or UCI, with letters of any language, or figurines.

`Letters` has the meaning of each letter, because a word alone does not tell: `Rd2` is a rook's
move in English, and the king's in French.  The standard has English letters.  A game whose
every move is legal in English is in English; any other is in the language in which every move
is legal.  If there are several, and the moves differ, the game is ambiguous.  No I/O.
`server/web/src/game/notation.ts` and `language.ts` read in the same way.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import chess

Letters = Mapping[str, str]  # a letter, in upper case, and its piece: one of K, Q, R, B, N, P

PIECES = "KQRBN"
ENGLISH: Letters = dict(zip(PIECES, PIECES, strict=True))
PAWN = "P"

# King, queen, rook, bishop and knight.
LANGUAGES: dict[str, tuple[str, ...]] = {
    "German": tuple("KDTLS"),  # Danish, Norwegian, Swedish, Croatian, Slovene, Serbian
    "Dutch": tuple("KDTLP"),
    "French": tuple("RDTFC"),
    "Spanish": tuple("RDTAC"),  # Catalan, Italian
    "Portuguese": tuple("RDTBC"),  # Galician
    "Polish": tuple("KHWGS"),
    "Czech": tuple("KDVSJ"),  # Slovak
    "Hungarian": tuple("KVBFH"),
    "Romanian": tuple("RDTNC"),
    "Finnish": tuple("KDTLR"),  # Afrikaans
    "Icelandic": tuple("KDHBR"),
    "Estonian": tuple("KLVOR"),
    "Latvian": tuple("KDTLZ"),
    "Lithuanian": tuple("KVBRŽ"),
    "Turkish": tuple("ŞVKFA"),
    "Indonesian": tuple("RMBGK"),
    "Vietnamese": tuple("VHXTM"),
    "Welsh": tuple("TBCEM"),
    "Irish": tuple("RBCED"),
    "Basque": tuple("EDGAZ"),
    "Esperanto": tuple("RDTKĈ"),
    "Russian": ("Кр", "Ф", "Л", "С", "К"),
    "Ukrainian": ("Кр", "Ф", "Т", "С", "К"),
    "Bulgarian": tuple("ЦДТОК"),
    "Serbian": tuple("КДТЛС"),  # Macedonian
    "Greek": tuple("ΡΒΠΑΙ"),
}

NULL = frozenset(("--", "z0", "0000", "@@@@", "null", "pass", "<>"))
_NOISE = re.compile(r"[.…,:=+#!?]*|e\.?p\.?|[+-]{2}/?|\+/-|-/\+|±|∓|∞|=/∞|(?:n/)?d/?|ch|mate", re.I)
NAGS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "‼": 3, "⁇": 4, "⁉": 5, "⁈": 6}
_FIGURINES = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNP" * 2, strict=True))
_MAX_MOVE = 64  # characters of a move, glyphs included
_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\x00]")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_NUMBER = re.compile(r"(\d+)(?:([.…]+)|$|(?=[^\W\d_]))")
_END = re.compile(r"(?:e\.?p\.?)?(?:[+#†‡]|ch|mate)*([!?‼⁇⁉⁈]{0,3})$")
_PIECE = r"[^\W\d_a-h]|[♔-♟]|Кр"
_MOVE = re.compile(
    rf"(?P<piece>{_PIECE})?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<takes>[-x:×]?)(?P<to>[a-h][1-8])"
    rf"(?:[=/]?\(?(?P<promotion>{_PIECE}|b)\)?)?"
)
_SHORT = re.compile(r"([a-h])[x:×]?([a-h])")
_CASTLE = re.compile(r"([0OoОо])-?\1(-?\1)?")


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """The parts of a move as it is written; `word` is the whole of it.

    `san` is set if no letter is needed: for castling, and for the null move as `--`.
    """

    word: str
    nag: int | None = None
    san: str = ""
    piece: str = ""
    origin: str = ""  # a file, a rank, or both
    to: str = ""
    promotion: str = ""

    @property
    def letters(self) -> list[str]:
        """The letters whose meaning depends on the language."""
        return [each for each in (self.piece, self.promotion) if each and each not in _FIGURINES]

    def on_board(self, board: chess.Board, letters: Letters) -> chess.Move:
        """Return the move on a board.

        Raises:
            ValueError: it is no move, or it is not legal, or it could be several.

        """
        if self.san == "--":
            if board.is_check():
                raise ValueError(f"illegal san: {self.word!r}, for the king is in check")
            return chess.Move.null()
        if self.san:
            return board.parse_san(self.san)
        if not self.to:
            raise ValueError(f"illegal san: {self.word!r} cannot be read as a move")
        if len(self.to) == 1:
            return self._of_files(board)
        piece = _meaning(self.piece, letters, self.word)
        promotion = _meaning(self.promotion, letters, self.word)
        piece = "" if piece == "P" else piece
        written = f"{piece}{self.origin}{self.to}{'=' + promotion if promotion else ''}"
        if len(self.origin) == 2 and piece in ("", "K"):
            return self._of_squares(board, piece, promotion)
        try:
            return board.parse_san(written)
        except ValueError as error:
            raise ValueError(str(error).replace(f"{written!r}", f"{self.word!r}")) from None

    def _of_squares(self, board: chess.Board, piece: str, promotion: str) -> chess.Move:
        """Return a move by both its squares: the piece need not be written."""
        try:
            move = board.parse_uci(f"{self.origin}{self.to}{promotion.lower()}")
        except ValueError:
            raise ValueError(f"illegal san: {self.word!r} in {board.fen()}") from None
        if piece and board.piece_type_at(move.from_square) != chess.KING:
            raise ValueError(f"illegal san: {self.word!r} in {board.fen()}")
        return move

    def _of_files(self, board: chess.Board) -> chess.Move:
        """Return the capture of a pawn of which only the files are written."""
        found = [
            move
            for move in board.generate_legal_captures(board.pawns)
            if chess.FILE_NAMES[chess.square_file(move.from_square)] == self.origin
            and chess.FILE_NAMES[chess.square_file(move.to_square)] == self.to
            and not move.promotion
        ]
        if len(found) != 1:
            raise ValueError(f"illegal san: {self.word!r} in {board.fen()}")
        return found[0]


def number_in(word: str) -> tuple[int | None, str]:
    """Return the move number at the beginning of a word, and the rest of the word."""
    found = _NUMBER.match(word)
    if not found or len(found[1]) > 6 or not found[1].isascii():
        return None, word
    return (None, word) if found[0] == "0000" else (int(found[1]), word[found.end() :])


def is_noise(word: str) -> bool:
    """Return whether a word can be neither a move nor the piece of one (`D h5`)."""
    return _NOISE.fullmatch(word) is not None and word not in ("--", "D")


def parse_move(word: str) -> WrittenMove:
    """Return the parts of a word that may be a move; without `to` and `san` it is none."""
    if len(word) > _MAX_MOVE:
        return WrittenMove(word)
    text = _DASHES.sub("-", _INVISIBLE.sub("", word))
    if text.lower() in NULL:
        return WrittenMove(word, san="--")
    end = _END.search(text)
    nag = NAGS.get(end[1]) if end else None
    text = text[: end.start()] if end else text
    if text.lower() in NULL:
        return WrittenMove(word, nag, "--")
    if castle := _CASTLE.fullmatch(text):
        return WrittenMove(word, nag, "O-O-O" if castle[2] else "O-O")
    if short := _SHORT.fullmatch(text):
        return WrittenMove(word, nag, origin=short[1], to=short[2])
    found = _MOVE.fullmatch(text)
    if found is None:
        return WrittenMove(word, nag)
    origin = (found["file"] or "") + (found["rank"] or "")
    piece, promotion = found["piece"] or "", found["promotion"] or ""
    return WrittenMove(word, nag, "", _capital(piece), origin, found["to"], _capital(promotion))


def _capital(letter: str) -> str:
    return letter if letter in ("Кр", "") or letter in _FIGURINES else letter.upper()


def _meaning(letter: str, letters: Letters, word: str) -> str:
    """Return the piece that a letter means.

    Raises:
        ValueError: it means none.

    """
    if not letter:
        return ""
    piece = _FIGURINES.get(letter) or letters.get(letter)
    if piece is None:
        raise ValueError(f"illegal san: {word!r}, for {letter} is no piece; write K, Q, R, B and N")
    return piece


def languages_with(used: Iterable[str]) -> list[Letters]:
    """Return the possible meanings of some letters, each once; English comes first.

    Only languages that have all of the letters count.  A pawn may have its P in English;
    in another language only if none has it for a piece.
    """
    used = frozenset(used)
    known = [ENGLISH, {**ENGLISH, PAWN: PAWN}]
    others = [dict(zip(each, PIECES, strict=True)) for each in LANGUAGES.values()]
    found = _those_with(used, [*known, *others])
    return found or _those_with(used, [{PAWN: PAWN, **each} for each in others])


def _those_with(used: frozenset[str], languages: Iterable[Letters]) -> list[Letters]:
    found: list[Letters] = []
    for letters in languages:
        if used <= letters.keys():
            meaning = {letter: letters[letter] for letter in sorted(used)}
            if meaning not in found:
                found.append(meaning)
    return found
