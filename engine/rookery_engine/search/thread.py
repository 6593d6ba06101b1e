"""The state of one search thread: its line from the root, and its work at every node.

It has the positions, moves and scores on the way from the root, the variation found so far,
and the histories, for which `learning` cares; it checks for draws and for the end of the search.
`search` decides, this records.

The threads of one search are a chain.  All read `Signals.stop` at every node, and
the clock now and then; only the first counts the nodes of all, and calls its `Watch`.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.rookery_engine.core.movegen import ALL, EVERYONE, generate
from cython.cimports.rookery_engine.core.position import insufficient_material, make_move, make_null
from cython.cimports.rookery_engine.core.system import now
from cython.cimports.rookery_engine.core.types import MAX_MOVES, NO_MOVE, i64, u16, u64
from cython.cimports.rookery_engine.nnue.accumulator import record_move, reset_accumulators
from cython.cimports.rookery_engine.nnue.network import NETWORK_NUMBER
from cython.cimports.rookery_engine.search.history import NO_CONTINUATION, column
from cython.cimports.rookery_engine.search.transposition import prefetch_bucket

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
