"""Positions that an engine can play, by the rules of python-chess.  No I/O.

Engines trust their GUI: Stockfish 15 crashes on a missing king, on castling rights
without a rook and on more than 32 pieces, and newer ones on a move that is not legal.
So the line for an engine is written anew from a board on which every move was legal.
The grammar says what a FEN means and which is refused (docs/position.md); the rules of
variants are python-chess's alone.

A GUI sends the whole game with each move.  The referee keeps the board of the last
position, and plays only the new moves.
"""

import sys
from collections.abc import Iterable
from functools import lru_cache

import chess
import chess.variant

from rookery_uci import (
    Fen,
    FenError,
    Fields,
    Position,
    UciError,
    counters_of,
    side_of,
    to_move,
)

# Longest games that were played have 600 moves, 1,200 plies, which take 7 ms; what
# follows an irreversible move can be sent as a FEN.
MAX_PLIES = 2000

# The values of UCI_Variant whose rules are known here.
VARIANTS: dict[str, type[chess.Board]] = {
    board.uci_variant: board for board in chess.variant.VARIANTS if board.uci_variant
}
STANDARD = "chess"
NO_MOVE = "0000"

_MAX_PLACEMENT = 150  # characters of a variant's; the longest have pockets of 30 pieces

_RIGHTS = set("KQkqABCDEFGHabcdefgh")

# Faults of a position in a variant, and their texts.
_FAULTS = {
    chess.STATUS_EMPTY: "the board is empty",
    chess.STATUS_NO_WHITE_KING: "there is no white king",
    chess.STATUS_NO_BLACK_KING: "there is no black king",
    chess.STATUS_TOO_MANY_KINGS: "there are too many kings",
    chess.STATUS_PAWNS_ON_BACKRANK: "there is a pawn on the first or last rank",
    chess.STATUS_OPPOSITE_CHECK: "the side that is not to move is in check",
    chess.STATUS_TOO_MANY_WHITE_PAWNS: "there are too many white pawns",
    chess.STATUS_TOO_MANY_BLACK_PAWNS: "there are too many black pawns",
    chess.STATUS_TOO_MANY_WHITE_PIECES: "there are too many white pieces",
    chess.STATUS_TOO_MANY_BLACK_PIECES: "there are too many black pieces",
    chess.STATUS_RACE_CHECK: "there is a check",
    chess.STATUS_RACE_OVER: "the race is over",
    chess.STATUS_RACE_MATERIAL: "there are pieces that the variant does not have",
}

# Castling as Chess960 writes it: python-chess takes it in any game, engines do not.
_KING_TAKES_ROOK = {"e1h1", "e1a1", "e8h8", "e8a8"}

_read_move = lru_cache(8192)(chess.Move.from_uci)


class Referee:
    """The rules, with the board of the last position."""

    __slots__ = ("_fen", "_said", "_start", "_told", "board", "played")

    def __init__(self) -> None:
        self._start: tuple[str | None, bool, str] | None = None
        self._fen: str | None = None  # for the engine
        self._said: tuple[str, ...] = ()  # the moves of the client,
        self._told: tuple[str, ...] = ()  # and for the engine
        self.board = chess.Board()  # after the moves
        self.played = 0  # moves in all, of positions that were refused, too

    def adopt(self, told: Position, board: chess.Board, *, chess960: bool, variant: str) -> None:
        """Take over a position that was checked elsewhere, as an engine hears it, and its board.

        A board by other rules is not taken: the position is checked when it is said.
        """
        if board.chess960 == chess960 and board.uci_variant == variant:
            self._start, self._fen = (told.fen, chess960, variant), told.fen
            self._said = self._told = told.moves
            self.board = board.copy(stack=False)

    def check(self, said: Position, *, chess960: bool, variant: str) -> Position:
        """Return the position as an engine must hear it.

        Raises:
            UciError: there is no such position, or a move is not legal in it.

        """
        start = (said.fen, chess960, variant)
        before = self._said
        if self._start == start and said.moves[: len(before)] == before:
            board, fen, told = self.board.copy(stack=False), self._fen, self._told
        else:
            board, fen = read_board(said.fen, chess960=chess960, variant=variant)
            before = told = ()
        play = _play if variant == STANDARD else _play_written_anyhow
        new = tuple(map(sys.intern, said.moves[len(before) :]))  # games share their moves
        try:
            told += tuple(play(board, text, len(before) + n) for n, text in enumerate(new, start=1))
        finally:
            self.played += len(board.move_stack)
        board.clear_stack()
        self._start, self._fen, self.board = start, fen, board
        self._said = before + new
        self._told = self._said if told == self._said else told
        return Position(fen, self._told)


def set_up(fen: str | None, *, chess960: bool, variant: str) -> chess.Board:
    """Return the board of a FEN, or of the usual start for None.

    Raises:
        UciError: it is no FEN, or no position that engines can play.

    """
    return read_board(fen, chess960=chess960, variant=variant)[0]


def read_board(fen: str | None, *, chess960: bool, variant: str) -> tuple[chess.Board, str | None]:
    """Return a board, and its FEN as engines hear it: castling by files where it was said so.

    Raises:
        UciError: it is no FEN, or no position that engines can play.

    """
    kind = VARIANTS[variant]
    if fen is None:
        return kind(chess960=chess960), None
    if variant == STANDARD:
        text = str(Fen.parse(fen, chess960=chess960))
        board = kind(text, chess960=chess960)
        if board.was_into_check():
            raise FenError(f"{'black' if board.turn else 'white'} is in check but not to move")
        if not chess960:
            return board, text
    else:
        board = _set_up_variant(fen, kind, chess960=chess960)
    by_files = chess960 and not set(Fields.parse(fen).castling) <= set("KQkq-")
    return board, board.fen(shredder=by_files, en_passant="fen")


def _set_up_variant(fen: str, kind: type[chess.Board], *, chess960: bool) -> chess.Board:
    """Return the board of a variant.

    An en passant square that cannot be is taken from it; castling rights without a
    rook count for nothing in python-chess, and are not written.
    """
    said = Fields.parse(fen)
    if len(said.placement) > _MAX_PLACEMENT:
        raise FenError(f"a placement has {_MAX_PLACEMENT} characters at most")
    castling = "".join(sorted(_RIGHTS & set(said.castling))) or "-"
    passed = said.en_passant.lower() if said.en_passant.lower() in chess.SQUARE_NAMES else "-"
    fields = [said.placement, side_of(said), castling, passed]
    counters = map(str, counters_of(said))
    checks = [said.checks] * bool(said.checks)  # Lichess has them at the end.
    is_last = said.checks.startswith("+")
    try:
        words = [*fields, *counters, *checks] if is_last else [*fields, *checks, *counters]
        board = kind(" ".join(words), chess960=chess960)
    except ValueError as error:
        raise FenError(f"{str(error).partition(':')[0]}, in {fen[:200]!r}") from error
    status = board.status()
    for fault, sentence in _FAULTS.items():
        if status & fault:
            raise FenError(f"{sentence} in {fen[:200]!r}")
    if status & chess.STATUS_INVALID_EP_SQUARE:
        board.ep_square = None
    return board


def choose_move(
    position: Position,
    candidates: Iterable[str] = (),
    *,
    among: Iterable[str] = (),
    chess960: bool,
    variant: str = "",
) -> str:
    """Return the first candidate that is legal, else any legal move; `NO_MOVE` if there is none.

    Any move is the capture of the piece that is worth most, if there is one: where no engine has
    searched, that is better than chance.  The move is `among` those that the GUI has named, if any
    of them is legal.  The position need not be checked: one that is refused has `NO_MOVE`, and so
    has an unknown variant.
    """
    referee = Referee()
    try:
        referee.check(position, chess960=chess960, variant=_known(variant))
    except ValueError:
        return NO_MOVE
    board = referee.board
    moves = [move for text in among if (move := _legal_move(board, text))] or _sorted_moves(board)
    for text in candidates:
        if (move := _legal_move(board, text)) and move in moves:
            return board.uci(move)
    return _best_capture(board, moves)


def position_for_engine(position: Position, *, chess960: bool, variant: str = "") -> Position:
    """Return a position as an engine must hear it, since there are positions that crash engines.

    One of a variant that python-chess does not know is believed.

    Raises:
        UciError: it is refused.

    """
    try:
        known = _known(variant)
    except ValueError:
        if position.fen == "":
            raise UciError("the position cannot be read") from None
        return position
    return Referee().check(position, chess960=chess960, variant=known)


def standard_castling(position: Position, *, variant: str = "") -> tuple[str, ...]:
    """Return the moves of a Chess960 game for engines without that: `e1h1` is `e1g1`.

    Moves of a position that is refused stay as they are.
    """
    try:
        known = _known(variant)
        told = Referee().check(position, chess960=True, variant=known)
        board = set_up(told.fen, chess960=True, variant=known)
        moves = []
        for text in told.moves:
            move = board.parse_uci(text)
            moves.append(board.uci(move, chess960=False))
            board.push(move)
    except ValueError:
        return position.moves
    return tuple(moves)


def _known(variant: str) -> str:
    """Return the value of UCI_Variant that a name means, of those that python-chess knows."""
    return chess.variant.find_variant(variant or STANDARD).uci_variant or STANDARD


def _sorted_moves(board: chess.Board) -> list[chess.Move]:
    return sorted(board.legal_moves, key=chess.Move.uci)


def _best_capture(board: chess.Board, moves: list[chess.Move]) -> str:
    best = max(moves, key=lambda move: board.piece_type_at(move.to_square) or 0, default=None)
    return NO_MOVE if best is None else board.uci(best)


def _legal_move(board: chess.Board, text: str) -> chess.Move | None:
    try:
        return board.parse_uci(to_move(text) or text)
    except ValueError:
        return None


def _play(board: chess.Board, text: str, number: int) -> str:
    """Play a move of chess, and return it as engines read it.

    This is `Board.parse_uci` in the half of its time: a pseudo-legal move is legal
    if it does not leave the king in check.
    """
    try:
        move = _read_move(text)
    except ValueError:
        return _play_written_anyhow(board, text, number)
    if text in _KING_TAKES_ROOK or not board.is_pseudo_legal(move):
        return _play_written_anyhow(board, text, number)
    board.push(move)
    if board.was_into_check():
        board.pop()
        raise _not_legal(board, text, number)
    return text


def _play_written_anyhow(board: chess.Board, text: str, number: int) -> str:
    """Play a move of any game, written in any way; return it as engines read it."""
    try:
        move = board.parse_uci(to_move(text) or text)
    except ValueError:
        move = _stepped(board, text)
    if not move:
        raise _not_legal(board, text, number)
    written = board.uci(move)
    board.push(move)
    return written


def _stepped(board: chess.Board, text: str) -> chess.Move:
    """Return the castling of Chess960 that the king's step of two files means; else a null move."""
    steps = {"e1g1": "h", "e1c1": "a", "e8g8": "h", "e8c8": "a"}
    for move in board.generate_castling_moves():
        wing = "h" if move.to_square > move.from_square else "a"
        if chess.SQUARE_NAMES[move.from_square] == text[:2] and steps.get(text) == wing:
            return move
    return chess.Move.null()


def _not_legal(board: chess.Board, text: str, number: int) -> UciError:
    return UciError(f"move {number} ({text[:10]}) is not legal in {board.fen()}")
