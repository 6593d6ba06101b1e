"""A position as a cache knows it: what matters for its evaluation, and nothing else.  No I/O.

Transpositions are one position.  Of its history two things matter, both because of
draws: how many moves lie since the last capture or pawn move, and what stood on the board
since then.

- Up to `NEAR` half-moves nobody sees the draw by the 50-move rule, which is 80 half-moves
  away; from there on the number is part of the position.
- If anything has stood there twice, the next time may be a draw, which a FEN does not
  say: such a position is not known by any name.  What has stood there once is no danger,
  because engines count a position of the game only when it comes for the third time.
"""

import chess

from rookery_protocol.legality import set_up
from rookery_server.cache.query import Question

NEAR = 20  # half-moves
_DRAWN = 100  # half-moves, after which the game is a draw by the 50-move rule
_CYCLE = 4  # half-moves, the least between a position and its repetition


def board_of(question: Question) -> chess.Board:
    """Return the board of a question, with the moves that led there."""
    position = question.position
    board = set_up(position.fen, chess960=question.chess960, variant=question.variant)
    for text in position.moves:
        board.push(chess.Move.from_uci(text))
    return board


def normal_form(board: chess.Board, variant: str) -> str | None:
    """Return the name of a position; None if its history does not fit into one.

    Castling is written by files and en passant only if it is possible, so that each
    position has one name.
    """
    clock = board.halfmove_clock
    if clock >= _DRAWN or board.is_game_over(claim_draw=False) or _has_repetition(board):
        return None
    rules = "960" if board.chess960 else "-"
    return f"{variant} {rules} {_name(board)} {clock if clock > NEAR else 0}"


def _has_repetition(board: chess.Board) -> bool:
    """Say whether anything has been on the board twice since the last irreversible move."""
    steps = min(board.halfmove_clock, len(board.move_stack))
    if steps < _CYCLE:
        return False
    past, seen = board.copy(stack=steps), {_name(board)}
    for _ in range(steps):
        past.pop()
        name = _name(past)
        if name in seen:
            return True
        seen.add(name)
    return False


def _name(board: chess.Board) -> str:
    return board.epd(shredder=True, en_passant="legal")
