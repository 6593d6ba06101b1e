"""Counting the leaves of the tree of legal moves: the proof of the move generator.

Moves at the last ply are counted, not made ("bulk counting", see the chess
programming wiki, Perft).
"""

import cython
from cython.cimports.rookery_engine.core.movegen import ALL, EVERYONE, generate
from cython.cimports.rookery_engine.core.position import Position, make_move
from cython.cimports.rookery_engine.core.types import MAX_MOVES, u16, u64


def count_leaves(pos, depth, halted):
    """Return the number of lines of `depth` moves; fewer, and soon, once it is `halted`."""
    moves: u16[MAX_MOVES]
    after: Position
    if depth <= 0:
        return 1
    count = generate(pos, cython.address(moves[0]), ALL, EVERYONE)
    if depth == 1:
        return count
    total: u64 = 0
    for index in range(count):
        if halted[0]:
            break
        make_move(pos, cython.address(after), moves[index])
        total += count_leaves(cython.address(after), depth - 1, halted)
    return total
