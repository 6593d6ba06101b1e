"""Staged move picker: one move after the other, the most promising first.

Moves are generated in stages, because most nodes are finished after a move or two: the
table's move, captures that lose little or nothing, quiet moves, and captures
that lose more.  Within a stage the best score goes first; a full sort would cost
more than it gains.

The transposition table is far away in memory, and will be probed for the position
after a move: its bucket is prefetched as soon as the move is known.
"""

import cython
from cython.cimports.rookery_engine.core.attacks import (
    KNIGHT_ATTACKS,
    PAWN_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from cython.cimports.rookery_engine.core.movegen import EVERYONE, NOISY, QUIET, generate, is_legal
from cython.cimports.rookery_engine.core.position import (
    BY_MINOR,
    BY_PAWN,
    BY_ROOK,
    Position,
    captured_type,
    expected_key,
    king_square,
    occupied,
)
from cython.cimports.rookery_engine.core.see import EXCHANGE_VALUES, see_ge
from cython.cimports.rookery_engine.core.types import (
    BISHOP,
    KING,
    KNIGHT,
    NO_MOVE,
    PAWN,
    PROMOTION,
    QUEEN,
    ROOK,
    bit,
    from_square,
    kind,
    promotion,
    to_square,
    u16,
    u64,
)
from cython.cimports.rookery_engine.search.thread import BEFORE, Frame, quiet_history
from cython.cimports.rookery_engine.search.transposition import prefetch_bucket

KILLER_SCORE = cython.declare(cython.int, 1 << 20)  # above all histories
MINOR_ESCAPE = cython.declare(cython.int, 2039)  # from the attack of a lesser man
ROOK_ESCAPE = cython.declare(cython.int, 1993)
QUEEN_ESCAPE = cython.declare(cython.int, 8008)
CHECK_LOSS = cython.declare(cython.int, -65)  # the most material that it may lose
CHECK_SCORE = cython.declare(cython.int, 9971)  # of a quiet move that checks
GOOD_PART = cython.declare(cython.int, 261)  # of a capture's score: a centipawn it may lose
VICTIM_WEIGHT = cython.declare(cython.int, 64)  # a pawn outweighs most of a capture history
UNDERPROMOTION_SCORE = cython.declare(cython.int, -(1 << 20))  # hardly ever best


def start_picker(picker, thread, ply, hash_move, noisy_only):
    """Start with a position; a table's move that is not legal here is left out."""
    pos = cython.address(thread.positions[ply])
    picker.pos = pos
    picker.history = cython.address(thread.history)
    picker.table = thread.table
    picker.frame = cython.address(thread.frames[ply + BEFORE])
    picker.noisy_only = noisy_only
    picker.skip_quiets = False
    picker.hash_move = hash_move if hash_move and is_legal(pos, hash_move) else NO_MOVE
    if picker.hash_move:
        prefetch_bucket(picker.table, expected_key(pos, hash_move))
    picker.stage = HASH_MOVE if picker.hash_move else GENERATE_NOISY


def next_move(picker):
    """Return the next move; NO_MOVE after the last."""
    if picker.stage == HASH_MOVE:
        picker.stage = GENERATE_NOISY
        return picker.hash_move

    if picker.stage == GENERATE_NOISY:
        picker.end = generate(picker.pos, picker.moves, NOISY, EVERYONE)
        picker.next = picker.bad_end = 0
        score_noisy(picker)
        picker.stage = GOOD_NOISY

    if picker.stage == GOOD_NOISY:
        while picker.next < picker.end:
            move = best_left(picker)
            if move == picker.hash_move:
                continue
            least: cython.int = 0 if picker.noisy_only else -picker.best_score // GOOD_PART
            if see_ge(picker.pos, move, least):
                return move
            picker.moves[picker.bad_end] = move
            picker.bad_end += 1
        if picker.noisy_only:
            return NO_MOVE
        picker.stage = GENERATE_QUIET

    if picker.stage == GENERATE_QUIET:
        if not picker.skip_quiets:
            picker.end += generate(
                picker.pos, cython.address(picker.moves[picker.end]), QUIET, EVERYONE
            )
            score_quiets(picker)
        picker.stage = QUIETS

    if picker.stage == QUIETS:
        while picker.next < picker.end and not picker.skip_quiets:
            move = best_left(picker)
            if move != picker.hash_move:
                return move
        picker.next = 0
        picker.stage = BAD_NOISY

    if picker.next < picker.bad_end:
        picker.next += 1
        return picker.moves[picker.next - 1]
    return NO_MOVE


def best_left(picker):
    """Return the move with the highest score, and advance."""
    best = picker.next
    for index in range(picker.next + 1, picker.end):
        if picker.scores[index] > picker.scores[best]:
            best = index
    move = picker.moves[best]
    picker.best_score = picker.scores[best]
    picker.moves[best] = picker.moves[picker.next]
    picker.scores[best] = picker.scores[picker.next]
    picker.next += 1
    prefetch_bucket(picker.table, expected_key(picker.pos, move))
    return move


def score_noisy(picker):
    """Score captures: big victims first, then captures that were good before."""
    pos = picker.pos
    for index in range(picker.next, picker.end):
        move = picker.moves[index]
        prefetch_bucket(picker.table, expected_key(pos, move))
        victim = captured_type(pos, move)
        piece = pos.board[from_square(move)]
        score: cython.int = EXCHANGE_VALUES[victim] * VICTIM_WEIGHT
        score += picker.history.capture[piece][to_square(move)][victim]
        if kind(move) == PROMOTION:
            if promotion(move) == QUEEN:
                score += EXCHANGE_VALUES[QUEEN] * VICTIM_WEIGHT
            else:
                score += UNDERPROMOTION_SCORE
        picker.scores[index] = score


def score_quiets(picker):
    """Score quiet moves: killers first, then by their histories, checks and escapes."""
    pos = picker.pos
    frame = picker.frame
    king = king_square(pos, pos.side ^ 1)
    everyone = occupied(pos)
    checks: u64[6]
    checks[PAWN] = PAWN_ATTACKS[pos.side ^ 1][king]
    checks[KNIGHT] = KNIGHT_ATTACKS[king]
    checks[BISHOP] = bishop_attacks(king, everyone)
    checks[ROOK] = rook_attacks(king, everyone)
    checks[QUEEN] = checks[BISHOP] | checks[ROOK]
    checks[KING] = 0
    for index in range(picker.next, picker.end):
        move = picker.moves[index]
        score = quiet_history(picker.history, frame, pos, move)
        score += escape_score(frame, pos, move)
        type = pos.board[from_square(move)] >> 1
        if checks[type] & bit(to_square(move)) and see_ge(pos, move, CHECK_LOSS):
            score += CHECK_SCORE
        if move == frame.killers[0]:
            score += KILLER_SCORE
        elif move == frame.killers[1]:
            score += KILLER_SCORE // 2
        picker.scores[index] = score


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def escape_score(
    frame: cython.pointer[Frame], pos: cython.pointer[Position], move: u16
) -> cython.int:
    """Return the bonus of a move away from the attack of a lesser man; into it, minus that."""
    type = pos.board[from_square(move)] >> 1
    lesser: u64
    score: cython.int
    if type == QUEEN:
        lesser = frame.threats[BY_ROOK]
        score = QUEEN_ESCAPE
    elif type == ROOK:
        lesser = frame.threats[BY_MINOR]
        score = ROOK_ESCAPE
    elif type == KNIGHT or type == BISHOP:
        lesser = frame.threats[BY_PAWN]
        score = MINOR_ESCAPE
    else:
        return 0
    leaves: cython.int = lesser >> from_square(move) & 1
    enters: cython.int = lesser >> to_square(move) & 1
    return score * (leaves - enters)
