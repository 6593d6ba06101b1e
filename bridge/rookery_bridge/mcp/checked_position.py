"""Positions that can arise in a game, and the faults of those that cannot.  No I/O.

A language model makes positions up: a second king, a pawn on the first rank, a check that
nobody can have given.  All faults are named at once, so that the next try can be right.
"""

import re

import chess

from rookery_protocol.legality import STANDARD, read_board
from rookery_protocol.notices import legible
from rookery_uci import Fields, UciError

MAX_FEN = 200  # characters
_CHESS960 = re.compile(r"960|fischer|freestyle")
_SHREDDER = re.compile(r"[A-Ha-h]+")
_OFFICERS = {chess.KNIGHT: 2, chess.ROOK: 2, chess.QUEEN: 1}  # of a side at the start
_STATUS = {
    chess.STATUS_TOO_MANY_CHECKERS: "more pieces give check than one move can have caused",
    chess.STATUS_IMPOSSIBLE_CHECK: "no move can have led to the check that is on the board",
}


class PositionError(ValueError):
    """A position, a move or a game that cannot be meant; the text says why."""


def is_chess960(variant: str) -> bool:
    """Return whether a name of a variant is one of Chess960."""
    return _CHESS960.search(variant.lower()) is not None


def place_pieces(fen: str | None, *, chess960: bool = False) -> chess.Board:
    """Return the board of a FEN, or of the usual start for None.

    Raises:
        PositionError: there can be no such position.

    """
    if fen is None:
        return chess.Board(chess960=chess960)
    if len(fen) > MAX_FEN:
        raise PositionError(f"a FEN has {MAX_FEN} characters at most, not {len(fen)}")
    if fen.strip() in ("startpos", "start"):
        return chess.Board()
    fields = Fields.parse(fen)
    if len(fen.split()) < 2:
        raise PositionError(
            f"{legible(fen, 90)!r} is no whole FEN: the side to move is missing, as in"
            f" {chess.STARTING_FEN!r}"
        )
    chess960 = chess960 or bool(_SHREDDER.fullmatch(fields.castling))
    if faults := _faults_of(fields):
        raise _impossible(faults)
    try:
        board = read_board(fen, chess960=chess960, variant=STANDARD)[0]
    except UciError as error:
        raise _impossible([str(error)]) from error
    if faults := [text for fault, text in _STATUS.items() if board.status() & fault]:
        raise _impossible(faults)
    return board


def corrections(fen: str, board: chess.Board) -> list[str]:
    """Return in words what of a FEN counts for nothing, because no game can have it there."""
    said = Fields.parse(fen)
    found = []
    castling = board.castling_shredder_fen() if board.chess960 else board.castling_xfen()
    lost = "".join(sorted(set(said.castling.strip("-")) - set(castling)))
    if lost and not board.chess960:
        found.append(
            f"the castling right {legible(lost, 10)!r} of the FEN was left out: king or rook is"
            " not at home"
        )
    if said.en_passant not in ("", "-") and board.ep_square is None:
        found.append(
            f"the en passant square {legible(said.en_passant, 5)!r} of the FEN was left out: no"
            " pawn has just passed it"
        )
    return found


def _impossible(faults: list[str]) -> PositionError:
    return PositionError(f"there is no such position: {'; '.join(faults)}")


def _faults_of(fields: Fields) -> list[str]:
    """Return all that is wrong with the men on the board, and with the side to move."""
    ranks = fields.placement.split("/")
    if len(ranks) != 8:
        return []  # the reader says it
    faults = []
    for color, letters in (("White", "KPNBRQ"), ("Black", "kpnbrq")):
        kings, pawns, *others = (fields.placement.count(letter) for letter in letters)
        if kings != 1:
            faults.append(f"{color} has {kings or 'no'} king{'s' * (kings > 1)}, and needs one")
        if pawns > 8:
            faults.append(f"{color} has {pawns} pawns, and 8 are the most")
        if kings + pawns + sum(others) > 16:
            faults.append(f"{color} has {kings + pawns + sum(others)} men, and 16 are the most")
    for rank, text in (("last", ranks[0]), ("first", ranks[7])):
        if "p" in text.lower():
            number = 8 if rank == "last" else 1
            faults.append(f"a pawn is on the {rank} rank ({legible(text, 20)!r} is rank {number})")
    return faults or _promotion_faults(fields)


def _promotion_faults(fields: Fields) -> list[str]:
    """Return the sides that have more promoted pieces than missing pawns."""
    try:
        board = chess.BaseBoard(fields.placement)
    except ValueError:
        return []  # the reader says it
    faults = []
    for color, name in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
        bishops = board.pieces(chess.BISHOP, color)
        promoted = sum(
            max(0, len(board.pieces(kind, color)) - count) for kind, count in _OFFICERS.items()
        )
        for squares in (chess.BB_LIGHT_SQUARES, chess.BB_DARK_SQUARES):
            promoted += max(0, len(bishops & squares) - 1)
        missing = 8 - len(board.pieces(chess.PAWN, color))
        if promoted > missing:
            faults.append(
                f"{name} has {promoted} pieces more than at the start, which only promotion gives,"
                f" but only {missing} pawns are gone"
            )
    return faults
