"""Positions of work, checked by the rules of sessions, with castling as in Chess960.

No I/O.
"""

from dataclasses import replace

import chess.variant

from rookery_protocol import legality
from rookery_protocol.lichess_api import LichessApiError, LichessWork
from rookery_server.lichess_broker.analysis_stream import Evaluation
from rookery_uci import UciError


def set_up(work: LichessWork) -> tuple[LichessWork, Evaluation]:
    """Return work as engines must hear it, and what hears of it.

    The FEN is written anew, and castling as the king taking its rook.

    Raises:
        LichessApiError: the position is none, or a move of it is not legal.

    """
    variant = chess.variant.find_variant(work.variant).uci_variant or legality.STANDARD
    try:
        board, fen = legality.read_board(work.initial_fen, chess960=True, variant=variant)
    except UciError as error:
        raise LichessApiError(f"initialFen is no position: {error}") from error
    moves = []
    for number, text in enumerate(work.moves, 1):
        try:
            move = board.parse_uci(text)
        except ValueError as error:
            raise LichessApiError(f"move {number} cannot be played: {error}") from error
        moves.append(board.uci(move))
        board.push(move)
    told = replace(work, initial_fen=fen or work.initial_fen, moves=tuple(moves))
    return told, Evaluation(told, board)
