"""Positions as text: Forsyth-Edwards Notation, X-FEN and Shredder-FEN.

What cannot be played is refused with a `FenError` that says why; what does no
harm is put right: missing counters, castling rights without king and rook in
place, en passant squares that no pawn has passed or none can take.

Source of castling fields: the wiki articles on X-FEN (`KQkq` is the outermost
rook of that side) and on Chess960 (Shredder-FEN names the rooks' files, `HAha`).
"""

from cython.cimports.rookery_engine.position import (
    attackers,
    clear,
    find_checkers,
    king_square,
    men,
    occupied,
    put,
    set_en_passant,
    set_keys,
)
from cython.cimports.rookery_engine.types import (
    BLACK,
    KING,
    NO_PIECE,
    NO_SQUARE,
    PAWN,
    ROOK,
    WHITE,
    bit,
    popcount,
    rank,
)

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

_LETTERS = "PpNnBbRrQqKk"  # the index is the piece
_MEN_AT_START = (8, 2, 2, 2, 1)  # of one side: pawns to queen
_MAX_PAWNS = 8
_MAX_COUNTER = 9999


class FenError(ValueError):
    """A FEN that cannot be played; the text says what was expected."""


def read(pos, fen, chess960):
    """Set up the position of a FEN.

    Outside Chess960 castling needs king and rook on the squares of usual chess,
    because the notation of its moves could not be told from a king's step.

    Raises:
        FenError: the position cannot be played.

    """
    fields = fen.split()
    if not fields:
        raise FenError("a FEN needs at least the placement of the pieces")
    clear(pos)
    _place(pos, fields[0])
    side = fields[1].lower() if len(fields) > 1 else "w"
    if side not in ("w", "b"):
        raise FenError(f"the side to move must be 'w' or 'b', not {side!r}")
    pos.side = WHITE if side == "w" else BLACK
    _check(pos)
    if len(fields) > 2:
        _give_rights(pos, fields[2], chess960)
    if len(fields) > 3:
        _pass_pawn(pos, fields[3])
    pos.rule50 = pos.reversible = _counter(fields, 4, 0)
    pos.number = max(1, _counter(fields, 5, 1))
    pos.checkers = find_checkers(pos)
    set_keys(pos)
    return 0


def write(pos, chess960):
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
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def _place(pos, placement):
    ranks = placement.split("/")
    if len(ranks) != 8:
        raise FenError(f"a board needs 8 ranks between '/', not {len(ranks)}")
    for index, text in enumerate(ranks):
        file = 0
        for letter in text:
            if letter in "12345678":
                file += int(letter)
            elif letter in _LETTERS and file < 8:
                put(pos, 8 * (7 - index) + file, _LETTERS.index(letter))
                file += 1
            else:
                raise FenError(f"rank {8 - index} needs pieces and digits, not {text!r}")
        if file != 8:
            raise FenError(f"rank {8 - index} needs 8 squares, not {file}")
    return 0


def _check(pos):
    """Refuse what the move generator must not see."""
    for side, name in ((WHITE, "white"), (BLACK, "black")):
        kings = popcount(men(pos, KING, side))
        if kings != 1:
            raise FenError(f"{name} needs one king, not {kings}")
        pawns = popcount(men(pos, PAWN, side))
        extra = 0
        for type in range(1, 5):
            extra += max(0, popcount(men(pos, type, side)) - _MEN_AT_START[type])
        if pawns + extra > _MAX_PAWNS:
            raise FenError(f"{name} has more men than pawns can have become")
    if pos.types[PAWN] & (rank(0) | rank(7)):
        raise FenError("no pawn can stand on the first or last rank")
    king = king_square(pos, pos.side ^ 1)
    if attackers(pos, king, occupied(pos)) & pos.colours[pos.side]:
        raise FenError(f"{'white' if pos.side else 'black'} is in check but not to move")
    return 0


def _give_rights(pos, castling, chess960):
    for letter in castling:
        side = WHITE if letter.isupper() else BLACK
        name = letter.lower()
        if name == "k":
            _give_right(pos, side, _outermost_rook(pos, side, -1), chess960)
        elif name == "q":
            _give_right(pos, side, _outermost_rook(pos, side, 1), chess960)
        elif "a" <= name <= "h":
            _give_right(pos, side, ord(name) - ord("a"), chess960)
    return 0


def _outermost_rook(pos, side, step):
    """Return the file of the first rook met on the way from the edge to the king; -1 if none."""
    file = 0 if step > 0 else 7
    while 0 <= file < 8:
        square = 56 * side + file
        if pos.board[square] == 2 * KING + side:
            return -1
        if pos.board[square] == 2 * ROOK + side:
            return file
        file += step
    return -1


def _give_right(pos, side, file, chess960):
    """Give the right to castle with the rook on a file, if king and rook are in place."""
    king = king_square(pos, side)
    home = 56 * side
    if file < 0 or king & 56 != home or pos.board[home + file] != 2 * ROOK + side:
        return 0
    if not chess960 and (king & 7 != 4 or file not in (0, 7)):
        return 0
    # One rook on either side of the king, as no game has more.
    beyond = rank(7 * side)
    beyond &= ~((bit(king) << 1) - 1) if home + file > king else bit(king) - 1
    if pos.castling & beyond == 0:
        pos.castling |= bit(home + file)
    return 0


def _pass_pawn(pos, square):
    if len(square) != 2 or square[0] not in "abcdefgh":
        return 0
    if square[1] != ("3" if pos.side else "6"):
        return 0
    passed = 8 * (2 if pos.side else 5) + ord(square[0]) - ord("a")
    pawn = passed ^ 8  # e3 is passed to e4, e6 to e5
    if pos.board[pawn] != 2 * PAWN + (pos.side ^ 1):
        return 0
    if occupied(pos) & (bit(passed) | bit(2 * passed - pawn)):
        return 0
    set_en_passant(pos, passed)
    return 0


def _counter(fields, index, default):
    """Return a counter of the FEN; what is no number counts as missing."""
    text = fields[index] if len(fields) > index else ""
    return min(int(text), _MAX_COUNTER) if text.isdecimal() and len(text) < 9 else default


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
