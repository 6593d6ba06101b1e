"""Moves as a language model writes them, and why one is not legal, with those that are.  No I/O."""

import re

import chess

from rookery_bridge.mcp.checked_position import PositionError
from rookery_protocol.notices import legible
from rookery_uci import to_move

# With figurines, and with the dashes and the cross of typesetters.
_TYPESET = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟\u2013\u2014\u2212\u00d7", "KQRBNPKQRBNP---x")
_SHOWN = 16  # characters of a word that is no move
_MOST = 60  # legal moves that an error lists
_PIECE_MOVE = re.compile(r"([KQRBN])?([a-h])?([1-8])?[-x]?([a-h][1-8])(?:=?([QRBNK]))?")


def play_move(board: chess.Board, word: str) -> chess.Move:
    """Play a move in SAN or UCI, and return it.

    Raises:
        PositionError: it is not legal; the text says why, and which moves are.

    """
    move = read_move(board, word)
    board.push(move)
    return move


def read_move(board: chess.Board, word: str) -> chess.Move:
    """Return the legal move that a word means.

    Raises:
        PositionError: there is none, or there are several.

    """
    text = word.translate(_TYPESET).strip().rstrip("!?")
    text = re.sub(r"^\d{1,4}[.…]+", "", text)
    try:
        uci = to_move(text)
        if uci and uci != "0000":
            return board.parse_uci(uci)
        move = board.parse_san(text)
    except chess.AmbiguousMoveError:
        raise PositionError(_ambiguous(board, text)) from None
    except ValueError:
        raise PositionError(_why_illegal(board, word, text)) from None
    if not move:
        raise PositionError(f"{_shown(word)} is a null move, which no game of chess has")
    if "x" in text and not board.is_capture(move):
        # A model that writes so believes in a piece that is not there.
        square = chess.square_name(move.to_square)
        raise PositionError(
            f"{move_number(board)}{_shown(text)} takes nothing, for {square} is empty;"
            f" {board.san(move)} would be legal (position: {board.fen()})"
        )
    return move


def move_label(board: chess.Board, move: chess.Move) -> str:
    """Return a move with its number, as `12. Nf3` or `12...Nf6`."""
    return f"{move_number(board)}{board.san(move)}"


def move_number(board: chess.Board) -> str:
    """Return the number of the move to come: `12. ` or `12...`."""
    return f"{board.fullmove_number}{'. ' if board.turn else '...'}"


def legal_moves(board: chess.Board) -> list[str]:
    """Return all legal moves in SAN, in the order of their names."""
    return sorted(board.san(move) for move in board.legal_moves)


def _ambiguous(board: chess.Board, text: str) -> str:
    form = _PIECE_MOVE.match(text)
    piece = form[1] or "" if form else ""
    meant = [san for san in legal_moves(board) if form and form[4] in san and san[0] == piece]
    which = f": {' or '.join(meant)}" if meant else ""
    return f"{move_number(board)}{_shown(text)} may be several moves{which}"


def _why_illegal(board: chess.Board, word: str, text: str) -> str:
    """Return what is wrong with a move, and those that are legal."""
    legal = legal_moves(board)
    if not legal:
        return f"{_shown(word)} cannot be played: the game is over ({board.fen()})"
    form = _PIECE_MOVE.fullmatch(text.rstrip("+#"))
    letter = (form[1] or "") if form else ""
    same = [san for san in legal if letter and san.startswith(letter)]
    shown = ", ".join(legal[:_MOST]) + (", ..." if len(legal) > _MOST else "")
    near = f"that piece can play {', '.join(same)}; " if same else ""
    return (
        f"{move_number(board)}{_shown(text)} is not legal: {_reason(board, text, form)};"
        f" {near}legal moves: {shown} (position: {board.fen()})"
    )


def _reason(board: chess.Board, text: str, form: re.Match[str] | None) -> str:
    side = "White" if board.turn else "Black"
    uci = to_move(text)
    if uci and uci[:2] in chess.SQUARE_NAMES:
        return _reason_from(board, side, chess.parse_square(uci[:2]), uci)
    if text.upper().replace("0", "O").startswith("O-O"):
        return f"{side} cannot castle there now"
    if form is None:
        return "that is no move in SAN or UCI"
    kind = chess.PIECE_SYMBOLS.index((form[1] or "P").lower())
    target = chess.parse_square(form[4])
    own = board.pieces(kind, board.turn)
    name = chess.piece_name(kind)
    if not own:
        return f"{side} has no {name}"
    standing = board.piece_at(target)
    if standing and standing.color == board.turn:
        return f"{side}'s own {chess.piece_name(standing.piece_type)} is on {form[4]}"
    if any(
        move.to_square == target and board.piece_type_at(move.from_square) == kind
        for move in board.pseudo_legal_moves
    ):
        return (
            _king_is_attacked(board, side)
            if not _promotes(board, kind, target)
            else ("a pawn there promotes: say to which piece, as in e8=Q")
        )
    squares = ", ".join(chess.square_name(square) for square in own)
    return f"no {name} of {side}'s can reach {form[4]} (from {squares})"


def _reason_from(board: chess.Board, side: str, origin: chess.Square, uci: str) -> str:
    piece = board.piece_at(origin)
    if piece is None:
        return f"no piece is on {uci[:2]}"
    if piece.color != board.turn:
        return f"{side} is to move, and the piece on {uci[:2]} is not {side}'s"
    name = chess.piece_name(piece.piece_type)
    target = chess.parse_square(uci[2:4])
    if any(
        move.from_square == origin and move.to_square == target for move in board.pseudo_legal_moves
    ):
        if _promotes(board, piece.piece_type, target) and len(uci) == 4:
            return "a pawn there promotes: say to which piece, as in e7e8q"
        return _king_is_attacked(board, side)
    return f"the {name} on {uci[:2]} cannot go to {uci[2:4]}"


def _promotes(board: chess.Board, kind: chess.PieceType, target: chess.Square) -> bool:
    last = 7 if board.turn else 0
    return kind == chess.PAWN and chess.square_rank(target) == last


def _king_is_attacked(board: chess.Board, side: str) -> str:
    if board.is_check():
        return f"{side} is in check, and would still be"
    return f"{side}'s king would be in check"


def _shown(word: str) -> str:
    return repr(legible(word, _SHOWN))
