"""One game between two players, by the rules of python-chess."""

import chess

from bench.ladder.player import Player

MOST_PLIES = 400  # then it is a draw
FIFTY_MOVES = 100  # plies


def play(white: Player, black: Player, opening: str) -> float:
    """Play from an opening (FEN); return White's points.

    The third repetition and the fifty-move rule end a game without a claim.
    """
    board = chess.Board(opening)
    fen, moves = board.fen(), list[str]()
    white.new_game()
    black.new_game()
    for _ in range(MOST_PLIES):
        mover = white if board.turn else black
        move = board.parse_uci(mover.choose(fen, moves))
        if board.is_zeroing(move):  # what was before cannot come again
            fen, moves = board.fen(), []
        moves.append(move.uci())
        board.push(move)
        outcome = board.outcome()
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner)
        if board.halfmove_clock >= FIFTY_MOVES or board.is_repetition(3):
            break
    return 0.5
