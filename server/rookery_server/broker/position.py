"""Whether work is for a position, by the rules of python-chess, and castling as in Chess960.

No I/O.
"""

from dataclasses import replace

import chess
import chess.variant

from rookery_server.broker.contract import ContractError, Work
from rookery_server.broker.evaluation import Evaluation


def set_up(work: Work) -> tuple[Work, Evaluation]:
    """Return work whose castling is written as the king taking its rook, and what hears of it.

    Raises:
        ContractError: the position is none, or a move of it is not legal.

    """
    try:
        board = chess.variant.find_variant(work.variant)(work.initial_fen, chess960=True)
    except ValueError as error:
        raise ContractError(f"initialFen is no position: {error}") from error
    if (status := board.status()) & ~_HARMLESS:
        raise ContractError(f"initialFen is no position that can be: {status.name}")
    moves = []
    for number, text in enumerate(work.moves, 1):
        try:
            move = board.parse_uci(text)
        except ValueError as error:
            raise ContractError(f"move {number} cannot be played: {error}") from error
        moves.append(board.uci(move))
        board.push(move)
    return replace(work, moves=tuple(moves)), Evaluation(work, board)


# Odd material is nobody's fault, as with the server's own sessions.
_HARMLESS = (
    chess.STATUS_TOO_MANY_WHITE_PAWNS
    | chess.STATUS_TOO_MANY_BLACK_PAWNS
    | chess.STATUS_TOO_MANY_WHITE_PIECES
    | chess.STATUS_TOO_MANY_BLACK_PIECES
    | chess.STATUS_BAD_CASTLING_RIGHTS
    | chess.STATUS_INVALID_EP_SQUARE
)
