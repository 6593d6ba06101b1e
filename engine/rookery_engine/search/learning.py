"""Learning of a thread's histories from the moves that were searched.

`history` has their tables; here is what is rewarded and penalised, and by how much: the move that
refutes a position, those tried before it, and the opponent's moves that led there.
"""

import cython
from cython.cimports.rookery_engine.core.position import BY_ANY, captured_type, is_noisy
from cython.cimports.rookery_engine.core.types import NO_MOVE, PIECES, from_square, to_square
from cython.cimports.rookery_engine.search.history import adjust, bonus_for, column, quiet_score
from cython.cimports.rookery_engine.search.thread import BEFORE

CHANGE_WEIGHT = cython.declare(cython.int, 9)  # of history, for each unit of the evaluation
CHANGE_MOST = cython.declare(cython.int, 850)
KNOWN_WEIGHT = cython.declare(cython.int, 109)  # in 128ths, of what the table teaches the history
# In 128ths of a bonus: of moves tried in vain, of an early one that is refuted, and of one that no
# reply is good against; then the shares of the histories of replies and of follow-ups.
VAIN_WEIGHT = cython.declare(cython.int, 122)
EARLY_WEIGHT = cython.declare(cython.int, 118)
PREVIOUS_WEIGHT = cython.declare(cython.int, 80)
REPLY_WEIGHT = cython.declare(cython.int, 139)
FOLLOW_WEIGHT = cython.declare(cython.int, 112)
FOURTH_WEIGHT = cython.declare(cython.int, 118)


def update_history(thread, ply, depth, best, tried, count):
    """Reward the move that refuted the position, and penalise those tried before it."""
    pos = cython.address(thread.positions[ply])
    frame = cython.address(thread.frames[ply + BEFORE])
    bonus = bonus_for(depth)
    best_is_quiet: cython.bint = not is_noisy(pos, best)
    if best_is_quiet and frame.killers[0] != best:
        frame.killers[1] = frame.killers[0]
        frame.killers[0] = best
    update_move_history(thread, ply, best, bonus)
    blame_early_move(thread, ply, depth)
    bonus = bonus * VAIN_WEIGHT // 128
    for index in range(count):
        move = tried[index]
        if move != best and (best_is_quiet or is_noisy(pos, move)):
            update_move_history(thread, ply, move, -bonus)


def update_move_history(thread, ply, move, bonus):
    """Add the bonus of a move to every history it belongs to."""
    pos = cython.address(thread.positions[ply])
    frame = cython.address(thread.frames[ply + BEFORE])
    history = cython.address(thread.history)
    origin = from_square(move)
    target = to_square(move)
    if is_noisy(pos, move):
        victim = captured_type(pos, move)
        adjust(cython.address(history.capture[pos.board[origin]][target][victim]), bonus)
        return
    here = column(pos, move)
    adjust(quiet_score(history, pos.side, frame.threats[BY_ANY], move), bonus)
    adjust(cython.address(frame[-1].continuation[here]), bonus * REPLY_WEIGHT // 128)
    adjust(cython.address(frame[-2].continuation[here]), bonus * FOLLOW_WEIGHT // 128)
    adjust(cython.address(frame[-4].continuation[here]), bonus * FOURTH_WEIGHT // 128)


def reward_known_move(thread, ply, move, depth):
    """Reward the table's quiet move as a reply, where the table alone ends a node."""
    pos = cython.address(thread.positions[ply])
    if not is_noisy(pos, move) and pos.board[from_square(move)] < PIECES:
        reward_reply(thread, ply, move, KNOWN_WEIGHT * bonus_for(depth) // 128)


def blame_early_move(thread, ply, depth):
    """Penalise the opponent's quiet move that led here, if it was tried early and is refuted."""
    frame = cython.address(thread.frames[ply + BEFORE - 1])
    if ply < 2 or frame.number > 2 or frame.move == NO_MOVE:
        return
    if not is_noisy(cython.address(thread.positions[ply - 1]), frame.move):
        reward_reply(thread, ply - 1, frame.move, -EARLY_WEIGHT * bonus_for(depth) // 128)


def reward_reply(thread, ply, move, bonus):
    """Reward a quiet move as a reply to the opponent's last move and as a follow-up to an own."""
    pos = cython.address(thread.positions[ply])
    frame = cython.address(thread.frames[ply + BEFORE])
    here = column(pos, move)
    adjust(cython.address(frame[-1].continuation[here]), bonus)
    adjust(cython.address(frame[-2].continuation[here]), bonus)


def reward_change(thread, ply, gain):
    """Reward the opponent's quiet move that led here by what it gained in the evaluation."""
    pos = cython.address(thread.positions[ply - 1])
    frame = cython.address(thread.frames[ply + BEFORE])
    move = frame[-1].move
    if move == NO_MOVE or is_noisy(pos, move):
        return
    bonus = CHANGE_WEIGHT * gain
    bonus = CHANGE_MOST if bonus > CHANGE_MOST else -CHANGE_MOST if bonus < -CHANGE_MOST else bonus
    adjust(
        quiet_score(cython.address(thread.history), pos.side, frame[-1].threats[BY_ANY], move),
        bonus,
    )


def reward_previous_move(thread, ply, depth):
    """Reward the opponent's quiet move that led here, where no move is good."""
    move = thread.frames[ply + BEFORE - 1].move
    if move != NO_MOVE and not is_noisy(cython.address(thread.positions[ply - 1]), move):
        bonus = PREVIOUS_WEIGHT * bonus_for(depth) // 128
        update_move_history(thread, ply - 1, move, bonus)
