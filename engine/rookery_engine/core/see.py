"""Static exchange evaluation: the result of a series of captures on one square.

Both sides capture with their least valuable piece and may stop when they like;
pieces behind others join in.  Pins are ignored.  Source: the chess
programming wiki, Static Exchange Evaluation.
"""

from cython.cimports.rookery_engine.core.attacks import bishop_attacks, rook_attacks
from cython.cimports.rookery_engine.core.position import attackers, captured_type, occupied
from cython.cimports.rookery_engine.core.types import (
    BISHOP,
    CASTLING,
    EN_PASSANT,
    KING,
    PAWN,
    PROMOTION,
    QUEEN,
    ROOK,
    bit,
    from_square,
    kind,
    promotion,
    to_square,
)


def see_ge(pos, move, threshold):
    """Say whether a move gains `threshold` centipawns or more after all exchanges.

    A null-window search in small: `balance` is the lead over the threshold of the side that
    just captured if its capturer is now lost.
    """
    if kind(move) == CASTLING:
        return threshold <= 0
    origin = from_square(move)
    target = to_square(move)
    risked = EXCHANGE_VALUES[pos.board[origin] >> 1]
    balance = EXCHANGE_VALUES[captured_type(pos, move)] - threshold
    if kind(move) == PROMOTION:
        risked = EXCHANGE_VALUES[promotion(move)]
        balance += risked - EXCHANGE_VALUES[PAWN]
    if balance < 0:
        return False
    balance -= risked
    if balance >= 0:
        return True

    left = occupied(pos) ^ bit(origin)
    if kind(move) == EN_PASSANT:
        left ^= bit(target ^ 8)
    diagonal = pos.types[BISHOP] | pos.types[QUEEN]
    straight = pos.types[ROOK] | pos.types[QUEEN]
    capturers = attackers(pos, target, left)
    side = pos.side ^ 1
    while True:
        capturers &= left
        own = capturers & pos.colours[side]
        if not own:
            break
        type = PAWN
        while not own & pos.types[type]:
            type += 1
        side ^= 1
        if type == KING and capturers & pos.colours[side]:
            side ^= 1  # the king must not capture what is still protected
            break
        balance = -balance - 1 - EXCHANGE_VALUES[type]
        if balance >= 0:
            break
        own &= pos.types[type]
        left ^= own & -own
        if type == PAWN or type == BISHOP or type == QUEEN:
            capturers |= bishop_attacks(target, left) & diagonal
        if type == ROOK or type == QUEEN:
            capturers |= rook_attacks(target, left) & straight
    return side != pos.side


def _fill_values():
    for type, value in enumerate((100, 325, 325, 500, 950, 0, 0)):
        EXCHANGE_VALUES[type] = value


_fill_values()
