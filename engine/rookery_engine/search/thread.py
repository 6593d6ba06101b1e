"""The state of one search thread: its line from the root, and its work at every node.

It has the positions, moves and scores on the way from the root, the variation found so far,
and the histories; it checks for draws and for the end of the search.  `search` decides, this
records.

The threads of one search are a chain.  All read `Signals.stop` at every node, and
the clock now and then; only the first counts the nodes of all, and calls its `Watch`.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.rookery_engine.core.movegen import ALL, EVERYONE, generate
from cython.cimports.rookery_engine.core.position import (
    BY_ANY,
    captured_type,
    insufficient_material,
    is_noisy,
    make_move,
    make_null,
)
from cython.cimports.rookery_engine.core.system import now
from cython.cimports.rookery_engine.core.types import (
    MAX_MOVES,
    NO_MOVE,
    PIECES,
    from_square,
    i64,
    to_square,
    u16,
    u64,
)
from cython.cimports.rookery_engine.nnue.accumulator import record_move, reset_accumulators
from cython.cimports.rookery_engine.nnue.network import NETWORK_NUMBER
from cython.cimports.rookery_engine.search.history import (
    NO_CONTINUATION,
    adjust,
    bonus_for,
    column,
    quiet_score,
)
from cython.cimports.rookery_engine.search.transposition import prefetch_bucket

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
TICK = cython.declare(i64, 900_000_000)  # ns; with the output, nodes come every second
CURRENT_GAP = cython.declare(i64, 20_000_000)  # ns; faster than anyone reads


def visit(thread, ply, move):
    """Make a move, or a null move, from `ply` to the next and count the node."""
    before = cython.address(thread.positions[ply])
    after = cython.address(thread.positions[ply + 1])
    frame = cython.address(thread.frames[ply + BEFORE])
    frame.move = move
    if move == NO_MOVE:
        frame.row = NO_CONTINUATION
        make_null(before, after)
    else:
        frame.row = column(before, move)
        make_move(before, after, move)
    frame.continuation = thread.history.continuation[frame.row]
    record_move(cython.address(thread.sums), ply, move)
    prefetch_bucket(thread.table, after.key)
    thread.keys[thread.root_key + ply + 1] = after.key
    thread.nodes += 1
    thread.countdown -= 1
    if thread.countdown <= 0 or thread.signals.stop:
        check_limits(thread, ply)


def set_root_position(thread, pos):
    """Put a position at the root, and forget the sums of the one before.

    With another network, forget the evaluations, too.
    """
    thread.positions[0] = pos[0]
    reset_accumulators(cython.address(thread.sums))
    if thread.network != NETWORK_NUMBER:
        thread.network = NETWORK_NUMBER
        memset(cython.address(thread.evaluations[0]), 0, cython.sizeof(thread.evaluations))


def check_limits(thread, ply):
    """Stop the search if a limit is reached; set the number of nodes to the next check."""
    signals = thread.signals
    watch = thread.watch
    thread.countdown = CHECK_EVERY
    if signals.show_lines:
        record_line(thread, ply)
    time = now()
    if time >= signals.deadline:  # with more threads than cores, the first may see it late
        signals.stop = True
    # A clock that helpers have run down, or an early `stop`, may come before there is any
    # result: a few nodes are searched all the same, so that the move is not a random one.
    if signals.stop and (thread.settled or thread.nodes >= CHECK_EVERY):
        thread.stopped = True
    if thread.stopped or watch == cython.NULL:
        return
    nodes = all_nodes(thread)
    if nodes >= signals.max_nodes:
        thread.stopped = True
        return
    if time >= watch.next_tick:
        watch.next_tick = time + TICK
        watch.telling = True
        watch.tick(watch.owner)
    left = signals.max_nodes - nodes
    if signals.threads > 1:  # helpers use up what is left, too, and about as fast
        left = 1 + left // (2 * signals.threads)
    if left < CHECK_EVERY:
        thread.countdown = left


def record_line(thread, ply):
    """Record the line from the root, for another thread to read."""
    thread.recorded_length = 0
    for index in range(ply + 1):
        thread.recorded[index] = thread.frames[index + BEFORE].move
    thread.recorded_length = ply + 1


def report_current_move(thread, depth, index):
    """Report the current root move, unless the last one was reported just before."""
    watch = thread.watch
    time = now()
    if time >= watch.next_current:
        watch.next_current = time + CURRENT_GAP
        watch.current(watch.owner, depth, index)


def all_nodes(first):
    """Return the nodes of all threads."""
    nodes: u64 = 0
    while first != cython.NULL:
        nodes += first.nodes
        first = first.next
    return nodes


def all_tbhits(first):
    """Return the number of positions that all threads found in tablebases."""
    hits: u64 = 0
    while first != cython.NULL:
        hits += first.tbhits
        first = first.next
    return hits


def is_draw(thread, ply):
    """Say whether the position is drawn by repetition, fifty moves or material.

    Mate on the hundredth ply comes before the fifty-move rule.
    """
    pos = cython.address(thread.positions[ply])
    if pos.rule50 >= FIFTY_MOVES and (not pos.checkers or has_moves(pos)):
        return True
    return is_repeated(thread, ply) or insufficient_material(pos)


def is_repeated(thread, ply):
    """Say whether the position is a repetition.

    One earlier occurrence is enough within the search, since a side that can repeat once can
    do so again.  Of the game before the root, two are needed.
    """
    pos = cython.address(thread.positions[ply])
    now_at = thread.root_key + ply
    seen = 0
    most: cython.int = pos.reversible
    if most > now_at:
        most = now_at
    for back in range(4, most + 1, 2):
        if thread.keys[now_at - back] == pos.key:
            seen += 1
            if back < ply or seen == 2:
                return True
    return False


def has_moves(pos):
    """Say whether there is any legal move."""
    moves: u16[MAX_MOVES]
    return generate(pos, cython.address(moves[0]), ALL, EVERYONE) > 0


def update_pv(thread, ply, move):
    """Put a move before the variation of the next ply."""
    length = thread.pv_length[ply + 1]
    thread.pv[ply][0] = move
    for index in range(length):
        thread.pv[ply][index + 1] = thread.pv[ply + 1][index]
    thread.pv_length[ply] = length + 1


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
