"""Positions as text: Forsyth-Edwards Notation, X-FEN and Shredder-FEN.

The grammar parses the text, mends harmless errors, and refuses impossible positions
(`rookery_uci/fen.py`); here it becomes a board, which shows whether a king could be captured.

Source of castling fields: the wiki articles on X-FEN (`KQkq` is the outermost
rook of that side) and on Chess960 (Shredder-FEN names the rooks' files, `HAha`).
"""

from cython.cimports.rookery_engine.core.position import (
    attackers,
    clear_board,
    find_checkers,
    king_square,
    occupied,
    put_piece,
    set_en_passant,
    set_keys,
)
from cython.cimports.rookery_engine.core.types import (
    BLACK,
    NO_PIECE,
    NO_SQUARE,
    WHITE,
    bit,
)

from rookery_uci import Fen, FenError

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

_LETTERS = "PpNnBbRrQqKk"  # the index is the piece
_NAMES = [file + rank for rank in "12345678" for file in "abcdefgh"]


def read_fen(pos, fen, chess960):
    """Set up the position of a FEN.

    Raises:
        FenError: the position cannot be played.

    """
    text = Fen.parse(fen, chess960=chess960)
    clear_board(pos)
    _place_pieces(pos, text.placement)
    pos.side = WHITE if text.side == "w" else BLACK
    king = king_square(pos, pos.side ^ 1)
    if attackers(pos, king, occupied(pos)) & pos.colours[pos.side]:
        raise FenError(f"{'white' if pos.side else 'black'} is in check but not to move")
    if text.castling != "-":
        _set_castling_rights(pos, text.castling)
    if text.en_passant != "-":
        set_en_passant(pos, _NAMES.index(text.en_passant))
    pos.rule50 = pos.reversible = text.halfmoves
    pos.number = text.number
    pos.checkers = find_checkers(pos)
    set_keys(pos)
    return 0


def write_fen(pos, chess960):
    """Return the FEN; castling rights are named by file if `chess960`."""
    ranks = []
    for home in range(56, -1, -8):
        text = "".join(
            "." if piece == NO_PIECE else _LETTERS[piece]
            for piece in [pos.board[home + file] for file in range(8)]
        )
        for count in range(8, 0, -1):
            text = text.replace("." * count, str(count))
        ranks.append(text)
    passed = "-" if pos.en_passant == NO_SQUARE else square_name(pos.en_passant)
    return (
        f"{'/'.join(ranks)} {'b' if pos.side else 'w'} {_castling_text(pos, chess960)} "
        f"{passed} {pos.rule50} {pos.number}"
    )


def square_name(square):
    """Return a square as text, such as `e4`."""
    return _NAMES[square]


def _place_pieces(pos, placement):
    file = 0
    home = 56
    for letter in placement:
        if letter == "/":
            home -= 8
            file = 0
        elif letter in _LETTERS:
            put_piece(pos, home + file, _LETTERS.index(letter))
            file += 1
        else:
            file += int(letter)
    return 0


def _set_castling_rights(pos, castling):
    for letter in castling:
        name = letter.lower()
        file = {"k": 7, "q": 0}.get(name, ord(name) - ord("a"))
        pos.castling |= bit(file if letter.isupper() else 56 + file)
    return 0


def _castling_text(pos, chess960):
    text = ""
    for side in (WHITE, BLACK):
        king = king_square(pos, side)
        for file in range(7, -1, -1):
            square = 56 * side + file
            if pos.castling & bit(square):
                name = chr(ord("a") + file) if chess960 else "k" if square > king else "q"
                text += name if side else name.upper()
    return text or "-"
